"""Headers that somebody writes into a letter by a title or an address: none comes of it."""

import pytest
from django.core import mail
from django.utils import timezone

from campaign.models import Campaign
from campaign.services import mail as letters
from campaign.services import mail_messages
from tests.people import People

LINES = ("a\nBcc: evil@example.org", "a\r\nBcc: evil@example.org", "a\rX: y", "a\n\n<script>")


@pytest.mark.parametrize("said", LINES)
def test_a_title_makes_no_header(campaign: Campaign, people: People, said: str) -> None:
    letter = letters.Letter(people.umpire, campaign, letters.TURN, "1", f"{said}: turn", "/")
    people.umpire.email = "umpire@example.org"
    message = letters.message_of(letter, mail_messages.mailing_of(people.umpire)).message()
    told = dict(message.items())
    assert "Bcc" not in told
    assert "X" not in told
    assert "\n" not in str(told["Subject"])
    assert told["To"] == "umpire@example.org"


@pytest.mark.parametrize("said", LINES)
def test_an_address_makes_no_header(campaign: Campaign, people: People, said: str) -> None:
    Campaign.objects.update(created=timezone.now(), mode=Campaign.Mode.ORDERS, title=said)
    for user in people:
        user.email = f"x@example.org{said[1:]}"
        user.save()
    letters.send_due()
    for sent in mail.outbox:
        assert "Bcc" not in dict(sent.message().items())
        assert all("evil" not in to or "\n" not in to for to in sent.recipients())
