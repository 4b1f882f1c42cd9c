"""Battles and their replays, and the battles for which campaigns wait."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.documents.battles import (
    ArrangementPart,
    AwaitedDocument,
    BattleDocument,
    BattleLine,
    CampaignBattlesPart,
    OfferLine,
    ReplayDocument,
    arrangement_part,
    awaited_document,
    battle_document,
    battle_lines,
    offer_lines,
    replay_document,
)
from api.http.endpoint import (
    Endpoint,
    Listed,
    OpenEndpoint,
    OwnEndpoint,
    Paged,
    UmpireEndpoint,
    operation,
)
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, StructField, WholeNumber
from api.http.paging import PAGES, Newest
from api.http.problems import Problem
from api.resources.decision import DICE_PENDING_ANSWER, accepted_if_dice_pending
from battles import services as fighting
from battles.access import selectors as field
from battles.contract import Brief, Fate, Report, Side
from battles.contract.brief_files import read_brief
from battles.contract.ready_battles import find_ready_battle
from battles.contract.registry import books
from battles.core.tables import Source
from battles.models import Battle
from battles.services.fights import COMPUTER, LONGEST_PATIENCE, ME, OPEN, PATIENCE
from battles.services.quota import limit_cpu
from battles.web.battle_list import LONGEST_BRIEF
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.combat.hand_off import LONGEST
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import TABLETOP
from campaign.services.battles import battle_reports
from campaign.services.battles.pending_battle import PendingBattle, owner_of

LEADERS = (ME, COMPUTER, OPEN)
NOT_WAITING = "The campaign waits for no such battle (any more)."


class ArrangementInput(Input):
    """The method by which battles are fought: `table`, `by hand`, or a book such as `redcoats`.

    A battle that waits longer than `days` is fought by `fallback`. With `signed`, a result entered
    by a player counts once both sides have signed it.
    """

    way = serializers.CharField(max_length=40)
    fallback = serializers.CharField(max_length=40, default="combat-table")
    days = WholeNumber(min_value=0, max_value=LONGEST, default=7)
    signed = serializers.BooleanField(default=True)


class BattleWayInput(Input):
    """The method for this battle: `table`, `by hand`, or a book such as `redcoats`."""

    by = serializers.CharField(max_length=40)


class ResultInput(Input):
    """A battle's result: the fate of every unit by number, the winner (or null), the ending."""

    fates = StructField(dict[int, Fate])
    winner = serializers.ChoiceField([side.value for side in Side], allow_null=True)
    ending = serializers.CharField(max_length=200, default="", allow_blank=True)


class NewBattle(Input):
    """A battle outside any campaign: which one, by which book, and who fights it.

    Give either `battle`, from battles/offers/, or `toml`, a brief of your own in the form that the
    page accepts. `way`: the book's `commanders` fight it at once, `players` fight it here, or
    people fight it on a `table` and report the result. If players fight it, each side is commanded
    by `me`, by the `computer`, or is `open` to others. One player waits up to `patience` days for
    the other; 0 is without limit. `public` lets anyone watch.
    """

    battle = serializers.CharField(max_length=60, required=False)
    toml = serializers.CharField(max_length=LONGEST_BRIEF, trim_whitespace=False, required=False)
    book = serializers.CharField(max_length=40)
    way = serializers.ChoiceField(Battle.Way.values, default=Battle.Way.COMMANDERS.value)
    public = serializers.BooleanField(default=False)
    egyptian = serializers.ChoiceField(LEADERS, default=ME)
    mahdist = serializers.ChoiceField(LEADERS, default=COMPUTER)
    patience = WholeNumber(min_value=0, max_value=LONGEST_PATIENCE, default=PATIENCE)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("battle" in attrs) == ("toml" in attrs):
            raise serializers.ValidationError({"battle": "Give either a battle or a brief."})
        return attrs


