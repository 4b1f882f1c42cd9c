"""Battles on a real table: table kits, counts of the units left, and results."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.documents.battlefield import Field, FieldUnitPart, field_part, standing_parts
from api.documents.battles import BattleDocument, battle_document
from api.documents.scalars import SideName
from api.http.endpoint import OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input, StructField, WholeNumber
from api.http.problems import Problem
from api.resources.battles import ResultInput
from api.resources.decision import DICE_PENDING_ANSWER, accepted_if_dice_pending
from api.resources.rulebooks import BookTermsPart, PlaySheetPart, book_terms, play_sheet_part
from battles import services
from battles.access import selectors
from battles.contract import Brief, Fate, Report, Side, Unfit
from battles.contract.book import Ended, UnitRemainder
from battles.history import serialization
from battles.models import Battle
from battles.prose.roster import returned
from battles.services import tabletop_result
from battles.web.tabletop import Kit, kit_of


class LaidPart(msgspec.Struct, frozen=True):
    """A thing to lay on the table, and its position in words."""

    what: str
    where: str


class RosterPart(msgspec.Struct, frozen=True):
    """The roster of a side."""

    side: SideName
    title: str
    units: tuple[FieldUnitPart, ...]


class KitDocument(msgspec.Struct, frozen=True):
    """The table kit of a battle: the field, the units' starting positions, and the play sheet.

    The link `page` is the same for printing; `count` turns the units left into a report, and
    `report` accepts it; both are present only if you may report.
    """

    uuid: UUID
    title: str
    book: str
    vocabulary: BookTermsPart
    measure: str
    field: Field
    laid: tuple[LaidPart, ...]
    rosters: tuple[RosterPart, ...]
    play_sheets: tuple[PlaySheetPart, ...]
    links: dict[str, str]


class LeftPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures or stands left of a unit, 1 for an unhurt Leader; `shaken` if it is."""

    figures: int
    shaken: bool = False


class ReturnedPart(msgspec.Struct, frozen=True):
    """A number of alike units of the campaign: as they came and as they return."""

    side: SideName
    many: int
    name: str
    came: str
    fate: Fate


class CountDocument(msgspec.Struct, frozen=True):
    """The result of a count; its first four fields are the body for `report`."""

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
        vocabulary=book_terms(kit.words),
        measure=kit.measure,
        field=field_part(kit.picture),
        laid=tuple(LaidPart(*one) for one in kit.laid),
        rosters=tuple(
            RosterPart(
                side, kit.words.side(side), tuple(one for one in standing if one.side == side)
            )
            for side in Side
        ),
        play_sheets=tuple(map(play_sheet_part, kit.sheets)),
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


class Counted(Input):
    """The count of every unit and Leader of the kit, by number, and the battle's ending."""

    left = StructField(dict[int, LeftPart])
    winner = serializers.ChoiceField([side.value for side in Side], allow_null=True)
    ending = serializers.CharField(max_length=200, default="", allow_blank=True)
    turns = WholeNumber(min_value=1, max_value=200)


class KitOfBattle(OpenEndpoint):
    """The table kit of a battle."""

    @operation(KitDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """Retrieve the table kit of a battle.

        It has the field, the rosters and the book's play sheet.
        """
        battle = selectors.whole_battle_for(request.user, uuid)
        may = selectors.may_report(battle, request.user)
        return self.tell(kit_document(kit_of(battle), may_report=may))


class CountOfBattle(OwnEndpoint):
    """The count of a battle on a real table."""

    @operation(CountDocument, takes=Counted)
    def post(self, request: Request, uuid: str) -> Response:
        """Convert the figures left into a report.

        The book decides the fates; nothing is reported yet.
        """
        battle = selectors.battle_for(request.user, uuid)
        if not selectors.may_report(battle, request.user):
            raise Problem("not-found", "This battle does not wait for you to say how it went.")
        given = Counted.read(request)
        left = {
            number: UnitRemainder(one.figures, one.shaken) for number, one in given["left"].items()
        }
        brief = serialization.brief_of(battle)
        try:
            tabletop_result.check(kit_of(battle).picture.roll, left)
            report = tabletop_result.counted(brief, battle.book, left, _ended(given))
        except Unfit as unfit:
            raise Problem("unfit", str(unfit)) from unfit
        return Response(count_document(brief, report, battle.uuid))


def _ended(given: dict[str, Any]) -> Ended:
    winner = Side(given["winner"]) if given["winner"] else None
    return Ended(winner, given["ending"].strip(), given["turns"])


class TableResultInput(ResultInput):
    """The result of a battle on a real table.

    It has the fate of every unit of `form` by number, the winner (or null), the ending, and the
    number of turns.
    """

    turns = WholeNumber(min_value=0, max_value=200, default=0)


class ReportOfBattle(OwnEndpoint):
    """The result of a battle on a real table."""

    @operation(BattleDocument, also=DICE_PENDING_ANSWER, takes=TableResultInput, once=True)
    @accepted_if_dice_pending
    def post(self, request: Request, uuid: str) -> WriteResult:
        """Report the result of a battle on a real table.

        It is a battle of yours, or of a campaign by its arrangement: that one waits until everyone
        who must sign has signed. Answers 202 if it waits for dice thrown by hand.
        """
        given = TableResultInput.read(request)
        battle = selectors.battle_for(request.user, uuid)
        _take(battle, request, _report(battle, given))
        return WriteResult(200, battle_document(Battle.objects.get(pk=battle.pk)))


def _report(battle: Battle, given: dict[str, Any]) -> Report:
    winner = Side(given["winner"]) if given["winner"] else None
    ending, turns = given["ending"].strip(), given["turns"]
    return Report(
        serialization.brief_of(battle).id, battle.book, given["fates"], winner, ending, turns
    )


def _take(battle: Battle, request: Request, report: Report) -> None:
    """Hand over the report. Raises the problem `unfit` if it does not add up."""
    try:
        services.take_report(battle, request.user, report)
    except Unfit as unfit:
        raise Problem("unfit", str(unfit)) from unfit
