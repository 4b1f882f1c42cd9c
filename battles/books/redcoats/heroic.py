"""Heroic Leadership cards: the pack, the hands, and the times to play them."""

from collections.abc import Sequence

from battles.books.redcoats import events as e
from battles.books.redcoats.board import leaders_with
from battles.books.redcoats.book import book
from battles.books.redcoats.pieces import Heroic, Side
from battles.books.redcoats.squares import OFF_FIELD
from battles.books.redcoats.state import Activation, State, Unit
from battles.core.cards import shuffled
from battles.core.ledger import Ledger


def whole_pack() -> list[Heroic]:
    """Return the 54 cards, by type (Heroic Leadership 3)."""
    return [card for card in Heroic for _ in range(book().heroic(card).count)]


def hand(state: State, side: Side) -> Sequence[Heroic]:
    """Return the cards that a side holds."""
    return state.hands.get(side, ())


def largest_hand(state: State, side: Side) -> int:
    """Return the most cards that a side holds: three, and the tactical value of one of its Leaders.

    The Leader has to be on the field and unhurt (Heroic Leadership 5; ruling).
    """
    most = book().number("hand")
    if state.brief is None:
        return most
    able = (
        one.id
        for one in state.leaders.values()
        if one.side is side and not one.wounded and one.square != OFF_FIELD
    )
    return most + state.brief.tactical(
        number for one in able for number in state.drawn_from.get(one, ())
    )


def deal(ledger: Ledger[State], side: Side, leader: int = 0) -> None:
    """Deal a card to a side that does not hold its largest hand (Heroic Leadership 5).

    When the pack is used up, the discards are shuffled into a new one (Heroic Leadership 2).
    """
    state = ledger.state
    if len(hand(state, side)) >= largest_hand(state, side):
        return
    if not state.heroic:
        ledger.emit(e.HeroicShuffled(cards=tuple(shuffled(state.discards, ledger))))
    if state.heroic:
        ledger.emit(e.HeroicDealt(side=side, leader=leader))


def deal_to_leaders(ledger: Ledger[State]) -> None:
    """Deal a card for each Leader with a king, queen or jack (Turn sequence 3)."""
    state = ledger.state
    for number, card in list(state.cards.items()):
        if card.court and number in state.leaders:
            deal(ledger, state.leaders[number].side, number)


def can_be_led(state: State, unit: Unit, card: Heroic) -> bool:
    """Return whether a Leader shares the unit's square and his side holds the card."""
    return card in hand(state, unit.side) and bool(leaders_with(state, unit))


def playable(state: State, current: Activation, unit: Unit) -> tuple[Heroic, ...]:
    """Return the cards that can be played for an activated unit, one per activation (ruling)."""
    if current.carded or len(current.units) > 1 or unit.is_craft or unit.aboard:
        return ()
    if not hand(state, unit.side) or not leaders_with(state, unit):
        return ()
    fired = [Heroic.FIREPOWER] if str(unit.id) in current.fired else []
    wanted = fired if current.carried else [Heroic.HARD_LUCK, Heroic.MOVEMENT]
    return tuple(card for card in wanted if card in hand(state, unit.side))
