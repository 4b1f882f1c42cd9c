"""The people, their campaign, and a cache in which nothing is counted yet."""

import pytest
from django.test import Client

from campaign import tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign
from tests.people import People, logged_in, sit_down


@pytest.fixture
def campaign(people: People) -> Campaign:
    return sit_down(people)


@pytest.fixture
def umpire(people: People) -> Client:
    """A client in which the umpire is logged in."""
    return logged_in(people.umpire)
