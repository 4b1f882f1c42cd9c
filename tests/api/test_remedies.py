"""An error says what the address takes instead, and where to get it."""

import re
from typing import Any

import pytest
from django.urls import get_resolver

from api.http.endpoint import operation_of
from api.resources.umpire import BUNDLE
from campaign.models import Campaign, Seat
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.campaign.test_own_scenarios import golden

HERE = "/campaigns/secret/"


def test_a_method_that_is_refused_is_answered_with_those_there_are(
    umpire: Api, secret: Campaign
) -> None:
    told = problem(umpire.put(HERE), "method-not-allowed")
    assert told["detail"].endswith("This address takes GET, PATCH, DELETE, HEAD, OPTIONS.")


@pytest.mark.parametrize(
    ("path", "media"),
    [("/maps/", "application/json"), ("/maps/sudan.geojson", "geo+json or application/json")],
)
def test_a_form_that_is_not_offered_is_answered_with_those_that_are(
    db: None, anybody: Api, path: str, media: str
) -> None:
    told = problem(anybody.get(path, Accept="text/csv"), "not-acceptable")
    assert f"{media}. Ask for that in `Accept`, or leave `Accept` out." in told["detail"]


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain"])
def test_a_body_of_another_kind_is_answered_with_how_to_send_one(
    umpire: Api, secret: Campaign, kind: str
) -> None:
    told = problem(umpire.send(f"{HERE}advance/", b"months=1", kind), "unsupported-media-type")
    assert "-H 'Content-Type: application/json' -d '{...}'" in told["detail"]
    told = problem(umpire.send("/imports/", b"x", kind), "unsupported-media-type")
    assert f"-H 'Content-Type: {BUNDLE}' --data-binary @FILE" in told["detail"]


def writes_that_need_a_version() -> list[tuple[str, str]]:
    """Return the method and the pattern of every operation that requires If-Match."""
    _, resolver = get_resolver().namespace_dict["api"]
    patterns: Any = resolver.url_patterns
    return [
        (method.lower(), str(pattern.pattern))
        for pattern in patterns
        for method in pattern.callback.view_class().allowed_methods
        if hasattr(getattr(pattern.callback.view_class, method.lower(), None), "operation")
        and operation_of(pattern.callback.view_class, method).match
    ]


@pytest.fixture
def numbers(umpire: Api, secret: Campaign) -> dict[str, object]:
    """A seat, a scenario of the umpire's own, and a battle of theirs, by the lists they are in."""
    written = {"type": "document", "document": golden()}
    battle = {"type": "offer", "offer": "tamai", "book": "redcoats", "fought_by": "players"}
    sides = {"egyptian": "me", "mahdist": "computer"}
    return {
        "seats": secret.seats.get(role=Seat.Role.EGYPTIAN).pk,
        "own-scenarios": umpire.post("/own-scenarios/", written).json()["id"],
        "battles": umpire.post("/battles/", {**battle, **sides}).json()["uuid"],
    }


BODIES: dict[str, dict[str, Any]] = {
    "rulings/": {"reason": "A slip."},
    "fight/rewinds/": {"reason": "A slip.", "entry_number": 1},
    "fight/corrections/": {"reason": "A slip.", "unit_id": 1, "strength": 1},
    "rewinds/": {"reason": "A slip.", "cursor": "0.1"},
    "dice-by-hand/": {"faces": [1]},
    "answers/": {"type": "done"},
    "own-scenarios/": {"shared": True},
    "actions/": {"action": {"type": "redcoats_done"}},
}
"""Bodies that are good, by a part of the address; an empty one is good elsewhere."""


@pytest.mark.parametrize(("method", "pattern"), writes_that_need_a_version())
def test_a_write_without_a_version_or_with_another_says_where_the_present_one_is(
    as_: As, numbers: dict[str, object], method: str, pattern: str
) -> None:
    api = as_("egyptian" if "sheets" in pattern else "umpire")
    path = re.sub(r"([\w-]+)/<\w+:id>", lambda place: f"{place[1]}/{numbers[place[1]]}", pattern)
    path = re.sub("<slug:slug>", "secret", re.sub("<str:month>", "1884-02", path))
    path = path.replace("<int:entry_number>", "1")
    body = next((body for part, body in BODIES.items() if part in path), {})
    send = {"put": api.put, "patch": api.patch, "post": api.post}.get(method)

    def ask(**headers: str) -> Any:
        return send(f"/{path}", body, **headers) if send else api.ask(method, f"/{path}", **headers)

    told = problem(ask(), "precondition-required")
    address = re.search(r"the `ETag` of GET (\S+): send it in `If-Match`", told["detail"])
    assert address
    tag = api.get(address[1])["ETag"]
    assert address[1] in problem(ask(If_Match='"999.deadbeef"'), "precondition-failed")["detail"]
    answered = ask(If_Match=tag)
    assert answered.status_code not in (412, 428)


@pytest.mark.parametrize(
    ("path", "part", "listed"),
    [
        ("/campaigns/nowhere/seats/5/", "campaign 'nowhere'", "/campaigns/"),
        (f"{HERE}seats/999999/", "seat 999999", f"{HERE}seats/"),
        (f"{HERE}seats/999999/sheets/1884-02/", "seat 999999", f"{HERE}seats/"),
        (f"{HERE}months/1899-01/state/", "1899-01 is not a month", f"{HERE}months/"),
        (f"{HERE}battles/tamai/", "battle 'tamai'", f"{HERE}battles/"),
        (f"{HERE}channels/7/", "channel 7", f"{HERE}channels/"),
        (f"{HERE}letters/7/", "letter 7", f"{HERE}letters/"),
        (f"{HERE}invitations/7/", "invitation 7", f"{HERE}invitations/"),
        ("/webhooks/7/deliveries/", "webhook 7", "/webhooks/"),
        ("/tokens/999999/", "token 999999", "/tokens/"),
        ("/table-sets/999999/tables/march/", "set of tables 999999", "/table-sets/"),
        ("/own-scenarios/7/", "scenario 7", "/own-scenarios/"),
        (f"/battles/{'0' * 8}-0000-4000-8000-{'0' * 12}/fight/", "battle 00000000", "/battles/"),
        ("/books/redcoat/", "book 'redcoat'", "/books/"),
        ("/scenarios/siege/", "scenario 'siege'", "/scenarios/"),
        (f"{HERE}branches/9/entries/", "branch 9", f"{HERE}branches/"),
    ],
)
def test_an_unknown_part_of_an_address_is_named_with_the_list_of_those_there_are(
    umpire: Api, secret: Campaign, path: str, part: str, listed: str
) -> None:
    told = problem(umpire.get(path), "not-found")
    assert part in told["detail"]
    assert told["detail"].endswith(f"GET /api/v1{listed} lists those that you may see.")
    assert umpire.get(listed).status_code == 200


def test_an_unknown_token_is_answered_with_where_to_get_one(db: None) -> None:
    told = problem(Api("nonsense").get("/campaigns/"), "not-authenticated")
    assert "POST /api/v1/tokens/" in told["detail"]


def test_a_void_invitation_to_a_battle_says_whom_to_ask(
    umpire: Api, numbers: dict[str, object]
) -> None:
    told = problem(umpire.get(f"/battles/{numbers['battles']}/fight/invitations/1/"), "not-found")
    assert "Ask the person who sent it for another." in told["detail"]
