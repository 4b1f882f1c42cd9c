"""Decide which sides of a campaign the computer's staff plays, and whether it plays them all."""

from collections.abc import Iterable

from campaign.models import Campaign, Seat


def held_by_staff(seats: Iterable[Seat]) -> set[str]:
    """Return the sides that have a seat held by the staff and none played by a person.

    A vacant seat beside the staff's keeps nobody waiting: the staff answers until it is taken.
    """
    of_sides = [seat for seat in seats if seat.role in Seat.SIDES]
    manned = {seat.role for seat in of_sides if seat.user_id is not None and not seat.staff}
    return {seat.role for seat in of_sides if seat.staff} - manned


def plays_both_sides(campaign: Campaign, seats: Iterable[Seat]) -> bool:
    """Return whether the staff plays the whole campaign, so that nobody waits for its answers.

    It then plays when the umpire runs a month or a phase, and never of itself.
    """
    return campaign.mode == Campaign.Mode.STAFF or held_by_staff(seats) == set(Seat.SIDES)
