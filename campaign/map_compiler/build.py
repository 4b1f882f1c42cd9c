"""Build the map from the survey; `python -m campaign.map_compiler.build` writes sudan.json.

The survey is laid on a grid as a draft, which is checked before its hexes are numbered and written.
Each fault is a sentence that names what is wrong. The flood fill is the one test of banks that does
not depend on how places were set: it fills the hexes without crossing a river and checks that each
place lies in the land the survey gives it.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

from campaign.map_compiler.geometry import Grid
from campaign.map_compiler.rivers_and_places import (
    PlacementMap,
    RiverHexside,
    lay_rivers,
    set_places,
)
from campaign.map_compiler.survey import RiverEntry, Survey, read_survey
from campaign.map_compiler.terrain import (
    Painted,
    Ways,
    closed_cells,
    coast_cells,
    lay_roads,
    lay_tracks,
    paint,
    regions,
    sea_cells,
)
from campaign.rules.map.document import (
    GROUND_LETTERS,
    RELIEF_LETTERS,
    CataractData,
    GridData,
    HexData,
    MapData,
    ReachData,
    RegionData,
    RiverData,
    encode,
)
from campaign.rules.map.grid import (
    Cell,
    HexId,
    MapError,
    NamedPlace,
    Pair,
    Projection,
    RailwayTrack,
    RiverSide,
    Road,
    Vertex,
    Wadi,
    hex_distance,
    side_between,
)


@dataclass(frozen=True)
class MapDraft:
    """A map in cells of its grid."""

    survey: Survey
    projection: Projection
    site: PlacementMap
    placed: dict[str, Cell]
    tracks: Ways
    roads: Ways
    painted: Painted
    regions: dict[str, frozenset[Cell]]
    closed: frozenset[Cell]

    @property
    def grid(self) -> Grid:
        """Return the grid it is laid on."""
        return self.site.grid


def draft(survey: Survey) -> MapDraft:
    """Return the survey laid on the grid of its frame.

    Raises MapError where that cannot be done.
    """
    centre = survey.projection
    projection = Projection(centre.lat0, centre.lon0, centre.earth_radius_km)
    grid = Grid(survey.map)
    sea = sea_cells(grid, [projection.xy(point) for point in survey.coast.points])
    waters = lay_rivers(survey, grid, projection)
    site = PlacementMap(grid, waters, sea, coast_cells(grid, sea))
    placed = set_places(survey, site, projection)
    labelled = regions(survey, grid, projection)
    return MapDraft(
        survey=survey,
        projection=projection,
        site=site,
        placed=placed,
        tracks=lay_tracks(survey, site, placed, projection),
        roads=lay_roads(survey, site, placed),
        painted=paint(survey, site, projection),
        regions=labelled,
        closed=closed_cells(survey, site, placed, labelled),
    )


def check(draft: MapDraft) -> None:
    """Raise MapError with every fault of the draft, if it has any."""
    if errors := faults(draft):
        raise MapError("The map is wrong: " + " ".join(errors))


def faults(draft: MapDraft) -> list[str]:
    """Return every fault of the draft, as sentences; empty if the map is right."""
    checks = (_tree, _reaches, _lands, _order, _check_places, _tracks, _open)
    return [fault for check in checks for fault in check(draft)]


def _tree(draft: MapDraft) -> Iterator[str]:
    """Yield faults unless the rivers form one tree with the survey's ends and junctions."""
    sides = [side for river in draft.site.waters.sides.values() for side in river]
    degrees = Counter(vertex for side in sides for vertex in (side.start, side.end))
    tributaries = sum(1 for river in draft.survey.river if river.mouth_bank)
    ends = [vertex for vertex, degree in degrees.items() if degree == 1]
    if len(ends) != tributaries + 2:
        yield f"The rivers have {len(ends)} ends instead of {tributaries + 2}."
    junctions = sum(1 for degree in degrees.values() if degree == 3)
    if junctions != tributaries or max(degrees.values()) > 3:
        yield f"The rivers have {junctions} junctions instead of {tributaries}."
    if len(degrees) != len(sides) + 1 or not _are_connected(sides):
        yield "The rivers are not one connected tree."
    rim = sum(1 for vertex in ends if vertex in draft.grid.rim)
    expected = 1 + sum(1 for source in draft.survey.sources if not _on_map(draft, source))
    if rim != expected:
        yield f"{rim} ends of the rivers lie on the rim of the map instead of {expected}."


def _on_map(draft: MapDraft, point: Pair) -> bool:
    return draft.grid.cell_at(draft.projection.xy(point)) is not None


def _are_connected(sides: list[RiverHexside]) -> bool:
    links: defaultdict[Vertex, list[Vertex]] = defaultdict(list)
    for side in sides:
        links[side.start].append(side.end)
        links[side.end].append(side.start)
    seen, edge = {sides[0].start}, [sides[0].start]
    while edge:
        for other in links[edge.pop()]:
            if other not in seen:
                seen.add(other)
                edge.append(other)
    return len(seen) == len(links)


def _reaches(draft: MapDraft) -> Iterator[str]:
    """Yield faults unless each river runs head to tail through all its reaches in order."""
    for river in draft.survey.river:
        sides = draft.site.waters.sides[river.id]
        if any(above.end != below.start for above, below in pairwise(sides)):
            yield f"The {river.title} has a gap."
        run = [reach for reach, _ in groupby(side.reach for side in sides)]
        if run != [reach.id for reach in river.reach]:
            yield f"The reaches of the {river.title} lie in the order {', '.join(run)}."


