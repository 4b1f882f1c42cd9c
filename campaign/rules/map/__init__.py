"""The map of the Sudan, 1882 to 1885: hexes of 17 km, built from a survey of the country.

`sudan()` returns the map that comes with the game, and `layered()` that map with a scenario's own
layer. Hexes are numbered by printed column and row,
`f"{hex_id:04d}"`: columns 00 to 61 from the west, rows 00 to 63 from the north, even columns half a
hex further south.

Closed to play (`Hex.closed`), because the printed map did not have them, are the land hexes of the
regions `northeast_fill` (the Red Sea hills north of 20 degrees, with Mohammed Gol) and `abyssinia`,
except those within two hexes of a named place outside these regions: the country round Kassala,
Gallabat and Tokar stays open. No place of the book, track or river needs a closed hex.

`campaign.map_compiler` builds sudan.json from a survey; this package reads only that file.
"""

from campaign.rules.map.graph import Map, is_printed, load, sudan
from campaign.rules.map.grid import (
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
from campaign.rules.map.layer import (
    HexNumber,
    LayerError,
    MapLayer,
    NamesInPlay,
    layer_faults,
    map_in_play,
    map_of_draft,
    map_with_layer,
    names_in_play,
    play_on,
    sound_part,
)

__all__ = [
    "GroundClass",
    "Hex",
    "HexId",
    "HexNumber",
    "LayerError",
    "Map",
    "MapError",
    "MapLayer",
    "NamedPlace",
    "NamesInPlay",
    "Nav",
    "PlaceClass",
    "RailwayTrack",
    "Relief",
    "RiverMove",
    "RiverSide",
    "Road",
    "Wadi",
    "is_printed",
    "layer_faults",
    "load",
    "map_in_play",
    "map_of_draft",
    "map_with_layer",
    "names_in_play",
    "play_on",
    "sound_part",
    "sudan",
]
