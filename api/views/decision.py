"""Live play: what is asked of one's side, and the answer."""

from typing import Any, Union

from django.http import HttpResponse
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from api.contract import operation
from api.documents.decision import (
    AnsweredDocument,
    DecisionDocument,
    answered_document,
    asked_state,
    decision_document,
    side_asked,
)
from api.endpoint import OpenEndpoint, OwnEndpoint
from api.inputs import Empty, Input, StructField, WholeNumber
from api.problems import Problem
from api.repeats import Done
from api.thrown import OR_WAITS, unless_dice
from battles.contract.troops import Side
from battles.core.game import IllegalAction
from campaign import rules
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Entry
from campaign.services.turns import live

ANSWER: Any = Union[live.ANSWERS]  # noqa: UP007  of a tuple of types
UNSEEN = "Something that your scouts had not seen stands in the way of that."


class Answer(Input):
    """The answer to what is asked, and the `head` of the decision it answers."""

    answer = StructField(ANSWER)
    head = WholeNumber(min_value=0, required=False)


class Decision(OpenEndpoint):
    """What a campaign waits for, and the lawful answers where they are yours to give."""

    @operation(DecisionDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        return self.tell(decision_document(campaign, viewer, side_of(request, campaign)))


class Answers(OwnEndpoint):
    """Answers to what is asked of your side in live play."""

    @operation(
        AnsweredDocument,
        status=201,
        also=OR_WAITS,
        takes=Answer,
        once=True,
        problems=("illegal-action",),
    )
    @unless_dice
    def post(self, request: Request, slug: str) -> Done:
        """Answer what is asked of your side; 202 where dice have to be typed in first."""
        given = Answer.read(request)
        campaign = selectors.campaign_for(request.user, slug)
        return Done(201, answered_document(campaign, _taken(request, campaign, given)))


class StaffAnswers(OwnEndpoint):
    """Answers of the computer's staff for the side that it holds."""

    @operation(DecisionDocument, takes=Empty, once=True)
    def post(self, request: Request, slug: str) -> Done:
        """Let the staff answer for the side it holds; tells what is waited for then."""
        campaign = selectors.campaign_for(request.user, slug)
        Empty.read(request)
        if not selectors.role_of(request.user, campaign):
            raise PermissionDenied("Only those with a seat in this campaign keep it going.")
        live.staff_answers(campaign.pk)
        return Done(200, _decision(request, slug))


def side_of(request: Request, campaign: Campaign) -> Side | None:
    """The side of whoever asks; of two, the one that is asked."""
    roles = selectors.role_of(request.user, campaign)
    mine = [side for side in Side if side in roles]
    asked = side_asked(campaign)
    return next((side for side in mine if side == asked), mine[0] if mine else None)


def _decision(request: Request, slug: str) -> DecisionDocument:
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    return decision_document(campaign, viewer, side_of(request, campaign))


def _taken(request: Request, campaign: Campaign, given: dict[str, Any]) -> Entry:
    """The entry of the answer. Under fog a rule is told only where the side could have known."""
    action = given["answer"]
    try:
        return live.answer_live(campaign.pk, request.user, action, expected_head=given.get("head"))
    except IllegalAction as illegal:
        if not campaign.fog:
            raise
        supposed = asked_state(campaign, side_of(request, campaign))
        if supposed is None:
            raise Problem("not-awaited", "It is not for your side to answer now.") from illegal
        rules.check(supposed, action)
        raise Problem("refused", UNSEEN) from illegal
