"""Battles on a real table: table kits, counts of the units left, and results."""

from typing import Annotated
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from api.documents.battlefield import Field, FieldUnitPart, field_part, unit_parts
from api.documents.battles import BattleDocument, battle_document
from api.documents.scalars import FateName, SideName, UnitKey
from api.http.encoding import RequestBody
from api.http.endpoint import OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem, unfit
from api.http.rule_json import identifier
from api.resources.battles import Ending, ResultBody
from api.resources.rulebooks import BookTermsPart, PlaySheetPart, book_terms, play_sheet_part
from battles import access, serialization, services
from battles.contract import Brief, Report, Side, Unfit
from battles.contract.book import Ended, UnitRemainder
from battles.models import Battle
from battles.prose import units_returned
from battles.services.record import check_remainders, report_from_table
from battles.web.tabletop import Kit, kit_of


class PlacementPart(msgspec.Struct, frozen=True):
    """A thing to lay on the table, and its position in words."""

    label: str
    position_label: str


class RosterPart(msgspec.Struct, frozen=True):
    """The roster of a side."""

    side: SideName
    title: str
    field_units: tuple[FieldUnitPart, ...]


class KitLinks(msgspec.Struct, frozen=True):
    """The addresses of a table kit; `page` is the same for printing.

    `count` turns the units left into a report, and `report` accepts it; both are null unless you
    may report.
    """

    self: str
    battle: str
    page: str
    count: str | None
    report: str | None


class KitDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The table kit of a battle: the field, the units' starting positions, and the play sheet."""

    uuid: UUID
    title: str
    book: str
    vocabulary: BookTermsPart
    field_size: str
    field: Field
    placements: tuple[PlacementPart, ...]
    rosters: tuple[RosterPart, ...]
    play_sheets: tuple[PlaySheetPart, ...]
    links: KitLinks


class RemainderBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures or stands left of a unit, 1 for an unhurt Leader."""

    figures: Annotated[int, Meta(ge=0, le=10_000)]
    shaken: bool = False


class ReturnedPart(msgspec.Struct, frozen=True):
    """A number of alike units of the campaign: as they came and as they return."""

    side: SideName
    count: int
    name: str
    initial_label: str
    fate: FateName


class CountLinks(msgspec.Struct, frozen=True):
    """The addresses of a count."""

    report: str


class CountDocument(msgspec.Struct, frozen=True):
    """The result of a count; its first four fields are the body for `report`."""

    fates: dict[int, FateName]
    winner: SideName | None
    ending: str | None
    turns: int
    returned: tuple[ReturnedPart, ...]
    links: CountLinks


def kit_document(kit: Kit, *, may_report: bool) -> KitDocument:
    battle, standing = kit.battle, unit_parts(kit.picture)
    return KitDocument(
        uuid=battle.uuid,
        title=battle.title,
        book=battle.book,
        vocabulary=book_terms(kit.words),
        field_size=kit.measure,
        field=field_part(kit.picture),
        placements=tuple(PlacementPart(*placement) for placement in kit.laid),
        rosters=tuple(
            RosterPart(
                side, kit.words.side(side), tuple(unit for unit in standing if unit.side == side)
            )
            for side in Side
        ),
        play_sheets=tuple(map(play_sheet_part, kit.sheets)),
        links=_links(battle.uuid, may_report=may_report),
    )


def _links(number: UUID, *, may_report: bool) -> KitLinks:
    return KitLinks(
        self=reverse("api:battle-kit", args=[number]),
        battle=reverse("api:battle", args=[number]),
        page=reverse("battle-kit", args=[number]),
        count=reverse("api:battle-count", args=[number]) if may_report else None,
        report=reverse("api:battle-report", args=[number]) if may_report else None,
    )


def count_document(brief: Brief, report: Report, number: UUID) -> CountDocument:
    return CountDocument(
        {unit: identifier(fate) for unit, fate in report.fates.items()},
        report.winner,
        report.ending or None,
        report.turns,
        tuple(
            ReturnedPart(unit.side, unit.many, unit.name, unit.came, identifier(unit.fate))
            for unit in units_returned(brief, report)
        ),
        CountLinks(reverse("api:battle-report", args=[number])),
    )


class CountBody(RequestBody, frozen=True, kw_only=True):
    """The count of every unit and Leader of the kit, by its id, and the battle's ending."""

    remainders: Annotated[dict[UnitKey, RemainderBody], Meta(max_length=1000)]
    winner: Side | None
    ending: Ending | None = None
    turns: Annotated[int, Meta(ge=1, le=200)]


class KitOfBattle(OpenEndpoint):
    """The table kit of a battle."""

    @operation(KitDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Retrieve the table kit of a battle.

        It has the field, the rosters and the book's play sheet.
        """
        battle = access.whole_battle_for(request.user, id)
        may = access.may_report(battle, request.user)
        return self.answer(kit_document(kit_of(battle), may_report=may))


class CountOfBattle(OwnEndpoint):
    """The count of a battle on a real table."""

    @operation(CountDocument, takes=CountBody)
    def post(self, request: Request, id: str) -> Response:
        """Convert the figures left into a report.

        The book decides the fates; nothing is reported yet.
        """
        battle = access.battle_for(request.user, id)
        if not access.may_report(battle, request.user):
            raise Problem("not-found", "This battle does not wait for a result from you.")
        body = CountBody.read(request)
        left = {
            int(number): UnitRemainder(remainder.figures, remainder.shaken)
            for number, remainder in body.remainders.items()
        }
        brief = serialization.brief_of(battle)
        try:
            check_remainders(kit_of(battle).picture.roll, left)
            ended = Ended(body.winner, (body.ending or "").strip(), body.turns)
            report = report_from_table(brief, battle.book, left, ended)
        except Unfit as wrong:
            raise unfit(remainders=str(wrong)) from wrong
        return Response(count_document(brief, report, battle.uuid))


class TableResultBody(ResultBody, frozen=True):
    """The result of a battle on a real table: the fate of every unit, by its id (`report_form`)."""

    turns: Annotated[int, Meta(ge=1, le=200)] | None = None


class ReportOfBattle(OwnEndpoint):
    """The result of a battle on a real table."""

    @operation(BattleDocument, takes=TableResultBody, once=True)
    def post(self, request: Request, id: str) -> WriteResult:
        """Report the result of a battle on a real table.

        It is a battle of yours, or of a campaign by its arrangement: that one waits until everyone
        who must sign has signed. If dice are thrown by hand, it counts with them.
        """
        body = TableResultBody.read(request)
        battle = access.battle_for(request.user, id)
        report = body.report(serialization.brief_of(battle).id, battle.book, body.turns or 0)
        try:
            services.take_report(battle, request.user, report)
        except Unfit as wrong:
            raise unfit(fates=str(wrong)) from wrong
        return WriteResult(200, battle_document(Battle.objects.get(pk=battle.pk)))
