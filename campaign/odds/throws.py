"""Everything that dice may bring: something is done once for every way in which they can fall."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeVar

from battles.core.dice import Dice

T = TypeVar("T")
Fall = tuple[int, ...]


class _Wanted(Exception):
    """A throw beyond those that are told."""

    def __init__(self, count: int, sides: int) -> None:
        super().__init__(f"{count} dice of {sides}")
        self.falls = list(product(range(1, sides + 1), repeat=count))


class _Told:
    """Dice that fall as they are told."""

    def __init__(self, falls: tuple[Fall, ...]) -> None:
        self._falls = iter(falls)

    def throw(self, count: int, sides: int) -> Fall:
        """As `Dice.throw`."""
        told = next(self._falls, None)
        if told is None:
            raise _Wanted(count, sides)
        return told


def every_fall(
    do: Callable[[Dice], T], first: Iterable[tuple[Fall, Fraction]]
) -> Iterator[tuple[Fraction, T]]:
    """What comes of it, with its chance, for every way in which the dice can fall.

    `first` are the ways in which the first throw can; it is done from its beginning each time.
    """
    still_open: list[tuple[tuple[Fall, ...], Fraction]] = [
        ((fall,), chance) for fall, chance in first
    ]
    while still_open:
        falls, chance = still_open.pop()
        try:
            yield chance, do(_Told(falls))
        except _Wanted as wanted:
            often = chance / len(wanted.falls)
            still_open += [((*falls, fall), often) for fall in wanted.falls]
