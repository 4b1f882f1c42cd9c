"""Every address as the resolver has it, filled with things of a table, and what is sent to it."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from django.core.signals import request_finished
from django.db import close_old_connections
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver

from api.openapi.examples import EXAMPLES
from campaign.cartography import base_digest
from campaign.rules.casebook import cases
from campaign.rules.map import sudan
from tests.battles_web.field import BOOK
from tests.people import SIEGE
from tests.security.world import LIVE, ORDERS, WAR, Table

ACCESS = Path(__file__).parents[2] / "docs" / "access.md"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ADMIN = "admin/…"
ABSENT = "none-of-that-name"

THINGS = {
    "orders/number": "seat",
    "seats/number": "seat",
    "receipts/receipt": "receipt",
    "invitations/number": "invitation",
    "invitations/id": "invitation",
    "seats/id": "seat",
    "invitations/secret": "secret",
    "branches/number": "branch",
    "branches/branch": "branch",
    "table-sets/id": "table set",
    "tables/number": "tables",
    "workshop/number": "own scenario",
    "import-campaign/number": "deleted campaign",
    "deleted-campaigns/id": "deleted campaign",
    "own-scenarios/id": "own scenario",
    "deleted-own-scenarios/id": "deleted scenario",
    "shared/link": "shared link",
    "tokens/number": "token",
    "tokens/id": "token",
    "bench/number": "bench",
    "compared/number": "comparison",
    "battles/number": "battle",
    "battles/id": "battle",
    "battles/battle": "awaited",
    "jobs/number": "job",
    "jobs/id": "job",
    "mail/token": "mail",
    "calendar/token": "calendar",
    "webhooks/number": "hook",
    "webhooks/id": "hook",
    "push-subscriptions/id": "browser",
    "letters/number": "letter",
    "letters/id": "letter",
    "channels/number": "channel",
    "channels/id": "channel",
    "pictures/token": "picture",
    "fight/id": "fight",
    "fight/number": "fight",
    "join/invitation": "join",
    "invitations/invitation": "join",
    "odds/number": "inquiry",
    "simulations/id": "inquiry",
}
"""What of a table's things an address names, by the word before it and the name in it."""
KNOWN = {
    "operations/name": "get-campaigns",
    "components/name": "MarchOrder",
    "scenarios/slug": SIEGE,
    "editions/slug": "harsh-desert",
    "cases/number": cases()[0].number,
    "map/digest": base_digest(sudan()),
    "papers/month": "1884-02",
    "papers/perspective": "egyptian",
    "month/whose": "egyptian",
    "walk/number": "2042",
    "hex/number": "2042",
    "brief/role": "egyptian",
    "problems/name": "not-found",
    "maps/name": "sudan",
    "tables/table": "march",
    "rules/name": "march",
    "clauses/clause": "8_21",
    "number/name": "march",
    "slug/name": "pieces",
    "books/book": BOOK,
    "turn/turn": "0",
    "months/month": "1884-02",
    "briefs/side": "egyptian",
    "hexes/hex": "2042",
    "odds/order": "0",
    "actions/entry_number": "1",
    "sheets/month": "1884-03",
    "debrief/month": "1884-02",
    "slug/month": "1884-02",
    "film/number": "0",
    "password/uidb64": "MQ",
    "uidb64/token": "of-no-letter",
    "email/token": "of-no-letter",
    "email-confirmations/token": "of-no-letter",
    "password-resets/uid": "MQ",
    "uid/token": "of-no-letter",
}
"""What everybody knows."""
_NAME = re.compile(r"<\w+:(\w+)>")


class Line(NamedTuple):
    """A line of the table of who may."""

    methods: tuple[str, ...]
    who: str


def table() -> dict[str, list[Line]]:
    """Return the lines of docs/access.md, by address."""
    told: dict[str, list[Line]] = {}
    for line in ACCESS.read_text().splitlines():
        if line.startswith("| `"):
            address, methods, who = (cell.strip() for cell in line.strip("|").split("|"))
            written = address.strip("`")
            route = "" if written == "/" else written
            told.setdefault(route, []).append(Line(tuple(methods.split()), who))
    return told


