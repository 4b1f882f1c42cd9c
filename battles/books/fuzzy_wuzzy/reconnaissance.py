"""Reconnaissance: at what distance units are observed (section 6)."""

from battles.books.fuzzy_wuzzy.book import SCALE, book
from battles.books.fuzzy_wuzzy.pieces import Rate, Size, Style


def size_of(stands: int) -> Size:
    """How large a unit of so many stands looks."""
    return book().size(stands)


def may_reconnoitre(rate: Rate) -> bool:
    """Whether a unit that has moved so throws for reconnaissance."""
    return rate in (Rate.MARCH, Rate.DOUBLE)


def score_of(die: int, *, open_terrain: bool) -> int:
    """The die with what open terrain adds."""
    return die + (book().number("open terrain") if open_terrain else 0)


def observed_at(style: Style, size: Size, die: int, *, open_terrain: bool = False) -> int:
    """Hundredths of a centimetre at which such units are observed, 0 for not at all."""
    return SCALE * book().observed(style, score_of(die, open_terrain=open_terrain), size)
