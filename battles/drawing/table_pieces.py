"""Units on an open table as SVG: every stand in its place, turned to its facing."""

from collections.abc import Iterable, Iterator, Sequence

from battles.contract.brief import Side, TroopKind
from battles.drawing.pieces import (
    CAMEL,
    TAB_HIGH,
    craft,
    draw_disrupted_mark,
    gun,
    sign,
    tab,
    tab_width,
    upright,
)
from battles.drawing.scene import Block
from battles.drawing.svg import DrawingPoint, element, group, path, strokes, text
from battles.drawing.table_field import TablePlan
from battles.tabletop.field import bounds
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import Stand, ahead

VESSELS = frozenset({TroopKind.BOAT, TroopKind.GUNBOAT, TroopKind.FLEET})
TRAIN = frozenset({TroopKind.SUPPLY, TroopKind.CAMEL})
NO_FRONT = frozenset({TableFormation.SQUARE, TableFormation.AFLOAT})
FULL_GUN, FULL_CRAFT, FULL_LOAD = 76, 92, 58
"""Height of a gun and of a vessel, and width of a load, in their pictograms."""


def block_drawn(block: Block, plan: TablePlan, distance: str = "") -> str:
    """Return a unit; a leader as a flag. `tabs_placed` has its number.

    `distance`, to the nearest enemy in words, goes into its title.
    """
    leads = block.kind is TroopKind.LEADER
    drawn = _flag(block, plan) if leads else _draw_block(block, plan)
    state = f"{' shaken' if block.shaken else ''}{' hidden' if block.hidden else ''}"
    return group(
        f"piece {block.nation}{state}{f' leader flag-{block.side}' if leads else ''}",
        element("title", text(piece_title(block, distance))),
        drawn,
        id=f"piece-{block.number}",
        data_piece=block.number,
    )


def piece_title(block: Block, distance: str) -> str:
    """Return the title of a unit, shown on hover and press."""
    return "; ".join(filter(None, (f"{block.number}. {block.words}", distance)))


def _draw_block(block: Block, plan: TablePlan) -> str:
    bodies = [_draw_stand(block, number, plan) for number in range(len(block.stands))]
    return "".join((_touch(block, plan), *bodies, _front(block, plan), _alarm(block, plan)))


def _draw_stand(block: Block, number: int, plan: TablePlan) -> str:
    stand = block.stands[number]
    x, y = plan.at(stand.at)
    wide, deep = plan.length(stand.width), plan.length(stand.depth)
    body = _base(block, wide, deep) + _sign(block, wide, deep, upright(stand.facing))
    wounds = block.wounds[number] if number < len(block.wounds) else 0
    return element(
        "g",
        body,
        _wounds(wounds, wide),
        transform=f"translate({x},{y})" + (f"rotate({stand.facing})" if stand.facing else ""),
    )


def _base(block: Block, wide: int, deep: int) -> str:
    """Return a stand; a gun's is the colour of the ground, its crew that of their nation."""
    left, top = -wide // 2 + 1, -deep // 2 + 1
    rounded = min(wide, deep) // 3 if block.side is Side.MAHDIST else None
    class_ = "plinth" if block.kind is TroopKind.GUN else "base"
    size = {"x": left, "y": top, "width": wide - 2, "height": deep - 2}
    return element("rect", class_=class_, rx=rounded, **size)


