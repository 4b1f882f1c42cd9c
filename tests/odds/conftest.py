"""A campaign by order sheets with two players and an umpire."""

import pytest

from campaign.models import Campaign, Seat
from campaign.rules import new_game
from campaign.rules.tables.editions import edition
from campaign.services.journal import creation
from campaign.services.journal.creation import begin_at
from tests.campaign.orders.conftest import orders_campaign
from tests.people import SIEGE, People


@pytest.fixture
def campaign(people: People) -> Campaign:
    return orders_campaign(people, fog=True, battles="redcoats")


@pytest.fixture
def last_month(people: People) -> Campaign:
    """A campaign that is over in a month: what is played to its end is played soon."""
    state = new_game(SIEGE)
    state.month = edition(state.edition).scenario(SIEGE).last_month
    seats = {Seat.Role.UMPIRE.value: people.umpire}
    return begin_at(state, creation.NewCampaignTerms(SIEGE, title="The last month", seats=seats))


@pytest.fixture
def egyptian(campaign: Campaign) -> Seat:
    return campaign.seats.get(role="egyptian")
