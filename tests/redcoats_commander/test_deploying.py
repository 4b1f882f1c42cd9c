"""The deployment of the computer's commanders before a battle."""

from itertools import takewhile

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats.actions import ToSetUp
from battles.books.redcoats.field import Terrain, name
from battles.books.redcoats.pieces import Heroic, Kind
from battles.books.redcoats.play import rules
from battles.books.redcoats.registration import engine
from battles.books.redcoats.state import State, Unit
from battles.contract import Side
from battles.simulation import dice_of
from tests.redcoats_commander.armies import written
from tests.redcoats_commander.positions import (
    NoDice,
    answered,
    british,
    dervish,
    graham,
    in_brigade,
    position,
)

SOUTH = tuple(row * 100 + column for row in (5, 6, 7) for column in range(12))
NORTH = tuple(row * 100 + column for row in (0, 1, 2) for column in range(12))
HOLD, ONE_WING, OTHER_WING = Heroic.HARD_LUCK, Heroic.FIREPOWER, Heroic.MOVEMENT
"""Hands of one card that choose each plan."""


def placed(state: State, side: Side, hand: Heroic = HOLD) -> dict[int, str]:
    """Return the squares of the units that the computer has placed elsewhere."""
    state.question, state.agenda, state.hands = ToSetUp(side), [], {side: [hand]}
    actions = iter(lambda: answered(state), a.Done())
    found = {}
    for action in takewhile(lambda one: isinstance(one, a.Deploy), actions):
        rules.play(state, action, NoDice())
        found[action.unit] = name(action.square)
    return found


def line(*more: Unit, **other: object) -> State:
    """Return three battalions in line at D6 to F6 with Graham, before three rubs."""
    battalions = [british(nth, at, "N") for nth, at in enumerate(("D6", "E6", "F6"), start=1)]
    rubs = [dervish(60 + nth, at, "S") for nth, at in enumerate(("D1", "E1", "F1"))]
    zones = {Side.EGYPTIAN: SOUTH, Side.MAHDIST: NORTH}
    return position(*battalions, *more, *rubs, set_up=zones, **other)  # type: ignore[arg-type]


def test_horse_goes_from_behind_the_line_to_its_wings() -> None:
    lancers = [british(nth, at, "N", kind=Kind.CAVALRY) for nth, at in ((10, "D8"), (11, "E8"))]
    assert placed(line(*lancers), Side.EGYPTIAN) == {10: "C7", 11: "G7"}


def test_a_battery_joins_the_battalion_that_sees_most() -> None:
    ground = dict.fromkeys(("C5", "D5", "E5"), Terrain.HILL)
    state = line(british(10, "D6", "N", kind=Kind.ARTILLERY), ground=ground)
    assert placed(state, Side.EGYPTIAN) == {10: "F6"}


def test_rubs_take_cover_near_their_place_and_their_emir_goes_with_them() -> None:
    state = line(ground={"E2": Terrain.SCRUB, "L2": Terrain.SCRUB})
    assert placed(state, Side.MAHDIST) == {60: "E2"}


@pytest.mark.parametrize(("hand", "square"), [(ONE_WING, "C1"), (OTHER_WING, "G1")])
def test_a_third_of_the_rubs_goes_round_by_the_wing_that_hidden_cards_choose(
    hand: Heroic, square: str
) -> None:
    assert list(placed(line(), Side.MAHDIST, hand).values()) == [square]


def test_squares_and_whoever_holds_the_goal_stay() -> None:
    units, brigade = in_brigade("E6")
    rubs = [dervish(60 + nth, at, "N") for nth, at in enumerate(("D1", "E1", "F1"))]
    state = position(
        *units,
        *rubs,
        leaders=[graham(40, "E6")],
        brigades=(brigade,),
        set_up={Side.EGYPTIAN: SOUTH, Side.MAHDIST: NORTH},
    )
    assert placed(state, Side.EGYPTIAN, ONE_WING) == {}


@pytest.mark.parametrize("slug", ["tamai", "form-square", "kirbekan"])
def test_battles_are_placed_lawfully_within_the_zones(slug: str) -> None:
    brief = written(slug).brief
    state, _ = engine.new_game(brief, dice_of(brief, 1, 1))
    moved = 0
    while isinstance(state.question, ToSetUp):
        side, action = state.question.side, answered(state)
        moved += isinstance(action, a.Deploy)
        if isinstance(action, a.Deploy):
            assert action.square in state.set_up[side]
        engine.play(state, action, dice_of(brief, 1, 2))
    assert moved