def _sign(block: Block, wide: int, deep: int, turned: str | None) -> str:
    """Return the arm of a stand, upright, scaled to the room there is; guns and craft turn."""
    if block.kind is TroopKind.GUN:
        limbered = block.formation in (TableFormation.LIMBERED, TableFormation.MARCH_COLUMN)
        drawn = gun(quick=block.quick, limbered=limbered)
        return _crew(deep) + element("g", drawn, transform=_scale_attribute(deep / FULL_GUN))
    if block.kind in VESSELS:
        return element("g", craft(block.kind), transform=_scale_attribute(deep / FULL_CRAFT))
    if block.kind in TRAIN:
        return path(
            CAMEL, "solid", transform=f"{turned or ''}{_scale_attribute(0.8 * wide / FULL_LOAD)}"
        )
    half = max(min(wide, deep) // 2 - 3, 2)
    return path(sign(block.kind, half, half), "arm", transform=turned)


def _crew(deep: int) -> str:
    """Return two men behind the gun."""
    quarter = deep // 4
    men = (-quarter, quarter)
    return "".join(
        element("circle", class_="base", cx=x, cy=quarter, r=max(deep // 6, 3)) for x in men
    )


def _scale_attribute(by: float) -> str:
    return f"scale({by:.2f})"


def _wounds(count: int, wide: int) -> str:
    """Return a dot for every casualty marker, in a row across the stand."""
    step = min(9, wide // 4)
    dots = ((nth - (count - 1) / 2) * step for nth in range(count))
    return "".join(
        element("circle", class_="wound", cx=round(x), cy=0, r=max(step // 2, 3)) for x in dots
    )


def _front(block: Block, plan: TablePlan) -> str:
    """Return a small wedge in front that shows the facing; none for a square."""
    if block.formation in NO_FRONT or not block.stands:
        return ""
    deep = block.stands[0].depth
    x, y = plan.at(ahead(block.at, block.facing, deep // 2))
    return path("M-8-3h16l-8-10z", "wedge", transform=f"translate({x},{y})rotate({block.facing})")


def _corners(block: Block, plan: TablePlan) -> tuple[DrawingPoint, DrawingPoint]:
    low, high = bounds(block.stands)
    return plan.at(low), plan.at(high)


def _touch(block: Block, plan: TablePlan) -> str:
    """Return the unit's whole area as a touch target."""
    (west, north), (east, south) = _corners(block, plan)
    return path(f"M{west} {north}H{east}V{south}H{west}z", "touch")


def _alarm(block: Block, plan: TablePlan) -> str:
    """Return the mark of a shaken unit, at the north-eastern corner of its stands."""
    (_, north), (east, _) = _corners(block, plan)
    mark = element("g", draw_disrupted_mark(), transform=f"translate({east},{north})scale(.7)")
    return mark if block.shaken else ""


Box = tuple[int, int, int, int]
"""West, north, east and south on the drawing."""


def tabs_placed(blocks: Sequence[Block], plan: TablePlan) -> list[str]:
    """Return a tab beside every unit: its number and its stands left.

    Each has the first place round its unit that no base and no other tab covers; without one, the
    place with the least of it covered. A tab that is not close has a line to its unit.
    """
    bases = {block.number: _box(block, plan) for block in blocks}
    tab_boxes: list[Box] = [(0, 0, plan.wide, 0)]
    drawn = []
    for block in blocks:
        full = 0 if block.kind is TroopKind.LEADER or block.kind in VESSELS else block.full
        left = len(block.stands)
        wide = tab_width(block.number, left, full)
        places = list(_round(bases[block.number], wide))
        others = [*bases.values(), *tab_boxes]
        box = _freest(places, others, plan)
        tab_boxes.append(box)
        line = _line_to(box, bases[block.number]) if places.index(box) >= NEAR else ""
        drawn.append(line + tab(block.number, box[:2], left, full))
    return drawn


NEAR = 12
"""Places about a unit that touch it; the further ones need a line."""


def _box(block: Block, plan: TablePlan) -> Box:
    if block.kind is TroopKind.LEADER or not block.stands:
        x, y = plan.at(block.at)
        return x - 8, y - 36, x + 30, y + 10
    (west, north), (east, south) = _corners(block, plan)
    return west, north, east, south


def _round(base: Box, wide: int) -> Iterator[Box]:
    """Yield the places of a tab round a unit, the nearest first."""
    west, north, east, south = base
    middle = (west + east - wide) // 2
    level = (north + south - TAB_HIGH) // 2
    for off in (2, 30, 60):
        above, below = north - off - TAB_HIGH, south + off
        left, right = west - off - wide, east + off
        corners = [
            *((middle, below), (middle, above), (left, level), (right, level)),
            *((west, below), (east - wide, below), (west, above), (east - wide, above)),
            *((left, above), (right, above), (left, below), (right, below)),
        ]
        for x, y in corners:
            yield x, y, x + wide, y + TAB_HIGH


def _freest(places: Sequence[Box], others: Iterable[Box], plan: TablePlan) -> Box:
    """Return the first place that is free, or the one of which the least is covered."""
    wests, norths, easts, souths = zip(*places, strict=True)
    around = min(wests), min(norths), max(easts), max(souths)
    # A table holds some two hundred boxes, of which a handful lie near a unit.
    near = [other for other in others if _common(other, around)]
    best, least = places[0], None
    for place in places:
        covered = _covered_area(place, near, plan)
        if least is None or covered < least:
            best, least = place, covered
        if not covered:
            break
    return best


def _covered_area(place: Box, others: Iterable[Box], plan: TablePlan) -> int:
    """Return how much of a place others cover, or lies beyond the table."""
    inside = _common(place, (0, 0, plan.wide, plan.high))
    beyond = (place[2] - place[0]) * TAB_HIGH - inside
    return sum(_common(place, other) for other in others) + 4 * beyond


def _common(box: Box, other: Box) -> int:
    wide = min(box[2], other[2]) - max(box[0], other[0])
    high = min(box[3], other[3]) - max(box[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def _line_to(place: Box, base: Box) -> str:
    start = (place[0] + place[2]) // 2, (place[1] + place[3]) // 2
    end = (base[0] + base[2]) // 2, (base[1] + base[3]) // 2
    return path(strokes([(start, end)]), "tab-line")


def _flag(block: Block, plan: TablePlan) -> str:
    x, y = plan.at(block.at)
    flag = path("M0 8v-44", "staff") + path("M1-35h28l-6 9 6 9h-28z", "bunting")
    stand = "".join(_stand_of_leader(stand, plan) for stand in block.stands)
    touch = path("M-16-40h48v56h-48z", "touch", transform=f"translate({x},{y})")
    return stand + touch + element("g", flag, transform=f"translate({x},{y})")


def _stand_of_leader(stand: Stand, plan: TablePlan) -> str:
    x, y = plan.at(stand.at)
    return element("circle", class_="base", cx=x, cy=y, r=max(plan.length(stand.width) // 3, 5))
