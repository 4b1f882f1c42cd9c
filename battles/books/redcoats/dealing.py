"""The pack, and dealing its cards to those who act."""

from battles.books.redcoats import events as e
from battles.books.redcoats.actions import ToCoordinate, ToMoor
from battles.books.redcoats.board import is_asleep, squares_fought_in
from battles.books.redcoats.book import book
from battles.books.redcoats.craft import may_moor
from battles.books.redcoats.pieces import Side
from battles.books.redcoats.squares import adjacent
from battles.books.redcoats.state import Leader, State, Unit, is_waiting
from battles.core.cards import PACK, Card, Suit
from battles.core.cards import shuffled as in_order
from battles.core.dice import Dice
from battles.core.game import Step
from battles.core.ledger import Ledger

JOKER = Card(0, Suit.SPADES)
_PRECEDENCE = {suit: place for place, suit in enumerate(Suit)}


def order(card: Card) -> tuple[int, int]:
    """What cards are activated by: the lowest first, an ace is 1, ties by suit (Turn 7)."""
    return card.rank, _PRECEDENCE[card.suit]


def shuffled(state: State, dice: Dice) -> tuple[Card, ...]:
    """Return the cards for a turn: as many packs as leave some undealt, a joker while a side
    sleeps.
    """
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


def is_dealt(state: State, unit: Unit) -> bool:
    """Return whether the unit gets a card, its own or a Leader's (Turn sequence 1).

    Not those that fight hand to hand, nor impetuous or disorganised ones, nor those that have yet
    to come, nor vessels that lie moored.
    """
    if unit.disorganised or unit.impetuous or unit.id in state.moored:
        return False
    if is_waiting(unit):
        return unit.id in state.entries and state.entries[unit.id].turn <= state.turn
    return unit.square not in squares_fought_in(state) and not is_asleep(state, unit.side)


def leader_is_dealt(state: State, leader: Leader) -> bool:
    """Return whether the Leader gets a card: not where he stands in a hand-to-hand combat."""
    waits = leader.square < 0
    fights = leader.square in squares_fought_in(state)
    return not (waits or fights or is_asleep(state, leader.side))


def could_coordinate(state: State, leader: Leader) -> tuple[int, ...]:
    """Return the units in the Leader's square and those adjacent that his card could serve for."""
    taken = {number for units in state.coordinated.values() for number in units}
    return tuple(
        unit.id
        for unit in state.units.values()
        if unit.side is leader.side
        and unit.id not in taken
        and (unit.square == leader.square or adjacent(unit.square, leader.square))
        and is_dealt(state, unit)
    )


def coordinate(ledger: Ledger[State]) -> None:
    """Each Leader in turn is asked whether his card shall serve for units near him."""
    state = ledger.state
    ledger.then(
        *(
            Step("ask to co-ordinate", (leader.id,))
            for leader in state.leaders.values()
            if leader_is_dealt(state, leader)
        )
    )


def ask_to_coordinate(ledger: Ledger[State], number: int) -> None:
    """One Leader is asked, where there is any unit near him."""
    leader = ledger.state.leaders[number]
    units = could_coordinate(ledger.state, leader)
    if units:
        ledger.ask(ToCoordinate(leader.side, number, units))


def moor(ledger: Ledger[State]) -> None:
    """Each vessel that could load or land somebody may lie still for it."""
    ledger.then(
        *(Step("ask to moor", (unit.id,)) for unit in ledger.state.units.values() if unit.is_craft)
    )


def ask_to_moor(ledger: Ledger[State], number: int) -> None:
    """One vessel, where there is anybody to load or to land."""
    state = ledger.state
    craft = state.units[number]
    if not is_waiting(craft) and is_dealt(state, craft) and may_moor(state, craft):
        ledger.ask(ToMoor(craft.side, number))


def deal(ledger: Ledger[State]) -> None:
    """A card to each, face up; those whom a joker wakes are dealt to after the others."""
    state = ledger.state
    entitled = _entitled(state)
    asleep = is_asleep(state, Side.MAHDIST)
    _deal_to(ledger, entitled)
    if asleep and not is_asleep(state, Side.MAHDIST):
        _deal_to(ledger, [number for number in _entitled(state) if number not in entitled])


def _entitled(state: State) -> list[int]:
    served = {number for units in state.coordinated.values() for number in units}
    units = [
        unit.id for unit in state.units.values() if unit.id not in served and is_dealt(state, unit)
    ]
    return units + [one.id for one in state.leaders.values() if leader_is_dealt(state, one)]


def _deal_to(ledger: Ledger[State], numbers: list[int]) -> None:
    """A joker wakes the other side and is laid aside for the next card (Night march 4)."""
    state = ledger.state
    left = list(numbers)
    while left:
        cards = state.pack[: len(left)]
        if JOKER in cards:
            cards = cards[: cards.index(JOKER)]
        served, left = left[: len(cards)], left[len(cards) :]
        if served:
            ledger.emit(e.Dealt(to=tuple(served), cards=tuple(cards)))
        if left:
            result = "wakes"
            ledger.emit(e.CardTurned(card=JOKER, purpose="joker", unit=left[0], result=result))
            ledger.emit(e.Woke(cause="joker"))
