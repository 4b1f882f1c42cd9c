"""A month that is stopped or adjourned closes nobody's orders afterwards."""

import pytest

from campaign.models import Campaign
from campaign.services import job_lease
from campaign.services.order_submission import save_sheet
from campaign.services.turns import advance_jobs
from campaign.services.umpire import seat_control
from tests.campaign.test_adjournments import by_orders
from tests.people import People
from tests.races.interruption import meanwhile

WHY = "The hall is let in August."
THE_NEXT_MONTH = 'INSERT INTO "campaign_snapshot"'
"""The statement that is written when a month ends and the next begins."""


@pytest.fixture
def campaign(people: People) -> Campaign:
    """A campaign by order sheets that stands at the beginning of a month."""
    return by_orders(people)


def hold_that_orders_may_be_written(campaign: Campaign, people: People) -> None:
    campaign.refresh_from_db()
    assert not campaign.sheets.filter(month=campaign.month).exclude(begun=None).exists()
    seat = campaign.seats.get(user=people.egyptian)
    save_sheet(campaign.pk, people.egyptian, seat.pk, {})


def test_months_that_are_stopped_between_two_of_them_leave_the_next_ones_orders_open(
    campaign: Campaign, people: People
) -> None:
    job, month = advance_jobs.book_advance(campaign.pk, people.umpire, months=2), campaign.month
    with meanwhile(lambda: advance_jobs.stop_job(people.umpire, job), before=THE_NEXT_MONTH):
        assert advance_jobs.run_job(job.uuid) is job_lease.Claim.BUSY
    hold_that_orders_may_be_written(campaign, people)
    assert campaign.month == month + 1


@pytest.mark.parametrize("change", ["stopped", "adjourned"])
def test_a_month_that_may_not_begin_any_more_closes_no_orders(
    campaign: Campaign, people: People, change: str
) -> None:
    job = advance_jobs.book_advance(campaign.pk, people.umpire)
    changes = {
        "stopped": lambda: advance_jobs.stop_job(people.umpire, job),
        "adjourned": lambda: seat_control.adjourn(campaign.pk, people.umpire, reason=WHY),
    }
    with meanwhile(changes[change]):
        advance_jobs.run_job(job.uuid)
    hold_that_orders_may_be_written(campaign, people)
