"""The difference between two positions on the map: the later one, with rings where it changed."""

from collections.abc import Iterator

from battles.drawing.pen import element, group
from campaign.cartography.overlay import standing
from campaign.cartography.sheet import COLUMN, ROW, Sheet
from campaign.rules.board import board
from campaign.rules.map import HexId, Map
from campaign.rules.pieces import Side
from campaign.rules.state import State

AROUND = 3
"""Hexes of country shown round what has changed."""
RING = 66


def changed_hexes(before: State, after: State) -> tuple[HexId, ...]:
    """The hexes where other units stand, or stand otherwise, or that others hold."""
    here = {unit.hex for state in (before, after) for unit in state.units.values()}
    moved = {hex_id for hex_id in here if _there(before, hex_id) != _there(after, hex_id)}
    held = before.control.keys() | after.control.keys()
    taken = {one for one in held if before.control.get(one) is not after.control.get(one)}
    return tuple(sorted(moved | taken))


def _there(state: State, hex_id: HexId) -> list[tuple[object, ...]]:
    stacks = (unit for side in Side for unit in board(state).stack(side, hex_id))
    return [(unit.id, unit.kind, unit.quality, unit.disrupted) for unit in stacks]


def difference(map_: Map, before: State, after: State, base_url: str) -> str:
    """An element of a page: the map as it would be, as far as there is anything to see."""
    sheet = Sheet(map_)
    hexes = [hex_id for hex_id in changed_hexes(before, after) if hex_id in map_.hexes]
    west, north, wide, high = map(int, sheet.view_box.split())
    picture = element("image", href=base_url, x=west, y=north, width=wide, height=high)
    return element(
        "svg",
        picture,
        standing(sheet, after),
        group("changes", *_marks(sheet, before, after, hexes)),
        class_="chart difference",
        viewBox=_cut(sheet, hexes),
    )


def _cut(sheet: Sheet, hexes: list[HexId]) -> str:
    """The part of the sheet that is shown: all that changes, and some country round about."""
    if not hexes:
        return sheet.view_box
    points = [sheet.centre(hex_id) for hex_id in hexes]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    x, y = left - AROUND * 2 * COLUMN, top - AROUND * ROW
    return f"{x} {y} {right - left + AROUND * 4 * COLUMN} {bottom - top + AROUND * 2 * ROW}"


def _marks(sheet: Sheet, before: State, after: State, hexes: list[HexId]) -> Iterator[str]:
    for hex_id in hexes:
        x, y = sheet.centre(hex_id)
        yield element("circle", cx=x, cy=y, r=RING, class_="ring")
    for start, end in sorted(set(_moves(before, after))):
        (x1, y1), (x2, y2) = sheet.centre(start), sheet.centre(end)
        yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="way")


def _moves(before: State, after: State) -> Iterator[tuple[HexId, HexId]]:
    """From where to where units have been moved."""
    for unit_id, unit in after.units.items():
        was = before.units.get(unit_id)
        if was is not None and was.hex != unit.hex:
            yield was.hex, unit.hex
