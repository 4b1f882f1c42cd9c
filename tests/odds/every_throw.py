"""Everything that dice may bring: something is played for every way in which they can fall."""

from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")
Fall = tuple[tuple[int, ...], float]


class Wanted(Exception):
    """A throw that the list of falls does not hold yet."""

    def __init__(self, count: int, sides: int) -> None:
        super().__init__(f"{count} dice of {sides}")
        self.count, self.sides = count, sides


class Told:
    """Dice that fall as the list says."""

    def __init__(self, falls: tuple[tuple[int, ...], ...]) -> None:
        self._falls = list(falls)

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        if not self._falls:
            raise Wanted(count, sides)
        return self._falls.pop(0)


def every_throw(play: Callable[[Told], T]) -> dict[T, float]:
    """Return the chance of everything that comes of playing it; it is played from its beginning
    each time.

    Of two dice the total alone counts.
    """
    found: dict[T, float] = {}
    open_ends: list[tuple[tuple[tuple[int, ...], ...], float]] = [((), 1.0)]
    while open_ends:
        falls, chance = open_ends.pop()
        try:
            result = play(Told(falls))
        except Wanted as wanted:
            more = list(_falls(wanted))
            open_ends += [((*falls, fall), chance * often) for fall, often in more]
        else:
            found[result] = found.get(result, 0.0) + chance
    return found


def _falls(wanted: Wanted) -> Iterator[Fall]:
    if wanted.count == 1:
        yield from (((face,), 1 / wanted.sides) for face in range(1, wanted.sides + 1))
        return
    for total in range(2, 13):
        first = max(1, total - 6)
        yield (first, total - first), (6 - abs(total - 7)) / 36
