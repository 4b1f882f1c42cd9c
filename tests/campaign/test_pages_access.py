"""Lists, buttons and refusals, as every role, a stranger and nobody in particular see them."""

import pytest
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign
from tests.people import People, client_of

SEATED = ("umpire", "egyptian", "mahdist", "spectator")
OUTSIDE = ("stranger", "nobody")


@pytest.mark.parametrize("role", OUTSIDE)
def test_a_public_campaign_is_read_by_everybody(
    campaign: Campaign, people: People, role: str
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(public=True)
    client = client_of(people, role)
    assert client.get(reverse("campaign", args=[campaign.slug])).status_code == 200
    assert campaign.slug in client.get(reverse("front")).content.decode()


@pytest.mark.parametrize("role", SEATED + OUTSIDE)
def test_the_register_lists_what_one_may_see(campaign: Campaign, people: People, role: str) -> None:
    page = client_of(people, role).get(reverse("front")).content.decode()
    assert (reverse("campaign", args=[campaign.slug]) in page) == (role in SEATED)


@pytest.mark.parametrize("role", SEATED)
def test_only_the_umpire_is_offered_the_button(
    campaign: Campaign, people: People, role: str
) -> None:
    page = client_of(people, role).get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert ("Run the month" in page) == (role == "umpire")


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
