"""The map of the Sudan, 1882 to 1885: hexes of 17 km laid over a survey of the country.

`sudan()` gives the map that comes with the game. Hexes are numbered by printed column and row,
`f"{hex_id:04d}"`: columns 00 to 61 from the west, rows 00 to 63 from the north, even columns half a
hex further south.

Closed to play (`Hex.closed`), for the printed map did not have them: the land of the regions
`northeast_fill` (the Red Sea hills north of 20 degrees, Mohammed Gol among them) and `abyssinia`,
save what lies within two hexes of a named place outside these regions, so that the country round
Kassala, Gallabat and Tokar stays open. No place of the book, track or river needs a closed hex.

`campaign.map_compiler` builds sudan.json from a survey; that file alone is read here.
"""

from campaign.rules.map.graph import Map, load, sudan
from campaign.rules.map.model import (
    GroundClass,
    Hex,
    HexId,
    MapError,
    NamedPlace,
    Nav,
    PlaceClass,
    RailwayTrack,
    Relief,
    RiverMove,
    RiverSide,
    Road,
    Wadi,
)

__all__ = [
    "GroundClass",
    "Hex",
    "HexId",
    "Map",
    "MapError",
    "NamedPlace",
    "Nav",
    "PlaceClass",
    "RailwayTrack",
    "Relief",
    "RiverMove",
    "RiverSide",
    "Road",
    "Wadi",
    "load",
    "sudan",
]
