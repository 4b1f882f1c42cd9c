"""Clients of the program itself: every request they send is held against the schema."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

import api.tasks  # noqa: F401
import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from accounts.models import Scope
from accounts.tokens import create_token
from api.client import Sirdar
from api.openapi.schema_file import SCHEMA_FILE
from sirdar.wsgi import application
from tests.people import People, gather
from tests.referred import said

HERE = "http://testserver"
SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text("utf-8"))
PARTS = re.compile(r"\\\{\w+\\\}")
OPERATIONS = [
    (re.compile(PARTS.sub("[^/]+", re.escape(path)) + "$"), operations)
    for path, operations in SCHEMA["paths"].items()
]


class Held(httpx.BaseTransport):
    """The program, without a network between; what is sent is kept, and held to the schema."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.statuses: list[int] = []
        self._program = httpx.WSGITransport(app=application)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        operation = operation_of(request)
        named = {said(SCHEMA, one)["name"] for one in operation.get("parameters", [])}
        assert ("Idempotency-Key" in request.headers) == ("Idempotency-Key" in named)
        assert ("If-Match" in request.headers) == ("If-Match" in named)
        assert set(request.url.params) <= named
        self.sent.append(f"{request.method} {request.url.path}")
        response = self._program.handle_request(request)
        self.statuses.append(response.status_code)
        return response


def operation_of(request: httpx.Request) -> dict[str, Any]:
    """Return the operation of the schema that the request asks for."""
    for pattern, operations in OPERATIONS:
        if pattern.match(request.url.path) and request.method.lower() in operations:
            found: dict[str, Any] = operations[request.method.lower()]
            return found
    raise LookupError(f"The schema knows no {request.method} {request.url.path}.")


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    """No test pays for the requests of another."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _connected() -> Iterator[None]:
    """Requests do not end the connection, as they do in a server, nor the transaction with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def people(db: None) -> People:
    return gather()


@pytest.fixture
def transport() -> Held:
    return Held()


def rest(_: float) -> None:
    """Instead of waiting until the server has forgotten what was asked of it: have it forget."""
    cache.clear()


def token_of(user: User) -> str:
    return create_token(user, "test", Scope.values)[1]


As = Callable[[str], Sirdar]


@pytest.fixture
def as_(people: People, transport: Held) -> As:
    """A server as one of the cast sees it; `nobody` has no token."""

    def client(name: str) -> Sirdar:
        token = token_of(getattr(people, name)) if name != "nobody" else ""
        return Sirdar(HERE, token, transport=transport, pause=rest)

    return client
