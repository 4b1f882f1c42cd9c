"""Deploy units before the first month: the umpire, a side's commander-in-chief or a subordinate.

The staff deploys the sides that it plays by itself, so nobody waits for them.
"""

from typing import NamedTuple

from django.contrib.auth.models import User

from battles.contract.brief import Side
from campaign.access import selectors
from campaign.models import Campaign, Entry, Seat
from campaign.orders.headquarters import commander_of
from campaign.rules.core.actions import Deploy, Done
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import side_adjective
from campaign.rules.set_up import set_up_choices
from campaign.services.errors import NotAllowed
from campaign.services.journal.campaign_session import CampaignSession, perform
from campaign.services.turns.live import seats_of
from campaign.services.turns.month_by_orders import held_by_staff, staff_of

Choices = dict[UnitId, tuple[HexId, ...]]


class DeploymentChoices(NamedTuple):
    """The units a user may deploy, each with its hexes, and whether the user has the whole side."""

    choices: Choices
    side: bool


NOTHING = DeploymentChoices({}, side=False)


def may_set_up(campaign: Campaign, user: selectors.Anybody, state: State) -> DeploymentChoices:
    """Return what this user may deploy now; a subordinate only the stacks under their command."""
    if not isinstance(state.question, ToSetUp) or not user.is_authenticated:
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

    Raises NotAllowed (another's stacks, another's side), IllegalAction and Stale.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    state = selectors.state_now(campaign)
    _check_may(may_set_up(campaign, user, state), state, action)
    umpire = Seat.Role.UMPIRE in selectors.role_of(user, campaign)
    actor = f"{'umpire' if umpire else 'player'}:{user}"
    return perform(campaign_id, actor, action, expected_head=expected_head)


def _check_may(offered: DeploymentChoices, state: State, action: Deploy | Done) -> None:
    if offered.side or not isinstance(state.question, ToSetUp):
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