class Battles(Endpoint):
    """Battles, of campaigns and others."""

    parameters: ClassVar[frozenset[str]] = PAGES
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(Paged[BattleLine])
    def get(self, request: Request) -> HttpResponse:
        """List the battles you may see, the newest first."""
        pages = Newest()
        page = pages.paginate_queryset(field.battles_for(request.user), request)
        return self.tell(pages.document(battle_lines(page)))

    @operation(BattleDocument, status=201, takes=NewBattle, once=True, problems=("table-wrong",))
    def post(self, request: Request) -> WriteResult:
        """Create a battle.

        It is a historical one, a scenario of a book, or one of your own, fought by commanders, by
        players, or on a real table.
        """
        given = NewBattle.read(request)
        brief = _brief(given)
        if brief is None or given["book"] not in books():
            known = ", ".join(books())
            raise Problem("unfit", f"Name a battle of battles/offers/, and a book: {known}.")
        try:
            with limit_cpu(request.user):
                told = battle_document(_begun(request.user, brief, given))
        except ValueError as wrong:
            raise Problem("unfit", str(wrong)) from wrong
        return WriteResult(201, told, told.links["self"])


def _brief(given: dict[str, Any]) -> Brief | None:
    """Return the brief that is named or given, or None; TableError if a given one is faulty."""
    if "toml" in given:
        return read_brief(Source("brief.toml", given["toml"])).brief
    chosen = find_ready_battle(given["battle"])
    return chosen.brief if chosen else None


def _begun(user: User, brief: Brief, given: dict[str, Any]) -> Battle:
    if given["way"] != Battle.Way.PLAYERS:
        return fighting.start(user, brief, given["book"], given["way"], public=given["public"])
    sides = {side: given[side.value] for side in Side}
    wanted = fighting.NewFight(given["book"], sides, given["public"], given["patience"])
    return fighting.begin_fight(user, brief, wanted)


class Offers(OpenEndpoint):
    """Battles that are ready to be fought."""

    @operation(Listed[OfferLine])
    def get(self, request: Request) -> HttpResponse:
        """List the battles on offer.

        They are the historical battles and the books' scenarios, with the books that can fight
        them.
        """
        return self.tell({"results": list(offer_lines())})


