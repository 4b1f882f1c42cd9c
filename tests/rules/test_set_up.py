"""The first state of a campaign, and the free set-up before the first turn (2.1)."""

from math import dist

import pytest

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction
from campaign.rules import apply, check, fold, new_game
from campaign.rules.case_positions import units_of
from campaign.rules.core import actions as a
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId, month
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import OFF_MAP, Phase, State
from campaign.rules.map import HexId, sudan
from campaign.rules.set_up import set_up_choices
from campaign.rules.stacks import describe_unit
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_loader import UnknownScenario, scenario

RELIEF, SIEGE = "relief-of-el-obeid", "siege-of-khartoum"
NO_DICE = ScriptedDice()


def hex_of(name: str) -> HexId:
    return sudan().place(name).hex


def named(state: State, name: str) -> UnitId:
    return next(unit.id for unit in state.units.values() if unit.name == name)


def mahdists_set_up(slug: str) -> State:
    """The Egyptian side is ready; the Mahdists may change their set-up."""
    return apply(new_game(slug), a.Done(), NO_DICE)[0]


def test_1_1_all_nations_but_the_mahdists_are_the_egyptian_players() -> None:
    assert {nation for nation in Nation if nation.side is Side.MAHDIST} == {Nation.MAHDIST}


def test_1_2_scenarios_begin_and_end_with_a_month() -> None:
    assert scenario(RELIEF).last_month - scenario(RELIEF).first_month == 17


def test_1_3_a_hex_is_ten_to_eleven_miles_across() -> None:
    hexes = sudan().hexes
    here, there = (hexes[hex_of(name)] for name in ("Khartoum", "Omdurman"))
    miles = dist((here.x, here.y), (there.x, there.y)) / 1.609344
    assert 10 <= miles <= 11


def test_1_3_the_extension_is_a_region_of_the_one_map() -> None:
    extension = sudan().region("souakim_extension")
    assert extension <= sudan().hexes.keys()
    assert hex_of("Souakim") in extension
    assert hex_of("Berber") not in extension


def test_1_4_a_unit_has_the_strength_points_that_are_printed_on_it() -> None:
    units = {unit.name: unit for group in new_game(SIEGE).due for unit in group.units}
    assert [units[name].strength for name in ("Black Watch", "Light Camel Corps")] == [3, 1]


@pytest.mark.parametrize(
    ("slug", "units", "due", "first"),
    [(RELIEF, 87, 38, month(1882, 10)), (SIEGE, 96, 32, month(1884, 2))],
)
def test_2_1_everything_of_the_scenario_is_there(
    slug: str, units: int, due: int, first: int
) -> None:
    state = new_game(slug)
    assert len(state.units) == units
    assert sum(len(group.units) for group in state.due) == due
    assert state.next_unit == 1 + units + due
    assert (state.month, state.phase) == (first, Phase.SET_UP)
    assert state.edition == shipped_edition().digest
    assert state.map == sudan().digest
    assert all(unit.hex == OFF_MAP for group in state.due for unit in group.units)


@pytest.mark.parametrize("slug", [RELIEF, SIEGE])
def test_2_1_a_new_state_can_be_stored(slug: str) -> None:
    data = encode(new_game(slug))
    assert encode(decode(data, State)) == data == encode(new_game(slug))
    assert len(data) < 20_000


@pytest.mark.parametrize("slug", [RELIEF, SIEGE])
def test_3_2_the_pile_and_the_counters_beside_it_make_up_the_mix(slug: str) -> None:
    state = new_game(slug)
    for kind in state.pool:
        on_map = sum(
            unit.kind is kind and unit.nation is Nation.MAHDIST for unit in state.units.values()
        )
        assert on_map + state.pool[kind] + state.box[kind] == book().counters(kind)


def test_3_2_no_rifles_or_guns_are_drawn_in_the_first_scenario() -> None:
    pool = new_game(RELIEF).pool
    assert {kind: count for kind, count in pool.items() if count} == {
        TroopKind.SPEARS: 70 - 37,
        TroopKind.CAVALRY: 8 - 3,
    }


