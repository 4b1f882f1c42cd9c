"""The field of a battle drawn as SVG, for every book.

`field(scene)` draws one moment as an element of a page, with the colours of campaign/ink.css and
battles/field.css. `battles.drawing.scene` has the types that describe a moment: `Scene` for books
with squares, `TableScene` for books with an open table.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from battles.drawing import squares as marks
from battles.drawing import table_field
from battles.drawing.pieces import draw_losses, draw_pieces, tabs
from battles.drawing.scene import (
    Cover,
    DrawnLoss,
    DrawnScene,
    Hedge,
    OpenTable,
    Piece,
    Square,
    SquaresGround,
    TableScene,
)
from battles.drawing.squares import MARGIN, SIDE, centre, ground_drawn
from battles.drawing.svg import DrawingPoint, element, group
from battles.drawing.table_field import TablePlan, distances, table_drawn
from battles.drawing.table_pieces import block_drawn, tabs_placed

__all__ = ["field"]


Numbers = Mapping[int, int]

DRAWN = 64
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
        group("tracks", *(marks.track(one, numbers.get(one.step, 0)) for one in scene.tracks)),
        pieces,
        group("shots", *(marks.draw_shot(one, numbers.get(one.step, 0)) for one in scene.shots)),
        group("melees", *(marks.blades(marks.centre(at)) for at in sorted(scene.melees))),
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
            *(table_field.way(one, plan, numbers.get(one.step, 0)) for one in scene.tracks),
        ),
        group("pieces", *(block_drawn(one, plan, far.get(one.number, "")) for one in scene.pieces)),
        group(
            "shots",
            *(table_field.volley(one, plan, numbers.get(one.step, 0)) for one in scene.shots),
        ),
        group("melees", *(table_field.melee(at, plan) for at in scene.melees)),
        over,
        group("tabs", *tabs_placed(scene.pieces, plan)),
        group("losses", *draw_losses(_beside(loss, plan.at(loss.at)) for loss in scene.losses)),
        class_="chart field table wide",
        viewBox=_box(plan.wide, plan.high),
        role="group" if over else "img",
        aria_label=label,
    )


# The ground of a battle never changes: it is drawn once, and not at every turn.


@lru_cache(maxsize=DRAWN)
def _drawn_squares(
    size: tuple[int, int],
    hedges: tuple[Hedge, ...],
    goals: frozenset[Square],
    covers: tuple[tuple[Square, frozenset[Cover]], ...],
    streams: tuple[tuple[Square, int], ...],
) -> str:
    return ground_drawn(SquaresGround(*size, dict(covers), hedges, goals, dict(streams)))


@lru_cache(maxsize=DRAWN)
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
        group("pieces", *(draw_pieces(them, at) for them, at in ranked)),
        group("tabs", *(tabs(them, at) for them, at in ranked)),
    )
