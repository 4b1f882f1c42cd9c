"""Units on an open table as SVG: every stand in its place, turned to its facing."""

from battles.contract.brief import Side, TroopKind
from battles.drawing.pieces import CAMEL, craft, disrupted, gun, sign
from battles.drawing.scene import Block
from battles.drawing.svg import DrawingPoint, element, group, path, text
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
    """Return a unit with its number in the log; a leader as a flag.

    `distance`, to the nearest enemy in words, goes into its title.
    """
    drawn = _flag(block, plan) if block.kind is TroopKind.LEADER else _stands(block, plan)
    state = f"{' shaken' if block.shaken else ''}{' hidden' if block.hidden else ''}"
    return group(
        f"piece {block.nation}{state}{_leads(block)}",
        element("title", text(piece_title(block, distance))),
        drawn,
        id=f"piece-{block.number}",
        data_piece=block.number,
    )


def piece_title(block: Block, distance: str) -> str:
    """Return the title of a unit, shown on hover and press."""
    return "; ".join(filter(None, (f"{block.number}. {block.words}", distance)))


def _leads(block: Block) -> str:
    return f" leader flag-{block.side}" if block.kind is TroopKind.LEADER else ""


def _stands(block: Block, plan: TablePlan) -> str:
    bodies = [_stand(block, number, plan) for number in range(len(block.stands))]
    return "".join((_touch(block, plan), *bodies, _front(block, plan), _label(block, plan)))


def _stand(block: Block, number: int, plan: TablePlan) -> str:
    stand = block.stands[number]
    x, y = plan.at(stand.at)
    wide, deep = plan.length(stand.width), plan.length(stand.depth)
    body = _base(block, wide, deep) + _sign(block, wide, deep)
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


def _sign(block: Block, wide: int, deep: int) -> str:
    """Return the arm of a stand, scaled to the room there is."""
    if block.kind is TroopKind.GUN:
        limbered = block.formation in (TableFormation.LIMBERED, TableFormation.MARCH_COLUMN)
        drawn = gun(quick=block.quick, limbered=limbered)
        return _crew(deep) + element("g", drawn, transform=_scaled(deep / FULL_GUN))
    if block.kind in VESSELS:
        return element("g", craft(block.kind), transform=_scaled(deep / FULL_CRAFT))
    if block.kind in TRAIN:
        return path(CAMEL, "solid", transform=_scaled(0.8 * wide / FULL_LOAD))
    return path(sign(block.kind, max(wide // 2 - 4, 2), max(deep // 2 - 3, 2)), "arm")


def _crew(deep: int) -> str:
    """Return two men behind the gun."""
    at = deep // 4
    men = (-at, at)
    return "".join(element("circle", class_="base", cx=x, cy=at, r=max(deep // 6, 3)) for x in men)


def _scaled(by: float) -> str:
    return f"scale({by:.2f})"


def _wounds(count: int, wide: int) -> str:
    """Return a dot for every casualty marker, in a row across the stand."""
    step = min(9, wide // 4)
    dots = ((nth - (count - 1) / 2) * step for nth in range(count))
    return "".join(
        element("circle", class_="wound", cx=round(at), cy=0, r=max(step // 2, 3)) for at in dots
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


def _label(block: Block, plan: TablePlan) -> str:
    """Return the number behind the unit, with the stands it has left after losses."""
    back = _behind(block, plan)
    left = len(block.stands)
    said = str(block.number)
    lost = element("tspan", f" {left}/{block.full}", class_="left") if left < block.full else ""
    alarm = element("g", disrupted(), transform=f"translate({back[0] + 26},{back[1] - 8})scale(.7)")
    label = element("text", said + lost, class_="roster mid", x=back[0], y=back[1])
    return label + (alarm if block.shaken else "")


def _behind(block: Block, plan: TablePlan) -> DrawingPoint:
    """Return a point a little behind the rearmost stand."""
    rear = _rear(block.stands, block.facing)
    x, y = plan.at(ahead(rear.at, block.facing + 180, max(rear.depth, rear.width) // 2))
    dx, dy = ahead((0, 0), block.facing + 180, 16)
    return x + dx, y + dy + 8


def _rear(stands: tuple[Stand, ...], facing: int) -> Stand:
    ex, ey = ahead((0, 0), facing, 1000)
    middle = stands[len(stands) // 2]
    return min(stands, key=lambda one: (one.x * ex + one.y * ey, one is not middle))


def _flag(block: Block, plan: TablePlan) -> str:
    x, y = plan.at(block.at)
    flag = path("M0 8v-44", "staff") + path("M1-35h28l-6 9 6 9h-28z", "bunting")
    stand = "".join(_stand_of_leader(one, plan) for one in block.stands)
    touch = path("M-16-40h48v56h-48z", "touch", transform=f"translate({x},{y})")
    number = element("text", str(block.number), class_="roster mid", x=x, y=y + 26)
    return stand + touch + element("g", flag, transform=f"translate({x},{y})") + number


def _stand_of_leader(stand: Stand, plan: TablePlan) -> str:
    x, y = plan.at(stand.at)
    return element("circle", class_="base", cx=x, cy=y, r=max(plan.length(stand.width) // 3, 5))