def test_3_2_the_pile_of_the_second_scenario() -> None:
    pool = new_game(SIEGE).pool
    assert {kind: count for kind, count in pool.items() if count} == {
        TroopKind.SPEARS: 70 - 46,
        TroopKind.CAVALRY: 8 - 3,
        TroopKind.INFANTRY: 6 - 4,
        TroopKind.GUN: 4 - 2,
    }


def test_3_2_places_belong_to_whoever_was_there_last() -> None:
    relief, siege = new_game(RELIEF).control, new_game(SIEGE).control
    assert relief[hex_of("Khartoum")] is Side.EGYPTIAN
    assert relief[hex_of("Sennar")] is Side.EGYPTIAN
    assert relief[hex_of("Shekan")] is Side.MAHDIST
    assert siege[hex_of("El Obeid")] is Side.MAHDIST
    assert siege[hex_of("Wady Halfa")] is Side.EGYPTIAN
    assert siege[hex_of("Tamanieb")] is Side.MAHDIST


def test_3_4_the_railway_to_sarras_runs() -> None:
    assert new_game(SIEGE).railheads == {"wady-halfa": 4}


def test_2_3_boats_and_gunboats_of_the_expedition_do_not_come_to_souakim() -> None:
    state = new_game(SIEGE)
    for due in state.due:
        afloat = [unit for unit in due.units if unit.kind in (TroopKind.BOAT, TroopKind.GUNBOAT)]
        if due.month == month(1884, 9) and afloat:
            assert len(afloat) == len(due.units) == 8
            assert due.at == (hex_of("Wady Halfa"), hex_of("Sarras"))
        elif due.month == month(1884, 9):
            assert hex_of("Souakim") in due.at


def test_3_3_units_of_a_souakim_force_remember_it() -> None:
    assert {unit.origin for due in new_game(SIEGE).due for unit in due.units} == {""}
    assert scenario(SIEGE).called("souakim_1").replaced_at == "Souakim"


def test_2_1_the_egyptians_set_up_first_then_the_mahdists_then_play_begins() -> None:
    state = new_game(RELIEF)
    assert isinstance(state.question, ToSetUp)
    assert state.question.side is Side.EGYPTIAN
    state = mahdists_set_up(RELIEF)
    assert isinstance(state.question, ToSetUp)
    assert state.question.side is Side.MAHDIST
    state, outcome = apply(state, a.Done(), ScriptedDice(3, 1))
    assert state.phase is not Phase.SET_UP
    assert [roll.reason for roll in outcome.rolls] == ["Random event"]


@pytest.mark.parametrize("slug", [RELIEF, SIEGE])
def test_2_1_what_is_offered_is_accepted(slug: str) -> None:
    for state in (new_game(slug), mahdists_set_up(slug)):
        assert isinstance(state.question, ToSetUp)
        side = state.question.side
        for unit_id, choices in set_up_choices(state, side).items():
            for there in choices:
                check(state, a.Deploy((unit_id,), there))


def test_2_1_a_side_moves_its_units_and_is_asked_again() -> None:
    state = mahdists_set_up(SIEGE)
    osman = tuple(u.id for u in board(state).stack(Side.MAHDIST, hex_of("Tamanieb")))
    after, outcome = apply(state, a.Deploy(osman, hex_of("Trinkitat")), NO_DICE)
    assert len(board(after).stack(Side.MAHDIST, hex_of("Trinkitat"))) == 7
    assert isinstance(after.question, ToSetUp)
    assert after.control[hex_of("Tamanieb")] is Side.EGYPTIAN
    assert after.control[hex_of("Trinkitat")] is Side.MAHDIST
    folded = decode(encode(state), State)
    fold(folded, outcome.events)
    assert encode(folded) == encode(after)


@pytest.mark.parametrize(
    ("who", "where", "reason"),
    [
        ("Osman Digma", "Souakim", "may not set up"),
        ("Osman Digma", "Hashin", "may not set up"),
        ("Osman Digma", "Handub", "may not set up"),
        ("Osman Digma", "Sinkat", "may not set up"),
        ("Osman Digma", "El Obeid", "may not set up"),
        ("Mahdi", "Omdurman", "may not set up"),
        ("Mahdi", "Berber", "may not set up"),
        ("Gordon", "Sennar", "Only units of your own"),
    ],
)
def test_2_3_nobody_sets_up_outside_his_area(who: str, where: str, reason: str) -> None:
    state = mahdists_set_up(SIEGE)
    with pytest.raises(IllegalAction, match=reason) as refused:
        check(state, a.Deploy((named(state, who),), hex_of(where)))
    assert refused.value.clause == "2.1"


