"""The free set-up before the first month: units moved within it, and that a side is ready (2.1)."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.contract import operation
from api.documents.setting_up import SetUpDocument, set_up_document
from api.endpoint import OpenEndpoint, OwnEndpoint
from api.inputs import Input, WholeNumber
from api.problems import Problem
from api.repeats import Done as Answered
from api.thrown import OR_WAITS, unless_dice
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Deploy, Done
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToSetUp
from campaign.rules.map import HexId
from campaign.services.turns.initial_deployment import set_up, staff_sets_up

OVER = "The set-up is over: its units stand where they were left."
MOST_UNITS = 400


class AsSeen(Input):
    """The `head` of the set-up as you saw it."""

    head = WholeNumber(min_value=0)


class Deployment(AsSeen):
    """Units that shall stand in another hex, such as 2042."""

    units = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=999_999), min_length=1, max_length=MOST_UNITS
    )
    hex = serializers.RegexField("^[0-9]{4}$")


class SetUp(OpenEndpoint):
    """Who is to set up before the first month, and what he may move where."""

    @operation(SetUpDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(set_up_document(campaign, request.user))


class SetUpAction(OwnEndpoint):
    """Something the side that sets up does, or the umpire for it."""

    @unless_dice
    def act(self, slug: str, action: Deploy | Done, head: int) -> Answered:
        """Do it, and tell how the set-up stands then."""
        user = cast(User, self.request.user)
        campaign = selectors.campaign_for(user, slug)
        _check_asked(campaign)
        set_up(campaign.pk, user, action, expected_head=head)
        if isinstance(action, Done):
            staff_sets_up(campaign.pk)
        now = Campaign.objects.get(pk=campaign.pk)
        return Answered(200, set_up_document(now, user))


class Deployments(SetUpAction):
    """Units moved before the first month."""

    @operation(SetUpDocument, takes=Deployment, once=True, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> Answered:
        """Have units stand in another hex of their set-up area."""
        given: dict[str, Any] = Deployment.read(request)
        units = tuple(map(UnitId, dict.fromkeys(given["units"])))
        return self.act(slug, Deploy(units, HexId(int(given["hex"]))), given["head"])


class SetUpReadiness(SetUpAction):
    """That a side has set up."""

    @operation(SetUpDocument, also=OR_WAITS, takes=AsSeen, once=True, problems=("illegal-action",))
    def put(self, request: Request, slug: str) -> Answered:
        """Say that the side is ready: its units stand as they shall; 202 where dice come first.

        A side that the staff plays sets up then.
        """
        return self.act(slug, Done(), AsSeen.read(request)["head"])


def _check_asked(campaign: Campaign) -> None:
    """Problem when the set-up is over."""
    if not isinstance(selectors.state_now(campaign).question, ToSetUp):
        raise Problem("not-awaited", OVER)
