"""Lay out a brief: the field, and the place of every unit.

The compass is the campaign's, north up: the attacker comes from the edge of the brief's hexside.
The same brief always has the same layout: its chances are drawn from its id.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from battles.books.redcoats.field import OFF_FIELD, E, N, Obstacle, S, W, column, opposite, row
from battles.books.redcoats.layout_ground import (
    EIGHTH,
    GAP,
    Frame,
    Ground,
    frame_of,
    lay_ground,
    sides_of,
)
from battles.books.redcoats.layout_lines import (
    Lines,
    afloat,
    brigades_of,
    draw_up_brigades,
    draw_up_mass,
    draw_up_regulars,
    place_leaders,
)
from battles.books.redcoats.layout_plans import by_plan, plans
from battles.books.redcoats.muster import Army, muster
from battles.books.redcoats.set_up import Deployment
from battles.books.redcoats.state import Objective, TableEntry, Unit
from battles.contract.brief import Brief, Side
from battles.contract.set_up import ZoneBox, share_flankers, zones_of


@lru_cache(maxsize=8)
def lay_out(brief: Brief) -> Deployment:
    """Return the deployment of the brief; scenarios of the book use their plans."""
    plan = plans().get(brief.id)
    if plan is not None:
        return by_plan(plan, brief)
    army = muster(brief)
    attackers = [unit for unit in army.units if unit.side is brief.attacker.side]
    defenders = [unit for unit in army.units if unit.side is brief.defender.side]
    frame = frame_of(brief, len(army.units))
    led = [leader for leader in army.leaders if leader.side is brief.attacker.side]
    in_square = _strong(defenders) >= _strong(attackers) and brigades_of(attackers, len(led)) > 0
    on_land = sum(not unit.is_craft for unit in attackers)
    ranks = 3 if in_square else max(1, -(-on_land // (frame.width - 2)))
    front = min(frame.deep - 2, ranks + GAP)
    ground, settlement = lay_ground(brief, frame, front)
    lines = Lines(ground)
    beset = _strong(attackers) >= _strong(defenders) or len(sides_of(brief)) > 1
    _defenders(lines, frame, defenders, (front, beset))
    if in_square:
        draw_up_brigades(lines, frame, attackers, led)
        bodies = [(frame.ahead, attackers)]
    else:
        outnumbered = _strong(defenders) >= _strong(attackers)
        edges = _open_edges(frame, sides_of(brief), settlement)
        bodies = _attackers(lines, frame, attackers, (ranks, outnumbered), edges)
    afloat(lines, (unit for unit in attackers if unit.is_craft), frame)
    afloat(lines, (unit for unit in defenders if unit.is_craft), frame.from_edge(frame.ahead))
    place_leaders(lines, army.leaders)
    if brief.zariba:
        _entrench(ground, lines, brief)
    zones = _zones(lines, bodies, defenders)
    set_up = {brief.attacker.side: zones[0], brief.defender.side: zones[1]}
    return _deployment(brief, army, lines, (settlement, set_up))


def _strong(units: Sequence[Unit]) -> int:
    """Return the figures that can charge or meet a charge."""
    return sum(unit.figures for unit in units if unit.can_fight)


def _defenders(
    lines: Lines, frame: Frame, units: Sequence[Unit], situation: tuple[int, bool]
) -> None:
    """Draw the defenders up facing the attacker's edge."""
    front, outnumbered = situation
    back = frame.from_edge(frame.ahead)
    depth = frame.deep - 1 - front
    _draw_up(lines, back, units, depth, outnumbered=outnumbered)


def _open_edges(frame: Frame, edges: Sequence[int], settlement: Iterable[int]) -> list[int]:
    """Return the edges at which attackers draw up: never inside the town, where it reaches there.

    The main body's is always among them.
    """
    inside = set(settlement)
    return [
        edge
        for edge in edges
        if edge == edges[0]
        or all(inside.isdisjoint(frame.from_edge(edge).row(rank)) for rank in range(FLANK_RANKS))
    ]


FLANK_RANKS = 2
"""The ranks in which those who come from another edge draw up there."""


