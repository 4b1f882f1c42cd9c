"""The umpire's console: everything on it does what it says, and nobody else has it."""

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign
from tests.people import People


@pytest.fixture
def umpire(people: People) -> Client:
    client = Client()
    client.force_login(people.umpire)
    return client


PAGES = ("console", "ruling", "go-back", "branches", "minutes")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_the_umpire_opens(played: Campaign, umpire: Client, name: str) -> None:
    answer = umpire.get(reverse(name, args=[played.slug]))
    assert answer.status_code == 200
    assert played.title in answer.content.decode()
