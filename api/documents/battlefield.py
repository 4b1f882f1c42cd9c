"""The field of a battle and the units on it, as documents."""

from collections.abc import Iterator
from typing import Literal, cast

import msgspec

from api.documents.scalars import SideName, TerrainName
from api.http.rule_json import identifier
from battles.drawing.field_description import MILLIMETRES
from battles.drawing.scene import (
    Barrier,
    Cover,
    DrawnScene,
    OpenTable,
    SquaresGround,
    TableScene,
    square_name,
)
from battles.replay import Picture
from battles.tabletop.geometry import MEASURE

EIGHTH = 45
"""An eighth of a turn, in degrees."""

Spot = tuple[float, float]


class CoverPart(msgspec.Struct, frozen=True):
    """A square and its cover."""

    square: str
    cover_kinds: tuple[Cover, ...]


class BarrierPart(msgspec.Struct, frozen=True):
    """A barrier along one side of a square; `bearing` is in degrees from the north."""

    square: str
    bearing: int
    barrier: Barrier


class FlowPart(msgspec.Struct, frozen=True):
    """A square of running water and the bearing of its flow."""

    square: str
    bearing: int


class SquaresField(msgspec.Struct, frozen=True, tag="squares", tag_field="type"):
    """A field of squares, with A1 in its north-western corner."""

    column_count: int
    row_count: int
    square_millimetres: int
    covers: tuple[CoverPart, ...]
    barriers: tuple[BarrierPart, ...]
    flows: tuple[FlowPart, ...]
    goal_squares: tuple[str, ...]


class FeaturePart(msgspec.Struct, frozen=True):
    """A feature of an open table: the corners of an area, or the points of a line."""

    terrain: TerrainName
    name: str | None
    outline: tuple[Spot, ...]


class GoalAreaPart(msgspec.Struct, frozen=True):
    """The outline of an area to take."""

    outline: tuple[Spot, ...]


class TableField(msgspec.Struct, frozen=True, tag="table", tag_field="type"):
    """An open table, measured from its north-western corner to the east and to the south."""

    measure: Literal["inch", "cm"]
    width: float
    height: float
    downstream_bearing: int
    features: tuple[FeaturePart, ...]
    goal_areas: tuple[GoalAreaPart, ...]


class FieldUnitPart(msgspec.Struct, frozen=True):
    """A unit or Leader: the figures or stands that came and that are left, and its position.

    `point` and `bearing` are null for a unit off the field.
    """

    id: int
    side: SideName
    name: str
    kind_label: str
    position_label: str | None
    facing_label: str | None
    formation_label: str | None
    initial_strength: int
    strength: int
    state_label: str | None
    point: Spot | None
    bearing: int | None


Field = SquaresField | TableField


def field_part(picture: Picture) -> Field:
    """Return the field of the picture without units."""
    scene = picture.scene
    return _table(scene.ground) if isinstance(scene, TableScene) else _squares(scene.ground)


def unit_parts(picture: Picture) -> tuple[FieldUnitPart, ...]:
    """Return all units of the picture by number, including the lost and the fallen."""
    return tuple(_unit_parts(picture))


def _unit_parts(picture: Picture) -> Iterator[FieldUnitPart]:
    spots = _spots(picture.scene)
    for line in picture.roll:
        point, bearing = spots.get(line.number, (None, None))
        yield FieldUnitPart(
            id=line.number,
            side=line.side,
            name=line.name,
            kind_label=line.what,
            position_label=line.where or None,
            facing_label=line.facing or None,
            formation_label=line.formation or None,
            initial_strength=line.came,
            strength=line.left,
            state_label=line.state or None,
            point=point,
            bearing=bearing,
        )


def _squares(ground: SquaresGround) -> SquaresField:
    return SquaresField(
        column_count=ground.columns,
        row_count=ground.rows,
        square_millimetres=MILLIMETRES,
        covers=tuple(
            CoverPart(square_name(square), tuple(sorted(covers)))
            for square, covers in sorted(ground.covers.items())
        ),
        barriers=tuple(
            BarrierPart(square_name(hedge.square), hedge.side * EIGHTH, hedge.barrier)
            for hedge in ground.hedges
        ),
        flows=tuple(
            FlowPart(square_name(square), eighths * EIGHTH)
            for square, eighths in sorted(ground.streams.items())
        ),
        goal_squares=tuple(map(square_name, sorted(ground.goals))),
    )


def _table(ground: OpenTable) -> TableField:
    field = ground.field
    return TableField(
        measure=cast("Literal['inch', 'cm']", field.measure),
        width=field.width / MEASURE,
        height=field.height / MEASURE,
        downstream_bearing=field.downstream,
        features=tuple(
            FeaturePart(
                identifier(feature.kind), feature.name or None, tuple(map(_spot, feature.points))
            )
            for feature in field.features
        ),
        goal_areas=tuple(GoalAreaPart(tuple(map(_spot, goal))) for goal in ground.goals),
    )


def _spot(point: tuple[int, int]) -> Spot:
    return point[0] / MEASURE, point[1] / MEASURE


def _spots(scene: DrawnScene | TableScene) -> dict[int, tuple[Spot, int]]:
    """Return the position and bearing of every unit on the field, by number."""
    if isinstance(scene, TableScene):
        return {piece.number: (_spot(piece.at), piece.facing) for piece in scene.pieces}
    return {piece.number: (piece.square, piece.facing * EIGHTH) for piece in scene.pieces}
