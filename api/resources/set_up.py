"""The free set-up before the first month: place units, then declare the side ready (2.1)."""

from typing import Any, cast

import msgspec
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.maps import LocationPart, printed
from api.documents.scalars import HexName, SideName
from api.documents.state import location
from api.http.endpoint import OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult as Answered
from api.http.inputs import Input, WholeNumber
from api.http.problems import Problem
from api.resources.decision import DICE_PENDING_ANSWER, accepted_if_dice_pending
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Deploy, Done
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import label
from campaign.services.turns.initial_deployment import (
    NOTHING,
    Choices,
    may_set_up,
    set_up,
    staff_sets_up,
)


class MovablePart(msgspec.Struct, frozen=True):
    """A unit that may begin elsewhere, and the hexes it may begin in (2.1)."""

    id: int
    words: str
    at: LocationPart
    hexes: tuple[HexName, ...]


class SetUpDocument(msgspec.Struct, frozen=True):
    """The side that sets up (null: the set-up is over); `movable` if that is yours to do.

    Send `head` back with each action: a stale action has no effect.
    """

    campaign: str
    side: SideName | None
    head: int
    yours: bool
    movable: tuple[MovablePart, ...]
    links: dict[str, str]


def set_up_document(campaign: Campaign, user: selectors.Anybody) -> SetUpDocument:
    """Return the state of the set-up for this user."""
    state = selectors.state_now(campaign)
    side = state.question.side if isinstance(state.question, ToSetUp) else None
    may = may_set_up(campaign, user, state)
    names = ("set-up", "deployments", "set-up-readiness")
    args = [campaign.slug]
    return SetUpDocument(
        campaign=campaign.slug,
        side=side,
        head=campaign.head_id or 0,
        yours=may is not NOTHING,
        movable=_movable(state, may.choices),
        links={name: reverse(f"api:campaign-{name}", args=args) for name in names},
    )


def _movable(state: State, may: Choices) -> tuple[MovablePart, ...]:
    return tuple(
        MovablePart(
            unit.id,
            label(unit),
            location(state, unit.hex),
            tuple(map(printed, sorted(may[unit.id]))),
        )
        for unit in board(state).units
        if unit.id in may
    )


OVER = "The set-up is over: its units stand where they were left."
MOST_UNITS = 400


class AsSeen(Input):
    """The `head` of the set-up that you saw."""

    head = WholeNumber(min_value=0)


class DeploymentInput(AsSeen):
    """The units to move, and their new hex, such as 2042."""

    units = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=999_999), min_length=1, max_length=MOST_UNITS
    )
    hex = serializers.RegexField("^[0-9]{4}$")


class SetUpOfCampaign(OpenEndpoint):
    """The set-up of a campaign."""

    @operation(SetUpDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the set-up of a campaign.

        The answer has the side that places its units, and if it is yours, the units that may move.
        """
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(set_up_document(campaign, request.user))


class SetUpAction(OwnEndpoint):
    """An action of the side that sets up, or of the umpire for it."""

    @accepted_if_dice_pending
    def act(self, slug: str, action: Deploy | Done, head: int) -> Answered:
        """Carry out the action and return the set-up afterwards."""
        user = cast(User, self.request.user)
        campaign = selectors.campaign_for(user, slug)
        _check_asked(campaign)
        set_up(campaign.pk, user, action, expected_head=head)
        if isinstance(action, Done):
            staff_sets_up(campaign.pk)
        now = Campaign.objects.get(pk=campaign.pk)
        return Answered(200, set_up_document(now, user))


class Deployments(SetUpAction):
    """Deployments before the first month."""

    @operation(SetUpDocument, takes=DeploymentInput, once=True, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> Answered:
        """Move units to another hex of their set-up area."""
        given: dict[str, Any] = DeploymentInput.read(request)
        units = tuple(map(UnitId, dict.fromkeys(given["units"])))
        return self.act(slug, Deploy(units, HexId(int(given["hex"]))), given["head"])


class SetUpReadiness(SetUpAction):
    """The readiness of the side that sets up."""

    @operation(
        SetUpDocument,
        also=DICE_PENDING_ANSWER,
        takes=AsSeen,
        once=True,
        problems=("illegal-action",),
    )
    def put(self, request: Request, slug: str) -> Answered:
        """Declare that the side has set up.

        Answers 202 if dice must be typed in first. A side that the staff plays sets up next.
        """
        return self.act(slug, Done(), AsSeen.read(request)["head"])


def _check_asked(campaign: Campaign) -> None:
    """Raise Problem if the set-up is over."""
    if not isinstance(selectors.state_now(campaign).question, ToSetUp):
        raise Problem("not-awaited", OVER)
