"""Links of invitations sent by mail, and how many may register: what is throttled, what is kept."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from campaign.models import Campaign, Invitation, Seat
from campaign.services.journal import creation
from campaign.services.umpire import invitations
from campaign.tasks import mail_due
from tests.people import PASSWORD, People

SITE = "https://sirdar.example"
WANTED = {"role": "egyptian", "days": 14, "email": "wood@example.org", "mail": "yes"}


@pytest.fixture(autouse=True)
def site_url(settings: Any) -> None:
    settings.SITE_URL = SITE


@pytest.fixture
def campaign(people: People) -> Campaign:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", seats={"umpire": people.umpire})
    return creation.create_campaign(wanted)


def rate(monkeypatch: pytest.MonkeyPatch, **rates: str) -> None:
    """Let these rates hold instead of the settings'."""
    wanted = {name.replace("_", "-"): value for name, value in rates.items()}
    monkeypatch.setattr(
        SimpleRateThrottle, "THROTTLE_RATES", {**SimpleRateThrottle.THROTTLE_RATES, **wanted}
    )


def ask(campaign: Campaign, by: User, **more: str) -> Any:
    """Return the roster after the form was sent with the button for a letter."""
    client = Client()
    client.force_login(by)
    return client.post(reverse("seats", args=[campaign.slug]), {**WANTED, **more})


def register(name: str, address: str = "192.0.2.1", password: str = PASSWORD) -> Any:
    given = {"username": name, "password1": password, "password2": password}
    return Client(REMOTE_ADDR=address).post(reverse("register"), given)


def link_in(letter: Any) -> str:
    found = re.search(rf"{SITE}(/invitations/\S+)", letter.body)
    assert found
    return found[1]


def test_the_link_goes_by_mail_and_opens_the_seat_once(campaign: Campaign, people: People) -> None:
    answer = ask(campaign, people.umpire)
    (letter,) = outbox.outbox
    assert letter.to == ["wood@example.org"]
    link = link_in(letter)
    assert "is on its way to wood@example.org" in answer.content.decode()
    assert link not in answer.content.decode()
    newcomer = Client()
    newcomer.force_login(people.stranger)
    newcomer.post(link)
    assert Seat.objects.get(role="egyptian").user == people.stranger
    again = Client()
    again.force_login(people.spectator)
    assert again.post(link).status_code == 410


def test_an_address_is_forgotten_with_the_link(campaign: Campaign, people: People) -> None:
    for role in ("egyptian", "mahdist", "observer"):
        ask(campaign, people.umpire, role=role)
    assert Invitation.objects.filter(email="wood@example.org").count() == 3
    used, withdrawn, outlived = Invitation.objects.order_by("pk")
    invitations.take_seat(link_in(outbox.outbox[0]).split("/")[2], people.stranger)
    invitations.revoke(campaign.pk, people.umpire, withdrawn.pk)
    Invitation.objects.filter(pk=outlived.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert [one.email for one in Invitation.objects.filter(pk__in=(used.pk, withdrawn.pk))] == [
        "",
        "",
    ]
    mail_due()
    assert not Invitation.objects.exclude(email="").exists()


@pytest.mark.parametrize("ending", ["\r\nBcc: all@example.org", "\nBcc: all@example.org", "\x0b"])
def test_no_header_is_smuggled_in(campaign: Campaign, people: People, ending: str) -> None:
    assert ask(campaign, people.umpire, email=f"wood@example.org{ending}x").status_code == 400
    assert outbox.outbox == []
    Campaign.objects.update(title=f"War{ending}")
    User.objects.filter(pk=people.umpire.pk).update(username=f"umpire{ending}")
    ask(campaign, people.umpire, name=f"Sirdar{ending}")
    (letter,) = outbox.outbox
    header, _, _ = letter.message().as_string().partition("\n\n")
    assert not re.search(r"(?m)^Bcc", header)
    assert not re.search(r"(?m)^Bcc", str(letter.body))
    assert letter.recipients() == ["wood@example.org"]


def test_who_wants_a_letter_says_to_whom(campaign: Campaign, people: People) -> None:
    answer = ask(campaign, people.umpire, email="")
    assert answer.status_code == 400
    assert "Enter the address for the e-mail" in answer.content.decode()
    assert not Invitation.objects.exists()


def test_a_letter_that_cannot_be_sent_leaves_the_link(
    campaign: Campaign, people: People, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    told = ask(campaign, people.umpire).content.decode()
    assert "could not be sent" in told
    assert re.search(r'value="http://testserver/invitations/[^"]+"', told)


@pytest.mark.parametrize("rates", [{"post_link": "1/day"}, {"post_link_all": "1/day"}])
def test_letters_are_throttled_and_links_are_not(
    campaign: Campaign, people: People, monkeypatch: pytest.MonkeyPatch, rates: dict[str, str]
) -> None:
    rate(monkeypatch, **rates)
    ask(campaign, people.umpire)
    full = ask(campaign, people.umpire, role="mahdist", email="elsewhere@example.org")
    assert full.status_code == 429
    assert int(full["Retry-After"]) > 80_000
    assert "the next may go in 24 hours" in full.content.decode()
    assert len(outbox.outbox) == 1
    client = Client()
    client.force_login(people.umpire)
    page = reverse("seats", args=[campaign.slug])
    plain = client.post(page, {"role": "mahdist", "days": 14})
    assert "The link to pass on" in plain.content.decode()


def test_nobody_is_written_to_often(
    campaign: Campaign, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate(monkeypatch, post_link_to="1/day")
    ask(campaign, people.umpire)
    assert ask(campaign, people.umpire, email="WOOD@example.org").status_code == 429
    assert ask(campaign, people.umpire, email="other@example.org").status_code == 200


def test_so_many_register_from_one_address(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rate(monkeypatch, register="2/hour")
    assert [register(name).status_code for name in ("Wood", "Wolseley", "Baker")] == [302, 302, 429]
    full = register("Baker")
    assert "Try again in 60 minutes" in full.content.decode()
    assert 0 < int(full["Retry-After"]) <= 3600
    assert not User.objects.filter(username="Baker").exists()
    assert register("Baker", "192.0.2.2").status_code == 302


def test_and_so_many_on_the_whole_site(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rate(monkeypatch, register_all="1/hour")
    assert register("Wood", "192.0.2.1").status_code == 302
    assert register("Baker", "192.0.2.2").status_code == 429


def test_who_is_refused_closes_no_door_to_others(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rate(monkeypatch, register="1/hour", register_all="2/hour")
    for name in ("Wood", "Baker", "Hicks", "Burnaby"):
        register(name, "192.0.2.1")
    assert register("Gordon", "192.0.2.2").status_code == 302


def test_names_are_not_tried_without_end(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    rate(monkeypatch, register_try="2/min")
    tries = [register("umpire").status_code for _ in range(3)]
    assert tries == [400, 400, 429]


def test_a_mistyped_form_costs_no_place(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rate(monkeypatch, register="1/hour")
    assert register("Wood", password="1234").status_code == 400
    assert register("Wood").status_code == 302


def test_an_address_for_which_the_database_has_no_room_is_refused(
    campaign: Campaign, people: People
) -> None:
    long = f"{'a' * 64}@{'.'.join(['b' * 60] * 3)}.example"
    assert ask(campaign, people.umpire, email=long).status_code == 400
    assert not Invitation.objects.exists()
