"""The layout of a battle: from a brief, or from the book's scenarios in TOML (Scenarios)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Annotated, Literal

import msgspec

from battles.books.restless_natives.book import book
from battles.books.restless_natives.layout_zones import Zone, allot_units, band, drawn_up, role
from battles.books.restless_natives.movement import may_take
from battles.books.restless_natives.muster import Army, muster
from battles.books.restless_natives.pieces import Exit, Goal, Hold, Kind, Remain
from battles.books.restless_natives.set_up import Deployment
from battles.books.restless_natives.state import PACK_ONCE, Unit
from battles.contract.brief import Brief, Side
from battles.core.tables import Source
from battles.tabletop import deployment as common
from battles.tabletop.deployment import Outline
from battles.tabletop.deployment_lines import Role
from battles.tabletop.field import OpenField, TableTerrain, TerrainFeature
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, TablePoint
from battles.tabletop.ground import TableScale

# The scenarios of the book: fields and deployments by hand, read from TOML (Scenarios).
#
# The armies come from the brief of the same name, or from the generator; a plan describes the map
# in the book. Lengths in a plan are inches from the north-western corner.


Inches = Annotated[float, msgspec.Meta(ge=0)]
Pair = tuple[Inches, Inches]
Box = tuple[Inches, Inches, Inches, Inches]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a plan; unknown keys are refused."""


class _Feature(_Part, frozen=True, kw_only=True):
    """A piece of terrain: an area by its corners or by a box, a line by its points."""

    kind: TableTerrain
    points: tuple[Pair, ...] = ()
    box: Box | None = None
    name: str = ""


class _Zone(_Part, frozen=True, kw_only=True):
    """The part of the field where a side, or its units of these roles, is drawn up."""

    side: Side
    box: Box
    facing: Annotated[int, msgspec.Meta(ge=0, le=359)]
    roles: tuple[Role, ...] = ()
    formation: TableFormation | None = None


class _Goal(_Part, frozen=True, kw_only=True):
    """The goal: `need` areas held, more than `need` per cent out, or `need` per cent left."""

    kind: Literal["hold", "exit", "remain"]
    need: Annotated[int, msgspec.Meta(ge=1)]
    side: Side = Side.EGYPTIAN
    areas: tuple[Box, ...] = ()


class Plan(_Part, frozen=True, kw_only=True):
    """One scenario as its file gives it; `deploy` is where a side may place its units, by
    default where the plan draws it up.
    """

    letter: str
    title: str
    note: str
    size: Pair
    goal: _Goal
    feature: tuple[_Feature, ...] = ()
    zone: tuple[_Zone, ...] = ()
    deploy: dict[Side, tuple[Box, ...]] = {}


@cache
def plans() -> dict[str, Plan]:
    """Return every plan by its short name. Raises TableError for a damaged one."""
    folder = files("battles.books.restless_natives") / "scenarios"
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=str)
    sources = (Source(path.name, path.read_text(encoding="utf-8")) for path in paths)
    return {source.path.removesuffix(".toml"): read_plan(source) for source in sources}


def plan_for(brief: Brief) -> Plan | None:
    """Return the plan of the brief's scenario; the generator adds both scores to its name."""
    slug, british, natives = [*brief.id.rsplit("-", 2), "", ""][:3]
    generated = british.isdigit() and natives.isdigit()
    return plans().get(slug if generated else brief.id)


def read_plan(source: Source) -> Plan:
    """Return the plan a TOML file holds. Raises TableError with the line of an error."""
    plan = source.convert(source.document(), Plan)
    for place, feature in enumerate(plan.feature):
        if bool(feature.points) is (feature.box is not None):
            raise source.error(
                f"$.feature[{place}]", f"the {feature.kind} lies nowhere", "give points, or a box"
            )
    minimum = {"hold": 1, "exit": 1, "remain": 0}[plan.goal.kind]
    if len(plan.goal.areas) < minimum:
        raise source.error("$.goal", f"there is nothing to {plan.goal.kind}", "give `areas`")
    return plan


def by_plan(plan: Plan, brief: Brief) -> Deployment:
    """Return the scenario set out for the armies of the brief.

    Raises ValueError when the plan has no place for one of their units.
    """
    army = muster(brief)
    field = _field(plan)
    placed: list[Unit] = []
    for side in Side:
        for zone, units in _zones(plan, army.of(side)):
            box = _corners(zone.box)
            placed += drawn_up(units, Zone(box[0], box[2], zone.facing), field, placed)
    homes = dict.fromkeys(Side, 0)
    units = sorted(allot_units(placed, army.commanders, homes), key=lambda unit: unit.id)
    return Deployment(
        title=brief.title,
        field=field,
        units=tuple(units),
        commanders=army.commanders,
        zones={side: _own_ground(plan, side) for side in Side},
        goal=_goal(plan.goal),
        one_off=True,
        brief=brief,
        drawn_from=army.drawn_from,
    )


