"""The field of a battle drawn as SVG, for every book.

`field(scene)` draws one moment as an element of a page, with the colours of campaign/ink.css and
battles/field.css. `battles.drawing.scene` has the types that describe a moment: `Scene` for books
with squares, `TableScene` for books with an open table. `thumb` draws it in small, as patches of
colour; `draw_click_targets` lays rings about pieces and spots to go to over it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.drawing import squares, table_field
from battles.drawing.pieces import draw_losses, draw_pieces, tabs
from battles.drawing.scene import (
    Block,
    Cover,
    DrawnLoss,
    DrawnScene,
    Hedge,
    OpenTable,
    Piece,
    Shape,
    Square,
    SquaresGround,
    TableScene,
)
from battles.drawing.squares import MARGIN, ORDER, SIDE, centre, ground_drawn, outline
from battles.drawing.svg import DrawingPoint, element, group, loop, path, polyline, strokes, text
from battles.drawing.table_field import COVERS, TablePlan, distances, table_drawn
from battles.drawing.table_pieces import block_drawn, tabs_placed
from battles.tabletop.field import AREAS
from battles.tabletop.geometry import middle

Numbers = Mapping[int, int]

CACHED_GROUNDS = 64
"""Grounds whose drawings are kept."""
WIDE = 14
"""Columns of the widest field that a telephone shows whole."""


def field(
    scene: DrawnScene | TableScene, label: str, over: str = "", numbers: Numbers | None = None
) -> str:
    """Return the picture of a scene; `label` describes it for screen readers.

    `over` is markup drawn on top: the click targets. `numbers` has the numbers that moves and
    shots bear, by their step.
    """
    if isinstance(scene, TableScene):
        return _table(scene, label, over, numbers or {})
    return _squares(scene, label, over, numbers or {})


def _squares(scene: DrawnScene, label: str, over: str, numbers: Numbers) -> str:
    ground = scene.ground
    pieces, labels = _pieces(scene)
    return element(
        "svg",
        _drawn_squares(
            (ground.columns, ground.rows),
            ground.hedges,
            ground.goals,
            tuple(ground.covers.items()),
            tuple(ground.streams.items()),
        ),
        group(
            "tracks", *(squares.track(track, numbers.get(track.step, 0)) for track in scene.tracks)
        ),
        pieces,
        group(
            "shots", *(squares.draw_shot(shot, numbers.get(shot.step, 0)) for shot in scene.shots)
        ),
        group(
            "melees", *(squares.blades(squares.centre(square)) for square in sorted(scene.melees))
        ),
        over,
        labels,
        group("losses", *draw_losses(_beside(loss, centre(loss.at)) for loss in scene.losses)),
        class_="chart field wide" if ground.columns > WIDE else "chart field",
        viewBox=_box(SIDE * ground.columns, SIDE * ground.rows),
        role="group" if over else "img",
        aria_label=label,
    )


def _table(scene: TableScene, label: str, over: str, numbers: Numbers) -> str:
    plan = TablePlan(scene.ground.field)
    far = distances(scene.pieces, scene.ground.field.measure)
    return element(
        "svg",
        _drawn_table(scene.ground),
        group(
            "tracks",
            *(table_field.way(track, plan, numbers.get(track.step, 0)) for track in scene.tracks),
        ),
        group(
            "pieces",
            *(block_drawn(piece, plan, far.get(piece.number, "")) for piece in scene.pieces),
        ),
        group(
            "shots",
            *(table_field.volley(shot, plan, numbers.get(shot.step, 0)) for shot in scene.shots),
        ),
        group("melees", *(table_field.melee(point, plan) for point in scene.melees)),
        over,
        group("tabs", *tabs_placed(scene.pieces, plan)),
        group("losses", *draw_losses(_beside(loss, plan.at(loss.at)) for loss in scene.losses)),
        class_="chart field table wide",
        viewBox=_box(plan.wide, plan.high),
        role="group" if over else "img",
        aria_label=label,
    )


# The ground of a battle never changes: it is drawn once, and not at every turn.


@lru_cache(maxsize=CACHED_GROUNDS)
def _drawn_squares(
    size: tuple[int, int],
    hedges: tuple[Hedge, ...],
    goals: frozenset[Square],
    covers: tuple[tuple[Square, frozenset[Cover]], ...],
    streams: tuple[tuple[Square, int], ...],
) -> str:
    return ground_drawn(SquaresGround(*size, dict(covers), hedges, goals, dict(streams)))


@lru_cache(maxsize=CACHED_GROUNDS)
def _drawn_table(ground: OpenTable) -> str:
    return table_drawn(ground, TablePlan(ground.field))


def _box(wide: int, high: int) -> str:
    return f"{-MARGIN} {-MARGIN} {wide + MARGIN + 8} {high + MARGIN + 8}"


def _beside(loss: DrawnLoss, at: DrawingPoint) -> tuple[DrawnLoss, DrawingPoint]:
    """Return a loss with the point of its mark, north-east of the place where it fell."""
    return loss, (at[0] + 28, at[1] - 30)


def _pieces(scene: DrawnScene) -> tuple[str, str]:
    """Return the units, and their tabs, which no base or ring covers."""
    squares: dict[Square, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        squares[piece.square].append(piece)
    ranked = [(squares[square], centre(square)) for square in sorted(squares)]
    return (
        group("pieces", *(draw_pieces(pieces, point) for pieces, point in ranked)),
        group("tabs", *(tabs(pieces, point) for pieces, point in ranked)),
    )


RING, SPOT, FINGER, CROSS = 46, 15, 26, 14


class ClickTarget(NamedTuple):
    """A place to press: its sort, the address its link leads to, and its label.

    `ring`: about a piece, instead of a spot on the ground; `unit` is its number. `choice` is the
    number of the only choice there, if a touch gives it at once.
    """

    at: DrawingPoint
    sort: str
    link: str
    words: str
    ring: bool = False
    chosen: bool = False
    choice: int | None = None
    unit: int | None = None


def draw_click_targets(
    marks: Iterable[ClickTarget],
    acting: Sequence[DrawingPoint] = (),
    reach: int = 0,
    zone: str = "",
    way: Sequence[DrawingPoint] = (),
) -> str:
    """Return the click targets as markup.

    `acting` are the places of the units whose turn it is, `reach` the radius of the first's move,
    `zone` the ground on which units may be placed, as path data, `way` the points of a move that
    is tried.
    """
    ground = path(zone, "zone") if zone else ""
    rings = [element("circle", class_="acting", cx=x, cy=y, r=RING) for x, y in acting]
    far = [element("circle", class_="reach", cx=x, cy=y, r=reach) for x, y in acting[:1] if reach]
    tried = _draw_way((*acting[:1], *way)) if way else ""
    return group("offers", ground, *far, *rings, tried, *map(_draw_link, marks))


def _draw_way(points: Sequence[DrawingPoint]) -> str:
    """Return a way with a cross at its end."""
    x, y = points[-1]
    west, north, east, south = x - CROSS, y - CROSS, x + CROSS, y + CROSS
    cross = strokes([((west, north), (east, south)), ((east, north), (west, south))])
    line = path(polyline(points), "tried") if points[1:] else ""
    return line + path(cross, "tried cross")


def spots_of(scene: DrawnScene | TableScene) -> dict[int, DrawingPoint]:
    """Return every piece's place on the drawing, by its number."""
    if isinstance(scene, TableScene):
        plan = TablePlan(scene.ground.field)
        return {piece.number: plan.at(_middle(piece)) for piece in scene.pieces}
    return {piece.number: centre(piece.square) for piece in scene.pieces}


