"""Going back: what is left, where it would lead, and all that goes back with it."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count

from battles import journal
from campaign import selectors
from campaign.models import Branch, Campaign, Entry, Throw
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.services.create import rewind
from campaign.services.errors import Stale, Unfit
from campaign.services.live import staff_answers_on_commit
from campaign.services.minutes import minute, reason_given, umpire_of
from campaign.services.orders import copy_sheets


class Way(NamedTuple):
    """What going back to an entry means: how it stood then, and how much would be left behind."""

    entry: Entry
    state: State
    entries: int
    months: int


class Line(NamedTuple):
    """A branch as it is kept in sight: its last entry, and how many it has of its own."""

    branch: Branch
    last: Entry | None
    entries: int
    present: bool


def way_back(campaign: Campaign, entry: Entry) -> Way:
    """What going back there would mean. Unfit for an entry of another campaign."""
    if entry.campaign_id != campaign.pk:
        raise Unfit("That entry belongs to another campaign.")
    state = selectors.state_after(campaign, entry)
    on_it = selectors.entries_on(campaign).filter(pk=entry.pk).exists()
    left = selectors.entries_on(campaign)
    left = left.filter(number__gt=entry.number) if on_it else left
    return Way(entry, state, left.count(), max(0, campaign.month - state.month))


def go_back(
    campaign_id: int,
    user: User,
    entry: Entry,
    *,
    reason: str,
    expected_head: int | None = None,
) -> Branch:
    """Go back to where the entry was the last, on a new branch with dice of its own.

    Nothing is lost: the branch that is left stays in sight with its reason. Sheets of the month
    come along as drafts, to be submitted anew; deadlines, battles, and dice that were waited for
    are those of the new branch. Raises NotAllowed, Stale, UnderWay and Unfit.
    """
    with transaction.atomic():
        campaign = journal.locked(Campaign.objects.all(), campaign_id)
        by, why = umpire_of(campaign, user), reason_given(reason)
        if expected_head is not None and expected_head != (campaign.head_id or 0):
            raise Stale("The campaign has gone on since you looked; look again before going back.")
        left, debriefed = campaign.branch, campaign.finished and campaign.fog
        branch = rewind(campaign.pk, entry, reason=why[:200], by=by)
        campaign.refresh_from_db()
        Throw.objects.filter(campaign=campaign).delete()
        copy_sheets(campaign, left)
        here = month_name(Month(campaign.month))
        seen = " The campaign had ended, and its debrief was open." if debriefed else ""
        minute(campaign, by, f"Rewound to {here}, entry {entry.number}. {why}{seen}")
        staff_answers_on_commit(campaign.pk)
    return branch


def lines(campaign: Campaign) -> list[Line]:
    """Every branch there has been, the latest first."""
    counted = dict(campaign.entries.values_list("branch").annotate(n=Count("pk")))
    ends = campaign.entries.order_by("branch", "number")
    last = {entry.branch: entry for entry in ends.defer("action", "events", "rolls")}
    return [
        Line(
            branch,
            last.get(branch.number, branch.parent),
            counted.get(branch.number, 0),
            branch.number == campaign.branch,
        )
        for branch in campaign.branches.select_related("parent").order_by("-number")
    ]
