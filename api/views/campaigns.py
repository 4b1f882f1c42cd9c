"""Campaigns: which there are, what one is to whoever asks, and new ones."""

from dataclasses import asdict
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.http import HttpResponse
from msgspec.structs import replace
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.contract import Paged, operation
from api.documents.book import month_part
from api.documents.campaigns import (
    CampaignDocument,
    CampaignLine,
    DiceDocument,
    ProofDocument,
    campaign_links,
    dice_document,
    job_link,
    umpire_links,
)
from api.endpoint import Endpoint, OpenEndpoint
from api.inputs import Input, StructField, WholeNumber
from api.models import Scope
from api.pages import PAGES, Newest
from api.repeats import Done
from api.throttles import CreateThrottle
from battles import journal
from battles.contract.troops import Side
from campaign.access import fog_of_war, saved_work, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.state import TABLE
from campaign.services.battles import pending_battle
from campaign.services.journal import audit, creation
from campaign.services.turns.deadlines import policy_as_stored as stored_policy
from campaign.services.turns.initial_deployment import staff_sets_up
from campaign.services.turns.timetable import Policy

UMPIRE = Seat.Role.UMPIRE.value
PLAYERS = ("player", "staff", "me")


class NewCampaign(Input):
    """What a new campaign shall be; title and slug come from the scenario if not given.

    `mode`: the computer's `staff` plays both sides, or players do by order sheets (`orders`) or
    `live`, each side in its own turn. `egyptian` and `mahdist` say who plays: a player yet to be
    invited, the staff, or you. `public`: anybody may look on; `fog`: a side sees what it may know.
    `battles` are fought by the `table` of the campaign, `by hand`, or by a book such as `redcoats`.

    `deadlines` count where it is played by order sheets; `when_ready`: a month runs as soon as
    every seat is ready; `dice_by_hand`: you type the dice in. `tables` is a set of your own by
    `number`.
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
    battles = serializers.CharField(max_length=40, default=TABLE)
    deadlines = StructField(Policy, required=False)
    tables = WholeNumber(min_value=1, max_value=2**31, required=False)


class Campaigns(Endpoint):
    """The campaigns you may see, the newest first; POST begins a new one, with you as umpire."""

    parameters: ClassVar[frozenset[str]] = PAGES
    scope = Scope.UMPIRE
    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_classes = [*Endpoint.throttle_classes, CreateThrottle]

    @operation(Paged[CampaignLine])
    def get(self, request: Request) -> HttpResponse:
        """The campaigns you may see, the newest first."""
        pages = Newest()
        page = pages.paginate_queryset(selectors.campaigns_for(request.user), request)
        lines = (CampaignLine.of(one, selectors.role_of(request.user, one)) for one in page)
        return self.tell(pages.document(lines))

    @operation(CampaignDocument, status=201, takes=NewCampaign, once=True)
    def post(self, request: Request) -> Done:
        """Begin a campaign, with you as its umpire."""
        wanted = _wanted(request.user, NewCampaign.read(request))
        campaign = creation.create_campaign(wanted, by=f"umpire:{request.user}")
        staff_sets_up(campaign.pk)
        campaign.refresh_from_db()
        links = campaign_links(campaign.slug)
        return Done(201, campaign_document(request, campaign), links["self"])


def _wanted(user: User, given: dict[str, Any]) -> creation.NewCampaignTerms:
    """What the services are to begin. Unfit for battles nobody fights; NotVisible for tables."""
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
    """One campaign: where it stands, what it waits for, what you are in it."""

    @operation(CampaignDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(campaign_document(request, campaign))


class Dice(OpenEndpoint):
    """What everybody may know of a campaign's dice: the anchor, and the seal of every month."""

    @operation(DiceDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(dice_document(campaign, selectors.seals_of(campaign)))


class Proof(OpenEndpoint):
    """Whether a campaign's dice have fallen as they are written."""

    @operation(ProofDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Recompute every die of the closed months; what differs is named."""
        campaign = selectors.campaign_for(request.user, slug)
        if not fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign)):
            return self.tell(ProofDocument(None, ""))
        try:
            return self.tell(ProofDocument(True, "", **asdict(audit.verify_dice(campaign))))
        except journal.Damaged as damaged:
            return self.tell(ProofDocument(False, str(damaged)))


def campaign_document(request: Request, campaign: Campaign) -> CampaignDocument:
    """The campaign as whoever asks may use it."""
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