def _middle(block: Block) -> DrawingPoint:
    return middle(stand.at for stand in block.stands) if block.stands else block.at


def _draw_link(mark: ClickTarget) -> str:
    x, y = mark.at
    size = RING if mark.ring else SPOT
    shown = element("circle", class_="shape", cx=x, cy=y, r=size)
    finger = element("circle", class_="finger", cx=x, cy=y, r=max(size, FINGER))
    return element(
        "a",
        element("title", text(mark.words)),
        finger,
        shown,
        class_=f"offer {mark.sort}{' ring' if mark.ring else ''}{' chosen' if mark.chosen else ''}",
        href=mark.link,
        data_choice=mark.choice,
        data_unit=mark.unit,
        aria_label=mark.words,
    )


PATCH_WIDE, PATCH_DEEP = 60, 44
"""Sides of a unit's patch on squares."""


def thumb(scene: DrawnScene | TableScene) -> str:
    """Return a small picture of a field. It has no name: the text beside it says what it is."""
    if isinstance(scene, TableScene):
        plan = TablePlan(scene.ground.field)
        wide, high = plan.wide, plan.high
        drawn = (*_areas(scene, plan), *_blocks(scene, plan))
    else:
        wide, high = SIDE * scene.ground.columns, SIDE * scene.ground.rows
        drawn = (*_covers(scene), *map(_piece, scene.pieces))
    return element(
        "svg",
        path(f"M0 0h{wide}v{high}h-{wide}z", "paper"),
        *drawn,
        class_="chart field thumb",
        viewBox=f"0 0 {wide} {high}",
        aria_hidden="true",
    )


def _covers(scene: DrawnScene) -> Iterator[str]:
    covers = scene.ground.covers
    for cover in (*ORDER, *(set(sum(map(tuple, covers.values()), ())) - set(ORDER))):
        squares = [square for square, kinds in covers.items() if cover in kinds]
        if squares:
            yield path(outline(squares), f"on-{cover}")


def _piece(piece: Piece) -> str:
    x, y = centre(piece.square)
    if piece.shape is Shape.LEADER:
        return ""
    west, north = x - PATCH_WIDE // 2, y - PATCH_DEEP // 2
    rect = element("rect", class_="base", x=west, y=north, width=PATCH_WIDE, height=PATCH_DEEP)
    return group(f"piece {piece.nation}", rect)


def _areas(scene: TableScene, plan: TablePlan) -> Iterator[str]:
    for feature in scene.ground.field.features:
        if feature.kind in AREAS:
            rim = loop([plan.at(point) for point in feature.points])
            yield from (path(rim, f"on-{cover}") for cover in COVERS[feature.kind])


def _blocks(scene: TableScene, plan: TablePlan) -> Iterator[str]:
    for block in scene.pieces:
        for stand in block.stands:
            x, y = plan.at(stand.at)
            wide, deep = plan.length(stand.width), plan.length(stand.depth)
            rect = element(
                "rect",
                class_="base",
                x=-wide // 2,
                y=-deep // 2,
                width=wide,
                height=deep,
                transform=f"translate({x},{y})rotate({stand.facing})",
            )
            yield group(f"piece {block.nation}", rect)
