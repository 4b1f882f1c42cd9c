"""Casualty markers: where they are placed, and the stands that are lost (section 10)."""

from collections.abc import Sequence
from typing import NamedTuple

Markers = tuple[int, ...]


class Placed(NamedTuple):
    """The markers of each stand that is left, and how many stands are no more."""

    markers: Markers
    lost: int


def placed(markers: Sequence[int], casualties: int, figures: int = 2) -> Placed:
    """So many more casualties on a unit whose stands have these markers.

    A marker wounds a figure. Each goes on the stand that has fewest, the foremost among equals;
    when every figure is wounded, each further casualty costs the rearmost stand with its markers.
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
    """Casualties on as few of the stands as will hold them, the rearmost first."""
    full, over = divmod(casualties, figures)
    filled = (*([over] if over else []), *[figures] * full)
    return (*[0] * (stands - len(filled)), *filled)


def overrun(markers: Sequence[int], figures: int = 2) -> Placed:
    """What is left of a unit that is overrun: stands with nobody unwounded are lost."""
    left = tuple(count for count in markers if count < figures)
    return Placed(left, len(markers) - len(left))
