"""The book's own scenarios: fields drawn by hand, and the places of units (Scenarios).

The armies come from the brief of the same name; a plan holds the map of the book.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec

from battles.books.redcoats.field import (
    OFF_FIELD,
    STEPS,
    E,
    Edge,
    Field,
    N,
    Obstacle,
    S,
    Terrain,
    W,
    parse_facing,
    parse_square,
    square_at,
)
from battles.books.redcoats.muster import Army, muster
from battles.books.redcoats.pieces import GUNS, UNLIMITED, Formation, Kind, Special
from battles.books.redcoats.set_up import Deployment
from battles.books.redcoats.state import Brigade, Leader, Objective, TableEntry, Unit
from battles.contract.brief import Brief, Side
from battles.core.tables import Source

LETTERS = {
    ".": Terrain.OPEN,
    "s": Terrain.SCRUB,
    "u": Terrain.UNDERGROWTH,
    "g": Terrain.GRASS,
    "c": Terrain.CROPS,
    "r": Terrain.ROCKS,
    "w": Terrain.WOOD,
    "f": Terrain.FOREST,
    "h": Terrain.HILL,
    "H": Terrain.ROCKY_HILL,
    "#": Terrain.BUILT_UP,
    "~": Terrain.WATER,
}
"""The letters of a plan's map, one for each square."""

Squares = tuple[str, ...]
"""Names of squares, and rectangles such as "A1:L2"."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of all parts of a plan, which refuses unknown names."""


class _Barrier(_Part, frozen=True, kw_only=True):
    kind: Obstacle
    squares: Squares
    side: str


class _Place(_Part, frozen=True, kw_only=True):
    """The places of units of one sort, filled in the order of the army."""

    side: Side
    kind: Kind
    at: Squares
    facing: str
    armed: bool | None = None
    formation: Formation | None = None


class _Enter(_Part, frozen=True, kw_only=True):
    """The squares and the turn in which units of one sort enter the field."""

    side: Side
    kind: Kind
    turn: int
    squares: Squares
    facing: str
    formation: Formation | None = None


class _Post(_Part, frozen=True, kw_only=True):
    side: Side
    at: Squares


class _Square(_Part, frozen=True, kw_only=True):
    side: Side
    centre: str
    facing: str


class _Goal(_Part, frozen=True, kw_only=True):
    side: Side
    squares: Squares


class Plan(_Part, frozen=True, kw_only=True):
    """One scenario as written in its file;

    `shots` are the rounds of each Anglo-Egyptian battery.
    """

    title: str
    map: str
    note: str = ""
    turns: Annotated[int, msgspec.Meta(ge=1)] = 20
    shots: int = UNLIMITED
    special: tuple[Special, ...] = ()
    obstacle: tuple[_Barrier, ...] = ()
    place: tuple[_Place, ...] = ()
    enter: tuple[_Enter, ...] = ()
    leader: tuple[_Post, ...] = ()
    brigade: tuple[_Square, ...] = ()
    set_up: dict[Side, Squares] = {}
    objective: _Goal | None = None


@cache
def plans() -> dict[str, Plan]:
    """Return every plan by its short name. Raises TableError when one is damaged."""
    folder = files("battles.books.redcoats") / "scenarios"
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=str)
    sources = (Source(path.name, path.read_text(encoding="utf-8")) for path in paths)
    return {source.path.removesuffix(".toml"): read_plan(source) for source in sources}


def read_plan(source: Source) -> Plan:
    """Return the plan in a TOML file. Raises TableError with the line when it is wrong."""
    plan = source.convert(source.document(), Plan)
    rows = plan.map.split()
    if len({len(row) for row in rows}) != 1:
        raise source.error("$.map", "the rows of the map differ in length", "make them alike")
    strange = sorted(set("".join(rows)) - set(LETTERS))
    if strange:
        allowed = " ".join(LETTERS)
        raise source.error("$.map", f"{strange[0]!r} is no ground", f"use of {allowed}")
    return plan


def by_plan(plan: Plan, brief: Brief) -> Deployment:
    """Return the deployment of a scenario with the armies of the brief.

    Raises ValueError when the plan has no place for one of their units.
    """
    army = muster(brief)
    _check_leaders(plan, army)
    units = {unit.id: unit for unit in army.units}
    entries: dict[int, TableEntry] = {}
    _form_brigades(plan, units)
    _place(plan, units)
    _let_enter(plan, units, entries)
    homeless = [
        unit for unit in units.values() if unit.square == OFF_FIELD and unit.id not in entries
    ]
    if homeless:
        raise ValueError(f"{plan.title}: there is no place for {homeless[0].kind}.")
    return Deployment(
        title=brief.title,
        field=_field(plan),
        units=tuple(_load_guns(plan, unit) for unit in units.values()),
        leaders=tuple(_leaders(plan, army)),
        brigades=tuple(
            Brigade(nth, parse_facing(brigade.facing))
            for nth, brigade in enumerate(plan.brigade, start=1)
        ),
        entries=entries,
        set_up={side: squares(names) for side, names in plan.set_up.items()},
        special=plan.special,
        objective=_objective(plan),
        turns=brief.turns or plan.turns,
        brief=brief,
        drawn_from=army.drawn_from,
    )


