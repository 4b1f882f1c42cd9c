"""Battles, months, campaigns played many times over: asked for, played in parts, stopped."""

from datetime import timedelta

import pytest
from django.utils import timezone

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles.contract.brief_files import ready_battles
from battles.core.decoding import decode
from battles.journal import unpack
from campaign.access import fog_of_war
from campaign.models import Campaign, Inquiry, InquiryPart, Seat
from campaign.odds.forecast import Playout
from campaign.orders.monte_carlo import MonthRun
from campaign.services import errors, inquiries, job_lease
from campaign.services.inquiries import InquiryProgress, MonthInquiry, runs_of
from campaign.simulations.battle_comparison import ComparedBattle, book_results
from tests.people import People

STAY: dict[str, list[object]] = {"orders": []}


def played(inquiry: Inquiry) -> Inquiry:
    """Return every part played to its end, slice by slice, as workers do."""
    for part in inquiry.parts.all():
        while inquiries.run_inquiry(part.uuid) is job_lease.Claim.MORE:
            pass
    return inquiry


def decoded(inquiry: Inquiry, kind):
    return [decode(bytes(run), kind) for run in runs_of(inquiry)]


def test_a_rehearsal_plays_the_month_as_often_as_asked(campaign, people, egyptian) -> None:
    asked = inquiries.rehearse_month(campaign, people.egyptian, egyptian.pk, STAY, runs=3)
    runs = decoded(played(asked), MonthRun)
    assert len(runs) == 3
    assert inquiries.inquiry_progress(asked).status == "succeeded"


def test_a_rehearsal_looks_at_nothing_that_its_side_does_not_know(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    """The stored question holds no enemy that the side does not see."""
    asked = inquiries.rehearse_month(campaign, people.egyptian, egyptian.pk, STAY, runs=2)
    question = decode(unpack(asked.question), MonthInquiry)
    seen = fog_of_war.view_now(campaign, question.side).state.units
    assert set(question.state.units) == set(seen)
    assert not question.state.agenda


def test_a_forecast_is_the_umpires_alone(campaign, people) -> None:
    with pytest.raises(errors.NotAllowed):
        inquiries.forecast_campaign(campaign, people.egyptian, runs=2)
    assert not Inquiry.objects.exists()


def test_a_forecast_plays_on_to_the_end(last_month, people) -> None:
    asked = played(inquiries.forecast_campaign(last_month, people.umpire, runs=2))
    for playout in decoded(asked, Playout):
        assert playout.result.reason
        assert set(playout.stands) <= {1, 3, 6, 12}


def test_the_same_run_comes_to_the_same_whoever_plays_it(last_month, people) -> None:
    asked = played(inquiries.forecast_campaign(last_month, people.umpire, runs=2))
    first = [bytes(run) for run in runs_of(asked)]
    InquiryPart.objects.update(status="pending", progress=0, runs=b"")
    assert [bytes(run) for run in runs_of(played(asked))] == first


def test_a_battle_by_a_book_is_refined_while_one_looks(last_month, people) -> None:
    brief = next(one.brief for one in ready_battles())
    asked = inquiries.try_battle(last_month, people.umpire, brief, way="combat-table", runs=21)
    parts = list(asked.parts.all())
    inquiries.run_inquiry(parts[1].uuid)
    assert len(decoded(asked, ComparedBattle)) == 1
    inquiries.run_inquiry(parts[0].uuid)
    won = book_results(["combat-table"], decoded(asked, ComparedBattle))[0].won
    assert sum(one.mean for one in won.values()) == pytest.approx(1)
    assert inquiries.inquiry_progress(asked).status == "succeeded"


def test_a_book_that_there_is_not_is_refused(last_month, people) -> None:
    brief = next(one.brief for one in ready_battles())
    with pytest.raises(errors.UnfitRequest):
        inquiries.try_battle(last_month, people.umpire, brief, way="nothing", runs=2)


def test_a_second_one_of_a_kind_waits_for_the_first(
    campaign, people, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=False):
        inquiries.forecast_campaign(campaign, people.umpire, runs=2)
        with pytest.raises(errors.UnderWay):
            inquiries.forecast_campaign(campaign, people.umpire, runs=2)


def test_one_that_waits_in_the_queue_for_long_is_kept(
    campaign, people, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=False):
        asked = inquiries.forecast_campaign(campaign, people.umpire, runs=6)
        long_ago = timezone.now() - timedelta(minutes=1)
        asked.parts.update(touched=long_ago)
        with pytest.raises(errors.UnderWay, match="wait until it is done, or stop it"):
            inquiries.forecast_campaign(campaign, people.umpire, runs=2)
        asked.parts.update(status="running", touched=long_ago)
        inquiries.forecast_campaign(campaign, people.umpire, runs=2)
    assert "worker had stopped" in inquiries.inquiry_progress(asked).message


def test_what_is_stopped_keeps_what_was_played(campaign, people, egyptian) -> None:
    asked = inquiries.rehearse_month(campaign, people.egyptian, egyptian.pk, STAY, runs=21)
    inquiries.run_inquiry(asked.parts.all()[1].uuid)
    inquiries.stop_inquiry(people.egyptian, asked)
    far = inquiries.inquiry_progress(asked)
    assert (far.status, far.progress, far.at_work) == ("failed", 1, False)
    assert inquiries.run_inquiry(asked.parts.all()[0].uuid) is job_lease.Claim.NOTHING


def test_only_whoever_asked_may_stop_it(campaign, people) -> None:
    asked = inquiries.forecast_campaign(campaign, people.umpire, runs=2)
    with pytest.raises(errors.NotAllowed):
        inquiries.stop_inquiry(people.egyptian, asked)


@pytest.mark.parametrize("runs", [1, 1001])
def test_too_few_and_too_many_runs_are_refused(campaign, people, runs) -> None:
    with pytest.raises(errors.UnfitRequest):
        inquiries.forecast_campaign(campaign, people.umpire, runs=runs)


def test_a_forecast_is_closed_once_its_last_part_has_been_played(
    last_month, people, django_capture_on_commit_callbacks, monkeypatch
) -> None:
    """The chord waits for parts that give way again and again."""
    monkeypatch.setattr(job_lease, "SLICE", 0)
    with django_capture_on_commit_callbacks(execute=True):
        asked = inquiries.forecast_campaign(last_month, people.umpire, runs=7)
    asked.refresh_from_db()
    over = max(part.finished for part in asked.parts.all() if part.finished)
    assert inquiries.inquiry_progress(asked) == InquiryProgress("succeeded", 7, 7, "", over)
    assert not asked.is_open


def test_an_order_that_came_twice_closes_nothing(campaign, people) -> None:
    asked = inquiries.forecast_campaign(campaign, people.umpire, runs=7)
    InquiryPart.objects.filter(first=0).update(status="succeeded")
    assert not inquiries.close_inquiry(asked.uuid)
    asked.parts.update(status="succeeded")
    assert inquiries.close_inquiry(asked.uuid)
    assert not inquiries.close_inquiry(asked.uuid)
