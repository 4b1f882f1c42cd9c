"""The battle a campaign waits for: its external number, its clock and its page.

The campaign numbers battles alike on every branch. The external number includes the branch, so that
a battle fought on an abandoned branch is not taken for the one that is awaited now.
"""

from datetime import timedelta
from typing import NamedTuple

import msgspec
from django.db.models import QuerySet
from django.utils import timezone

from battles import services as battles
from battles.access import battle_of, is_open
from battles.contract.book import NoSuchBook, book, books
from battles.contract.brief import Brief
from battles.contract.report import Report
from battles.core.game import IllegalAction
from battles.models import Battle
from campaign.access.solo import solo_player
from campaign.models import Campaign
from campaign.rules.combat import hand_off
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, HandOff, State
from campaign.services.errors import Refused, UnfitRequest

OWNER = "campaign"


class PendingBattle(NamedTuple):
    """An awaited battle: its brief, how it is fought, and what was agreed."""

    brief: Brief
    resolution: str
    agreed: HandOff
    own: str
    """The campaign's internal number of the battle."""


def awaited_battle(branch: int, state: State) -> PendingBattle | None:
    """Return the battle the state waits for on that branch, if any."""
    question, agreed = state.question, state.hand_off
    if not isinstance(question, ToFight) or agreed is None:
        return None
    return PendingBattle(
        msgspec.structs.replace(question.brief, id=f"{question.brief.id}-{branch}"),
        question.resolution,
        agreed,
        question.brief.id,
    )


def internal_report(report: Report, battle: PendingBattle) -> Report:
    """Return the report with the campaign's internal number, its units sorted."""
    return msgspec.structs.replace(
        report, battle=battle.own, fates=dict(sorted(report.fates.items()))
    )


def finished_battles(campaign: Campaign) -> QuerySet[Battle]:
    """Return the finished battles of the campaign without their documents, the latest first."""
    battles = Battle.objects.filter(owner=owner_of(campaign)).exclude(reported=None)
    return battles.defer("document", "beginning", "brief", "report")


def owner_of(campaign: Campaign) -> str:
    """Return the owner under which the campaign's battles are stored."""
    return f"{OWNER}:{campaign.slug}"


def update_battle_clock(campaign: Campaign, state: State) -> None:
    """Start the clock of a newly awaited battle, and call off the one before."""
    waiting = awaited_battle(campaign.branch, state)
    number = waiting.brief.id if waiting else ""
    if campaign.battle and campaign.battle != number:
        battles.call_off(owner_of(campaign), campaign.battle)
    if waiting is None:
        campaign.battle, campaign.battle_due = "", None
        return
    if campaign.battle != number:
        campaign.battle = number
        restart_battle_clock(campaign, waiting)
    if waiting.resolution == TABLETOP:
        create_battle_page(campaign, waiting)


def restart_battle_clock(campaign: Campaign, waiting: PendingBattle) -> None:
    """Give the battle the whole time that was agreed, from now on; the caller saves it.

    In a solo campaign nobody waits for the player, so no clock runs; nor does it in an adjourned
    campaign, where a battle would otherwise be settled while its players are away.
    """
    if campaign.adjourned or solo_player(campaign) is not None:
        campaign.battle_due = None
    else:
        campaign.battle_due = timezone.now() + timedelta(days=waiting.agreed.timeout_days)


def create_battle_page(campaign: Campaign, waiting: PendingBattle) -> None:
    """Give the battle a page from now on, with its table kit by the book that was agreed."""
    agreed = waiting.agreed.book
    by = agreed if agreed in books() else books()[0]
    battles.create_waiting_battle(owner_of(campaign), waiting.brief, by, request_of(campaign))


def request_of(campaign: Campaign) -> battles.BattleRequest:
    """Return the request for the awaited battle, whose title counts the attacks of the month."""
    return battles.BattleRequest(title=campaign.battle_title)


def check_not_begun(campaign: Campaign, battle: str) -> None:
    """Raise Refused if the one who plays the campaign alone has begun its battle in the browser.

    Otherwise a battle that goes badly could be left to the table, or reported from one.
    """
    begun = battle_of(owner_of(campaign), battle)
    if begun is not None and is_open(begun) and solo_player(campaign) is not None:
        raise Refused(
            f"{begun.title} has begun in the browser: fight it on there, or hand your side to the "
            "computer. Nothing was changed."
        )


def battle_arrangement(resolution: str, book_slug: str = "") -> HandOff | None:
    """Return how the battles of a new campaign are fought, or None for its own table.

    Raises UnfitRequest for an unknown resolution or book.
    """
    check_battle_method(resolution)
    check_battle_book(book_slug)
    return hand_off.arrangement(resolution, book_slug)


def check_battle_method(resolution: str) -> None:
    """Raise UnfitRequest for an unknown way of fighting battles."""
    if resolution in (COMBAT_TABLE, TABLETOP):
        return
    try:
        hand_off.check_resolution(resolution)
        book(resolution)
    except (IllegalAction, NoSuchBook) as unknown:
        raise UnfitRequest(
            f"Battles cannot be fought by {resolution!r}: there are {COMBAT_TABLE}, {TABLETOP}, "
            f"{', '.join(books())}."
        ) from unknown


def check_battle_book(slug: str) -> None:
    """Raise UnfitRequest for a book that there is not; none at all is allowed."""
    if slug and slug not in books():
        raise UnfitRequest(f"There is no book {slug!r}: there are {', '.join(books())}.")
