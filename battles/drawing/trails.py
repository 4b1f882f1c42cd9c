"""What units of an open table do, gathered as it happens: the ways they go and their fire."""

from battles.contract.troops import Side
from battles.drawing.table_scene import Volley, Way
from battles.open_table.points import Point


class Trails:
    """The ways taken and the fire since the last picture."""

    def __init__(self) -> None:
        self.volleys: list[Volley] = []
        self._ways: list[tuple[int, Way]] = []

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every way, the earliest first."""
        return tuple(way for _, way in self._ways)

    def went(self, number: int, side: Side, way: tuple[Point, ...], *, back: bool = False) -> None:
        """One more stretch of a unit's way, joined to the last where it goes on from there."""
        if len(set(way)) < 2:
            return
        if self._ways and self._ways[-1][0] == number and self._ways[-1][1].back == back:
            way = (*self._ways.pop()[1].points, *way[1:])
        self._ways.append((number, Way(side, way, back)))

    def fired(self, side: Side, start: Point, end: Point, *, hit: bool) -> None:
        """A unit has fired at another."""
        self.volleys.append(Volley(side, start, end, hit))
