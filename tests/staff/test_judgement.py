"""Particular judgements of the staff, each in a position that asks for nothing else."""

from typing import Any

import msgspec
import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import check, new_game, play
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, chart, forget, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.tables.editions import own_edition, shipped_edition
from campaign.rules.tables.rows import AttritionLine
from campaign.staff import answer
from campaign.staff.assaults import wins_by_destroying
from campaign.staff.mahdist import task
from campaign.staff.plans import plans, under
from campaign.staff.scene import FAR, distances, expected_hits, is_fighter, scene, thirst
from tests.positions import OPEN, SIEGE, besieged_khartoum, hex_of, position


def carried_out(state: State) -> list[a.AnyAction]:
    """Return the side's actions until its phase is over."""
    dice, done = ChainedDice(derive_key(b"judgement")), []
    side = state.side
    while state.question is not None and state.side is side:
        done.append(answer(state))
        play(state, done[-1], dice)
    return done


def attacks(state: State) -> list[a.Attack]:
    return [action for action in carried_out(state) if isinstance(action, a.Attack)]


def asked(state: Any, question: q.BaseQuestion) -> Any:
    """Return the staff's answer to this question in that position, which is lawful."""
    state.question = question
    action = answer(state)
    check(state, action)
    return action


def numbers(state: State, side: Side, place: str, kind: TroopKind) -> list[UnitId]:
    stack = board(state).stack(side, hex_of(place))
    return [unit.id for unit in stack if unit.kind is kind]


def test_9_1_a_few_battalions_do_not_attack_a_host() -> None:
    state = position(f"{OPEN}: 3 infantry egyptian R", "0640: 20 spears")
    assert attacks(state) == []


def test_9_1_camelry_attacks_a_band_in_its_way() -> None:
    state = position(
        "1938: H. Stewart, 3 camel corps british 2V, supply, camel",
        "1939: 5 spears",
        month="1885-01",
    )
    assert [action.hex for action in attacks(state)][:1] == [hex_of("1939")]


def test_9_1_spearmen_leave_a_square_of_veterans_alone() -> None:
    state = position(
        f"{OPEN}: 5 spears", "0640: Wolseley, 6 infantry british 3V, gun british", side="mahdist"
    )
    assert attacks(state) == []


def test_3_2_the_mahdists_walk_into_an_empty_town() -> None:
    state = position("2637: 6 spears", side="mahdist", held={"Shendi": "egyptian"})
    carried_out(state)
    assert state.control[hex_of("Shendi")] is Side.MAHDIST


def test_9_12_the_garrison_of_khartoum_does_not_wander_off() -> None:
    state = besieged_khartoum(side="egyptian")
    before = len(board(state).land(Side.EGYPTIAN, hex_of("Khartoum")))
    moves = [action for action in carried_out(state) if isinstance(action, a.Move)]
    assert moves == []
    assert before > len(board(state).occupied[Side.EGYPTIAN]) == 1


def test_10_1_a_british_column_opens_its_supply_in_the_desert() -> None:
    state = position(f"{OPEN}: 4 infantry british 3V, supply")
    source = numbers(state, Side.EGYPTIAN, OPEN, TroopKind.SUPPLY)[0]
    question = q.ToSupply(Side.EGYPTIAN, (q.SupplyChoice(hex_of(OPEN), (source,)),))
    assert asked(state, question) == a.Supply(source)


def test_10_1_a_small_stack_in_the_fields_keeps_its_supply() -> None:
    state = position("3129: 2 infantry british 3V, supply")
    source = numbers(state, Side.EGYPTIAN, "3129", TroopKind.SUPPLY)[0]
    question = q.ToSupply(Side.EGYPTIAN, (q.SupplyChoice(hex_of("3129"), (source,)),))
    assert asked(state, question) == a.Supply(UnitId(0))


def test_4_2_the_last_supply_in_khartoum_is_not_opened_for_egyptians() -> None:
    state = position(
        "Khartoum: Gordon, 4 infantry egyptian L, 2 infantry egyptian R, supply", "2043: 6 spears"
    )
    source = numbers(state, Side.EGYPTIAN, "Khartoum", TroopKind.SUPPLY)[0]
    question = q.ToSupply(Side.EGYPTIAN, (q.SupplyChoice(hex_of("Khartoum"), (source,)),))
    assert asked(state, question) == a.Supply(UnitId(0))


