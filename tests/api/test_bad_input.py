"""Requests that nobody should send: each is answered by a problem document that helps."""

import re
from typing import Any

import pytest

from api.http.encoding import LARGEST_BODY
from api.http.problems import problem_of
from campaign.models import Campaign, Seat
from tests.api.conftest import Api
from tests.api.problems import problem, wrong_places
from tests.people import PASSWORD

LOG_IN = {"username": "umpire", "password": PASSWORD}
BATTLE = {"type": "offer", "book": "redcoats", "egyptian": "computer", "mahdist": "computer"}

ADVANCE = "/campaigns/secret/advance/"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing/",
        "/campaigns/a/b/c/",
        "/campaigns/%00/",
        "/campaigns/Ä/",
        "/jobs/",
        "/.env",
        "//x",
    ],
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "patch", "trace"])
def test_what_has_no_address(method: str, path: str, anybody: Api) -> None:
    problem(anybody.ask(method, path), "not-found")


@pytest.mark.parametrize("query", ["role=umpire&role=egyptian", "limit=5&role=umpire&limit=5"])
def test_a_parameter_that_is_sent_twice_is_refused_and_not_half_heeded(
    umpire: Api, query: str
) -> None:
    refused = problem(umpire.get(f"/campaigns/?{query}"), "invalid")
    assert wrong_places(refused) == {query.partition("=")[0]}


def test_of_two_members_of_one_name_the_last_counts(umpire: Api, secret: Campaign) -> None:
    answer = umpire.send(
        "/campaigns/secret/invitations/", b'{"role": "mahdist", "role": "observer"}'
    )
    assert (answer.status_code, answer.json()["role"]) == (201, "observer")


@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_address_without_its_last_slash_leads_on_with_method_and_query(
    method: str, anybody: Api
) -> None:
    response = anybody.ask(method, "/campaigns?limit=3")
    assert (response.status_code, response["Location"]) == (308, "/api/v1/campaigns/?limit=3")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("put", "/campaigns/", "GET, POST, HEAD, OPTIONS"),
        ("put", "/campaigns/secret/", "GET, PATCH, DELETE, HEAD, OPTIONS"),
        ("patch", "/campaigns/secret/months/current/state/", "GET, HEAD, OPTIONS"),
        ("get", ADVANCE, "POST, OPTIONS"),
        ("put", "/tokens/", "GET, POST, DELETE, HEAD, OPTIONS"),
        ("post", "/maps/sudan/", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_method_that_is_not_allowed(
    method: str, path: str, allowed: str, umpire: Api, secret: Campaign
) -> None:
    response = umpire.ask(method, path)
    problem(response, "method-not-allowed")
    assert response["Allow"] == allowed


@pytest.mark.parametrize("path", ["/", "/maps/sudan/", "/maps/sudan.geojson", "/campaigns/"])
def test_a_form_that_there_is_not(path: str, db: None, anybody: Api) -> None:
    problem(anybody.get(path, Accept="text/html"), "not-acceptable")
    assert anybody.get(path, Accept="text/html, */*;q=0.1").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"{'months': 1}",
        b'{"months": NaN}',
        b'{"months": 1e999}',
        b"\xff\xfe",
        b'{"months": "\xff"}',
        b'{"months": "\\ud800"}',
        b"[" * 60_000,
        b'{"months": ' + b"9" * 6_000 + b"}",
    ],
    ids=["cut", "quotes", "NaN", "vast", "bytes", "byte", "half a pair", "deep", "long"],
)
def test_a_body_that_is_no_json(body: bytes, umpire: Api, secret: Campaign) -> None:
    response = umpire.send(ADVANCE, body)
    kind = response.json()["type"].split("/")[-2]
    assert kind in {"malformed", "invalid", "unfit"}
    told = problem(response, kind)
    assert not re.search("codec|`|truncated|utf-16", told["detail"]), told["detail"]
    secret.refresh_from_db()
    assert not secret.jobs.exists()


def test_the_byte_that_is_not_utf8_is_named(umpire: Api, secret: Campaign) -> None:
    body = b'{"reason": "Over the holidays", "x": "\xff"}'
    told = problem(umpire.send(ADVANCE, body), "malformed")
    assert str(body.index(b"\xff")) in told["detail"]


