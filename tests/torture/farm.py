"""Measure a farm: `python -m tests.torture.farm [--runs 120] [--workers 1 2] [--times 3]`.

The same forecast by one worker of the simulation queue and by more of them, by turns, beside
PostgreSQL and Redis, all on this machine; the workers are up before the forecast is asked for.
"""

import argparse
import statistics
import time

from tests.torture.club import Club, Hand, club_of_its_own, kill, until

SLUG = "farm"


def seconds(club: Club, runs: int, workers: int) -> float:
    """Return how long so many workers take for a forecast of so many runs."""
    names = [f"farm-{number}" for number in range(workers)]
    for name in names:
        (club.folder / f"{name}.log").unlink(missing_ok=True)
    own = ("--queues", "simulation", "--hostname")
    at_work = [club.worker(*own, f"{name}@%h", name=name) for name in names]
    try:
        until(lambda: all("ready." in club.log(name) for name in names), "no worker is up")
        hand = Hand(club)
        began = time.perf_counter()
        asked = hand("forecast", slug=SLUG, runs=runs)
        until(lambda: hand("left", inquiry=asked) == 0, "the forecast comes to no end", 3600)
        return time.perf_counter() - began
    finally:
        for process in at_work:
            kill(process)


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--runs", type=int, default=120)
    wanted.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    wanted.add_argument("--times", type=int, default=3)
    chosen = wanted.parse_args()
    with club_of_its_own("farm") as club:
        Hand(club)("begin", slug=SLUG, by_sheets=False)
        taken: dict[int, list[float]] = {many: [] for many in chosen.workers}
        for _ in range(chosen.times):
            for many, times in taken.items():
                times.append(seconds(club, chosen.runs, many))
        for many, times in taken.items():
            print(_told(chosen.runs, many, times, taken[chosen.workers[0]]))  # noqa: T201


def _told(runs: int, many: int, times: list[float], first: list[float]) -> str:
    as_fast = statistics.median(first) / statistics.median(times)
    return (
        f"{many} workers, {runs} runs: {statistics.median(times):7.1f} s "
        f"({min(times):.1f} to {max(times):.1f}, n={len(times)}), {as_fast:.2f} times as fast"
    )


if __name__ == "__main__":
    main()
