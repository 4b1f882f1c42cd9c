"""Average dice and normal dice: the predictable and the unpredictable (section 1)."""

from collections.abc import Iterable
from typing import Protocol

from battles.books.fuzzy_wuzzy.pieces import Style

AVERAGE = (2, 3, 3, 4, 4, 5)
"""The faces of an average die, in the order of the faces of the die it is thrown with."""
FACES = 6


class Thrower(Protocol):
    """Whatever dice come from: a source of dice, or a ledger, which has one."""

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` dice of `sides` faces."""


def average(face: int) -> int:
    """What an average die shows where a normal die would show `face` (1 to 6)."""
    return AVERAGE[face - 1]


def averages(faces: Iterable[int]) -> tuple[int, ...]:
    """What average dice show for faces from 1 to 6."""
    return tuple(map(average, faces))


def throw_average(dice: Thrower, count: int) -> tuple[int, ...]:
    """So many average dice, each from 2 to 5."""
    return averages(dice.throw(count, FACES))


def throw_normal(dice: Thrower, count: int) -> tuple[int, ...]:
    """So many normal dice, each from 1 to 6."""
    return dice.throw(count, FACES)


def throw(dice: Thrower, count: int, kind: str) -> tuple[int, ...]:
    """So many dice of a kind: "AvD" or "D6"."""
    return throw_average(dice, count) if kind == "AvD" else throw_normal(dice, count)


def usual(style: Style) -> str:
    """Return the dice of regulars are average, of irregulars normal; close combat turns it round."""
    return "AvD" if style is Style.REGULAR else "D6"


def unusual(style: Style) -> str:
    """Return the dice of close combat."""
    return "D6" if style is Style.REGULAR else "AvD"
