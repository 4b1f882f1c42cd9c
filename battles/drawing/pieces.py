"""Counters and figures: a pictogram for each arm, and units on squares seen from above.

A pictogram is drawn in a box 60 wide and 36 high round (0, 0), in lines and in solid parts. A unit
on a square is drawn round (0, 0) facing north, within a square of 100.
"""

from collections.abc import Iterable, Iterator
from math import dist

from battles.contract.brief import Side, TroopKind
from battles.drawing.scene import DrawnLoss, Piece, Shape
from battles.drawing.svg import DrawingPoint, element, group, path, text

BOX = "M-27-16h54v32h-54z"
CAMEL = (
    "M-27-8l4-6 6 2c3 5 1 11 5 12 5-6 5-15 13-15 8 0 8 11 14 13 4 2 5 5 5 8l2 11h-4l-4-9-2 9h-4"
    "l-1-10c-4 2-10 2-14 0v10h-4l-2-9-2 9h-4v-13c-5-1-7-6-6-12z"
)
HULL = "M-28 5h56l-6 10h-43z"

LINES = {
    TroopKind.INFANTRY: BOX + "M-27-16l54 32M27-16l-54 32",
    TroopKind.SPEARS: "M-22 16L19-13M22 16L-19-13",
    TroopKind.CAVALRY: BOX + "M-27 16l54-32",
    TroopKind.CAMEL_CORPS: "M-28 17L28-17",
    TroopKind.GUN: "M-4-5a10 10 0 1 0 .1 0M-4-5v20M-14 5h20M-11-2l14 14M-11 12l14-14M-8 10l-19 6",
    TroopKind.ENGINEERS: BOX + "M-15 9v-16h30v16M0 9v-16",
    TroopKind.NAVAL: "M0-9v24M-10-5h20M-15 4c1 8 8 11 15 11s14-3 15-11",
    TroopKind.SUPPLY: "M0-17l25 31h-50zM0-17v-3",
    TroopKind.CAMEL: "",
    TroopKind.CIVILIANS: "",
    TroopKind.LEADER: "M-20 18v-36",
    TroopKind.BOAT: "M-2 6v-22",
    TroopKind.GUNBOAT: "M17-2v-15M-24-3h48",
    TroopKind.FLEET: "M-15 4v-20M13 4v-20M-23-10h16M5-10h16M-21-3h12M7-3h12",
}
SOLIDS = {
    TroopKind.INFANTRY: "",
    TroopKind.SPEARS: "M19-13l8-5-3 8zM-19-13l-8-5 3 8zM0-9a9 11 0 1 0 .1 0z",
    TroopKind.CAVALRY: "",
    TroopKind.CAMEL_CORPS: CAMEL,
    TroopKind.GUN: "M-13-4l40-10 1 4-39 11z",
    TroopKind.ENGINEERS: "",
    TroopKind.NAVAL: "M0-17a4 4 0 1 0 .1 0zM-19 7l2-8 7 5zM19 7l-2-8-7 5z",
    TroopKind.SUPPLY: "M0-6l7 20h-14z",
    TroopKind.CAMEL: CAMEL + "M-8-18h14v7h-14z",
    TroopKind.CIVILIANS: (
        "M-18-11a5 5 0 1 0 .1 0zM-24 16l1-13q5-4 10 0l1 13zM0-16a5.500 5.500 0 1 0 .1 0z"
        "M-7 16l1-17q6-4 12 0l1 17zM18-6a4 4 0 1 0 .1 0zM13 16l1-10q4-3 8 0l1 10z"
    ),
    TroopKind.LEADER: "M-20-17h42l-10 10 10 10h-42z",
    TroopKind.BOAT: "M-25 6h50l-8 10h-34zM-17 3l16-19 14 19z",
    TroopKind.GUNBOAT: HULL
    + "M-13-18h8v14h-8zM-24-2h18v6h-18zM-5 5a9 10 0 0 1 18 0zM18-17l9 3-9 3z",
    TroopKind.FLEET: HULL + "M-5-13h7v17h-7z",
}


def symbol_id(kind: TroopKind) -> str:
    """Return the id of an arm's pictogram."""
    return f"u-{kind.replace(' ', '-')}"


def pictogram(kind: TroopKind, **attributes: str | int | None) -> str:
    """Return the pictogram of an arm as a group."""
    parts = (path(LINES[kind], "sign") if LINES[kind] else "") + (
        path(SOLIDS[kind], "solid") if SOLIDS[kind] else ""
    )
    return element("g", parts, **attributes)


def arms() -> str:
    """Return every arm's pictogram as a symbol with an id."""
    return "".join(pictogram(kind, id=symbol_id(kind)) for kind in TroopKind)


