"""Build the map from the survey; `python -m campaign.map_compiler.build` writes sudan.json."""

import sys
from pathlib import Path

from campaign.map_compiler.check import check
from campaign.map_compiler.draft import Draft, draft
from campaign.map_compiler.survey import RiverEntry, Survey, read_survey
from campaign.rules.map.document import (
    GROUND_LETTERS,
    RELIEF_LETTERS,
    CataractData,
    Document,
    GridData,
    HexData,
    ReachData,
    RegionData,
    RiverData,
    encode,
)
from campaign.rules.map.grid import Cell
from campaign.rules.map.kinds import HexId, MapError
from campaign.rules.map.model import Place, RiverSide, Road, Track, Wadi

FILE = Path(__file__).parents[1] / "rules" / "map" / "sudan.json"


def build(survey: Survey) -> bytes:
    """The built map as a document. Raises MapError with every fault if it is not right."""
    if survey.map.orientation != "flat-top":
        raise MapError("Survey, [map]: printed hex numbers need the flat-top orientation.")
    laid = draft(survey)
    check(laid)
    return encode(_document(laid))


def _document(laid: Draft) -> Document:
    ids, survey = laid.grid.ids, laid.survey
    return Document(
        format=1,
        name=survey.name,
        grid=_grid(survey),
        hexes=_hexes(laid),
        places=_places(laid),
        rivers=tuple(_river(laid, river) for river in survey.river),
        cataracts=_cataracts(laid),
        tracks=tuple(
            Track(track.id, track.title, track.status, _way(ids, laid.tracks[track.id]))
            for track in survey.track
        ),
        roads=tuple(Road(road.title, _way(ids, laid.roads[road.title])) for road in survey.road),
        wadis=tuple(Wadi(wadi.name, wadi.points) for wadi in survey.wadi),
        regions=tuple(RegionData(region.id, region.title) for region in survey.region),
    )


def _grid(survey: Survey) -> GridData:
    centre, frame = survey.projection, survey.map
    return GridData(
        centre.lat0,
        centre.lon0,
        centre.earth_radius_km,
        frame.hex_width_km,
        frame.origin_x,
        frame.origin_y,
    )


def _hexes(laid: Draft) -> HexData:
    ids, cells = laid.grid.ids, laid.grid.cells
    centres = [laid.grid.centres[cell] for cell in cells]
    degrees = [laid.projection.lat_lon(centre) for centre in centres]
    ground = {word: letter for letter, word in GROUND_LETTERS.items()}
    relief = {word: letter for letter, word in RELIEF_LETTERS.items()}
    return HexData(
        id=[ids[cell] for cell in cells],
        q=[q for q, _ in cells],
        r=[r for _, r in cells],
        x=[round(x, 3) for x, _ in centres],
        y=[round(y, 3) for _, y in centres],
        lat=[round(lat, 5) for lat, _ in degrees],
        lon=[round(lon, 5) for _, lon in degrees],
        ground="".join(ground[laid.painted[cell][0]] for cell in cells),
        relief="".join(relief[laid.painted[cell][1]] for cell in cells),
        coast=sorted(ids[cell] for cell in laid.site.coast),
        closed=sorted(ids[cell] for cell in laid.closed),
        regions={
            name: sorted(ids[cell] for cell in labelled) for name, labelled in laid.regions.items()
        },
    )


def _places(laid: Draft) -> tuple[Place, ...]:
    return tuple(
        Place(
            name=place.name,
            kind=place.kind,
            hex=laid.grid.ids[laid.placed[place.name]],
            river=place.river,
            port=place.port is not None,
            in_rules=place.rule,
            aliases=place.aliases,
            lat=place.lat,
            lon=place.lon,
        )
        for place in laid.survey.place
    )


def _river(laid: Draft, river: RiverEntry) -> RiverData:
    ids, waters = laid.grid.ids, laid.site.waters
    rapids = {side: name for name, side in waters.cataracts.items()}
    return RiverData(
        id=river.id,
        title=river.title,
        joins=river.joins,
        reaches=tuple(ReachData(reach.id, reach.title, reach.nav) for reach in river.reach),
        sides=tuple(
            RiverSide(
                river=river.id,
                ordinal=side.ordinal,
                nav=side.nav,
                cataract=rapids.get(side),
                reach=side.reach,
                hexes=(ids[side.left], ids[side.right]),
            )
            for side in waters.sides[river.id]
        ),
    )


def _cataracts(laid: Draft) -> tuple[CataractData, ...]:
    ids, sides = laid.grid.ids, laid.site.waters.cataracts
    return tuple(
        CataractData(
            entry.name,
            entry.number,
            entry.lat,
            entry.lon,
            (ids[sides[entry.name].left], ids[sides[entry.name].right]),
        )
        for entry in laid.survey.cataract
    )


def _way(ids: dict[Cell, HexId], cells: tuple[Cell, ...]) -> tuple[HexId, ...]:
    return tuple(ids[cell] for cell in cells)


def main() -> int:
    """Write the map where the rules read it; print why and return 1 if the survey is at fault."""
    try:
        data = build(read_survey())
    except MapError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    FILE.write_bytes(data)
    sys.stdout.write(f"{FILE.name}: {len(data):,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
