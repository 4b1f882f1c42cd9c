"""Campaigns: list, create, retrieve, verify and advance them, and follow their jobs."""

from dataclasses import asdict
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.http import HttpResponse
from msgspec.structs import replace
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from accounts.models import Scope
from api.documents.campaigns import (
    CampaignDocument,
    CampaignLine,
    DiceDocument,
    ProofDocument,
    campaign_links,
    dice_document,
    umpire_links,
)
from api.documents.jobs import JobDocument, job_document, job_link
from api.documents.rulebook import month_part
from api.http.endpoint import Endpoint, OpenEndpoint, Paged, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input, MonthField, StructField, WholeNumber
from api.http.paging import PAGES, Newest
from api.http.problems import Problem
from api.http.throttles import AdvanceThrottle, CreateThrottle
from battles.contract.brief import Side
from battles.history import journal
from campaign.access import fog_of_war, saved_work, selectors
from campaign.models import Campaign, Job, Seat
from campaign.rules.core.state import COMBAT_TABLE
from campaign.services import errors
from campaign.services.battles import pending_battle
from campaign.services.journal import audit, creation
from campaign.services.turns import advance
from campaign.services.turns.deadlines import policy_as_stored as stored_policy
from campaign.services.turns.initial_deployment import staff_sets_up
from campaign.services.turns.timetable import Policy

UMPIRE = Seat.Role.UMPIRE.value
PLAYERS = ("player", "staff", "me")


class NewCampaign(Input):
    """The settings of a new campaign; title and slug default to the scenario's.

    `mode`: the computer's `staff` plays both sides, or players play by order sheets (`orders`) or
    `live`, each side in its own turn. `egyptian` and `mahdist` say who plays: a player to be
    invited, the staff, or you. `public` lets anyone watch; with `fog` a side sees only what it may
    know. `battles` are fought by the `table` of the campaign, `by hand`, or by a book such as
    `redcoats`. `deadlines` apply to campaigns by order sheets; with `when_ready` a month runs as
    soon as every seat is ready; with `dice_by_hand` you type in the dice. `tables` is the `number`
    of a set of your own.
    """

    scenario = serializers.CharField(max_length=60)
    title = serializers.CharField(max_length=100, required=False)
    slug = serializers.CharField(max_length=50, required=False)
    public = serializers.BooleanField(default=False)
    mode = serializers.ChoiceField(Campaign.Mode.values, default=Campaign.Mode.STAFF.value)
    egyptian = serializers.ChoiceField(PLAYERS, default="player")
    mahdist = serializers.ChoiceField(PLAYERS, default="player")
    fog = serializers.BooleanField(default=False)
    dice_by_hand = serializers.BooleanField(default=False)
    when_ready = serializers.BooleanField(default=False)
    battles = serializers.CharField(max_length=40, default=COMBAT_TABLE)
    deadlines = StructField(Policy, required=False)
    tables = WholeNumber(min_value=1, max_value=2**31, required=False)


class Campaigns(Endpoint):
    """Campaigns; POST creates one."""

    parameters: ClassVar[frozenset[str]] = PAGES
    scope = Scope.UMPIRE
    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_classes = [*Endpoint.throttle_classes, CreateThrottle]

    @operation(Paged[CampaignLine])
    def get(self, request: Request) -> HttpResponse:
        """List the campaigns you may see, the newest first."""
        pages = Newest()
        page = pages.paginate_queryset(selectors.campaigns_for(request.user), request)
        lines = (CampaignLine.of(one, selectors.role_of(request.user, one)) for one in page)
        return self.tell(pages.document(lines))

    @operation(CampaignDocument, status=201, takes=NewCampaign, once=True)
    def post(self, request: Request) -> WriteResult:
        """Create a campaign, with you as its umpire."""
        wanted = _wanted(request.user, NewCampaign.read(request))
        campaign = creation.create_campaign(wanted, by=f"umpire:{request.user}")
        staff_sets_up(campaign.pk)
        campaign.refresh_from_db()
        links = campaign_links(campaign.slug)
        return WriteResult(201, campaign_document(request, campaign), links["self"])


