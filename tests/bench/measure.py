"""Timing by turns: the work and its reference one after the other, so that both see one machine."""

import gc
import statistics
import time
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

REPEATS = 9
SHORTEST = 0.02
"""Seconds: what takes less is done several times over, as timeit does, and divided."""


class Row(NamedTuple):
    """One line of the table: seconds of work and reference, and how often each was run."""

    name: str
    work: list[float]
    reference: list[float]
    aim: str

    @property
    def ratio(self) -> float:
        """Median of the work by median of the reference."""
        return statistics.median(self.work) / statistics.median(self.reference)

    def __str__(self) -> str:
        low, high = (end / statistics.median(self.reference) for end in _ends(self.work))
        seconds = statistics.median(self.work) * 1000
        return (
            f"{self.name:<58} {self.ratio:8.3f}  ({low:.3f} to {high:.3f})  "
            f"n={len(self.work)}  {seconds:9.3f} ms  aim {self.aim}"
        )


def _ends(times: list[float]) -> tuple[float, float]:
    return min(times), max(times)


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes, once, with the collector out of the way."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def by_turns(
    name: str,
    work: Callable[[], object],
    reference: Callable[[], object],
    *,
    aim: str,
    repeats: int = REPEATS,
) -> Row:
    """The work and the reference, each warmed once and then run by turns."""
    mine, its = _long_enough(work), _long_enough(reference)
    pairs = [(mine(), its()) for _ in range(repeats)]
    return Row(name, [mine for mine, _ in pairs], [theirs for _, theirs in pairs], aim)


def _long_enough(work: Callable[[], object]) -> Callable[[], float]:
    """What gives the seconds that the work takes, timed over as many as make it measurable."""
    work()
    times = ceil(SHORTEST / seconds(work))
    return lambda: seconds(lambda: [work() for _ in range(times)]) / times
