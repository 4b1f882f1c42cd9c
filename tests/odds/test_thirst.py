"""10.1 to 10.3: what attrition costs a stack, beside every throw of the rules."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ScriptedDice
from battles.core.game import Ledger
from campaign import rules
from campaign.odds.march import AttritionLosses, thirst
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.evolve import evolve
from campaign.rules.core.play import STEPS
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.supply import roll_attrition
from campaign.staff import answer
from tests.positions import position

HERE = HexId(641)
STACKS = {
    "a column in the desert": ("0641: 5 infantry egyptian L, gun", "egyptian"),
    "civilians, who suffer last": ("0641: 3 infantry egyptian L, 2 civilians", "egyptian"),
    "Mahdists, some of them in disorder": ("0641: 4 spears 2F, 3 spears 2F disrupted", "mahdist"),
    "more than the desert feeds": ("0641: 14 spears 2F", "mahdist"),
}


def enumerated(state: State) -> dict[AttritionLosses, Fraction]:
    """Return the chance of each result by the rules, from every face of the die."""
    found: dict[AttritionLosses, Fraction] = {}
    for face in range(1, 7):
        suffered = _thirsted(decode(encode(state), State), face)
        found[suffered] = found.get(suffered, Fraction(0)) + Fraction(1, 6)
    return found


def _thirsted(state: Any, face: int) -> AttritionLosses:
    stack = [unit for unit in state.units.values() if unit.kind is not TroopKind.LEADER]
    before = {unit.id: unit.disrupted for unit in stack}
    state.question = None
    ledger = Ledger(state, ScriptedDice(face), evolve)
    roll_attrition(ledger, state.side, HERE)
    ledger.advance(STEPS)
    if isinstance(state.question, q.ToShareAttrition):
        rules.play(state, answer(state), ScriptedDice())
    left = [state.units[unit] for unit in before if unit in state.units]
    shaken = sum(unit.disrupted and not before[unit.id] for unit in left)
    return AttritionLosses(shaken, len(before) - len(left))


def state_with_stack_at(state: State, units: Sequence[Unit], hex_id: HexId) -> State:
    """Return a copy of the state with these units in that hex and their side on the march."""
    moved = {unit.id: msgspec.structs.replace(unit, hex=hex_id) for unit in units}
    return msgspec.structs.replace(state, units=state.units | moved, side=units[0].side)


@pytest.mark.parametrize(("stack", "side"), STACKS.values(), ids=STACKS)
def test_10_3_the_odds_of_thirst_are_those_of_all_its_throws(stack, side):
    state = position(stack, side=side, phase="attrition")
    assert thirst(state, Side(side), HERE).results == enumerated(state)


def test_10_2_who_has_supply_has_something_to_draw_on():
    state = position("0641: 5 infantry egyptian L, supply, camel", "0640: 2 infantry egyptian L")
    with_supply, without = (thirst(state, Side.EGYPTIAN, HexId(at)) for at in (641, 640))
    assert with_supply.sources
    assert not without.sources
    assert not without.safe


def test_10_3_a_stack_is_asked_about_where_it_will_stand():
    """Together with whoever stands there already; a free town harms nobody."""
    state = position("0641: 9 infantry egyptian L", "0639: 4 infantry egyptian L")
    units = board(state).stack(Side.EGYPTIAN, HERE)
    joined = thirst(state_with_stack_at(state, units, HexId(639)), Side.EGYPTIAN, HexId(639))
    assert joined.size == 13
    assert joined.gone > thirst(state, Side.EGYPTIAN, HERE).gone
    khartoum = position("Khartoum: 2 infantry egyptian L", "0641: 9 infantry egyptian L")
    column = board(khartoum).stack(Side.EGYPTIAN, HERE)
    there = state_with_stack_at(khartoum, column, HexId(2042))
    assert thirst(there, Side.EGYPTIAN, HexId(2042)).safe