def test_2_3_six_to_a_hex_holds_for_osmans_men_as_well() -> None:
    state = mahdists_set_up(SIEGE)
    tamanieb = [unit.id for unit in board(state).stack(Side.MAHDIST, hex_of("Tamanieb"))]
    with pytest.raises(IllegalAction) as refused:
        check(state, a.Deploy(tuple(tamanieb), hex_of("Erkowit")))
    assert refused.value.clause == "2.3"


def test_2_3_six_units_to_a_hex_and_no_more() -> None:
    state = mahdists_set_up(SIEGE)
    goz_regeb = board(state).stack(Side.MAHDIST, hex_of("Goz Regeb"))
    with pytest.raises(IllegalAction, match="more units than the scenario lets it"):
        check(state, a.Deploy((goz_regeb[0].id,), hex_of("El Eilafun")))
    check(state, a.Deploy((goz_regeb[0].id,), hex_of("Om Dubban")))
    check(state, a.Deploy((named(state, "Mahdi"),), hex_of("El Eilafun")))


def test_2_3_a_boat_stays_beside_the_river() -> None:
    state = mahdists_set_up(SIEGE)
    boat = next(
        unit.id
        for unit in state.units.values()
        if unit.kind is TroopKind.BOAT and unit.side is Side.MAHDIST
    )
    check(state, a.Deploy((boat,), hex_of("Geteina")))
    with pytest.raises(IllegalAction, match="boat may not set up"):
        check(state, a.Deploy((boat,), hex_of("El Obeid")))


def test_2_3_gordons_men_may_hold_omdurman_but_the_townsfolk_stay() -> None:
    state = new_game(SIEGE)
    khartoum = board(state).stack(Side.EGYPTIAN, hex_of("Khartoum"))
    rifles = tuple(unit.id for unit in khartoum if unit.kind is TroopKind.INFANTRY)
    check(state, a.Deploy(rifles, hex_of("Omdurman")))
    civilians = tuple(unit.id for unit in khartoum if unit.kind is TroopKind.CIVILIANS)
    with pytest.raises(IllegalAction, match="civilians may not set up"):
        check(state, a.Deploy(civilians, hex_of("Omdurman")))


def test_2_1_units_and_hexes_that_are_not_there_are_refused() -> None:
    state = new_game(SIEGE)
    with pytest.raises(IllegalAction, match="Only units of your own"):
        check(state, a.Deploy((), hex_of("Omdurman")))
    with pytest.raises(IllegalAction, match="Only units of your own"):
        check(state, a.Deploy((UnitId(9999),), hex_of("Omdurman")))
    with pytest.raises(IllegalAction, match="hex 9999"):
        check(state, a.Deploy((named(state, "Gordon"),), HexId(9999)))


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(UnknownScenario, match="There is no scenario"):
        new_game("fashoda")


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("infantry british 3V (Black Watch)", "the Black Watch"),
        ("infantry egyptian 2L", "an Egyptian infantry unit"),
        ("cavalry indian", "an Indian cavalry unit"),
        ("gunboat mahdist", "a Mahdist gunboat"),
        ("gun", "an Egyptian gun"),
        ("supply", "a British supply unit"),
        ("civilians", "the civilians"),
        ("Gordon", "Gordon"),
    ],
)
def test_units_are_called_by_their_names(what, name):
    (unit,) = units_of(what, hex_of("Khartoum"), 1)
    assert describe_unit(unit) == name


def test_a_refusal_begins_with_the_name_of_the_unit():
    state = new_game(SIEGE)
    here = hex_of("Berber")
    rifles = next(unit.id for unit in state.units.values() if unit.hex == here)
    with pytest.raises(IllegalAction, match=r"^An Egyptian infantry unit may not set up in"):
        check(state, a.Deploy((rifles,), hex_of("Khartoum")))
