"""The umpire's powers: deadlines, dice by hand, adjournment, ending, and the rules version."""

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
    SectionPart,
    UmpireLogPart,
    deadline_document,
    dice_by_hand,
    section_part,
    umpire_log_part,
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
    """The hours to add, and the minutes of extension that you saw."""

    hours = WholeNumber(min_value=1, max_value=LONGEST * 24)
    seen = WholeNumber(min_value=0, max_value=LONGEST * 24 * 60)


class NewPolicy(Input):
    """The deadlines of a campaign's months, and what happens to a player who is late."""

    policy = StructField(Policy)


class FacesInput(Input):
    """Dice in the order they fell, and how many had been typed in when you looked."""

    faces = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=100), min_length=1, max_length=100
    )
    expected = WholeNumber(min_value=0, max_value=10_000, required=False)


class EndingInput(ReasonInput):
    """The winner (null: nobody), and the reason."""

    winner = serializers.ChoiceField([side.value for side in Side], allow_null=True, default=None)


class UmpirePowers(UmpireEndpoint):
    """An endpoint for the umpires of the campaign."""

    def campaign(self, slug: str) -> Campaign:
        """Return the campaign. NotAllowed for anyone who is not one of its umpires."""
        found = selectors.campaign_for(self.request.user, slug)
        umpire_of(found, self.request.user)
        return found

    def done(
        self, slug: str, do: Callable[[int], Any], tell: Callable[[Campaign], object]
    ) -> WriteResult:
        """Call `do`, and return what `tell` makes of the campaign afterwards."""
        number = self.campaign(slug).pk
        do(number)
        return WriteResult(200, tell(Campaign.objects.get(pk=number)))

    def about(self, campaign: Campaign) -> CampaignDocument:
        return campaign_document(self.request, campaign)