def _lands(draft: MapDraft) -> Iterator[str]:
    """Yield faults unless the rivers divide the survey's lands, with each place in its own."""
    lands = lands_of(draft)
    land_names = {place.land for place in draft.survey.place if place.land}
    if len(set(lands.values())) != len(land_names):
        yield f"The rivers part {len(set(lands.values()))} lands instead of {len(land_names)}."
    homes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for place in draft.survey.place:
        if place.land:
            homes[place.land][lands[draft.placed[place.name]]] += 1
    home = {land: count.most_common(1)[0][0] for land, count in homes.items()}
    for place in draft.survey.place:
        if place.land and lands[draft.placed[place.name]] != home[place.land]:
            yield f"{place.name} does not lie in the land {place.land!r}."


def lands_of(draft: MapDraft) -> dict[Cell, int]:
    """Return the number of the land each cell lies in, by flood fill that crosses no river."""
    lands: dict[Cell, int] = {}
    for number, seed in enumerate(draft.grid.cells):
        edge = [] if seed in lands else [seed]
        lands.setdefault(seed, number)
        while edge:
            cell = edge.pop()
            for other in draft.grid.neighbours[cell]:
                if other not in lands and not _crosses(draft, cell, other):
                    lands[other] = number
                    edge.append(other)
    return lands


def _crosses(draft: MapDraft, cell: Cell, other: Cell) -> bool:
    return side_between(cell, other) in draft.site.waters.hexsides


def _order(draft: MapDraft) -> Iterator[str]:
    """Yield faults unless places follow each other down the river as the survey lists them."""
    for river in draft.survey.river:
        spans = {name: _span(draft, river.id, name) for name in river.order}
        for above, below in pairwise(river.order):
            if not spans[above] or not spans[below]:
                yield f"{above} or {below} does not touch the {river.title}."
            elif min(spans[above]) > max(spans[below]):
                yield f"{above} lies below {below} on the {river.title}."


def _span(draft: MapDraft, river: str, name: str) -> list[int]:
    cell = draft.placed[name]
    sides = draft.site.waters.sides[river]
    return [side.ordinal for side in sides if cell in (side.left, side.right)]


def _check_places(draft: MapDraft) -> Iterator[str]:
    """Yield places that stand far from their position, in an unfit hex, or on a book's place."""
    book: dict[Cell, str] = {}
    for place in draft.survey.place:
        cell = draft.placed[place.name]
        own = draft.grid.lattice.cell_at(draft.projection.xy((place.lat, place.lon)))
        if hex_distance(cell, own) > 1:
            yield f"{place.name} stands more than a hex from its position."
        if not draft.site.suits(place, cell):
            yield f"{place.name} stands on the wrong bank, in the sea or off the coast."
        if place.rule and cell in book:
            yield f"{place.name} and {book[cell]} stand in the same hex."
        if place.rule:
            book[cell] = place.name


def _tracks(draft: MapDraft) -> Iterator[str]:
    """Yield railway lines that are broken, cross a river or run twice through a hex."""
    for title, way in draft.tracks.items():
        if any(hex_distance(cell, other) != 1 for cell, other in pairwise(way)):
            yield f"The track {title} is broken."
        elif any(_crosses(draft, cell, other) for cell, other in pairwise(way)):
            yield f"The track {title} crosses a river."
        if len(set(way)) != len(way):
            yield f"The track {title} runs twice through a hex."


def _open(draft: MapDraft) -> Iterator[str]:
    """Yield places of the book, tracks and rivers in a closed hex."""
    needed = {draft.placed[place.name]: place.name for place in draft.survey.place if place.rule}
    needed |= {cell: f"The track {title}" for title, way in draft.tracks.items() for cell in way}
    needed |= dict.fromkeys(draft.site.waters.banks, "A river")
    for cell, feature in needed.items():
        if cell in draft.closed:
            yield f"{feature} needs the closed hex {cell}."


FILE = Path(__file__).parents[1] / "rules" / "map" / "sudan.json"


def build(survey: Survey) -> bytes:
    """Return the built map as a document. Raises MapError with every fault if it is not right."""
    if survey.map.orientation != "flat-top":
        raise MapError("Survey, [map]: printed hex numbers need the flat-top orientation.")
    laid = draft(survey)
    check(laid)
    return encode(_document(laid))


def _document(laid: MapDraft) -> MapData:
    ids, survey = laid.grid.ids, laid.survey
    return MapData(
        format=1,
        name=survey.name,
        grid=_grid(survey),
        hexes=_hexes(laid),
        places=_places(laid),
        rivers=tuple(_river(laid, river) for river in survey.river),
        cataracts=_cataracts(laid),
        tracks=tuple(
            RailwayTrack(track.id, track.title, track.status, _way(ids, laid.tracks[track.id]))
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


def _hexes(laid: MapDraft) -> HexData:
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


def _places(laid: MapDraft) -> tuple[NamedPlace, ...]:
    return tuple(
        NamedPlace(
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


def _river(laid: MapDraft, river: RiverEntry) -> RiverData:
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


def _cataracts(laid: MapDraft) -> tuple[CataractData, ...]:
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
