"""The pack of playing cards: shuffled for each turn, dealt from, and turned over."""

from battles.books.redcoats import events as e
from battles.books.redcoats.board import is_asleep
from battles.books.redcoats.book import book
from battles.books.redcoats.pieces import Side
from battles.books.redcoats.state import State, Unit
from battles.core.cards import PACK, Card, Suit
from battles.core.cards import shuffled as in_order
from battles.core.dice import Dice
from battles.core.ledger import Ledger

JOKER = Card(0, Suit.SPADES)
_PRECEDENCE = {suit: place for place, suit in enumerate(Suit)}


def order(card: Card) -> tuple[int, int]:
    """What cards are activated by: the lowest first, an ace is 1, ties by suit (Turn 7)."""
    return card.rank, _PRECEDENCE[card.suit]


def shuffled(state: State, dice: Dice) -> tuple[Card, ...]:
    """The cards for a turn: as many packs as leave some undealt, a joker while a side sleeps."""
    pieces = len(state.units) + len(state.leaders)
    packs = 1 + (pieces + len(PACK) // 4) // len(PACK)
    joker = [JOKER] if is_asleep(state, Side.MAHDIST) else []
    return tuple(in_order([*PACK * packs, *joker], dice))


def turn_over(ledger: Ledger[State], purpose: str, unit: Unit) -> str:
    """Turns the top card of the undealt pack; what it says for "leader" or "cover".

    A joker says nothing, and the next card is turned (ruling).
    """
    card = _top(ledger)
    if card == JOKER:
        ledger.emit(e.CardTurned(card=card, purpose=purpose, unit=unit.id, result="joker"))
        card = _top(ledger)
    result = book().turned(purpose, card)
    ledger.emit(e.CardTurned(card=card, purpose=purpose, unit=unit.id, result=result))
    return result


def _top(ledger: Ledger[State]) -> Card:
    state = ledger.state
    if not state.pack:
        ledger.emit(e.Repacked(pack=tuple(in_order(state.turned, ledger))))
    return state.pack[0]
