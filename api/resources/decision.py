"""Live play: the open question with its legal answers, and the answers of players and staff.

An answer that needs dice thrown by hand is stored and acknowledged with 202.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, ParamSpec, Union

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from msgspec import Meta
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from api.documents.events import RollPart, roll_part
from api.documents.scalars import AnswerName, ModeName, MonthOrSetUp, PhaseName, SideName
from api.http.endpoint import OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, StructField, WholeNumber
from api.http.problems import Problem
from api.http.rule_json import rule_form
from api.openapi.parameters import REFERENCE
from battles.contract.brief import Side
from battles.core.game import IllegalAction
from campaign import rules, serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Entry
from campaign.rules import sight
from campaign.rules.core.board import board
from campaign.rules.core.options import Options, options
from campaign.rules.core.pieces import Month, UnitId, month_slug
from campaign.rules.core.play import answers_to
from campaign.rules.core.questions import Question
from campaign.rules.core.state import Phase, State
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, label
from campaign.rules.sight import Viewer
from campaign.services.journal import pending_dice
from campaign.services.journal.pending_dice import DiceAwaited
from campaign.services.turns import live


class StackChoice(msgspec.Struct, frozen=True):
    """A stack that may march: its units, the leaders who may help, the hulls that may sail."""

    hex: HexId
    units: tuple[UnitId, ...]
    leaders: tuple[UnitId, ...]
    hulls: tuple[UnitId, ...]


class ArrivalChoice(msgspec.Struct, frozen=True):
    """A group to be placed: its number, its units, and the hexes it may enter."""

    group: int
    units: tuple[UnitId, ...]
    hexes: tuple[HexId, ...]


class ReachPart(msgspec.Struct, frozen=True):
    """A hex within reach of the marching stack, its cost in movement points, and the path."""

    hex: HexId
    place: str
    points: int
    path: tuple[HexId, ...]


class ChoicesPart(msgspec.Struct, frozen=True):
    """The legal answers to the question; units and hexes are numbers, as in answers.

    Fields that do not apply to the question are empty; `labels` describes the units. `answers` are
    the kinds of answer that the question takes. With `done`, you may answer that you do no more:
    with Done where `answers` has it, with a Retreat whose `path` is empty for a stack that stands
    fast, with a Supply whose `source` is 0 for one that draws on nothing. `count` is the number of
    `units` to pick. On the march `targets` are the adjacent hexes that the stack may attack,
    `stations` the hexes that trains reach, `reach` the hexes within its movement points; with
    `may_march` it may roll for another march.

    `deployments` are the hexes that each unit may be set up in; `sources` the supply units to draw
    on; `withdraw` the units that may leave the map; `riders` groups of Camel Corps, of each of
    which two may dismount; `back_along` the only path a retreat may take; `eliminated` and
    `disrupted` the losses as the book would share them.
    """

    asks: str
    answers: tuple[AnswerName, ...]
    done: bool
    may_march: bool
    count: int
    stacks: tuple[StackChoice, ...]
    arrivals: tuple[ArrivalChoice, ...]
    deployments: dict[int, tuple[HexId, ...]]
    units: tuple[UnitId, ...]
    leaders: tuple[UnitId, ...]
    targets: tuple[HexId, ...]
    stations: tuple[HexId, ...]
    hexes: tuple[HexId, ...]
    back_along: tuple[HexId, ...]
    eliminated: tuple[UnitId, ...]
    disrupted: tuple[UnitId, ...]
    sources: tuple[UnitId, ...]
    withdraw: tuple[UnitId, ...]
    riders: tuple[tuple[UnitId, ...], ...]
    reach: tuple[ReachPart, ...]
    labels: dict[int, str]


QUESTION_FORM = rule_form(Question)
QuestionJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Question")})]
"""A question of the rules in its JSON form."""


class DecisionDocument(msgspec.Struct, frozen=True):
    """The question that the campaign waits for, with the legal answers if it is yours.

    `side` is asked; if it is `yours` to answer, `question` is the open question and `choices` are
    the legal answers. Send `head` back with the answer: a stale answer has no effect. With `staff`,
    the computer's staff answers for the side.

    With `waits_for_dice`, an answer has been given and takes effect when the umpire types in its
    dice; until then nobody is asked. Under fog only the side that answered is shown this.
    """

    campaign: str
    mode: ModeName
    month: MonthOrSetUp
    phase: PhaseName
    side: SideName
    head: int
    waiting_for: str | None
    yours: bool
    staff: bool
    waits_for_dice: bool
    question: QuestionJson | None
    choices: ChoicesPart | None
    links: dict[str, str]


class AnsweredDocument(msgspec.Struct, frozen=True):
    """An accepted answer: its entry in the journal, and the dice it threw.

    `head` is the number of that entry, `cursor` its place in the feed. With `waits_for_dice`, the
    answer is stored and takes effect when the umpire types in the dice that `said` names; `head` is
    then the entry before it, and `rolls` is empty.
    """

    head: int
    cursor: str | None
    waits_for_dice: bool
    said: str
    rolls: tuple[RollPart, ...]
    links: dict[str, str]


def decision_document(campaign: Campaign, viewer: Viewer, side: Side | None) -> DecisionDocument:
    """Return the open question as the viewer may see it; `side` is the one they play, or None."""
    asked = asked_state(campaign, side)
    throw = pending_dice.waiting(campaign)
    state = asked if throw is None else None
    told = throw if asked is not None or fog_of_war.sees_all(campaign, viewer) else None
    waits = (
        pending_dice.describe_throw(told)
        if told
        else fog_of_war.waiting_for(campaign, side or viewer)
    )
    return DecisionDocument(
        campaign=campaign.slug,
        mode=campaign.mode,
        month=month_slug(Month(campaign.month)),
        phase=campaign.phase,
        side=side_asked(campaign),
        head=campaign.head_id or 0,
        waiting_for=waits or None,
        yours=state is not None,
        staff=throw is None and live.staff_is_asked(campaign),
        waits_for_dice=told is not None,
        question=QUESTION_FORM.write(state.question) if state else None,
        choices=_choices(state) if state else None,
        links=_links(campaign),
    )


def side_asked(campaign: Campaign) -> str:
    """Return the side whose turn it is, or during set-up the side that sets up now."""
    if campaign.phase != Phase.SET_UP:
        return campaign.side
    question = selectors.state_now(campaign).question
    return question.side if question else campaign.side


def asked_state(campaign: Campaign, side: Side | None) -> State | None:
    """Return the state as the side believes it to be if the question is theirs; else None."""
    if side is None or campaign.adjourned or campaign.mode != Campaign.Mode.LIVE:
        return None
    state = sight.supposed_state(fog_of_war.view_now(campaign, side))
    return state if state.question is not None and state.question.side is side else None


def answered_document(campaign: Campaign, entry: Entry) -> AnsweredDocument:
    """Return the answer stored in this entry, with its dice."""
    return AnsweredDocument(
        head=entry.pk,
        cursor=f"{entry.branch}.{entry.number}",
        waits_for_dice=False,
        said="",
        rolls=tuple(map(roll_part, serialization.rolls_of(entry))),
        links=_links(campaign),
    )


def awaiting_dice(campaign: Campaign, said: str) -> AnsweredDocument:
    """Return an answer that waits for its dice."""
    return AnsweredDocument(campaign.head_id or 0, None, True, said, (), _links(campaign))


def _choices(state: State) -> ChoicesPart | None:
    may, question = options(state), state.question
    if may is None or question is None:
        return None
    plain = ("done", "may_march", "count", "units", "leaders", "targets", "stations", "hexes")
    more = ("back_along", "eliminated", "disrupted", "sources", "withdraw", "riders", "asks")
    return ChoicesPart(
        **{name: getattr(may, name) for name in (*plain, *more)},
        answers=tuple(kind.__name__ for kind in answers_to(question) if kind in live.ANSWERS),
        stacks=tuple(StackChoice(one.hex, one.units, one.leaders, one.hulls) for one in may.stacks),
        arrivals=tuple(ArrivalChoice(one.group, one.units, one.hexes) for one in may.arrivals),
        deployments={int(one): tuple(hexes) for one, hexes in may.deployments.items()},
        reach=_reach(may),
        labels={one: label(state.units[one]) for one in _named(state, may)},
    )


def _reach(may: Options) -> tuple[ReachPart, ...]:
    if may.reach is None:
        return ()
    found = may.reach
    return tuple(
        ReachPart(to, describe_hex(to), cost, found.path(to))
        for to, cost in sorted(found.costs.items())
        if to != found.start
    )


def _named(state: State, may: Options) -> list[Any]:
    """Return the units on the map that the choices name."""
    stacked = (one for stack in may.stacks for one in (*stack.units, *stack.leaders, *stack.hulls))
    alone = (may.units, may.leaders, may.sources, may.withdraw, *may.riders, may.deployments)
    found = {*stacked, *(one for group in alone for one in group)}
    here = {unit.id for unit in board(state).units}
    return sorted(found & here)


def _links(campaign: Campaign) -> dict[str, str]:
    here = reverse("api:campaign-decision", args=[campaign.slug])
    return {
        "self": here,
        "answers": reverse("api:campaign-answers", args=[campaign.slug]),
        "campaign": reverse("api:campaign", args=[campaign.slug]),
    }


P = ParamSpec("P")
DICE_PENDING_ANSWER: Mapping[int, Any] = {202: AnsweredDocument}
"""The further answer of an operation that may have to wait for dice."""


def accepted_if_dice_pending(do: Callable[P, WriteResult]) -> Callable[P, WriteResult]:
    """Decorate a write so that it answers 202 while its dice have yet to be typed in."""

    @wraps(do)
    def done(*args: P.args, **kwargs: P.kwargs) -> WriteResult:
        try:
            return do(*args, **kwargs)
        except DiceAwaited as waits:
            return WriteResult(
                202, awaiting_dice(Campaign.objects.get(pk=waits.campaign_id), str(waits))
            )

    return done


ANSWER: Any = Union[live.ANSWERS]  # noqa: UP007  of a tuple of types
UNSEEN = "Something that your scouts had not seen stands in the way of that."


class AnswerInput(Input):
    """The answer, and the `head` of the decision it answers."""

    answer = StructField(ANSWER)
    head = WholeNumber(min_value=0, required=False)


class Decision(OpenEndpoint):
    """The open question of a campaign."""

    @operation(DecisionDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the question that a campaign waits for.

        If it is yours to answer, the legal answers are included.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        return self.tell(decision_document(campaign, viewer, side_of(request, campaign)))


class DecisionAnswers(OwnEndpoint):
    """Answers of your side in live play."""

    @operation(
        AnsweredDocument,
        status=201,
        also=DICE_PENDING_ANSWER,
        takes=AnswerInput,
        once=True,
        problems=("illegal-action",),
    )
    @accepted_if_dice_pending
    def post(self, request: Request, slug: str) -> WriteResult:
        """Answer the question put to your side.

        Answers 202 if dice must be typed in first.
        """
        given = AnswerInput.read(request)
        campaign = selectors.campaign_for(request.user, slug)
        return WriteResult(201, answered_document(campaign, _taken(request, campaign, given)))


class StaffAnswers(OwnEndpoint):
    """Answers of the computer's staff."""

    @operation(DecisionDocument, takes=Empty, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Let the staff answer for the side it plays.

        The answer is the next question.
        """
        campaign = selectors.campaign_for(request.user, slug)
        Empty.read(request)
        if not selectors.role_of(request.user, campaign):
            raise PermissionDenied("Only those with a seat in this campaign keep it going.")
        live.staff_answers(campaign.pk)
        return WriteResult(200, _decision(request, slug))


def side_of(request: Request, campaign: Campaign) -> Side | None:
    """Return the caller's side; if they play both, the one that is asked."""
    roles = selectors.role_of(request.user, campaign)
    mine = [side for side in Side if side in roles]
    asked = side_asked(campaign)
    return next((side for side in mine if side == asked), mine[0] if mine else None)


def _decision(request: Request, slug: str) -> DecisionDocument:
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    return decision_document(campaign, viewer, side_of(request, campaign))


def _taken(request: Request, campaign: Campaign, given: dict[str, Any]) -> Entry:
    """Return the entry of the answer.

    Under fog a clause is named only if the side could have known of the obstacle.
    """
    action = given["answer"]
    try:
        return live.answer_live(campaign.pk, request.user, action, expected_head=given.get("head"))
    except IllegalAction as illegal:
        # A refusal must not reveal hidden units: the move is checked again by what the side knows.
        if not campaign.fog:
            raise
        supposed = asked_state(campaign, side_of(request, campaign))
        if supposed is None:
            raise Problem("not-awaited", "It is not for your side to answer now.") from illegal
        rules.check(supposed, action)
        raise Problem("refused", UNSEEN) from illegal