@pytest.mark.parametrize(
    ("sent", "kept"), [("my-own.id_7", True), ("x" * 65, False), ("a b", False), ("", False)]
)
def test_a_request_has_an_id_in_its_answer_and_in_its_problem(
    sent: str, kept: bool, db: None, anybody: Api
) -> None:
    for path in ("/maps/", "/nothing/"):
        response = anybody.get(path, X_Request_ID=sent)
        assert (response["X-Request-ID"] == sent) is kept
        assert re.fullmatch(r"[\w.-]{1,64}", response["X-Request-ID"])
    assert problem(response, "not-found")["request_id"] == response["X-Request-ID"]


def test_a_body_that_is_too_long(umpire: Api, secret: Campaign) -> None:
    longest = b" " * (LARGEST_BODY - 2) + b"{}"
    assert umpire.send("/campaigns/", longest).status_code == 400
    problem(umpire.send("/campaigns/", longest + b" "), "too-large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "nonsense"])
def test_a_body_of_another_kind(kind: str, umpire: Api, secret: Campaign) -> None:
    problem(umpire.send(ADVANCE, b"months=1", kind), "unsupported-media-type")


def test_the_charset_of_a_body_may_be_named(umpire: Api, secret: Campaign) -> None:
    sent = umpire.send(ADVANCE, b"{}", "application/json; charset=utf-8")
    assert sent.status_code == 202


@pytest.mark.parametrize(
    "path",
    [
        "/?x=1",
        "/maps/sudan/?format=xml",
        "/maps/sudan.geojson?_=17",
        "/campaigns/secret/?month=1884-02",
        "/campaigns/secret/months/current/state/?month=1884-02",
        "/campaigns/secret/events/?after=0.1",
    ],
)
def test_a_parameter_that_nothing_knows(path: str, umpire: Api, secret: Campaign) -> None:
    refused = problem(umpire.get(path), "invalid")
    assert wrong_places(refused) == {path.partition("?")[2].partition("=")[0]}


@pytest.mark.parametrize(
    "month",
    ["1884-13", "1884-00", "1884-2", "0001-01", "february", "1884-02-01", "٣", "-1", "9" * 5000],
)
@pytest.mark.parametrize("page", ["state/", "map.geojson", "despatches/"])
def test_what_is_no_month(month: str, page: str, umpire: Api, secret: Campaign) -> None:
    refused = problem(umpire.get(f"/campaigns/secret/months/{month}/{page}"), "not-found")
    assert "1884-02, set-up or current" in refused["detail"]


@pytest.mark.parametrize("month", ["1884-01", "1884-03", "1885-02", "84-02", "99999-12"])
def test_a_month_the_campaign_was_never_in(month: str, umpire: Api, secret: Campaign) -> None:
    refused = problem(umpire.get(f"/campaigns/secret/months/{month}/state/"), "not-found")
    assert "1884-02 to 1884-02" in refused["detail"]


@pytest.mark.parametrize("number", ["1", "nonsense", "0" * 32, "%00"])
def test_a_job_that_there_is_not(number: str, db: None, anybody: Api) -> None:
    problem(anybody.get(f"/jobs/{number}/"), "not-found")


def test_a_damaged_campaign_says_so_and_the_rest_goes_on(
    as_: object, people: object, secret: Campaign, shown: Campaign
) -> None:
    Campaign.objects.filter(pk=shown.pk).update(
        document=b"\x28\xb5\x2f\xfdnonsense", document_hash="of something else"
    )
    api = Api(raise_request_exception=False)
    refused = problem(api.get("/campaigns/shown/months/current/state/"), "damaged")
    assert "stored document" in refused["detail"]
    assert api.get("/campaigns/shown/").status_code == 200


def test_what_nobody_foresaw_tells_nothing_of_the_inside() -> None:
    found = problem_of(RuntimeError("password of the database"))
    assert found.type == "unforeseen"
    assert "password" not in str(found.document("/"))


def test_one_who_asks_too_often_is_told_when_to_come_back(db: None, anybody: Api) -> None:
    statuses = [anybody.get("/campaigns/").status_code for _ in range(121)]
    assert statuses == [200] * 120 + [429]
    refused = anybody.get("/campaigns/")
    problem(refused, "throttled")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert anybody.get("/maps/sudan/").status_code == 200


def test_a_whole_number_may_be_written_with_a_point(umpire: Api, secret: Campaign) -> None:
    """JSON Schema counts 1.0 as an integer, and 1.5 not."""
    assert umpire.post(ADVANCE, {"months": 1.5}).status_code == 400
    assert umpire.post(ADVANCE, {"months": 1.0}).status_code == 202


@pytest.mark.parametrize(
    ("wrong", "pointer", "said"),
    [
        ({"scenario": "siege-of-kartoum"}, "/scenario", "siege-of-khartoum"),
        ({"title": "evil\u202e"}, "/title", "U+202E"),
        ({"slug": "Not a slug"}, "/slug", "small letters"),
    ],
)
def test_a_value_that_the_rules_of_a_campaign_refuse_is_named_by_its_place(
    umpire: Api, wrong: dict[str, str], pointer: str, said: str
) -> None:
    told = problem(umpire.post("/campaigns/", {"scenario": "siege-of-khartoum", **wrong}), "unfit")
    assert [one["pointer"] for one in told["errors"]] == [pointer]
    assert said in told["errors"][0]["detail"]


@pytest.mark.parametrize(
    ("path", "body", "kind", "said"),
    [
        (
            "/tokens/",
            {**LOG_IN, "days": 3},
            "invalid",
            "Expected one of 1, 7, 30, 90, 365 or null, got 3.",
        ),
        ("/campaigns/", {"scenario": "x", "mode": "order"}, "invalid", "Did you mean orders?"),
        ("/simulations/", {"type": "rehersal"}, "invalid", "Did you mean rehearsal?"),
        ("/battles/", {**BATTLE, "offer": "abu-kleaa"}, "unfit", "Did you mean abu-klea?"),
    ],
)
def test_a_word_or_number_that_is_none_of_those_allowed_is_refused_with_them(
    umpire: Api, path: str, body: dict[str, Any], kind: str, said: str
) -> None:
    assert said in problem(umpire.post(path, body), kind)["errors"][0]["detail"]


LETTER = {"sender_id": 0, "reader_ids": [0], "text": "Hold on."}
RULING = {"reason": "A slip of the pen."}
HOOK = {"url": "https://93.184.216.34/"}


@pytest.mark.parametrize(
    ("call", "body", "pointer"),
    [
        ("post webhooks/", {"url": "http://127.0.0.1/"}, "url"),
        ("post webhooks/", {**HOOK, "campaign": "secret", "events": ["webhook.test"]}, "events"),
        ("post campaigns/secret/channels/", {"url": "https://example.org/"}, "url"),
        ("post campaigns/secret/letters/", {**LETTER, "sender_id": 999_999}, "sender_id"),
        ("post campaigns/secret/letters/", LETTER, "reader_ids"),
        ("post campaigns/secret/seats/", {"holder": "nobody"}, "holder"),
        ("patch campaigns/secret/", {"public_delay_months": 5}, "public_delay_months"),
        ("patch campaigns/secret/", {"title": "  "}, "title"),
        (
            "post campaigns/secret/rulings/",
            {**RULING, "effects": [{"type": "remove", "unit_ids": [9999]}]},
            "effects/0/unit_ids",
        ),
        (
            "post campaigns/secret/rulings/",
            {**RULING, "toss": {"count": 2, "face_count": 6}, "faces": [7, 1]},
            "faces",
        ),
        ("post campaigns/secret/rewinds/", {**RULING, "cursor": "7.1"}, "cursor"),
        (
            "post campaigns/secret/invitations/",
            {"role": "egyptian", "region_names": ["Kent"]},
            "region_names",
        ),
        ("post campaigns/secret/invitations/", {"role": "umpire", "leader_ids": [1]}, "leader_ids"),
        ("post campaigns/", {"scenario": "siege-of-khartoum", "edition": "own"}, "edition"),
        ("post tokens/", {**LOG_IN, "name": " "}, "name"),
        (
            "post simulations/",
            {"type": "bench", "scenario": "siege-of-khartoum", "campaigns": 20},
            "after_table_set_id",
        ),
    ],
)
def test_a_refused_value_is_named_by_its_field(
    umpire: Api, secret: Campaign, call: str, body: dict[str, Any], pointer: str
) -> None:
    method, path = call.split()
    own = secret.seats.get(role=Seat.Role.UMPIRE).pk
    if body.get("sender_id") == 0:
        body = {**body, "sender_id": own}
    ask = umpire.patch if method == "patch" else umpire.post
    told = problem(ask(f"/{path}", body, If_Match="*"), "unfit")
    assert wrong_places(told) == {pointer}
    assert told["errors"][0]["detail"] == told["detail"]