def test_4_2_thirst_takes_egyptians_and_camels_before_the_british() -> None:
    state = position(f"{OPEN}: 2 infantry british 3V disrupted, 2 infantry egyptian R, camel")
    chosen = asked(state, q.ToShareAttrition(Side.EGYPTIAN, hex_of(OPEN), 3))
    lost = board(state).named(chosen.units)
    assert all(unit.nation is not Nation.BRITISH or unit.kind is TroopKind.CAMEL for unit in lost)


def test_10_3_thirst_disrupts_steady_mahdists_before_it_kills() -> None:
    state = position(f"{OPEN}: 2 spears disrupted, 3 spears", side="mahdist")
    chosen = asked(state, q.ToShareAttrition(Side.MAHDIST, hex_of(OPEN), 3))
    assert not any(unit.disrupted for unit in board(state).named(chosen.units))


def test_8_31_steady_units_fall_out_first() -> None:
    state = position(f"{OPEN}: 2 spears disrupted, 4 spears", side="mahdist")
    units = tuple(unit.id for unit in board(state).stack(Side.MAHDIST, hex_of(OPEN)))
    chosen = asked(state, q.ToDisrupt(Side.MAHDIST, units, 2))
    assert not any(unit.disrupted for unit in board(state).named(chosen.units))


@pytest.mark.parametrize(
    ("place", "stands"), [("Khartoum", True), ("Souakim", True), ("Omdurman", False)]
)
def test_9_8_great_towns_are_held_and_a_shaken_village_is_given_up(
    place: str, stands: bool
) -> None:
    beside = {"Khartoum": "2043", "Souakim": "5320", "Omdurman": "1842"}[place]
    state = position(
        f"{place}: 2 infantry egyptian R disrupted", f"{beside}: 8 spears", side="mahdist"
    )
    units = tuple(unit.id for unit in board(state).stack(Side.EGYPTIAN, hex_of(place)))
    question = q.ToRetreat(Side.EGYPTIAN, hex_of(place), units, 3, free=True)
    chosen = asked(state, question)
    assert (chosen.path == ()) is stands


def test_9_8_a_beaten_stack_goes_to_its_friends() -> None:
    state = position(
        "1943: 3 spears disrupted", "Omdurman: 4 spears", "1944: 4 infantry british 3V"
    )
    units = tuple(unit.id for unit in board(state).stack(Side.MAHDIST, hex_of("1943")))
    chosen = asked(state, q.ToRetreat(Side.MAHDIST, hex_of("1943"), units, 3))
    assert chosen.path[-1] == hex_of("Omdurman")


def test_10_3_what_thirst_is_expected_to_cost() -> None:
    state = position(f"{OPEN}: 6 spears", month="1884-12")
    assert thirst(state, Side.MAHDIST, hex_of(OPEN), 6) == (6 + 6 + 4 + 2 + 0 + 0) / 6
    assert thirst(state, Side.MAHDIST, hex_of("Khartoum"), 40) == 0
    assert expected_hits(laws(state), AttritionLine.DESERT, -1, 4) > expected_hits(
        laws(state), AttritionLine.DESERT, 0, 4
    )


def test_8_2_distances_go_round_the_sea_and_over_rivers_at_their_cost() -> None:
    state = position(f"{OPEN}: spears")
    way = distances(state, frozenset({hex_of("Berber")}))
    assert way[hex_of("Berber")] == 0
    assert way[hex_of("Souakim")] > way[hex_of("Obak Wells")] > 0
    assert way[hex_of("3027")] == 1 + laws(state).crossing_cost()
    assert distances(state, frozenset())[hex_of("Berber")] == FAR


def test_9_12_the_staff_sees_who_besieges() -> None:
    view = scene(besieged_khartoum(side="egyptian"), Side.EGYPTIAN)
    khartoum = hex_of("Khartoum")
    assert sorted(view.besiegers(khartoum)) == sorted(map(hex_of, ("2043", "2143", "Halfaya")))
    assert view.doorsteps(khartoum) == (hex_of("2043"),)


