"""Fight one battle many times by every book and by the campaign's own table, and compare."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from battles import simulation
from battles.contract import Brief, Report, Side
from battles.contract.book import book, books
from battles.core.decoding import decode, encode
from battles.core.process_pool import pool_map
from battles.simulation import A_TASK, BattleEstimate, dice_of, estimate, strength_lost
from campaign.rules.core.state import COMBAT_TABLE
from campaign.simulations.table_battle import fight_by_table

NOBODY = "nobody"
OWN_TABLE = "The combat table"


class ComparedBattle(msgspec.Struct, frozen=True, array_like=True):
    """The result of one battle: the winner, and the share of its strength that each side lost.

    `fault` is the reason why it could not be fought.
    """

    winner: str = NOBODY
    egyptian: float = 0.0
    mahdist: float = 0.0
    turns: int = 0
    fault: str = ""


class BookResult(NamedTuple):
    """The results of one way of fighting. `won` has shares by side and for nobody."""

    way: str
    title: str
    battles: int
    won: Mapping[str, BattleEstimate] = {}
    lost: Mapping[str, BattleEstimate] = {}
    turns: BattleEstimate | None = None
    fault: str = ""


def ways() -> tuple[str, ...]:
    """Return every way of fighting without people: the books, then the campaign's table."""
    return (*books(), COMBAT_TABLE)


def title_of(way: str) -> str:
    """Return the title of a way of fighting."""
    return OWN_TABLE if way == COMBAT_TABLE else book(way).title


def bout(brief: Brief, way: str, seed: int, number: int) -> ComparedBattle:
    """Fight the battle of that number by that way; the same numbers give the same result.

    A brief that a book cannot set up gives a fault.
    """
    try:
        report = _fight_once(brief, way, seed, number)
    except ValueError as unfit:
        return ComparedBattle(fault=str(unfit)[:300])
    return ComparedBattle(
        report.winner.value if report.winner else NOBODY,
        strength_lost(brief, report, Side.EGYPTIAN),
        strength_lost(brief, report, Side.MAHDIST),
        report.turns,
    )


def bouts(brief: Brief, each: int, *, seed: int, workers: int = 1) -> Iterator[ComparedBattle]:
    """Yield battles by every way in turn, `each` of them, fought in `workers` processes.

    Raises WorkerDied when one of them dies.
    """
    all_ways = ways()
    fight = partial(_stored_bout, encode(brief), all_ways, seed)
    return pool_map(fight, range(each * len(all_ways)), workers, at_a_time=A_TASK)


def _stored_bout(brief: bytes, ways: Sequence[str], seed: int, place: int) -> ComparedBattle:
    way, number = book_and_number(place, ways)
    return bout(decode(brief, Brief), way, seed, number)


def _fight_once(brief: Brief, way: str, seed: int, number: int) -> Report:
    if way == COMBAT_TABLE:
        return fight_by_table(brief, dice_of(brief, seed, number))
    return simulation.fight_one(brief, way, seed, number).report


def book_and_number(place: int, ways: Sequence[str]) -> tuple[str, int]:
    """Return way and number of the battle in that place: the ways take turns."""
    return ways[place % len(ways)], place // len(ways) + 1


def book_results(ways: Sequence[str], bouts: Sequence[ComparedBattle]) -> list[BookResult]:
    """Return the results of each way so far, from bouts fought in turn."""
    return [_column(way, bouts[place :: len(ways)]) for place, way in enumerate(ways)]


def _column(way: str, bouts: Sequence[ComparedBattle]) -> BookResult:
    fought = [bout for bout in bouts if not bout.fault]
    if not fought:
        return BookResult(way, title_of(way), 0, fault=next((bout.fault for bout in bouts), ""))
    winners = [side.value for side in Side] + [NOBODY]
    return BookResult(
        way,
        title_of(way),
        len(fought),
        {name: estimate([float(bout.winner == name) for bout in fought]) for name in winners},
        {side.value: estimate([getattr(bout, side.value) for bout in fought]) for side in Side},
        estimate([float(bout.turns) for bout in fought]) if way != COMBAT_TABLE else None,
    )
