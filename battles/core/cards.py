"""Playing cards: the pack, a shuffle by the program's own dice, and card names."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

import msgspec

from battles.core.dice import Dice

C = TypeVar("C")

JACK, QUEEN, KING = 11, 12, 13


class Suit(StrEnum):
    """The suits of a pack, in order of precedence."""

    HEARTS = "hearts"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    SPADES = "spades"


class Card(msgspec.Struct, frozen=True, array_like=True, order=False):
    """A playing card: `rank` is 1 for the ace to 13 for the king, 0 for a joker."""

    rank: int
    suit: Suit

    @property
    def red(self) -> bool:
        return self.suit in (Suit.HEARTS, Suit.DIAMONDS)

    @property
    def court(self) -> bool:
        return self.rank >= JACK


PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in range(1, 14))


def shuffled(cards: Sequence[C], dice: Dice) -> list[C]:
    """Return the cards shuffled by the dice, with one die of n faces for the n-th card."""
    pack = list(cards)
    for last in range(len(pack) - 1, 0, -1):
        chosen = dice.throw(1, last + 1)[0] - 1
        pack[last], pack[chosen] = pack[chosen], pack[last]
    return pack


RANKS = {1: "ace", JACK: "jack", QUEEN: "queen", KING: "king"}


def card_in_words(card: Card) -> str:
    """Return a card in words: `the 5 of hearts`, `the queen of spades`, `the joker`."""
    return f"the {RANKS.get(card.rank, card.rank)} of {card.suit}" if card.rank else "the joker"