class Adjournment(UmpirePowers):
    """The adjournment of a campaign."""

    @operation(CampaignDocument, takes=ReasonInput, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Adjourn the campaign (umpire).

        Its clock stops and no month advances.
        """
        why = ReasonInput.read(request)["reason"]
        user = request.user
        return self.done(slug, lambda one: seat_control.adjourn(one, user, reason=why), self.about)

    @operation(CampaignDocument, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Resume the campaign (umpire).

        Its clock has the time that was left.
        """
        return self.done(slug, lambda one: seat_control.take_up(one, request.user), self.about)


class CampaignEnd(UmpirePowers):
    """The end of a campaign by the umpire's decision."""

    @operation(CampaignDocument, takes=EndingInput, once=True, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> WriteResult:
        """End the campaign (umpire)."""
        given = EndingInput.read(request)
        winner = Side(given["winner"]) if given["winner"] else None
        state = selectors.state_now(self.campaign(slug))
        ruling = Ruled(given["reason"], ruling_events.end(state, winner, given["reason"]))
        user = request.user
        return self.done(slug, lambda one: rulings.rule(one, user, ruling), self.about)


class TheDeadline(OpenEndpoint):
    """The deadline of the month."""

    @operation(DeadlineDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the month's deadline, by the campaign's clock."""
        return self.tell(deadline_document(selectors.campaign_for(request.user, slug)))


class DeadlinePolicy(UmpirePowers):
    """The rule by which months fall due."""

    @operation(DeadlineDocument, takes=NewPolicy, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Set the deadlines of the months from now on (umpire)."""
        policy, user = NewPolicy.read(request)["policy"], request.user
        return self.done(
            slug, lambda one: deadlines.set_policy(one, user, policy), deadline_document
        )

    @operation(DeadlineDocument, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Remove the deadlines (umpire).

        Months run when the umpire advances them.
        """
        user = request.user
        return self.done(slug, lambda one: deadlines.set_policy(one, user, None), deadline_document)


class Extensions(UmpirePowers):
    """Extensions of the deadline."""

    @operation(DeadlineDocument, takes=ExtensionInput, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Extend the deadline by some hours, up to its ceiling (umpire)."""
        given, user = ExtensionInput.read(request), request.user
        hours, seen, why = given["hours"], given["seen"], given["reason"]
        return self.done(
            slug,
            lambda one: deadlines.extend(one, user, hours, seen=seen, reason=why),
            deadline_document,
        )


class ClockPause(UmpirePowers):
    """The pause of the clock."""

    @operation(DeadlineDocument, takes=ReasonInput, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Pause the clock of the month (umpire)."""
        why, user = ReasonInput.read(request)["reason"], request.user
        return self.done(
            slug, lambda one: deadlines.pause(one, user, reason=why), deadline_document
        )

    @operation(DeadlineDocument, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Resume the clock of the month (umpire).

        The month falls due after the time that was left, at least half a day, at its usual hour. A
        pause of less than an hour changes nothing.
        """
        return self.done(
            slug, lambda one: deadlines.resume_clock(one, request.user), deadline_document
        )


class ManualDice(UmpirePowers):
    """Dice by hand: the umpire types in the dice."""

    @operation(DiceByHand)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the pending throw, if dice are thrown by hand (umpire)."""
        return self.tell(dice_by_hand(self.campaign(slug)))

    @operation(DiceByHand, takes=Empty, once=True)
    def put(self, request: Request, slug: str) -> WriteResult:
        """Throw the dice by hand (umpire).

        From now on you type them in.
        """
        Empty.read(request)
        user = request.user
        return self.done(
            slug, lambda one: manual_dice.throw_by_hand(one, user, yes=True), dice_by_hand
        )

    @operation(DiceByHand, once=True)
    def delete(self, request: Request, slug: str) -> WriteResult:
        """Let the campaign throw its own dice again (umpire)."""
        user = request.user
        return self.done(
            slug, lambda one: manual_dice.throw_by_hand(one, user, yes=False), dice_by_hand
        )


class Throws(UmpirePowers):
    """Dice thrown by hand."""

    @operation(DiceByHand, takes=FacesInput, once=True, problems=("not-awaited", "illegal-action"))
    def post(self, request: Request, slug: str) -> WriteResult:
        """Type in the pending dice as they fell (umpire).

        The answer is the next throw.
        """
        given, user = FacesInput.read(request), request.user
        faces, expected = tuple(given["faces"]), given.get("expected")
        return self.done(
            slug,
            lambda one: manual_dice.type_in(one, user, faces, expected=expected),
            dice_by_hand,
        )


class Worklist(UmpirePowers):
    """The umpire's worklist."""

    @operation(Listed[SectionPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List what needs the umpire (umpire).

        These are open questions, seats that are not ready, impossible orders and stacks without
        supply.
        """
        campaign = self.campaign(slug)
        found = worklist(campaign, selectors.state_now(campaign), request.user)
        return self.tell({"results": [section_part(one) for one in found]})


class UmpireLog(OpenEndpoint):
    """The umpire log of a campaign."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[UmpireLogPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the umpire log.

        It has the actions outside the journal, the latest first.
        """
        campaign = selectors.campaign_for(request.user, slug)
        pages = Newest()
        page = pages.paginate_queryset(campaign.umpire_log.all(), request)
        return self.tell(pages.document(map(umpire_log_part, page)))


class RulesDocument(msgspec.Struct, frozen=True):
    """The rules version of the campaign, and that of this program (`program`).

    With `kept`, it stays on its own version although the program plays another; with `pinned`, only
    a program of its version continues it. `differs` names the first of its `entries` that comes out
    differently here, and `damaged` the fault of the journal itself; both are null if the replay
    agrees. `ways` are the available choices.
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
    """The choice and its reason: `keep` the version, `migrate` to the program's, or `pin` it.

    Only a program of its own version continues a pinned campaign.
    """

    way = serializers.ChoiceField([way.value for way in rules_version.MigrationChoice])


class RulesVersion(UmpirePowers):
    """The rules version of a campaign."""

    @operation(RulesDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Compare the campaign with this program's rules (umpire).

        The campaign is replayed by them; the answer has the result and the choices.
        """
        return self.tell(_document(self.campaign(slug)))

    @operation(RulesDocument, takes=RulesChoiceInput, once=True, problems=("under-way", "unfit"))
    def put(self, request: Request, slug: str) -> WriteResult:
        """Choose the campaign's rules version (umpire).

        Keep it if the replay agrees, migrate it, or pin it.
        """
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
