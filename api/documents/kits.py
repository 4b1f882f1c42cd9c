"""What it takes to fight a battle on a real table, as documents: field, rosters, play sheet."""

from collections.abc import Mapping
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.books import SheetPart, WordsPart, sheet_part, words_part
from api.documents.fields import Field, StandingPart, field_part, standing_parts
from api.documents.scalars import SideName
from battles.contract import Brief, Fate, Report, Side
from battles.prose.roster import returned
from battles.views.kit import Kit


class LaidPart(msgspec.Struct, frozen=True):
    """Something to be laid on the table, and where, in words."""

    what: str
    where: str


class RosterPart(msgspec.Struct, frozen=True):
    """The roster of a side."""

    side: SideName
    title: str
    units: tuple[StandingPart, ...]


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
    field: Field
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
    battle, standing = kit.battle, standing_parts(kit.picture)
    return KitDocument(
        uuid=battle.uuid,
        title=battle.title,
        book=battle.book,
        words=words_part(kit.words),
        measure=kit.measure,
        field=field_part(kit.picture),
        laid=tuple(LaidPart(*one) for one in kit.laid),
        rosters=tuple(
            RosterPart(
                side, kit.words.side(side), tuple(one for one in standing if one.side == side)
            )
            for side in Side
        ),
        sheets=tuple(map(sheet_part, kit.sheets)),
        links=_links(battle.uuid, may_report=may_report),
    )


def _links(number: UUID, *, may_report: bool) -> dict[str, str]:
    doors = {"self": "battle-kit", "battle": "battle"}
    if may_report:
        doors |= {"count": "battle-count", "report": "battle-report"}
    found = {name: reverse(f"api:{route}", args=[number]) for name, route in doors.items()}
    return {**found, "page": reverse("battle-kit", args=[number])}


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
