"""Deployment on an open table: posts, zones, why a unit cannot stand there, and both sides' layout.

The compass is the campaign's, north up: the attacker enters from the edge of the hexside it came
by. The same brief is always laid out the same; no dice are thrown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import shapely

from battles.contract.brief import Brief, Side
from battles.contract.set_up import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    ZoneBox,
    edge_of,
    opposite,
    share_flankers,
    sides_of,
    zones_of,
)
from battles.core.game import Action
from battles.tabletop.deployment_lines import (
    DeploymentBand,
    DeploymentLines,
    Placement,
    Role,
    afloat,
    draw_up_mass,
    draw_up_regulars,
)
from battles.tabletop.field import (
    Kinds,
    Lying,
    OpenField,
    TableTerrain,
    TerrainFeature,
    bounds,
    lies_in,
    on_table,
)
from battles.tabletop.formations import FAR, TableFormation
from battles.tabletop.geometry import TOUCH, Stands, TablePoint, gap, overlap
from battles.tabletop.ground import (
    GroundLayer,
    TableFrame,
    TableScale,
    frame_of,
    lay_ground,
    lay_water,
)

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
    if any(overlap(stands, friend) for friend in friends):
        return "Another unit stands there."
    if any(gap(stands, enemy) <= TOUCH for enemy in enemies):
        return "An enemy stands close by."
    return ""


def table_zones(
    field: OpenField, bodies: Sequence[tuple[int, Stands]], defenders: Stands, clear: int
) -> tuple[tuple[Outline, ...], tuple[Outline, ...]]:
    """Return the zones of the attacker and of the defender on a table.

    `bodies` are the attacker's, each with its own edge; the main body is the first.
    """
    table = ZoneBox(0, 0, field.width, field.height)
    drawn_up = [
        (edge, _box(stands) if stands else table.without(opposite(edge), table.depth(edge, table)))
        for edge, stands in bodies
    ]
    zones = zones_of(table, drawn_up, _box(defenders) if defenders else None, clear)
    attacker, defender = (tuple(map(_outline, boxes)) for boxes in zones)
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


_LARGER = 2
"""The number of times that a larger table is tried."""

_NEAR = 1.5
"""The sides are too near when this many times their distance is less than the gap."""


class LaidOut(NamedTuple):
    """The field with every unit's place; `late` units found no room and come on later.

    `goal` is the outline of the settlement, empty without one; `homes` has the bearing of each
    side's own edge, `zones` where each side may place its units instead.
    """

    field: OpenField
    posts: dict[int, Placement]
    late: dict[int, Placement]
    goal: tuple[TablePoint, ...]
    homes: dict[Side, int]
    zones: dict[Side, tuple[Outline, ...]]


def lay_out(brief: Brief, bands: Sequence[DeploymentBand], scale: TableScale) -> LaidOut:
    """Return the battle of the brief before it begins, on a table that keeps the sides apart."""
    frame = frame_of(brief, len(bands), scale)
    laid, apart = _lay_out(brief, bands, frame, scale)
    for _ in range(_LARGER):
        if apart * _NEAR >= scale.gap and not laid.late:
            break
        frame = frame.larger
        laid, apart = _lay_out(brief, bands, frame, scale)
    return laid


def _lay_out(
    brief: Brief, bands: Sequence[DeploymentBand], frame: TableFrame, scale: TableScale
) -> tuple[LaidOut, int]:
    """Return the battle on that table, and the distance between the sides."""
    attackers = [band for band in bands if band.side is brief.attacker.side]
    defenders = [band for band in bands if band.side is brief.defender.side]
    ground = GroundLayer(brief, frame, scale)
    lay_water(ground)
    lines = DeploymentLines(ground.field(), scale)
    bodies = _attackers(lines, frame, attackers, (brief, _strong(defenders) >= _strong(attackers)))
    front = min(_depth(lines, frame) + scale.gap, frame.deep - 2 * scale.stand.width)
    goal = lay_ground(ground, front)
    beset = _strong(attackers) >= _strong(defenders) or len(sides_of(brief)) > 1
    _draw_up(lines, frame.opposite, defenders, frame.deep - front, beset=beset)
    afloat(lines, attackers, frame)
    afloat(lines, defenders, frame.opposite)
    if brief.zariba:
        ground.features += _works(lines, defenders, brief)
    home = edge_of(brief.comes_from)
    homes = {brief.attacker.side: home, brief.defender.side: opposite(home)}
    field, defender_stands = ground.field(), lines.stands_of(_ashore(defenders))
    drawn_up = [(edge, lines.stands_of(_ashore(body))) for edge, body in bodies]
    near, far = table_zones(field, drawn_up, defender_stands, scale.gap // 2)
    zones = {brief.attacker.side: near, brief.defender.side: far}
    laid = LaidOut(field, lines.posts, lines.late, goal, homes, zones)
    return laid, _apart(lines, attackers, defenders)


def _apart(
    lines: DeploymentLines, attackers: Sequence[DeploymentBand], defenders: Sequence[DeploymentBand]
) -> int:
    """Return the hundredths between the sides ashore; FAR if a side has no unit there."""
    stands, others = lines.stands_of(_ashore(attackers)), lines.stands_of(_ashore(defenders))
    return gap(stands, others) if stands and others else FAR


def _depth(lines: DeploymentLines, frame: TableFrame) -> int:
    """Return the depth that the units facing the attacker's way reach."""
    bands = [number for number, post in lines.posts.items() if post.facing == frame.ahead]
    stands = lines.of(bands)
    if not stands:
        return 0
    (west, north), (east, south) = bounds(stands)
    return {
        NORTH: frame.height - north,
        SOUTH: south,
        EAST: east,
        WEST: frame.width - west,
    }[frame.ahead]