def _attackers(
    lines: Lines,
    frame: Frame,
    units: Sequence[Unit],
    situation: tuple[int, bool],
    edges: Sequence[int],
) -> list[tuple[int, list[Unit]]]:
    """Draw up the main body at the first edge, and at each other a share of it, cavalry first.

    Return each body with the facing that leads from its edge into the field, the main body first.
    """
    ranks, outnumbered = situation
    flankers = [unit for unit in units if unit.can_fight]
    flankers.sort(key=lambda unit: (not unit.mounted, unit.id))
    gone: set[int] = set()
    bodies: list[tuple[int, list[Unit]]] = []
    for edge, band in zip(edges[1:], share_flankers(flankers, len(edges)), strict=True):
        gone |= {unit.id for unit in band}
        bodies.append((opposite(edge), list(band)))
        _draw_up(lines, frame.from_edge(edge), band, 0, outnumbered=False)
    main = [unit for unit in units if unit.id not in gone]
    _draw_up(lines, frame, main, ranks - 1, outnumbered=outnumbered)
    return [(frame.ahead, main), *bodies]


def _zones(
    lines: Lines, bodies: Iterable[tuple[int, list[Unit]]], defenders: Iterable[Unit]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the squares in which the attacker and the defender may place their units."""
    field = lines.ground.field()
    field_box = ZoneBox(0, 0, field.width, field.height)
    drawn_up = [
        (opposite(ahead) * EIGHTH, _ground_of(lines, units) or field_box.strip(ahead * EIGHTH, 0))
        for ahead, units in bodies
    ]
    zone_boxes = zones_of(field_box, drawn_up, _ground_of(lines, defenders), GAP // 2)
    attacker, defender = (
        tuple(
            square
            for square in field.squares
            if any(box.holds(column(square), row(square)) for box in boxes)
        )
        for boxes in zone_boxes
    )
    return attacker, defender


def _ground_of(lines: Lines, units: Iterable[Unit]) -> ZoneBox | None:
    """Return the squares on which the units ashore are drawn up; None without any."""
    squares = [
        lines.units[unit.id].square
        for unit in units
        if not unit.is_craft and unit.id in lines.units and lines.units[unit.id].square != OFF_FIELD
    ]
    if not squares:
        return None
    columns, rows = [column(square) for square in squares], [row(square) for square in squares]
    return ZoneBox(min(columns), min(rows), max(columns) + 1, max(rows) + 1)


def _draw_up(
    lines: Lines, frame: Frame, units: Sequence[Unit], depth: int, *, outnumbered: bool
) -> None:
    ashore = [unit for unit in units if not unit.is_craft]
    if not ashore:
        return
    if ashore[0].side is Side.MAHDIST:
        draw_up_mass(lines, frame, ashore, depth)
    else:
        draw_up_regulars(lines, frame, ashore, depth, outnumbered=outnumbered)


def _entrench(ground: Ground, lines: Lines, brief: Brief) -> None:
    """Put defenders who have been there for a month behind a zariba, Dervishes in trenches."""
    side = brief.defender.side
    squares = {unit.square for unit in lines.units_of(side) if not unit.is_craft}
    obstacle = Obstacle.ZARIBA if side is Side.EGYPTIAN else Obstacle.TRENCH
    ground.wall_in(squares, obstacle, (N, E, S, W))


def _deployment(
    brief: Brief,
    army: Army,
    lines: Lines,
    ground: tuple[tuple[int, ...], dict[Side, tuple[int, ...]]],
) -> Deployment:
    settlement, set_up = ground
    units = tuple(lines.units.get(unit.id, unit) for unit in army.units)
    field = lines.ground.field()
    rim = tuple(square for square in field.squares if field.edge(square))
    late = {unit.id: TableEntry(2, rim) for unit in units if unit.square == OFF_FIELD}
    objective = Objective(brief.attacker.side, settlement) if settlement else None
    return Deployment(
        title=brief.title,
        field=field,
        units=units,
        leaders=tuple(lines.leaders[leader.id] for leader in army.leaders),
        brigades=tuple(lines.brigades),
        entries=late,
        set_up=set_up,
        objective=objective,
        turns=brief.turns,
        brief=brief,
        drawn_from=army.drawn_from,
    )
