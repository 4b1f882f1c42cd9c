"""Seats offered by letter, and the umpire's choice of rules, through the client."""

import re

import pytest
from django.core import mail as outbox

from api.client import NewCampaign, Sirdar
from api.client.campaign import Campaign
from api.client.problems import BadRequest
from tests.client.conftest import HERE, As, Held, rest, token_of
from tests.client.test_client import LosesAnswers
from tests.people import SIEGE, People


@pytest.fixture
def campaign(as_: As) -> Campaign:
    return as_("umpire").begin(NewCampaign(SIEGE, slug="siege"))


def test_a_seat_is_taken_by_whoever_reads_the_letter(as_: As, campaign: Campaign) -> None:
    made = campaign.invite_by_letter("observer", "wood@example.org", days=3)
    assert (made.role, made.email) == ("observer", "wood@example.org")
    (letter,) = outbox.outbox
    found = re.search(r"/invitations/([^/\s]+)/", str(letter.body))
    assert found
    assert as_("stranger").accept(found[1]).slug == "siege"


def test_an_answer_that_is_lost_sends_no_second_letter(
    campaign: Campaign, people: People, transport: Held
) -> None:
    network = LosesAnswers(transport)
    sirdar = Sirdar(HERE, token_of(people.umpire), transport=network, pause=rest)
    made = sirdar.campaign("siege").invite_by_letter("observer", "wood@example.org")
    assert made.email == "wood@example.org"
    assert len(outbox.outbox) == 1


def test_the_version_of_the_rules_is_looked_at_and_chosen(campaign: Campaign) -> None:
    told = campaign.rules()
    assert (told.version, told.differs, told.ways) == (told.program, None, ["keep", "pin"])
    assert campaign.choose_rules("pin", "Until its end.").pinned
    with pytest.raises(BadRequest, match="already"):
        campaign.choose_rules("migrate", "We all agree.")
