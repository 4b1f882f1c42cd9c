"""Access to each page, and to advancing: every role, a stranger, and nobody in particular."""

import re

import pytest
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign
from tests.people import People, client_of

SEATED = ("umpire", "egyptian", "mahdist", "spectator")
OUTSIDE = ("stranger", "nobody")

READ = ("campaign", "month", "hex", "find", "dice")


def address(name: str, campaign: Campaign) -> str:
    more = {
        "month": ["1884-02"],
        "hex": ["1884-02", "2042"],
        "find": ["1884-02"],
    }.get(name, [])
    query = "?place=Khartoum" if name == "find" else ""
    return reverse(name, args=[campaign.slug, *more]) + query


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("role", SEATED)
def test_whoever_has_a_seat_reads(campaign: Campaign, people: People, role: str, name: str) -> None:
    answer = client_of(people, role).get(address(name, campaign), follow=True)
    assert answer.status_code == 200
    assert campaign.title in answer.content.decode()


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("role", OUTSIDE)
def test_others_are_not_told_that_there_is_such_a_campaign(
    campaign: Campaign, people: People, role: str, name: str
) -> None:
    client = client_of(people, role)
    refused = client.get(address(name, campaign))
    unknown = client.get(address(name, Campaign(slug="there-is-none")))
    assert refused.status_code == unknown.status_code == 404
    told = said(refused.content).replace(campaign.slug, "there-is-none")
    assert told == said(unknown.content)


def said(page: bytes) -> str:
    """Return the page without the mark of its forms, which is another every time."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.decode())


@pytest.mark.parametrize("role", OUTSIDE)
def test_a_public_campaign_is_read_by_everybody(
    campaign: Campaign, people: People, role: str
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(public=True)
    client = client_of(people, role)
    assert client.get(address("campaign", campaign)).status_code == 200
    assert campaign.slug in client.get(reverse("front")).content.decode()


@pytest.mark.parametrize("role", SEATED + OUTSIDE)
def test_the_register_lists_what_one_may_see(campaign: Campaign, people: People, role: str) -> None:
    page = client_of(people, role).get(reverse("front")).content.decode()
    assert (reverse("campaign", args=[campaign.slug]) in page) == (role in SEATED)


@pytest.mark.parametrize("role", SEATED)
def test_only_the_umpire_is_offered_the_button(
    campaign: Campaign, people: People, role: str
) -> None:
    page = client_of(people, role).get(address("campaign", campaign)).content.decode()
    assert ("Run the month" in page) == (role == "umpire")


@pytest.mark.parametrize(
    ("role", "status"),
    [("egyptian", 403), ("mahdist", 403), ("spectator", 403), ("stranger", 404), ("nobody", 404)],
)
def test_only_the_umpire_advances(
    campaign: Campaign, people: People, role: str, status: int
) -> None:
    answer = client_of(people, role).post(
        reverse("advance", args=[campaign.slug]), {"month": campaign.month}
    )
    assert answer.status_code == status
    assert not campaign.jobs.exists()


def test_a_stranger_who_may_look_on_may_still_not_advance(
    campaign: Campaign, people: People
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(public=True)
    answer = client_of(people, "stranger").post(
        reverse("advance", args=[campaign.slug]), {"month": campaign.month}
    )
    assert answer.status_code == 403
    assert "Only the umpire" in answer.content.decode()


def test_a_form_without_our_mark_is_refused_in_words(campaign: Campaign, people: People) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.umpire)
    answer = client.post(reverse("advance", args=[campaign.slug]), {"month": campaign.month})
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()


@pytest.mark.django_db
def test_one_logs_in_to_open_a_campaign() -> None:
    answer = Client().get(reverse("new"))
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('login')}?next={reverse('new')}"
