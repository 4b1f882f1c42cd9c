"""Campaigns: list, create, retrieve, change and delete them."""

from collections.abc import Collection
from typing import Annotated, ClassVar, Literal

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from api.documents.campaigns import CampaignDocument, CampaignPart, campaign_document, campaign_part
from api.documents.rulebook import SHIPPED
from api.documents.scalars import DRAW, STATUSES, InstalledBook, Resolution, ResolutionAtOnce
from api.http.encoding import Reason, RequestBody, ScenarioSlug
from api.http.endpoint import Endpoint, Paged, operation, slug_parameter
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of, head_named, respond_with_version, unless_stale
from api.http.problems import invalid_parameters, unfit
from api.http.responses import PAGES, Newest
from api.http.throttles import CreateThrottle
from battles.contract.brief import Side
from battles.journal import lock_record
from campaign.access import saved_work, selectors
from campaign.access.solo import leads_alone
from campaign.models import Campaign, Seat
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.combat.hand_off import LONGEST
from campaign.rules.core.actions import HandOver, Ruled
from campaign.rules.core.state import COMBAT_TABLE, RULES, HandOff, Phase
from campaign.services import battle_reports, letters
from campaign.services.journal import creation, own_scenarios
from campaign.services.journal.creation import DELAYS, NEVER
from campaign.services.transfer import deletion
from campaign.services.turns.deadlines import policy_as_stored as stored_policy
from campaign.services.turns.live import staff_sets_up
from campaign.services.turns.timetable import Policy
from campaign.services.umpire import rules_version, rulings, seat_control
from campaign.services.umpire.rules_version import MigrationChoice
from campaign.services.umpire.rulings import umpire_of

UMPIRE = Seat.Role.UMPIRE.value
StaffLevel = Literal["learner", "club", "strong"]
LetterPost = Literal["at_once", "by_courier"]
Player = Literal["player", "staff", "me"]
Title = Annotated[str, Meta(min_length=1, max_length=creation.LONGEST_TITLE)]
PublicDelay = Annotated[int, Meta(ge=1, le=max(DELAYS))]
TimeoutDays = Annotated[int, Meta(ge=0, le=LONGEST)]


class NewArrangement(msgspec.Struct, frozen=True):
    """The arrangement of battles; what is left out stays as it is, or takes its default.

    People fight by `book`, unless they choose another.
    """

    resolution: Resolution | UnsetType = UNSET
    fallback: ResolutionAtOnce | UnsetType = UNSET
    timeout_days: TimeoutDays | UnsetType = UNSET
    signed: bool | UnsetType = UNSET
    book: InstalledBook | UnsetType | None = UNSET

    def applied_to(self, agreed: HandOff | None) -> HandOver:
        """Return what was agreed before with these changes, as an action of the rules."""
        before = agreed or HandOff(COMBAT_TABLE)
        return HandOver(
            before.resolution if self.resolution is UNSET else self.resolution,
            before.fallback if self.fallback is UNSET else self.fallback,
            before.timeout_days if self.timeout_days is UNSET else self.timeout_days,
            before.signed if self.signed is UNSET else self.signed,
            before.book if self.book is UNSET else self.book or "",
        )


