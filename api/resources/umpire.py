"""An umpire's powers: the clock, the dice, adjourning, ending, and what needs him.

By which version of the rules a campaign is played, and what its umpire chooses about it.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.campaigns import CampaignDocument
from api.documents.umpire import (
    DeadlineDocument,
    DiceByHand,
    MinutePart,
    SectionPart,
    deadline_document,
    dice_by_hand,
    minute_part,
    section_part,
)
from api.http.endpoint import Listed, OpenEndpoint, Paged, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, ReasonInput, StructField, WholeNumber
from api.http.paging import PAGES, Newest
from api.resources.campaigns import campaign_document
from battles.contract.brief import Side
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Ruled
from campaign.rules.core.state import RULES
from campaign.rules.umpire import ruling_events
from campaign.services.turns import deadlines
from campaign.services.turns.timetable import LONGEST, Policy
from campaign.services.umpire import manual_dice, rules_version, rulings, seat_control
from campaign.services.umpire.umpire_log import umpire_of
from campaign.web.console.console import worklist


class ExtensionInput(ReasonInput):
    """By how many hours later, and by how many minutes it had been extended when you looked."""

    hours = WholeNumber(min_value=1, max_value=LONGEST * 24)
    seen = WholeNumber(min_value=0, max_value=LONGEST * 24 * 60)


class NewPolicy(Input):
    """By when a month's orders are due, and what becomes of whoever is late."""

    policy = StructField(Policy)


class FacesInput(Input):
    """Dice as they fell, in their order, and how many had been typed in when you looked."""

    faces = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=100), min_length=1, max_length=100
    )
    expected = WholeNumber(min_value=0, max_value=10_000, required=False)


class EndingInput(ReasonInput):
    """How the campaign ends: who has won (nobody: null), and why."""

    winner = serializers.ChoiceField([side.value for side in Side], allow_null=True, default=None)


class UmpirePowers(UmpireEndpoint):
    """Something that only an umpire of the campaign does or reads."""

    def campaign(self, slug: str) -> Campaign:
        """Return the campaign. NotAllowed for anybody who is none of its umpires."""
        found = selectors.campaign_for(self.request.user, slug)
        umpire_of(found, self.request.user)
        return found

    def done(
        self, slug: str, do: Callable[[int], Any], tell: Callable[[Campaign], object]
    ) -> WriteResult:
        """Do it, and tell how the campaign is then."""
        number = self.campaign(slug).pk
        do(number)
        return WriteResult(200, tell(Campaign.objects.get(pk=number)))

    def about(self, campaign: Campaign) -> CampaignDocument:
        return campaign_document(self.request, campaign)


