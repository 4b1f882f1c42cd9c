"""Average dice and normal dice: the predictable and the unpredictable (section 1)."""

from collections.abc import Iterable
from typing import Protocol

from battles.books.fuzzy_wuzzy.pieces import Style

AVERAGE = (2, 3, 3, 4, 4, 5)
"""The faces of an average die, by the face of the normal die it is thrown with."""
FACES = 6


class Thrower(Protocol):
    """A source of dice, or a ledger, which has one."""

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Roll `count` dice of `sides` faces."""


def average(face: int) -> int:
    """Return the average die's face for a normal die's `face` (1 to 6)."""
    return AVERAGE[face - 1]


def averages(faces: Iterable[int]) -> tuple[int, ...]:
    """Return the average dice's faces for faces from 1 to 6."""
    return tuple(map(average, faces))


def throw_average(dice: Thrower, count: int) -> tuple[int, ...]:
    """Roll average dice, each from 2 to 5."""
    return averages(dice.throw(count, FACES))


def throw_normal(dice: Thrower, count: int) -> tuple[int, ...]:
    """Roll normal dice, each from 1 to 6."""
    return dice.throw(count, FACES)


def throw(dice: Thrower, count: int, kind: str) -> tuple[int, ...]:
    """Roll dice of a kind: "AvD" or "D6"."""
    return throw_average(dice, count) if kind == "AvD" else throw_normal(dice, count)


def usual(style: Style) -> str:
    """Return the kind of dice: average for regulars, normal for irregulars."""
    return "AvD" if style is Style.REGULAR else "D6"


def unusual(style: Style) -> str:
    """Return the kind of dice in close combat, where the usual kinds are exchanged."""
    return "D6" if style is Style.REGULAR else "AvD"
