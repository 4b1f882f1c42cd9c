"""Special Event Cards: the pack, the hands, and the dice of each (Special event cards)."""

from collections.abc import Sequence

from battles.books.restless_natives import events as e
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.state import Commander, State
from battles.contract.brief import Side
from battles.core.dice import shuffle_cards
from battles.core.game import Ledger


def whole_pack() -> list[Special]:
    """Return the 51 cards, text by text (Special event cards 1)."""
    return [card for card in Special for _ in range(book().special(card).count)]


def adds(card: Special | None, to: str) -> int:
    """Return a card's D6 for a single "move", or for each stand in "fire" or "close combat"."""
    if card is None or book().special(card).helps != to:
        return 0
    return book().special(card).adds


def shuffle(ledger: Ledger[State], cards: Sequence[Special]) -> None:
    """Shuffle these cards into the pack to deal from, and empty the discards."""
    ledger.emit(e.SpecialShuffled(cards=tuple(shuffle_cards(cards, ledger))))


def deal(ledger: Ledger[State], commander: Commander) -> None:
    """Deal one card to a player with fewer than three (Turn sequence 3).

    When the pack has run out the discards are shuffled into a new one (ruling).
    """
    state = ledger.state
    if len(commander.hand) >= book().number("hand"):
        return
    if not state.special and state.discards:
        shuffle(ledger, state.discards)
    if state.special:
        ledger.emit(e.SpecialDealt(commander=commander.id))


def deal_side(ledger: Ledger[State], side: Side) -> None:
    """Deal one card to each player of a side (Turn sequence 3 and 5)."""
    for commander in list(ledger.state.commanders.values()):
        if commander.side is side:
            deal(ledger, commander)


def deal_all(ledger: Ledger[State]) -> None:
    """Deal one card to every player, and more to a Commander-in-Chief with a tactical value."""
    for commander in list(ledger.state.commanders.values()):
        for _ in range(1 + tactical(ledger.state, commander)):
            deal(ledger, commander)


def tactical(state: State, commander: Commander) -> int:
    """Return the tactical value of a Commander-in-Chief who is on the field, else 0 (ruling)."""
    if state.brief is None or not commander.chief or commander.unit not in state.units:
        return 0
    return state.brief.tactical(state.drawn_from.get(commander.unit, ()))


def joker(ledger: Ledger[State]) -> None:
    """Take all hands back and deal one card to every player (Turn sequence 6)."""
    ledger.emit(e.HandsReturned())
    deal_all(ledger)


def playable(commander: Commander) -> tuple[Special, ...]:
    """Return the cards in hand that can be played for a unit on the field: not the rally card."""
    hand = [card for card in Special if card in commander.hand]
    return tuple(card for card in hand if book().special(card).helps != "rally")
