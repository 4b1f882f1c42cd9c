"""Deployment of both sides on a field, from the brief of their battle.

The compass is the campaign's, north up: the attacker enters from the edge of the hexside it came
by. The same brief is always laid out the same; no dice are thrown.
"""

from collections.abc import Sequence
from typing import NamedTuple

from battles.contract.brief import Brief, Side
from battles.contract.set_up import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    edge_of,
    opposite,
    share_flankers,
    sides_of,
)
from battles.tabletop.deployment import Outline, table_zones
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
    OpenField,
    TableTerrain,
    TerrainFeature,
    bounds,
)
from battles.tabletop.formations import FAR
from battles.tabletop.geometry import (
    TablePoint,
    gap,
)
from battles.tabletop.ground import (
    GroundLayer,
    TableFrame,
    TableScale,
    frame_of,
    lay_ground,
    lay_water,
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
    mine = [band for band in bands if band.side is brief.attacker.side]
    theirs = [band for band in bands if band.side is brief.defender.side]
    ground = GroundLayer(brief, frame, scale)
    lay_water(ground)
    lines = DeploymentLines(ground.field(), scale)
    bodies = _attackers(lines, frame, mine, (brief, _strong(theirs) >= _strong(mine)))
    front = min(_depth(lines, frame) + scale.gap, frame.deep - 2 * scale.stand.width)
    goal = lay_ground(ground, front)
    beset = _strong(mine) >= _strong(theirs) or len(sides_of(brief)) > 1
    _draw_up(lines, frame.opposite, theirs, frame.deep - front, beset=beset)
    afloat(lines, mine, frame)
    afloat(lines, theirs, frame.opposite)
    if brief.zariba:
        ground.features += _works(lines, theirs, brief)
    home = edge_of(brief.comes_from)
    homes = {brief.attacker.side: home, brief.defender.side: opposite(home)}
    field, held = ground.field(), lines.stands_of(_ashore(theirs))
    drawn_up = [(edge, lines.stands_of(_ashore(body))) for edge, body in bodies]
    near, far = table_zones(field, drawn_up, held, scale.gap // 2)
    zones = {brief.attacker.side: near, brief.defender.side: far}
    laid = LaidOut(field, lines.posts, lines.late, goal, homes, zones)
    return laid, _apart(lines, mine, theirs)


def _apart(
    lines: DeploymentLines, mine: Sequence[DeploymentBand], theirs: Sequence[DeploymentBand]
) -> int:
    """Return the hundredths between the sides ashore; FAR if a side has no unit there."""
    ours, others = lines.stands_of(_ashore(mine)), lines.stands_of(_ashore(theirs))
    return gap(ours, others) if ours and others else FAR


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
    how: tuple[Brief, bool],
) -> list[tuple[int, Sequence[DeploymentBand]]]:
    """Place the main body at its edge, and a share, horse first, at every other edge.

    Return each body with its edge, the main body first.
    """
    brief, outnumbered = how
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
    held = lines.stands_of(_ashore(bands))
    if not held:
        return []
    (west, north), (east, south) = bounds(held)
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