def test_7_2_nobody_goes_home_from_a_leader_while_others_can() -> None:
    """The Khalifa's loss ends the campaign: his last guard is the last to go."""
    state = position(f"{OPEN}: Khalifa, 3 spears", "0640: 4 spears", side="mahdist")
    all_units = [unit.id for unit in board(state).units if unit.kind is TroopKind.SPEARS]
    guard = set(numbers(state, Side.MAHDIST, OPEN, TroopKind.SPEARS))
    for count, sent in ((4, 0), (6, 2), (7, 3)):
        question = q.ToChooseUnits(Side.MAHDIST, "units go home", "5.2", tuple(all_units), count)
        picked = asked(state, question)
        assert isinstance(picked, a.Pick)
        assert len(picked.units) == count
        assert len(guard & set(picked.units)) == sent


def test_9_4_every_wave_of_a_storm_has_men_who_fire() -> None:
    state = position(
        "Khartoum: Gordon, 2 guns egyptian, infantry egyptian L, 5 gunboats egyptian",
        "2043: 30 spears, 4 rifles mahdist, 2 guns mahdist",
        side="mahdist",
    )
    kinds = {unit.id: unit.kind for unit in board(state).units}
    waves = [one.units for one in carried_out(state) if isinstance(one, a.March)]
    shooters = {TroopKind.INFANTRY, TroopKind.GUN}
    assert len(waves) >= 2
    assert all(shooters & {kinds[unit] for unit in wave} for wave in waves)


def test_4_2_bands_without_a_place_to_take_go_for_a_british_leader() -> None:
    """Idle bands go for a British leader whose stack wins the campaign when it is destroyed."""
    held = ("Khartoum", "Omdurman", "Shendi", "Metemmeh", "Berber", "Dongola")
    state = position(
        "Korti: Earle, 2 infantry british 2V",
        "Metemmeh: 8 spears",
        side="mahdist",
        held=dict.fromkeys(held, "mahdist"),
    )
    before = chart(state).distance(hex_of("Metemmeh"), hex_of("Korti"))
    carried_out(state)
    bands = [unit.hex for unit in board(state).units if unit.side is Side.MAHDIST]
    assert all(chart(state).distance(hex_id, hex_of("Korti")) < before for hex_id in bands)


SHREWD = msgspec.structs.replace(plans(SIEGE), shrewd=True)


def set_up(side: Side) -> State:
    """Return the siege when that side has set up by the shrewd staff."""
    state, dice = new_game(SIEGE), ChainedDice(derive_key(b"set-up"))
    while isinstance(state.question, q.ToSetUp):
        play(state, answer(state, SHREWD) if state.question.side is side else a.Done(), dice)
    return state


def test_2_1_a_garrison_sets_up_with_no_more_mouths_than_a_siege_spares() -> None:
    state = set_up(Side.EGYPTIAN)
    stacks = {
        place: [
            unit for unit in board(state).land(Side.EGYPTIAN, hex_of(place)) if is_fighter(unit)
        ]
        for place in ("Khartoum", "Omdurman")
    }
    assert len(stacks["Omdurman"]) == 4
    assert all(unit.quality is Quality.RABBLE for unit in stacks["Omdurman"])
    assert len(stacks["Khartoum"]) == 6


def test_2_1_the_mahdi_sets_up_no_farther_from_khartoum_than_he_must() -> None:
    way = distances(set_up(Side.MAHDIST), frozenset({hex_of("Khartoum")}))
    before, after = (
        way[next(unit.hex for unit in board(state).units if unit.name == "Mahdi")]
        for state in (new_game(SIEGE), set_up(Side.MAHDIST))
    )
    assert after < before / 2


def withdrawn(state: State) -> set[UnitId]:
    answered = answer(state, SHREWD)
    check(state, answered)
    return set(answered.units) if isinstance(answered, a.Withdraw) else set()


def test_3_1_townsfolk_leave_a_besieged_town_that_must_starve_with_them() -> None:
    state = besieged_khartoum(side="egyptian", phase="reinforcement")
    assert withdrawn(state) == set(numbers(state, Side.EGYPTIAN, "Khartoum", TroopKind.CIVILIANS))
    free = position("Khartoum: Gordon, 9 infantry egyptian L, civilians", phase="reinforcement")
    assert withdrawn(free) == set()


