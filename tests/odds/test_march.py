"""8.31: the odds of one march, two and three, beside every throw of the rules."""

from fractions import Fraction
from itertools import product

import pytest

from battles.contract.brief import TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ScriptedDice
from campaign import rules
from campaign.odds.march import MarchOutcome, Start, march_odds
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.stacks import ids
from campaign.staff import answer
from tests.positions import position

HERE = HexId(641)
STACKS = {
    "one column": "3 infantry egyptian L, 2 infantry egyptian L disrupted",
    "the slowest column of three": "2 infantry british V, 2 infantry egyptian L, gun egyptian",
    "a large stack under a leader": "Wolseley, 13 infantry egyptian L",
    "all mounted": "2 cavalry, cavalry disrupted",
    "a stack that can be lost on the way": "infantry egyptian L, infantry egyptian L disrupted",
}


def enumerated(state: State, units: tuple[UnitId, ...], leader: UnitId, marches: int):
    """Return the chance of each result of so many marches by the rules; the stack does not move."""
    found: dict[MarchOutcome, Fraction] = {}
    for faces in product(range(1, 7), repeat=marches):
        made = _marched(decode(encode(state), State), units, leader, faces)
        found[made] = found.get(made, Fraction(0)) + Fraction(1, 6**marches)
    return found


def _marched(state, units, leader, faces):
    before = {unit: state.units[unit].disrupted for unit in units}
    men = [unit for unit in units if state.units[unit].kind is not TroopKind.LEADER]
    made = 0
    for face in faces:
        there = tuple(unit for unit in units if unit in state.units)
        if not any(unit in state.units for unit in men):
            break
        stuck = _threw(state, a.March(there, leader=leader), face)
        if stuck:
            break
        made += 1
    left = [unit for unit in men if unit in state.units]
    shaken = sum(state.units[unit].disrupted and not before[unit] for unit in left)
    return MarchOutcome(made, shaken, len(men) - len(left))


def _threw(state, action, face) -> bool:
    """Return whether the march was not made; who falls out is the staff's choice."""
    rules.play(state, action, ScriptedDice(face))
    if isinstance(state.question, q.ToDisrupt):
        rules.play(state, answer(state), ScriptedDice())
    return not isinstance(state.question, q.OnMarch)


@pytest.mark.parametrize("marches", [1, 2, 3])
@pytest.mark.parametrize("stack", STACKS.values(), ids=STACKS)
def test_8_31_the_odds_of_marches_are_those_of_all_their_throws(stack, marches):
    state = position(f"0641: {stack}")
    units = board(state).stack(state.side, HERE)
    leader = next((unit.id for unit in units if unit.kind is TroopKind.LEADER), UnitId(0))
    found = march_odds(state, units, leader, [Start(HERE)] * marches)
    assert found.results == enumerated(state, ids(units), leader, marches)


def test_8_31_the_chance_of_three_marches_is_less_than_that_of_one():
    state = position("0641: 4 infantry egyptian L")
    found = march_odds(state, board(state).stack(state.side, HERE), UnitId(0), [Start(HERE)] * 3)
    assert 1 > found.made(1) > found.made(2) > found.made(3) > found.whole > 0
    assert sum(found.results.values()) == 1
