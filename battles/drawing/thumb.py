"""A field in small: ground and units as patches of colour, without signs or numbers."""

from collections.abc import Iterator

from battles.drawing.scene import DrawnScene, Piece, Shape, TableScene
from battles.drawing.squares import ORDER, SIDE, centre, outline
from battles.drawing.svg import element, group, loop, path
from battles.drawing.table_field import COVERS, TablePlan
from battles.tabletop.field import AREAS

WIDE, DEEP = 60, 44
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
        squares = [square for square, them in covers.items() if cover in them]
        if squares:
            yield path(outline(squares), f"on-{cover}")


def _piece(piece: Piece) -> str:
    x, y = centre(piece.square)
    if piece.shape is Shape.LEADER:
        return ""
    rect = element("rect", class_="base", x=x - WIDE // 2, y=y - DEEP // 2, width=WIDE, height=DEEP)
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
