"""Numbers of units, the calendar (1.2), and which units may share a hex with the enemy (6.0)."""

from collections.abc import Iterable
from typing import Annotated, NewType

from battles.contract.brief import AFLOAT, MONTHS, TroopKind
from battles.core.decoding import none_is

UnitId = NewType("UnitId", int)
UnitOrNone = Annotated[UnitId, none_is(0)]
"""A unit, or 0 for none, which the REST interface writes as null."""
Month = NewType("Month", int)


def meet_ashore(kinds: Iterable[TroopKind], enemy: Iterable[TroopKind]) -> bool:
    """Return whether units of both sides would stand ashore in their hex, which none may (6.0).

    Craft keep no hex to themselves, and leaders alone neither (6.1, 7.2). Leaders with craft of
    their own side are aboard.
    """
    ashore, enemy_ashore = _ashore(kinds), _ashore(enemy)
    return bool(ashore and enemy_ashore) and bool((ashore | enemy_ashore) - {TroopKind.LEADER})


def _ashore(kinds: Iterable[TroopKind]) -> frozenset[TroopKind]:
    present = frozenset(kinds)
    return present - AFLOAT - {TroopKind.LEADER} if present & AFLOAT else present


def month(year: int, number: int) -> Month:
    """Return the month as an integer that grows by one a turn (1.2); `number` is 1 to 12."""
    return Month(year * 12 + number - 1)


def month_from_text(text: str) -> Month:
    """Return the month written as `1884-02`. Raise ValueError when the text is not a month."""
    year, number = text.split("-")
    if not 1 <= int(number) <= 12:
        raise ValueError(f"{text!r} is not a month: write it like 1884-02")
    return month(int(year), int(number))


def month_number(when: Month) -> int:
    """Return 1 for January to 12 for December."""
    return when % 12 + 1


def months_between(first: int, last: int) -> frozenset[int]:
    """Return the months of the year from one to the other, over its end where that comes first."""
    if first <= last:
        return frozenset(range(first, last + 1))
    return frozenset(range(1, 13)) - frozenset(range(last + 1, first))


def month_slug(when: Month) -> str:
    """Return the month as `1884-02`, for files and addresses."""
    return f"{when // 12}-{month_number(when):02d}"


def month_name(when: Month) -> str:
    """Return the month as `February 1884`."""
    return f"{MONTHS[when % 12]} {when // 12}"
