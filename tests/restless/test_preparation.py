"""Units, equipment, and what is done before battle commences; what each side may know."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import sequence, special
from battles.books.restless_natives.actions import ToCommand, ToSetUp
from battles.books.restless_natives.board import stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.generator import generate_brief, roll_brief, scenario
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Kind, Style, Troops
from battles.books.restless_natives.registration import TRACE, engine
from battles.books.restless_natives.set_up import new_game
from battles.books.restless_natives.state import Commander, State
from battles.contract.brief import Side
from battles.core.game import IllegalAction
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import StandSize
from tests.restless.field import (
    BRITISH_CHIEF,
    EGYPTIAN,
    MAHDIST,
    NATIVE_CHIEF,
    NORTH,
    SUBORDINATE,
    act,
    at,
    battle,
    block,
    british,
    deployment,
    dice_of,
    natives,
    table,
)
from tests.restless.played import PLAYED

SOUTHERN_HALF = (at(0, 18), at(48, 18), at(48, 36), at(0, 36))


def set_up(**more: object) -> State:
    """Return a battle before it: the British may set up in the southern half, and have a
    subordinate.
    """
    state, _ = new_game(
        deployment(
            british(1, at(24, 30)),
            british(3, at(34, 30), command=SUBORDINATE),
            natives(2, at(24, 4)),
            zones={EGYPTIAN: (SOUTHERN_HALF,)},
            **more,  # type: ignore[arg-type]
        ),
        dice_of(1),
    )
    return state


def test_introduction_1_a_battle_comes_to_its_end_with_one_pack() -> None:
    state, _ = new_game(
        deployment(british(1, at(24, 30)), natives(2, at(24, 4)), one_off=True), dice_of(2)
    )
    for _ in PLAYED.moves(state, 2):
        pass
    assert state.result is not None
    assert state.turn <= 54


def test_introduction_2_larger_battles_are_fought_on_larger_fields() -> None:
    units = [british(number, at(6 * number, 60)) for number in range(1, 12)]
    state = battle(*units, natives(20, at(24, 4)), field=table(width=96, height=72))
    assert state.field.width == 9600


def test_introduction_3_playing_cards_and_special_event_cards_lie_ready() -> None:
    state = set_up()
    act(state, a.Done(), *(1,) * 53, *(1,) * 50)
    assert len(state.pack) == 53
    assert all(len(one.hand) == 1 for one in state.commanders.values())


def test_units_1_a_unit_is_so_many_stands() -> None:
    assert len(stands_of(british(1, at(24, 30)))) == 4
    assert len(stands_of(natives(2, at(24, 4)))) == 6


def test_units_2_battalions_and_warbands_have_three_to_six_stands() -> None:
    brief = generate_brief(6, 6)
    state = engine.drawn_up(brief)
    foot = [unit.stands for unit in state.units.values() if unit.kind is Kind.INFANTRY]
    assert set(foot) <= {3, 4, 5, 6}


def test_units_3_stands_are_three_centimetres_wide() -> None:
    assert book().size(Kind.INFANTRY) == StandSize(118, 59)
    for kind in (Kind.CAVALRY, Kind.CAMELRY, Kind.ARTILLERY, Kind.COMMANDER, Kind.TRANSPORT):
        assert book().size(kind) == StandSize(118, 118)


def test_units_4_british_is_whoever_is_organised_so() -> None:
    british_style = {troops for troops in Troops if book().style(troops) is Style.BRITISH}
    assert british_style == set(Troops) - {Troops.NATIVE}


def test_preparation_1_one_off_battles_and_battles_of_a_campaign() -> None:
    assert not deployment(british(1, at(24, 30))).one_off
    assert deployment(british(1, at(24, 30)), one_off=True).one_off


def test_preparation_2_what_the_book_leaves_open_is_written_down() -> None:
    assert len(TRACE.rulings()) >= 20
    assert all(ruling.text.endswith(".") for ruling in TRACE.rulings())


def test_preparation_3_the_tables_are_in_inches() -> None:
    assert table().measure == "inch"
    assert set(book().tables) >= {"movement", "weapons", "special", "terrain", "numbers"}


def test_one_off_battles_1_the_program_is_the_umpire() -> None:
    state = set_up()
    with pytest.raises(IllegalAction, match="Choose one of the answers that are offered"):
        act(state, a.Activate(1))


def test_one_off_battles_2_one_commander_in_chief_a_side() -> None:
    units = british(1, at(24, 30)), natives(2, at(24, 4))
    doubled = (*deployment(*units).commanders, Commander(9, EGYPTIAN, chief=True))
    with pytest.raises(ValueError, match="2 Commanders-in-Chief instead of one"):
        battle(*units, commanders=doubled)


def test_one_off_battles_3_every_question_names_the_side_that_answers() -> None:
    assert set_up().question == ToSetUp(EGYPTIAN)


def test_one_off_battles_4_two_dice_say_which_armies_and_which_scenario() -> None:
    brief = roll_brief(dice_of(3)).brief
    assert brief.id
    assert scenario(6, 1) == "A"


def test_one_off_battles_5_units_are_allotted_to_commanders() -> None:
    state = set_up()
    offered = options(state)
    assert offered is not None
    assert (offered.units, offered.commanders) == ((1, 3), (BRITISH_CHIEF, SUBORDINATE))
    act(state, a.Allot(1, SUBORDINATE))
    assert state.units[1].command == SUBORDINATE
    with pytest.raises(IllegalAction, match="not both of this side"):
        act(state, a.Allot(1, NATIVE_CHIEF))


def test_one_off_battles_6_units_are_placed_within_their_side_s_part() -> None:
    state = set_up()
    act(state, a.Deploy(1, at(10, 20), 45, TableFormation.COLUMN))
    unit = state.units[1]
    assert (unit.at, unit.facing, unit.formation) == (at(10, 20), 45, TableFormation.COLUMN)
    for where in (at(10, 10), at(34, 30), at(0.5, 30)):
        with pytest.raises(IllegalAction):
            act(state, a.Deploy(1, where, NORTH, TableFormation.LINE))
    with pytest.raises(IllegalAction, match="no unit of yours"):
        act(state, a.Deploy(2, at(10, 20), NORTH, TableFormation.LINE))
    with pytest.raises(IllegalAction, match="in that formation"):
        act(state, a.Deploy(1, at(10, 20), NORTH, TableFormation.MASS))


def test_one_off_battles_6_not_in_the_water() -> None:
    state = set_up(field=table(block(TableTerrain.RIVER, 0, 22, 48, 26)))
    with pytest.raises(IllegalAction, match="out of it"):
        act(state, a.Deploy(1, at(10, 23), NORTH, TableFormation.LINE))
    assert sequence.own(state, MAHDIST) == (2,)


def test_one_off_battles_7_the_pack_is_shuffled_by_the_dice() -> None:
    one, other = set_up(), set_up()
    act(one, a.Done(), *(1,) * 53, *(1,) * 50)
    act(other, a.Done(), *range(54, 1, -1), *(1,) * 50)
    assert one.pack != other.pack
    assert isinstance(one.question, ToCommand | None)


def test_one_off_battles_8_hands_are_seen_by_their_own_side_alone() -> None:
    state = set_up()
    act(state, a.Done(), *(1,) * 53, *(1,) * 50)
    for side in (*Side, None):
        seen = engine.view(state, side)
        for number, commander in state.commanders.items():
            hand = commander.hand if commander.side is side else []
            assert seen.commanders[number].hand == hand
            assert len(commander.hand) == 1


def test_one_off_battles_9_nobody_sees_the_packs() -> None:
    state = set_up()
    act(state, a.Done(), *(1,) * 53, *(1,) * 50)
    assert len(state.special) == len(special.whole_pack()) - 3
    for side in (*Side, None):
        seen = engine.view(state, side)
        assert (seen.pack, seen.special) == ([], [])


def test_campaign_battles_1_the_program_is_the_umpire_there_too() -> None:
    assert set_up(one_off=False).question == ToSetUp(EGYPTIAN)


def test_campaign_battles_2_commanders_are_given_their_units() -> None:
    state = set_up(one_off=False)
    act(state, a.Allot(3, BRITISH_CHIEF))
    assert sequence.commanders(state, EGYPTIAN) == (BRITISH_CHIEF, SUBORDINATE)
    assert state.units[3].command == BRITISH_CHIEF


def test_campaign_battles_3_units_are_placed_on_the_field() -> None:
    state = set_up(one_off=False)
    act(state, a.Deploy(3, at(40, 33), NORTH, TableFormation.LINE))
    assert state.units[3].at == at(40, 33)


def test_campaign_battles_4_the_pack_has_both_jokers() -> None:
    state = set_up(one_off=False)
    act(state, a.Done(), *range(54, 1, -1), *(1,) * 50)
    assert len([card for card in (*state.pack, state.card) if card and card.rank == 0]) == 2


def test_campaign_battles_5_every_player_is_dealt_a_card() -> None:
    state = set_up(one_off=False)
    act(state, a.Done(), *range(54, 1, -1), *(1,) * 50)
    assert [len(one.hand) for one in state.commanders.values()] == [1, 1, 1]


def test_campaign_battles_6_the_rest_lies_face_down() -> None:
    state = set_up(one_off=False)
    act(state, a.Done(), *range(54, 1, -1), *(1,) * 50)
    assert engine.view(state, MAHDIST).special == []
