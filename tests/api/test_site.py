"""The page on which tokens are made and revoked, and pages of other sites."""

import os
import re
import subprocess
import sys
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import Token
from campaign.models import Campaign
from tests.api.conftest import Api
from tests.people import People

PAGE = "/accounts/"


@pytest.fixture
def browser(people: People) -> Client:
    client = Client()
    client.force_login(people.egyptian)
    return client


def test_a_token_is_made_on_the_page_and_shown_once(browser: Client, secret: Campaign) -> None:
    made = browser.post(PAGE, {"name": "My bot", "scopes": ["read", "orders"], "days": "30"})
    found = re.search(r'class="secret">([^<]+)<', made.content.decode())
    assert found
    assert Api(found[1]).get("/campaigns/secret/").status_code == 200
    assert made["Cache-Control"].count("no-store") == 1
    again = browser.get(PAGE).content.decode()
    assert found[1] not in again
    assert "My bot" in again


def test_a_token_of_the_page_has_a_lifetime_and_may_be_limited_to_a_campaign(
    browser: Client, secret: Campaign, shown: Campaign
) -> None:
    page = browser.get(PAGE).content.decode()
    assert '<option value="30" selected>30 days</option>' in page
    assert '<option value="secret">Secret</option>' in page
    wanted = {"name": "My bot", "scopes": ["read"], "days": "7", "campaign": "secret"}
    made = browser.post(PAGE, wanted).content.decode()
    token = Token.objects.get()
    assert token.campaign == secret
    assert token.expires_at is not None
    assert (token.expires_at - token.created_at + timedelta(minutes=5)).days == 7
    assert '<td class="as-said" data-label="Campaigns">Secret</td>' in made
    browser.post(PAGE, {"name": "For ever", "scopes": ["read"], "days": "never"})
    assert Token.objects.get(name="For ever").expires_at is None


def test_a_token_is_revoked_on_the_page_by_its_owner_alone(browser: Client, people: People) -> None:
    browser.post(PAGE, {"name": "My bot", "scopes": ["read"], "days": "30"})
    token = Token.objects.get()
    other = Client()
    other.force_login(people.mahdist)
    other.post(f"{PAGE}tokens/{token.pk}/revoke/")
    assert Token.objects.exists()
    browser.post(f"{PAGE}tokens/{token.pk}/revoke/")
    assert not Token.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"days": "2"},
        {"days": ""},
        {"campaign": "shown"},
    ],
)
def test_a_token_without_name_or_known_scope_is_not_made(
    wrong: dict[str, object], browser: Client
) -> None:
    sent = browser.post(PAGE, {"name": "My bot", "scopes": ["read"], "days": "30", **wrong})
    assert sent.status_code == 400
    assert not Token.objects.exists()


def test_nobody_has_more_than_twenty_tokens(browser: Client) -> None:
    for number in range(21):
        sent = browser.post(PAGE, {"name": f"Bot {number}", "scopes": ["read"], "days": "30"})
    assert "Revoke one that you no longer need" in sent.content.decode()
    assert Token.objects.count() == 20


def test_the_page_asks_for_a_log_in(db: None) -> None:
    assert Client().get(PAGE)["Location"].startswith("/accounts/login/")


def test_pages_of_other_sites_read_nothing_unless_they_are_named(
    db: None, settings: LazySettings
) -> None:
    origin = {"Origin": "https://club.example"}
    told = Client().get("/api/v1/maps/", headers=origin)
    assert "Access-Control-Allow-Origin" not in told
    assert "origin" not in told["Vary"].lower()
    settings.CORS_ALLOWED_ORIGINS = ["https://club.example"]
    settings.MIDDLEWARE = middleware_with(SIRDAR_CORS_ORIGINS="https://club.example")
    told = Client().get("/api/v1/maps/", headers=origin)
    assert told["Access-Control-Allow-Origin"] == "https://club.example"
    assert "Access-Control-Allow-Credentials" not in told
    assert "Access-Control-Allow-Origin" not in Client().get("/about/", headers=origin)


def middleware_with(**environment: str) -> list[str]:
    """Return the middleware of a site with these variables."""
    command = [sys.executable, "-c", "from sirdar import settings; print(*settings.MIDDLEWARE)"]
    said = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return said.stdout.split()