def card() -> str:
    """Return the outline of a half-inch counter, 76 wide and high round (0, 0)."""
    return path("M-33-38h66l5 5v66l-5 5h-66l-5-5v-66z", "card")


def card_symbol() -> str:
    """Return the counter as a symbol with an id."""
    return element("g", card(), id="u-card")


def flag_symbol() -> str:
    """Return a small flag whose staff stands on (0, 0)."""
    return element(
        "g", path("M0 0v-46", "staff"), path("M1-45h32l-7 9 7 9h-32z", "bunting"), id="u-flag"
    )


def draw_disrupted_mark() -> str:
    """Return the mark of a disrupted unit: a triangle with an exclamation mark."""
    return path("M0-15l16 28h-32z", "alarm") + path("M0-5v8M0 7v3", "alarm-stroke")


def disrupted_symbol() -> str:
    """Return the mark as a symbol with an id."""
    return element("g", draw_disrupted_mark(), id="u-disrupted")


FOOT, HORSE = (22, 22), (20, 32)
"""Width and depth of a base."""

MOUNTED = frozenset({TroopKind.CAVALRY, TroopKind.CAMEL_CORPS})
PLACES: dict[Shape, tuple[DrawingPoint, ...]] = {
    Shape.LINE: ((-12, 0), (12, 0), (-36, 0), (36, 0)),
    Shape.COLUMN: ((-12, -13), (12, -13), (-12, 13), (12, 13)),
    Shape.MARCH_COLUMN: ((0, -35), (0, -12), (0, 11), (0, 34)),
    Shape.SQUARE: ((0, -26), (26, 0), (-26, 0), (0, 26)),
    Shape.MASS: ((-15, -16), (17, -13), (-18, 14), (13, 17)),
}
STEP = 12
"""Extra depth of a base with a horse, for every 30 from the middle."""

SLOTS: dict[int, tuple[DrawingPoint, ...]] = {
    1: ((8, -6),),
    2: ((-21, -21), (21, 21)),
    3: ((-23, -23), (23, -23), (0, 23)),
}
LARGE, SMALL = 0.88, 0.62

TABS: dict[int, tuple[DrawingPoint, ...]] = {
    1: ((-48, 27),),
    2: ((-48, 27), (2, -48)),
    3: ((-48, 3), (2, 3), (-48, 27)),
}
"""North-western corners of the tabs in a square, by the number of its units."""
TAB_HIGH = 21


def draw_pieces(pieces: list[Piece], centre: DrawingPoint) -> str:
    """Return the pieces of one square, side by side, with leaders in its corner."""
    troops = [piece for piece in pieces if piece.shape is not Shape.LEADER]
    leaders = [piece for piece in pieces if piece.shape is Shape.LEADER]
    slots = SLOTS.get(len(troops), SLOTS[3])
    scale = LARGE if len(troops) == 1 else SMALL
    drawn = [_piece(piece, slot, scale) for piece, slot in zip(troops, slots, strict=False)]
    drawn += [_leader(leader, number) for number, leader in enumerate(leaders)]
    x, y = centre
    return element("g", *drawn, transform=f"translate({x},{y})")


def tabs(pieces: list[Piece], centre: DrawingPoint) -> str:
    """Return the tabs of the units of one square: the number of each, and its figures left."""
    troops = [piece for piece in pieces if piece.shape is not Shape.LEADER]
    places = TABS.get(len(troops), TABS[3])
    x, y = centre
    return "".join(
        tab(piece.number, (x + place[0], y + place[1]), piece.figures, piece.full)
        for piece, place in zip(troops, places, strict=False)
    )


def tab_width(number: int, left: int, full: int) -> int:
    """Return the width of a tab."""
    return _cell(number) + (8 + 10 * len(str(left)) if full else 0)


def _cell(number: int) -> int:
    """Return the width of the cell of a tab that has the number."""
    return 8 + 11 * len(str(number))


