"""The turn sequence: a card at a time, and the steps by name (Turn sequence)."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.books.restless_natives import activation, deploying, special, victory
from battles.books.restless_natives import events as e
from battles.books.restless_natives.state import State
from battles.core.dice import Card, shuffled
from battles.core.game import Ledger, Step


def battle_begins(ledger: Ledger[State]) -> None:
    """Shuffle both packs and deal a Special Event Card to every player."""
    _shuffle(ledger)
    special.shuffle(ledger, special.whole_pack())
    special.deal_all(ledger)
    ledger.then(Step("turn over"))


def turn_over(ledger: Ledger[State]) -> None:
    """Turn over the top playing card, unless the battle is over."""
    state = ledger.state
    if len(victory.standing(state)) < 2:
        victory.end(ledger, "destroyed")
    elif is_out_of_cards(state):
        victory.end(ledger, "cards")
    else:
        if not state.pack:
            _shuffle(ledger)
        card = state.pack[0]
        ledger.emit(e.CardTurned(card=card, turn=state.turn + 1))
        _turned(ledger, card)


def is_out_of_cards(state: State) -> bool:
    """Return whether a campaign battle's agreed cards are used up (Second joker 2)."""
    return not state.one_off and state.turn >= state.cards


def is_second_joker(state: State) -> bool:
    """Return whether the joker turned over ends a one-off battle (Turn sequence 7)."""
    return state.one_off and state.jokers > 1


def _turned(ledger: Ledger[State], card: Card) -> None:
    """Carry out the card that was turned over."""
    side = activation.side_of(card)
    if side is None:
        _joker(ledger)
        return
    if activation.deals(card) is side:
        special.deal_side(ledger, side)
    ledger.then(Step("command", (side,)), Step("discard"))


def _joker(ledger: Ledger[State]) -> None:
    if is_second_joker(ledger.state):
        victory.end(ledger, "second joker")
        return
    special.joker(ledger)
    ledger.then(Step("discard"))


def discard(ledger: Ledger[State]) -> None:
    """Discard the card, and continue with the next."""
    victory.areas(ledger)
    ledger.emit(e.CardDiscarded())
    ledger.then(Step("turn over"))


def _shuffle(ledger: Ledger[State]) -> None:
    ledger.emit(e.PackShuffled(cards=tuple(shuffled(activation.whole_pack(), ledger))))


STEPS: Mapping[str, Callable[..., Any]] = {
    "set up": deploying.set_up.ask,
    "battle begins": battle_begins,
    "turn over": turn_over,
    "command": activation.command,
    "act": activation.act,
    "discard": discard,
}
