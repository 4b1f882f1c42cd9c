"""Unreachable services: the site answers with an explanation and resumes the work later."""

import threading
from collections.abc import Iterator

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.models import Campaign, Job
from campaign.services import job_lease
from campaign.services.journal import creation
from campaign.services.turns import advance_jobs
from campaign.services.turns.deadlines import resume_orphans
from tests import patience
from tests.api.problems import problem
from tests.people import SIEGE, gather

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = {
    "sqlite": ("PRAGMA busy_timeout = 100", "PRAGMA busy_timeout = 20000"),
    "postgresql": ("SET lock_timeout = 100", "SET lock_timeout TO DEFAULT"),
}
"""For a tenth of a second instead of as long as a person is let wait, and back again."""
LOCKED = "Another process has blocked the database for too long."


@pytest.fixture
def war() -> Campaign:
    people = gather()
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    return creation.create_campaign(
        creation.NewCampaignTerms(SIEGE, slug="war", mode="orders", seats=seats)
    )


@pytest.fixture
def player(war: Campaign) -> Client:
    client = Client(raise_request_exception=False)
    user = war.seats.get(role="egyptian").user
    assert user is not None
    client.force_login(user)
    return client


@pytest.fixture
def program(war: Campaign) -> dict[str, str]:
    """The headers of a program of the umpire's."""
    assert war.umpire is not None
    return {"Authorization": "Bearer " + create_token(war.umpire, "mine", Scope.values)[1]}


@pytest.fixture
def locked(war: Campaign, player: Client, program: dict[str, str]) -> Iterator[Campaign]:
    """The campaign, and all sessions, while somebody else is writing and comes to no end."""
    begun, over = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            Campaign.objects.select_for_update().get(pk=war.pk)
            list(Session.objects.select_for_update())
            begun.set()
            over.wait(patience.PATIENCE)
        connections.close_all()

    other = threading.Thread(target=write)
    other.start()
    assert begun.wait(patience.PATIENCE)
    less, again = PATIENCE[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(less)
    yield war
    over.set()
    other.join()
    with connection.cursor() as cursor:
        cursor.execute(again)


def test_what_a_page_cannot_write_just_now_is_told_with_when_to_come_again(
    locked: Campaign, player: Client
) -> None:
    path = reverse("plain-orders", args=["war", locked.seats.get(role="egyptian").pk])
    answer = player.post(path, {"do": "submit", "month": locked.month, "revision": 0})
    assert answer.status_code == 503
    assert LOCKED in answer.content.decode()
    assert int(answer["Retry-After"]) > 0
    assert not locked.sheets.exists()


def test_a_page_is_read_while_somebody_else_is_writing(locked: Campaign, player: Client) -> None:
    assert player.get(reverse("campaign", args=["war"])).status_code == 200


def test_a_program_is_told_by_a_problem_document(locked: Campaign, program: dict[str, str]) -> None:
    client = Client(raise_request_exception=False, headers=program)
    answer = client.post("/api/v1/campaigns/war/advance/", {}, content_type="application/json")
    assert LOCKED in problem(answer, "unavailable")["detail"]
    assert int(answer["Retry-After"]) > 0
    assert not locked.jobs.exists()


def test_what_fails_before_any_view_is_told_too(locked: Campaign, player: Client) -> None:
    """The session of whoever logs out is written by its middleware, outside of the view."""
    answer = player.post(reverse("logout"))
    assert answer.status_code == 503
    assert LOCKED in answer.content.decode()


def test_a_job_that_no_worker_was_told_of_is_handed_over_by_the_sweep(war: Campaign) -> None:
    job = advance_jobs.book_advance(war.pk)
    assert resume_orphans() == 0
    Job.objects.filter(pk=job.pk).update(touched=job.touched - 2 * job_lease.LEASE)
    assert resume_orphans() == 1
    job.refresh_from_db()
    assert job.status == Job.Status.SUCCEEDED


def test_a_claim_by_a_clock_that_was_set_back_does_not_hold(war: Campaign) -> None:
    job = advance_jobs.book_advance(war.pk)
    ahead = job.touched + 360 * job_lease.LEASE
    Job.objects.filter(pk=job.pk).update(status=Job.Status.RUNNING, claim="lost", touched=ahead)
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.DONE
    war.refresh_from_db()
    assert war.month == war.first_month + 1
