"""The showcase: a siege in progress that anyone may watch, and the last one with its debrief.

The staff plays both sides, a month a day, by dice from fixed seeds, so that the first of them are
the same on every site. When a siege is over the next begins, and all but the last one are deleted.
"""

from hashlib import sha256
from typing import NamedTuple

from django.db.models import QuerySet

from battles.contract.brief import Side
from campaign.models import Campaign, MonthSeal
from campaign.rules.tables.scenario_loader import first_to_play
from campaign.services.journal import creation
from campaign.services.journal.dice import commitment
from campaign.services.order_submission import SALT
from campaign.services.turns.advance import run_month

MADE_BY = "showcase"
"""The opener of the campaign's first branch; a person's campaign has that person there."""
DEMO = "demo"
FIRST_SEED = 3
MONTHS_BEHIND = 5
"""Months that the siege in progress has behind it when it is made."""
ALL_MONTHS = 60
"""More months than any scenario has, to play a campaign to its end."""
OPEN_TITLE, OVER_TITLE = "Khartoum today", "Khartoum, as it ended"


class Showcase(NamedTuple):
    """The campaigns to watch; None where there is none."""

    in_progress: Campaign | None
    over: Campaign | None


def showcase() -> Showcase:
    """Return the newest siege in progress and the newest that is over."""
    shown = _made_by(MADE_BY).filter(fog=False)
    over = _made_by(MADE_BY, DEMO).filter(finished=True).order_by("-pk").first()
    return Showcase(shown.filter(finished=False).order_by("-pk").first(), over)


def _made_by(*makers: str) -> QuerySet[Campaign]:
    """Return the public campaigns that this module has created."""
    campaigns = Campaign.objects.filter(public=True, branches__number=0, branches__by__in=makers)
    return campaigns.defer("document", "secret_seed")


def make_showcase() -> Showcase:
    """Return the showcase; its missing campaigns are created and played first."""
    now = showcase()
    if now.over is None:
        _play(_begin(OVER_TITLE, FIRST_SEED, fog=True), ALL_MONTHS)
    seed = FIRST_SEED
    while showcase().in_progress is None:
        seed += 1
        campaign = _begin(OPEN_TITLE, seed, fog=False)
        _play(campaign, MONTHS_BEHIND)
        if Campaign.objects.get(pk=campaign.pk).finished:
            campaign.delete()
    return showcase()


def advance_showcase() -> Showcase | None:
    """Play a month of the siege in progress; begin the next when it is over.

    Return None on a site that has no showcase.
    """
    shown = _made_by(MADE_BY).order_by("-pk")
    if not shown.exists():
        return None
    current = showcase().in_progress
    if current is None:
        current = _begin(OPEN_TITLE, FIRST_SEED + shown[0].pk + 1, fog=False)
    else:
        _play(current, 1)
    for older in _made_by(MADE_BY).filter(finished=True).order_by("-pk")[1:]:
        older.delete()
    return showcase()


def _begin(title: str, seed: int, *, fog: bool) -> Campaign:
    terms = creation.NewCampaignTerms(
        first_to_play().slug,
        title,
        public=True,
        fog=fog,
        seed=sha256(f"{MADE_BY} {seed}".encode()).digest(),
    )
    return creation.create_campaign(terms, by=MADE_BY)


def _play(campaign: Campaign, months: int) -> None:
    """Play so many months, each with salts that follow from the seed."""
    for _ in range(months):
        campaign = Campaign.objects.get(pk=campaign.pk)
        if campaign.finished:
            return
        seal = MonthSeal.objects.get(
            campaign=campaign, branch=campaign.branch, month=campaign.month
        )
        for side in Side:
            text = f"{campaign.month} {side}".encode()
            salt = sha256(bytes(campaign.secret_seed) + text).digest()[:SALT]
            seal.salts[side.value] = salt.hex()
            seal.commitments[side.value] = commitment(salt)
        seal.save()
        run_month(campaign.pk, until=campaign.month + 1)
