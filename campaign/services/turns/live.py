"""Live play and the deployment before it: players answer for their side, the staff for its sides.

Before the first month the umpire, a side's commander-in-chief or a subordinate deploys the units.
"""

import logging
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from battles.contract.brief import Side
from battles.core.game import IllegalAction
from campaign.access import selectors
from campaign.access.staff_sides import held_by_staff, plays_both_sides
from campaign.models import Campaign, Entry, Seat
from campaign.orders.headquarters import SeatCommand, commander_of
from campaign.rules.core import actions as a
from campaign.rules.core.actions import Deploy, Done
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToFight, ToReinforce, ToSetUp
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import side_adjective
from campaign.rules.set_up import set_up_choices
from campaign.services.errors import CampaignOver, NotAllowed, Refused, Stale, UnfitRequest
from campaign.services.journal import dice
from campaign.services.journal.campaign_session import CampaignSession, perform
from campaign.services.turns.month_by_orders import StaffAnswerer, staff_of

ANSWERS = (
    a.Deploy,
    a.Place,
    a.Withdraw,
    a.Dismount,
    a.Done,
    a.March,
    a.Rail,
    a.Sail,
    a.Move,
    a.Attack,
    a.DropOff,
    a.Halt,
    a.Pick,
    a.Share,
    a.Lead,
    a.Retreat,
    a.Supply,
    a.Choose,
)
"""The actions a player may send here; battles and rulings have functions of their own."""

logger = logging.getLogger(__name__)
MOST_ANSWERS = 2000
"""The most answers the staff gives in one run, more than any player turn takes."""


def answer_live(
    campaign_id: int, user: User, action: a.AnyAction, *, expected_head: int | None
) -> Entry:
    """Answer the open question for the user's side.

    Raises IllegalAction, Stale, NotAllowed and UnfitRequest.
    """

    def decide(campaign: Campaign) -> a.AnyAction:
        state = selectors.state_now(campaign)
        check_turn(campaign, user, state, action)
        return _with_true_group_number(campaign, state, action)

    return perform(campaign_id, f"player:{user}", decide, expected_head=expected_head)


def _with_true_group_number(campaign: Campaign, state: State, action: a.AnyAction) -> a.AnyAction:
    """Return the action with its group number converted to an index into everything that is due.

    In fog a player numbers only the groups of their own side, because the enemy's are hidden.
    """
    if not campaign.fog or not isinstance(action, a.Place) or state.question is None:
        return action
    side = state.question.side
    own = [place for place, due in enumerate(state.due) if due.units[0].side is side]
    is_valid = 0 <= action.group < len(own)
    return a.Place(own[action.group] if is_valid else len(state.due), action.hex, action.units)


def check_turn(campaign: Campaign, user: User, state: State, action: a.AnyAction) -> None:
    """Check that the user may answer now.

    Raises NotAllowed, UnfitRequest, Refused and CampaignOver.
    """
    if state.question is None:
        raise CampaignOver(f"The campaign is over: {campaign.outcome}")
    if campaign.mode != Campaign.Mode.LIVE:
        raise UnfitRequest(
            "This campaign is not played live: write your orders for the month instead."
        )
    _check_not_adjourned(campaign)
    if not isinstance(action, ANSWERS):
        raise NotAllowed("That is not for a player to do.")
    side = state.question.side
    seat = campaign.seats.filter(user=user, role=side.value).first()
    if seat is None:
        raise NotAllowed(f"It is the {side} side’s turn to answer.")
    if seat.staff:
        raise NotAllowed("The computer’s staff holds your seat; the umpire can hand it back.")
    if seat.command and not _is_under_command(campaign, seat, state, action):
        raise NotAllowed("That is for your side’s commander-in-chief, or for another of you.")


def _check_not_adjourned(campaign: Campaign) -> None:
    if campaign.adjourned:
        raise Refused("The campaign is adjourned: wait until the umpire resumes it.")


