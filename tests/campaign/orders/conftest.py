"""A campaign played by order sheets, with its umpire and a player on each side."""

import pytest

from campaign.models import Campaign, Seat
from campaign.services.journal import creation
from tests.people import SIEGE, People


def orders_campaign(people: People, **wanted: object) -> Campaign:
    """Return the siege of Khartoum by order sheets, with both sides held by people."""
    seats = {
        Seat.Role.UMPIRE.value: people.umpire,
        Seat.Role.EGYPTIAN.value: people.egyptian,
        Seat.Role.MAHDIST.value: people.mahdist,
    }
    fields = {"mode": Campaign.Mode.ORDERS, "seats": seats} | wanted
    return creation.create_campaign(creation.NewCampaignTerms(SIEGE, **fields))  # type: ignore[arg-type]


@pytest.fixture
def campaign(people: People) -> Campaign:
    return orders_campaign(people)


@pytest.fixture
def egyptian(campaign: Campaign) -> Seat:
    return campaign.seats.get(role="egyptian")


@pytest.fixture
def mahdist(campaign: Campaign) -> Seat:
    return campaign.seats.get(role="mahdist")
