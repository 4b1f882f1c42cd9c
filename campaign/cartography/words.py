"""Lettering: small capitals that need no font for them, and how much room words take."""

from dataclasses import dataclass
from typing import Literal

from battles.drawing.pen import element, text
from campaign.cartography.sheet import Point

SMALL = 0.8
"""Height of a small capital beside a capital."""

WIDEST = 0.7
"""Width of a capital in widths of the type's size, in the widest of the fonts named."""

Anchor = Literal["start", "middle", "end"]


def small_capitals(words: str) -> str:
    """The words with every letter but the first of each word as a small capital."""
    parts = [_word(word) for word in words.split(" ")]
    return " ".join(parts)


def _word(word: str) -> str:
    head, tail = word[:1].upper(), word[1:].upper()
    return text(head) + (element("tspan", text(tail), class_="sc") if tail else "")


def width(words: str, size: float) -> float:
    """Room that words in small capitals take, in units of the sheet; rather too much."""
    return size * WIDEST * (1 + SMALL * (len(words) - 1)) if words else 0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the sheet."""

    west: float
    north: float
    east: float
    south: float

    def overlap(self, other: "Box") -> float:
        """The area the two have in common."""
        wide = min(self.east, other.east) - max(self.west, other.west)
        high = min(self.south, other.south) - max(self.north, other.north)
        return wide * high if wide > 0 and high > 0 else 0

    def holds(self, point: Point) -> bool:
        """Whether a point lies within."""
        return self.west <= point[0] <= self.east and self.north <= point[1] <= self.south
