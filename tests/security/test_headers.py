"""The headers of every page: what it may load, frames and kinds; in the open, cookies and TLS."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

from django.test import Client

from campaign.models import Campaign
from tests.patience import PATIENCE

HERE = Path(__file__).parents[2]
PAGES = (
    *(
        "/",
        "/rules/",
        "/about/",
        "/accounts/login/",
        "/accounts/password/",
        "/accounts/email/",
        "/accounts/",
    ),
    *("/tables/", "/api/"),
)
OF_CAMPAIGN = ("", "seats/", "console/", "dice/", "figures/", "walk/", "papers/", "branches/")
SETTINGS = """
from django.conf import settings as s
print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT,
      s.SECURE_HSTS_SECONDS >= 31_536_000, s.SESSION_COOKIE_HTTPONLY, s.DEBUG)
"""


class Inline(HTMLParser):
    """Everything in a page that a policy without inline scripts and styles forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        data = given.get("type") == "application/json"
        if tag == "style" or (tag == "script" and "src" not in given and not data):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            scripted = (value or "").strip().lower().startswith(("javascript:", "data:text"))
            if name.startswith("on") or name == "style" or scripted:
                self.found.append(f"{tag} {name}={value}")


def test_every_page_says_what_it_may_load_and_keeps_to_it(
    umpire: Client, campaign: Campaign
) -> None:
    addresses = [*PAGES, *(f"/campaigns/{campaign.slug}/{one}" for one in OF_CAMPAIGN)]
    for address in [*addresses, "/nowhere/"]:
        answer = umpire.get(address)
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["Referrer-Policy"] == "same-origin"
        inline = Inline()
        inline.feed(answer.content.decode())
        assert inline.found == [], address


def test_every_document_for_programs_says_that_it_loads_nothing(
    umpire: Client, campaign: Campaign
) -> None:
    state = f"/api/v1/campaigns/{campaign.slug}/months/current/state/"
    tag = umpire.get(state)["ETag"]
    answers = {
        200: umpire.get("/api/v1/maps/sudan/"),
        304: umpire.get(state, headers={"If-None-Match": tag}),
        400: umpire.get(f"{state}?x=1"),
        401: umpire.get(state, headers={"Authorization": "Bearer nonsense"}),
        404: umpire.get("/api/v1/nowhere/"),
        415: umpire.post("/api/v1/campaigns/", "x", content_type="text/plain"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer["X-Content-Type-Options"] == "nosniff"


def test_no_shared_cache_keeps_what_one_sees(umpire: Client, campaign: Campaign) -> None:
    for one in OF_CAMPAIGN:
        answer = umpire.get(f"/campaigns/{campaign.slug}/{one}")
        assert "public" not in answer.get("Cache-Control", "")
        assert "Cookie" in answer["Vary"]


def test_in_the_open_cookies_and_pages_go_by_tls_alone(tmp_path: Path) -> None:
    more = {"SIRDAR_HTTPS": "1", "SIRDAR_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": ""}
    told = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", SETTINGS],
        env={**os.environ, **more, "DJANGO_SETTINGS_MODULE": "sirdar.settings"},
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE,
        timeout=PATIENCE,
    )
    assert told.stdout.split() == ["True", "True", "True", "True", "True", "False"]