class NewCampaign(RequestBody, frozen=True):
    """The settings of a new campaign; title and slug default to the scenario's.

    A second campaign of yours that would have the same title by default gets a number.
    With an `umpire` of `nobody` you play it alone: by order sheets, with one side `me` and the
    other `staff`, and `when_ready`.
    """

    scenario: ScenarioSlug
    title: Title | None = None
    slug: Annotated[str, Meta(min_length=1, max_length=creation.LONGEST_SLUG)] | None = None
    public: bool = False
    mode: Literal["staff", "orders", "live"] = "staff"
    umpire: Literal["me", "nobody"] = "me"
    egyptian: Player = "player"
    mahdist: Player = "player"
    fog: bool = False
    public_delay_months: PublicDelay | None = creation.NewCampaignTerms.public_delay
    dice_by_hand: bool = False
    staff_level: StaffLevel = "club"
    when_ready: bool = False
    battles: NewArrangement | None = None
    deadline_policy: Policy | None = None
    edition: Annotated[str, Meta(min_length=1, max_length=60)] = SHIPPED
    table_set_id: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    own_scenario_id: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None

    def __post_init__(self) -> None:
        if self.umpire == "nobody" and (faults := self._faults_without_umpire()):
            raise unfit(**faults)

    def _faults_without_umpire(self) -> dict[str, str]:
        """Return by field what only a campaign with an umpire can have."""
        faults = {}
        if self.mode != "orders":
            faults["mode"] = "Without an umpire a campaign is played by order sheets: send orders."
        if {self.egyptian, self.mahdist} != {"me", "staff"}:
            sides = (
                "Without an umpire you play one side and the staff the other: send me and staff."
            )
            faults |= {"egyptian": sides, "mahdist": sides}
        if not self.when_ready:
            faults["when_ready"] = "Without an umpire nobody else runs a month: send true."
        if self.dice_by_hand:
            faults["dice_by_hand"] = "It takes an umpire to type in dice: leave this out."
        if self.deadline_policy is not None:
            faults["deadline_policy"] = "It takes an umpire to keep deadlines: leave this out."
        return faults


class CampaignChange(RequestBody, frozen=True):
    """Changes of a campaign; what is left out stays as it is.

    `reason` is required with `adjourned`, `rules_version`, `rules_pinned` and `outcome`.
    """

    title: Title | UnsetType = UNSET
    public: bool | UnsetType = UNSET
    dice_by_hand: bool | UnsetType = UNSET
    staff_level: StaffLevel | UnsetType = UNSET
    public_delay_months: PublicDelay | UnsetType | None = UNSET
    letter_post: LetterPost | UnsetType = UNSET
    battles: NewArrangement | UnsetType = UNSET
    rules_version: Annotated[str, Meta(min_length=1, max_length=20)] | UnsetType = UNSET
    rules_pinned: bool | UnsetType = UNSET
    adjourned: bool | UnsetType = UNSET
    outcome: Literal["egyptian", "mahdist", "draw"] | UnsetType = UNSET
    reason: Reason | None = None

    def __post_init__(self) -> None:
        explained = (self.rules_version, self.rules_pinned, self.outcome)
        needed = self.adjourned is True or any(value is not UNSET for value in explained)
        if needed and self.reason is None:
            raise unfit(reason="Say why: everyone who sees the campaign can read it.")

    @property
    def is_umpires(self) -> bool:
        """Return whether it takes an umpire: it changes more than how battles are fought."""
        changed = {name for name, value in asdict(self).items() if value is not UNSET}
        return not changed <= {"battles", "reason"}


class Campaigns(Endpoint):
    """Campaigns; POST creates one."""

    parameters: ClassVar[frozenset[str]] = PAGES | {"scenario", "role", "status"}
    scope = Scope.UMPIRE
    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_classes = [*Endpoint.throttle_classes, CreateThrottle]

    @operation(Paged[CampaignPart])
    def get(self, request: Request) -> HttpResponse:
        """List the campaigns you may see, the newest first.

        `scenario`, `role` (your own in it) and `status` narrow the list.
        """
        pages = Newest()
        page = pages.paginate_queryset(_filter_campaigns(request), request)
        lines = (
            campaign_part(campaign, selectors.role_of(request.user, campaign)) for campaign in page
        )
        return self.answer(pages.document(lines))

    @operation(CampaignDocument, status=201, takes=NewCampaign, once=True)
    def post(self, request: Request) -> WriteResult:
        """Create a campaign, with you as its umpire; or one that you play alone."""
        body, user = NewCampaign.read(request), request.user
        by = "player" if body.umpire == "nobody" else UMPIRE
        with transaction.atomic():
            campaign = creation.create_campaign(_terms(user, body), by=f"{by}:{user}")
            if body.battles is not None:
                agreed = body.battles.applied_to(None)
                if agreed != HandOver(agreed.resolution, book=agreed.book):
                    battle_reports.arrange_battles(campaign.pk, user, agreed)
        staff_sets_up(campaign.pk)
        return _result(user, campaign.pk, 201)


