"""Pages of months are encoded and compressed once for all who may see the same."""

from collections.abc import Callable
from contextlib import suppress
from gzip import decompress
from itertools import product
from typing import Any

import brotli
import pytest
import zstandard
from django.contrib.auth.models import AnonymousUser, User
from django.core.management import call_command
from django.test import Client

from accounts.models import Token
from accounts.tokens import create_token
from api.http.responses import ENCODINGS, encoding_for, shelf
from api.models import Published
from api.tasks import publish_pages
from campaign.access import selectors
from campaign.models import Campaign
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import EVERYBODY, Api, As
from tests.people import People
from tests.played_once import begin_once

UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompress(body),
    "gzip": decompress,
}
PAGES = [
    *(f"months/current/{page}" for page in ("state/", "map.geojson", "despatches/")),
    "months/1884-02/state/",
]
STATE = "/api/v1/campaigns/dark/months/current/state/"


@pytest.fixture
def dark(seats: dict[str, User]) -> Campaign:
    """A campaign in the fog that anybody may look on at, after its first month."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="dark", seats=seats, fog=True, public=True
    )
    return begin_once(wanted, 1)


@pytest.fixture(autouse=True)
def _empty_shelf() -> None:
    """As if another process were asked."""
    forget()


def forget() -> None:
    shelf.__init__()  # type: ignore[misc]


@pytest.mark.parametrize("path", ["/maps/sudan/", "/campaigns/shown/months/current/state/"])
def test_every_encoding_holds_the_same_bytes(path: str, shown: Campaign, anybody: Api) -> None:
    plain = anybody.get(path)
    for encoding in [*ENCODINGS, *ENCODINGS]:
        packed = anybody.get(path, Accept_Encoding=encoding)
        assert packed["Content-Encoding"] == encoding
        assert UNPACK[encoding](packed.content) == plain.content
        assert packed["ETag"] == plain["ETag"]
        assert "Accept-Encoding" in packed["Vary"]
        assert len(packed.content) < len(plain.content) / 5


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("zstd, gzip", "zstd"),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("*", "br"),
        ("*;q=0.1, identity", "identity"),
        ("br;q=0", "identity"),
        ("br;q=0, *", "zstd"),
        ("br;q=lots, gzip;q=0.2", "gzip"),
        ("GZIP", "gzip"),
        ("compress", "identity"),
    ],
)
def test_the_encoding_is_the_best_that_is_accepted(accepts: str, encoding: str) -> None:
    assert encoding_for(accepts) == encoding


def test_a_token_and_a_session_are_given_the_same_page(
    dark: Campaign, as_: As, people: People
) -> None:
    for who, page in product(EVERYBODY, PAGES):
        path = f"/campaigns/dark/{page}"
        first, again = as_(who).get(path), as_(who).get(path)
        browser = Client()
        if who != "anonymous":
            browser.force_login(getattr(people, who))
        else:
            browser.cookies["sessionid"] = "none of ours"
        there = browser.get(f"/api/v1{path}")
        assert again.content == first.content == there.content
        assert again["ETag"] == first["ETag"] == there["ETag"]
        vary = {name.strip().lower() for name in again["Vary"].split(",")}
        assert {"accept-encoding", "authorization", "cookie"} <= vary


def test_a_name_that_is_not_ours_is_refused(shown: Campaign) -> None:
    path = "/api/v1/campaigns/shown/months/current/state/"
    assert Client().get(path).status_code == 200
    assert Client().get(path, headers={"Host": "elsewhere.example"}).status_code == 400


def test_in_the_fog_every_side_has_bytes_of_its_own(as_: As, dark: Campaign) -> None:
    told = {who: as_(who).get(STATE).content for who in ("umpire", "egyptian", "mahdist")}
    again = {who: as_(who).get(STATE).content for who in told}
    assert again == told
    assert len(set(told.values())) == 3
    assert as_("spectator").get(STATE).content == as_("anonymous").get(STATE).content


def test_what_has_not_changed_costs_a_304(as_: As, shown: Campaign) -> None:
    path = "/campaigns/shown/months/current/state/"
    tag = as_("mahdist").get(path)["ETag"]
    for known in (tag, f'"x", {tag}', "*", tag.removeprefix("W/")):
        again = as_("mahdist").get(path, If_None_Match=known)
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
        assert "Authorization" in again["Vary"]
    assert as_("mahdist").get(path, If_None_Match='"another"').status_code == 200


def test_a_page_from_memory_is_answered_as_the_framework_answers(
    as_: As, dark: Campaign, people: People
) -> None:
    """A request with `Accept` is answered by the framework, one without it from memory."""
    limited = Api(create_token(people.egyptian, "dark", ["read"], campaign=dark)[1])
    callers = [as_("egyptian"), as_("anonymous"), limited]
    maps = [("/maps/sudan/", "application/json"), ("/maps/sudan.geojson", "application/geo+json")]
    for api, (path, media) in product(callers, [(STATE, "application/json"), *maps]):
        tag = api.get(path)["ETag"]
        for headers in ({}, {"If_None_Match": tag}, {"Accept_Encoding": "zstd"}):
            ready, usual = api.get(path, **headers), api.get(path, Accept=media, **headers)
            assert (ready.status_code, ready.content) == (usual.status_code, usual.content)
            assert told(ready) == told(usual)
        assert api.get(f"{path}?colour=red").status_code == 400
        assert api.get(path, If_Match='"another"').status_code == 412
        assert Api("nonsense").get(path).status_code == 401


def told(response: Any) -> dict[str, Any]:
    """Return the headers that say something of the document, `Vary` without an order."""
    said = {
        name: value for name, value in response.items() if name not in ("Allow", "X-Request-ID")
    }
    return {**said, "Vary": sorted(said["Vary"].replace(" ", "").split(","))}


def test_a_revoked_token_opens_no_page_that_was_read_before(as_: As, dark: Campaign) -> None:
    api = as_("egyptian")
    assert [api.get(STATE).status_code for _ in range(2)] == [200, 200]
    Token.objects.all().delete()
    assert api.get(STATE).status_code == 401


def test_a_closed_account_opens_no_page_that_was_read_before(
    as_: As, dark: Campaign, people: People
) -> None:
    api = as_("egyptian")
    assert [api.get(STATE).status_code for _ in range(2)] == [200, 200]
    people.egyptian.is_active = False
    people.egyptian.save()
    assert api.get(STATE).status_code == 401


def test_a_token_that_does_not_read_opens_no_page_that_was_read_before(
    dark: Campaign, people: People
) -> None:
    api = Api(create_token(people.egyptian, "orders alone", ["orders"])[1])
    assert [api.get(STATE).status_code for _ in range(2)] == [403, 403]


def test_who_has_lost_his_seat_sees_what_the_public_sees(
    as_: As, dark: Campaign, people: People
) -> None:
    api = as_("egyptian")
    before = [api.get(STATE).content for _ in range(2)][-1]
    dark.seats.filter(user=people.egyptian).update(user=None)
    after = [api.get(STATE).content for _ in range(2)][-1]
    assert after == as_("anonymous").get(STATE).content != before
    Campaign.objects.filter(pk=dark.pk).update(public=False)
    assert api.get(STATE).status_code == 404


def test_one_query_finds_the_campaign_and_the_roles_that_the_rules_of_access_give(
    dark: Campaign, people: People, django_assert_num_queries: Any
) -> None:
    dark.seats.create(user=people.egyptian, role="mahdist")
    for user in (AnonymousUser(), people.egyptian):  # Django builds each statement once
        with suppress(selectors.NotVisible):
            selectors.version_for(user, "dark")
    for public in (True, False):
        Campaign.objects.filter(pk=dark.pk).update(public=public)
        users: list[selectors.Anybody] = [AnonymousUser(), *people]
        for user in users:
            try:
                whole = selectors.campaign_for(user, "dark")
            except selectors.NotVisible:
                with pytest.raises(selectors.NotVisible):
                    selectors.version_for(user, "dark")
                continue
            with django_assert_num_queries(1):
                read = selectors.version_for(user, "dark")
            assert read.campaign.version == whole.version
            assert (read.campaign, read.roles) == (whole, selectors.role_of(user, whole))


def test_months_that_never_were_are_not_found(as_: As, dark: Campaign) -> None:
    for month in ("1881-01", "1884-13", "nonsense", "1900-01"):
        path = f"/campaigns/dark/months/{month}/state/"
        assert [as_("umpire").get(path).status_code for _ in range(2)] == [404, 404]


def test_a_month_is_published_for_every_pair_of_eyes(dark: Campaign, as_: As) -> None:
    assert publish_pages(dark.pk) == 8
    assert publish_pages(dark.pk) == 0
    for row in Published.objects.all():
        assert len({UNPACK[name](bytes(getattr(row, name))) for name in ENCODINGS}) == 1
    Published.objects.update(etag='W/"as published"')
    forget()
    for who in ("umpire", "egyptian", "mahdist", "anonymous"):
        assert as_(who).get(STATE)["ETag"] == 'W/"as published"'


def test_on_an_open_map_there_is_one_page_for_all(played: Campaign) -> None:
    assert publish_pages(played.pk) == 2


def test_a_published_page_is_the_one_that_would_be_made(dark: Campaign, as_: As) -> None:
    made: dict[str, Any] = {who: as_(who).get(STATE) for who in ("umpire", "mahdist")}
    publish_pages(dark.pk)
    forget()
    for who, page in made.items():
        assert as_(who).get(STATE).content == page.content
        assert as_(who).get(STATE)["ETag"] == page["ETag"]


def test_what_was_published_goes_when_the_campaign_has_gone_on(dark: Campaign, as_: As) -> None:
    publish_pages(dark.pk)
    before = as_("egyptian").get(STATE)
    advance.run_month(dark.pk, until=dark.month + 1)
    assert as_("egyptian").get(STATE)["ETag"] != before["ETag"]
    publish_pages(dark.pk)
    assert set(Published.objects.values_list("month", flat=True)) == {dark.month + 1}


def test_a_month_that_has_turned_is_handed_to_a_worker_to_publish(
    secret: Campaign, django_capture_on_commit_callbacks: Any
) -> None:
    import_tasks()
    with django_capture_on_commit_callbacks(execute=True):
        advance.run_month(secret.pk, until=secret.month + 1)
    assert set(Published.objects.values_list("month", flat=True)) == {secret.month + 1}


def import_tasks() -> None:
    """A task that is known runs at once in a test."""
    import api.tasks  # noqa: F401, PLC0415


def test_a_new_program_publishes_anew(dark: Campaign) -> None:
    publish_pages(dark.pk)
    call_command("migrate", verbosity=0)
    assert not Published.objects.exists()
