"""The overlay of the map: what a campaign changes, such as railways, flags and stacks.

Also discs where both sides are likely to stand, and the difference between two positions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import atan2, degrees

from battles.contract.brief import Side
from battles.drawing.svg import element, group, path, polyline, text
from campaign.cartography.base_map import month_at
from campaign.cartography.counters import draw_sighting, draw_stack, stacks, symbols
from campaign.cartography.lettering import place_point, rank
from campaign.cartography.sheet import COLUMN, ROW, MapSheet
from campaign.cartography.terrain import outline, railway
from campaign.rules.core.board import board, scenario_of
from campaign.rules.core.pieces import month_name
from campaign.rules.core.state import State
from campaign.rules.map import HexId, Map, is_printed, sudan
from campaign.rules.railways import lines
from campaign.rules.sight import Sighting


def draw_overlay(
    sheet: MapSheet, state: State, hex_url: str | None = None, seen: Iterable[Sighting] = ()
) -> str:
    """Return all that is drawn over the printed map in this state, as one group.

    `seen` are stacks whose size alone is known.
    """
    return element(
        "g",
        element("defs", symbols()),
        scenario_layer(sheet),
        _month(sheet, state),
        group("layer-railways", *_railways(sheet, state)),
        group("layer-control", *_flags(sheet, state)),
        group(
            "layer-counters",
            *(draw_sighting(sheet, sighting, state.month) for sighting in seen),
            *_stacks(sheet, state),
        ),
        id="standing",
        data_hex_url=hex_url,
    )


def occupied_hexes(state: State) -> frozenset[HexId]:
    """Return the hexes in which a stack stands."""
    return frozenset(stack.hex for stack in stacks(state))


def scenario_layer(sheet: MapSheet) -> str:
    """Return what a scenario's map has beside the printed; nothing for the printed map."""
    return "" if is_printed(sheet.map) else group("layer-scenario", *_scenario_layer(sheet))


def _scenario_layer(sheet: MapSheet) -> Iterator[str]:
    """Yield what the scenario's map has beside the printed: closed hexes, places, tracks."""
    printed = sudan()
    closed = [
        hex_
        for hex_ in sheet.map.hexes.values()
        if hex_.closed and not printed.hexes[hex_.id].closed
    ]
    if closed:
        veil = outline(sheet, sheet.cells(closed))
        yield path(veil, "veil") + path(veil, fill="url(#p-veil)")
    for track in sheet.map.tracks.values():
        if track.id not in printed.tracks:
            yield path(polyline([sheet.centre(hex_id) for hex_id in track.hexes]), "added-track")
    for place in sheet.map.places.values():
        if place.name not in printed.places:
            x, y = sheet.centre(place.hex)
            yield element("circle", cx=x, cy=y, r=9, class_="added-spot")
            yield element("text", text(place.name), class_="added-place", x=x + 14, y=y + 6)


def _month(sheet: MapSheet, state: State) -> str:
    x, y = month_at(sheet)
    words = month_name(state.month).upper()
    return element("text", text(words), class_="month", x=x, y=y)


def _railways(sheet: MapSheet, state: State) -> Iterator[str]:
    """Yield the open railways, and the railhead of one that is being built."""
    hexes = lines(state)
    printed = {line.id for line in scenario_of(state).line if line.built}
    for line, count in state.railheads.items():
        done = hexes[line][:count]
        if len(done) > 1:
            yield railway(sheet, done)
        if line not in printed and done:
            x, y = sheet.centre(done[-1])
            yield element("use", href="#u-railhead", x=x, y=y)


def _flags(sheet: MapSheet, state: State) -> Iterator[str]:
    """Yield the flag of the side that holds each place."""
    for place in sheet.map.places.values():
        side = state.control.get(place.hex)
        if side is not None and sheet.map.hexes[place.hex].place == place.name:
            x, y = place_point(sheet, place)
            flag = element("use", href="#u-flag", transform="translate(-9,-5)scale(.7)")
            yield group(
                f"flag flag-{side} rank-{rank(place)}",
                element("g", flag, class_="k"),
                transform=f"translate({x},{y})",
            )


def _stacks(sheet: MapSheet, state: State) -> Iterator[str]:
    """Yield every stack once; besieged stacks and the Egyptian player's come last, on top."""
    all_stacks = stacks(state)
    sharing = Counter(stack.hex for stack in all_stacks)
    ranked = sorted(all_stacks, key=lambda s: (s.besieged, s.side is Side.EGYPTIAN, s.hex))
    for stack in ranked:
        yield draw_stack(sheet, stack, shared=sharing[stack.hex] > 1)


