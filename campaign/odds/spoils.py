"""What the Mahdists take of those they destroy in a combat they win, exactly (9.9).

Each gun and rifle unit destroyed is thrown for; what is captured stands with the victors as far as
they have counters free, those of their own dead among them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campaign.rules.book import Book
from campaign.rules.combat.capture import taken_as
from campaign.rules.pieces import Kind, Nation
from campaign.rules.state import State, Unit

FACES = range(1, 7)
Chances = NDArray[np.float64]
Lost = tuple[tuple[Kind, Nation], ...]
"""What was destroyed: for each unit as what it may be taken, and whose it was."""


class Taken(NamedTuple):
    """So many guns and so many rifle units."""

    guns: int = 0
    rifles: int = 0


class Counters(NamedTuple):
    """The Mahdists' own counters of a kind off the map, in the pile and beside it (3.2)."""

    pile: int = 0
    beside: int = 0

    def free(self, returned: int) -> int:
        """How many can be had once so many more are back in the pile."""
        return max(0, self.pile + returned) + max(0, self.beside)


class Spare(NamedTuple):
    """The counters there are for what is captured."""

    guns: Counters = Counters()
    rifles: Counters = Counters()

    def of(self, captured: Taken, back: Taken) -> Taken:
        """What comes of a capture; `back` are the counters of the victors' own dead."""
        pairs = zip(self, captured, back, strict=True)
        return Taken(*(min(taken, kind.free(more)) for kind, taken, more in pairs))


class Party(NamedTuple):
    """A side as it came to a combat, and what may be left of it."""

    came: Sequence[Unit]
    ends: Sequence[Sequence[Unit]]


def spare(state: State) -> Spare:
    """The Mahdists' counters before a combat in that state."""
    kinds = Kind.GUN, Kind.INFANTRY
    return Spare(*(Counters(state.pool.get(k, 0), state.box.get(k, 0)) for k in kinds))


def taken_by(
    law: Book, spares: Spare, victors: Party, beaten: Party, chances: Chances
) -> list[dict[Taken, float]]:
    """What stands with the victors afterwards, with its chance, at each of their ends.

    `chances` are those of the victors' ends (rows) with the ends of the beaten (columns).
    """
    captured, spread = _captured(law, beaten)
    joint = chances @ spread
    backs = [_returned(victors.came, left) for left in victors.ends]
    found: list[dict[Taken, float]] = []
    for back, row in zip(backs, joint, strict=True):
        taken: dict[Taken, float] = {}
        for one in np.nonzero(row)[0]:
            key = spares.of(captured[one], back)
            taken[key] = taken.get(key, 0.0) + float(row[one])
        found.append(taken)
    return found


def _captured(law: Book, beaten: Party) -> tuple[tuple[Taken, ...], Chances]:
    """All that may be captured, and the chance of each (columns) at each end (rows)."""
    lost = [_lost(beaten.came, left) for left in beaten.ends]
    spreads = {one: _spread(law, one) for one in dict.fromkeys(lost)}
    places = {taken: at for at, taken in enumerate(sorted(set().union(*spreads.values())))}
    found = np.zeros((len(lost), len(places)))
    for row, one in enumerate(lost):
        for taken, chance in spreads[one].items():
            found[row, places[taken]] = chance
    return tuple(places), found


def _returned(came: Sequence[Unit], left: Sequence[Unit]) -> Taken:
    """The counters of guns and rifles that the victors have lost themselves."""
    there = {unit.id for unit in left}
    gone = [unit.kind for unit in came if unit.id not in there]
    return Taken(gone.count(Kind.GUN), gone.count(Kind.INFANTRY))


def _lost(came: Sequence[Unit], left: Sequence[Unit]) -> Lost:
    there = {unit.id for unit in left}
    gone = ((taken_as(unit), unit.nation) for unit in came if unit.id not in there)
    return tuple(sorted((kind, nation) for kind, nation in gone if kind is not None))


def _spread(law: Book, lost: Lost) -> Mapping[Taken, float]:
    """The chance of everything that may be captured of what was destroyed."""
    found = {Taken(): 1.0}
    for kind, nation in lost:
        chance = sum(law.captured(nation, face) for face in FACES) / len(FACES)
        after: dict[Taken, float] = {}
        for taken, so_far in found.items():
            more = Taken(taken.guns + (kind is Kind.GUN), taken.rifles + (kind is not Kind.GUN))
            after[taken] = after.get(taken, 0.0) + so_far * (1 - chance)
            after[more] = after.get(more, 0.0) + so_far * chance
        found = after
    return found
