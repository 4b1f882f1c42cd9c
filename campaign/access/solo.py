"""Solo campaigns: one person plays against the computer's staff, and nobody is the umpire."""

from django.contrib.auth.models import AnonymousUser, User

from campaign.models import Campaign, Seat


def solo_player(campaign: Campaign) -> int | None:
    """Return the number of the user who plays the campaign alone; None for any other campaign."""
    if campaign.umpire_id is not None:
        return None
    seats = list(campaign.seats.exclude(user=None).order_by().values_list("user", "role"))
    people = {user for user, _ in seats}
    plays = any(role in Seat.SIDES for _, role in seats)
    return people.pop() if len(people) == 1 and plays else None


def plays_alone(user: User | AnonymousUser, campaign: Campaign) -> bool:
    """Return whether the user plays the campaign alone."""
    return user.pk is not None and solo_player(campaign) == user.pk


def leads_alone(user: User | AnonymousUser, campaign: Campaign) -> bool:
    """Return whether the user plays the campaign alone, or with subordinates that they invited.

    Nobody is its umpire, so its commander-in-chief has a say where a subordinate stays away.
    """
    if user.pk is None or campaign.umpire_id is not None:
        return False
    seats = list(campaign.seats.exclude(user=None))
    one_side = len({seat.role for seat in seats}) == 1
    in_chief = any(
        seat.user_id == user.pk and seat.role in Seat.SIDES for seat in seats if not seat.command
    )
    return plays_alone(user, campaign) or (one_side and in_chief)
