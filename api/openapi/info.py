"""The schema's general parts: chapters, overview, security, webhooks; its file and its digest."""

import json
import tomllib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from api.openapi.parameters import REFERENCE, Schema
from api.webhooks import API_VERSION, EVENTS, EventType
from battles.core.decoding import convert_to

# The schema's general parts: chapters, overview, security schemes, headers and webhooks.


BOOK = Path(__file__).with_name("chapters.toml")
WEBHOOKS = "Webhooks"


class SchemaTag(msgspec.Struct, frozen=True):
    """A chapter of the schema: its subject, and the patterns of its addresses."""

    title: str
    about: str
    addresses: tuple[str, ...]


@cache
def chapters() -> tuple[SchemaTag, ...]:
    """Return all chapters in reading order."""
    rows = tomllib.loads(BOOK.read_text(encoding="utf-8"))["chapter"]
    return convert_to(rows, tuple[SchemaTag, ...])


def chapter_of(path: str) -> str:
    """Return the title of an address's chapter; ValueError if no pattern matches."""
    place = path.removeprefix(reverse("api:index"))
    fitting = [
        (len(pattern), chapter.title)
        for chapter in chapters()
        for pattern in chapter.addresses
        if fnmatchcase(place, pattern)
    ]
    if not fitting:
        raise ValueError(f"{path} stands in no chapter: put it into {BOOK.name}.")
    return max(fitting)[1]


def contents() -> list[dict[str, str]]:
    """Return the chapters as the tags of the schema."""
    return [{"name": chapter.title, "description": chapter.about} for chapter in chapters()]


OVERVIEW = Path(__file__).with_name("overview.md")
WAYS_IN: dict[str, Schema] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of yours, limited to the scopes it was created with.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "A browser's log-in; requests that write need the header X-CSRFToken too.",
    },
}
ETAG = "send it in `If-None-Match` to read again, or in `If-Match` to write"
LOCATION = "the address of what was created or started, if it has one"
AGAIN = "the seconds to wait before the next attempt"
POLICY = "the limits that apply: each by name, with its quota `q` in `w` seconds"
REST = "the rest of each limit: `r` requests, and the seconds `t` until there are more"
REQUEST_ID = "The id of the request, yours or a new one; it is in the site's logs."
REPLAYED = "`true` if this is the answer that the first request with the key got"
SENT = {
    "webhook-id": "the id of the message, the same in every attempt",
    "webhook-timestamp": "the time of the attempt, in seconds since 1970",
    "webhook-signature": "`v1,BASE64`: the HMAC-SHA256 of id, timestamp and body, joined by full "
    "stops; after a rotation of the secret two of these, separated by a space",
}


def overview() -> str:
    """Return the introduction to the interface, in Markdown."""
    return OVERVIEW.read_text(encoding="utf-8")


def name_headers(operation: dict[str, Any]) -> None:
    """Describe the response headers of an operation."""
    parameter_names = {parameter["name"] for parameter in operation.get("parameters", ())}
    for status, answer in operation["responses"].items():
        headers = dict(_headers(status, parameter_names))
        if "429" in operation["responses"] and (status == "429" or status.startswith("2")):
            headers |= {"RateLimit-Policy": POLICY, "RateLimit": REST}
        answer["headers"] = {
            name: {"description": words, "schema": {"type": "string"}}
            for name, words in headers.items()
        }


def _headers(status: str, parameter_names: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield "X-Request-ID", REQUEST_ID
    if status in {"200", "304"} and {"If-None-Match", "If-Match"} & set(parameter_names):
        yield "ETag", ETAG
    if status in {"201", "202"}:
        yield "Location", LOCATION
    if status in {"429", "503"}:
        yield "Retry-After", AGAIN
    if status.startswith("2") and "Idempotency-Key" in parameter_names:
        yield "Idempotency-Replayed", REPLAYED


def webhooks() -> dict[str, Any]:
    """Return the description of webhook requests and the answers they expect."""
    sent = {
        "schema": {"$ref": REFERENCE.format(name="WebhookPayload")},
        "examples": {
            event.value: {"summary": words, "value": _payload(event, words)}
            for event, words in EVENTS.items()
        },
    }
    operation = {
        "summary": "An event has happened",
        "description": "Each event is sent once, and signed by the convention of Standard "
        "Webhooks. An attempt that fails is repeated for a day.",
        "parameters": [
            {
                "name": name,
                "in": "header",
                "description": words,
                "required": True,
                "schema": {"type": "string"},
            }
            for name, words in SENT.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": sent}},
        "responses": {
            "2XX": {"description": "The event is accepted. Answer within five seconds."},
            "410": {"description": "The receiver wants no more events: the webhook is disabled."},
        },
        "security": [{}],
        "tags": [WEBHOOKS],
    }
    return {"event": {"post": operation}}


def _payload(event: EventType, words: str) -> Any:
    return {
        "type": event.value,
        "timestamp": "2026-11-22T20:00:00Z",
        "api_version": API_VERSION,
        "data": {
            "campaign": "winter-at-the-club",
            "campaign_title": "Winter at the club",
            "month": "1884-06",
            "text": f"Winter at the club: {words}",
            "url": "https://sirdar.example.org/campaigns/winter-at-the-club/",
        },
    }


# Render and read the schema that is committed to the repository, and its digest.


ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA_FILE = ROOT / "docs" / "openapi.json"
CHANGELOG = ROOT / "CHANGELOG.md"
LETTERS = 12


def render_schema() -> str:
    """Return the text of the schema file for the current endpoints."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    return json.dumps(json.loads(json.dumps(schema, default=str)), indent=1) + "\n"


@cache
def stored_schema() -> dict[str, Any]:
    """Return the committed schema; the same object every time."""
    document: dict[str, Any] = json.loads(SCHEMA_FILE.read_bytes())
    return document


def schema_digest(text: str) -> str:
    """Return the digest by which the changelog names this schema."""
    return f"schema {sha256(text.encode()).hexdigest()[:LETTERS]}"
