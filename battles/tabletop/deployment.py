"""Deployment on an open table: posts of units, zones, and why a unit cannot stand in a place."""

from collections.abc import Iterable, Sequence

import msgspec
import shapely

from battles.contract.set_up import ZoneBox, opposite, zones_of
from battles.core.game import Action
from battles.tabletop.field import Kinds, Lying, OpenField, bounds, lies_in, on_table
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TOUCH, Stands, TablePoint, gap, overlap

Outline = tuple[TablePoint, ...]
"""The corners of an area of the table."""


class Post(msgspec.Struct, frozen=True, array_like=True):
    """The place, the facing and the formation of a unit before the battle."""

    at: TablePoint
    facing: int
    formation: TableFormation


class Deploy(Action, frozen=True):
    """Put the unit here, with this facing and formation, before the battle."""

    unit: int
    at: TablePoint
    facing: int
    formation: TableFormation

    @property
    def post(self) -> Post:
        """Return the post that the action gives the unit."""
        return Post(self.at, self.facing, self.formation)


def contains(outline: Outline, stands: Stands) -> bool:
    """Return whether the centres of all these stands lie within the outline."""
    area = shapely.Polygon(outline)
    return all(area.covers(shapely.Point(stand.at)) for stand in stands)


def refusal(
    field: OpenField,
    zones: Sequence[Outline],
    stands: Stands,
    others: tuple[Iterable[Stands], Iterable[Stands]],
    water: tuple[Kinds, Lying],
) -> str:
    """Return why stands cannot be placed so, "" when they can.

    `others` are the stands of friends and of the enemies in sight; `water` the kinds of water and
    how the unit has to lie in them.
    """
    if not on_table(field, stands) or not any(contains(zone, stands) for zone in zones):
        return "That is not where this side may place its units."
    if lies_in(field, stands, water[0]) is not water[1]:
        return "Vessels keep to the water and all others out of it."
    return reason_for_no_room(stands, *others)


def reason_for_no_room(stands: Stands, friends: Iterable[Stands], enemies: Iterable[Stands]) -> str:
    """Return why stands have no room beside those of friends and enemies, "" when they have."""
    if any(overlap(stands, theirs) for theirs in friends):
        return "Another unit stands there."
    if any(gap(stands, theirs) <= TOUCH for theirs in enemies):
        return "An enemy stands close by."
    return ""


def table_zones(
    field: OpenField, bodies: Sequence[tuple[int, Stands]], defenders: Stands, clear: int
) -> tuple[tuple[Outline, ...], tuple[Outline, ...]]:
    """Return the zones of the attacker and of the defender on a table.

    `bodies` are the attacker's, each with its own edge; the main body is the first.
    """
    whole = ZoneBox(0, 0, field.width, field.height)
    drawn_up = [
        (edge, _box(stands) if stands else whole.without(opposite(edge), whole.depth(edge, whole)))
        for edge, stands in bodies
    ]
    found = zones_of(whole, drawn_up, _box(defenders) if defenders else None, clear)
    attacker, defender = (tuple(map(_outline, boxes)) for boxes in found)
    return attacker, defender


def _box(stands: Stands) -> ZoneBox:
    low, high = bounds(stands)
    return ZoneBox(*low, *high)


def _outline(box: ZoneBox) -> Outline:
    west, north, east, south = box
    return (
        TablePoint(west, north),
        TablePoint(east, north),
        TablePoint(east, south),
        TablePoint(west, south),
    )
