"""Find what has happened lately that is mailed."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet

from battles.models import Battle
from campaign.models import (
    Branch,
    Campaign,
    CampaignLetter,
    Deadline,
    Invitation,
    LetterCopy,
    Receipt,
    UmpireLogEntry,
)
from campaign.services.pending_battle import OWNER

NEWS_AGE = timedelta(days=3)
"""The greatest age of news that is mailed, so that a new mail set-up sends no old news."""


def campaigns_that_went_on(since: datetime) -> set[int]:
    """Return the campaigns that were created, went on or were rewound since then."""
    recent = Campaign.objects.filter(head__created__gte=since)
    begun = Campaign.objects.filter(created__gte=since)
    rewound = Branch.objects.filter(number__gt=0, created__gte=since)
    return _numbers(
        recent.values_list("pk", flat=True),
        begun.values_list("pk", flat=True),
        rewound.values_list("campaign", flat=True),
    )


def campaigns_with_activity(since: datetime) -> set[int]:
    """Return the campaigns in which people did something since then, or a deadline came near.

    A month may take many days. In the middle of one reminders are due, orders come in, letters are
    written, battles are fought, and seats change hands: by an invitation or, as the umpire log
    says, by the umpire.
    """
    fought = Battle.objects.filter(head__created__gte=since, owner__startswith=f"{OWNER}:")
    slugs = [owner.partition(":")[2] for owner in fought.values_list("owner", flat=True)]
    return _numbers(
        Campaign.objects.filter(slug__in=slugs).values_list("pk", flat=True),
        Deadline.objects.filter(reminded__gte=since, done=None).values_list("campaign", flat=True),
        Receipt.objects.filter(created__gte=since).values_list("sheet__campaign", flat=True),
        CampaignLetter.objects.filter(created__gte=since).values_list("campaign", flat=True),
        LetterCopy.objects.filter(arrived__gte=since).values_list("letter__campaign", flat=True),
        Invitation.objects.filter(used__gte=since).values_list("campaign", flat=True),
        UmpireLogEntry.objects.filter(created__gte=since).values_list("campaign", flat=True),
    )


def receipts_of_writers(campaign: Campaign, since: datetime) -> QuerySet[Receipt]:
    """Return the receipts since then for orders that were submitted or carried out.

    They are those of writers who still hold the seat: its next holder has not given these orders.
    """
    return Receipt.objects.filter(
        kind__in=(Receipt.Kind.SUBMITTED, Receipt.Kind.CARRIED_OUT),
        created__gte=since,
        sheet__campaign=campaign,
        sheet__withdrawn=False,
        sheet__by=F("sheet__seat__user"),
    )


def _numbers(*columns: QuerySet[Any, int]) -> set[int]:
    return {number for column in columns for number in column.distinct()}
