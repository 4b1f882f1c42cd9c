"""Hours that people read: each says its time zone, on every page and in every mail."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.urls import reverse
from django.utils import timezone

from accounts.models import Token
from accounts.tokens import create_token
from campaign.models import Campaign, MailSent
from campaign.services import letters, mail
from campaign.services.letters import LetterDraft
from campaign.services.umpire import rulings
from tests.campaign.test_mail import begun
from tests.people import People, logged_in
from tests.test_glossary import ROOT, kept

IN_A_TEMPLATE = re.compile(r"""\|(date|time)(:["'][^"']*[GHgh][^"']*["']|:\w+|(?=[ |]))""")
HOUR = re.compile(r"\d:\d\d\b(?!:)(.{0,20})", re.DOTALL)
ZONE = re.compile(r" UTC\b| \(Europe/London\)")
POLICY = {"zone": "Europe/London", "hour": 20, "days": 2, "reminder_hours": 48, "grace_hours": 2}


def hours_without_zone(text: str) -> list[str]:
    """Return the hours in a text or a page that do not say their zone."""
    seen = re.sub(r"<(select|style)\b.*?</\1>|<[^>]*>", "", text, flags=re.DOTALL)
    return [one[0] for one in HOUR.finditer(seen) if not ZONE.match(one[1])]


def test_no_template_writes_an_hour_by_itself() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {one[0]}"
        for path in kept("templates", suffixes=(".html", ".txt"))
        for one in IN_A_TEMPLATE.finditer(path.read_text())
    ]
    assert [one for one in found if "|date:'c'" not in one] == []


pytestmark = pytest.mark.django_db


@pytest.fixture
def clocked(people: People) -> Campaign:
    """A campaign with a deadline, a letter, an entry of the umpire's log and a token."""
    campaign = begun(people, deadline_policy=POLICY)
    rulings.rename_campaign(campaign.pk, people.umpire, "The Siege")
    seats = dict(campaign.seats.values_list("role", "pk"))
    draft = LetterDraft(seats["umpire"], [seats["egyptian"]], "Hold on.")
    letters.send_letter(campaign.pk, people.umpire, draft)
    create_token(people.umpire, "bot", ["read"])
    Token.objects.update(last_used_at=timezone.now())
    campaign.refresh_from_db()
    return campaign


def test_every_hour_of_a_page_says_its_zone(clocked: Campaign, people: People) -> None:
    seat = clocked.seats.get(role="egyptian").pk
    umpire, egyptian = logged_in(people.umpire), logged_in(people.egyptian)
    slug = clocked.slug
    pages = {
        "console": umpire.get(reverse("console", args=[slug])),
        "umpire log": umpire.get(reverse("umpire-log", args=[slug])),
        "branches": umpire.get(reverse("branches", args=[slug])),
        "dice": umpire.get(reverse("dice", args=[slug])),
        "tokens": umpire.get(reverse("account")),
        "calendar": umpire.get(reverse("calendar")),
        "letters": egyptian.get(reverse("letters", args=[slug])),
        "sheet": egyptian.get(reverse("order-sheet", args=[slug, seat])),
        "plain": egyptian.get(reverse("plain-orders", args=[slug, seat])),
        "brief": egyptian.get(reverse("brief", args=[slug, "egyptian"])),
    }
    texts = {name: page.content.decode() for name, page in pages.items()}
    found = {name: hours_without_zone(text) for name, text in texts.items()}
    assert {name: hours for name, hours in found.items() if hours} == {}
    assert [name for name, text in texts.items() if "data-hour" not in text] == []


def test_every_hour_of_a_mail_says_its_zone(clocked: Campaign) -> None:
    User.objects.update(email="somebody@example.org")
    mail.send_due()
    now = timezone.now()
    clocked.deadlines.update(due=now, grace_until=now + timedelta(hours=2), reminded=now)
    MailSent.objects.filter(kind=mail.TURN).update(sent=now - timedelta(hours=60))
    mail.send_due()
    bodies = [str(one.body) for one in outbox.outbox]
    assert any("they are still taken" in text for text in bodies)
    assert [hours for text in bodies if (hours := hours_without_zone(text))] == []
