"""A battle fought on a real table: the report of what is left on it.

People count figures or stands; the book's own reckoning makes the fates of campaign units of them.
"""

from collections.abc import Mapping

import msgspec

from battles.contract import Brief, Report, book, conserve
from battles.shelves import Ended, Left, shelf


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
