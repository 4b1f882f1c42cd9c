"""The sheet as printed: all that no campaign changes."""

from collections.abc import Iterable

from battles.drawing.pen import element
from campaign.cartography.cartouche import cartouche, reference
from campaign.cartography.frame import clip, frame, graticule, paper
from campaign.cartography.names import country_names, river_names
from campaign.cartography.places import Lettering, signs
from campaign.cartography.sheet import Sheet
from campaign.cartography.terrain import bounds, definitions, grid, sea, terrain
from campaign.cartography.waters import rivers
from campaign.cartography.ways import roads, tracks
from campaign.rules.map import HexId


def printed(sheet: Sheet, held: Iterable[HexId] = ()) -> str:
    """The printed map as one group; names of places in the hexes held make room for counters."""
    lettering = Lettering(sheet)
    ground = element(
        "g",
        terrain(sheet),
        sea(sheet),
        graticule(sheet),
        rivers(sheet),
        bounds(sheet),
        grid(sheet),
        roads(sheet),
        tracks(sheet),
        clip_path="url(#c-neat)",
    )
    return element(
        "g",
        element("defs", clip(sheet), definitions(), signs()),
        paper(sheet),
        ground,
        frame(sheet),
        country_names(sheet),
        river_names(sheet, lettering),
        lettering.drawn(held),
        cartouche(sheet),
        reference(sheet),
        id="printed",
    )