@pytest.mark.parametrize(
    ("stacks", "gone"),
    [
        (("Souakim: 10 infantry british 2V", "Handub: 6 spears", "Tamai: 6 spears"), 6),
        (("Souakim: 10 infantry british 2V", "El Teb: 6 spears"), 0),
        (("Souakim: 10 infantry egyptian L", "Handub: 6 spears"), 0),
        ((f"{OPEN}: H. Stewart, 12 infantry british 2V disrupted",), 12),
        ((f"{OPEN}: H. Stewart, 12 infantry british 2V disrupted, supply british",), 0),
    ],
)
def test_3_1_british_who_would_starve_or_die_of_thirst_are_withdrawn(
    stacks: tuple[str, ...], gone: int
) -> None:
    """They come back; their death would cost the victory (3.3, 4.2)."""
    assert len(withdrawn(position(*stacks, phase="reinforcement"))) == gone


def test_8_24_camel_corps_give_their_camels_to_supply_that_has_none() -> None:
    state = position("Korti: 4 camel corps british 2V, supply british", phase="reinforcement")
    assert isinstance(answer(state), a.Dismount)
    for stack in (
        "3 camel corps british 2V, supply british, camel british",
        "3 camel corps british 2V",
    ):
        assert answer(position(f"Korti: {stack}", phase="reinforcement")) == a.Done()


def test_9_12_besiegers_stand_on_more_sides_than_one_when_relief_is_near() -> None:
    """A sally that beats one host leaves the siege as it is."""
    state = position(
        "Khartoum: Gordon, 4 infantry egyptian L, 2 guns egyptian",
        "2043: 24 spears",
        "Abu Klea Wells: H. Stewart, 4 camel corps british 2V, supply british, camel british",
        side="mahdist",
        month="1884-12",
    )
    carried_out(state)
    beside = {unit.hex for unit in board(state).units if unit.side is Side.MAHDIST}
    assert len(beside & set(chart(state).neighbours[hex_of("Khartoum")])) > 1


def test_8_31_a_lone_gun_in_disorder_rests_where_nothing_harms_it() -> None:
    """A result of 25% takes one unit at least, and a disrupted one is lost."""
    state = position("3129: gun egyptian disrupted")
    assert not [one for one in carried_out(state) if isinstance(one, a.March)]
    fit = position("3129: gun egyptian")
    assert [one for one in carried_out(fit) if isinstance(one, a.March)]


def test_10_1_supply_waits_for_a_guard_while_enemies_are_near() -> None:
    convoy = "supply british, camel british"
    alone = position(f"Debbeh: {convoy}", "Ambukol: 6 spears", month="1884-11")
    assert not [one for one in carried_out(alone) if isinstance(one, a.March)]
    guarded = position(
        f"Debbeh: {convoy}, 5 infantry egyptian L", "Ambukol: 6 spears", month="1884-11"
    )
    kinds = {unit.id: unit.kind for unit in board(guarded).units}
    for march in [one for one in carried_out(guarded) if isinstance(one, a.March)]:
        going = [kinds[unit] for unit in march.units]
        assert TroopKind.SUPPLY not in going or going.count(TroopKind.INFANTRY) >= 3


def test_7_2_the_mahdi_storms_with_a_strong_wave_or_not_at_all() -> None:
    state = position(
        "Omdurman: 2 infantry egyptian R", "1943: Mahdi, 10 spears, rifles mahdist", side="mahdist"
    )
    mahdi = next(unit.id for unit in board(state).units if unit.name == "Mahdi")
    for march in [one for one in carried_out(state) if isinstance(one, a.March)]:
        assert mahdi not in march.units or len(march.units) > 5


@pytest.mark.parametrize(
    ("others", "storms"),
    [((), True), (("2144: 8 spears disrupted",), False), (("2055: 8 spears",), False)],
)
def test_9_8_besiegers_wear_a_garrison_down_once_nobody_else_is_to_come(
    others: tuple[str, ...], storms: bool
) -> None:
    """Gordon's last men get no replacements; waves that cannot destroy them leave fewer."""
    state = position(
        "Khartoum: Gordon, infantry egyptian L, 2 guns egyptian",
        "2043: 16 spears, 4 infantry mahdist",
        *others,
        side="mahdist",
    )
    assert (len(attacks(state)) > 1) is storms