def _strong(bands: Sequence[DeploymentBand]) -> int:
    """Return the strength that can charge or meet a charge."""
    return sum(band.strength for band in bands if band.role in (Role.FOOT, Role.HORSE))


def _attackers(
    lines: DeploymentLines,
    frame: TableFrame,
    bands: Sequence[DeploymentBand],
    situation: tuple[Brief, bool],
) -> list[tuple[int, Sequence[DeploymentBand]]]:
    """Place the main body at its edge, and a share, horse first, at every other edge.

    Return each body with its edge, the main body first.
    """
    brief, outnumbered = situation
    sides = sides_of(brief)
    flankers = [band for band in bands if band.role in (Role.FOOT, Role.HORSE)]
    flankers.sort(key=lambda band: (band.role is not Role.HORSE, band.id))
    gone: set[int] = set()
    bodies: list[tuple[int, Sequence[DeploymentBand]]] = []
    for edge, share in zip(sides[1:], share_flankers(flankers, len(sides)), strict=True):
        gone |= {band.id for band in share}
        bodies.append((edge, share))
        _draw_up(lines, frame.from_edge(edge), share, 0, beset=False)
    main = [band for band in bands if band.id not in gone]
    _draw_up(lines, frame, main, 0, beset=outnumbered)
    return [(edge_of(brief.comes_from), main), *bodies]


def _draw_up(
    lines: DeploymentLines,
    frame: TableFrame,
    bands: Sequence[DeploymentBand],
    depth: int,
    *,
    beset: bool,
) -> None:
    ashore = _ashore(bands)
    if not ashore:
        return
    if ashore[0].side is Side.MAHDIST:
        draw_up_mass(lines, frame, ashore, depth)
    else:
        draw_up_regulars(lines, frame, ashore, depth, beset=beset)


def _ashore(bands: Sequence[DeploymentBand]) -> list[DeploymentBand]:
    return [band for band in bands if band.role is not Role.CRAFT]


def _works(
    lines: DeploymentLines, bands: Sequence[DeploymentBand], brief: Brief
) -> list[TerrainFeature]:
    """Return thorn, or a Mahdist trench, all round a defender that has been there a month."""
    stands = lines.stands_of(_ashore(bands))
    if not stands:
        return []
    (west, north), (east, south) = bounds(stands)
    rim = lines.scale.room
    west, north, east, south = west - rim, north - rim, east + rim, south + rim
    ring = (
        TablePoint(west, north),
        TablePoint(east, north),
        TablePoint(east, south),
        TablePoint(west, south),
    )
    egyptian = brief.defender.side is Side.EGYPTIAN
    kind = TableTerrain.ZARIBA if egyptian else TableTerrain.TRENCH
    return [TerrainFeature(kind, (*ring, ring[0]))]
