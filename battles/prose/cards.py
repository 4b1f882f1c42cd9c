"""Playing cards in words."""

from battles.core.cards import JACK, KING, QUEEN, Card

RANKS = {1: "ace", JACK: "jack", QUEEN: "queen", KING: "king"}


def card_in_words(card: Card) -> str:
    """`the 5 of hearts`, `the queen of spades`, `the joker`."""
    return f"the {RANKS.get(card.rank, card.rank)} of {card.suit}" if card.rank else "the joker"