def test_9_8_besiegers_with_nothing_better_to_do_wear_a_strong_garrison_down_slowly() -> None:
    state = position(
        "Khartoum: Gordon, 2 infantry egyptian L, 2 guns egyptian",
        "2043: 16 spears, 4 infantry mahdist",
        side="mahdist",
    )
    assert len(attacks(state)) > 1


@pytest.mark.parametrize(("month", "storms"), [("1885-06", False), ("1885-10", True)])
def test_9_8_a_storm_waits_for_those_in_disorder_who_make_it_much_likelier(
    month: str, storms: bool
) -> None:
    """Late in the campaign a small chance is enough for a storm; in its last month nobody waits."""
    state = position(
        "Khartoum: Gordon, infantry egyptian L, 2 guns egyptian",
        "2043: 16 spears, 4 infantry mahdist",
        "2144: 10 spears disrupted",
        side="mahdist",
        month=month,
    )
    assert bool(attacks(state)) is storms


@pytest.mark.parametrize(("beaten", "storms"), [(True, True), (False, False)])
def test_9_8_a_storm_goes_on_after_waves_that_were_beaten_back(beaten: bool, storms: bool) -> None:
    """Beaten waves lie behind the others, who go in while the garrison is still shaken by them."""
    state = position(
        "Khartoum: Gordon, infantry egyptian L, 2 guns egyptian",
        "2043: 12 spears, 3 infantry mahdist",
        "2144: 6 spears disrupted",
        side="mahdist",
    )
    if beaten:
        state.marched += numbers(state, Side.MAHDIST, "2144", TroopKind.SPEARS)
    assert bool(attacks(state)) is storms


@pytest.mark.parametrize(
    ("others", "storms"),
    [("4 infantry egyptian L, 3 infantry egyptian R", False), ("2 infantry egyptian L", True)],
)
def test_10_3_a_garrison_that_hunger_wears_down_is_left_to_hunger(
    others: str, storms: bool
) -> None:
    """Waves cost more men than a large garrison loses by them, and hunger takes it for nothing."""
    state = position(
        f"Khartoum: Gordon, 2 guns egyptian, {others}",
        "2043: 18 spears, 6 infantry mahdist, 2 guns mahdist",
        side="mahdist",
    )
    assert bool(attacks(state)) is storms


def test_9_8_a_storm_that_may_win_the_campaign_goes_on_before_crowded_walls() -> None:
    """Beaten waves fill the only hex to storm from; thirst there matters less than the victory."""
    state = position(
        "Khartoum: Gordon, 2 guns egyptian",
        "2043: 18 spears disrupted",
        "2144: 16 spears, 4 infantry mahdist",
        side="mahdist",
        month="1884-08",
    )
    state.marched += numbers(state, Side.MAHDIST, "2043", TroopKind.SPEARS)
    assert len(attacks(state)) > 1


@pytest.mark.parametrize(("supply", "held"), [(", supply british", True), ("", False)])
def test_4_2_bands_hold_the_town_where_the_enemys_supply_would_win(supply: str, held: bool) -> None:
    """Khartoum was taken and left empty, and the relief walked in with its supply."""
    state = position(
        "Khartoum: 8 spears",
        f"Korti: Wolseley, 6 infantry british 3V{supply}",
        "Metemmeh: 8 spears",
        side="mahdist",
        held=dict.fromkeys(("Omdurman", "Shendi", "Berber", "Dongola"), "mahdist"),
    )
    carried_out(state)
    assert bool(board(state).stack(Side.MAHDIST, hex_of("Khartoum"))) is held


@pytest.mark.parametrize(
    ("garrison", "aim"), [("Gordon, 6 infantry egyptian L", "Khartoum"), ("Gordon", "Omdurman")]
)
def test_9_12_bands_keep_out_of_a_place_in_which_they_would_be_shut_up(
    garrison: str, aim: str
) -> None:
    """The Mahdi took Omdurman and stayed in it for the campaign, under the guns of Khartoum."""
    state = position(
        f"Khartoum: {garrison}",
        "Omdurman: infantry egyptian R",
        "1941: Mahdi, 6 spears",
        side="mahdist",
        held=dict.fromkeys(("Shendi", "Metemmeh", "Berber", "Dongola"), "mahdist"),
    )
    assert task(scene(state, Side.MAHDIST), hex_of("1941")).place == hex_of(aim)
    carried_out(state)
    assert not board(state).stack(Side.MAHDIST, hex_of("Omdurman")) or aim == "Omdurman"


