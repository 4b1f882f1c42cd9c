"""Hosts that somebody invents when he has a letter sent: no link in it leads to them."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client

from campaign.models import Campaign
from tests.people import PASSWORD, People

THEIRS = "umpire@example.org"
INVENTED: tuple[dict[str, Any], ...] = (
    {"HTTP_HOST": "evil.example"},
    {"HTTP_HOST": "localhost.evil.example"},
    {"HTTP_HOST": "localhost@evil.example"},
    {"HTTP_HOST": "localhost:80@evil.example"},
    {"HTTP_HOST": "localhost:1234"},
    {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_HOST": "evil.example"},
    {"HTTP_HOST": "localhost", "HTTP_FORWARDED": "host=evil.example"},
    {"HTTP_HOST": "localhost", "HTTP_X_HOST": "evil.example", "SERVER_NAME": "evil.example"},
    {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_PORT": "81", "SERVER_PORT": "666"},
    {"HTTP_HOST": "localhost", "HTTP_ORIGIN": "https://evil.example", "HTTP_REFERER": "evil"},
)
Ask = Callable[[Client, Campaign, dict[str, Any]], Any]


def by_page(path: str, given: dict[str, str]) -> Ask:
    return lambda client, _, headers: client.post(path, given, **headers)


def by_rest(path: str, given: dict[str, str], *, patch: bool = False) -> Ask:
    def ask(client: Client, _: Campaign, headers: dict[str, Any]) -> Any:
        send = client.patch if patch else client.post
        return send(path, json.dumps(given), content_type="application/json", **headers)

    return ask


def invitation(client: Client, campaign: Campaign, headers: dict[str, Any]) -> Any:
    given = {"role": "observer", "days": "14", "email": "guest@example.org", "mail": "1"}
    return client.post(f"/campaigns/{campaign.slug}/seats/", given, **headers)


LETTERS: dict[str, Ask] = {
    "password": by_page("/accounts/password/forgotten/", {"email": THEIRS}),
    "password by REST": by_rest("/api/v1/password-resets/", {"email": THEIRS}),
    "address": by_page("/accounts/email/", {"email": "new@example.org", "old_password": PASSWORD}),
    "address by REST": by_rest(
        "/api/v1/account/", {"email": "new@example.org", "password": PASSWORD}, patch=True
    ),
    "invitation": invitation,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("letter", LETTERS)
def test_no_letter_leads_to_a_host_that_somebody_invents(
    campaign: Campaign, people: People, letter: str
) -> None:
    User.objects.filter(pk=people.umpire.pk).update(email=THEIRS)
    client = Client()
    client.force_login(people.umpire)
    went = 0
    for headers in INVENTED:
        mail.outbox.clear()
        cache.clear()
        answer = LETTERS[letter](client, campaign, headers)
        assert answer.status_code < 500, headers
        for sent in mail.outbox:
            went += 1
            said = sent.message().as_string()
            assert "evil" not in said, headers
            for link in re.findall(r"https?://\S+", str(sent.body)):
                assert link.startswith(settings.SITE_URL.rstrip("/") + "/"), headers
    assert went, f"no letter went out: {answer.status_code} {answer.content[:2000]!r}"