class OneBattle(OpenEndpoint):
    """A battle."""

    @operation(BattleDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """Retrieve a battle: its sides, its ground and its result."""
        return self.tell(battle_document(field.battle_for(request.user, uuid)))


class Replay(OpenEndpoint):
    """The replay of a battle."""

    @operation(ReplayDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """Retrieve a battle turn by turn.

        Each turn has its sentences, the dice behind them, and the positions of all units.
        """
        return self.tell(replay_document(field.battle_for(request.user, uuid)))


class BattlesOfCampaign(OpenEndpoint):
    """The battles of a campaign."""

    @operation(CampaignBattlesPart)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve a campaign's battles.

        The answer has the method by which they are fought, the battle that is waiting, and past
        battles.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        waiting = fog_of_war.battle_awaited(campaign, viewer)
        fought = _fought(campaign) if fog_of_war.sees_any(campaign, viewer) else []
        document = CampaignBattlesPart(
            arrangement=arrangement_part(campaign),
            waiting=awaited_document(campaign, waiting) if waiting else None,
            fought=battle_lines(fought),
        )
        return self.tell(document)


class ArrangementOfBattles(UmpireEndpoint):
    """The method by which a campaign's battles are fought."""

    @operation(ArrangementPart, takes=ArrangementInput, once=True, problems=("illegal-action",))
    def put(self, request: Request, slug: str) -> WriteResult:
        """Set the method for all battles from now on (umpire)."""
        campaign = selectors.campaign_for(request.user, slug)
        wanted = HandOver(**ArrangementInput.read(request))
        battle_reports.arrange_battles(campaign.pk, request.user, wanted)
        return WriteResult(200, arrangement_part(Campaign.objects.get(pk=campaign.pk)))


class AwaitedBattle(OpenEndpoint):
    """The battle for which a campaign waits."""

    @operation(AwaitedDocument)
    def get(self, request: Request, slug: str, battle: str) -> HttpResponse:
        """Retrieve the waiting battle.

        The answer has its units, the fates that each can suffer, and the results that the sides
        entered.
        """
        campaign, waiting = _waiting(request, slug, battle)
        return self.tell(awaited_document(campaign, waiting))


class BattleAction(OwnEndpoint):
    """An action on the waiting battle; the answer is the campaign's battles afterwards.

    Answers 202 if the action must wait for dice that are thrown by hand.
    """

    @accepted_if_dice_pending
    def change(self, slug: str, battle: str, do: Callable[[Campaign], Any]) -> WriteResult:
        """Apply `do` to the campaign and return its battles."""
        campaign, _ = _waiting(self.request, slug, battle)
        do(campaign)
        now = Campaign.objects.get(pk=campaign.pk)
        waiting = selectors.battle_awaited(now)
        still = waiting if waiting and waiting.brief.id == battle else None
        return WriteResult(200, _outcome(now, still))


class WayOfBattle(BattleAction, UmpireEndpoint):
    """The method for the waiting battle."""

    @operation(
        CampaignBattlesPart,
        also=DICE_PENDING_ANSWER,
        takes=BattleWayInput,
        once=True,
        problems=("not-awaited",),
    )
    def put(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Choose the method for the waiting battle (umpire).

        `by` is `table`, `by hand`, or a book such as `redcoats`.
        """
        by = BattleWayInput.read(request)["by"]
        user = request.user
        return self.change(
            slug, battle, lambda one: battle_reports.choose_method(one.pk, user, battle, by)
        )


class DeclinedBattle(BattleAction):
    """A refusal to fight the waiting battle on a table."""

    @operation(
        CampaignBattlesPart,
        also=DICE_PENDING_ANSWER,
        takes=Empty,
        once=True,
        problems=("not-awaited",),
    )
    def put(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Decline to fight the waiting battle on a table.

        When both sides have declined, the fallback method decides it.
        """
        Empty.read(request)
        return self.change(
            slug, battle, lambda one: battle_reports.decline_table(one.pk, request.user, battle)
        )


class ResultOfBattle(BattleAction):
    """The result of the waiting battle."""

    @operation(
        CampaignBattlesPart,
        also=DICE_PENDING_ANSWER,
        takes=ResultInput,
        once=True,
        problems=("not-awaited", "illegal-action"),
    )
    def post(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Enter the result of the waiting battle.

        An umpire's result counts at once, a player's as the arrangement says.
        """
        given = ResultInput.read(request)
        winner = Side(given["winner"]) if given["winner"] else None
        report = Report(battle, TABLETOP, given["fates"], winner, given["ending"].strip())
        return self.change(
            slug, battle, lambda one: battle_reports.enter_result(one.pk, request.user, report)
        )


def _waiting(request: Request, slug: str, battle: str) -> tuple[Campaign, PendingBattle]:
    """Return the campaign and its waiting battle.

    Raises Http404 for a viewer who may not know of battles, and Problem if no such battle waits.
    """
    campaign = selectors.campaign_for(request.user, slug)
    if not fog_of_war.sees_any(campaign, fog_of_war.viewer_of(request.user, campaign)):
        raise Http404(fog_of_war.UNHEARD)
    waiting = selectors.battle_awaited(campaign)
    if waiting is None or waiting.brief.id != battle:
        raise Problem("not-found", NOT_WAITING)
    return campaign, waiting


def _outcome(campaign: Campaign, waiting: PendingBattle | None) -> CampaignBattlesPart:
    return CampaignBattlesPart(
        arrangement=arrangement_part(campaign),
        waiting=awaited_document(campaign, waiting) if waiting else None,
        fought=battle_lines(_fought(campaign)),
    )


def _fought(campaign: Campaign) -> list[Battle]:
    """Return the finished battles of the campaign, the latest first."""
    ours = Battle.objects.filter(owner=owner_of(campaign)).exclude(reported=None)
    return list(ours.defer("document", "beginning", "brief", "report"))
