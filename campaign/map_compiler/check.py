"""What must hold of a map on any grid; each fault is a sentence that names what is wrong.

The flood fill is the one test of banks that does not lean on how places were set: it fills the
hexes without crossing a river and looks whether each place lies in the land the survey gives it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby, pairwise

from campaign.map_compiler.draft import Draft
from campaign.map_compiler.rivers import Side
from campaign.rules.map.grid import Cell, Vertex, hex_distance, side_between
from campaign.rules.map.kinds import MapError, Pair


def check(draft: Draft) -> None:
    """Raise MapError with every fault of the draft, if it has any."""
    if found := faults(draft):
        raise MapError("The map is wrong: " + " ".join(found))


def faults(draft: Draft) -> list[str]:
    """Every fault of the draft, as sentences; empty if the map is right."""
    checks = (_tree, _reaches, _lands, _order, _places, _tracks, _open)
    return [fault for one in checks for fault in one(draft)]


def _tree(draft: Draft) -> Iterator[str]:
    """One connected tree: as many ends and junctions as the survey's rivers make."""
    sides = [side for river in draft.site.waters.sides.values() for side in river]
    degrees = Counter(vertex for side in sides for vertex in (side.start, side.end))
    tributaries = sum(1 for river in draft.survey.river if river.mouth_bank)
    ends = [vertex for vertex, degree in degrees.items() if degree == 1]
    if len(ends) != tributaries + 2:
        yield f"The rivers have {len(ends)} ends instead of {tributaries + 2}."
    junctions = sum(1 for degree in degrees.values() if degree == 3)
    if junctions != tributaries or max(degrees.values()) > 3:
        yield f"The rivers have {junctions} junctions instead of {tributaries}."
    if len(degrees) != len(sides) + 1 or not _connected(sides):
        yield "The rivers are not one connected tree."
    rim = sum(1 for vertex in ends if vertex in draft.grid.rim)
    expected = 1 + sum(1 for source in draft.survey.sources if not _on_map(draft, source))
    if rim != expected:
        yield f"{rim} ends of the rivers lie on the rim of the map instead of {expected}."


def _on_map(draft: Draft, point: Pair) -> bool:
    return draft.grid.cell_at(draft.projection.xy(point)) is not None


def _connected(sides: list[Side]) -> bool:
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


def _reaches(draft: Draft) -> Iterator[str]:
    """Each river runs head to tail through all its reaches in their order."""
    for river in draft.survey.river:
        sides = draft.site.waters.sides[river.id]
        if any(above.end != below.start for above, below in pairwise(sides)):
            yield f"The {river.title} has a gap."
        run = [reach for reach, _ in groupby(side.reach for side in sides)]
        if run != [reach.id for reach in river.reach]:
            yield f"The reaches of the {river.title} lie in the order {', '.join(run)}."


def _lands(draft: Draft) -> Iterator[str]:
    """The rivers part exactly the lands of the survey, and each place lies in its own."""
    lands = lands_of(draft)
    named = {place.land for place in draft.survey.place if place.land}
    if len(set(lands.values())) != len(named):
        yield f"The rivers part {len(set(lands.values()))} lands instead of {len(named)}."
    homes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for place in draft.survey.place:
        if place.land:
            homes[place.land][lands[draft.placed[place.name]]] += 1
    home = {land: count.most_common(1)[0][0] for land, count in homes.items()}
    for place in draft.survey.place:
        if place.land and lands[draft.placed[place.name]] != home[place.land]:
            yield f"{place.name} does not lie in the land {place.land!r}."


def lands_of(draft: Draft) -> dict[Cell, int]:
    """The number of the land each cell lies in, by flood fill that crosses no river."""
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


def _crosses(draft: Draft, cell: Cell, other: Cell) -> bool:
    return side_between(cell, other) in draft.site.waters.hexsides


def _order(draft: Draft) -> Iterator[str]:
    """Places follow each other down the river as the survey lists them."""
    for river in draft.survey.river:
        spans = {name: _span(draft, river.id, name) for name in river.order}
        for above, below in pairwise(river.order):
            if not spans[above] or not spans[below]:
                yield f"{above} or {below} does not touch the {river.title}."
            elif min(spans[above]) > max(spans[below]):
                yield f"{above} lies below {below} on the {river.title}."


def _span(draft: Draft, river: str, name: str) -> list[int]:
    cell = draft.placed[name]
    sides = draft.site.waters.sides[river]
    return [side.ordinal for side in sides if cell in (side.left, side.right)]


def _places(draft: Draft) -> Iterator[str]:
    """Places stand near their position, fit their hex, and the book's own are distinct."""
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


def _tracks(draft: Draft) -> Iterator[str]:
    """Every railway line is unbroken, on land, and crosses no river."""
    for title, way in draft.tracks.items():
        if any(hex_distance(cell, other) != 1 for cell, other in pairwise(way)):
            yield f"The track {title} is broken."
        elif any(_crosses(draft, cell, other) for cell, other in pairwise(way)):
            yield f"The track {title} crosses a river."
        if len(set(way)) != len(way):
            yield f"The track {title} runs twice through a hex."


def _open(draft: Draft) -> Iterator[str]:
    """No place of the book, track or river lies in a closed hex."""
    needed = {draft.placed[place.name]: place.name for place in draft.survey.place if place.rule}
    needed |= {cell: f"The track {title}" for title, way in draft.tracks.items() for cell in way}
    needed |= dict.fromkeys(draft.site.waters.banks, "A river")
    for cell, what in needed.items():
        if cell in draft.closed:
            yield f"{what} needs the closed hex {cell}."
