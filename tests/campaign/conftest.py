"""The people and their campaign, as it begins and two months on."""

import pytest

from campaign.models import Campaign
from tests.people import People, gather, sit_down


@pytest.fixture
def people(db: None) -> People:
    return gather()


@pytest.fixture
def campaign(people: People) -> Campaign:
    return sit_down(people)


@pytest.fixture
def played(people: People) -> Campaign:
    return sit_down(people, months=2)