class Adjournment(UmpirePowers):
    """Whether the campaign is adjourned: nothing runs until it is taken up again."""

    @operation(CampaignDocument, takes=ReasonInput, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Adjourn the campaign: its clock stands, no month advances."""
        why = ReasonInput.read(request)["reason"]
        user = request.user
        return self.done(slug, lambda one: seat_control.adjourn(one, user, reason=why), self.about)

    @operation(CampaignDocument, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Take the campaign up again, its clock with the time there was."""
        return self.done(slug, lambda one: seat_control.take_up(one, request.user), self.about)


class CampaignEnd(UmpirePowers):
    """The end of a campaign by the umpire's word."""

    @operation(CampaignDocument, takes=EndingInput, once=True, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> WriteResult:
        """End the campaign: who has won, and why."""
        given = EndingInput.read(request)
        winner = Side(given["winner"]) if given["winner"] else None
        state = selectors.state_now(self.campaign(slug))
        ruling = Ruled(given["reason"], ruling_events.end(state, winner, given["reason"]))
        user = request.user
        return self.done(slug, lambda one: rulings.rule(one, user, ruling), self.about)


class TheDeadline(OpenEndpoint):
    """When the month falls due, by the clock of the campaign."""

    @operation(DeadlineDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.tell(deadline_document(selectors.campaign_for(request.user, slug)))


class DeadlinePolicy(UmpirePowers):
    """How months fall due."""

    @operation(DeadlineDocument, takes=NewPolicy, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Set the deadlines: months fall due like that from now on."""
        policy, user = NewPolicy.read(request)["policy"], request.user
        return self.done(slug, lambda one: deadlines.keep_to(one, user, policy), deadline_document)

    @operation(DeadlineDocument, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Have no deadlines: months run when the umpire says so."""
        user = request.user
        return self.done(slug, lambda one: deadlines.keep_to(one, user, None), deadline_document)


class Extensions(UmpirePowers):
    """Putting the deadline off."""

    @operation(DeadlineDocument, takes=ExtensionInput, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Let the month run so many hours later; no more than its ceiling allows."""
        given, user = ExtensionInput.read(request), request.user
        hours, seen, why = given["hours"], given["seen"], given["reason"]
        return self.done(
            slug,
            lambda one: deadlines.extend(one, user, hours, seen=seen, reason=why),
            deadline_document,
        )


class ClockPause(UmpirePowers):
    """Whether the clock stands still."""

    @operation(DeadlineDocument, takes=ReasonInput, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Stop the clock of the month."""
        why, user = ReasonInput.read(request)["reason"], request.user
        return self.done(
            slug, lambda one: deadlines.pause(one, user, reason=why), deadline_document
        )

    @operation(DeadlineDocument, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Let the clock go on: due at its hour of the day, when the time that was left is over.

        A pause of less than an hour moves nothing.
        """
        return self.done(slug, lambda one: deadlines.go_on(one, request.user), deadline_document)


class ManualDice(UmpirePowers):
    """Whether the umpire types the dice in, and what throw is waited for."""

    @operation(DiceByHand)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What throw is waited for, if the dice are thrown by hand."""
        return self.tell(dice_by_hand(self.campaign(slug)))

    @operation(DiceByHand, takes=Empty, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Have the dice thrown by hand: from now on you type them in."""
        Empty.read(request)
        user = request.user
        return self.done(
            slug, lambda one: manual_dice.throw_by_hand(one, user, yes=True), dice_by_hand
        )

    @operation(DiceByHand, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Have the campaign throw its own dice again."""
        user = request.user
        return self.done(
            slug, lambda one: manual_dice.throw_by_hand(one, user, yes=False), dice_by_hand
        )


class Throws(UmpirePowers):
    """Dice thrown by hand."""

    @operation(DiceByHand, takes=FacesInput, once=True, problems=("not-awaited", "illegal-action"))
    def post(self, request: Request, slug: str) -> WriteResult:
        """Type in the dice that are waited for, as they have fallen; tells what is wanted then."""
        given, user = FacesInput.read(request), request.user
        faces, expected = tuple(given["faces"]), given.get("expected")
        return self.done(
            slug,
            lambda one: manual_dice.type_in(one, user, faces, expected=expected),
            dice_by_hand,
        )


class Worklist(UmpirePowers):
    """What needs the umpire."""

    @operation(Listed[SectionPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What is open, who is not ready, which orders cannot be, who stands without supply."""
        campaign = self.campaign(slug)
        found = worklist(campaign, selectors.state_now(campaign), request.user)
        return self.tell({"results": [section_part(one) for one in found]})


class UmpireLog(OpenEndpoint):
    """The minute book of a campaign: what was done beside its journal, the latest first."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[MinutePart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        pages = Newest()
        page = pages.paginate_queryset(campaign.minutes.all(), request)
        return self.tell(pages.document(map(minute_part, page)))


class RulesDocument(msgspec.Struct, frozen=True):
    """The version a campaign is played by, and that of this program (`program`).

    `kept`: it goes on by its own though the program plays another; `pinned`: only a program of its
    version goes on with it. Of its `entries`, `differs` names the first that comes out otherwise
    here, and `damaged` says what is wrong with the journal itself; both are null where all is as
    written. `ways` are what can be chosen.
    """

    campaign: str
    version: str
    program: str
    kept: bool
    pinned: bool
    entries: int
    differs: str | None
    damaged: str | None
    ways: tuple[str, ...]
    links: dict[str, str]


class RulesChoiceInput(ReasonInput):
    """How it goes on, and why: `keep` its version, `migrate` to that of this program, or `pin` it.

    What is pinned only a program of its own version goes on with.
    """

    way = serializers.ChoiceField([way.value for way in rules_version.MigrationChoice])


class RulesVersion(UmpirePowers):
    """The version of the rules."""

    @operation(RulesDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What this program makes of the campaign, which is replayed for it, and what to choose."""
        return self.tell(_document(self.campaign(slug)))

    @operation(RulesDocument, takes=RulesChoiceInput, once=True, problems=("under-way", "unfit"))
    def put(self, request: Request, slug: str) -> WriteResult:
        """Keep the campaign on its version where all comes out the same, migrate it, or pin it."""
        campaign, given = self.campaign(slug), RulesChoiceInput.read(request)
        way, why = rules_version.MigrationChoice(given["way"]), given["reason"]
        return WriteResult(
            200, _document(rules_version.choose(campaign.pk, request.user, way, reason=why))
        )


def _document(campaign: Campaign) -> RulesDocument:
    verdict = rules_version.check_replay(campaign)
    return RulesDocument(
        campaign=campaign.slug,
        version=campaign.rules,
        program=RULES,
        kept=bool(campaign.rules_kept),
        pinned=campaign.rules_pinned,
        entries=verdict.entries,
        differs=verdict.differs or None,
        damaged=verdict.damaged or None,
        ways=tuple(way.value for way in rules_version.migration_choices(verdict)),
        links={"campaign": reverse("api:campaign", args=[campaign.slug])},
    )
