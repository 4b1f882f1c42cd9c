"""The words of the map: identifiers, classes of ground, place and river, and the one error."""

from enum import StrEnum
from typing import NewType

HexId = NewType("HexId", int)
"""Column times 100 plus row, as printed: `f"{hex_id:04d}"`. Columns 00 to 61 run west to east,
rows 00 to 63 north to south; even columns stand half a hex further south (even-q offset)."""

Pair = tuple[float, float]
"""Two numbers: [latitude, longitude] in degrees in the survey, (x, y) in kilometres on the grid
with x to the east and y to the north."""


class Ground(StrEnum):
    """What the land yields; hill and mountain lie on top of it (see Relief)."""

    DESERT = "desert"
    CLEAR = "clear"
    CULTIVATED = "cultivated"
    SEA = "sea"


class Relief(StrEnum):
    """How steep the land is."""

    FLAT = "flat"
    HILL = "hill"
    MOUNTAIN = "mountain"


class PlaceClass(StrEnum):
    """The three kinds of place the rules know."""

    TOWN = "town"
    VILLAGE = "village"
    OASIS = "oasis"


class Nav(StrEnum):
    """Class of a stretch of river (8.23); seasonal is navigable from November to February."""

    NAVIGABLE = "navigable"
    SEASONAL = "seasonal"
    UNNAVIGABLE = "unnavigable"


class Bank(StrEnum):
    """Side of a river, for a person facing downstream; either means that both will do."""

    LEFT = "left"
    RIGHT = "right"
    EITHER = "either"


class MapError(ValueError):
    """The survey or the built map is damaged, or a name is not on the map."""