def _is_under_command(campaign: Campaign, seat: Seat, state: State, action: a.AnyAction) -> bool:
    """Return whether the stack that the action concerns is under this seat's command."""
    units = _units_concerned(state, action)
    side = Side(seat.role)
    if not units:
        return False
    commanders = seats_of(campaign, side)
    stack = [state.units[unit_id] for unit_id in units if unit_id in state.units]
    commander = commander_of(state, commanders, stack[0].hex, stack) if stack else None
    return commander is not None and commander.seat == seat.pk


def _units_concerned(state: State, action: a.AnyAction) -> Sequence[UnitId]:
    if isinstance(action, a.March | a.Rail | a.Sail | a.Deploy | a.Withdraw | a.Dismount):
        return action.units
    return state.march.units if state.march is not None else ()


def seats_of(campaign: Campaign, side: Side) -> list[SeatCommand]:
    """Return the seats of a side with their commands."""
    seats = campaign.seats.filter(role=side.value).order_by("pk")
    return [
        SeatCommand(seat.pk, side, command=tuple(seat.command), staff=seat.staff, name=seat.name)
        for seat in seats
    ]


def staff_answers(campaign_id: int) -> int:
    """Let the staff answer as long as its side is asked; return the number of answers.

    Idempotent. Raises Stale where somebody else has written meanwhile.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    staff_sides = _staff_sides_in_play(campaign, campaign.seats.all())
    if not staff_sides:
        return 0
    session, count = CampaignSession(campaign), 0
    staff = staff_of(campaign, staff_sides)
    while (
        count < MOST_ANSWERS
        and _is_for_staff(session.state, staff_sides)
        and _give_staff_answer(session, staff)
    ):
        count += 1
        if isinstance(session.state.question, ToReinforce):
            session.commit()
    session.commit()
    return count


def staff_answers_on_commit(campaign_id: int) -> None:
    """Let the staff answer, if it is asked, once the open transaction is committed.

    Call it after changes that may leave a campaign waiting for the staff: in the set-up, or in live
    play with nobody at its page.
    """
    transaction.on_commit(partial(let_staff_answer, campaign_id), robust=True)


def let_staff_answer(campaign_id: int) -> None:
    """Let the staff set up and answer, unless somebody else has answered meanwhile."""
    try:
        staff_sets_up(campaign_id)
        staff_answers(campaign_id)
    except Stale:
        logger.info("Campaign %s: somebody else has answered meanwhile.", campaign_id)


def staff_is_asked(campaign: Campaign, seats: Iterable[Seat] | None = None) -> bool:
    """Return whether the campaign waits for an answer from the staff, and not for dice.

    `seats` are all its seats, if they have been read already.
    """
    staff_sides = _staff_sides_in_play(campaign, campaign.seats.all() if seats is None else seats)
    if not staff_sides:
        return False
    is_asked = _is_for_staff(selectors.state_now(campaign), staff_sides)
    return is_asked and dice.waiting_throw(campaign) is None


def _staff_sides_in_play(campaign: Campaign, seats: Iterable[Seat]) -> set[str]:
    """Return the sides for which the staff answers of itself: those that play against people."""
    if campaign.mode != Campaign.Mode.LIVE or campaign.finished or campaign.adjourned:
        return set()
    seats = list(seats)
    return set() if plays_both_sides(campaign, seats) else held_by_staff(seats)


def _is_for_staff(state: State, staff_sides: set[str]) -> bool:
    question = state.question
    if question is None or isinstance(question, ToFight):
        return False
    return question.side.value in staff_sides


def _give_staff_answer(session: CampaignSession, staff: StaffAnswerer) -> bool:
    """Give the staff's answer; return False where it must wait for dice thrown by hand."""
    actor, action = staff.answer(session.state)
    try:
        return session.try_to_play(actor, action) is not None
    except IllegalAction as error:
        raise Refused(f"{actor} wanted what clause {error.clause} forbids.") from error


