"""Battles and their replays, and the battles for which campaigns wait."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Literal

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from msgspec import Meta
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.documents.battles import (
    BattleDocument,
    BattleLine,
    CampaignBattlesDocument,
    OfferLine,
    PendingBattleDocument,
    ReplayDocument,
    battle_document,
    battle_lines,
    campaign_battles,
    offer_lines,
    pending_battle_document,
    replay_document,
)
from api.documents.fights import ThrowDocument, throw_document
from api.documents.scalars import Resolution, UnitKey
from api.http.authentication import check_umpire_scope
from api.http.encoding import BookSlug, OfferSlug, RequestBody, read_as
from api.http.endpoint import (
    Endpoint,
    Listed,
    OpenEndpoint,
    OwnEndpoint,
    Paged,
    operation,
    slug_parameter,
)
from api.http.field_errors import did_you_mean
from api.http.idempotency import WriteResult
from api.http.problems import Problem, invalid_parameters, unfit
from api.http.responses import PAGES, Newest
from battles import access as field
from battles import services as fighting
from battles.contract import Brief, Fate, Report, Side
from battles.contract.book import books
from battles.contract.brief_files import find_ready_battle, read_brief, ready_battles
from battles.core.tables import Source
from battles.models import Battle
from battles.services.fights import LONGEST_PATIENCE, PATIENCE
from battles.services.quota import limit_cpu
from battles.services.thrown import LONGEST_THROW
from battles.web.battle_list import LONGEST_BRIEF
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports
from campaign.services.errors import visible
from campaign.services.journal.dice import DiceAwaited
from campaign.services.pending_battle import OWNER, PendingBattle, finished_battles

Commander = Literal["me", "computer", "open"]
Ending = Annotated[str, Meta(max_length=200, description="Why the battle ended, in words.")]
Fates = Annotated[dict[UnitKey, Fate], Meta(max_length=1000)]


class ResolutionChoice(RequestBody, frozen=True, tag="resolution"):
    """The resolution of the waiting battle, chosen by the umpire."""

    resolution: Resolution


class BattleRefusal(RequestBody, frozen=True, tag="declined"):
    """Your side declines to fight the battle out; if both sides do, the fallback decides it."""


BattleChange = ResolutionChoice | BattleRefusal


class ResultBody(RequestBody, frozen=True):
    """A battle's result: the fate of every unit of `report_form`, by its id."""

    fates: Fates
    winner: Side | None
    ending: Ending | None = None

    def report(self, battle: str, book: str, turns: int = 0) -> Report:
        """Return the result as a report."""
        ending = visible(self.ending or "", "reason why it ended", "ending")
        fates = {int(unit): fate for unit, fate in self.fates.items()}
        return Report(battle, book, fates, self.winner, ending, turns)


class BattleTerms(RequestBody, frozen=True, kw_only=True):
    """A battle outside any campaign: by which book, and who fights it.

    If players fight it, each side is commanded by you, by the computer, or is open to others.
    """

    book: BookSlug
    fought_by: Literal["commanders", "tabletop", "players"] = "commanders"
    public: bool = False
    egyptian: Commander = "me"
    mahdist: Commander = "computer"
    timeout_days: Annotated[int, Meta(ge=1, le=LONGEST_PATIENCE)] | None = PATIENCE


class OfferedBattle(BattleTerms, frozen=True, tag="offer"):
    """A battle on offer, by its slug in battles/offers/."""

    offer: OfferSlug


class OwnBattle(BattleTerms, frozen=True, tag="brief"):
    """A battle of your own, by a brief in the form that the page accepts."""

    toml: Annotated[str, Meta(min_length=1, max_length=LONGEST_BRIEF)]


class ThrownTerms(RequestBody, frozen=True, kw_only=True, tag="throw"):
    """A battle that dice decide, by a throw of battles/throws/ and the side that you command."""

    throw_token: Annotated[str, Meta(min_length=1, max_length=LONGEST_THROW)]
    side: Side
    public: bool = False
    timeout_days: Annotated[int, Meta(ge=1, le=LONGEST_PATIENCE)] | None = PATIENCE


NewBattle = OfferedBattle | OwnBattle | ThrownTerms


class NewThrow(RequestBody, frozen=True):
    """A throw for the choice of sides of a battle that dice decide.

    The opponent is the computer, or a player whom you invite ("open").
    """

    book: BookSlug
    opponent: Literal["computer", "open"] = "computer"


