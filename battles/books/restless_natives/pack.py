"""The pack of playing cards: 52 in two colours, and two jokers (Definitions 6)."""

from battles.contract.troops import Side
from battles.core.cards import PACK, Card, Suit

JOKERS = (Card(0, Suit.HEARTS), Card(0, Suit.SPADES))


def whole_pack() -> tuple[Card, ...]:
    """The 54 cards, jokers among them."""
    return (*PACK, *JOKERS)


def is_joker(card: Card) -> bool:
    """Whether it is one of the two."""
    return card.rank == 0


def side_of(card: Card) -> Side | None:
    """Whose card it is: red the British side's, black the Natives'; nobody's for a joker."""
    if is_joker(card):
        return None
    return Side.EGYPTIAN if card.red else Side.MAHDIST


def deals(card: Card) -> Side | None:
    """Whose players are dealt a Special Event Card for it (Turn sequence 3 and 5)."""
    return side_of(card) if card.court else None