Choices = dict[UnitId, tuple[HexId, ...]]


class DeploymentChoices(NamedTuple):
    """The units a user may deploy, each with its hexes, and whether the user has the whole side."""

    choices: Choices
    side: bool


NOTHING = DeploymentChoices({}, side=False)


def may_set_up(campaign: Campaign, user: selectors.Anybody, state: State) -> DeploymentChoices:
    """Return what this user may deploy now; a subordinate only the stacks under their command.

    Nobody deploys anything while the campaign is adjourned.
    """
    if not isinstance(state.question, ToSetUp) or not user.is_authenticated or campaign.adjourned:
        return NOTHING
    side = state.question.side
    choices = set_up_choices(state, side)
    if Seat.Role.UMPIRE in selectors.role_of(user, campaign):
        return DeploymentChoices(choices, side=True)
    seat = campaign.seats.filter(user=user, role=side.value, staff=False).first()
    if seat is None:
        return NOTHING
    if not seat.command:
        return DeploymentChoices(choices, side=True)
    return DeploymentChoices(_units_in_command(campaign, seat, state, choices), side=False)


def _units_in_command(campaign: Campaign, seat: Seat, state: State, choices: Choices) -> Choices:
    """Return the units that stand in stacks under this seat's command."""
    seats = seats_of(campaign, Side(seat.role))
    occupied = {state.units[unit].hex for unit in choices}
    commanders = {hex_id: commander_of(state, seats, hex_id) for hex_id in occupied}
    own_hexes = {
        hex_id
        for hex_id, commander in commanders.items()
        if commander and commander.seat == seat.pk
    }
    return {unit: hexes for unit, hexes in choices.items() if state.units[unit].hex in own_hexes}


def set_up(
    campaign_id: int, user: User, action: Deploy | Done, *, expected_head: int | None
) -> Entry:
    """Move units before the first month, or declare their side ready.

    Raises NotAllowed (another's stacks, another's side), Refused while the campaign is adjourned,
    IllegalAction and Stale.
    """

    def decide(campaign: Campaign) -> a.AnyAction:
        _check_not_adjourned(campaign)
        state = selectors.state_now(campaign)
        _check_may(may_set_up(campaign, user, state), state, action)
        return action

    umpire = Seat.Role.UMPIRE in selectors.role_of(user, Campaign.objects.get(pk=campaign_id))
    actor = f"{'umpire' if umpire else 'player'}:{user}"
    return perform(campaign_id, actor, decide, expected_head=expected_head)


def _check_may(offered: DeploymentChoices, state: State, action: Deploy | Done) -> None:
    if not isinstance(state.question, ToSetUp):
        raise Refused("The set-up is over: its units stand where they were left.")
    if offered.side:
        return
    if offered is NOTHING:
        raise NotAllowed(
            f"It is for the {side_adjective(state.question.side)} side, or the umpire, to set up."
        )
    if isinstance(action, Done):
        raise NotAllowed("Only the side’s commander-in-chief can say that the side is ready.")
    if set(action.units) - set(offered.choices):
        raise NotAllowed("Some of these units are not under your command: leave them out.")


def staff_sets_up(campaign_id: int) -> None:
    """Deploy the sides that the staff plays against people, as far as they are asked now.

    Its last answer may have to wait for dice that are thrown by hand. Idempotent. Raises Stale
    where somebody else has written meanwhile.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    if campaign.mode == Campaign.Mode.STAFF or campaign.adjourned:
        return
    staff_sides, session = held_by_staff(campaign.seats.all()), CampaignSession(campaign)
    staff = staff_of(campaign, staff_sides)
    while (
        isinstance(question := session.state.question, ToSetUp)
        and question.side.value in staff_sides
    ):
        if session.try_to_play(*staff.answer(session.state)) is None:
            break
    session.commit()
