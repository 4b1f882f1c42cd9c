"""The pack of cards, and what an activated unit may still do."""

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
    """Return whether the card is a joker."""
    return card.rank == 0


def side_of(card: Card) -> Side | None:
    """Return the card's side: red the British, black the Natives; None for a joker."""
    if is_joker(card):
        return None
    return Side.EGYPTIAN if card.red else Side.MAHDIST


def deals(card: Card) -> Side | None:
    """Return the side whose players get a Special Event Card for it (Turn sequence 3 and 5)."""
    return side_of(card) if card.court else None


MOVE, FIRE, FORM = Deed.MOVED, Deed.FIRED, Deed.FORMED

_AFTER: Mapping[tuple[Deed, ...], frozenset[Deed]] = {
    (): frozenset({MOVE, FIRE, FORM}),
    (MOVE,): frozenset({MOVE, FIRE}),
    (FIRE,): frozenset({MOVE, FIRE}),
    (FORM,): frozenset({MOVE, FIRE}),
}


def may_follow(deeds: tuple[Deed, ...]) -> frozenset[Deed]:
    """Return what a unit may do after these deeds: move, fire or change formation.

    Close combat is checked elsewhere: a unit that fights may only move into contact first.
    """
    return _AFTER.get(deeds, frozenset())


def moves_left(current: Activation) -> int:
    """Return how many moves the unit can still make: 0, 1 or 2."""
    return _times(current, MOVE)


def volleys_left(current: Activation) -> int:
    """Return how often the unit can still fire: 0, 1 or 2."""
    return _times(current, FIRE)


def may_form(current: Activation) -> bool:
    """Return whether the unit can still change formation."""
    return FORM in may_follow(tuple(current.deeds))


def may_initiate(current: Activation, moves: int) -> bool:
    """Return whether the move just rolled for may end in close combat (Activated unit 7).

    It has to be the first deed of the unit, and a single move. `current` has it among its deeds.
    """
    return moves == 1 and current.deeds == [MOVE]


def may_play(current: Activation) -> bool:
    """Return whether a Special Event Card may be played: one, before the unit does anything."""
    return current.card is None and not current.deeds


def must_fight(state: State) -> bool:
    """Return whether the unit has to fight a round of close combat (Activated unit 8)."""
    current = acting(state)
    return Deed.FOUGHT not in current.deeds and is_engaged(state, state.units[current.unit])


def act(ledger: Ledger[State]) -> None:
    """Ask for the unit's next deed, or end the activation when it has done all it can."""
    state = ledger.state
    current = acting(state)
    if current.unit in state.units and (must_fight(state) or may_follow(tuple(current.deeds))):
        ledger.ask(ToAct(state.units[current.unit].side, current.unit))
    else:
        ledger.emit(e.ActivationEnded())


def enemies(state: State) -> tuple[int, ...]:
    """Return the enemies among which the activated unit has to choose one to fight."""
    if not must_fight(state):
        return ()
    return tuple(foe.id for foe in foes(state, state.units[acting(state).unit]))


def _times(current: Activation, deed: Deed) -> int:
    deeds = tuple(current.deeds)
    if deed not in may_follow(deeds):
        return 0
    return book().number("deeds") - len(deeds)
