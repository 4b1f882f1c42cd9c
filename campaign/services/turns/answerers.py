"""Choose the answerer of a campaign's questions: order sheets, the staff, or a live player."""

from collections.abc import Collection, Iterable
from typing import Protocol

from battles.contract.brief import Side
from campaign.models import Campaign, Seat
from campaign.orders.staff_in_fog import Known, PlansOf, staff_answer
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.state import State
from campaign.services.turns.month_by_orders import MonthByOrders, known_to_sides
from campaign.services.turns.staff_plans import CampaignPlans, key_of_draws


class Answerer(Protocol):
    """The interface of anything that answers a campaign's questions."""

    def has_answer(self, state: State) -> bool:
        """Return whether the open question can be answered now, without waiting for a person."""

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """Return the actor who answers the open question, and the answer."""

    def write(self, state: State) -> None:
        """Save the progress that is needed to resume from `state`, in the open transaction."""


class StaffAnswerer:
    """The staff as answerer for both sides, or for the sides it holds in a live campaign.

    In a fog of war `known` is what each side has learnt, and `key` that of the positions drawn.
    `plans` returns the plans by which the side that is asked goes; without it they are the usual.
    """

    def __init__(
        self,
        sides: Collection[str],
        known: Known | None = None,
        key: bytes = b"staff",
        plans: PlansOf | None = None,
    ) -> None:
        self._sides, self._known, self._key, self._plans = sides, known, key, plans

    def has_answer(self, state: State) -> bool:
        """Return whether the staff holds the side that is asked."""
        return state.question is not None and state.question.side.value in self._sides

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """Return the staff of the asked side as the actor, and its answer."""
        side = state.question.side if state.question is not None else state.side
        return f"staff:{side}", staff_answer(state, self._known, self._key, self._plans)

    def write(self, state: State) -> None:
        """Do nothing: the staff keeps no progress."""


THE_STAFF = StaffAnswerer(tuple(Side))
"""The staff for both sides, on an open map."""


def answerer_for(campaign: Campaign) -> Answerer:
    """Return the answerer for a campaign of this mode."""
    if campaign.mode == Campaign.Mode.ORDERS and not campaign.finished:
        return MonthByOrders(campaign)
    live = campaign.mode == Campaign.Mode.LIVE
    return staff_of(campaign, held_by_staff(campaign.seats.all()) if live else tuple(Side))


def staff_of(campaign: Campaign, sides: Collection[str]) -> StaffAnswerer:
    """Return the staff of these sides, with what they know now."""
    return StaffAnswerer(
        sides, known_to_sides(campaign), key_of_draws(campaign), CampaignPlans(campaign)
    )


def held_by_staff(seats: Iterable[Seat]) -> set[str]:
    """Return the sides that have a seat held by the staff and none played by a person.

    A vacant seat beside the staff's keeps nobody waiting: the staff answers until it is taken.
    """
    sides = {side.value for side in Side}
    of_sides = [seat for seat in seats if seat.role in sides]
    manned = {seat.role for seat in of_sides if seat.user_id is not None and not seat.staff}
    return {seat.role for seat in of_sides if seat.staff} - manned
