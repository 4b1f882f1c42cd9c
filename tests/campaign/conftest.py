"""The people and their campaign, as it begins and two months on."""

import pytest
from django.test import Client

from battles.contract.brief import Side
from battles.core.decoding import digest, encode
from battles.journal import pack
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP, CampaignResult
from campaign.services.journal.campaign_session import set_columns
from tests.campaign.battlefield import before_battle
from tests.duel import among_the_books
from tests.people import People, logged_in, sit_down


@pytest.fixture
def campaign(people: People) -> Campaign:
    return sit_down(people)


@pytest.fixture
def played(people: People) -> Campaign:
    return sit_down(people, months=2)


@pytest.fixture
def over(campaign: Campaign) -> Campaign:
    """A campaign that ended before it had begun: only its state says so, no entry."""
    state = selectors.state_now(campaign)
    state.question, state.result = None, CampaignResult(Side.MAHDIST, "Khartoum has fallen.", "4.1")
    campaign.document, campaign.document_hash = pack(encode(state)), digest(encode(state))
    set_columns(campaign, state)
    campaign.save()
    return campaign


@pytest.fixture
def umpire(people: People) -> Client:
    """A client in which the umpire is logged in."""
    return logged_in(people.umpire)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the tests' own book on the shelf."""
    among_the_books(monkeypatch)


@pytest.fixture
def by_hand(people: People) -> Campaign:
    """A campaign whose battle is to be fought on a table."""
    return before_battle(people, TABLETOP)