def _filter_campaigns(request: Request) -> QuerySet[Campaign]:
    """Return the campaigns that the query parameters name; Problem for an unknown word."""
    campaigns, query = selectors.campaigns_for(request.user), request.query_params
    scenario = slug_parameter(request, "scenario")
    if scenario is not None:
        campaigns = campaigns.filter(scenario=scenario)
    if "role" in query:
        role = _one_of("role", query["role"], Seat.Role.values)
        seats = Seat.objects.filter(user=request.user.pk, role=role)
        campaigns = campaigns.filter(pk__in=seats.values("campaign"))
    if "status" in query:
        status = _one_of("status", query["status"], STATUSES)
        set_up = Q(finished=False, phase=Phase.SET_UP)
        over = Q(finished=True)
        campaigns = campaigns.filter(
            {"set_up": set_up, "over": over, "running": ~set_up & ~over}[status]
        )
    return campaigns


def _one_of(name: str, word: str, allowed: Collection[str]) -> str:
    if word not in allowed:
        raise invalid_parameters(**{name: f"{word!r} is none of {', '.join(allowed)}."})
    return word


def _terms(user: User, body: NewCampaign) -> creation.NewCampaignTerms:
    """Return the terms for the services. Raises NotVisible for tables that are not the user's."""
    played = {UMPIRE: body.umpire, **{side.value: getattr(body, side.value) for side in Side}}
    own = body.table_set_id
    tables = saved_work.own_set(user, own).tables if own else None
    if body.own_scenario_id is not None:
        if own or body.edition != SHIPPED:
            raise unfit(own_scenario_id="A scenario of yours brings its tables: give no others.")
        tables = own_scenarios.playable(user, body.own_scenario_id, body.scenario)
    battles = body.battles.applied_to(None) if body.battles else HandOver(COMBAT_TABLE)
    return creation.NewCampaignTerms(
        scenario=body.scenario,
        title=body.title or "",
        slug=body.slug or "",
        public=body.public,
        seats={role: user for role, player in played.items() if player == "me"},
        tables=tables,
        edition="" if body.edition == SHIPPED else body.edition,
        battles=battles.resolution,
        battle_book=battles.book,
        mode=body.mode,
        staff=[role for role, player in played.items() if player == "staff"],
        fog=body.fog,
        public_delay=body.public_delay_months or NEVER,
        dice_by_hand=body.dice_by_hand,
        staff_level=body.staff_level,
        when_ready=body.when_ready,
        deadline_policy=stored_policy(body.deadline_policy, body.mode, "deadline_policy"),
    )


def _result(user: User, campaign_id: int, status: int = 200) -> WriteResult:
    """Return the campaign as it is now, with its ETag."""
    campaign = Campaign.objects.select_related("umpire").get(pk=campaign_id)
    document = campaign_document(campaign, user)
    location = document.links.self if status == 201 else ""
    return WriteResult(status, document, location, tag=etag_of)