class Battles(Endpoint):
    """Battles, of campaigns and others."""

    parameters: ClassVar[frozenset[str]] = PAGES | {"campaign", "status"}
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(Paged[BattleLine])
    def get(self, request: Request) -> HttpResponse:
        """List the battles you may see, the newest first."""
        pages = Newest()
        battles = _filter_battles(field.battles_for(request.user), request)
        page = pages.paginate_queryset(battles, request)
        return self.answer(pages.document(battle_lines(page)))

    @operation(BattleDocument, status=201, takes=NewBattle, once=True, problems=("table-wrong",))
    def post(self, request: Request) -> WriteResult:
        """Create a battle.

        It is a historical one, a scenario of a book, or one of your own, fought by commanders, by
        players, or on a real table.
        """
        body: NewBattle = read_as(NewBattle, request.data)
        if isinstance(body, ThrownTerms):
            throw = fighting.read_throw(body.throw_token)
            patience = body.timeout_days or 0
            with limit_cpu(request.user):
                begun = fighting.begin_thrown(
                    request.user, throw, body.side, public=body.public, patience=patience
                )
            document = battle_document(begun.battle)
            return WriteResult(201, document, document.links.self)
        brief = _brief(body)
        if body.book not in books():
            raise unfit(book=f"Name one of {', '.join(books())}.")
        _check_who_fights(request.data)
        try:
            with limit_cpu(request.user):
                document = battle_document(_begin_battle(request.user, brief, body))
        except ValueError as wrong:
            raise unfit(body=str(wrong)) from wrong
        return WriteResult(201, document, document.links.self)


STATUSES = {
    "reported": Q(reported__isnull=False),
    "fighting": Q(reported=None, head__isnull=False),
    "waiting": Q(reported=None, head=None),
}


def _filter_battles(battles: QuerySet[Battle], request: Request) -> QuerySet[Battle]:
    """Return the battles that the query parameters ask for."""
    status, campaign = request.query_params.get("status"), slug_parameter(request, "campaign")
    if status is not None:
        if status not in STATUSES:
            raise invalid_parameters(status=f"Say one of {', '.join(STATUSES)}.")
        battles = battles.filter(STATUSES[status])
    return battles.filter(owner=f"{OWNER}:{campaign}") if campaign else battles


def _check_who_fights(sent: Mapping[str, Any]) -> None:
    """Raise `unfit` for a side that would be ignored since `fought_by` was forgotten."""
    named = [side for side in Side if side.value in sent]
    if named and "fought_by" not in sent:
        raise unfit(
            fought_by=f'Send "players" if {named[0]} is to be led so: left out, commanders of the '
            "computer lead both sides."
        )


def _brief(body: OfferedBattle | OwnBattle) -> Brief:
    """Return the brief that is named or given; TableError if a given one is faulty."""
    if isinstance(body, OwnBattle):
        return read_brief(Source("brief.toml", body.toml)).brief
    chosen = find_ready_battle(body.offer)
    if chosen is None:
        near = did_you_mean(body.offer, (offer.slug for offer in ready_battles()))
        raise unfit(offer=f"Name a battle of battles/offers/.{near}")
    return chosen.brief


def _begin_battle(user: User, brief: Brief, body: OfferedBattle | OwnBattle) -> Battle:
    if body.fought_by != "players":
        return fighting.start(user, brief, body.book, body.fought_by, public=body.public)
    sides = {Side.EGYPTIAN: body.egyptian, Side.MAHDIST: body.mahdist}
    new_fight = fighting.NewFight(body.book, sides, body.public, body.timeout_days or 0)
    return fighting.begin_fight(user, brief, new_fight)


class Throws(OwnEndpoint):
    """Throws for the choice of sides."""

    @operation(ThrowDocument, status=201, takes=NewThrow, once=True)
    def post(self, request: Request) -> WriteResult:
        """Throw for the choice of sides of a battle that dice decide.

        Each Commander-in-Chief throws a die, again while they are equal, and the higher chooses.
        Send the `throw_token` with your side to battles/: armies and scenario are thrown then.
        """
        body = NewThrow.read(request)
        if body.book not in dict(fighting.generating_books()):
            raise unfit(book="Name a book that has tables for armies and scenarios.")
        return WriteResult(201, throw_document(fighting.throw_for_sides(body.book, body.opponent)))


