"""Cards and activation: the pack, and who acts on a card."""

from collections.abc import Mapping

from battles.books.restless_natives import events as e
from battles.books.restless_natives.actions import ToAct
from battles.books.restless_natives.board import foes, is_engaged
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Deed
from battles.books.restless_natives.state import Activation, State, acting
from battles.contract.brief import Side
from battles.core.cards import PACK, Card, Suit
from battles.core.ledger import Ledger

JOKERS = (Card(0, Suit.HEARTS), Card(0, Suit.SPADES))


def whole_pack() -> tuple[Card, ...]:
    """Return the 54 cards, jokers among them."""
    return (*PACK, *JOKERS)


def is_joker(card: Card) -> bool:
    """Return whether it is one of the two."""
    return card.rank == 0


def side_of(card: Card) -> Side | None:
    """Return whose card it is: red the British side's, black the Natives'; nobody's for a joker."""
    if is_joker(card):
        return None
    return Side.EGYPTIAN if card.red else Side.MAHDIST


def deals(card: Card) -> Side | None:
    """Whose players are dealt a Special Event Card for it (Turn sequence 3 and 5)."""
    return side_of(card) if card.court else None


MOVE, FIRE, FORM = Deed.MOVED, Deed.FIRED, Deed.FORMED

_AFTER: Mapping[tuple[Deed, ...], frozenset[Deed]] = {
    (): frozenset({MOVE, FIRE, FORM}),
    (MOVE,): frozenset({MOVE, FIRE}),
    (FIRE,): frozenset({MOVE, FIRE}),
    (FORM,): frozenset({MOVE, FIRE}),
}


def may_follow(deeds: tuple[Deed, ...]) -> frozenset[Deed]:
    """What a unit that has done so much may still do: move, fire or change formation.

    Close combat apart: a unit that fights does nothing else but move into contact first.
    """
    return _AFTER.get(deeds, frozenset())


def moves_left(current: Activation) -> int:
    """The moves that the unit can make one after the other: 0, 1 or 2."""
    return _times(current, MOVE)


def volleys_left(current: Activation) -> int:
    """Return how often the unit can still fire: 0, 1 or 2."""
    return _times(current, FIRE)


def may_form(current: Activation) -> bool:
    """Return whether the unit can still change formation."""
    return FORM in may_follow(tuple(current.deeds))


def may_initiate(current: Activation, moves: int) -> bool:
    """Return whether a move of these that were thrown for may end in a close combat (Activated unit
    7).

    `current` has the move among its deeds. It is the first thing the unit does, and a single one.
    """
    return moves == 1 and current.deeds == [MOVE]


def may_play(current: Activation) -> bool:
    """Return whether a Special Event Card may be laid down: one, before the unit does anything."""
    return current.card is None and not current.deeds


def must_fight(state: State) -> bool:
    """Return whether the unit is engaged in close combat, and has to fight a round (Activated unit
    8).
    """
    current = acting(state)
    return Deed.FOUGHT not in current.deeds and is_engaged(state, state.units[current.unit])


def act(ledger: Ledger[State]) -> None:
    """The unit's side is asked what it does next, until it has done all it can."""
    state = ledger.state
    current = acting(state)
    if current.unit in state.units and (must_fight(state) or may_follow(tuple(current.deeds))):
        ledger.ask(ToAct(state.units[current.unit].side, current.unit))
    else:
        ledger.emit(e.ActivationEnded())


def enemies(state: State) -> tuple[int, ...]:
    """Return the enemies that the activated unit has to fight one of."""
    if not must_fight(state):
        return ()
    return tuple(foe.id for foe in foes(state, state.units[acting(state).unit]))


def _times(current: Activation, deed: Deed) -> int:
    deeds = tuple(current.deeds)
    if deed not in may_follow(deeds):
        return 0
    return book().number("deeds") - len(deeds)