class OneCampaign(Endpoint):
    """A campaign."""

    scope = Scope.UMPIRE
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(CampaignDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve a campaign.

        The answer has its status, what it waits for, and your roles in it. Its ETag names the
        position: send it in `If-Match` with a ruling, a rewind or a deletion.
        """
        campaign = selectors.campaign_for(request.user, slug)
        document = campaign_document(campaign, request.user)
        return respond_with_version(request, document)

    @operation(CampaignDocument, takes=CampaignChange, once=True, problems=("illegal-action",))
    def patch(self, request: Request, slug: str) -> WriteResult:
        """Change a campaign (umpire); who plays one alone changes how its battles are fought.

        All changes are made, or none. `rules_version` is the version that this program plays, or
        the campaign's own, which is kept if a replay of its journal gives the same result here.
        With `rules_pinned` only a program of the campaign's version continues it. `outcome` ends
        the campaign.
        """
        campaign = selectors.campaign_for(request.user, slug)
        if not leads_alone(request.user, campaign):
            umpire_of(campaign, request.user)
        change = CampaignChange.read(request)
        if change.is_umpires:
            umpire_of(campaign, request.user)
        with transaction.atomic():
            # What is left out stays as it is now: somebody else may have changed it meanwhile.
            campaign = lock_record(Campaign.objects.all(), campaign.pk)
            _change_settings(campaign, request.user, change)
            _change_rules(campaign, request.user, change)
            _change_course(campaign, request.user, change)
        return _result(request.user, campaign.pk)

    @operation(status=204, match=True)
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a campaign with everything that belongs to it (umpire, or who plays it alone).

        Its file is kept for 14 days, in which its umpires, or the one who played it alone, can
        restore it (`deleted-campaigns/`).
        """
        campaign = selectors.campaign_for(request.user, slug)
        deletion.check_may_delete(campaign, request.user)
        seen = head_named(request, campaign)
        unless_stale(
            lambda: deletion.delete_campaign(campaign.pk, request.user, expected_head=seen)
        )
        return Response(status=204)


def _change_settings(campaign: Campaign, user: User, change: CampaignChange) -> None:
    if change.title is not UNSET:
        rulings.rename_campaign(campaign.pk, user, change.title)
    if change.public is not UNSET:
        rulings.set_public(campaign.pk, user, public=change.public)
    if change.dice_by_hand is not UNSET:
        rulings.throw_by_hand(campaign.pk, user, yes=change.dice_by_hand)
    if change.staff_level is not UNSET:
        rulings.set_staff_level(campaign.pk, user, change.staff_level)
    if change.public_delay_months is not UNSET:
        rulings.set_public_delay(campaign.pk, user, change.public_delay_months or NEVER)
    if change.letter_post is not UNSET:
        letters.set_letter_post(campaign.pk, user, change.letter_post)
    if change.battles is not UNSET:
        arrangement = change.battles.applied_to(selectors.state_now(campaign).hand_off)
        battle_reports.arrange_battles(campaign.pk, user, arrangement)


def _change_rules(campaign: Campaign, user: User, change: CampaignChange) -> None:
    """Keep, migrate or pin the campaign, as version and pin demand."""
    choices = []
    if change.rules_version is not UNSET:
        if change.rules_version not in (campaign.rules, RULES):
            raise unfit(
                rules_version=f"This program plays version {RULES} of the rules, the campaign is "
                f"played by version {campaign.rules}: choose one of these."
            )
        kept = change.rules_version == campaign.rules
        choices.append(MigrationChoice.KEEP if kept else MigrationChoice.MIGRATE)
    if change.rules_pinned is not UNSET:
        if change.rules_pinned:
            choices = [choice for choice in choices if choice is not MigrationChoice.KEEP]
            choices.append(MigrationChoice.PIN)
        elif not choices:
            choices.append(MigrationChoice.KEEP)
    for choice in choices:
        rules_version.choose(campaign.pk, user, choice, reason=change.reason or "")


def _change_course(campaign: Campaign, user: User, change: CampaignChange) -> None:
    """Adjourn or resume the campaign, and end it."""
    reason = change.reason or ""
    if change.adjourned is not UNSET:
        if change.adjourned:
            seat_control.adjourn(campaign.pk, user, reason=reason)
        else:
            seat_control.take_up(campaign.pk, user)
    if change.outcome is not UNSET:
        winner = None if change.outcome == DRAW else Side(change.outcome)
        state = selectors.state_now(campaign)
        rulings.rule(campaign.pk, user, Ruled(reason, ruling_events.end(state, winner, reason)))
