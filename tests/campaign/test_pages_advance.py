"""The umpire advances the month: by the button, without scripts, twice, and too late."""

import pytest
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign, Job
from campaign.services.journal import creation
from campaign.services.turns.advance_jobs import MOST_MONTHS
from tests.people import People

HTMX = {"HX-Request": "true"}


def advance(client: Client, campaign: Campaign, **given: object) -> str:
    """Return the message of the page after all redirections."""
    sent = {"month": campaign.month, **given}
    where = reverse("advance", args=[campaign.slug])
    return client.post(where, sent, follow=True).content.decode()


@pytest.mark.django_db(transaction=True)
def test_without_scripts_the_umpire_is_led_to_the_new_month(
    campaign: Campaign, umpire: Client
) -> None:
    page = advance(umpire, campaign)
    assert "March 1884 has begun." in page
    assert '<h1 class="month">March 1884</h1>' in page


@pytest.mark.django_db(transaction=True)
def test_with_scripts_he_is_led_there_too(campaign: Campaign, umpire: Client) -> None:
    answer = umpire.post(
        reverse("advance", args=[campaign.slug]), {"month": campaign.month}, headers=HTMX
    )
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == reverse("campaign", args=[campaign.slug])


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_a_month_old_advances_nothing(campaign: Campaign, umpire: Client) -> None:
    advance(umpire, campaign)
    page = advance(umpire, campaign)
    assert '<h1 class="month">March 1884</h1>' in page
    assert Job.objects.filter(status=Job.Status.SUCCEEDED).count() == 1
    assert 'class="error"' in page


@pytest.mark.parametrize(
    ("months", "wrong"),
    [
        ("0", "Advance by 1 to 60 months at a time."),
        ("61", "Advance by 1 to 60 months at a time."),
        ("x", "Advance by whole months."),
    ],
)
def test_a_number_of_months_that_is_none_is_refused(
    campaign: Campaign, umpire: Client, months: str, wrong: str
) -> None:
    assert wrong in advance(umpire, campaign, months=months)
    sent = {"do": "advance", "months": months, "month": campaign.month}
    console = umpire.post(reverse("command", args=[campaign.slug]), sent)
    assert wrong in console.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize("page", ["advance", "command"])
def test_a_page_advances_as_many_months_as_rest(
    campaign: Campaign, umpire: Client, page: str
) -> None:
    sent = {"do": "advance", "months": MOST_MONTHS, "month": campaign.month}
    umpire.post(reverse(page, args=[campaign.slug]), sent)
    assert Job.objects.get().months == 60


@pytest.mark.parametrize("month", ["", "x", "-1"])
def test_a_form_that_does_not_say_the_month_is_refused(
    campaign: Campaign, umpire: Client, month: str
) -> None:
    page = advance(umpire, campaign, month=month)
    assert "which month you saw" in page
    assert not Job.objects.exists()


def test_a_job_under_way_shows_how_far_it_is(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    job = Job.objects.create(
        campaign=campaign, months=1, until=campaign.month + 1, total=10, progress=4,
        status=Job.Status.RUNNING, asked_by=people.umpire,
    )  # fmt: skip
    where = reverse("job", args=[campaign.slug, job.uuid])
    part = umpire.get(where, headers=HTMX).content.decode()
    whole = umpire.get(where).content.decode()
    assert "<html" not in part
    assert 'value="4"' in part
    assert 'http-equiv="refresh"' in whole
    assert 'value="4"' in whole
    page = umpire.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert 'value="4"' in page
    assert "Run the month" not in page


def test_a_job_that_failed_says_why_on_the_campaign_page(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    job = Job.objects.create(
        campaign=campaign, months=1, until=campaign.month + 1, total=10,
        status=Job.Status.FAILED, message="The broker is not to be reached.",
        asked_by=people.umpire,
    )  # fmt: skip
    where = reverse("job", args=[campaign.slug, job.uuid])
    page = umpire.get(where, follow=True).content.decode()
    assert "The broker is not to be reached." in page


def test_the_umpire_stops_a_month_and_a_player_does_not(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    job = Job.objects.create(
        campaign=campaign, months=1, until=campaign.month + 1, total=10, progress=4,
        status=Job.Status.RUNNING, asked_by=people.umpire,
    )  # fmt: skip
    player = Client()
    player.force_login(people.egyptian)
    stop = {"stop": "1"}
    assert "Stop here" not in player.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert player.post(reverse("advance", args=[campaign.slug]), stop).status_code == 403
    assert player.delete(reverse("api:job", args=[job.uuid])).status_code == 403
    assert "Stop here" in umpire.get(reverse("campaign", args=[campaign.slug])).content.decode()
    page = umpire.post(reverse("advance", args=[campaign.slug]), stop, follow=True)
    assert "The month is stopped. What was played is kept." in page.content.decode()
    assert "Run the month" in page.content.decode()
    answer = umpire.delete(reverse("api:job", args=[job.uuid]))
    assert (answer.status_code, answer.json()["status"]) == (200, "failed")


def test_a_job_is_shown_under_its_own_campaign_only(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    other = creation.create_campaign(
        creation.NewCampaignTerms("relief-of-el-obeid", seats={"umpire": people.umpire})
    )
    job = Job.objects.create(campaign=campaign, months=1, until=campaign.month + 1, total=10)
    assert umpire.get(reverse("job", args=[other.slug, job.uuid])).status_code == 404
    stranger = Client()
    stranger.force_login(people.stranger)
    assert stranger.get(reverse("job", args=[campaign.slug, job.uuid])).status_code == 404


def test_the_umpire_opens_a_campaign(people: People, umpire: Client) -> None:
    answer = umpire.post(
        reverse("new"), {"scenario": "relief-of-el-obeid", "title": "Hicks"}, follow=True
    )
    created = Campaign.objects.get()
    assert (created.title, created.scenario, created.umpire) == (
        "Hicks", "relief-of-el-obeid", people.umpire,
    )  # fmt: skip
    assert not created.public
    assert "You are its umpire" in answer.content.decode()


def test_a_scenario_that_there_is_not_is_refused_in_words(umpire: Client) -> None:
    answer = umpire.post(reverse("new"), {"scenario": "waterloo"})
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert not Campaign.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_being_left_and_asks_again_has_it_said_once(
    campaign: Campaign, umpire: Client
) -> None:
    umpire.post(reverse("advance", args=[campaign.slug]), {"month": campaign.month}, headers=HTMX)
    job = reverse("job", args=[campaign.slug, Job.objects.get().uuid])
    for _ in range(2):
        umpire.get(job, headers=HTMX)
    page = umpire.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert page.count("March 1884 has begun.") == 1
