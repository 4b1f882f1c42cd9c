"""Casualty markers: placing and removing them, and rallying."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Style

Markers = tuple[int, ...]


class Placed(NamedTuple):
    """The markers of each stand that is left, and the number of stands lost."""

    markers: Markers
    lost: int


def placed(markers: Sequence[int], casualties: int, figures: int = 2) -> Placed:
    """Return the markers after more casualties on a unit with these markers.

    A marker wounds a figure. Each goes on the stand that has fewest, the foremost among equals;
    when every figure is wounded, each further casualty removes the rearmost stand with its markers.
    """
    left = list(markers)
    lost = 0
    for _ in range(casualties):
        fewest = min(left, default=figures)
        if fewest < figures:
            left[left.index(fewest)] += 1
        elif left:
            left.pop()
            lost += 1
    return Placed(tuple(left), lost)


def gathered(casualties: int, stands: int, figures: int = 2) -> Markers:
    """Return the casualties gathered on as few stands as possible, the rearmost first."""
    full, over = divmod(casualties, figures)
    filled = (*([over] if over else []), *[figures] * full)
    return (*[0] * (stands - len(filled)), *filled)


def overrun(markers: Sequence[int], figures: int = 2) -> Placed:
    """Return the stands left of a unit that is overrun: spent stands are lost."""
    left = tuple(count for count in markers if count < figures)
    return Placed(left, len(markers) - len(left))


def needs_die(markers: int) -> bool:
    """Return whether rounding half of so many casualty markers needs a normal die."""
    return bool(markers % book().number("half"))


def recovered(markers: int, die: int = 0) -> int:
    """Return the number of casualty markers removed; an even number needs no `die`.

    Raises StopIteration for a score that is not on a normal die.
    """
    half, odd = divmod(markers, book().number("half"))
    return half + (bool(odd) and book().rounding(die) == "up")


def dice_of(style: Style) -> str:
    """Return the kind of dice, one for each retreating stand: "AvD" or "D6"."""
    return book().rally(style)[0].dice


def rallies(style: Style, score: int) -> bool:
    """Return whether a stand rallies. Raises LookupError for a score not on such a die."""
    for row in book().rally(style):
        if row.low <= score <= row.high:
            return row.rallies
    raise LookupError(f"No {dice_of(style)} shows {score}.")


def rallied(style: Style, scores: Iterable[int]) -> int:
    """Return the number of stands that rally, with a score for each."""
    return sum(rallies(style, score) for score in scores)