def tab(number: int, corner: DrawingPoint, left: int = 0, full: int = 0) -> str:
    """Return a tab: a unit's number, and what is left of it, in red if it came with more.

    `corner` is its north-western corner. A unit without figures has its number alone.
    """
    wide, cell = tab_width(number, left, full), _cell(number)
    strength = element(
        "text",
        str(left),
        class_="left fewer" if left < full else "left",
        x=(cell + wide) // 2,
        y=TAB_HIGH - 5,
    )
    return group(
        "tab",
        element("rect", class_="tab-card", width=wide, height=TAB_HIGH),
        element("rect", class_="tab-number", width=cell, height=TAB_HIGH),
        element("text", str(number), class_="roster", x=cell // 2, y=TAB_HIGH - 5),
        strength if full else "",
        data_tab=number,
        transform=f"translate({corner[0]},{corner[1]})",
    )


def _piece(piece: Piece, at: DrawingPoint, scale: float) -> str:
    return group(
        f"piece {piece.nation}{' shaken' if piece.disorganised else ''}",
        element("title", text(f"{piece.number}. {piece.words}")),
        path("M-46-46h92v92h-92z", "touch"),
        unit_drawn(piece),
        id=f"piece-{piece.number}",
        data_piece=piece.number,
        transform=f"translate({at[0]},{at[1]})scale({scale})",
    )


def unit_drawn(piece: Piece) -> str:
    """Return a unit about (0, 0), turned to its facing, with its mark if it is disorganised."""
    alarm = element("g", draw_disrupted_mark(), transform="translate(34,-30)scale(.95)")
    turned = group("body", _body(piece), transform=f"rotate({45 * piece.facing})")
    return turned + (alarm if piece.disorganised else "")


def _body(piece: Piece) -> str:
    if piece.shape in (Shape.DEPLOYED, Shape.LIMBERED):
        return _draw_gun(piece)
    if piece.shape is Shape.AFLOAT:
        return craft(piece.kind)
    if piece.shape is Shape.TRAIN:
        return train(upright(45 * piece.facing))
    return _front(piece) + "".join(_bases(piece))


def _front(piece: Piece) -> str:
    """Return a small wedge in front that shows the facing; none for a square."""
    if piece.shape is Shape.SQUARE:
        return ""
    depth = {Shape.LINE: 0, Shape.COLUMN: 13, Shape.MARCH_COLUMN: 35, Shape.MASS: 17}[piece.shape]
    top = -depth - (HORSE[1] if piece.kind in MOUNTED else FOOT[1]) // 2 - 4
    return path(f"M-7 {top}h14l-7-8z", "wedge")


def _bases(piece: Piece) -> list[str]:
    """Return every figure the unit came with; lost figures are empty outlines."""
    places = PLACES[piece.shape]
    if piece.kind in MOUNTED:
        places = tuple((x, y + (STEP * y) // 30) for x, y in places)
    full = max(piece.full, piece.figures)
    return [
        _base(piece, place, here=number < piece.figures)
        for number, place in enumerate(places[: max(full, 1)])
    ]


def _base(piece: Piece, at: DrawingPoint, *, here: bool) -> str:
    wide, high = HORSE if piece.kind in MOUNTED else FOOT
    class_ = "base" if here else "base gone"
    if piece.side is Side.MAHDIST:
        shape = element("ellipse", class_=class_, rx=wide // 2 + 2, ry=high // 2 + 1)
    else:
        half, up = wide // 2, high // 2
        shape = path(f"M-{half}-{up}h{wide}v{high}h-{wide}z", class_)
    half = min(wide, high) // 2 - 2
    turned = upright(45 * piece.facing)
    arm = path(sign(piece.kind, half, half), "arm", transform=turned) if here else ""
    return element("g", shape, arm, transform=f"translate({at[0]},{at[1]})")


def upright(facing: int) -> str | None:
    """Return the transform that keeps a sign upright on a base turned by so many degrees."""
    return f"rotate({-facing})" if facing else None


def sign(kind: TroopKind, half: int, up: int) -> str:
    """Return path data of an arm's sign, such as crossed belts, a spear or a sabre."""
    return {
        TroopKind.SPEARS: f"M0 {up}v-{2 * up}",
        TroopKind.CAVALRY: f"M-{half} {up}l{2 * half}-{2 * up}",
        TroopKind.CAMEL_CORPS: f"M-{half} {up // 2}q{half}-{2 * up} {2 * half} 0",
        TroopKind.ENGINEERS: f"M-{half} {half}v-{half}h{2 * half}v{half}",
        TroopKind.CIVILIANS: f"M-{half // 2} 0h{half}",
        TroopKind.NAVAL: f"M0-{half}v{2 * half}M-{half} 0q{half} {2 * half} {2 * half} 0",
    }.get(kind, f"M-{half}-{up}l{2 * half} {2 * up}M{half}-{up}l-{2 * half} {2 * up}")


def _draw_gun(piece: Piece) -> str:
    """Return a gun and its crew; behind its team when it is limbered."""
    limbered = piece.shape is Shape.LIMBERED
    drawn = gun(quick=piece.quick, limbered=limbered)
    if limbered:
        return drawn
    crew = [
        element(
            "circle", class_="base" if number < piece.figures else "base gone", cx=x, cy=30, r=9
        )
        for number, x in enumerate((-12, 12)[: max(piece.full, piece.figures, 1)])
    ]
    return element("g", drawn, *crew, transform="translate(0,-2)")


def gun(*, quick: bool, limbered: bool) -> str:
    """Return a gun from above: barrel forward when deployed, behind its team when limbered."""
    barrels = "M-7-34h4v30h-4zM-2-36h4v32h-4zM3-34h4v30h-4z" if quick else "M-4-36h8v34h-8z"
    wheels = path("M-21-12h7v24h-7zM14-12h7v24h-7z", "wheel")
    drawn = wheels + path("M-14-2h28M0 0v22", "axle") + path(barrels, "barrel")
    if not limbered:
        return drawn
    team = path("M-12-40h10v22h-10zM2-40h10v22h-10z", "base")
    return team + element("g", drawn, transform="translate(0,10)rotate(180)")


def craft(kind: TroopKind) -> str:
    """Return a vessel from above: a sail, or a funnel and guns."""
    hull = path("M0-46q17 16 17 44v34q-17 14-34 0v-34q0-28 17-44z", "base")
    if kind is TroopKind.BOAT:
        return hull + path("M0-24l14 26h-28z", "arm")
    funnel = element("circle", class_="wheel", cx=0, cy=6, r=6)
    return hull + path("M-3-38h6v18h-6zM-3 20h6v14h-6z", "barrel") + funnel


def train(turned: str | None = None) -> str:
    """Return a train of wagons and pack animals: a camel with its load."""
    load = path("M-30-20h60v40h-60z", "base")
    return load + path(CAMEL, "solid", transform=f"{turned or ''}scale(.9)")


def flag() -> str:
    """Return a leader's flag, whose staff stands on (0, 0)."""
    return path("M0 0v-34", "staff") + path("M1-33h26l-6 8 6 8h-26z", "bunting")


def _leader(leader: Piece, number: int) -> str:
    """Return a leader's flag in the corner of the square."""
    return group(
        f"piece leader flag-{leader.side}",
        element("title", text(f"{leader.number}. {leader.words}")),
        path("M-6-38h40v42h-40z", "touch"),
        flag(),
        id=f"piece-{leader.number}",
        data_piece=leader.number,
        transform=f"translate({-44 + 30 * number},-12)",
    )


GATHERED = 90
"""Units of the drawing within which the losses of a side are counted in one mark."""
LINE_OF_LOSSES = 26
"""Height of a mark."""


def draw_losses(losses: Iterable[tuple[DrawnLoss, DrawingPoint]]) -> Iterator[str]:
    """Yield the marks of losses at their points, none upon another.

    Losses of a side that fell close together have one mark with their sum. Their own marks are
    shown only while a replay is at their steps.
    """
    groups: list[tuple[DrawingPoint, list[DrawnLoss]]] = []
    for loss, point in losses:
        for where, fallen in groups:
            if fallen[0].side is loss.side and dist(where, point) < GATHERED:
                fallen.append(loss)
                break
        else:
            groups.append((point, [loss]))
    boxes: list[tuple[int, int, int]] = []
    for (x, top), fallen in groups:
        words, y = loss_in_words(fallen), top
        wide = 30 + 12 * len(words)
        beside = [box for box in boxes if x < box[0] + box[2] and box[0] < x + wide]
        while any(abs(y - box[1]) < LINE_OF_LOSSES for box in beside):
            y -= LINE_OF_LOSSES
        boxes.append((x, y, wide))
        if len(fallen) == 1:
            yield _loss_mark((x, y), words, fallen[0])
            continue
        yield from (_loss_mark((x, y), loss_in_words([loss]), loss, " part") for loss in fallen)
        yield _loss_mark((x, y), words, fallen[0]._replace(step=0), " sum")


def loss_in_words(fallen: list[DrawnLoss]) -> str:
    """Return what was lost, and how many units are gone; `gone` for the end of a single one."""
    gone = sum(loss.gone for loss in fallen)
    if len(fallen) == 1 and gone:
        return "gone"
    lost = sum(loss.lost for loss in fallen)
    parts = (f"\u2212{lost}" if lost else "", f"{gone} gone" if gone else "")
    return ", ".join(filter(None, parts))


def _loss_mark(at: DrawingPoint, words: str, loss: DrawnLoss, more: str = "") -> str:
    """Return a cross with words beside it."""
    return group(
        f"loss {loss.side}{more}",
        path("M-9-9l18 18M9-9l-18 18", "cross"),
        element("text", words, x=14, y=7),
        transform=f"translate({at[0]},{at[1]})",
        data_step=loss.step or None,
    )
