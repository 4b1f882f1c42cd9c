"""Sources of dice (chained, typed in, scripted), the record of each roll, and packs of cards."""

from collections.abc import Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol, TypeVar

import msgspec

from battles.core.decoding import NumberOrNone

# Sources of dice (chained, typed in, scripted), and the record of each roll.


class Modifier(msgspec.Struct, frozen=True, array_like=True):
    """A modifier of a roll: its value, its reason and its clause."""

    value: int
    reason: str
    clause: str


class Roll(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of one roll: the dice thrown, the modifiers, the total and the table's result."""

    reason: str
    clause: str
    dice: tuple[int, ...]
    sides: int = 6
    modifiers: tuple[Modifier, ...] = ()
    total: int = 0
    result: str = ""
    table: str = ""
    side: str = ""
    by_hand: bool = False
    """Thrown at a real table and typed in, so that the dice chain cannot reproduce it."""


MOST_FACES = 256
"""The most faces of a die: each die takes one byte of the chain."""


class Dice(Protocol):
    """A source of dice: a chain, a list in a test, or a player's hand."""

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Return `count` dice of `sides` faces, each from 1 to `sides`."""


class DiceExhausted(Exception):
    """A test's list of dice is used up, or holds a number the die does not have."""


class ScriptedDice:
    """Dice from a fixed list, for tests. Raises DiceExhausted when the list is used up."""

    def __init__(self, *faces: int) -> None:
        self._faces = list(faces)

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        if count > len(self._faces):
            raise DiceExhausted(f"{count} dice are wanted and the script holds {self._faces}")
        thrown, self._faces = tuple(self._faces[:count]), self._faces[count:]
        if any(not 1 <= face <= sides for face in thrown):
            raise DiceExhausted(f"the script gives {thrown} for dice of {sides} faces")
        return thrown

    @property
    def left(self) -> int:
        """Return the number of dice not yet thrown."""
        return len(self._faces)


class DiceWanted(Exception):
    """Dice are thrown by hand, and this throw has not been typed in yet; nothing has changed."""

    def __init__(self, count: int, sides: int, reason: str = "", clause: str = "") -> None:
        super().__init__(f"{count} dice of {sides} faces are wanted")
        self.count, self.sides = count, sides
        self.reason, self.clause = reason, clause


class ImpossibleFace(ValueError):
    """A face that was typed in and that the die does not have."""


class HandDice:
    """Dice thrown at a real table: the faces typed in so far, in the order they fell.

    `left` are those that have not been used.
    """

    def __init__(self, *faces: int) -> None:
        self.left = faces

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Return the next `count` faces.

        Raises DiceWanted when too few have been typed in, and ImpossibleFace.
        """
        thrown, self.left = self.left[:count], self.left[count:]
        if len(thrown) < count:
            raise DiceWanted(count, sides)
        if any(not 1 <= face <= sides for face in thrown):
            shown = ", ".join(map(str, thrown))
            raise ImpossibleFace(f"{shown} cannot have fallen with dice of {sides} faces")
        return thrown


class ChainedDice:
    """Dice drawn from a key: the same key gives the same dice on every machine.

    The stream is BLAKE2b of the key and a counter. A byte that would favour the low faces is
    skipped, so every face is equally likely.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._bytes: Sequence[int] = b""
        self._next = 0

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Return the next dice of the chain. Raises ValueError unless a die has 1 to 256 faces."""
        if not 1 <= sides <= MOST_FACES:
            raise ValueError(f"There are no dice of {sides} faces: 1 to {MOST_FACES}.")
        limit = MOST_FACES - MOST_FACES % sides
        if count == 1:
            return (self._fair(limit) % sides + 1,)
        return tuple([self._fair(limit) % sides + 1 for _ in range(count)])

    def _fair(self, limit: int) -> int:
        while True:
            if self._next == len(self._bytes):
                self._refill()
            value = self._bytes[self._next]
            self._next += 1
            if value < limit:
                return value

    def _refill(self) -> None:
        self._bytes = blake2b(self._counter.to_bytes(8, "big"), key=self._key).digest()
        self._counter += 1
        self._next = 0


def derive_key(parent: bytes, *parts: str | int) -> bytes:
    """Return the 32-byte key of a part (a branch, an entry), derived from its parent's key."""
    text = "\x1f".join(str(part) for part in parts)
    return blake2b(text.encode(), key=parent, digest_size=32).digest()


def chain_link(seed: bytes, steps: int) -> bytes:
    """Return the seed hashed `steps` times.

    Links are published from the far end of the chain towards the seed.
    """
    link = seed
    for _ in range(steps):
        link = blake2b(link, digest_size=32).digest()
    return link


def month_key(link: bytes, salts: Sequence[bytes]) -> bytes:
    """Return the key of one month's dice: its chain link mixed with the sides' salts, in order."""
    digest = blake2b(key=link, digest_size=32)
    # The length prefix keeps one side from shifting bytes between its salt and the next.
    for salt in salts:
        digest.update(len(salt).to_bytes(2, "big") + salt)
    return digest.digest()


# Playing cards: the pack, a shuffle by the program's own dice, and card names.


C = TypeVar("C")

JACK, QUEEN, KING = 11, 12, 13


class Suit(StrEnum):
    """The suits of a pack, in order of precedence."""

    HEARTS = "hearts"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    SPADES = "spades"


class Card(msgspec.Struct, frozen=True, array_like=True, order=False):
    """A playing card: `rank` is 1 for the ace to 13 for the king, none for a joker."""

    rank: NumberOrNone
    suit: Suit

    @property
    def red(self) -> bool:
        return self.suit in (Suit.HEARTS, Suit.DIAMONDS)

    @property
    def court(self) -> bool:
        return self.rank >= JACK


PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in range(1, 14))


def shuffle_cards(cards: Sequence[C], dice: Dice) -> list[C]:
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
