"""The map as a graph of hexes, with distances in steps."""

from collections import deque
from functools import cached_property

from api.client.documents import MapDocument

AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
FAR = 10_000


class Ground:
    """The neighbours of every hex, by numbers: 1734 is column 17, row 34."""

    def __init__(self, chart: MapDocument) -> None:
        at = {(one.q, one.r): int(one.hex) for one in chart.hexes if not one.closed}
        self.beside: dict[int, tuple[int, ...]] = {
            here: tuple(at[q + dq, r + dr] for dq, dr in AROUND if (q + dq, r + dr) in at)
            for (q, r), here in at.items()
        }
        self._places = {one.name: int(one.hex) for one in chart.places}
        self._far: dict[int, dict[int, int]] = {}

    @cached_property
    def places(self) -> dict[int, str]:
        """The names of places, by hex."""
        return {here: name for name, here in self._places.items()}

    def place(self, name: str) -> int:
        return self._places[name]

    def steps(self, start: int, end: int) -> int:
        """Return the number of hexes from one to the other; FAR if there is no way."""
        if end not in self._far:
            self._far[end] = self._from(end)
        return self._far[end].get(start, FAR)

    def _from(self, start: int) -> dict[int, int]:
        found, open_ = {start: 0}, deque([start])
        while open_:
            here = open_.popleft()
            for near in self.beside.get(here, ()):
                if near not in found:
                    found[near] = found[here] + 1
                    open_.append(near)
        return found
