"""Invitations by letter, by REST: sent once, told nobody else, and nothing offered unsent."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import Scope
from accounts.tokens import create_token
from api.models import Answered
from campaign.models import Campaign, Invitation
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.people import People

LETTERS = "/campaigns/secret/invitations/"
WANTED = {"role": "observer", "email": "wood@example.org"}


def rate(monkeypatch: pytest.MonkeyPatch, scope: str, rate: str) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, scope: rate}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


def secret_in(letter: Any) -> str:
    found = re.search(r"/invitations/([^/\s]+)/", letter.body)
    assert found
    return found[1]


def test_the_link_goes_by_letter_and_opens_the_seat(as_: As, secret: Campaign) -> None:
    made = as_("umpire").post(LETTERS, WANTED)
    assert made.status_code == 201
    (letter,) = outbox.outbox
    assert letter.to == ["wood@example.org"]
    link = secret_in(letter)
    assert link not in made.content.decode()
    assert (made.json()["secret"], made.json()["page"]) == (None, None)
    assert as_("umpire").get(made["Location"]).json()["email"] == "wood@example.org"
    assert as_("stranger").post(f"/invitations/{link}/").status_code == 201
    assert not Invitation.objects.exclude(email="").exists()


def test_one_key_sends_one_letter_and_no_secret_is_kept_with_it(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    first, again = (umpire.post(LETTERS, WANTED, Idempotency_Key="wood") for _ in range(2))
    assert (first.status_code, first.json()) == (201, again.json())
    assert again["Idempotency-Replayed"] == "true"
    (letter,) = outbox.outbox
    assert Invitation.objects.count() == 1
    assert secret_in(letter) not in bytes(Answered.objects.get().body).decode()


def test_a_letter_that_cannot_be_sent_offers_nothing_and_may_be_sent_again(
    secret: Campaign, people: People, settings: Any
) -> None:
    token = create_token(people.umpire, "test", Scope.values)[1]
    umpire, works = Api(token, raise_request_exception=False), settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    for key in ({}, {"Idempotency_Key": "wood"}):
        failed = umpire.post(LETTERS, WANTED, **key)
        problem(failed, "unavailable")
        assert int(failed["Retry-After"]) > 0
    assert umpire.get("/campaigns/secret/invitations/").json()["results"] == []
    settings.EMAIL_BACKEND = works
    assert umpire.post(LETTERS, WANTED, Idempotency_Key="wood").status_code == 201
    assert len(outbox.outbox) == 1


@pytest.mark.parametrize("scope", ["post-link", "post-link-to", "post-link-all"])
def test_letters_are_counted_as_those_of_the_page_are(
    as_: As, secret: Campaign, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    rate(monkeypatch, scope, "1/day")
    umpire = as_("umpire")
    umpire.post(LETTERS, WANTED, Idempotency_Key="wood")
    assert umpire.post(LETTERS, WANTED, Idempotency_Key="wood").status_code == 201
    full = umpire.post(LETTERS, WANTED)
    problem(full, "throttled")
    assert int(full["Retry-After"]) > 80_000
    assert Invitation.objects.count() == len(outbox.outbox) == 1
    assert umpire.post(LETTERS, {"role": "observer"}).status_code == 201


@pytest.mark.parametrize("email", ["", "wood", "@", "wood@example.org\r\nBcc: all@example.org"])
def test_a_letter_wants_an_address(as_: As, secret: Campaign, email: str) -> None:
    refused = problem(as_("umpire").post(LETTERS, {**WANTED, "email": email}), "invalid")
    assert wrong_places(refused) == {"email"}
    assert outbox.outbox == []


def test_without_an_address_no_letter_is_sent(as_: As, secret: Campaign) -> None:
    assert as_("umpire").post(LETTERS, {**WANTED, "email": None}).json()["secret"]
    assert outbox.outbox == []


@pytest.mark.parametrize(
    ("who", "wrong"),
    [
        ("egyptian", "not-allowed"),
        ("spectator", "not-allowed"),
        ("stranger", "not-found"),
        ("anonymous", "not-authenticated"),
    ],
)
def test_who_may_not_invite_sends_no_letter(
    as_: As, secret: Campaign, who: str, wrong: str
) -> None:
    problem(as_(who).post(LETTERS, {**WANTED, "role": "mahdist"}), wrong)
    assert outbox.outbox == []


def test_what_nobody_of_that_side_commands_is_said_as_without_a_letter(
    as_: As, secret: Campaign
) -> None:
    offer = {**WANTED, "role": "egyptian", "region_names": ["atlantis"]}
    told = [
        problem(as_("umpire").post(LETTERS, {**offer, "email": email}), "unfit")["detail"]
        for email in (WANTED["email"], None)
    ]
    assert told[0] == told[1]
    assert outbox.outbox == []


def test_a_closed_account_sends_none(as_: As, secret: Campaign, people: People) -> None:
    umpire = as_("umpire")
    User.objects.filter(pk=people.umpire.pk).update(is_active=False)
    problem(umpire.post(LETTERS, WANTED), "not-authenticated")
    assert outbox.outbox == []
