"""Who answers a campaign's questions when nobody is asked in person."""

from collections.abc import Collection
from typing import Protocol

from battles.contract.brief import Side
from campaign.models import Campaign
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.state import State
from campaign.services.turns.month_by_orders import MonthByOrders
from campaign.staff import answer


class Answerer(Protocol):
    """Who answers the questions of a campaign."""

    def has_answer(self, state: State) -> bool:
        """Return whether the open question is answered now, and not waited for."""

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """Who answers the open question, and what."""

    def write(self, state: State) -> None:
        """Write what has to be known to go on from there, in the open transaction."""


class StaffAnswerer:
    """The staff answers: for both sides, or for those that it holds in a live campaign."""

    def __init__(self, sides: Collection[str]) -> None:
        self._sides = sides

    def has_answer(self, state: State) -> bool:
        """As `Answering.has_answer`."""
        return state.question is not None and state.question.side.value in self._sides

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """As `Answering.answer`."""
        side = state.question.side if state.question is not None else state.side
        return f"staff:{side}", answer(state)

    def write(self, state: State) -> None:
        """The staff remembers nothing."""


THE_STAFF = StaffAnswerer(tuple(Side))
"""The staff for both sides."""


def answerer_for(campaign: Campaign) -> Answerer:
    """Who answers in a campaign of this mode."""
    if campaign.mode == Campaign.Mode.ORDERS and not campaign.finished:
        return MonthByOrders(campaign)
    if campaign.mode == Campaign.Mode.LIVE:
        return StaffAnswerer(held_by_staff(campaign))
    return THE_STAFF


def held_by_staff(campaign: Campaign) -> set[str]:
    """Return the sides that the staff plays alone: none of their seats waits for a person."""
    seats = campaign.seats.filter(role__in=[side.value for side in Side])
    held = set(seats.filter(staff=True).values_list("role", flat=True))
    return held - set(seats.filter(staff=False).values_list("role", flat=True))
