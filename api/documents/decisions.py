"""The open question of a campaign with its legal answers, as documents."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.events import RollPart
from api.documents.maps import printed_hexes, printed_number
from api.documents.odds import BlockedRetreatPart, blocked_retreat_part
from api.documents.scalars import (
    AnswerType,
    Cursor,
    HexName,
    ModeName,
    MonthOrSetUp,
    PhaseName,
    SideName,
)
from api.http.rule_json import identifier, rule_form, snake_case
from api.openapi.parameters import REFERENCE
from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.combat.retreat import way_behind
from campaign.rules.core.board import board
from campaign.rules.core.options import Options, options
from campaign.rules.core.pieces import Month, UnitId, month_slug
from campaign.rules.core.play import answers_to
from campaign.rules.core.questions import Question, ToSetUp
from campaign.rules.core.state import Phase, State
from campaign.rules.prose.names import describe_hex, label
from campaign.services.journal import dice
from campaign.services.turns import live
from campaign.services.turns.live import NOTHING, DeploymentChoices, may_set_up

QUESTION_FORM = rule_form(Question)
QuestionJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Question")})]
"""A question of the rules in its JSON form."""


class StackChoice(msgspec.Struct, frozen=True):
    """A stack that may march."""

    hex: HexName
    unit_ids: tuple[int, ...]
    leader_ids: tuple[int, ...]
    hull_ids: tuple[int, ...]


class ArrivalChoice(msgspec.Struct, frozen=True):
    """A group to be placed, and the hexes it may enter."""

    group: int
    unit_ids: tuple[int, ...]
    hexes: tuple[HexName, ...]


class DeploymentChoice(msgspec.Struct, frozen=True):
    """A unit that may begin elsewhere, and the hexes it may begin in (2.1)."""

    unit_id: int
    hexes: tuple[HexName, ...]


class ReachableHexPart(msgspec.Struct, frozen=True):
    """A hex within reach of the marching stack, its cost, and the path."""

    hex: HexName
    label: str
    march_points: int
    path: tuple[HexName, ...]


class UnitLabelPart(msgspec.Struct, frozen=True):
    """A unit on the map that the choices name."""

    id: int
    label: str


class CamelGroupPart(msgspec.Struct, frozen=True):
    """Camel Corps units of one quality that stand together: two of them may dismount (8.24)."""

    unit_ids: tuple[int, ...]


class SupplyChoicePart(msgspec.Struct, frozen=True, kw_only=True):
    """A stack that may draw supply, and the supply units of which it would use up one."""

    hex: HexName
    source_ids: tuple[int, ...]


class ChoicesPart(msgspec.Struct, frozen=True, kw_only=True):
    """The legal answers to the question; fields that do not belong to it are empty.

    With `may_end` you may answer that you do no more: with `done` where `answer_types` has it, with
    a `retreat` without a path for a stack that stands fast, with a `supply` without a source when
    all other stacks are to roll for attrition.
    """

    answer_types: tuple[AnswerType, ...]
    may_end: bool
    may_march: bool
    pick_count: int | None
    stacks: tuple[StackChoice, ...]
    arrivals: tuple[ArrivalChoice, ...]
    deployments: tuple[DeploymentChoice, ...]
    unit_ids: tuple[int, ...]
    leader_ids: tuple[int, ...]
    target_hexes: tuple[HexName, ...]
    blocked_retreat: BlockedRetreatPart | None
    station_hexes: tuple[HexName, ...]
    hexes: tuple[HexName, ...]
    retreat_path: tuple[HexName, ...]
    eliminated_ids: tuple[int, ...]
    disrupted_ids: tuple[int, ...]
    source_ids: tuple[int, ...]
    supplies: tuple[SupplyChoicePart, ...]
    withdrawable_ids: tuple[int, ...]
    camel_groups: tuple[CamelGroupPart, ...]
    reachable_hexes: tuple[ReachableHexPart, ...]
    labelled_units: tuple[UnitLabelPart, ...]


class DecisionLinks(msgspec.Struct, frozen=True):
    """The addresses of a decision."""

    self: str
    answers: str
    campaign: str


class DecisionDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The question that the campaign waits for, with the legal answers if it is yours.

    `side` is asked; if it `is_yours` to answer, `question` is the open question and `choices` are
    the legal answers. Send the ETag in If-Match with the answer.

    With `waits_for_dice`, an answer has been given and takes effect when the umpire types in its
    dice; until then nobody is asked. Under fog only the side that answered is shown this.
    """

    campaign: str
    mode: ModeName
    month: MonthOrSetUp
    phase: PhaseName
    side: SideName
    cursor: Cursor | None
    waiting_for: str | None
    is_yours: bool
    staff_is_asked: bool
    waits_for_dice: bool
    question: QuestionJson | None
    choices: ChoicesPart | None
    links: DecisionLinks


class AnsweredDocument(msgspec.Struct, frozen=True, kw_only=True):
    """An accepted answer: its entry in the journal, and the dice it threw.

    Under fog of war these are the dice that your side learns of. With `waits_for_dice`, the answer
    is stored and takes effect when the umpire types in its dice, which `text` names where nothing
    is hidden from you; the `cursor` is then that of the entry before it. If the staff was let
    answer, `answer_count` is the number of its answers, and `rolls` is empty.
    """

    cursor: Cursor | None
    answer_count: int
    waits_for_dice: bool
    text: str | None
    rolls: tuple[RollPart, ...]
    links: DecisionLinks


