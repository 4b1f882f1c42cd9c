"""Fight many battles in memory, commander against commander, and summarise them.

No database and no framework. The dice of a battle come from the seed of the run, the brief and the
number of the battle alone, so a run is the same whatever the number of workers.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from statistics import fmean, median, stdev

import msgspec

from battles.contract import Brief, Fate, Report, Side, TroopKind, fight
from battles.contract.brief import Troop
from battles.contract.registry import book
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.process_pool import pool_map

A_TASK = 8
"""Battles a worker gets at a time: with one, passing messages costs more than the battle."""


class SimulatedBattle(msgspec.Struct, frozen=True):
    """A battle of a run, by its number."""

    number: int
    report: Report


class BattleEstimate(msgspec.Struct, frozen=True):
    """A mean over all battles with its standard error."""

    mean: float
    error: float


class Losses(msgspec.Struct, frozen=True):
    """The losses of one kind of unit, in units per battle."""

    side: Side
    kind: TroopKind
    units: int
    eliminated: BattleEstimate
    disrupted: BattleEstimate


class BattleSummary(msgspec.Struct, frozen=True):
    """The results of all battles of a run. Shares run from 0 to 1."""

    brief: str
    title: str
    book: str
    seed: int
    battles: int
    won: dict[str, BattleEstimate]
    """Share of battles won, by side, and "nobody" for the drawn."""
    endings: dict[str, int]
    turns: dict[str, float]
    strength_lost: dict[str, BattleEstimate]
    """Share of a side's strength points that was eliminated or captured."""
    losses: tuple[Losses, ...]


def simulate(
    brief: Brief, slug: str, numbers: Sequence[int], *, seed: int, workers: int = 1
) -> Iterator[SimulatedBattle]:
    """Fight the battles of these numbers by that book; yield each when it is over, in order.

    Raises NoSuchBook, and WorkerDied when a worker process dies.
    """
    book(slug)
    fight_battle = partial(_fight_stored, encode(brief), slug, seed)
    yield from pool_map(fight_battle, numbers, workers, at_a_time=A_TASK)


def _fight_stored(brief: bytes, slug: str, seed: int, number: int) -> SimulatedBattle:
    return fight_one(decode(brief, Brief), slug, seed, number)


def fight_one(brief: Brief, slug: str, seed: int, number: int) -> SimulatedBattle:
    """Fight the battle of that number by the commanders of both sides."""
    try:
        return SimulatedBattle(
            number, fight(book(slug).engine, brief, dice_of(brief, seed, number))
        )
    except Exception as failed:
        failed.add_note(f"This happened in battle {number} of seed {seed}.")
        raise


def dice_of(brief: Brief, seed: int, number: int) -> ChainedDice:
    """Return the dice of one battle of a run."""
    return ChainedDice(derive_key(b"fight", brief.id, seed, number))


def summary(brief: Brief, slug: str, seed: int, fought: Sequence[SimulatedBattle]) -> BattleSummary:
    """Return shares won, endings (the commonest first), lengths and losses of the battles."""
    reports = [battle.report for battle in fought]
    turns = [report.turns for report in reports]
    return BattleSummary(
        brief=brief.id,
        title=brief.title,
        book=slug,
        seed=seed,
        battles=len(reports),
        won={
            name: estimate([float(report.winner is side) for report in reports])
            for name, side in (*((side.value, side) for side in Side), ("nobody", None))
        },
        endings=dict(Counter(report.ending for report in reports).most_common()),
        turns={"shortest": min(turns), "median": median(turns), "longest": max(turns)},
        strength_lost={
            side.value: estimate([strength_lost(brief, report, side) for report in reports])
            for side in Side
        },
        losses=tuple(_losses(brief, reports)),
    )


def strength_lost(brief: Brief, report: Report, side: Side) -> float:
    """Return the share of the side's strength points that did not come back."""
    troops = brief.party(side).troops
    total = sum(troop.strength for troop in troops)
    gone = sum(troop.strength for troop in troops if _is_gone(report, troop))
    return gone / total if total else 0.0


def _is_gone(report: Report, troop: Troop) -> bool:
    return report.fates[troop.id] in (Fate.ELIMINATED, Fate.CAPTURED)


def _losses(brief: Brief, reports: Sequence[Report]) -> Iterator[Losses]:
    for side in Side:
        troops = brief.party(side).troops
        for kind in dict.fromkeys(troop.kind for troop in troops):
            alike = [troop for troop in troops if troop.kind is kind]
            gone = [sum(_is_gone(report, troop) for troop in alike) for report in reports]
            shaken = [
                sum(report.fates[troop.id] is Fate.DISRUPTED for troop in alike)
                for report in reports
            ]
            yield Losses(side, kind, len(alike), estimate(gone), estimate(shaken))


def estimate(values: Sequence[float]) -> BattleEstimate:
    """Return the mean of one value or more, and its standard error."""
    spread = stdev(values) if len(values) > 1 else 0.0
    return BattleEstimate(fmean(values), spread / sqrt(len(values)))
