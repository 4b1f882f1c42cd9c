"""Dice: where they come from, and the record that every throw leaves."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Protocol

import msgspec


class Modifier(msgspec.Struct, frozen=True, array_like=True):
    """What a throw is changed by, why, and the clause that says so."""

    value: int
    reason: str
    clause: str


class Roll(msgspec.Struct, frozen=True, omit_defaults=True):
    """One throw as it is kept: dice as they fell, modifiers, total, and what the table gave."""

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
    """Thrown at a table and typed in, so that no chain gives it again."""


MOST_FACES = 256
"""One byte of the chain makes one die."""


class Dice(Protocol):
    """Whatever gives dice: a chain, a list in a test, an umpire's hand."""

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` dice of `sides` faces, each from 1 to `sides`."""


class DiceExhausted(Exception):
    """A script of dice was asked for one more than it holds."""


class ScriptedDice:
    """Dice that fall as a list says; running out is an error, what is left can be asked."""

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
        """Return how many dice nobody has asked for."""
        return len(self._faces)


class DiceWanted(Exception):
    """Dice are thrown by hand, and this throw has not been typed in yet; nothing has happened."""

    def __init__(self, count: int, sides: int, reason: str = "", clause: str = "") -> None:
        super().__init__(f"{count} dice of {sides} faces are wanted")
        self.count, self.sides = count, sides
        self.reason, self.clause = reason, clause


class HandDice:
    """Dice that somebody throws at a table: the faces typed in so far, in the order they fell."""

    def __init__(self, *faces: int) -> None:
        self._faces = list(faces)

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """As `Dice.throw`. Raises DiceWanted when not all of them have been typed in."""
        thrown, self._faces = tuple(self._faces[:count]), self._faces[count:]
        if len(thrown) < count:
            raise DiceWanted(count, sides)
        if any(not 1 <= face <= sides for face in thrown):
            raise ValueError(f"{thrown} cannot have fallen with dice of {sides} faces")
        return thrown


class ChainedDice:
    """Dice drawn from a key: the same key, the same dice, on every machine.

    The stream is BLAKE2b of the key and a counter; a byte that would favour the low faces
    is passed over, so every face is equally likely.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._bytes: Sequence[int] = b""
        self._next = 0

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """As `Dice.throw`. Raises ValueError for dice of no faces, or of more than 256."""
        if not 1 <= sides <= MOST_FACES:
            raise ValueError(f"There are no dice of {sides} faces: 1 to {MOST_FACES}.")
        limit = MOST_FACES - MOST_FACES % sides
        return tuple(self._fair(limit) % sides + 1 for _ in range(count))

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
    """Return the 32-byte key of a part (a branch, an entry) of what `parent` is the key of."""
    text = "\x1f".join(str(part) for part in parts)
    return blake2b(text.encode(), key=parent, digest_size=32).digest()


def chain_link(seed: bytes, steps: int) -> bytes:
    """Return the seed hashed `steps` times: links are published from the far end towards the seed."""
    link = seed
    for _ in range(steps):
        link = blake2b(link, digest_size=32).digest()
    return link


def month_key(link: bytes, salts: Sequence[bytes]) -> bytes:
    """Return the key of one month's dice: its link of the chain mixed with the sides' salts in
    order.
    """
    digest = blake2b(key=link, digest_size=32)
    for salt in salts:
        digest.update(len(salt).to_bytes(2, "big") + salt)
    return digest.digest()
