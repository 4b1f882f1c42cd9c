"""Whole months by the computer's staff: asked for, carried out, killed, taken up again."""

from datetime import timedelta
from time import sleep
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from battles import journal
from battles.contract.brief import Side
from campaign import tasks
from campaign.models import Campaign, Job
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import Phase
from campaign.services import battle_reports, errors, job_lease
from campaign.services.journal import audit
from campaign.services.journal.campaign_session import CampaignSession
from campaign.services.turns import advance, advance_jobs
from campaign.services.turns.month_by_orders import Answerer, StaffAnswerer
from tests.campaign.test_adjournments import by_orders
from tests.people import People
from tests.races.interruption import meanwhile


def test_a_month_runs_until_the_next_begins(campaign: Campaign) -> None:
    on = advance.run_month(campaign.pk, until=campaign.month + 1)
    assert on.month == campaign.month + 1
    assert on.phase != Phase.SET_UP
    actors = set(on.entries.values_list("actor", "side"))
    assert actors == {("staff:egyptian", "egyptian"), ("staff:mahdist", "mahdist")}


def test_a_month_that_has_begun_already_is_not_played_again(played: Campaign) -> None:
    entries = played.entries.count()
    assert advance.run_month(played.pk, until=played.month).entries.count() == entries


def test_a_campaign_runs_to_its_end_and_no_further(campaign: Campaign) -> None:
    over = advance.run_month(campaign.pk, until=campaign.month + 60)
    assert over.finished
    assert over.outcome
    assert over.waiting_for == ""
    assert not over.seals.filter(link=None).exists()
    assert audit.verify_dice(over).sealed_entries == 0
    assert advance.run_month(over.pk, until=over.month + 1).head == over.head


def test_every_phase_is_written_as_it_is_finished(campaign: Campaign) -> None:
    written: list[int] = []
    advance.run_month(
        campaign.pk, until=campaign.month + 1, inside=lambda outcomes: written.append(len(outcomes))
    )
    assert len(written) > 4
    assert sum(written) == campaign.entries.count()


def test_what_fails_inside_the_transaction_takes_the_phase_back(campaign: Campaign) -> None:
    class Stop(Exception):
        pass

    def stop(_outcomes: object) -> None:
        raise Stop

    with pytest.raises(Stop):
        advance.run_month(campaign.pk, until=campaign.month + 1, inside=stop)
    assert campaign.entries.count() == 0


def test_two_sittings_cannot_both_write(campaign: Campaign) -> None:
    one, two = CampaignSession(campaign), CampaignSession(campaign)
    advance.play_phase(one, StaffAnswerer(tuple(Side)))
    advance.play_phase(two, StaffAnswerer(tuple(Side)))
    one.commit()
    with pytest.raises(journal.Stale, match="nothing was changed"):
        two.commit()
    campaign.refresh_from_db()
    assert audit.replay_check(campaign).entries == campaign.entries.count()


@pytest.mark.django_db(transaction=True)
def test_a_run_goes_on_when_somebody_else_has_written(campaign: Campaign) -> None:
    meddlers = [CampaignSession]

    def meddle() -> None:
        other = meddlers.pop()(Campaign.objects.get(pk=campaign.pk))
        advance.play_phase(other, StaffAnswerer(tuple(Side)))
        other.commit()

    def inside(_outcomes: object) -> None:
        if meddlers:
            transaction.on_commit(meddle)

    on = advance.run_month(campaign.pk, until=campaign.month + 1, inside=inside)
    assert meddlers == []
    assert on.month == campaign.month + 1
    assert audit.replay_check(on).entries == on.entries.count()


def phase_of(campaign: Campaign) -> tuple[int, str, str]:
    campaign = Campaign.objects.get(pk=campaign.pk)
    return campaign.month, campaign.side, campaign.phase


THE_SHEETS = 'INSERT INTO "campaign_ordersheet"'


