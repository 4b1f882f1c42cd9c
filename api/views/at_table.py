"""How a battle has gone on a real table: told by whoever waits for it."""

from typing import Any

from rest_framework.request import Request

from api.contract import operation
from api.documents.battles import BattleDocument, battle_document
from api.endpoint import OwnEndpoint
from api.inputs import WholeNumber
from api.problems import Problem
from api.repeats import Done
from api.thrown import OR_WAITS, unless_dice
from api.views.battles import Result
from battles import selectors, services, stored
from battles.contract import Report, Side, Unfit
from battles.models import Battle


class TableResult(Result):
    """How the battle went on the table.

    The fate of every unit of `form` by its number, who won (nobody: null), why, and how many turns
    it lasted.
    """

    turns = WholeNumber(min_value=0, max_value=200, default=0)


class ReportOfBattle(OwnEndpoint):
    """How a battle has gone at a table."""

    @operation(BattleDocument, also=OR_WAITS, takes=TableResult, once=True)
    @unless_dice
    def post(self, request: Request, uuid: str) -> Done:
        """Report a battle of your own that waits on a table; the answer is the battle then.

        One of a campaign is reported here as well, by those who may and as it is arranged there: it
        waits on until everybody has signed who must; 202 where it waits for dice thrown by hand.
        """
        given = TableResult.read(request)
        battle = selectors.battle_for(request.user, uuid)
        _take(battle, request, _report(battle, given))
        return Done(200, battle_document(Battle.objects.get(pk=battle.pk)))


def _report(battle: Battle, given: dict[str, Any]) -> Report:
    winner = Side(given["winner"]) if given["winner"] else None
    ending, turns = given["ending"].strip(), given["turns"]
    return Report(stored.brief_of(battle).id, battle.book, given["fates"], winner, ending, turns)


def _take(battle: Battle, request: Request, report: Report) -> None:
    """Bring it to whoever waits for it. Problem `unfit` where it does not add up."""
    try:
        services.take_report(battle, request.user, report)
    except Unfit as unfit:
        raise Problem("unfit", str(unfit)) from unfit