HUNTERS = under(SIEGE, "hunt-gordon")


@pytest.mark.parametrize(
    ("guard", "going"), [("infantry british 3V", {"2043"}), ("8 infantry british 3V", set())]
)
def test_4_2_as_many_hunters_as_it_takes_leave_gordon_for_a_leader_who_is_easier_to_destroy(
    guard: str, going: set[str]
) -> None:
    """The host that is the nearest to him goes; the others stay round Khartoum."""
    state = position(
        "Khartoum: Gordon, 6 infantry egyptian L, 2 guns egyptian",
        f"2239: Wolseley, {guard}, supply british",
        "2043: 24 spears, 6 infantry mahdist",
        "2144: 16 spears, 4 infantry mahdist",
        side="mahdist",
    )
    mine, there = scene(state, Side.MAHDIST, HUNTERS), hex_of("2239")
    assert {one for one in ("2043", "2144") if task(mine, hex_of(one)).place == there} == going


@pytest.mark.parametrize(
    ("metemmeh", "beyond", "easiest"),
    [
        ("Earle, infantry egyptian R", "Korti: Wolseley, 8 infantry british 3V", "Metemmeh"),
        ("Earle, 8 infantry british 3V", "Korti: Wolseley, infantry egyptian R", "Korti"),
        ("Earle, 4 infantry british 3V", "2229: Wolseley, 4 infantry british 3V", "2229"),
    ],
)
def test_4_2_hunters_without_gordon_go_for_the_stack_that_is_easiest_to_destroy(
    metemmeh: str, beyond: str, easiest: str
) -> None:
    """The weaker one; of two alike the one in the open, though the other is nearer."""
    state = position(
        f"Metemmeh: {metemmeh}", beyond, "Berber: 8 spears, infantry mahdist", side="mahdist"
    )
    hunters = scene(state, Side.MAHDIST, HUNTERS)
    assert task(hunters, hex_of("Berber")).place == hex_of(easiest)


@pytest.mark.parametrize(("guard", "hunted"), [("2", True), ("8", False)])
def test_4_2_bands_of_the_coast_hunt_a_leader_whom_they_are_likely_to_destroy(
    guard: str, hunted: bool
) -> None:
    state = position(
        "Khartoum: Gordon, 6 infantry egyptian L",
        f"5319: Baker, {guard} infantry egyptian L",
        "5723: 20 spears, 4 infantry mahdist",
        side="mahdist",
    )
    aim = task(scene(state, Side.MAHDIST, HUNTERS), hex_of("5723")).place
    assert (aim == hex_of("5319")) is hunted


@pytest.mark.parametrize("nation", [Nation.BRITISH, Nation.EGYPTIAN])
def test_4_2_a_stack_decides_the_campaign_only_with_a_leader_of_the_nation_that_counts(
    nation: Nation,
) -> None:
    """As the siege is printed the nation is British; here it is another's in an edition."""
    text = shipped_edition().text(SIEGE)
    said = 'leader_nation = "british"'
    assert text.count(said) == 1
    state = position("2345: Wolseley, infantry british 3V", "2346: 8 spears", side="mahdist")
    state.edition = own_edition({SIEGE: text.replace(said, f'leader_nation = "{nation}"')}).digest
    state.__dict__.pop("board", None)
    mine = scene(state, Side.MAHDIST)
    assert wins_by_destroying(mine, hex_of("2345")) is (nation is Nation.BRITISH)


def test_a_scene_is_kept_with_the_board_until_a_unit_moves() -> None:
    state = position("2043: 6 spears", side="mahdist")
    seen, before = scene(state, Side.MAHDIST), board(state)
    assert scene(state, Side.MAHDIST) is seen
    assert list(before.worked_out.values()) == [seen]
    assert scene(state, Side.MAHDIST, under(SIEGE, "storm")) is not seen
    forget(state)
    assert scene(state, Side.MAHDIST) is not seen
