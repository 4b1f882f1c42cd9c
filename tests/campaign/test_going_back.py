"""Going back as the umpire does it: nothing that hung on the month is left as it was."""

import msgspec
import pytest
from django.utils import timezone

from battles import journal
from campaign.models import Campaign, Entry, OrderSheet, Throw
from campaign.services import errors
from campaign.services.journal import audit, rewind
from campaign.services.turns import advance, timetable
from campaign.services.turns.timetable import Policy
from campaign.services.umpire.rulings import throw_by_hand
from tests.people import People

WHY = "The odds were misread."


@pytest.fixture
def clocked(played: Campaign) -> Campaign:
    """A campaign by order sheets, two months on, with its deadline and a sheet submitted."""
    played.mode = Campaign.Mode.ORDERS
    played.deadline_policy = msgspec.to_builtins(Policy())
    played.save()
    timetable.open_deadline(played)
    for month in (played.month, played.first_month + 1):
        OrderSheet.objects.create(
            campaign=played,
            seat=played.seats.get(role="egyptian"),
            branch=0,
            month=month,
            submitted=timezone.now(),
            ready=True,
        )
    return played


def entry_in(campaign: Campaign, month: int) -> Entry:
    return campaign.entries.filter(month=month)[5]


def test_it_is_told_what_would_be_left(played: Campaign) -> None:
    entry = entry_in(played, played.first_month)
    way = rewind.preview_rewind(played, entry)
    assert way.entries == played.entries.filter(number__gt=entry.number).count()
    assert way.months == 2
    assert way.state.month == played.first_month


def test_what_both_branches_share_is_not_abandoned(played: Campaign, people: People) -> None:
    """Back to the branch that was abandoned: only the entries made since the rewind are left."""
    end, early = played.head, entry_in(played, played.first_month)
    assert end is not None
    rewind.rewind_to(played.pk, people.umpire, early, reason=WHY)
    played.refresh_from_db()
    assert rewind.preview_rewind(played, end)[2:] == (0, 0)
    advance.run_month(played.pk, until=played.month + 1)
    played.refresh_from_db()
    left = played.entries.filter(branch=1).count()
    assert rewind.preview_rewind(played, end)[2:] == (left, 1)


def test_the_deadline_goes_back_too(clocked: Campaign, people: People) -> None:
    rewind.rewind_to(clocked.pk, people.umpire, entry_in(clocked, clocked.month - 1), reason=WHY)
    clocked.refresh_from_db()
    old, new = clocked.deadlines.order_by("branch")
    assert old.done is not None
    assert (new.branch, new.month, new.done) == (1, clocked.month, None)


def test_sheets_come_along_as_drafts_and_none_runs_unseen(
    clocked: Campaign, people: People
) -> None:
    rewind.rewind_to(clocked.pk, people.umpire, entry_in(clocked, clocked.month - 1), reason=WHY)
    clocked.refresh_from_db()
    copies = clocked.sheets.filter(branch=1)
    assert clocked.month in {sheet.month for sheet in copies}
    assert {(sheet.submitted, sheet.ready) for sheet in copies} == {(None, False)}
    assert clocked.sheets.filter(branch=0, ready=True).count() == 2


def test_dice_that_were_waited_for_are_forgotten(played: Campaign, people: People) -> None:
    throw_by_hand(played.pk, people.umpire, yes=True)
    advance.run_month(played.pk, until=played.month + 1)
    played.refresh_from_db()
    assert Throw.objects.filter(campaign=played).exists()
    rewind.rewind_to(played.pk, people.umpire, entry_in(played, played.first_month), reason=WHY)
    assert not Throw.objects.exists()


def test_the_reason_is_public_and_the_branch_in_sight(played: Campaign, people: People) -> None:
    rewind.rewind_to(played.pk, people.umpire, entry_in(played, played.first_month), reason=WHY)
    played.refresh_from_db()
    new, old = rewind.branch_summaries(played)
    assert (new.present, old.present) == (True, False)
    assert new.branch.reason == WHY
    assert old.entries == played.entries.filter(branch=0).count()
    assert WHY in played.umpire_log.get().said


def test_a_page_that_is_behind_takes_nobody_back(played: Campaign, people: People) -> None:
    with pytest.raises(journal.Stale, match="look again"):
        rewind.rewind_to(
            played.pk,
            people.umpire,
            entry_in(played, played.first_month),
            reason=WHY,
            expected_head=1,
        )


@pytest.mark.parametrize("who", ["egyptian", "spectator", "stranger"])
def test_nobody_but_an_umpire_goes_back(played: Campaign, people: People, who: str) -> None:
    entry = entry_in(played, played.first_month)
    with pytest.raises(errors.NotAllowed):
        rewind.rewind_to(played.pk, getattr(people, who), entry, reason=WHY)
    played.refresh_from_db()
    assert played.branch == 0


def test_the_dice_of_the_branch_are_others_and_all_are_proved(
    played: Campaign, people: People
) -> None:
    entry = entry_in(played, played.first_month + 1)
    rewind.rewind_to(played.pk, people.umpire, entry, reason=WHY)
    on = advance.run_month(played.pk, until=played.month)
    audit.verify_dice(on)
    old = on.seals.get(branch=0, month=entry.month)
    new = on.seals.get(branch=1, month=entry.month)
    assert old.link != new.link