class Offers(OpenEndpoint):
    """Battles that are ready to be fought."""

    @operation(Listed[OfferLine])
    def get(self, request: Request) -> HttpResponse:
        """List the battles on offer.

        They are the historical battles and the books' scenarios, with the books that can fight
        them.
        """
        return self.answer_list(offer_lines())


class OneBattle(OpenEndpoint):
    """A battle."""

    @operation(BattleDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Retrieve a battle: its sides, its ground and its result."""
        return self.answer(battle_document(field.battle_for(request.user, id)))


class Replay(OpenEndpoint):
    """The replay of a battle."""

    @operation(ReplayDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Retrieve a battle turn by turn.

        Each turn has its sentences, the dice behind them, and the positions of all units.
        """
        return self.answer(replay_document(field.battle_for(request.user, id)))


class BattlesOfCampaign(OpenEndpoint):
    """The battles of a campaign."""

    @operation(CampaignBattlesDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve a campaign's battles.

        The answer has the battle that is waiting, and past battles.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        waiting = fog_of_war.battle_awaited(campaign, viewer)
        fought = finished_battles(campaign) if fog_of_war.sees_any(campaign, viewer) else []
        return self.answer(campaign_battles(campaign, waiting, fought))


class PendingBattleEndpoint(OwnEndpoint):
    """An action on the waiting battle; the answer is the campaign's battles afterwards."""

    def change(self, slug: str, battle: str, do: Callable[[Campaign], Any]) -> WriteResult:
        """Apply `do` to the campaign, now or with the awaited dice, and return its battles."""
        campaign, _ = _waiting_battle(self.request, slug, battle)
        with suppress(DiceAwaited):
            do(campaign)
        now = Campaign.objects.get(pk=campaign.pk)
        waiting = selectors.battle_awaited(now)
        still = waiting if waiting and waiting.brief.id == battle else None
        return WriteResult(200, campaign_battles(now, still, finished_battles(now)))


class OneBattleOfCampaign(PendingBattleEndpoint):
    """The battle for which a campaign waits."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(PendingBattleDocument)
    def get(self, request: Request, slug: str, battle: str) -> HttpResponse:
        """Retrieve the waiting battle.

        The answer has its units, the fates that each can suffer, and the statements of the sides.
        """
        campaign, waiting = _waiting_battle(request, slug, battle)
        return self.answer(pending_battle_document(campaign, waiting))

    @operation(CampaignBattlesDocument, takes=BattleChange, once=True, problems=("not-awaited",))
    def patch(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Choose the resolution of the waiting battle (umpire), or decline to fight it out.

        If dice are thrown by hand, what needs them happens with them.
        """
        change: BattleChange = read_as(BattleChange, request.data)
        user = request.user
        if isinstance(change, BattleRefusal):
            return self.change(
                slug,
                battle,
                lambda campaign: battle_reports.decline_table(campaign.pk, user, battle),
            )
        check_umpire_scope(request)
        resolution = change.resolution
        return self.change(
            slug,
            battle,
            lambda campaign: battle_reports.choose_method(campaign.pk, user, battle, resolution),
        )


class ResultOfBattle(PendingBattleEndpoint):
    """The result of the waiting battle."""

    @operation(
        CampaignBattlesDocument,
        takes=ResultBody,
        once=True,
        problems=("not-awaited", "illegal-action"),
    )
    def post(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Enter the result of the waiting battle.

        An umpire's result counts at once, a player's as the arrangement says.
        """
        report = ResultBody.read(request).report(battle, TABLETOP)
        return self.change(
            slug,
            battle,
            lambda campaign: battle_reports.enter_result(campaign.pk, request.user, report),
        )


def _waiting_battle(request: Request, slug: str, battle: str) -> tuple[Campaign, PendingBattle]:
    """Return the campaign and its waiting battle.

    Raises Http404 for a viewer who may not know of battles, and Problem if no such battle waits.
    """
    campaign = selectors.campaign_for(request.user, slug)
    if not fog_of_war.sees_any(campaign, fog_of_war.viewer_of(request.user, campaign)):
        raise Http404(fog_of_war.UNHEARD)
    waiting = selectors.battle_awaited(campaign)
    if waiting is None or waiting.brief.id != battle:
        raise Problem("not-found", f"The campaign does not wait for the battle {battle!r}.")
    return campaign, waiting
