"""How the hundredths of a table become units of a drawing."""

from battles.drawing.pen import Point
from battles.open_table.field import Field

WIDE = 1500
"""Units of the drawing across a table of ordinary size, and what it is at most."""
WIDEST = 2100

MARGIN = 46
_ORDINARY = {"inch": 4800, "cm": 12_000}
"""Hundredths across a table of ordinary size."""

TICKS = {"inch": 600, "cm": 2000}
"""Hundredths from one mark of the ruler to the next."""

NAMES = {"inch": "inches", "cm": "centimetres"}


class Plan:
    """A table to scale; north is up, and what it is drawn on begins in its north-west corner."""

    def __init__(self, field: Field) -> None:
        wide = min(WIDE * field.width / _ORDINARY[field.measure], WIDEST)
        self.field = field
        self.scale = max(wide, WIDE) / field.width
        self.wide = round(field.width * self.scale)
        self.high = round(field.height * self.scale)

    def at(self, point: tuple[float, float]) -> Point:
        """The point on the drawing."""
        return (round(point[0] * self.scale), round(point[1] * self.scale))

    def length(self, hundredths: float) -> int:
        """So much on the drawing, one unit at least."""
        return max(1, round(hundredths * self.scale))
