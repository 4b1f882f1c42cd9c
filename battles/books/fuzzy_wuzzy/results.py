"""The results of fire and of close combat (sections 11 and 14)."""

from typing import NamedTuple

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Arm, Combat, Compared, Does, Rate, Style
from battles.books.fuzzy_wuzzy.rows import ResultRow

Counts = tuple[int, int]
"""Casualties caused, and casualties suffered."""


class Result(NamedTuple):
    """A unit's duty or choice after a combat, its rate, and whether it lasts until rallied."""

    does: Does
    rate: Rate | None = None
    until_rallied: bool = False
    clause: str = ""

    @property
    def forced(self) -> bool:
        """Return whether it is a duty and leaves the Commander no choice."""
        return self.does in (Does.RETREATS, Does.RETREATS_NEXT, Does.HALTS)


class ResultCase(NamedTuple):
    """A unit after a combat; `enemy_retreats`, of the enemies it fought, is for close combat."""

    combat: Combat
    compared: Compared
    style: Style
    arm: Arm
    enemy_retreats: bool = False


def compare(caused: int, suffered: int) -> Compared:
    """Return casualties caused against casualties suffered; any against none are twice as many."""
    if caused > suffered:
        return Compared.MORE
    if caused == suffered:
        return Compared.AS_MANY
    return Compared.FEWER if suffered < 2 * caused else Compared.TWICE


def needs_die(case: ResultCase) -> bool:
    """Return whether the result needs a normal die."""
    return bool(_rows(case)[0].scores)


def result(case: ResultCase, die: int = 0) -> Result:
    """Return the result for such a unit, with a `die` where one is needed.

    Raises LookupError for a score that the table does not have.
    """
    for row in _rows(case):
        if not row.scores or die in row.scores:
            return Result(row.does, row.rate, row.until_rallied, row.clause)
    raise LookupError(f"A normal die shows 1 to 6, and this one {die}.")


def fire_result(counts: Counts, style: Style, arm: Arm, die: int = 0) -> Result:
    """Return the result for a unit with these casualties by fire (section 11)."""
    return result(ResultCase(Combat.FIRE, compare(*counts), style, arm), die)


def close_result(
    counts: Counts, style: Style, arm: Arm, die: int = 0, *, enemy_retreats: bool = False
) -> Result:
    """Return the result for a unit with these casualties in close combat (section 14).

    `enemy_retreats`: the enemy it fought has been forced to retreat.
    """
    return result(ResultCase(Combat.CLOSE, compare(*counts), style, arm, enemy_retreats), die)


def _rows(case: ResultCase) -> tuple[ResultRow, ...]:
    return book().results(
        case.combat, case.compared, case.style, case.arm, retreats=case.enemy_retreats
    )