def test_a_phase_is_played_though_somebody_else_has_written_meanwhile(people: People) -> None:
    campaign = by_orders(people)
    before, job = phase_of(campaign), advance_jobs.book_advance(campaign.pk, phase=True)

    def arrange() -> None:
        battle_reports.arrange_battles(campaign.pk, people.umpire, HandOver("redcoats"))

    with meanwhile(arrange, after=THE_SHEETS):
        advance_jobs.run_job(job.uuid)
    job.refresh_from_db()
    assert job.message == "A phase has been played."
    assert phase_of(campaign) != before


def test_a_phase_that_somebody_else_has_ended_meanwhile_is_the_only_one(people: People) -> None:
    campaign = by_orders(people)
    job = advance_jobs.book_advance(campaign.pk, phase=True)
    phases: list[tuple[int, str, str]] = []

    def end_the_phase() -> None:
        advance.run_phase(campaign.pk)
        phases.append(phase_of(campaign))

    with meanwhile(end_the_phase, after=THE_SHEETS):
        advance_jobs.run_job(job.uuid)
    assert phases == [phase_of(campaign)]


@pytest.mark.django_db(transaction=True)
def test_the_umpire_asks_and_the_worker_advances(people: People, campaign: Campaign) -> None:
    job = advance_jobs.request_advance(
        campaign.pk, people.umpire, months=2, expected_month=campaign.month
    )
    campaign.refresh_from_db()
    assert job.status == Job.Status.SUCCEEDED
    assert job.progress == job.total == 20
    assert job.message == "April 1884 has begun."
    assert campaign.month == campaign.first_month + 2


def test_nobody_but_the_umpire_may_ask(people: People, campaign: Campaign) -> None:
    for user in people[1:]:
        with pytest.raises(errors.NotAllowed, match="umpire"):
            advance_jobs.request_advance(campaign.pk, user)
    assert not Job.objects.exists()


def test_two_who_ask_at_once_get_the_same_job(people: People, campaign: Campaign) -> None:
    first = advance_jobs.book_advance(campaign.pk, people.umpire, expected_month=campaign.month)
    second = advance_jobs.book_advance(campaign.pk, people.umpire, expected_month=campaign.month)
    assert first == second


def test_who_asks_too_late_is_told_where_the_campaign_stands(
    people: People, campaign: Campaign
) -> None:
    month = campaign.month
    advance.run_month(campaign.pk, until=month + 1)
    with pytest.raises(journal.Stale, match="stands at March 1884 by now, not at February 1884"):
        advance_jobs.book_advance(campaign.pk, people.umpire, expected_month=month)
    assert not Job.objects.exists()


def test_another_number_of_months_is_refused_while_a_job_is_under_way(
    people: People, campaign: Campaign
) -> None:
    advance_jobs.book_advance(campaign.pk, people.umpire, months=1)
    with pytest.raises(errors.UnderWay, match="advanced to March 1884 already"):
        advance_jobs.book_advance(campaign.pk, people.umpire, months=3)


def test_a_job_that_nobody_is_about_makes_way(people: People, campaign: Campaign) -> None:
    left = advance_jobs.book_advance(campaign.pk, people.umpire, months=5)
    job_lease.claim(left)
    long_ago(left)
    other = advance_jobs.book_advance(campaign.pk, people.umpire, months=1)
    left.refresh_from_db()
    assert other != left
    assert left.status == Job.Status.FAILED


def test_a_job_that_waits_in_the_queue_for_long_is_kept(people: People, campaign: Campaign) -> None:
    queued = advance_jobs.book_advance(campaign.pk, people.umpire, months=5)
    long_ago(queued)
    with pytest.raises(errors.UnderWay):
        advance_jobs.book_advance(campaign.pk, people.umpire, months=1)
    queued.refresh_from_db()
    assert queued.status == Job.Status.PENDING


def long_ago(job: Job) -> None:
    """The worker that had the job was last heard of longer than a lease ago."""
    past = timezone.now() - job_lease.LEASE - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(touched=past)


@pytest.mark.parametrize("months", [0, -1, 61])
def test_a_number_of_months_that_cannot_be_is_refused(campaign: Campaign, months: int) -> None:
    with pytest.raises(errors.UnfitRequest, match="1 to 60"):
        advance_jobs.book_advance(campaign.pk, months=months)


def test_a_finished_campaign_is_not_advanced(over: Campaign) -> None:
    with pytest.raises(errors.CampaignOver, match="is over"):
        advance_jobs.book_advance(over.pk)


