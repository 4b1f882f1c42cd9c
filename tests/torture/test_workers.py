"""Workers that die: at any moment of a month, at its battles, with the same order twice."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.torture.club import Club, Hand, kill, until

LONG = pytest.mark.torture
WAYS: tuple[dict[str, Any], ...] = (
    {"by_sheets": True},
    {"by_sheets": True, "fog": True},
    {"by_sheets": True, "scenario": "relief-of-el-obeid"},
    {"by_sheets": False},
    {"by_sheets": False, "battles": "redcoats"},
    {"by_sheets": True, "battles": "redcoats"},
)


class Season:
    """Campaigns that somebody keeps asking months of, as fast as they are played."""

    def __init__(self, hand: Hand, chance: random.Random, at_once: int) -> None:
        """`at_once` are played at a time, so that no kill waits for the last one's lease."""
        self._hand, self._chance, self._at_once = hand, chance, at_once
        self._sheets: dict[str, bool] = {}
        self.handed_in: dict[str, dict[str, str]] = {}

    def ask(self) -> None:
        """Have sheets handed in and one to three months asked for wherever nothing is."""
        idle = self._hand("idle")
        while len(self._hand("unfinished")) < self._at_once:
            idle.append(self._begin())
        for slug in idle:
            if self._sheets.get(slug):
                self._hand_in(slug)
            self._hand("ask", slug=slug, months=self._chance.randint(1, 3))

    def _begin(self) -> str:
        slug = f"war-{len(self._sheets) + 1}"
        way = WAYS[len(self._sheets) % len(WAYS)]
        self._hand("begin", slug=slug, **way)
        self._sheets[slug] = way["by_sheets"]
        return slug

    def _hand_in(self, slug: str) -> None:
        for told in self._hand("order", slug=slug):
            self.handed_in.setdefault(slug, {})[f"{told['month']}.{told['seat']}"] = told["hash"]

    def check(self) -> Counter[str]:
        """Every campaign is whole by today's rules, has played what was asked of it, and more not;
        every sheet that was ever handed in is there. What was gone through in all."""
        found: Counter[str] = Counter()
        for slug in self._sheets:
            now = self._hand("now", slug=slug)
            assert now["played"] == now["asked"] or now["finished"], (slug, now)
            there = self._hand("sheets", slug=slug)
            for which, hash_ in self.handed_in.get(slug, {}).items():
                assert there[which][1] == hash_, (slug, which)
            found.update(self._hand("whole", slug=slug, by_rules=True))
        return found


def _seconds_of_a_month(club: Club, hand: Hand) -> float:
    """Return how long a worker takes for a month here and now."""
    hand("begin", slug="quiet", by_sheets=False)
    hand("ask", slug="quiet", months=3)
    worker = club.worker()
    until(lambda: hand("now", slug="quiet")["status"] == "running", "no worker takes up any job")
    began = time.monotonic()
    until(lambda: hand("now", slug="quiet")["status"] == "succeeded", "the months are not played")
    kill(worker)
    return (time.monotonic() - began) / 3


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=LONG)])
def test_a_worker_killed_at_any_moment_of_a_month_loses_nothing(
    club: Club, hand: Hand, kills: int, tell: Callable[[str], None]
) -> None:
    chance = random.Random(kills)
    season, phases = Season(hand, chance, min(kills, len(WAYS))), Counter[str]()
    began, tried = time.monotonic(), 0
    month = _seconds_of_a_month(club, hand) if kills > 10 else 0.3
    while phases.total() < kills:
        season.ask()
        worker = club.worker()
        until(lambda: hand("running"), "no worker takes up any job")
        time.sleep(chance.uniform(0, 1.5 * month))
        kill(worker)
        tried += 1
        for slug in hand("running"):
            phases[hand("now", slug=slug)["phase"]] += 1
            hand("whole", slug=slug)
    finish(club, hand)
    found = season.check()
    tell(
        f"worker killed in a month: {phases.total()} of {tried} kills, in {dict(phases)}; "
        f"{dict(found)} whole, {time.monotonic() - began:.0f} s"
    )


