"""Many campaigns at random one after the other, on as many workers as one likes, and the count."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from time import monotonic
from typing import NamedTuple

from campaign.rules.core.state import State
from campaign.rules.tables.scenario_loader import scenarios
from tests.conformance.game import Crashed, Game

SCENARIOS = tuple(scenario.slug for scenario in scenarios())
EVERY = 60
"""Seconds between two lines that say how far it is."""


class Soak(NamedTuple):
    """The limits of a soak: campaigns, seconds, first seed, and workers."""

    campaigns: int
    seconds: float
    seed: int = 1
    workers: int = 1


class Played(NamedTuple):
    """One campaign: actions carried out, actions refused, resumptions, how it ended or broke."""

    actions: int
    refused: int
    resumed: int
    ending: str
    crash: str = ""


@dataclass
class Tally:
    """The result of a soak of one scenario."""

    scenario: str
    campaigns: int = 0
    actions: int = 0
    refused: int = 0
    resumed: int = 0
    seconds: float = 0
    crashes: list[str] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)

    def add(self, played: Played) -> None:
        """One campaign more; one that broke is counted as a crash, with the actions before it."""
        self.actions += played.actions
        self.refused += played.refused
        self.resumed += played.resumed
        if played.crash:
            self.crashes.append(played.crash)
            return
        self.campaigns += 1
        self.endings[played.ending] += 1

    def in_words(self) -> str:
        """Return the figures in one line."""
        pace = self.actions / self.seconds if self.seconds else 0
        return (
            f"{self.campaigns} campaigns, {self.actions:,} actions in {self.seconds:.0f} s"
            f" ({pace:.0f} a second), {self.refused:,} refused actions tried,"
            f" {self.resumed:,} resumptions, crashes: {len(self.crashes)}"
        )


def soak(scenario: str, plan: Soak, say: Callable[[str], None]) -> Tally:
    """Play campaigns of the scenario until there are enough or time is over; says how far it is.

    Whatever breaks is said at once, with the file that shows it, and the soak goes on.
    """
    tally, began, told = Tally(scenario), monotonic(), monotonic()
    for played in _played(scenario, plan, began + plan.seconds):
        tally.add(played)
        tally.seconds = monotonic() - began
        if played.crash:
            say(f"{scenario}: {played.crash}")
        if monotonic() - told >= EVERY:
            told = monotonic()
            say(f"{scenario}: {tally.in_words()}")
    return tally


def _played(scenario: str, plan: Soak, deadline: float) -> Iterator[Played]:
    seeds = iter(range(plan.seed, plan.seed + plan.campaigns))
    if plan.workers < 2:
        for seed in seeds:
            if monotonic() >= deadline:
                return
            yield one_campaign(scenario, seed)
        return
    with ProcessPoolExecutor(plan.workers, mp_context=get_context("spawn")) as pool:
        yield from _shared(pool, scenario, seeds, deadline)


def _shared(
    pool: Executor, scenario: str, seeds: Iterator[int], deadline: float
) -> Iterator[Played]:
    """Yield two campaigns ahead of each worker, so that none waits and none is begun too late."""
    ahead = 2 * getattr(pool, "_max_workers", 1)
    waiting: set[Future[Played]] = set()
    while True:
        while len(waiting) < ahead and monotonic() < deadline:
            seed = next(seeds, None)
            if seed is None:
                break
            waiting.add(pool.submit(one_campaign, scenario, seed))
        if not waiting:
            return
        done, waiting = wait(waiting, return_when="FIRST_COMPLETED")
        yield from (one.result() for one in done)


def one_campaign(scenario: str, seed: int) -> Played:
    """One campaign to its end, or to where it broke."""
    game = Game(scenario, seed)
    crash = ""
    try:
        game.play_out()
    except (Crashed, AssertionError) as error:
        crash = str(error)
    ending = ending_of(game.state)
    return Played(len(game.actions), game.refused, game.resumed, ending, crash)


def ending_of(state: State) -> str:
    """Return the winner and the reason; `none` for a campaign that is not over."""
    if state.result is None:
        return "none"
    return f"{state.result.winner or 'draw'}: {state.result.reason}"
