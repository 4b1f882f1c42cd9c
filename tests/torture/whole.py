"""Checks of a campaign after anything around it was killed, cut off or filled up."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from battles.models import Battle
from campaign import serialization
from campaign.access.selectors import battle_awaited
from campaign.models import Campaign, Deadline, Job, OrderSheet, Receipt
from campaign.rules.core.events import MonthBegan, PhaseBegan
from campaign.rules.core.play import MONTH
from campaign.services.battle_reports import SETTLES, number_in
from campaign.services.journal.audit import check_fold, check_hashes, entries_of, replay_check
from campaign.services.order_submission import sheet_hash
from campaign.services.pending_battle import owner_of

PHASES = [(side, phase) for _, phase, side in MONTH if phase is not None]


class Whole(NamedTuple):
    """The counts of a checked campaign."""

    months: int
    entries: int
    phases: int
    sheets: int
    battles: int


def check_whole(campaign: Campaign, *, by_rules: bool = False) -> Whole:
    """Return the counts of the campaign. Raise AssertionError or Damaged if it is not whole.

    Its journal has no gap and gives the head and every month's beginning (with `by_rules` its
    actions played again give its events); every month has begun once, every phase of it once and
    in order; every sheet that was handed in is there as its receipt says; no battle is half told.
    """
    (replay_check if by_rules else _check_journal)(campaign)
    months, phases = _check_months(campaign)
    _check_dice(campaign)
    _check_deadlines(campaign)
    sheets, battles = _check_sheets(campaign), check_battles(campaign)
    return Whole(months, campaign.entries.count(), phases, sheets, battles)


def _check_journal(campaign: Campaign) -> None:
    check_hashes(campaign)
    check_fold(campaign)


def _check_months(campaign: Campaign) -> tuple[int, int]:
    """Months and phases begun, each once and in order; a month's beginning kept once."""
    months = list(_phases_by_month(campaign))
    numbers = [month for month, _ in months]
    assert numbers == list(range(campaign.first_month, campaign.month + 1)), numbers
    for month, phases in months[:-1]:
        assert phases == PHASES, (month, phases)
    _, last = months[-1]
    assert last == PHASES[: len(last)], last
    kept = Counter(campaign.snapshots.exclude(entry=None).values_list("month", flat=True))
    assert set(kept.values()) <= {1}, kept
    return len(months), sum(len(phases) for _, phases in months)


def _phases_by_month(campaign: Campaign) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    month: int = campaign.first_month
    phases: list[tuple[str, str]] = []
    for entry in entries_of(campaign, campaign.branches.get(number=campaign.branch)):
        for event in serialization.events_of(entry):
            if isinstance(event, MonthBegan):
                yield month, phases
                month, phases = event.month, []
            elif isinstance(event, PhaseBegan):
                phases.append((event.side, event.phase))
    yield month, phases


def _check_dice(campaign: Campaign) -> None:
    """The dice of the months that are over are published, and of none that is not."""
    for seal in campaign.seals.filter(branch=campaign.branch):
        over = seal.month < campaign.month or campaign.finished
        assert (seal.link is not None) == over, seal


def _check_deadlines(campaign: Campaign) -> None:
    waiting = Deadline.objects.filter(campaign=campaign, done=None)
    assert set(waiting.values_list("month", flat=True)) <= {campaign.month}


def _check_sheets(campaign: Campaign) -> int:
    """Every sheet is as its last receipt says; of those of a month that is over each has one."""
    sheets = OrderSheet.objects.filter(campaign=campaign, revision__gt=0)
    for sheet in sheets:
        written = sheet.receipts.exclude(kind=Receipt.Kind.CARRIED_OUT).first()
        assert written is not None, sheet
        assert (written.revision, written.hash) == (sheet.revision, sheet_hash(sheet)), sheet
        told = sheet.receipts.filter(kind=Receipt.Kind.CARRIED_OUT).count()
        over = sheet.month < campaign.month or campaign.finished
        assert told == int(over), (sheet, told)
        assert (sheet.begun is not None) or not over, sheet
    return len(sheets)


def check_battles(campaign: Campaign) -> int:
    """Return how many have been settled, each once in the journal.

    What is reported is settled, but for the battle that the campaign still waits for: its book
    may have fought it out when the worker was killed, and does so again, to the same end.
    """
    ours = Battle.objects.filter(owner=owner_of(campaign)).exclude(reported=None)
    reported = set(ours.values_list("brief_id", flat=True))
    keys = campaign.entries.filter(key__startswith=SETTLES).values_list("key", flat=True)
    settled = Counter(number_in(key) for key in keys if key)
    assert set(settled.values()) <= {1}, settled
    waiting = battle_awaited(campaign)
    left = {waiting.brief.id} if waiting else set()
    assert reported <= set(settled) | left, (settled, reported, left)
    return len(settled)


def asked_for(campaign: Campaign) -> int:
    """Return the months that the campaign's jobs were asked for, and that nobody has refused."""
    jobs = Job.objects.filter(campaign=campaign).exclude(status=Job.Status.FAILED)
    return sum(jobs.values_list("months", flat=True))
