"""Rallying: which retreating stands obey orders again (section 15)."""

from collections.abc import Iterable

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Style


def dice_of(style: Style) -> str:
    """The dice that are thrown, one for each retreating stand: "AvD" or "D6"."""
    return book().rally(style)[0].dice


def rallies(style: Style, score: int) -> bool:
    """Whether a stand rallies. Raises LookupError for what such a die cannot show."""
    for row in book().rally(style):
        if row.low <= score <= row.high:
            return row.rallies
    raise LookupError(f"No {dice_of(style)} shows {score}.")


def rallied(style: Style, scores: Iterable[int]) -> int:
    """How many stands rally, a score for each."""
    return sum(rallies(style, score) for score in scores)
