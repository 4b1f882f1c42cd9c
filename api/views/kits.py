"""Battles fought on a real table: what it takes, and what the figures that are left come to."""

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract import operation
from api.documents.kits import CountDocument, KitDocument, LeftPart, count_document, kit_document
from api.endpoint import OpenEndpoint, OwnEndpoint
from api.inputs import Input, StructField, WholeNumber
from api.problems import Problem
from battles import at_table, selectors, stored
from battles.contract import Side, Unfit
from battles.contract.book import Ended, Left
from battles.views.kit import kit_of


class Counted(Input):
    """What is left of every unit and Leader of the kit, by number, and how the battle ended."""

    left = StructField(dict[int, LeftPart])
    winner = serializers.ChoiceField([side.value for side in Side], allow_null=True)
    ending = serializers.CharField(max_length=200, default="", allow_blank=True)
    turns = WholeNumber(min_value=1, max_value=200)


class KitOfBattle(OpenEndpoint):
    """The table kit of a battle."""

    @operation(KitDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """All it takes to fight a battle with figures: field, rosters, its book's play sheet."""
        battle = selectors.whole_battle_for(request.user, uuid)
        may = selectors.may_report(battle, request.user)
        return self.tell(kit_document(kit_of(battle), may_report=may))


class CountOfBattle(OwnEndpoint):
    """What the figures that are left on a table come to."""

    @operation(CountDocument, takes=Counted)
    def post(self, request: Request, uuid: str) -> Response:
        """Count what is left by the book: the answer is the report to send; nothing is reported."""
        battle = selectors.battle_for(request.user, uuid)
        if not selectors.may_report(battle, request.user):
            raise Problem("not-found", "This battle does not wait for you to say how it went.")
        given = Counted.read(request)
        left = {number: Left(one.figures, one.shaken) for number, one in given["left"].items()}
        brief = stored.brief_of(battle)
        try:
            at_table.check(kit_of(battle).picture.roll, left)
            report = at_table.counted(brief, battle.book, left, _ended(given))
        except Unfit as unfit:
            raise Problem("unfit", str(unfit)) from unfit
        return Response(count_document(brief, report, battle.uuid))


def _ended(given: dict[str, Any]) -> Ended:
    winner = Side(given["winner"]) if given["winner"] else None
    return Ended(winner, given["ending"].strip(), given["turns"])
