"""Decide who may run, stop, delete and copy a campaign, and choose how its battles are fought."""

from campaign.access.selectors import Anybody, orders_have_begun, role_of
from campaign.access.solo import leads_alone
from campaign.models import AT_TABLE, Campaign, Job, Seat


def may_advance(user: Anybody, campaign: Campaign) -> bool:
    """Return whether the user is an umpire of the campaign."""
    return Seat.Role.UMPIRE in role_of(user, campaign)


def may_restart(user: Anybody, campaign: Campaign) -> bool:
    """Return whether the user leads the campaign alone and its month has stopped before its end.

    Nobody is the umpire of such a campaign, so its commander starts the month again. A campaign
    that was restored in the middle of a month has no job of it any more; a battle of a book is
    fought as its month goes on.
    """
    last = campaign.jobs.order_by("pk").last()
    if last is not None:
        stopped = last.status == Job.Status.FAILED
    else:
        stopped = campaign.awaited != AT_TABLE and orders_have_begun(campaign)
    return stopped and not campaign.finished and leads_alone(user, campaign)


def may_stop(user: Anybody, campaign: Campaign) -> bool:
    """Return whether the user may stop a month that is being played."""
    return may_settle_battles(user, campaign)


def may_settle_battles(user: Anybody, campaign: Campaign) -> bool:
    """Return whether the user says how the campaign's battles are fought.

    That is its umpire, or the one who leads it alone until it is over.
    """
    if may_advance(user, campaign):
        return True
    return not campaign.finished and leads_alone(user, campaign)


def may_delete(user: Anybody, campaign: Campaign) -> bool:
    """Return whether the user is an umpire of the campaign or leads it alone, or has done so."""
    return may_advance(user, campaign) or leads_alone(user, campaign)


def may_take_position(user: Anybody, campaign: Campaign) -> bool:
    """Return whether a user who sees the campaign may begin a scenario from its position.

    That is everybody who sees it without a fog of war, and in a fog its umpires: nobody else sees
    the whole position.
    """
    return not campaign.fog or may_advance(user, campaign)
