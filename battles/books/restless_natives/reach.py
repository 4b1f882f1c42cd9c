"""The moves open to a unit with the dice it has rolled."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.books.restless_natives import movement
from battles.books.restless_natives.state import State, Unit
from battles.core.game import IllegalAction
from battles.tabletop.geometry import MEASURE, TablePoint, ahead, bearing

_WAYS = 16
_SHARES = (100, 50)
LEAST = MEASURE // 4
"""The shortest move in hundredths: lengths are measured to the nearest half inch."""


class Way(NamedTuple):
    """A move: its points, and the facing at its end."""

    path: tuple[TablePoint, ...]
    facing: int


class Reach:
    """The moves open to a unit: `most` hundredths of an inch in the open, `rough` elsewhere."""

    def __init__(self, state: State, unit: Unit, most: int, rough: int) -> None:
        self.state, self.unit = state, unit
        self.most, self.rough = most, rough

    def allows(self, path: tuple[TablePoint, ...], facing: int) -> bool:
        """Return whether the unit can go by these points and end with this facing."""
        return not self.refusal(path, facing)

    def refusal(self, path: tuple[TablePoint, ...], facing: int) -> str:
        """Return why it cannot; "" when it can."""
        if not 0 <= facing < 360:
            return "A facing is 0 to 359 degrees from the north."
        far = movement.way_length(self.unit, path)
        if path and far < LEAST:
            return "That is nearer than can be measured: the unit may turn where it stands."
        if far > self.most:
            return f"That is {far / 100:.1f} inches; the dice gave {self.most / 100:g}."
        if far > self.rough and movement.way_is_rough(self.state, self.unit, path):
            return f"Over rough terrain or obstacles the dice gave {self.rough / 100:g} inches."
        return movement.refusal(self.state, self.unit, path, facing)

    def towards(self, goal: TablePoint, facing: int | None = None) -> Way | None:
        """Return the longest move straight towards a point, up to there; None for none.

        It ends with the facing asked for, else facing the way it went.
        """
        way = bearing(self.unit.at, goal)
        looks = way if facing is None else facing
        far = movement.way_length(self.unit, (goal,))
        for length in _lengths(far, self.most, self.rough):
            path = (goal if length == far else ahead(self.unit.at, way, length),)
            if self.allows(path, looks):
                return Way(path, looks)
        return None

    def spots(self) -> Iterator[Way]:
        """Yield some legal moves: in sixteen directions, the full length and half, and turns."""
        for nth in range(_WAYS):
            way = nth * 360 // _WAYS
            for share in _SHARES:
                path = (ahead(self.unit.at, way, self.most * share // 100 - 1),)
                if self.most > 0 and self.allows(path, way):
                    yield Way(path, way)
        for facing in range(0, 360, 90):
            if facing != self.unit.facing and self.allows((), facing):
                yield Way((), facing)


def check(reach: Reach, path: tuple[TablePoint, ...], facing: int) -> None:
    """Raise IllegalAction when the unit cannot make that move."""
    refusal = reach.refusal(path, facing)
    if refusal:
        clause = "Movement 5" if refusal.startswith("Over rough") else "Movement 2"
        raise IllegalAction(clause, refusal, "Choose another way.")


def _lengths(far: int, most: int, rough: int) -> Iterator[int]:
    """Yield the lengths to try, the longest first."""
    if far <= most:
        yield far
    longest = min(far, most) - 1
    tries = {longest * tenths // 10 for tenths in range(10, 0, -1)} | {min(longest, rough - 1)}
    yield from sorted((length for length in tries if length > 0), reverse=True)
