"""Timing by turns: the work and its reference one after the other, so that both see one machine."""

import gc
import os
import statistics
import time
from collections.abc import Callable
from math import ceil
from typing import NamedTuple


class Sizes(NamedTuple):
    """The repeats of each measurement, and the size of each."""

    repeats: int = 9
    months: int = 9
    """Months played before the one that is timed: by then the Relief Expedition is on the Nile."""
    actions: int = 3000
    """Actions of random play in a turn."""
    phases: int = 60
    """Movement phases of the other engine in a turn."""
    sampled: int = 10_000
    """Combats in a sample by numpy."""
    played: int = 30
    """Assaults that the engine plays in a turn: each takes about a tenth of a second."""
    pairs: int = int(os.environ.get("BENCH_PAIRS", "3"))
    """Runs on one worker and on two."""
    battles: int = int(os.environ.get("BENCH_BATTLES", "1000"))
    playouts: int = int(os.environ.get("BENCH_PLAYOUTS", "200"))
    campaigns: int = int(os.environ.get("BENCH_CAMPAIGNS", "100"))
    scenario: str = "siege-of-khartoum"
    """The scenario of the campaigns that are played to their end."""


QUICK = Sizes(
    repeats=1, months=1, actions=100, phases=3, sampled=100, played=1, pairs=1, battles=4,
    playouts=2, campaigns=2, scenario="desert-column",
)  # fmt: skip
"""Sizes that show that a part runs to its end; figures taken by them mean nothing."""
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
    """Return how long the work takes, once, with the collector out of the way."""
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
    repeats: int,
    prepare: Callable[[], object] | None = None,
) -> Row:
    """Time the work and the reference by turns, each warmed once; what is timed once is not warmed.

    Work that uses something up (a campaign, a session) has it made by `prepare`, which is called
    before every run, the warming included, and is not timed.
    """
    if repeats == 1:
        (prepare or (lambda: None))()
        return Row(name, [seconds(work)], [seconds(reference)], aim)
    mine = _long_enough(work) if prepare is None else _prepared(work, prepare)
    its = _long_enough(reference)
    pairs = [(mine(), its()) for _ in range(repeats)]
    return Row(name, [mine for mine, _ in pairs], [theirs for _, theirs in pairs], aim)


def _long_enough(work: Callable[[], object]) -> Callable[[], float]:
    """Return a timer of the work in seconds, over as many runs as make it measurable."""
    work()
    times = ceil(SHORTEST / seconds(work))
    return lambda: seconds(lambda: [work() for _ in range(times)]) / times


def _prepared(work: Callable[[], object], prepare: Callable[[], object]) -> Callable[[], float]:
    """Return what times one run of the work, prepared for each time."""

    def once() -> float:
        prepare()
        return seconds(work)

    once()
    return once
