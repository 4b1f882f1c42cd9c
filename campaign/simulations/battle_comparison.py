"""One battle by every book and by the campaign's own table, many times over, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from battles import simulation
from battles.contract import Brief, Report, Side
from battles.contract.registry import book, books
from battles.core.decoding import decode, encode
from battles.core.process_pool import pool_map
from battles.simulation import A_TASK, BattleEstimate, dice_of, estimate, strength_lost
from campaign.rules.core.state import TABLE
from campaign.simulations.table_battle import fight_by_table

NOBODY = "nobody"
OWN_TABLE = "The combat table"


class Bout(msgspec.Struct, frozen=True, array_like=True):
    """How one battle came out: who won, and the share of its strength that each side lost.

    `fault`, where it could not be fought, says why.
    """

    winner: str = NOBODY
    egyptian: float = 0.0
    mahdist: float = 0.0
    turns: int = 0
    fault: str = ""


class BookResult(NamedTuple):
    """What came of the battles by one way. `won` has shares by side and for nobody."""

    way: str
    title: str
    battles: int
    won: Mapping[str, BattleEstimate] = {}
    lost: Mapping[str, BattleEstimate] = {}
    turns: BattleEstimate | None = None
    fault: str = ""


def ways() -> tuple[str, ...]:
    """Return every way a battle can be fought without people: the books, then the campaign's table."""
    return (*books(), TABLE)


def title_of(way: str) -> str:
    """What a way is called."""
    return OWN_TABLE if way == TABLE else book(way).title


def bout(brief: Brief, way: str, seed: int, number: int) -> Bout:
    """Return the battle of that number by that way: the same as often as it is asked for.

    A brief that a book cannot set out has a fault instead.
    """
    try:
        report = _fought(brief, way, seed, number)
    except ValueError as unfit:
        return Bout(fault=str(unfit)[:300])
    return Bout(
        report.winner.value if report.winner else NOBODY,
        strength_lost(brief, report, Side.EGYPTIAN),
        strength_lost(brief, report, Side.MAHDIST),
        report.turns,
    )


def bouts(brief: Brief, each: int, *, seed: int, workers: int = 1) -> Iterator[Bout]:
    """Battles by every way in turn, so many by each, worked out by so many processes.

    Raises WorkerDied when one of them dies.
    """
    of = ways()
    one = partial(_stored_bout, encode(brief), of, seed)
    return pool_map(one, range(each * len(of)), workers, at_a_time=A_TASK)


def _stored_bout(brief: bytes, of: Sequence[str], seed: int, place: int) -> Bout:
    way, number = book_and_number(place, of)
    return bout(decode(brief, Brief), way, seed, number)


def _fought(brief: Brief, way: str, seed: int, number: int) -> Report:
    if way == TABLE:
        return fight_by_table(brief, dice_of(brief, seed, number))
    return simulation.fight_one(brief, way, seed, number).report


def book_and_number(place: int, of: Sequence[str]) -> tuple[str, int]:
    """Return the way and the number of the battle that is fought in that place: each way in its
    turn.
    """
    return of[place % len(of)], place // len(of) + 1


def book_results(of: Sequence[str], bouts: Sequence[Bout]) -> list[BookResult]:
    """What came of each way so far, fought in turn."""
    return [_column(way, bouts[place :: len(of)]) for place, way in enumerate(of)]


def _column(way: str, bouts: Sequence[Bout]) -> BookResult:
    fought = [one for one in bouts if not one.fault]
    if not fought:
        return BookResult(way, title_of(way), 0, fault=next((one.fault for one in bouts), ""))
    winners = [side.value for side in Side] + [NOBODY]
    return BookResult(
        way,
        title_of(way),
        len(fought),
        {name: estimate([float(one.winner == name) for one in fought]) for name in winners},
        {side.value: estimate([getattr(one, side.value) for one in fought]) for side in Side},
        estimate([float(one.turns) for one in fought]) if way != TABLE else None,
    )
