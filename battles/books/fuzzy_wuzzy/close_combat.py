"""Close combat: casualties by the grading of the defender (sections 12 and 13)."""

from collections.abc import Iterable

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Grading, Style


def casualties(style: Style, defender: Grading, score: int) -> int:
    """Casualties of one die: a normal one of regulars, an average one of irregulars."""
    row = book().close(style, score)
    if row is None:
        return 0
    found: int = getattr(row, defender.value)
    return found


def casualties_of(style: Style, dice: Iterable[int], defender: Grading = Grading.LIGHT) -> int:
    """Casualties of all the dice of a unit."""
    return sum(casualties(style, defender, score) for score in dice)