@LONG
def test_a_forecast_is_closed_by_its_chord_and_played_whole_though_a_worker_is_killed(
    club: Club, hand: Hand
) -> None:
    hand("begin", slug="war", by_sheets=False)
    workers = [club.worker(name=name) for name in ("worker-1", "worker-2")]
    whole = hand("forecast", slug="war", runs=12)
    until(lambda: not hand("is_open", inquiry=whole), "its chord does not close it", 600)
    assert hand("left", inquiry=whole) == 0
    shot = hand("forecast", slug="war", runs=12)
    until(lambda: hand("left", inquiry=shot) == 2, "no part is played", 600)
    kill(workers[0])
    until(lambda: hand("left", inquiry=shot) == 0, "the rest is not taken up", 600)
    assert hand("runs", inquiry=shot) == 12


@LONG
def test_the_order_of_a_job_that_comes_five_times_is_carried_out_once(
    club: Club, hand: Hand
) -> None:
    hand("begin", slug="war")
    hand("order", slug="war")
    job = hand("ask", slug="war")["job"]
    hand("send", job=job, times=4)
    workers = [club.worker(name=name) for name in ("worker-1", "worker-2")]
    until(lambda: hand("now", slug="war")["status"] == "succeeded", "the month is not played")
    hand("send", job=job, times=3)
    time.sleep(1)
    assert hand("now", slug="war")["played"] == 1
    assert hand("whole", slug="war", by_rules=True)["sheets"] == 2
    assert len(workers) == 2


def finish(club: Club, hand: Hand) -> None:
    """Let one worker play everything that is still asked for."""
    club.worker()

    def nothing_left() -> bool:
        hand("sweep")
        time.sleep(0.5)
        return not hand("under_way")

    until(nothing_left, "months are left that no worker takes up")


@LONG
def test_children_of_a_worker_killed_in_mid_month_are_replaced_and_nothing_is_lost(
    club: Club, hand: Hand, tell: Callable[[str], None]
) -> None:
    """A worker of several processes, all of which die at once, twenty times."""
    chance, killed = random.Random(20), 0
    season = Season(hand, chance, len(WAYS))
    worker = club.worker("--pool", "prefork", "--concurrency", "2")
    for _ in range(20):
        season.ask()
        until(lambda: hand("running"), "no worker takes up any job")
        time.sleep(chance.uniform(0, 0.5))
        for child in children(worker.pid):
            os.kill(child, signal.SIGKILL)
            killed += 1
    assert worker.poll() is None
    finish(club, hand)
    tell(f"children of a worker killed: {killed}; {dict(season.check())} whole")


def children(process: int) -> list[int]:
    """Return the processes that it has started."""
    return [
        int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


@LONG
def test_the_memory_of_a_worker_is_flat_over_a_thousand_months(
    club: Club, hand: Hand, tell: Callable[[str], None]
) -> None:
    """After five hundred months its caches are full; a thousand need no more."""
    season, began = Season(hand, random.Random(1000), len(WAYS)), time.monotonic()
    worker = club.worker()
    taken: list[int] = []
    while len(taken) < 10:
        season.ask()
        time.sleep(0.2)
        if hand("played") >= 100 * (len(taken) + 1):
            taken.append(resident(worker.pid))
    finish(club, hand)
    season.check()
    tell(
        f"a worker's resident memory (MB) after every 100 of 1,000 months: {taken}; "
        f"{time.monotonic() - began:.0f} s"
    )
    assert taken[-1] <= 1.05 * taken[4], taken


def resident(process: int) -> int:
    """Return the memory that the process holds, in MB."""
    (line,) = [
        line
        for line in Path(f"/proc/{process}/status").read_text().splitlines()
        if line.startswith("VmRSS:")
    ]
    return int(line.split()[1]) // 1000
