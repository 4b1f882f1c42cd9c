"""Writes to a campaign that somebody deletes at the same moment end as if they came after it."""

import json
from contextlib import suppress
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from api.channel_news import picture_url
from api.tasks import publish_pages
from battles import journal
from campaign.access import saved_work
from campaign.models import Campaign, Job, OwnScenario
from campaign.services import inquiries
from campaign.services.job_lease import Claim
from campaign.services.journal import own_scenarios
from campaign.services.transfer import deletion
from campaign.services.turns import advance, advance_jobs
from campaign.services.umpire import invitations
from tests.campaign.test_guests import play
from tests.people import PASSWORD, People, logged_in, sit_down
from tests.races.interruption import Ask, interruptions, meanwhile, written_beside

REQUESTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a change": ("patch", "", {"title": "Another title"}),
    "a month": ("post", "advance/", {}),
    "an invitation": ("post", "invitations/", {"role": "observer"}),
}


def _deletion(campaign: Campaign) -> Any:
    return Campaign.objects.filter(pk=campaign.pk).delete


@pytest.mark.parametrize("request_name", REQUESTS)
def test_a_write_that_waits_for_a_deletion_finds_nothing(people: People, request_name: str) -> None:
    campaign, client = sit_down(people), logged_in(people.umpire)
    method, path, body = REQUESTS[request_name]
    send = getattr(client, method)
    address = f"/api/v1/campaigns/{campaign.slug}/{path}"
    with meanwhile(_deletion(campaign)):
        answer = send(address, json.dumps(body), "application/json", headers={"If-Match": "*"})
    assert answer.status_code == 404, answer.content
    assert answer.json()["detail"] == "This campaign has been deleted meanwhile."


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/v1/webhooks/", {"url": "https://club.example/told"}),
        ("/api/v1/tokens/", {"username": "umpire", "password": PASSWORD}),
    ],
)
def test_nothing_is_made_for_a_campaign_that_is_deleted_meanwhile(
    people: People, address: str, body: dict[str, str]
) -> None:
    campaign, client = sit_down(people), logged_in(people.umpire)
    with meanwhile(_deletion(campaign), before="SAVEPOINT", after='SELECT .*"campaign_seat"'):
        sent = body | {"campaign": campaign.slug}
        answer = client.post(address, json.dumps(sent), "application/json")
    assert answer.status_code == 404, answer.content
    assert answer.json()["detail"] == "This campaign has been deleted meanwhile."


def test_a_seat_is_shown_that_was_taken_just_before_its_campaign_is_deleted(
    people: People,
) -> None:
    campaign = sit_down(people)
    secret = invitations.invite(campaign.pk, people.umpire, invitations.SeatOffer("umpire"))[1]
    with meanwhile(_deletion(campaign), before="SELECT", after='UPDATE "campaign_invitation"'):
        client, address = logged_in(people.stranger), f"/api/v1/invitations/{secret}/"
        answer = client.post(address, "{}", "application/json")
    assert answer.status_code == 201


def test_a_form_that_waits_for_a_deletion_says_so(people: People) -> None:
    campaign, client = sit_down(people), logged_in(people.umpire)
    form = {"role": "observer", "days": 14}
    with meanwhile(_deletion(campaign)):
        answer = client.post(f"/campaigns/{campaign.slug}/seats/", form)
    assert "This campaign has been deleted meanwhile." in answer.content.decode()


@pytest.mark.parametrize(
    "before", ["SAVEPOINT", 'SELECT "campaign_campaign"', 'SELECT "campaign_entry"']
)
def test_a_job_whose_campaign_is_deleted_has_not_failed(
    people: People, no_worker: None, before: str
) -> None:
    campaign = sit_down(people, months=1)
    job = advance_jobs.request_advance(campaign.pk, people.umpire)
    with meanwhile(_deletion(campaign), before, after='UPDATE "campaign_job"'):
        assert advance_jobs.run_job(job.uuid) is Claim.NOTHING
    assert not Job.objects.exists()


