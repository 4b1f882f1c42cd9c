"""The field of a battle drawn as SVG, whatever the book it is fought by.

`field(scene)` is the picture of a moment, an element of a page whose inks are those of
campaign/ink.css and battles/field.css. `scene` has the words in which a book describes one.
"""

from collections import defaultdict

from battles.drawing import marks
from battles.drawing.ground import ground_drawn
from battles.drawing.pen import element, group
from battles.drawing.pieces import placed
from battles.drawing.plan import MARGIN, SIDE, centre
from battles.drawing.scene import Ground, Piece, Scene, Square

__all__ = ["field"]


WIDE = 14
"""Columns of the widest field that a telephone shows whole."""


def field(scene: Scene, label: str) -> str:
    """The picture of that moment; `label` says what it is to whoever cannot see it."""
    ground = scene.ground
    return element(
        "svg",
        ground_drawn(ground),
        group("tracks", *map(marks.track, scene.tracks)),
        group("shots", *map(marks.shot, scene.shots)),
        group("pieces", *_pieces(scene)),
        group("melees", *map(marks.melee, sorted(scene.melees))),
        class_="chart field wide" if ground.columns > WIDE else "chart field",
        viewBox=_view_box(ground),
        role="img",
        aria_label=label,
    )


def _view_box(ground: Ground) -> str:
    wide, high = SIDE * ground.columns, SIDE * ground.rows
    return f"{-MARGIN} {-MARGIN} {wide + MARGIN + 8} {high + MARGIN + 8}"


def _pieces(scene: Scene) -> list[str]:
    squares: dict[Square, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        squares[piece.square].append(piece)
    return [placed(squares[square], centre(square)) for square in sorted(squares)]
