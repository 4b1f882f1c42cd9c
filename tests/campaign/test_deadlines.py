"""Deadlines that are kept: who is waited for, what runs by itself, and what never runs twice."""

import re
from datetime import timedelta
from io import StringIO

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import campaign.tasks
from battles import journal
from campaign.models import AT_TABLE, Campaign, Deadline, Job, OrderSheet
from campaign.services import errors, job_lease
from campaign.services.turns import advance, advance_jobs, deadlines, timetable
from campaign.services.turns.deadlines import keep_deadlines
from campaign.services.turns.timetable import Policy
from campaign.services.umpire import seat_control
from tests.people import People

HOUR = timedelta(hours=1)
WHY = "The post is late."


@pytest.fixture
def clocked(played: Campaign) -> Campaign:
    """A campaign by order sheets with a deadline that stands."""
    return with_policy(played, Policy())


def with_policy(campaign: Campaign, policy: Policy) -> Campaign:
    campaign.mode = Campaign.Mode.ORDERS
    campaign.deadline_policy = msgspec.to_builtins(policy)
    campaign.save()
    timetable.open_deadline(campaign)
    return campaign


def deadline_of(campaign: Campaign) -> Deadline:
    return campaign.deadlines.get(branch=campaign.branch, month=campaign.month)


def pass_hours(campaign: Campaign, hours: float) -> Deadline:
    """Return the deadline as it is that many hours after it was due (before, for less than
    none).
    """
    deadline = deadline_of(campaign)
    grace = deadline.grace_until - deadline.due
    deadline.due = timezone.now() - hours * HOUR
    deadline.grace_until = deadline.due + grace
    deadline.save()
    return deadline


def submit(campaign: Campaign, role: str, **about: object) -> OrderSheet:
    return OrderSheet.objects.create(
        campaign=campaign,
        seat=campaign.seats.get(role=role),
        branch=campaign.branch,
        month=campaign.month,
        submitted=timezone.now(),
        **about,
    )


def jobs(campaign: Campaign) -> int:
    return campaign.jobs.count()


def test_a_month_gets_its_deadline_as_it_begins(clocked: Campaign) -> None:
    deadline = deadline_of(clocked)
    assert timedelta(days=6) < deadline.due - timezone.now() < timedelta(days=8)
    assert deadline.grace_until - deadline.due == 24 * HOUR


def test_the_next_month_never_stands_without_one(clocked: Campaign) -> None:
    """Nobody sees the month without its deadline, nor the last deadline beside it."""
    on = advance.run_month(clocked.pk, until=clocked.month + 1)
    first, second = on.deadlines.order_by("month")
    assert (first.done is None, second.done) == (False, None)
    assert second.month == on.month
    assert second.due > timezone.now()


def test_before_it_is_due_nothing_happens(clocked: Campaign) -> None:
    pass_hours(clocked, -48)
    assert keep_deadlines() == []
    assert jobs(clocked) == 0


