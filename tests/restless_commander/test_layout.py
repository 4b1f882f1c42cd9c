"""The field from the brief: who stands where, the book's scenarios, and the time agreed on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.books.restless_natives.board import all_stands, any_within, stands_of
from battles.books.restless_natives.generator import SCENARIOS, generate_brief
from battles.books.restless_natives.layout_plans import (
    GAP,
    cards,
    lay_out,
    plan_for,
    plans,
    read_plan,
)
from battles.books.restless_natives.muster import muster
from battles.books.restless_natives.pieces import Exit, Hold, Remain
from battles.books.restless_natives.pieces import Kind as Arm
from battles.books.restless_natives.registration import engine
from battles.books.restless_natives.set_up import Deployment
from battles.books.restless_natives.state import Unit
from battles.contract import Bearing, BriefGround, Nation, Side, TroopKind
from battles.contract.set_up import edge_of
from battles.core.decoding import encode
from battles.core.tables import Source, TableError
from battles.tabletop.deployment import contains
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import gap
from tests.redcoats_commander.armies import HISTORY, meeting, random_brief, troop, written

LETTERS = "ABCDEF"


def battle(*, foot: int = 4, warbands: int = 3, attacker: Side = Side.MAHDIST, **more: object):
    """So many British battalions and Graham, against so many large warbands and their horse."""
    british = [troop(number, TroopKind.INFANTRY, strength=3) for number in range(1, foot + 1)]
    british += [troop(80, TroopKind.GUN), troop(82, TroopKind.LEADER, strength=0, name="Graham")]
    natives = [troop(100 + nth, TroopKind.SPEARS, Nation.MAHDIST, 8) for nth in range(warbands)]
    natives += [troop(200, TroopKind.CAVALRY, Nation.MAHDIST, 8)]
    return meeting(british, natives, attacker=attacker, **more)


def of(deployment: Deployment, side: Side) -> list[Unit]:
    return [unit for unit in deployment.units if unit.side is side]


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_whatever_is_brought_can_be_set_out_alike_every_time(seed: int) -> None:
    brief = random_brief(seed)
    assert encode(lay_out(brief)) == encode(lay_out(brief))
    assert engine.drawn_up(brief).brief == brief  # raises for units that cannot stand so


@pytest.mark.parametrize("bearing", list(Bearing))
def test_the_attacker_comes_from_his_hexside(bearing: Bearing) -> None:
    laid = lay_out(battle(comes_from=bearing))
    edge = edge_of(bearing)
    mean = {side: _mean_to(edge, laid, of(laid, side)) for side in Side}
    assert mean[Side.MAHDIST] < mean[Side.EGYPTIAN]


def _mean_to(edge: int, laid: Deployment, units: list[Unit]) -> float:
    """Return how far they stand from an edge in the mean."""
    far = {
        0: lambda unit: unit.at.y,
        90: lambda unit: laid.field.width - unit.at.x,
        180: lambda unit: laid.field.height - unit.at.y,
        270: lambda unit: unit.at.x,
    }[edge]
    return sum(far(unit) for unit in units) / len(units)


@pytest.mark.parametrize("slug", HISTORY)
def test_the_lines_begin_out_of_range_of_rifles(slug: str) -> None:
    laid = lay_out(written(slug).brief)
    apart = gap(*(all_stands(of(laid, side)) for side in Side))
    assert apart > GAP / 2


def test_a_book_table_is_48_inches_by_36_and_a_host_has_a_larger_one() -> None:
    few, many = lay_out(battle()).field, lay_out(battle(warbands=60)).field
    assert (few.width, few.height) == (4800, 3600)
    assert many.width * many.height > 2 * few.width * few.height


def test_the_weaker_british_form_square() -> None:
    laid = lay_out(battle(foot=3, warbands=6))
    foot = [unit for unit in of(laid, Side.EGYPTIAN) if unit.kind is Arm.INFANTRY]
    assert {unit.formation for unit in foot} == {TableFormation.SQUARE}


def test_units_are_shared_out_among_the_commanders_of_their_side() -> None:
    brief = meeting(
        [troop(number, TroopKind.INFANTRY, strength=3) for number in range(1, 7)]
        + [troop(80 + nth, TroopKind.LEADER, strength=0, tactical=nth) for nth in range(2)],
        [troop(100, TroopKind.SPEARS, Nation.MAHDIST, 8)],
        attacker=Side.MAHDIST,
    )
    laid = lay_out(brief)
    foot = [unit for unit in of(laid, Side.EGYPTIAN) if unit.kind is Arm.INFANTRY]
    own = {one.id: one.unit for one in laid.commanders}
    assert sorted(unit.command for unit in foot) == [1, 1, 1, 2, 2, 2]
    assert all(
        unit.command == next(one for one in own if own[one] == unit.id)
        for unit in of(laid, Side.EGYPTIAN)
        if unit.kind is Arm.COMMANDER
    )


def test_a_place_is_fought_for_where_there_is_one() -> None:
    village = battle(ground=BriefGround(place="El Teb", settlement="village"))
    goal = lay_out(village).goal
    assert isinstance(goal, Hold)
    assert goal.side is Side.MAHDIST
    assert lay_out(battle()).goal == Remain()


@pytest.mark.parametrize(("warbands", "packs"), [(3, 1), (8, 1), (9, 2), (20, 3)])
def test_second_joker_2_the_time_agreed_on_is_whole_packs(warbands: int, packs: int) -> None:
    brief = battle(warbands=warbands)
    assert cards(brief, muster(brief)) == 54 * packs


def test_second_joker_2_a_brief_with_turns_has_a_card_a_turn_for_every_unit() -> None:
    brief = battle(turns=3)
    army = muster(brief)
    assert cards(brief, army) == 3 * len(army.units)


# The scenarios


def scenario(letter: str, british: int = 3, natives: int = 3) -> Deployment:
    return lay_out(generate_brief(british, natives, letter))


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("british", range(1, 7))
def test_scenarios_every_army_has_its_place_in_each(letter: str, british: int) -> None:
    for natives in range(1, 7):
        brief = generate_brief(british, natives, letter)
        state = engine.drawn_up(brief)
        assert state.one_off
        assert len(state.units) == len(list(brief.troops()))


def test_scenarios_all_six_have_a_plan_of_that_letter() -> None:
    found = {plan.letter: slug for slug, plan in plans().items()}
    assert found == {letter: setting.slug for letter, setting in SCENARIOS.items()}


def test_scenarios_a_plan_is_for_the_written_brief_and_the_generated_one() -> None:
    slug = SCENARIOS["E"].slug
    assert plan_for(written(slug).brief) is plans()[slug]
    assert plan_for(generate_brief(5, 4)) is plans()[slug]
    assert plan_for(written("tamai").brief) is None


def test_scenarios_the_goal_of_each() -> None:
    goals = {letter: scenario(letter).goal for letter in LETTERS}
    assert isinstance(goals["A"], Hold)
    assert goals["A"].side is Side.EGYPTIAN
    assert isinstance(goals["B"], Hold)
    assert goals["B"].side is Side.MAHDIST
    assert isinstance(goals["C"], Exit)
    assert goals["C"].percent == 50
    assert goals["D"] == goals["F"] == Remain(50)
    assert isinstance(goals["E"], Hold)
    assert (len(goals["E"].areas), goals["E"].need) == (3, 2)


def test_scenarios_who_comes_from_a_corner_stands_in_it() -> None:
    corners = {"A": (36, 24), "B": (36, 24), "C": (0, 24), "D": (0, 0)}
    side = {"B": Side.MAHDIST}
    for letter, (west, north) in corners.items():
        for unit in of(scenario(letter), side.get(letter, Side.EGYPTIAN)):
            assert west * 100 <= unit.at.x <= west * 100 + 1200
            assert north * 100 <= unit.at.y <= north * 100 + 1200


def test_scenarios_the_village_is_held_when_the_battle_begins() -> None:
    for letter, side in (("A", Side.MAHDIST), ("B", Side.EGYPTIAN)):
        laid = scenario(letter)
        assert isinstance(laid.goal, Hold)
        assert any(any_within(laid.goal.areas[0], stands_of(unit)) for unit in of(laid, side))


def test_scenarios_who_may_deploy_anywhere_stands_where_he_may() -> None:
    for letter, side in (("A", Side.MAHDIST), ("B", Side.EGYPTIAN), ("F", Side.MAHDIST)):
        laid = scenario(letter)
        zones = laid.zones[side]
        assert all(
            any(contains(zone, stands_of(unit)) for zone in zones) for unit in of(laid, side)
        )


def test_scenarios_fight_with_a_unit_that_has_no_place_is_refused() -> None:
    brief = meeting(
        [troop(1, TroopKind.INFANTRY), troop(2, TroopKind.GUNBOAT, Nation.EGYPTIAN, 0)],
        [troop(3, TroopKind.SPEARS, Nation.MAHDIST)],
        attacker=Side.EGYPTIAN,
        id=SCENARIOS["A"].slug,
        ground=BriefGround(river=(Bearing.NORTH,), river_class="navigable"),
    )
    with pytest.raises(ValueError, match="no place for gunboat"):
        lay_out(brief)


PLAN = """title = "A plan"
letter = "A"
note = "A note."
size = [48, 36]

[[feature]]
kind = "hill"
box = [1, 1, 4, 4]

[goal]
kind = "hold"
need = 1
areas = [[1, 1, 4, 4]]
"""


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ("box = [1, 1, 4, 4]", "", "lies nowhere"),
        ("areas = [[1, 1, 4, 4]]", "", "nothing to hold"),
        ('kind = "hill"', 'kind = "hull"', "not known as `kind`"),
        ("size", "sise", "`sise` is not known"),
    ],
)
def test_a_damaged_plan_is_refused_with_its_line(wrong: str, right: str, said: str) -> None:
    assert read_plan(Source("plan.toml", PLAN)).title == "A plan"
    with pytest.raises(TableError, match=said):
        read_plan(Source("plan.toml", PLAN.replace(wrong, right, 1)))
