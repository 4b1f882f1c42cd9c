"""A campaign that is deleted during a sweep keeps no other campaign waiting."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from api import webhooks
from api.models import Delivery
from campaign.models import Campaign, Job, MailSent, PushSubscription
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports, job_lease, mail
from campaign.services.journal import creation
from campaign.services.turns import advance, advance_jobs, deadlines
from campaign.services.turns.timetable import Policy
from tests.campaign.battlefield import before_battle
from tests.campaign.test_battles import late
from tests.campaign.test_deadlines import pass_hours
from tests.people import People
from tests.races.interruption import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)
READ = 'SELECT "campaign_campaign"'


def begun(people: People) -> Campaign:
    """Return a campaign by order sheets with a deadline, past its set-up."""
    campaign = creation.create_campaign(
        creation.NewCampaignTerms(
            "siege-of-khartoum",
            seats={"umpire": people.umpire, "egyptian": people.egyptian},
            staff=("mahdist",),
            mode="orders",
            deadline_policy=msgspec.to_builtins(Policy(no_show="staff")),
        )
    )
    return advance.run_month(campaign.pk, until=campaign.month + 1)


def deleting(campaign: Campaign) -> Callable[[], object]:
    return Campaign.objects.filter(pk=campaign.pk).delete


def test_the_months_of_the_others_run_at_their_deadlines(people: People) -> None:
    second, first = begun(people), begun(people)  # the newest comes first
    for war in (first, second):
        pass_hours(war, 25)
    with meanwhile(deleting(first), before=READ, after='UPDATE "campaign_deadline"'):
        deadlines.keep_deadlines()
    assert second.jobs.exists()


def test_the_orphaned_jobs_of_the_others_are_resumed(people: People) -> None:
    first, second = begun(people), begun(people)
    for war in (first, second):
        job = advance_jobs.book_advance(war.pk)
        Job.objects.filter(pk=job.pk).update(touched=job.touched - 2 * job_lease.LEASE)
    with meanwhile(deleting(first), before=READ, after='UPDATE "campaign_job"'):
        deadlines.keep_deadlines()
    assert second.jobs.get().status == Job.Status.SUCCEEDED


def test_the_late_battles_of_the_others_are_settled(people: People) -> None:
    first, second = (before_battle(people, TABLETOP) for _ in range(2))
    for war in (first, second):
        late(war)
    with meanwhile(deleting(first), before=READ, after=READ):
        battle_reports.settle_due()
    assert not Campaign.objects.get(pk=second.pk).battle


def test_the_notices_of_the_others_are_sent(people: People, settings: Any) -> None:
    settings.SITE_URL = "https://sirdar.example"
    first, second = begun(people), begun(people)
    PushSubscription.objects.create(
        user=people.egyptian, endpoint="https://push.example", p256dh="", auth="", browser="Firefox"
    )
    with meanwhile(deleting(first), before='INSERT INTO "campaign_mailsent"'):
        mail.send_due()
    assert set(MailSent.objects.values_list("campaign", flat=True)) == {second.pk}


def test_the_events_of_the_others_are_delivered(people: People, settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    first, second = begun(people), begun(people)
    webhooks.create_webhook(people.umpire, "http://127.0.0.1:8000/")
    Delivery.objects.all().delete()
    with meanwhile(deleting(first), before='INSERT .*"api_delivery"'):
        webhooks.queue_deliveries()
    assert set(Delivery.objects.values_list("campaign", flat=True)) == {second.pk}