FULL = COLUMN * 0.42
"""The radius of the disc of a hex that is certainly held."""
FAINTEST = 0.02
"""The chance below which nothing is drawn."""
Presence = Mapping[Side, Mapping[HexId, float]]


def discs(sheet: MapSheet, presence: Presence) -> Iterator[str]:
    """Yield the discs of both sides with areas in proportion to the chances.

    Two discs in one hex stand side by side.
    """
    for side, hexes in presence.items():
        aside = FULL * (0.25 if side is Side.MAHDIST else -0.25)
        for hex_id, chance in hexes.items():
            if chance < FAINTEST or hex_id not in sheet.map.hexes:
                continue
            x, y = sheet.centre(hex_id)
            shared = any(
                hex_id in other_chances
                for other, other_chances in presence.items()
                if other is not side
            )
            yield element(
                "circle",
                class_=f"likely {side}",
                cx=round(x + aside * shared),
                cy=y,
                r=round(FULL * chance**0.5),
            )


HEAD = "M-58 0L-122 26L-106 0L-122-26z"
"""The head of an arrow that points east, short of the counter in the hex it points to."""
Way = tuple[Side, Sequence[HexId]]
"""A side and the hexes that its units went through, with the one they came from."""


def arrows(sheet: MapSheet, ways: Iterable[Way]) -> Iterator[str]:
    """Yield an arrow for each way."""
    for side, hexes in ways:
        points = [sheet.centre(hex_id) for hex_id in hexes]
        (x1, y1), (x2, y2) = points[-2:]
        line = "M" + "L".join(f"{x} {y}" for x, y in points)
        turn = round(degrees(atan2(y2 - y1, x2 - x1)))
        yield path(line, f"went-edge {side}")
        yield path(line, f"went {side}")
        head = path(HEAD, f"went-head {side}")
        yield element("g", head, transform=f"translate({x2},{y2})rotate({turn})")


AROUND = 3
"""Hexes of country shown round what has changed."""
RING = 66


def changed_hexes(before: State, after: State) -> tuple[HexId, ...]:
    """Return the hexes whose units, their condition or their owner have changed."""
    occupied = {unit.hex for state in (before, after) for unit in state.units.values()}
    moved = {hex_id for hex_id in occupied if _there(before, hex_id) != _there(after, hex_id)}
    controlled = before.control.keys() | after.control.keys()
    captured = {
        hex_id
        for hex_id in controlled
        if before.control.get(hex_id) is not after.control.get(hex_id)
    }
    return tuple(sorted(moved | captured))


def _there(state: State, hex_id: HexId) -> list[tuple[object, ...]]:
    stacks = (unit for side in Side for unit in board(state).stack(side, hex_id))
    return [(unit.id, unit.kind, unit.quality, unit.disrupted) for unit in stacks]


def difference(map_: Map, before: State, after: State, base_url: str) -> str:
    """Return the later map with rings round the changes, cut to them, as an element of a page."""
    sheet = MapSheet(map_)
    hexes = [hex_id for hex_id in changed_hexes(before, after) if hex_id in map_.hexes]
    return element(
        "svg",
        sheet.picture(base_url),
        draw_overlay(sheet, after),
        group("changes", *_marks(sheet, before, after, hexes)),
        class_="chart difference",
        viewBox=_cut_view(sheet, hexes),
    )


def _cut_view(sheet: MapSheet, hexes: list[HexId]) -> str:
    """Return the view box with all changes and some country round them."""
    if not hexes:
        return sheet.view_box
    points = [sheet.centre(hex_id) for hex_id in hexes]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    x, y = left - AROUND * 2 * COLUMN, top - AROUND * ROW
    return f"{x} {y} {right - left + AROUND * 4 * COLUMN} {bottom - top + AROUND * 2 * ROW}"


def _marks(sheet: MapSheet, before: State, after: State, hexes: list[HexId]) -> Iterator[str]:
    for hex_id in hexes:
        x, y = sheet.centre(hex_id)
        yield element("circle", cx=x, cy=y, r=RING, class_="ring")
    moves = {
        (before.units[unit_id].hex, unit.hex)
        for unit_id, unit in after.units.items()
        if unit_id in before.units and before.units[unit_id].hex != unit.hex
    }
    for start, end in sorted(moves):
        (x1, y1), (x2, y2) = sheet.centre(start), sheet.centre(end)
        yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="way")
