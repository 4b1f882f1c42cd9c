"""The turn sequence: the order of its steps, and the function of each (Turn sequence)."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.books.redcoats import (
    activation,
    casualties,
    dealing,
    hand_to_hand,
    heroic,
    impetuous,
)
from battles.books.redcoats import events as e
from battles.books.redcoats.board import is_asleep
from battles.books.redcoats.field import Obstacle
from battles.books.redcoats.pieces import Side
from battles.books.redcoats.state import State
from battles.contract.set_up import SetUp
from battles.core.game import Step
from battles.core.ledger import Ledger

TURN = (
    "co-ordinate",
    "moor",
    "deal",
    "heroic cards",
    "combats",
    "impetuosity",
    "impetuous rides",
    "activate",
    "recovery",
    "judge",
    "turn ends",
)
"""The steps of a turn in order (Turn sequence 1 to 11)."""


def turn_begins(ledger: Ledger[State]) -> None:
    """Shuffle the cards; wake the sleeping side if the attack has reached its rampart."""
    state = ledger.state
    if is_asleep(state, Side.MAHDIST) and _at_rampart(state):
        ledger.emit(e.Woke(cause="rampart"))
    ledger.emit(e.TurnBegan(turn=state.turn + 1, pack=dealing.shuffled(state, ledger)))
    ledger.then(*(Step(name) for name in TURN))


def turn_ends(ledger: Ledger[State]) -> None:
    """Begin the next turn, unless the battle is over."""
    if ledger.state.result is None:
        ledger.then(Step("turn begins"))


def _at_rampart(state: State) -> bool:
    """Return whether the attackers have reached a square with a rampart."""
    return any(
        unit.side is Side.EGYPTIAN and state.field.lined(unit.square, Obstacle.RAMPART)
        for unit in state.units.values()
    )


STEPS: Mapping[str, Callable[..., Any]] = {
    "set up": SetUp.ask,
    "turn begins": turn_begins,
    "co-ordinate": dealing.coordinate,
    "ask to co-ordinate": dealing.ask_to_coordinate,
    "moor": dealing.moor,
    "ask to moor": dealing.ask_to_moor,
    "deal": dealing.deal,
    "heroic cards": heroic.deal_to_leaders,
    "combats": hand_to_hand.combats,
    "combat": hand_to_hand.combat,
    "combat card": hand_to_hand.combat_card,
    "combat fought": hand_to_hand.fight_combat,
    "impetuosity": impetuous.impetuosity,
    "impetuous rides": impetuous.rides,
    "impetuous ride": impetuous.ride,
    "activate": activation.activate,
    "next": activation.choose_next,
    "begin": activation.begin,
    "act": activation.act,
    "recovery": casualties.recovery,
    "recover": casualties.recover,
    "judge": hand_to_hand.judge,
    "turn ends": turn_ends,
}