def routes() -> dict[str, str]:
    """Return every address that the resolver knows, as it is written there, with its name."""
    return dict(_routes(get_resolver(), ""))


def _routes(resolver: Any, before: str) -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from _routes(pattern, here)
        else:
            yield here, pattern.name or ""


def placed(route: str) -> str:
    """Return the line of the table under which the address stands."""
    return ADMIN if route.startswith("admin/") and route != "admin/login/" else route


def things_in(route: str) -> list[str]:
    """Return the things of somebody's that the address names, but for the campaign."""
    return [THINGS[key] for key, _ in _keys(route) if key in THINGS]


def filled(route: str, ours: Table, **others: object) -> str:
    """Return the address with what belongs to the table in it, or with `others` in its place."""
    things: Mapping[str, object] = {**ours.things, **others}
    campaign = ours.campaigns[_kind(route)].slug
    for key, whole in _keys(route):
        known = KNOWN.get(key, campaign if key == "campaigns/slug" else None)
        value = things[THINGS[key]] if key in THINGS else others.get(key, known)
        assert value is not None, f"{route}: say in addresses.py what {key} may be"
        route = route.replace(whole, str(value), 1)
    return "/api/nowhere/" if route.startswith("^") else f"/{route}"


def _keys(route: str) -> Iterator[tuple[str, str]]:
    before, fight = "", "/fight/" in route
    for part in route.split("/"):
        name = _NAME.search(part)
        if name:
            yield f"{'fight' if fight and before == 'battles' else before}/{name[1]}", name[0]
        before = name[1] if name else part


def _kind(route: str) -> str:
    """Return the campaign of that kind has what the address asks for."""
    if "<slug:battle>" in route:
        return WAR
    return LIVE if "/live/" in route or "/decision/" in route else ORDERS


BECAUSE = {"reason": "Agreed by letter."}
FORMS: dict[str, dict[str, object]] = {
    "campaign-battles": {"way": "combat-table", "fallback": "combat-table", "days": 7},
    "battle-result": {"enter": "1"},
    "channels": {"url": "https://discord.com/api/webhooks/2/b", "topics": ["turn"]},
    "channel": {"do": "disconnect"},
    "letter-post": {"post": "by_courier"},
    "webhook": {"url": "https://club.example/told", "events": ["campaign.turn_started"]},
    "seats": {"role": "egyptian", "days": 14, "command": "kordofan"},
    "rewind": {"entry": "0.1", **BECAUSE},
    "ruling": {"toss": "1", **BECAUSE},
    "command": {"do": "pause", **BECAUSE},
    "fight-lead": {"side": "egyptian", "by": "computer"},
    "fight-umpire": {"do": "pause"},
}
"""What is filled in on pages, where an empty form is refused before anybody looks who asks."""


BODIES: dict[str, dict[str, object]] = {
    "patch-campaign-battle": {"type": "declined"},
    "post-webhooks": {"url": "https://club.example/told"},
    "post-simulations": {"type": "bench", "scenario": SIEGE, "campaigns": 2},
    "post-campaign-invitations": {"role": "egyptian", "region_names": ["kordofan"]},
}
"""What is sent to the interface where its own example names what there is not here."""


def send(client: Client, method: str, address: str, name: str) -> HttpResponse:
    """Return the answer to a request with such a body as it should have."""
    ask = getattr(client, method.lower())
    if method in ("GET", "HEAD", "DELETE"):
        answer: HttpResponse = ask(address)
    elif address.startswith("/api/"):
        what = f"{method.lower()}-{name}"
        body = BODIES.get(what) or next(iter(EXAMPLES.get(what, {"": {}}).values()))
        answer = ask(address, json.dumps(body), content_type="application/json")
    elif method == "POST":
        answer = ask(address, FORMS.get(name, {}))
    else:
        answer = ask(address, "")
    _close(answer)
    return answer


def _close(answer: HttpResponse) -> None:
    """A file is let go of; the connection, and the transaction with it, is not."""
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)