def squares(names: Sequence[str]) -> tuple[int, ...]:
    """Return the squares of names and rectangles, in order. Raises ValueError for a wrong name."""
    return tuple(square for name in names for square in _rectangle(*name.split(":")))


def _rectangle(first: str, last: str = "") -> Iterator[int]:
    corner, other = parse_square(first), parse_square(last or first)
    for row in range(corner // 100, other // 100 + 1):
        for column in range(corner % 100, other % 100 + 1):
            yield square_at(column, row)


def _field(plan: Plan) -> Field:
    rows = plan.map.split()
    ground = {
        square_at(column, row): LETTERS[letter]
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter != "."
    }
    edges = (
        Edge(square, square + STEPS[parse_facing(barrier.side)], barrier.kind)
        for barrier in plan.obstacle
        for square in squares(barrier.squares)
    )
    return Field(len(rows[0]), len(rows), ground, tuple(edges))


def _form_brigades(plan: Plan, units: dict[int, Unit]) -> None:
    """Place four battalions round the middle, the batteries on opposite corners (Formations 8)."""
    for number, brigade in enumerate(plan.brigade, start=1):
        own_units = [unit for unit in units.values() if unit.side is brigade.side]
        foot = [unit.id for unit in own_units if unit.kind is Kind.INFANTRY][:4]
        guns = [unit.id for unit in own_units if unit.kind in GUNS][:2]
        middle = parse_square(brigade.centre)
        for way, unit in zip((N, E, S, W), foot, strict=False):
            changes = {"square": middle + STEPS[way], "facing": way, "brigade": number}
            units[unit] = _change_unit(units[unit], changes, Formation.SQUARE)
        for way, unit in zip((N, S), guns, strict=False):
            changes = {"square": middle + STEPS[(way + 1) % 8], "facing": way, "brigade": number}
            units[unit] = _change_unit(units[unit], changes, None)


def _place(plan: Plan, units: dict[int, Unit]) -> None:
    inside = {
        parse_square(brigade.centre): nth for nth, brigade in enumerate(plan.brigade, start=1)
    }
    for place in plan.place:
        alike = [
            unit.id
            for unit in units.values()
            if (unit.side, unit.kind) == (place.side, place.kind)
            and place.armed in (None, unit.armed)
        ]
        for unit, square in zip(alike, squares(place.at), strict=False):
            changes = {"square": square, "facing": parse_facing(place.facing)}
            changes["brigade"] = inside.get(square, 0)
            units[unit] = _change_unit(units[unit], changes, place.formation)


def _let_enter(plan: Plan, units: dict[int, Unit], entries: dict[int, TableEntry]) -> None:
    for way in plan.enter:
        for unit in list(units.values()):
            if (unit.side, unit.kind) == (way.side, way.kind):
                entries[unit.id] = TableEntry(way.turn, squares(way.squares))
                changes = {"facing": parse_facing(way.facing)}
                units[unit.id] = _change_unit(unit, changes, way.formation)


def _change_unit(unit: Unit, changes: dict[str, int], formation: Formation | None) -> Unit:
    changed = msgspec.structs.replace(unit, **changes)
    if formation is not None and unit.formation is not Formation.EN_MASSE:
        changed.formation = formation
    return changed


def _load_guns(plan: Plan, unit: Unit) -> Unit:
    if unit.kind in GUNS and unit.side is Side.EGYPTIAN:
        return msgspec.structs.replace(unit, shots=plan.shots)
    return unit


def _leaders(plan: Plan, army: Army) -> Iterator[Leader]:
    for side in Side:
        posts = [square for post in plan.leader if post.side is side for square in squares(post.at)]
        leaders = [leader for leader in army.leaders if leader.side is side]
        for leader, square in zip(leaders, posts, strict=True):
            yield msgspec.structs.replace(leader, square=square)


def _check_leaders(plan: Plan, army: Army) -> None:
    for side in Side:
        posts = sum(len(squares(post.at)) for post in plan.leader if post.side is side)
        count = sum(leader.side is side for leader in army.leaders)
        if count != posts:
            raise ValueError(
                f"{plan.title}: the {side} side has {count} Leaders instead of {posts}."
            )


def _objective(plan: Plan) -> Objective | None:
    goal = plan.objective
    return None if goal is None else Objective(goal.side, squares(goal.squares))