def test_a_job_is_carried_out_once(campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.DONE
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.NOTHING
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 1


def test_a_job_another_worker_is_about_is_left_to_him(campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    Job.objects.update(status=Job.Status.RUNNING, claim="another")
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.BUSY
    assert campaign.entries.count() == 0


def test_a_job_whose_worker_was_killed_is_taken_over_where_it_stood(campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk, months=2)
    Job.objects.update(status=Job.Status.RUNNING, claim="killed")
    sitting = CampaignSession(campaign)
    for _ in range(3):
        advance.play_phase(sitting, StaffAnswerer(tuple(Side)))
        sitting.commit()
    written = campaign.entries.count()
    long_ago(job)
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.DONE
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 2
    assert campaign.entries.count() > written
    assert audit.replay_check(campaign).branches == 1


@pytest.mark.django_db(transaction=True)
def test_a_phase_that_takes_longer_than_the_lease_stays_with_its_worker(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, play, taken = advance_jobs.book_advance(campaign.pk), advance.play_phase, list[bool]()
    monkeypatch.setattr(job_lease, "LEASE", timedelta(seconds=0.6))

    def play_slowly(session: CampaignSession, answering: Answerer) -> bool:
        finished = play(session, answering)
        if not taken:
            sleep(2)
            taken.append(job_lease.claim(Job.objects.get(pk=job.pk)))
        return finished

    monkeypatch.setattr(advance, "play_phase", play_slowly)
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.DONE
    assert taken == [False]


def test_a_worker_whose_job_was_taken_over_writes_no_more(campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    seen: list[int] = []

    def rob(now: Job) -> None:
        seen.append(now.progress)
        Job.objects.filter(pk=now.pk).update(claim="another")

    assert advance_jobs.run_job(job.uuid, rob) is job_lease.Claim.BUSY
    job.refresh_from_db()
    assert len(seen) == 1
    assert job.status == Job.Status.RUNNING


def test_a_month_that_is_stopped_keeps_its_phases_and_is_played_on(
    people: People, campaign: Campaign
) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    seen: list[int] = []

    def stop(now: Job) -> None:
        seen.append(now.progress)
        with pytest.raises(errors.NotAllowed):
            advance_jobs.stop_job(people.egyptian, now)
        if len(seen) == 2:
            advance_jobs.stop_job(people.umpire, now)

    assert advance_jobs.run_job(job.uuid, stop) is job_lease.Claim.BUSY
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.NOTHING
    job.refresh_from_db()
    assert (len(seen), job.status) == (2, Job.Status.FAILED)
    assert job.message.startswith("Stopped before its end.")
    month = campaign.month
    advance_jobs.run_job(advance_jobs.book_advance(campaign.pk).uuid)
    campaign.refresh_from_db()
    assert campaign.month == month + 1
    assert audit.replay_check(campaign).branches == 1


def test_a_month_that_is_stopped_after_its_last_phase_stays_stopped(
    people: People, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that comes to its end has nothing to say of a job that was stopped meanwhile."""
    job = advance_jobs.book_advance(campaign.pk)
    run_month = advance.run_month

    def run_and_stop(*of: Any, **terms: Any) -> Campaign:
        played = run_month(*of, **terms)
        advance_jobs.stop_job(people.umpire, job)
        return played

    monkeypatch.setattr(advance_jobs, "run_month", run_and_stop)
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.BUSY
    job.refresh_from_db()
    assert job.status == Job.Status.FAILED
    assert job.message.startswith("Stopped before its end.")


def test_what_goes_wrong_is_told_in_the_job(campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    campaign.seals.all().delete()
    with pytest.raises(journal.Damaged, match="never sealed"):
        advance_jobs.run_job(job.uuid)
    job.refresh_from_db()
    assert (job.status, job.message) == (
        Job.Status.FAILED,
        "The dice of February 1884 were never sealed.",
    )


def test_a_worker_that_starts_takes_up_what_was_left(campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    tasks.resume_unfinished_jobs()
    job.refresh_from_db()
    assert job.status == Job.Status.SUCCEEDED