def test_those_who_have_sent_nothing_are_reminded_once(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    pass_hours(clocked, -5)
    (kept,) = keep_deadlines()
    assert kept.text == "1 reminded."
    assert keep_deadlines() == []
    assert deadline_of(clocked).reminded is not None


def test_a_month_that_waits_for_a_battle_at_a_table_does_not_run_at_its_deadline(
    clocked: Campaign,
) -> None:
    """It would be logged as run, and wait on."""
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    Campaign.objects.filter(pk=clocked.pk).update(awaited=AT_TABLE)
    pass_hours(clocked, 1)
    assert keep_deadlines() == []
    assert jobs(clocked) == 0
    assert not clocked.umpire_log.exists()
    assert deadline_of(clocked).done is None


def test_an_extension_reminds_nobody_again(clocked: Campaign, people: People) -> None:
    pass_hours(clocked, -5)
    keep_deadlines()
    deadlines.extend(clocked.pk, people.umpire, 10, seen=0, reason=WHY)
    pass_hours(clocked, -5)
    assert keep_deadlines() == []


@pytest.mark.django_db(transaction=True)
def test_when_all_have_submitted_the_month_runs_at_its_hour(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    pass_hours(clocked, 0.01)
    (kept,) = keep_deadlines()
    assert kept.text == "The month runs."
    on = Campaign.objects.get(pk=clocked.pk)
    assert on.month == clocked.month + 1
    assert on.umpire_log.filter(by="clock").exists()


@pytest.mark.django_db(transaction=True)
def test_submitted_is_enough_and_an_empty_sheet_is_a_sheet(clocked: Campaign) -> None:
    """Neither "ready" nor a single order is asked for: who has submitted is no no-show."""
    submit(clocked, "egyptian", ready=False)
    submit(clocked, "mahdist", ready=False)
    pass_hours(clocked, 30)
    keep_deadlines()
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1
    assert not clocked.seats.filter(staff=True).exists()


def test_a_draft_is_not_submitted_however_long_it_is(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    sheet = submit(clocked, "mahdist")
    OrderSheet.objects.filter(pk=sheet.pk).update(submitted=None, revision=12)
    pass_hours(clocked, 1)
    assert keep_deadlines() == []


def test_within_grace_the_month_waits_for_who_is_late(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    pass_hours(clocked, 23)
    assert keep_deadlines() == []
    assert jobs(clocked) == 0


@pytest.mark.django_db(transaction=True)
def test_who_is_late_within_grace_is_not_late_at_all(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    pass_hours(clocked, 5)
    keep_deadlines()
    submit(clocked, "mahdist")
    keep_deadlines()
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


def test_after_grace_the_month_is_held_where_that_was_agreed(clocked: Campaign) -> None:
    pass_hours(clocked, 100)
    assert keep_deadlines() == []
    assert deadline_of(clocked).done is None


@pytest.mark.django_db(transaction=True)
def test_after_grace_the_staff_plays_his_month_where_that_was_agreed(played: Campaign) -> None:
    campaign = with_policy(played, Policy(no_show="staff"))
    submit(campaign, "egyptian")
    pass_hours(campaign, 25)
    keep_deadlines()
    on = Campaign.objects.get(pk=campaign.pk)
    assert on.month == campaign.month + 1
    assert not on.seats.filter(staff=True).exists()
    sheets = on.sheets.filter(month=campaign.month, by_staff=True)
    assert [sheet.seat.role for sheet in sheets] == ["mahdist"]
    assert on.umpire_log.filter(said__contains="the staff plays their month").exists()


@pytest.mark.django_db(transaction=True)
def test_a_seat_of_the_staff_holds_nobody_up(clocked: Campaign, people: People) -> None:
    seat = clocked.seats.get(role="mahdist")
    seat_control.hand_to_staff(clocked.pk, people.umpire, seat.pk, reason=WHY)
    submit(clocked, "egyptian")
    pass_hours(clocked, 0.01)
    keep_deadlines()
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


def test_a_removed_player_has_submitted_nothing(clocked: Campaign, people: People) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    seat = clocked.seats.get(role="mahdist")
    seat_control.remove_player(clocked.pk, people.umpire, seat.pk, reason=WHY)
    pass_hours(clocked, 1)
    assert keep_deadlines() == []


@pytest.mark.django_db(transaction=True)
def test_a_deadline_runs_one_month_however_often_it_is_looked_at(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    pass_hours(clocked, 1)
    keep_deadlines()
    keep_deadlines()
    assert jobs(clocked) == 1
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


def test_a_deadline_that_another_holds_is_left_to_it(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    deadline = pass_hours(clocked, 1)
    deadline.claim, deadline.claimed = "another worker", timezone.now()
    deadline.save()
    assert keep_deadlines() == []
    assert jobs(clocked) == 0


@pytest.mark.django_db(transaction=True)
def test_a_deadline_whose_holder_has_died_is_taken_over(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    deadline = pass_hours(clocked, 1)
    deadline.claim, deadline.claimed = "a dead worker", timezone.now() - job_lease.LEASE - HOUR
    deadline.save()
    keep_deadlines()
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


@pytest.mark.django_db(transaction=True)
def test_a_month_that_a_dead_worker_has_left_is_handed_over_again(clocked: Campaign) -> None:
    job = advance_jobs.book_advance(clocked.pk)
    gone = timezone.now() - job_lease.LEASE - HOUR
    Job.objects.filter(pk=job.pk).update(status="running", claim="dead", touched=gone)
    keep_deadlines()
    job.refresh_from_db()
    assert job.status == Job.Status.SUCCEEDED
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


def test_a_deadline_of_a_month_that_is_past_runs_nothing(clocked: Campaign) -> None:
    Deadline.objects.filter(pk=deadline_of(clocked).pk).update(month=clocked.month - 1)
    Deadline.objects.update(due=timezone.now() - HOUR, grace_until=timezone.now() - HOUR)
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    keep_deadlines()
    assert jobs(clocked) == 0
    assert Deadline.objects.get().done is not None


def test_extensions_have_a_ceiling(clocked: Campaign, people: People) -> None:
    before = deadline_of(clocked).due
    deadlines.extend(clocked.pk, people.umpire, 90, seen=0, reason=WHY)
    with pytest.raises(errors.UnfitRequest, match=r"96 hours in all \(left: 6"):
        deadlines.extend(clocked.pk, people.umpire, 7, seen=90 * 60, reason=WHY)
    assert deadline_of(clocked).due - before == 90 * HOUR


def test_pressed_twice_it_is_extended_once(clocked: Campaign, people: People) -> None:
    before = deadline_of(clocked).due
    deadlines.extend(clocked.pk, people.umpire, 24, seen=0, reason=WHY)
    with pytest.raises(journal.Stale, match="extended since you looked"):
        deadlines.extend(clocked.pk, people.umpire, 24, seen=0, reason=WHY)
    assert deadline_of(clocked).due - before == 24 * HOUR


@pytest.mark.parametrize(
    ("stopped", "words"),
    [(False, "1 hour later: it is due on "), (True, "1 hour later; the clock is")],
)
def test_an_extension_names_the_hour_only_while_the_clock_runs(
    clocked: Campaign, people: People, stopped: bool, words: str
) -> None:
    client = Client()
    client.force_login(people.umpire)
    if stopped:
        deadlines.pause(clocked.pk, people.umpire, reason=WHY)
    given = {"do": "extend", "hours": "1", "seen": "0", "reason": WHY}
    page = client.post(reverse("command", args=[clocked.slug]), given, follow=True)
    said = [str(message) for message in page.context["messages"]]
    entry = clocked.umpire_log.first()
    assert entry is not None
    assert [text for text in (*said, entry.said) if words not in text] == []
    assert "it is ." not in page.content.decode()


def test_a_clock_that_is_stopped_runs_nothing(clocked: Campaign, people: People) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    deadlines.pause(clocked.pk, people.umpire, reason=WHY)
    pass_hours(clocked, 1)
    assert keep_deadlines() == []
    deadlines.resume_clock(clocked.pk, people.umpire)
    assert deadline_of(clocked).due > timezone.now()
    assert deadline_of(clocked).paused is None


def test_what_the_deadline_will_be_is_said_before_the_clock_goes_on_and_after(
    clocked: Campaign, people: People
) -> None:
    client = Client()
    client.force_login(people.umpire)

    def pressed(what: str) -> str:
        given = {"do": what, "reason": WHY}
        answer = client.post(reverse("command", args=[clocked.slug]), given, follow=True)
        return re.sub("</?time[^>]*>", "", answer.content.decode())

    def said() -> str:
        return timetable.due_in_words(clocked)

    assert "A shorter stop does not move the deadline" in pressed("nothing")
    pass_hours(clocked, -30)
    stopped = pressed("pause")
    promised = re.search(r"If you start it again now, the month is (due on [^<]+\))\.", stopped)
    gone_on = pressed("go on")
    assert promised
    assert promised[1] == said()
    assert f"The clock goes on: the month is {said()}." in gone_on
    assert f"The clock goes on: the month is {said()}." in [
        one.said for one in clocked.umpire_log.all()
    ]
    adjourned = pressed("adjourn")
    promised = re.search(r"If you resume it now, its month is (due on [^<]+\))\.", adjourned)
    taken_up = pressed("take up")
    assert f"The campaign goes on, and its month is {said()}." in taken_up
    assert promised
    assert promised[1] == said()


def test_adjourned_the_clock_stands_and_taken_up_it_goes_on(
    clocked: Campaign, people: People
) -> None:
    seat_control.adjourn(clocked.pk, people.umpire, reason=WHY)
    assert deadline_of(clocked).paused is not None
    pass_hours(clocked, 300)
    assert keep_deadlines() == []
    with pytest.raises(journal.Refused, match="adjourned"):
        deadlines.resume_clock(clocked.pk, people.umpire)
    seat_control.take_up(clocked.pk, people.umpire)
    assert deadline_of(clocked).due > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_the_command_does_what_the_worker_does(clocked: Campaign) -> None:
    out = StringIO()
    call_command("deadlines_due", stdout=out)
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    pass_hours(clocked, 1)
    call_command("deadlines_due", stdout=out)
    assert out.getvalue() == f"Nothing is due.\n{clocked.slug}: The month runs.\n"
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


@pytest.mark.django_db(transaction=True)
def test_the_workers_task_keeps_deadlines_too(clocked: Campaign) -> None:
    submit(clocked, "egyptian")
    submit(clocked, "mahdist")
    pass_hours(clocked, 1)
    campaign.tasks.deadlines_due.delay()
    assert Campaign.objects.get(pk=clocked.pk).month == clocked.month + 1


def test_only_the_umpire_sets_the_clock(clocked: Campaign, people: People) -> None:
    with pytest.raises(errors.NotAllowed):
        deadlines.extend(clocked.pk, people.egyptian, 1, seen=0, reason=WHY)
    with pytest.raises(errors.NotAllowed):
        deadlines.pause(clocked.pk, people.mahdist, reason=WHY)
    with pytest.raises(errors.NotAllowed):
        deadlines.set_policy(clocked.pk, people.egyptian, None)


def test_deadlines_begin_and_end_with_a_word_of_the_umpire(
    clocked: Campaign, people: People
) -> None:
    deadlines.set_policy(clocked.pk, people.umpire, None)
    assert deadline_of(clocked).done is not None
    deadlines.set_policy(clocked.pk, people.umpire, Policy(zone="Africa/Khartoum", hour=6))
    clocked.refresh_from_db()
    assert clocked.deadline_policy["zone"] == "Africa/Khartoum"
    assert deadline_of(clocked).done is None
    said = clocked.umpire_log.first()
    assert said is not None
    assert said.said == "Orders are due every 7 days at 06:00 (Africa/Khartoum)."


def test_a_campaign_without_order_sheets_has_no_deadlines(
    campaign: Campaign, people: People
) -> None:
    with pytest.raises(errors.UnfitRequest, match="by order sheets"):
        deadlines.set_policy(campaign.pk, people.umpire, Policy())


def test_a_policy_that_cannot_be_kept_is_refused(clocked: Campaign, people: People) -> None:
    with pytest.raises(errors.UnfitRequest, match="no time zone"):
        deadlines.set_policy(clocked.pk, people.umpire, Policy(zone="Moon/Copernicus"))
