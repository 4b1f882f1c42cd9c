"""A field described in words, for laying it out on a real table."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from battles.drawing.scene import STEPS, Hedge, OpenTable, SquaresGround, square_name
from battles.drawing.table_field import NAMES
from battles.tabletop.field import AREAS, OpenField, TerrainFeature

MILLIMETRES = 75
"""The side of a square on the table, for figures of 15 mm."""

INCH = 2.54
"""Centimetres in an inch."""


class TerrainToLay(NamedTuple):
    """A piece of terrain to lay on the table, and its place."""

    what: str
    where: str


def measure(ground: SquaresGround | OpenTable) -> str:
    """Return the field's size, in the book's measure and in centimetres."""
    if isinstance(ground, OpenTable):
        return _table_measure(ground.field)
    wide, deep = ground.columns, ground.rows
    size = f"{wide * MILLIMETRES / 10:g} by {deep * MILLIMETRES / 10:g} cm"
    return f"{wide} by {deep} squares of {MILLIMETRES} mm: {size}, with north at the top"


def terrain_to_lay(ground: SquaresGround | OpenTable) -> list[TerrainToLay]:
    """Return the terrain to lay on the field, and the areas to be taken."""
    if isinstance(ground, OpenTable):
        return list(_on_table(ground))
    covers: dict[str, list[str]] = defaultdict(list)
    for square, kinds in sorted(ground.covers.items()):
        for kind in sorted(kinds):
            covers[kind].append(square_name(square))
    hedges: dict[str, list[str]] = defaultdict(list)
    for hedge in ground.hedges:
        hedges[hedge.barrier].append(_between(hedge))
    goals = [square_name(square) for square in sorted(ground.goals)]
    return [
        *(TerrainToLay(kind, ", ".join(covers[kind])) for kind in sorted(covers)),
        *(TerrainToLay(kind, ", ".join(hedges[kind])) for kind in sorted(hedges)),
        *([TerrainToLay("to be taken", ", ".join(goals))] if goals else []),
    ]


def _between(hedge: Hedge) -> str:
    (column, row), (dx, dy) = hedge.square, STEPS[hedge.side]
    return f"{square_name(hedge.square)}–{square_name((column + dx, row + dy))}"


def _table_measure(field: OpenField) -> str:
    size = f"{field.width / 100:g} by {field.height / 100:g}"
    if field.measure == "cm":
        return f"{size} cm, with north at the top"
    metric = f"{field.width / 100 * INCH:.0f} by {field.height / 100 * INCH:.0f} cm"
    return f"{size} {NAMES[field.measure]} ({metric}), with north at the top"


def _on_table(ground: OpenTable) -> Iterator[TerrainToLay]:
    """Yield all terrain of a kind together, measured from the western and northern edges."""
    unit = NAMES[ground.field.measure]
    together: dict[str, list[str]] = defaultdict(list)
    for feature in sorted(
        ground.field.features, key=lambda feature: (feature.kind, feature.points)
    ):
        label = f"{feature.kind}, {feature.name}" if feature.name else str(feature.kind)
        together[label].append(
            _area(feature, unit) if feature.kind in AREAS else f"through {_points(feature.points)}"
        )
    for label, places in together.items():
        yield TerrainToLay(label, "; ".join(places))
    for goal in ground.goals:
        yield TerrainToLay("to be taken", f"what lies between {_points(goal)}")


def _area(feature: TerrainFeature, unit: str) -> str:
    """Return size and middle: `12 by 10 inches about 24 by 15`."""
    xs, ys = zip(*feature.points, strict=True)
    size = f"{_in_units(max(xs) - min(xs))} by {_in_units(max(ys) - min(ys))} {unit}"
    middle = f"{_in_units((max(xs) + min(xs)) / 2)} by {_in_units((max(ys) + min(ys)) / 2)}"
    return f"{size} about {middle}"


def _points(points: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{_in_units(x)} by {_in_units(y)}" for x, y in points)


def _in_units(hundredths: float) -> int:
    return round(hundredths / 100)
