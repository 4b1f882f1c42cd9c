"""The pages that belong to no campaign, what is refused, and what every answer carries."""

import re

import msgspec
import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from battles.core.decoding import digest, encode
from battles.journal import pack
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.tables.book import book
from campaign.web.tables import rule_book as rules_page
from tests.people import PASSWORD, People, logged_in

pytestmark = pytest.mark.django_db


def test_the_rules_page_has_every_table_with_its_provenance() -> None:
    page = Client().get(reverse("rules")).content.decode()
    for table in book().tables():
        part = page.split(f'id="table-{table.id}"')[1].split("</table>")[0]
        assert f'<span class="source of-{table.provenance}">' in part
        assert part.count("<tr>") == len(table.rows) + 1


def test_the_rules_page_has_every_ruling_and_what_is_not_there_yet() -> None:
    page = Client().get(reverse("rules")).content.decode()
    for ruling in rules_page.rulings():
        assert f'id="ruling-{ruling.number}"' in page
    assert page.split('id="not-yet"')[1].count("<li>") == len(rules_page.not_yet())


def test_every_link_within_the_rules_page_leads_somewhere() -> None:
    page = Client().get(reverse("rules")).content.decode()
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert len(anchors) > 50
    assert anchors <= set(re.findall(r'id="([^"]+)"', page))


def test_the_credits_name_those_to_whom_it_is_owed() -> None:
    page = Client().get(reverse("about")).content.decode()
    for name in ("Grayde Bowen", "Bob Cordery", "GeoNames", "Natural Earth", "GSHHG", "SRTM30"):
        assert name in page
    assert "CC BY 4.0" in page
    assert "No text of the rule books is reproduced" in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nowhere/", "There is no page at this address"),
        ("/campaigns/none/", "There is no campaign"),
        ("/campaigns/none/1884-02/hex/2042/", "There is no campaign"),
    ],
)
def test_what_is_not_there_says_so(path: str, words: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 404
    assert words in answer.content.decode()


def test_who_is_not_logged_in_is_led_to_the_log_in_and_back_to_what_they_may_see(
    campaign: Campaign, people: People
) -> None:
    Campaign.objects.update(public=False)
    address = reverse("campaign", args=[campaign.slug])
    link = f'href="{reverse("login")}?next={address}"'
    assert f"{link}>Log in" in Client().get(address).content.decode()
    assert "You are not logged in." not in Client().get("/nowhere/").content.decode()
    stranger = logged_in(people.stranger).get(address)
    assert stranger.status_code == 404
    assert "You are not logged in." not in stranger.content.decode()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("1884-13", "is no month: write it like 1884-03"),
        ("march", "is no month: write it like 1884-03"),
        ("1883-12", "has no December 1883"),
        ("1899-01", "has no January 1899"),
        ("1884-02/hex/9999", "There is no hex 9999 on this map"),
        ("1884-02/hex/42", "hexes are numbered by four figures"),
        ("1884-02/hex/khartoum", "hexes are numbered by four figures"),
        ("99999999999999999999/hex/2042", "is no month"),
    ],
)
def test_a_month_or_hex_that_is_none_is_answered_in_words(
    campaign: Campaign, people: People, path: str, words: str
) -> None:
    client = Client()
    client.force_login(people.umpire)
    answer = client.get(f"/campaigns/{campaign.slug}/{path}/")
    assert answer.status_code == 404
    assert words in answer.content.decode()


@pytest.mark.parametrize("name", ["front", "rules", "about", "campaign", "dice"])
def test_pages_are_read_and_not_written_to(campaign: Campaign, people: People, name: str) -> None:
    client = Client()
    client.force_login(people.umpire)
    where = reverse(name, args=[campaign.slug] if name in ("campaign", "dice") else [])
    assert client.post(where).status_code == 405
    assert client.head(where).status_code == 200


@pytest.mark.parametrize("name", ["campaign", "month", "hex", "campaign-rules"])
def test_a_campaign_that_is_damaged_says_so(campaign: Campaign, people: People, name: str) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(document_hash="0" * 64)
    client = Client()
    client.force_login(people.umpire)
    more = {"month": ["1884-02"], "hex": ["1884-02", "2042"]}.get(name, [])
    answer = client.get(reverse(name, args=[campaign.slug, *more]))
    assert answer.status_code == 500
    assert "A stored state has been altered" in answer.content.decode()


def test_a_campaign_by_tables_that_are_not_at_hand_says_what_to_do(
    campaign: Campaign, people: People
) -> None:
    state = selectors.state_now(campaign)
    document = encode(msgspec.structs.replace(state, edition="0" * 64))
    Campaign.objects.filter(pk=campaign.pk).update(
        document=pack(document), document_hash=digest(document)
    )
    client = Client()
    client.force_login(people.umpire)
    answer = client.get(reverse("campaign", args=[campaign.slug]))
    assert answer.status_code == 500
    assert "Bring the campaign in again" in answer.content.decode()


def test_advancing_is_not_had_by_looking(campaign: Campaign, people: People) -> None:
    client = Client()
    client.force_login(people.umpire)
    answer = client.get(reverse("advance", args=[campaign.slug]))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("campaign", args=[campaign.slug])
    assert not campaign.jobs.exists()


def test_every_page_shuts_out_scripts_that_are_not_ours(campaign: Campaign, people: People) -> None:
    client = Client()
    client.force_login(people.umpire)
    for where in (reverse("front"), reverse("campaign", args=[campaign.slug]), "/nowhere/"):
        answer = client.get(where)
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        page = answer.content.decode()
        assert not re.search(r"<script(?![^>]* src=)|<[^>]+ (style|on\w+)=", page)
        assert not re.search(r'(src|href)="https?://(?!www\.|creativecommons|htmx)', page)


@pytest.mark.parametrize(
    "name", ["400.html", "403.html", "403_csrf.html", "404.html", "500.html", "503.html"]
)
def test_pages_of_errors_need_nothing_to_be_drawn(name: str) -> None:
    page = render_to_string(name)
    assert "<h1>" in page
    assert "All campaigns" in page or "Log in" in page


def test_a_form_that_has_expired_offers_the_way_to_log_in(people: People) -> None:
    client = Client(enforce_csrf_checks=True)
    refused = client.post(reverse("login"), {"username": "umpire", "password": PASSWORD})
    assert refused.status_code == 403
    assert f'href="{reverse("login")}">Log in</a>' in refused.content.decode()


def test_a_person_logs_in_and_out(people: People) -> None:
    client = Client()
    wrong = client.post(reverse("login"), {"username": "umpire", "password": "no"})
    assert "Wrong name or password" in wrong.content.decode()
    right = client.post(reverse("login"), {"username": "umpire", "password": PASSWORD})
    assert right.status_code == 302
    assert "Log out" in client.get(reverse("front")).content.decode()
    assert "You are logged out" in client.post(reverse("logout")).content.decode()
