"""The clock of a battle that waits, and where it stands in the books of battles meanwhile."""

from datetime import timedelta

from django.utils import timezone

from battles import services as battles
from battles.contract.registry import NoSuchBook, book, books
from battles.core.game import IllegalAction
from campaign.awaited import Awaited, awaited, owner_of
from campaign.models import Campaign
from campaign.rules.combat import hand_off
from campaign.rules.core.state import BY_HAND, TABLE, HandOff, State
from campaign.services.errors import Unfit


def keep(campaign: Campaign, state: State) -> None:
    """Start the clock of the battle the campaign has come to wait for, or stop the last one's."""
    waiting = awaited(campaign.branch, state)
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
        lay_out(campaign, waiting)


def lay_out(campaign: Campaign, waiting: Awaited) -> None:
    """The battle has a page from now on, with what it takes to fight it at a table."""
    battles.handed_over(owner_of(campaign), waiting.brief, books()[0])


def arrangement(way: str) -> HandOff | None:
    """How the battles of a new campaign are fought; None by its own table. Unfit: no such way."""
    known_way(way)
    return hand_off.arrangement(way)


def known_way(way: str) -> None:
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
