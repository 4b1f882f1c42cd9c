"""What it takes to fight a battle on a real table, as documents: field, rosters, play sheet."""

from collections.abc import Mapping
from typing import Literal, cast
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.books import SheetPart, WordsPart, sheet_part, words_part
from api.documents.scalars import SideName
from battles.contract import Brief, Fate, Report
from battles.drawing.in_words import MILLIMETRES
from battles.drawing.scene import Barrier, Cover, Ground, Scene, square_name
from battles.drawing.table_scene import Table, TableScene
from battles.english.roster import Line, returned
from battles.open_table.field import Terrain
from battles.open_table.points import MEASURE
from battles.views.kit import Kit, Roster

EIGHTH = 45
"""Degrees in an eighth of a turn."""

Spot = tuple[float, float]


class CoverPart(msgspec.Struct, frozen=True):
    """A square and what covers it."""

    square: str
    covers: tuple[Cover, ...]


class BarrierPart(msgspec.Struct, frozen=True):
    """A barrier along the side of a square that lies at that bearing, in degrees from the north."""

    square: str
    bearing: int
    barrier: Barrier


class RunsPart(msgspec.Struct, frozen=True):
    """A square of running water and the bearing it runs at."""

    square: str
    bearing: int


class SquaresField(msgspec.Struct, frozen=True, tag="squares", tag_field="kind"):
    """A field of squares, A1 in its north-western corner; a square is so many millimetres wide.

    `goals` are squares to be taken.
    """

    columns: int
    rows: int
    millimetres: int
    covers: tuple[CoverPart, ...]
    barriers: tuple[BarrierPart, ...]
    water: tuple[RunsPart, ...]
    goals: tuple[str, ...]


class FeaturePart(msgspec.Struct, frozen=True):
    """What lies on an open table: the corners of an area, or the points a line runs through."""

    kind: Terrain
    name: str
    points: tuple[Spot, ...]


class TableField(msgspec.Struct, frozen=True, tag="table", tag_field="kind"):
    """An open table, measured in `measure` (inch or cm) from its north-western corner.

    Points are so far east by so far south. `downstream` is the bearing at which water runs, `goals`
    are the outlines of what is to be taken.
    """

    measure: Literal["inch", "cm"]
    width: float
    height: float
    downstream: int
    features: tuple[FeaturePart, ...]
    goals: tuple[tuple[Spot, ...], ...]


class LaidPart(msgspec.Struct, frozen=True):
    """Something to be laid on the table, and where, in words."""

    what: str
    where: str


class RosterUnit(msgspec.Struct, frozen=True):
    """A unit or Leader as he is set down, with so many figures or stands.

    `where` and `facing` are in words; `at` is column and row from 0, or where its middle is on an
    open table, and `bearing` degrees from the north: null for who is not on the field yet.
    """

    number: int
    name: str
    what: str
    where: str
    facing: str
    formation: str
    figures: int
    shaken: bool
    at: Spot | None
    bearing: int | None


class RosterPart(msgspec.Struct, frozen=True):
    """The roster of a side."""

    side: SideName
    title: str
    units: tuple[RosterUnit, ...]


class KitDocument(msgspec.Struct, frozen=True):
    """The table kit of a battle: the field, who is set down where, and the play sheet of the book.

    `page` among the links is the same to be printed; `count` says what report comes of what is
    left, and `report` takes it, where that is yours to say.
    """

    uuid: UUID
    title: str
    book: str
    words: WordsPart
    measure: str
    field: SquaresField | TableField
    laid: tuple[LaidPart, ...]
    rosters: tuple[RosterPart, ...]
    sheets: tuple[SheetPart, ...]
    links: dict[str, str]


class LeftPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures or stands that are left of a unit, 1 for a Leader who is well; is it shaken?"""

    figures: int
    shaken: bool = False


class ReturnedPart(msgspec.Struct, frozen=True):
    """So many units of the campaign alike, how they came, and how they go back."""

    side: SideName
    many: int
    name: str
    came: str
    fate: Fate


class CountDocument(msgspec.Struct, frozen=True):
    """What the figures that are left come to; the first four fields are what `report` takes."""

    fates: Mapping[int, Fate]
    winner: SideName | None
    ending: str
    turns: int
    returned: tuple[ReturnedPart, ...]
    links: dict[str, str]


def kit_document(kit: Kit, *, may_report: bool) -> KitDocument:
    battle, scene = kit.battle, kit.picture.scene
    spots = _spots(scene)
    return KitDocument(
        uuid=battle.uuid,
        title=battle.title,
        book=battle.book,
        words=words_part(kit.words),
        measure=kit.measure,
        field=_table(scene.ground) if isinstance(scene, TableScene) else _squares(scene.ground),
        laid=tuple(LaidPart(*one) for one in kit.laid),
        rosters=tuple(_roster(one, spots, kit.words.shaken) for one in kit.rosters),
        sheets=tuple(map(sheet_part, kit.sheets)),
        links=_links(battle.uuid, may_report=may_report),
    )


def _links(number: UUID, *, may_report: bool) -> dict[str, str]:
    doors = {"self": "battle-kit", "battle": "battle"}
    if may_report:
        doors |= {"count": "battle-count", "report": "battle-report"}
    found = {name: reverse(f"api:{route}", args=[number]) for name, route in doors.items()}
    return {**found, "page": reverse("battle-kit", args=[number])}


def _squares(ground: Ground) -> SquaresField:
    return SquaresField(
        columns=ground.columns,
        rows=ground.rows,
        millimetres=MILLIMETRES,
        covers=tuple(
            CoverPart(square_name(square), tuple(sorted(covers)))
            for square, covers in sorted(ground.covers.items())
        ),
        barriers=tuple(
            BarrierPart(square_name(one.square), one.side * EIGHTH, one.barrier)
            for one in ground.hedges
        ),
        water=tuple(
            RunsPart(square_name(square), eighths * EIGHTH)
            for square, eighths in sorted(ground.streams.items())
        ),
        goals=tuple(map(square_name, sorted(ground.goals))),
    )


def _table(ground: Table) -> TableField:
    field = ground.field
    return TableField(
        measure=cast(Literal["inch", "cm"], field.measure),
        width=field.width / MEASURE,
        height=field.height / MEASURE,
        downstream=field.downstream,
        features=tuple(
            FeaturePart(one.kind, one.name, tuple(map(_spot, one.points))) for one in field.features
        ),
        goals=tuple(tuple(map(_spot, goal)) for goal in ground.goals),
    )


def _spot(point: tuple[int, int]) -> Spot:
    return point[0] / MEASURE, point[1] / MEASURE


def _spots(scene: Scene | TableScene) -> dict[int, tuple[Spot, int]]:
    """Where everybody on the field is, and at what bearing he looks, by number."""
    if isinstance(scene, TableScene):
        return {one.number: (_spot(one.at), one.facing) for one in scene.pieces}
    return {one.number: (one.square, one.facing * EIGHTH) for one in scene.pieces}


def _roster(roster: Roster, spots: Mapping[int, tuple[Spot, int]], shaken: str) -> RosterPart:
    units = tuple(_unit(box.line, spots.get(box.line.number), shaken) for box in roster.boxes)
    return RosterPart(roster.army.side, roster.army.title, units)


def _unit(line: Line, spot: tuple[Spot, int] | None, shaken: str) -> RosterUnit:
    at, bearing = spot or (None, None)
    return RosterUnit(
        number=line.number,
        name=line.name,
        what=line.what,
        where=line.where,
        facing=line.facing,
        formation=line.formation,
        figures=line.came,
        shaken=line.state == shaken,
        at=at,
        bearing=bearing,
    )


def count_document(brief: Brief, report: Report, number: UUID) -> CountDocument:
    return CountDocument(
        report.fates,
        report.winner,
        report.ending,
        report.turns,
        tuple(
            ReturnedPart(one.side, one.many, one.name, one.came, one.fate)
            for one in returned(brief, report)
        ),
        {"report": reverse("api:battle-report", args=[number])},
    )