def decision_document(campaign: Campaign, user: selectors.Anybody) -> DecisionDocument:
    """Return the open question as the user may see it."""
    viewer, side = fog_of_war.viewer_of(user, campaign), side_of(campaign, user)
    state, throw = selectors.state_now(campaign), dice.waiting_throw(campaign)
    may = may_set_up(campaign, user, state)
    if isinstance(state.question, ToSetUp):
        own_state = state if may is not NOTHING else None
    else:
        own_state = state_to_answer(campaign, side)
    sees_all = fog_of_war.sees_all(campaign, viewer)
    visible_throw = throw if own_state is not None or sees_all else None
    waits = (
        dice.describe_throw(visible_throw, purpose=sees_all)
        if visible_throw
        else fog_of_war.waiting_for(campaign, side or viewer)
    )
    open_state = own_state if throw is None else None
    return DecisionDocument(
        campaign=campaign.slug,
        mode=campaign.mode,
        month=month_slug(Month(campaign.month)),
        phase=identifier(campaign.phase),
        side=side_to_answer(campaign),
        cursor=head_cursor(campaign),
        waiting_for=waits or None,
        is_yours=open_state is not None,
        staff_is_asked=throw is None and live.staff_is_asked(campaign),
        waits_for_dice=visible_throw is not None,
        question=QUESTION_FORM.write(open_state.question) if open_state else None,
        choices=_choices(open_state, may) if open_state else None,
        links=decision_links(campaign),
    )


def head_cursor(campaign: Campaign) -> str | None:
    """Return the cursor of the campaign's last entry; None before any."""
    head = campaign.head
    return f"{head.branch}.{head.number}" if head else None


def side_of(campaign: Campaign, user: selectors.Anybody) -> Side | None:
    """Return the user's side; if they play both, the one that answers now."""
    roles = selectors.role_of(user, campaign)
    sides = [side for side in Side if side in roles]
    in_turn = side_to_answer(campaign)
    return next((side for side in sides if side == in_turn), sides[0] if sides else None)


def side_to_answer(campaign: Campaign) -> str:
    """Return the side whose turn it is, or during set-up the side that sets up now."""
    if campaign.phase != Phase.SET_UP:
        return campaign.side
    question = selectors.state_now(campaign).question
    return question.side if question else campaign.side


def state_to_answer(campaign: Campaign, side: Side | None) -> State | None:
    """Return the state as the side supposes it; None unless live play puts a question to it."""
    live = campaign.mode == Campaign.Mode.LIVE
    return fog_of_war.state_to_answer(campaign, side) if live else None


def decision_links(campaign: Campaign) -> DecisionLinks:
    return DecisionLinks(
        self=reverse("api:campaign-decision", args=[campaign.slug]),
        answers=reverse("api:campaign-answers", args=[campaign.slug]),
        campaign=reverse("api:campaign", args=[campaign.slug]),
    )


def _choices(state: State, set_up: DeploymentChoices) -> ChoicesPart | None:
    may, question = options(state), state.question
    if may is None or question is None:
        return None
    if isinstance(question, ToSetUp):
        may = msgspec.structs.replace(may, deployments=set_up.choices, done=set_up.side)
    kinds = (kind for kind in answers_to(question) if kind in live.ANSWERS)
    return ChoicesPart(
        answer_types=tuple(snake_case(kind.__name__) for kind in kinds),
        may_end=may.done,
        may_march=may.may_march,
        pick_count=may.count or None,
        stacks=tuple(
            StackChoice(printed_number(stack.hex), stack.units, stack.leaders, stack.hulls)
            for stack in may.stacks
        ),
        arrivals=tuple(
            ArrivalChoice(arrival.group, arrival.units, printed_hexes(arrival.hexes))
            for arrival in may.arrivals
        ),
        deployments=tuple(
            DeploymentChoice(unit, printed_hexes(hexes)) for unit, hexes in may.deployments.items()
        ),
        unit_ids=may.units,
        leader_ids=may.leaders,
        target_hexes=printed_hexes(may.targets),
        blocked_retreat=blocked_retreat_part(way_behind(state)) if may.targets else None,
        station_hexes=printed_hexes(may.stations),
        hexes=printed_hexes(may.hexes),
        retreat_path=printed_hexes(may.back_along),
        eliminated_ids=may.eliminated,
        disrupted_ids=may.disrupted,
        source_ids=may.sources,
        supplies=tuple(
            SupplyChoicePart(hex=printed_number(supply.hex), source_ids=supply.sources)
            for supply in may.supplies
        ),
        withdrawable_ids=may.withdraw,
        camel_groups=tuple(map(CamelGroupPart, may.riders)),
        reachable_hexes=tuple(_reachable(may)),
        labelled_units=tuple(
            UnitLabelPart(unit_id, label(state.units[unit_id]))
            for unit_id in _units_in_choices(state, may)
        ),
    )


def _reachable(options: Options) -> Iterator[ReachableHexPart]:
    if options.reach is not None:
        for hex_id, cost in sorted(options.reach.costs.items()):
            if hex_id != options.reach.start:
                path = printed_hexes(options.reach.path(hex_id))
                yield ReachableHexPart(printed_number(hex_id), describe_hex(hex_id), cost, path)


def _units_in_choices(state: State, options: Options) -> list[UnitId]:
    """Return the units on the map that the choices name."""
    stacked = (
        unit_id
        for stack in options.stacks
        for unit_id in (*stack.units, *stack.leaders, *stack.hulls)
    )
    alone = (
        options.units,
        options.leaders,
        options.sources,
        options.withdraw,
        *options.riders,
        options.deployments,
    )
    choice_ids = {*stacked, *(unit_id for group in alone for unit_id in group)}
    map_ids = {unit.id for unit in board(state).units}
    return sorted(choice_ids & map_ids)
