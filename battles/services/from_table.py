"""A result that somebody brings from a real table."""

from django.contrib.auth.models import User

from battles import owners, selectors, stored
from battles.contract import Report
from battles.journal import Refused
from battles.models import Battle
from battles.services.record import Asked, fought

TAKEN = "The result stands."


def take_report(battle: Battle, user: User, report: Report) -> str:
    """Bring the report to the battle's owner; in words, what has become of it.

    Raises Refused for somebody who may not say so, or when it does not count.
    """
    if not selectors.may_report(battle, user):
        raise Refused("You are not one of those who report this battle, or it is over already.")
    keeper = owners.keeper_of(battle.owner)
    if keeper is not None:
        return keeper.report(battle.owner, user, report)
    asked = Asked(battle.public, battle.asked_by, battle.brief_id)
    fought(battle.owner, stored.brief_of(battle), report, asked=asked)
    return TAKEN
