"""A battle fought on a real table: the report of what is left on it.

People count figures or stands; the book's own reckoning makes the fates of campaign units of them.
"""

from collections.abc import Iterable, Mapping

import msgspec

from battles.contract import Brief, Report, Unfit, book, conserve
from battles.prose.roster import Line
from battles.shelves import Ended, Left, shelf


def check(lines: Iterable[Line], left: Mapping[int, Left]) -> None:
    """Raise Unfit unless something is said of everybody on the roster, and no more than came."""
    known = {line.number: line for line in lines}
    unknown = sorted(set(left) - set(known))
    if unknown:
        raise Unfit(f"Nobody on the roster has number {unknown[0]}.")
    for number, line in known.items():
        if number not in left:
            raise Unfit(f"Nothing is said of number {number}, {line.name}.")
        if not 0 <= left[number].figures <= line.came:
            raise Unfit(f"Of number {number}, {line.name}, 0 to {line.came} can be left.")


def counted(brief: Brief, slug: str, left: Mapping[int, Left], ended: Ended) -> Report:
    """The report of a battle of which that is left, by number. Raises Unfit."""
    engine = book(slug)
    state = engine.drawn_up(brief)
    shelf(slug).end(state, left, ended)
    report = msgspec.structs.replace(
        engine.report(state), winner=ended.winner, ending=ended.ending, turns=ended.turns
    )
    conserve(brief, report)
    return report