def test_pages_of_a_campaign_that_is_deleted_are_not_published(people: People) -> None:
    campaign = sit_down(people)
    campaign.published.all().delete()
    with meanwhile(_deletion(campaign)):
        assert publish_pages(campaign.pk) == 0


@pytest.mark.django_db
def test_a_record_that_is_not_there_is_gone() -> None:
    with pytest.raises(journal.RecordGone):
        journal.lock_record(Campaign.objects.all(), 1)


def test_a_scenario_that_is_restored_at_the_last_moment_is_not_forgotten(people: People) -> None:
    own, _ = own_scenarios.save_scenario(people.umpire, own_scenarios.blank_document())
    own_scenarios.delete_scenario(people.umpire, own)
    stored = OwnScenario.objects.filter(pk=own.pk)
    stored.update(deleted=timezone.now() - saved_work.KEPT_FOR)
    with meanwhile(lambda: stored.update(deleted=None), after='SELECT .*"campaign_ownscenario"'):
        assert deletion.forget_deleted() == 0
    assert stored.exists()


@pytest.mark.django_db(transaction=True)
def test_a_guest_begins_another_game_while_a_month_of_the_oldest_runs() -> None:
    """Only PostgreSQL lets a worker write while a campaign's rows are deleted."""
    client = Client()
    oldest = play(client)
    play(client)

    def run_a_month() -> None:
        with suppress(journal.RecordGone):
            advance.run_month(oldest.pk, until=oldest.month + 1)

    with written_beside(run_a_month, before='DELETE FROM "campaign_campaign"'):
        play(client)
    assert not Campaign.objects.filter(pk=oldest.pk).exists()


def _asking(client: Client, address: str) -> Ask:
    return lambda headers: client.get(address, headers=headers)


READS = [
    "/api/v1/campaigns/{}/",
    "/api/v1/campaigns/{}/months/",
    "/api/v1/campaigns/{}/events/",
    "/api/v1/campaigns/{}/branches/0/entries/",
    "/campaigns/{}/trace/",
    "/campaigns/{}/console/rewind/",
    "/campaigns/{}/papers/1884-02/egyptian/",
]


@pytest.mark.parametrize("address", READS)
@pytest.mark.django_db
def test_a_read_whose_campaign_is_deleted_between_two_queries_finds_nothing(
    people: People, address: str
) -> None:
    """It shows what it had read, or says that the campaign is gone; it does not fail."""
    campaign = sit_down(people, months=1)
    client = Client(raise_request_exception=False)
    client.force_login(people.umpire)
    ask = _asking(client, address.format(campaign.slug))
    assert ask({}).status_code == 200
    for number, response in interruptions(ask, _deletion(campaign)):
        assert response.status_code < 500, f"before query {number}: {response.content!r}"


@pytest.mark.django_db
def test_a_picture_whose_campaign_is_deleted_between_two_queries_is_not_found(
    people: People,
) -> None:
    campaign = sit_down(people, months=1)
    ask = _asking(
        Client(raise_request_exception=False), picture_url(campaign, campaign.first_month)
    )
    for number, response in interruptions(ask, _deletion(campaign)):
        assert response.status_code < 500, f"before query {number}: {response.content!r}"
        caches["template_fragments"].clear()


@pytest.mark.django_db
def test_simulations_of_a_campaign_that_is_deleted_meanwhile_are_listed_or_not(
    people: People, no_worker: None
) -> None:
    campaign = sit_down(people, months=1)
    number = inquiries.forecast_campaign(campaign, people.umpire).uuid
    client = Client(raise_request_exception=False)
    client.force_login(people.umpire)
    for address in ("/api/v1/simulations/", f"/api/v1/simulations/{number}/"):
        ask = _asking(client, address)
        for query, response in interruptions(ask, _deletion(campaign)):
            assert response.status_code in (200, 404), f"{address}, query {query}"
