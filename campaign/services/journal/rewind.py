"""Rewind a campaign: preview it, carry it out, list the branches and the battles it undid."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count

from battles import journal
from campaign.access import selectors
from campaign.models import Branch, Campaign, Entry, Throw
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.services.battle_reports import SETTLES
from campaign.services.errors import Stale, UnfitRequest
from campaign.services.journal.creation import branch_from
from campaign.services.journal.dice import SERVER
from campaign.services.letters import keep_arrived
from campaign.services.order_submission import copy_sheets
from campaign.services.turns.live import staff_answers_on_commit
from campaign.services.umpire.rulings import lock_as_umpire, log_entry, reason_given


class RewindPreview(NamedTuple):
    """The consequences of a rewind: the state then, and the entries and months left behind.

    What the present line shares with the one gone back to is not left.
    """

    entry: Entry
    state: State
    entries: int
    months: int


class BranchSummary(NamedTuple):
    """A branch with its last entry and the number of its own entries."""

    branch: Branch
    last: Entry | None
    entries: int
    present: bool


def preview_rewind(campaign: Campaign, entry: Entry) -> RewindPreview:
    """Return what a rewind to the entry would leave behind.

    Raises UnfitRequest for another campaign's.
    """
    if entry.campaign_id != campaign.pk:
        raise UnfitRequest("That entry belongs to another campaign.")
    line = selectors.line_of(campaign)
    shared = journal.last_shared_entry(line, selectors.line_of(campaign, entry))
    left = selectors.entries_on(campaign, line).filter(number__gt=shared[1] if shared else 0)
    return RewindPreview(
        entry,
        selectors.state_after(campaign, entry),
        left.count(),
        campaign.month - _month_after(campaign, shared),
    )


def _month_after(campaign: Campaign, place: tuple[int, int] | None) -> int:
    """Return the month in which the campaign stood after the entry of that branch and number."""
    if place is None:
        return campaign.first_month
    branch, number = place
    return selectors.state_after(campaign, campaign.entries.get(branch=branch, number=number)).month


def rewind_to(
    campaign_id: int, user: User, entry: Entry, *, reason: str, expected_head: int | None = None
) -> Branch:
    """Rewind to the entry, on a new branch with its own dice.

    Nothing is lost: the old branch stays visible with the reason. Sheets of the month are copied as
    drafts and must be submitted again; deadlines, battles and awaited dice are those of the new
    branch. Raises NotAllowed, Stale, UnderWay and UnfitRequest.
    """
    with transaction.atomic():
        campaign, actor = lock_as_umpire(campaign_id, user)
        reason_text = reason_given(reason)
        if expected_head is not None and expected_head != (campaign.head_id or 0):
            raise Stale("The campaign has gone on since you looked; look again before you rewind.")
        debriefed = campaign.finished and campaign.fog
        keep_arrived(campaign)
        branch = branch_from(campaign.pk, entry, reason=reason_text[:200], by=actor)
        campaign.refresh_from_db()
        Throw.objects.filter(campaign=campaign).delete()
        copy_sheets(campaign)
        month = month_name(Month(campaign.month))
        debrief_note = " The campaign had ended, and its debrief was open." if debriefed else ""
        log_entry(
            campaign,
            actor,
            f"Rewound to {month}, entry {entry.number}. {reason_text}{debrief_note}",
        )
        staff_answers_on_commit(campaign.pk)
    return branch


def branch_summaries(campaign: Campaign) -> list[BranchSummary]:
    """Return every branch of the campaign, the latest first."""
    counts = dict(campaign.entries.values_list("branch").annotate(n=Count("pk")))
    ends = campaign.entries.order_by("branch", "number")
    last = {entry.branch: entry for entry in ends.defer("action", "events", "rolls")}
    return [
        BranchSummary(
            branch,
            last.get(branch.number, branch.parent),
            counts.get(branch.number, 0),
            branch.number == campaign.branch,
        )
        for branch in campaign.branches.select_related("parent").order_by("-number")
    ]


NOTICE_MONTHS = 1
"""The months after the one rewound to in which the notice is still shown."""


class RewindNotice(NamedTuple):
    """A rewind: to which month, why, by whom and when."""

    branch: int
    month: str
    reason: str
    by: str
    created: datetime

    @property
    def text(self) -> str:
        """Return the beginning of the notice: `rewound to October 1882 on 22 November 2026`."""
        return f"rewound to {self.month} on {_date(self.created)}"

    @property
    def mark(self) -> str:
        """Return the note shown beside a battle that the rewind undid."""
        return (
            f"Abandoned by the rewind of {_date(self.created)} to {self.month}: it no longer "
            f"counts in the campaign. The umpire’s reason: {self.reason}"
        )


def latest_rewind(campaign: Campaign) -> RewindNotice | None:
    """Return the last rewind while it is news: in the month rewound to, and the one after."""
    branches = campaign.branches.filter(number=campaign.branch).exclude(by=SERVER)
    branch = branches.exclude(parent=None).first()
    if branch is None:
        return None
    began = _month_rewound_to(campaign, branch)
    return _notice_of(branch, began) if campaign.month <= began + NOTICE_MONTHS else None


def undone_battles(campaign: Campaign, battles: Iterable[str]) -> Mapping[str, RewindNotice]:
    """Return the rewind that undid each battle, by the number of its brief; others are left out."""
    branches = list(campaign.branches.exclude(parent=None).select_related("parent"))
    if not branches:
        return {}
    by_actor = {f"{SETTLES}{battle}": battle for battle in battles}
    settled = campaign.entries.filter(key__in=by_actor).values_list("key", "pk", "branch")
    undone = _undone_entries(campaign, branches, {pk: branch for _, pk, branch in settled})
    by_battle = {by_actor[key]: undone.get(pk) for key, pk, _ in settled if key}
    results = {}
    for battle in by_actor.values():
        branch = by_battle[battle] if battle in by_battle else _rewind_that_left(branches, battle)
        if branch is not None:
            results[battle] = _notice_of(branch, _month_rewound_to(campaign, branch))
    return results


def _undone_entries(
    campaign: Campaign, branches: Iterable[Branch], entries: Mapping[int, int]
) -> dict[int, Branch]:
    """Return the entries that are off the present line, each with the rewind that undid it.

    `entries` maps each entry to its branch. A later rewind to the old line brings an entry back.
    """
    undone: dict[int, Branch] = {}
    for branch in sorted(branches, key=lambda candidate: candidate.number):
        line = selectors.entries_on(campaign, selectors.line_of(campaign, branch.parent))
        shared_entries = set(line.filter(pk__in=entries).values_list("pk", flat=True))
        for entry, made_on in entries.items():
            if entry in shared_entries:
                undone.pop(entry, None)
            elif made_on < branch.number:
                undone.setdefault(entry, branch)
    return undone


def _rewind_that_left(branches: Iterable[Branch], battle: str) -> Branch | None:
    """Return the rewind that left the battle before it was over.

    Its number ends in the branch it was begun on; the next rewind left that branch.
    """
    begun_on = battle.rpartition("-")[2]
    return next((branch for branch in branches if str(branch.number - 1) == begun_on), None)


def _month_rewound_to(campaign: Campaign, branch: Branch) -> int:
    """Return the month rewound to: the first whose dice were sealed on the branch."""
    first = campaign.seals.filter(branch=branch.number).order_by("month").first()
    return first.month if first else campaign.month


def _notice_of(branch: Branch, month: int) -> RewindNotice:
    name = month_name(Month(month))
    return RewindNotice(branch.number, name, branch.reason, branch.by, branch.created)


def _date(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
