"""The battle a campaign waits for, as it is known outside the campaign.

The campaign's own number of a battle is the same on every branch; outside, the branch belongs to
it, so that what was fought on a line that has been given up is not taken for what is asked now.

The clock of a battle that waits, and where it stands in the books of battles meanwhile.
"""

from datetime import timedelta
from typing import NamedTuple

import msgspec
from django.utils import timezone

from battles import services as battles
from battles.contract import Brief, Report
from battles.contract.registry import NoSuchBook, book, books
from battles.core.game import IllegalAction
from campaign.models import Campaign
from campaign.rules.combat import hand_off
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import BY_HAND, TABLE, HandOff, State
from campaign.services.errors import Unfit

OWNER = "campaign"


class PendingBattle(NamedTuple):
    """A battle that is open: its brief, by what it is to be fought, and what was agreed."""

    brief: Brief
    by: str
    agreed: HandOff
    own: str
    """The number by which the campaign itself knows it."""


def awaited_battle(branch: int, state: State) -> PendingBattle | None:
    """Return the battle the state waits for on that branch, if it does."""
    question, agreed = state.question, state.hand_off
    if not isinstance(question, ToFight) or agreed is None:
        return None
    return PendingBattle(
        external_brief(question.battle, branch), question.by, agreed, question.battle.id
    )


def external_brief(brief: Brief, branch: int) -> Brief:
    """Return the brief with the number it has outside the campaign."""
    return msgspec.structs.replace(brief, id=f"{brief.id}-{branch}")


def internal_report(report: Report, battle: PendingBattle) -> Report:
    """Return the report as the campaign takes it: under its own number, the units in their order."""
    return msgspec.structs.replace(
        report, brief=battle.own, fates=dict(sorted(report.fates.items()))
    )


def owner_of(campaign: Campaign) -> str:
    """In whose books the campaign's battles stand."""
    return f"{OWNER}:{campaign.slug}"


def update_battle_clock(campaign: Campaign, state: State) -> None:
    """Start the clock of the battle the campaign has come to wait for, or stop the last one's."""
    waiting = awaited_battle(campaign.branch, state)
    number = waiting.brief.id if waiting else ""
    if campaign.battle and campaign.battle != number:
        battles.call_off(owner_of(campaign), campaign.battle)
    if waiting is None:
        campaign.battle, campaign.battle_due = "", None
        return
    if campaign.battle != number:
        campaign.battle = number
        campaign.battle_due = timezone.now() + timedelta(days=waiting.agreed.days)
    if waiting.by == BY_HAND:
        lay_out_battle(campaign, waiting)


def lay_out_battle(campaign: Campaign, waiting: PendingBattle) -> None:
    """The battle has a page from now on, with what it takes to fight it at a table."""
    battles.handed_over(owner_of(campaign), waiting.brief, books()[0])


def battle_arrangement(way: str) -> HandOff | None:
    """Return how the battles of a new campaign are fought;

    None by its own table. Unfit: no such way.
    """
    check_battle_method(way)
    return hand_off.arrangement(way)


def check_battle_method(way: str) -> None:
    """Unfit for a way of fighting battles that there is not."""
    if way in (TABLE, BY_HAND):
        return
    try:
        hand_off.check_way(way)
        book(way)
    except (IllegalAction, NoSuchBook) as unknown:
        raise Unfit(
            f"Battles cannot be fought by {way!r}: there are {TABLE}, {BY_HAND}, "
            f"{', '.join(books())}."
        ) from unknown