def _wanted(user: User, given: dict[str, Any]) -> creation.NewCampaignTerms:
    """Return the terms for the services.

    Raises Unfit for an unknown battle method, and NotVisible for tables that are not the user's.
    """
    played = {side.value: given.pop(side.value) for side in Side}
    tables, deadlines = given.pop("tables", None), given.pop("deadlines", None)
    pending_battle.check_battle_method(given["battles"])
    return creation.NewCampaignTerms(
        **given,
        seats={UMPIRE: user, **{side: user for side, who in played.items() if who == "me"}},
        staff=[side for side, who in played.items() if who == "staff"],
        tables=saved_work.own_set(user, tables).tables if tables else None,
        deadline_policy=stored_policy(deadlines, given["mode"]),
    )


class OneCampaign(OpenEndpoint):
    """A campaign."""

    @operation(CampaignDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve a campaign.

        The answer has its status, what it waits for, and your roles in it.
        """
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(campaign_document(request, campaign))


class DiceSeals(OpenEndpoint):
    """The public part of a campaign's dice."""

    @operation(DiceDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the anchor of a campaign's dice and the seal of every month."""
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(dice_document(campaign, selectors.seals_of(campaign)))


class CampaignProof(OpenEndpoint):
    """A check of a campaign's dice."""

    @operation(ProofDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Verify a campaign's dice.

        Every die of the closed months is recomputed, and the first difference named. Under fog only
        viewers who see everything get a verdict.
        """
        campaign = selectors.campaign_for(request.user, slug)
        if not fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign)):
            return self.tell(ProofDocument(None, ""))
        try:
            return self.tell(ProofDocument(True, "", **asdict(audit.verify_dice(campaign))))
        except journal.Damaged as damaged:
            return self.tell(ProofDocument(False, str(damaged)))


def campaign_document(request: Request, campaign: Campaign) -> CampaignDocument:
    """Return the campaign with what the caller may do in it."""
    job, roles = selectors.job_under_way(campaign), selectors.role_of(request.user, campaign)
    document = CampaignDocument.of(
        campaign,
        roles,
        first=month_part(campaign.first_month),
        may_advance=not campaign.finished and Seat.Role.UMPIRE in roles,
        mode=campaign.mode,
        fog=campaign.fog,
        adjourned=campaign.adjourned,
        dice_by_hand=campaign.dice_by_hand,
        when_ready=campaign.when_ready,
        job=job_link(job) if job else None,
    )
    if Seat.Role.UMPIRE not in roles:
        return document
    return replace(document, links=document.links | umpire_links(campaign.slug))


class Advance(Input):
    """The number of months to play, and `from` which one (1884-02).

    A request whose `from` has passed does nothing. With `phase`, only one phase is played.
    """

    months = WholeNumber(default=1)
    phase = serializers.BooleanField(default=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": MonthField(required=False)}


class CampaignAdvance(UmpireEndpoint):
    """The progress of a campaign, by order sheets and the staff."""

    throttle_classes = [*UmpireEndpoint.throttle_classes, AdvanceThrottle]

    @operation(JobDocument, status=202, takes=Advance, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Advance a campaign by months, or by a phase (umpire).

        The month is played by the order sheets and by the staff. The answer is a job.
        """
        campaign = selectors.campaign_for(request.user, slug)
        wanted = Advance.read(request)
        return _ask(campaign, request.user, wanted)


class OneJob(OpenEndpoint):
    """A job."""

    @operation(JobDocument)
    def get(self, request: Request, job: str) -> HttpResponse:
        """Retrieve a job and its progress.

        Poll every second until it is finished, or follow its stream.
        """
        try:
            found = selectors.job_for(request.user, job)
        except selectors.NotVisible as error:
            raise Problem("not-found", "There is no such job that you may see.") from error
        response = self.tell(job_document(found, _message(found, request.user)))
        if found.finished is None:
            response["Retry-After"] = "1"
        return response


def _message(job: Job, user: Any) -> str:
    return fog_of_war.job_message(job, fog_of_war.viewer_of(user, job.campaign))


def _ask(campaign: Campaign, user: Any, wanted: dict[str, Any]) -> WriteResult:
    try:
        job = advance.request_advance(
            campaign.pk,
            user,
            months=wanted["months"],
            phase=wanted["phase"],
            expected_month=wanted.get("from"),
        )
    except errors.UnderWay as error:
        under_way = selectors.job_under_way(campaign)
        link = job_link(under_way) if under_way else None
        raise Problem("under-way", str(error), job=link) from error
    return WriteResult(202, job_document(job, job.message), job_link(job))
