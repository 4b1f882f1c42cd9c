"""The pack of playing cards, and dealing it to units and Leaders."""

from battles.books.redcoats import events as e
from battles.books.redcoats.actions import ToCoordinate, ToMoor
from battles.books.redcoats.board import is_asleep, squares_fought_in
from battles.books.redcoats.book import book
from battles.books.redcoats.craft import may_moor
from battles.books.redcoats.field import adjacent
from battles.books.redcoats.state import Leader, State, Unit, is_waiting
from battles.contract.brief import Side
from battles.core.dice import PACK, Card, Dice, Suit
from battles.core.dice import shuffle_cards as shuffle
from battles.core.game import Ledger, Step

JOKER = Card(0, Suit.SPADES)
_PRECEDENCE = {suit: place for place, suit in enumerate(Suit)}


def activation_order(card: Card) -> tuple[int, int]:
    """Return the order of activation: lowest card first, an ace is 1, ties by suit (Turn 7)."""
    return card.rank, _PRECEDENCE[card.suit]


def shuffle_cards(state: State, dice: Dice) -> tuple[Card, ...]:
    """Return the shuffled cards for a turn.

    Enough packs that some cards stay undealt, and a joker while a side sleeps.
    """
    pieces = len(state.units) + len(state.leaders)
    packs = 1 + (pieces + len(PACK) // 4) // len(PACK)
    joker = [JOKER] if is_asleep(state, Side.MAHDIST) else []
    return tuple(shuffle([*PACK * packs, *joker], dice))


def turn_over(ledger: Ledger[State], purpose: str, unit: Unit) -> str:
    """Turn the top card of the undealt pack and return its result for "leader" or "cover".

    A joker has no result, and the next card is turned (ruling).
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
        ledger.emit(e.Repacked(pack=tuple(shuffle(state.turned, ledger))))
    return state.pack[0]


def is_dealt(state: State, unit: Unit) -> bool:
    """Return whether the unit gets a card, its own or a Leader's (Turn sequence 1).

    Units in hand-to-hand combat, impetuous, disorganised or moored ones, and those still off the
    field get none.
    """
    if unit.disorganised or unit.impetuous or unit.id in state.moored:
        return False
    if is_waiting(unit):
        return unit.id in state.entries and state.entries[unit.id].turn <= state.turn
    return unit.square not in squares_fought_in(state) and not is_asleep(state, unit.side)


def leader_is_dealt(state: State, leader: Leader) -> bool:
    """Return whether the Leader gets a card; in a hand-to-hand combat he gets none."""
    waits = leader.square < 0
    fights = leader.square in squares_fought_in(state)
    return not (waits or fights or is_asleep(state, leader.side))


def could_coordinate(state: State, leader: Leader) -> tuple[int, ...]:
    """Return the units in or next to the Leader's square that could share his card."""
    coordinated_ids = {number for units in state.coordinated.values() for number in units}
    return tuple(
        unit.id
        for unit in state.units.values()
        if unit.side is leader.side
        and unit.id not in coordinated_ids
        and (unit.square == leader.square or adjacent(unit.square, leader.square))
        and is_dealt(state, unit)
    )


def coordinate(ledger: Ledger[State]) -> None:
    """Put a step for each Leader with a card on the agenda, to ask about co-ordination."""
    state = ledger.state
    ledger.then(
        *(
            Step("ask to co-ordinate", (leader.id,))
            for leader in state.leaders.values()
            if leader_is_dealt(state, leader)
        )
    )


def ask_to_coordinate(ledger: Ledger[State], number: int) -> None:
    """Ask whether a Leader's card serves units near him, if there are any."""
    leader = ledger.state.leaders[number]
    units = could_coordinate(ledger.state, leader)
    if units:
        ledger.ask(ToCoordinate(leader.side, number, units))


def moor(ledger: Ledger[State]) -> None:
    """Put a step for each vessel on the agenda, to ask about mooring."""
    ledger.then(
        *(Step("ask to moor", (unit.id,)) for unit in ledger.state.units.values() if unit.is_craft)
    )


def ask_to_moor(ledger: Ledger[State], number: int) -> None:
    """Ask whether a vessel moors, if it has a unit to load or land."""
    state = ledger.state
    craft = state.units[number]
    if not is_waiting(craft) and is_dealt(state, craft) and may_moor(state, craft):
        ledger.ask(ToMoor(craft.side, number))


def deal(ledger: Ledger[State]) -> None:
    """Deal a card to each, face up; units woken by a joker are dealt to after the others."""
    state = ledger.state
    entitled = _entitled_to_cards(state)
    asleep = is_asleep(state, Side.MAHDIST)
    _deal_to(ledger, entitled)
    if asleep and not is_asleep(state, Side.MAHDIST):
        _deal_to(ledger, [number for number in _entitled_to_cards(state) if number not in entitled])


def _entitled_to_cards(state: State) -> list[int]:
    served = {number for units in state.coordinated.values() for number in units}
    units = [
        unit.id for unit in state.units.values() if unit.id not in served and is_dealt(state, unit)
    ]
    return units + [
        leader.id for leader in state.leaders.values() if leader_is_dealt(state, leader)
    ]


def _deal_to(ledger: Ledger[State], numbers: list[int]) -> None:
    """Deal cards; a joker wakes the other side and is replaced by the next card (Night march 4)."""
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