def _own_ground(plan: Plan, side: Side) -> tuple[Outline, ...]:
    """Return where a side may place its units: as the book says, else where it comes on."""
    entry = tuple(zone.box for zone in plan.zone if zone.side is side)
    return tuple(map(_corners, plan.deploy.get(side, entry)))


def _zones(plan: Plan, units: Sequence[Unit]) -> Iterator[tuple[_Zone, list[Unit]]]:
    """Yield zones with their units: a zone for the unit's role, else one for all roles."""
    dealt: dict[int, list[Unit]] = {}
    for unit in units:
        side_zones = [nth for nth, zone in enumerate(plan.zone) if zone.side is unit.side]
        own = [nth for nth in side_zones if role(unit) in plan.zone[nth].roles]
        choice = own or [nth for nth in side_zones if _takes_all(plan.zone[nth], unit)]
        if not choice:
            raise ValueError(f"{plan.title}: there is no place for {unit.name or unit.kind}.")
        dealt.setdefault(min(choice, key=lambda nth: len(dealt.get(nth, ()))), []).append(unit)
    return ((plan.zone[nth], _form_units(plan.zone[nth], dealt[nth])) for nth in sorted(dealt))


def _takes_all(zone: _Zone, unit: Unit) -> bool:
    """Return whether any unit may stand in the zone; no vessel, for there is no water."""
    return not zone.roles and role(unit) is not Role.CRAFT


def _form_units(zone: _Zone, units: Sequence[Unit]) -> list[Unit]:
    """Return the units in the zone's formation, if it has one that they may take."""
    formation = zone.formation
    return [
        msgspec.structs.replace(unit, formation=formation)
        if formation is not None and may_take(unit, formation)
        else unit
        for unit in units
    ]


def _goal(goal: _Goal) -> Goal:
    areas = tuple(map(_corners, goal.areas))
    if goal.kind == "hold":
        return Hold(goal.side, areas, goal.need)
    return Exit(goal.side, areas[0], goal.need) if goal.kind == "exit" else Remain(goal.need)


def _field(plan: Plan) -> OpenField:
    features = (
        TerrainFeature(
            feature.kind,
            _corners(feature.box) if feature.box else _points(feature.points),
            feature.name,
        )
        for feature in plan.feature
    )
    width, height = _points([plan.size])[0]
    return OpenField(width, height, "inch", tuple(features))


def _corners(box: Box) -> Outline:
    """Return the corners of a box, from the north-western one on."""
    west, north, east, south = box
    return _points([(west, north), (east, north), (east, south), (west, south)])


def _points(pairs: Iterable[Pair]) -> Outline:
    return tuple(TablePoint(round(x * MEASURE), round(y * MEASURE)) for x, y in pairs)


# The layout of a battle: from a brief to a deployment of terrain and armies.
#
# The procedure is shared by all books with an open table; here are this book's measures.


TABLES = ((26, 4800, 3600), (40, 6000, 4800), (60, 7200, 6000), (90, 9600, 7200))
"""Units, width and height: the table for up to so many units; the book's own is 48 by 36 inches."""
GAP = 1400
"""The distance between the lines at the beginning: out of range of all rifles."""
ROOM = 60
"""Distance between neighbours, and from works to the units behind: near enough for cover."""
PACK_FOR = 9
"""One pass through the pack for every so many units of the larger side."""


@lru_cache(maxsize=8)
def lay_out(brief: Brief) -> Deployment:
    """Return the battle of the brief before it begins; a scenario of the book by its plan.

    Raises ValueError when the armies find no room on the field.
    """
    plan = plan_for(brief)
    if plan is not None:
        return by_plan(plan, brief)
    army = muster(brief)
    laid = common.lay_out(brief, [band(unit) for unit in army.units], scale())
    return Deployment(
        title=brief.title,
        field=laid.field,
        units=_place_army(army, laid),
        commanders=army.commanders,
        late=tuple(sorted(laid.late)),
        zones=laid.zones,
        goal=Hold(brief.attacker.side, (laid.goal,)) if laid.goal else Remain(),
        cards=cards(brief, army),
        brief=brief,
        drawn_from=army.drawn_from,
    )


def scale() -> TableScale:
    """Return the measures of this book's tables, in hundredths of an inch."""
    return TableScale("inch", TABLES, GAP, ROOM, book().size(Kind.INFANTRY))


def cards(brief: Brief, army: Army) -> int:
    """Return the agreed number of cards: one for each unit and turn of the brief, else whole packs.

    Without turns in the brief it is one pack for every nine units of the larger side.
    """
    if brief.turns:
        return brief.turns * len(army.units)
    largest = max(len(army.of(party.side)) for party in (brief.attacker, brief.defender))
    return PACK_ONCE * max(1, -(-largest // PACK_FOR))


def _place_army(army: Army, laid: common.LaidOut) -> tuple[Unit, ...]:
    posts = laid.posts | laid.late
    placed = [
        msgspec.structs.replace(
            unit,
            at=posts[unit.id].at,
            facing=posts[unit.id].facing,
            formation=posts[unit.id].formation,
        )
        for unit in army.units
    ]
    return allot_units(placed, army.commanders, laid.homes)
