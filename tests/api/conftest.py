"""The cast, their campaigns, and a client for each of them."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from accounts.models import Scope
from accounts.tokens import create_token
from api.http.endpoint import operation_of
from campaign.models import Campaign, Seat
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.people import People

SEATS = {
    "umpire": Seat.Role.UMPIRE.value,
    "egyptian": Seat.Role.EGYPTIAN.value,
    "mahdist": Seat.Role.MAHDIST.value,
    "spectator": Seat.Role.OBSERVER.value,
}
EVERYBODY = (*SEATS, "stranger", "anonymous")

As = Callable[[str], "Api"]
KEY = "Idempotency-Key"


class Api:
    """A client of the interface; addresses may be given without what they all begin with.

    Whatever it does with a key of its own is sent again, and must be answered the same.
    """

    def __init__(self, token: str = "", **options: Any) -> None:
        self._client = Client(**options)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **headers: str) -> Any:
        return self._ask("get", path, headers)

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        data = "{}" if body is None else json.dumps(body)
        return self.send(path, data, **headers)

    def write(self, method: str, path: str) -> Any:
        """Return the method with an empty body, where it has one."""
        if method in ("post", "put", "patch"):
            return self._ask(method, path, {}, data="{}", content_type="application/json")
        return self._ask(method, path, {})

    def put(self, path: str, body: object = None, **headers: str) -> Any:
        data = "{}" if body is None else json.dumps(body)
        return self._ask("put", path, headers, data=data, content_type="application/json")

    def patch(self, path: str, body: object = None, **headers: str) -> Any:
        data = "{}" if body is None else json.dumps(body)
        return self._ask("patch", path, headers, data=data, content_type="application/json")

    def send(
        self, path: str, data: str | bytes, kind: str = "application/json", **headers: str
    ) -> Any:
        """Exactly these bytes, as that kind of content."""
        return self._ask("post", path, headers, data=data, content_type=kind)

    def ask(self, method: str, path: str, **headers: str) -> Any:
        return self._ask(method, path, headers)

    def _ask(self, method: str, path: str, headers: dict[str, str], **more: Any) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        address = path if path.startswith("/api/v1/") else f"/api/v1{path}"
        ask = partial(getattr(self._client, method), address, **more)
        if not self._headers or KEY in sent or not _takes_a_key(address, method):
            return ask(headers={**self._headers, **sent})
        sent = {**self._headers, **sent, KEY: uuid4().hex}
        first = ask(headers=sent)
        return _the_same(first, ask(headers=sent)) if first.status_code < 300 else first


def _takes_a_key(address: str, method: str) -> bool:
    callback: Any = resolve(address.partition("?")[0]).func
    view = callback.view_class
    return hasattr(view, method) and operation_of(view, method).once


def _the_same(first: Any, again: Any) -> Any:
    assert again.status_code == first.status_code
    invitation = {"secret", "page"}  # whose secret is not kept, and so shown once
    shown_once = invitation if invitation <= first.json().keys() else ()
    assert again.json() == {**first.json(), **dict.fromkeys(shown_once)}
    assert again["Idempotency-Replayed"] == "true"
    assert again.get("ETag") == first.get("ETag")
    return first


@pytest.fixture
def seats(people: People) -> dict[str, User]:
    return {role: getattr(people, name) for name, role in SEATS.items()}


@pytest.fixture
def secret(seats: dict[str, User]) -> Campaign:
    """A campaign that only those with a seat know of."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", title="Secret", slug="secret", seats=seats
    )
    return creation.create_campaign(wanted)


@pytest.fixture
def shown(seats: dict[str, User]) -> Campaign:
    """The same for anybody to read."""
    wanted = creation.NewCampaignTerms("relief-of-el-obeid", slug="shown", public=True, seats=seats)
    return creation.create_campaign(wanted)


@pytest.fixture
def played(secret: Campaign) -> Campaign:
    """The secret campaign after its first month."""
    return advance.run_month(secret.pk, until=secret.month + 1)


@pytest.fixture
def as_(people: People) -> As:
    """A client that is logged in by token as one of the cast; `anonymous` is not."""
    made: dict[str, str] = {}

    def client(name: str) -> Api:
        if name == "anonymous":
            return Api()
        if name not in made:
            made[name] = create_token(getattr(people, name), "test", Scope.values)[1]
        return Api(made[name])

    return client


@pytest.fixture
def anybody() -> Api:
    """A client that has not logged in."""
    return Api()


@pytest.fixture
def umpire(as_: As) -> Api:
    return as_("umpire")
