"""Decisions: the open question with its legal answers, and the answers of players and staff.

The set-up before the first month is a question too. An answer that needs dice thrown by hand is
stored, and takes effect with them.
"""

from typing import TYPE_CHECKING, Union

from django.http import HttpResponse
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from api.documents.decisions import (
    AnsweredDocument,
    DecisionDocument,
    decision_document,
    decision_links,
    head_cursor,
    side_of,
    state_to_answer,
)
from api.documents.events import roll_part
from api.http.encoding import RequestBody, read_as
from api.http.endpoint import OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of, head_named, respond_with_version, unless_stale
from api.http.problems import Problem
from battles.core.game import IllegalAction
from campaign import rules
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import AnyAction, Deploy, Done
from campaign.rules.core.questions import ToSetUp
from campaign.services.journal.dice import DiceAwaited
from campaign.services.turns import live
from campaign.services.turns.live import set_up, staff_sets_up

UNSEEN = "Something that your scouts had not seen stands in the way of that."

if TYPE_CHECKING:
    Answer = AnyAction
else:
    Answer = Union[live.ANSWERS]  # noqa: UP007  of a tuple of types


class StaffAnswers(RequestBody, frozen=True, tag="staff"):
    """Let the staff answer for the sides it plays, instead of an answer of yours."""


AnswerBody = Union[Answer, StaffAnswers]  # noqa: UP007  of a union made while the program runs


class Decision(OpenEndpoint):
    """The open question of a campaign."""

    @operation(DecisionDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the question that a campaign waits for.

        If it is yours to answer, the legal answers are included. The set-up is a question too.
        """
        campaign = selectors.campaign_for(request.user, slug)
        return respond_with_version(request, decision_document(campaign, request.user))


class DecisionAnswers(OwnEndpoint):
    """Answers to the open question."""

    @operation(
        AnsweredDocument,
        status=201,
        takes=AnswerBody,
        once=True,
        match=True,
        problems=("illegal-action", "not-awaited"),
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Answer the question put to your side, or let the staff answer.

        If dice are thrown by hand, an answer that needs them waits for them.
        """
        answer: Answer | StaffAnswers = read_as(AnswerBody, request.data)
        campaign = selectors.campaign_for(request.user, slug)
        head = head_named(request, campaign)
        if isinstance(answer, StaffAnswers):
            return _write_result(request, campaign, count=_staff_answers(request, campaign, head))
        try:
            entry = unless_stale(lambda: _take(request, campaign, answer, head))
        except DiceAwaited as waits:
            return _write_result(request, campaign, count=1, waits=str(waits))
        return _write_result(request, campaign, count=1, entry=entry)


def _staff_answers(request: Request, campaign: Campaign, head: int | None) -> int:
    """Let the staff answer for the sides it plays; return the number of answers."""
    if not selectors.role_of(request.user, campaign):
        raise PermissionDenied("Only those with a seat in this campaign answer for it.")
    if head is not None and head != (campaign.head_id or 0):
        raise Problem("precondition-failed", "The campaign has gone on since you looked.")
    if isinstance(selectors.state_now(campaign).question, ToSetUp):
        before = campaign.entries.count()
        staff_sets_up(campaign.pk)
        return campaign.entries.count() - before
    return live.staff_answers(campaign.pk)


def _take(request: Request, campaign: Campaign, action: Answer, head: int | None) -> Entry:
    """Return the entry of the answer.

    Under fog a clause is named only if the side could have known of the obstacle.
    """
    question = selectors.state_now(campaign).question
    if isinstance(question, ToSetUp) and isinstance(action, Deploy | Done):
        return _set_up(request, campaign, action, head)
    try:
        return live.answer_live(campaign.pk, request.user, action, expected_head=head)
    except IllegalAction as illegal:
        # A refusal must not reveal hidden units: the move is checked again by what the side knows.
        if not campaign.fog:
            raise
        supposed = state_to_answer(campaign, side_of(campaign, request.user))
        if supposed is None:
            raise Problem("not-awaited", "It is not for your side to answer now.") from illegal
        rules.check(supposed, action)
        raise Problem("refused", UNSEEN) from illegal


def _set_up(request: Request, campaign: Campaign, action: Deploy | Done, head: int | None) -> Entry:
    """Carry out an action of the side that sets up; a side that the staff plays follows."""
    entry = set_up(campaign.pk, request.user, action, expected_head=head)
    if isinstance(action, Done):
        staff_sets_up(campaign.pk)
    return entry


def _write_result(
    request: Request, campaign: Campaign, *, count: int, entry: Entry | None = None, waits: str = ""
) -> WriteResult:
    now = Campaign.objects.get(pk=campaign.pk)
    viewer = fog_of_war.viewer_of(request.user, now)
    rolls = journal_events.rolls_learnt(now, entry, viewer) if entry else ()
    document = AnsweredDocument(
        cursor=f"{entry.branch}.{entry.number}" if entry else head_cursor(now),
        answer_count=count,
        waits_for_dice=bool(waits),
        text=waits or None,
        rolls=tuple(map(roll_part, rolls)),
        links=decision_links(now),
    )
    return WriteResult(201, document, tag=etag_of)
