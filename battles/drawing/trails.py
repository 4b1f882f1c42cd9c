"""What units of an open table do, gathered as it happens: the ways they go and their fire."""

from battles.contract.troops import Side
from battles.drawing.table_scene import Volley, Way
from battles.open_table.points import Point


class Trails:
    """The ways taken and the fire since the last picture."""

    def __init__(self) -> None:
        self.shots: list[Volley] = []
        self._tracks: list[tuple[int, Way]] = []

    @property
    def tracks(self) -> tuple[Way, ...]:
        """Every way, the earliest first."""
        return tuple(way for _, way in self._tracks)

    def went(self, number: int, side: Side, way: tuple[Point, ...], *, back: bool = False) -> None:
        """One more stretch of a unit's way, joined to the last where it goes on from there."""
        if len(set(way)) < 2:
            return
        if self._tracks and self._tracks[-1][0] == number and self._tracks[-1][1].back == back:
            way = (*self._tracks.pop()[1].points, *way[1:])
        self._tracks.append((number, Way(side, way, back)))

    def fired(self, side: Side, start: Point, end: Point, *, hit: bool) -> None:
        """A unit has fired at another."""
        self.shots.append(Volley(side, start, end, hit))
