"""An umpire's powers: the clock, the dice, adjourning, ending, and what needs him."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.contract import Listed, Paged, operation
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
from api.endpoint import OpenEndpoint, UmpireEndpoint
from api.inputs import Empty, Input, Reason, StructField, WholeNumber
from api.pages import PAGES, Newest
from api.repeats import Done
from api.views.campaigns import campaign_document
from battles.contract.troops import Side
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Ruled
from campaign.rules.umpire import ruling_events
from campaign.services.turns import deadlines
from campaign.services.turns.timetable import LONGEST, Policy
from campaign.services.umpire import manual_dice, rulings, seat_control
from campaign.services.umpire.umpire_log import umpire_of
from campaign.web.console.console import worklist


class Extension(Reason):
    """By how many hours later, and by how many minutes it had been extended when you looked."""

    hours = WholeNumber(min_value=1, max_value=LONGEST * 24)
    seen = WholeNumber(min_value=0, max_value=LONGEST * 24 * 60)


class NewPolicy(Input):
    """By when a month's orders are due, and what becomes of whoever is late."""

    policy = StructField(Policy)


class Faces(Input):
    """Dice as they fell, in their order, and how many had been typed in when you looked."""

    faces = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=100), min_length=1, max_length=100
    )
    expected = WholeNumber(min_value=0, max_value=10_000, required=False)


class Ending(Reason):
    """How the campaign ends: who has won (nobody: null), and why."""

    winner = serializers.ChoiceField([side.value for side in Side], allow_null=True, default=None)


class Powers(UmpireEndpoint):
    """Something that only an umpire of the campaign does or reads."""

    def campaign(self, slug: str) -> Campaign:
        """The campaign. NotAllowed for anybody who is none of its umpires."""
        found = selectors.campaign_for(self.request.user, slug)
        umpire_of(found, self.request.user)
        return found

    def done(self, slug: str, do: Callable[[int], Any], tell: Callable[[Campaign], object]) -> Done:
        """Do it, and tell how the campaign is then."""
        number = self.campaign(slug).pk
        do(number)
        return Done(200, tell(Campaign.objects.get(pk=number)))

    def about(self, campaign: Campaign) -> CampaignDocument:
        return campaign_document(self.request, campaign)


class Adjournment(Powers):
    """Whether the campaign is adjourned: nothing runs until it is taken up again."""

    @operation(CampaignDocument, takes=Reason, once=True)
    def put(self, request: Request, slug: str) -> Done:
        """Adjourn the campaign: its clock stands, no month advances."""
        why = Reason.read(request)["reason"]
        user = request.user
        return self.done(slug, lambda one: seat_control.adjourn(one, user, reason=why), self.about)

    @operation(CampaignDocument, once=True)
    def delete(self, request: Request, slug: str) -> Done:
        """Take the campaign up again, its clock with the time there was."""
        return self.done(slug, lambda one: seat_control.take_up(one, request.user), self.about)


class End(Powers):
    """The end of a campaign by the umpire's word."""

    @operation(CampaignDocument, takes=Ending, once=True, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> Done:
        """End the campaign: who has won, and why."""
        given = Ending.read(request)
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


class DeadlinePolicy(Powers):
    """How months fall due."""

    @operation(DeadlineDocument, takes=NewPolicy, once=True)
    def put(self, request: Request, slug: str) -> Done:
        """Set the deadlines: months fall due like that from now on."""
        policy, user = NewPolicy.read(request)["policy"], request.user
        return self.done(slug, lambda one: deadlines.keep_to(one, user, policy), deadline_document)

    @operation(DeadlineDocument, once=True)
    def delete(self, request: Request, slug: str) -> Done:
        """Have no deadlines: months run when the umpire says so."""
        user = request.user
        return self.done(slug, lambda one: deadlines.keep_to(one, user, None), deadline_document)


class Extensions(Powers):
    """Putting the deadline off."""

    @operation(DeadlineDocument, takes=Extension, once=True)
    def post(self, request: Request, slug: str) -> Done:
        """Let the month run so many hours later; no more than its ceiling allows."""
        given, user = Extension.read(request), request.user
        hours, seen, why = given["hours"], given["seen"], given["reason"]
        return self.done(
            slug,
            lambda one: deadlines.extend(one, user, hours, seen=seen, reason=why),
            deadline_document,
        )


class Pause(Powers):
    """Whether the clock stands still."""

    @operation(DeadlineDocument, takes=Reason, once=True)
    def put(self, request: Request, slug: str) -> Done:
        """Stop the clock of the month."""
        why, user = Reason.read(request)["reason"], request.user
        return self.done(
            slug, lambda one: deadlines.pause(one, user, reason=why), deadline_document
        )

    @operation(DeadlineDocument, once=True)
    def delete(self, request: Request, slug: str) -> Done:
        """Let the clock go on: due at its hour of the day, when the time that was left is over.

        A pause of less than an hour moves nothing.
        """
        return self.done(slug, lambda one: deadlines.go_on(one, request.user), deadline_document)


class Dice(Powers):
    """Whether the umpire types the dice in, and what throw is waited for."""

    @operation(DiceByHand)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What throw is waited for, if the dice are thrown by hand."""
        return self.tell(dice_by_hand(self.campaign(slug)))

    @operation(DiceByHand, takes=Empty, once=True)
    def put(self, request: Request, slug: str) -> Done:
        """Have the dice thrown by hand: from now on you type them in."""
        Empty.read(request)
        user = request.user
        return self.done(
            slug, lambda one: manual_dice.throw_by_hand(one, user, yes=True), dice_by_hand
        )

    @operation(DiceByHand, once=True)
    def delete(self, request: Request, slug: str) -> Done:
        """Have the campaign throw its own dice again."""
        user = request.user
        return self.done(
            slug, lambda one: manual_dice.throw_by_hand(one, user, yes=False), dice_by_hand
        )


class Throws(Powers):
    """Dice thrown by hand."""

    @operation(DiceByHand, takes=Faces, once=True, problems=("not-awaited", "illegal-action"))
    def post(self, request: Request, slug: str) -> Done:
        """Type in the dice that are waited for, as they have fallen; tells what is wanted then."""
        given, user = Faces.read(request), request.user
        faces, expected = tuple(given["faces"]), given.get("expected")
        return self.done(
            slug,
            lambda one: manual_dice.type_in(one, user, faces, expected=expected),
            dice_by_hand,
        )


class Worklist(Powers):
    """What needs the umpire."""

    @operation(Listed[SectionPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What is open, who is not ready, which orders cannot be, who stands without supply."""
        campaign = self.campaign(slug)
        found = worklist(campaign, selectors.state_now(campaign), request.user)
        return self.tell({"results": [section_part(one) for one in found]})


class Minutes(OpenEndpoint):
    """The minute book of a campaign: what was done beside its journal, the latest first."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[MinutePart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        pages = Newest()
        page = pages.paginate_queryset(campaign.minutes.all(), request)
        return self.tell(pages.document(map(minute_part, page)))
