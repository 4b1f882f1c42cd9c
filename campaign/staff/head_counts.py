"""The units of a host by quality, and what fire and melee leave of them (9.5 to 9.8).

A throw changes nothing but the numbers steady and shaken of each quality, whatever the factors of
the units. So all hosts of the same qualities share a table, in which equal numbers are the same
object that remembers what follows from it.
"""

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Quality
from campaign.rules.tables.book import CampaignTables

WORST_FIRST = (Quality.RABBLE, Quality.FANATIC, Quality.LINE, Quality.VETERAN)
"""The qualities of fighters, the lowest first (9.5)."""

MOST_COUNTS = 4000
"""The head counts of a table that is still given to new hosts."""

Counts = tuple[int, ...]
"""The units steady and shaken of each part of a host, in turn."""

_DICE = tuple((total, (6 - abs(total - 7)) / 36) for total in range(2, 13))
_Results = tuple[tuple[int, int], ...]
"""The percentages eliminated and disrupted of each part of a host."""


class MeleeEstimate(NamedTuple):
    """The result of a melee for one side: chances to be beaten and gone, share of units hurt."""

    beaten: float
    gone: float
    hurt: float


class HeadCount:
    """The units steady and shaken of each quality; equal ones of a table are the same object.

    `size` and `steady` count units. `order` sorts head counts from weak to strong.
    """

    __slots__ = ("_after", "_hurt", "_table", "counts", "order", "size", "steady")

    def __init__(self, table: "LossTable", counts: Counts) -> None:
        self._table = table
        self._after: dict[int | None, tuple[tuple[HeadCount, float], ...]] = {None: ((self, 1.0),)}
        self._hurt: dict[tuple[int | None, int], MeleeEstimate] = {}
        self.counts = counts
        self.size = sum(counts)
        self.steady = sum(counts[::2])
        parts = [
            (quality, steady, shaken)
            for quality, steady, shaken in zip(
                table.qualities, counts[::2], counts[1::2], strict=True
            )
            if steady or shaken
        ]
        self.order = (sum([steady + shaken / 2 for _, steady, shaken in parts]), parts)

    def after(self, change: int | None) -> "tuple[tuple[HeadCount, float], ...]":
        """Return what fire or melee with this modifier leaves, each with its chance.

        The modifier is None when nobody fires or strikes.
        """
        known = self._after.get(change)
        if known is None:
            known = self._after[change] = self._table.spread(self, change or 0)
        return known

    @property
    def breaking_point(self) -> int:
        """Return the most steady units with which a host that came like this has lost (9.8)."""
        return self.size * (100 - self._table.lost_at) // 100

    def hurt(self, change: int | None, initial_size: int) -> MeleeEstimate:
        """Return the result of a melee for a host that came with so many units."""
        estimate = self._hurt.get((change, initial_size))
        if estimate is None:
            estimate = self._hurt[change, initial_size] = self._judged(change, initial_size)
        return estimate

    def _judged(self, change: int | None, initial_size: int) -> MeleeEstimate:
        if not self.size:
            return MeleeEstimate(1, 1, 1)
        needed = self._table.lost_at / 100
        beaten = gone = hurt = 0.0
        for left, chance in self.after(change):
            bad = (initial_size - left.steady) / initial_size
            beaten += chance if bad >= needed else 0
            gone += 0 if left.size else chance
            hurt += bad * chance
        return MeleeEstimate(beaten, gone, hurt)


class LossTable:
    """The losses of all hosts with parts of these qualities."""

    def __init__(self, law: CampaignTables, qualities: tuple[Quality, ...]) -> None:
        self._law = law
        self._worst_first = [
            qualities.index(quality) for quality in WORST_FIRST if quality in qualities
        ]
        self._head_counts: dict[Counts, HeadCount] = {}
        self._results: dict[int, _Results] = {}
        self.qualities = qualities
        self.lost_at = law.number("combat.lost_at")

    @property
    def is_full(self) -> bool:
        """Return whether the table has grown so large that new hosts begin another."""
        return len(self._head_counts) >= MOST_COUNTS

    def head_count(self, counts: Counts) -> HeadCount:
        """Return the one head count with these numbers."""
        known = self._head_counts.get(counts)
        if known is None:
            known = self._head_counts[counts] = HeadCount(self, counts)
        return known

    def spread(self, before: HeadCount, change: int) -> tuple[tuple[HeadCount, float], ...]:
        """Return what two dice with this modifier leave, each with its chance."""
        chances: dict[HeadCount, float] = defaultdict(float)
        last: _Results | None = None
        left = before
        for dice, chance in _DICE:
            results = self._results_at(dice + change)
            if results != last:
                left, last = self._suffer(before, results), results
            chances[left] += chance
        return tuple(chances.items())

    def _results_at(self, total: int) -> _Results:
        known = self._results.get(total)
        if known is None:
            rows = [self._law.combat(quality, total) for quality in self.qualities]
            known = self._results[total] = tuple([(row.eliminated, row.disrupted) for row in rows])
        return known

    def _suffer(self, before: HeadCount, results: _Results) -> HeadCount:
        """Return what these results leave: disrupted units are eliminated first (9.4, 9.5)."""
        size, counts = before.size, before.counts
        if not size:
            return before
        present = (
            place for place in self._worst_first if counts[2 * place] or counts[2 * place + 1]
        )
        eliminated, disrupted = results[next(present)]
        gone, hurt = _part(size, eliminated), _part(size, disrupted)
        if not gone and not hurt:
            return before
        left: list[int] = []
        for place, (eliminated, disrupted) in enumerate(results):
            steady, shaken = counts[2 * place], counts[2 * place + 1]
            out = min(gone, _part(steady + shaken, eliminated))
            newly = min(hurt, _part(steady + shaken, disrupted))
            gone, hurt = gone - out, hurt - newly
            from_shaken = min(out, shaken)
            steady = max(0, steady - (out - from_shaken))
            shaken -= from_shaken
            now = min(newly, steady)
            left += (steady - now, max(0, shaken - (newly - now)) + now)
        return self.head_count(tuple(left))


def _part(size: int, percent: int) -> int:
    return max(1, size * percent // 100) if percent and size else 0


def loss_table(law: CampaignTables, qualities: tuple[Quality, ...]) -> LossTable:
    """Return the table of hosts of these qualities."""
    newest = _tables(law, qualities)
    if newest[0].is_full:
        # Hosts that have the full one keep it, so that equal numbers of theirs stay one object.
        newest[0] = LossTable(law, qualities)
    return newest[0]


@lru_cache(maxsize=32)
def _tables(law: CampaignTables, qualities: tuple[Quality, ...]) -> list[LossTable]:
    return [LossTable(law, qualities)]
