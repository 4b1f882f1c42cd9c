"""Every route of the program, asked by somebody, and what may be found in the answers.

The units of the campaign carry names that stand nowhere else, so that whoever shows one to the
wrong eyes is found out by a search.
"""

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import decode, encode
from battles.models import Battle
from campaign import rules
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign, Job, Receipt, Seat
from campaign.rules import sight
from campaign.rules.core.board import board
from campaign.rules.core.events import PhaseBegan
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.sight import Viewer
from campaign.rules.tables.editions import shipped_edition
from campaign.services.journal import creation
from campaign.services.journal.creation import NEVER, begin_at
from campaign.services.pending_battle import owner_of
from campaign.services.turns import advance
from tests.people import SIEGE, People
from tests.played_once import play_once

NAMED = re.compile(r"Xq(\d{4})x")
STACK = re.compile(r'data-hex="(\d{4})" data-side="(\w+)"')
NOT_WALKED = ("admin/", "api/v1/schema/")
"""What is behind the site's own administration: only its keeper gets there. And the schema, which
is a file of the repository: its examples are of campaigns of its own, the same for everybody."""
POSTED = {"months": "1", "month": "1"}


class Played(NamedTuple):
    """The people, and the campaign they play in the fog."""

    people: People
    campaign: Campaign


class Answer(NamedTuple):
    """An answer that a visitor received."""

    address: str
    status: int
    text: str


def play(people: People, months: int = 2) -> Played:
    """Return a siege in the fog whose units have names, some months on, by orders from then on."""
    return Played(people, play_once(("fog", months), lambda: _play(people, months)))


def _play(people: People, months: int) -> Campaign:
    wanted = creation.NewCampaignTerms(
        SIEGE,
        title="Fog",
        seats=seats(people),
        public=True,
        public_delay=NEVER,
        fog=True,
        battles="redcoats",
    )
    campaign = begin_at(named(rules.new_game(SIEGE, shipped_edition())), wanted)
    campaign = advance.run_month(campaign.pk, until=campaign.month + months)
    done = Job.Status.SUCCEEDED
    Job.objects.create(campaign=campaign, months=1, until=campaign.month, total=9, status=done)
    Campaign.objects.filter(pk=campaign.pk).update(mode=Campaign.Mode.ORDERS)
    campaign.refresh_from_db()
    return campaign


def seats(people: People) -> dict[str, User]:
    """Return everybody in his seat but the stranger."""
    return {
        Seat.Role.UMPIRE.value: people.umpire,
        Seat.Role.EGYPTIAN.value: people.egyptian,
        Seat.Role.MAHDIST.value: people.mahdist,
        Seat.Role.OBSERVER.value: people.spectator,
    }


def named(state: State) -> State:
    """Return the state with a name for every unit that tells its number and stands nowhere else."""
    copy = decode(encode(state), State)
    for unit in copy.units.values():
        if unit.kind is not TroopKind.LEADER:
            unit.name = f"Xq{unit.id:04d}x"
    return copy


def ask(client: Client, address: str, **about: Any) -> Answer:
    """Return the answer to a GET."""
    return _answer(address, client.get(address, **about))


def _answer(address: str, response: Any) -> Answer:
    data = b"".join(response.streaming_content) if response.streaming else response.content
    return Answer(address, response.status_code, data.decode(errors="replace"))


def walk(client: Client, campaign: Campaign) -> Iterator[Answer]:
    """Yield every route there is, with every value of its parts that leads somewhere, asked and
    sent to.

    Whatever a POST should change is taken back.
    """
    for address in addresses(campaign):
        yield ask(client, address)
        if "/hex/" in address or "/walk/" in address:
            yield ask(client, address, headers={"HX-Request": "true"})
        if campaign.slug in address:
            yield from _posted(client, address)


def _posted(client: Client, address: str) -> Iterator[Answer]:
    with transaction.atomic():
        response = client.post(address, json.dumps(POSTED), content_type="application/json")
        yield _answer(address, response)
        yield _answer(address, client.post(address, POSTED))
        transaction.set_rollback(True)


def addresses(campaign: Campaign) -> list[str]:
    """Return the addresses of all routes; LookupError for a part of one that is not known here."""
    values = _values(campaign)
    found: list[str] = []
    for route in routes():
        if route.startswith(NOT_WALKED):
            continue
        parts = re.findall(r"<(?:\w+:)?(\w+)>", route)
        for chosen in product(*(_of(values, route, part) for part in parts)):
            address = route
            for value in chosen:
                address = re.sub(r"<(?:\w+:)?\w+>", str(value), address, count=1)
            found.append(f"/{address}")
    return list(dict.fromkeys(found))


def routes() -> list[str]:
    """Return every route as it is written, but those that are regular expressions."""
    return list(_routes("", get_resolver().url_patterns))


def _routes(before: str, patterns: list[Any]) -> Iterator[str]:
    for pattern in patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(here, pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and "^" not in here and "(" not in here:
            yield here


def _of(values: dict[str, list[object]], route: str, part: str) -> list[object]:
    """Return the values for one part of a route: those for it in that kind of route, or
    anywhere.
    """
    for kind, known in values.items():
        where, _, name = kind.rpartition(" ")
        if name == part and where in route:
            return known
    raise LookupError(f"nothing is known to ask {route} with for <{part}>")


def _values(campaign: Campaign) -> dict[str, list[object]]:
    """Return the values for the parts of routes; first those that hold for some routes only."""
    months = range(campaign.first_month, campaign.month + 1)
    battles = Battle.objects.filter(owner=owner_of(campaign))
    jobs: list[object] = [str(job.uuid) for job in campaign.jobs.all()]
    return {
        "/hex/ number": [f"{hex_id:04d}" for hex_id in _hexes(campaign)],
        "/walk/ number": [f"{hex_id:04d}" for hex_id in _hexes(campaign)],
        "months/ hex": [f"{hex_id:04d}" for hex_id in _hexes(campaign)],
        "orders/ number": list(campaign.seats.values_list("pk", flat=True)),
        "/odds/ number": [uuid4()],
        "order": [1],
        "seats/ number": list(campaign.seats.values_list("pk", flat=True)),
        "seats/ id": list(campaign.seats.values_list("pk", flat=True)),
        "invitations/ number": [1],
        "branches/ number": [0, 1],
        "branch": [0, 1],
        "rules/cases/ number": ["8.1"],
        "tables/ number": [1],
        "table-sets/ id": ["shipped", 1],
        "tokens/ number": [1],
        "tokens/ id": [1],
        "webhooks/ number": [1],
        "webhooks/ id": [1],
        "push-subscriptions/ id": [1],
        "clauses/ clause": ["8_21"],
        "workshop/ number": [1],
        "import-campaign/ number": [1],
        "deleted-campaigns/ id": [1],
        "workshop/ link": [uuid4()],
        "own-scenarios/ id": [1],
        "deleted-own-scenarios/ id": [1],
        "letters/ number": [1],
        "letters/ id": [1],
        "channels/ number": [1],
        "channels/ id": [1],
        "invitations/ id": [1],
        "simulations/ id": [uuid4()],
        "operations/ name": ["get-campaigns"],
        "components/ name": ["MarchOrder"],
        "bench/ number": [uuid4()],
        "/film/ number": [0, 1, 2, 3, 9],
        "/jobs/ number": jobs,
        "jobs/ id": jobs,
        "battles/ number": [one.uuid for one in battles] or [uuid4()],
        "battles/ id": [one.uuid for one in battles] or [uuid4()],
        "scenarios/ slug": [SIEGE],
        "slug": [campaign.slug],
        # A picture takes seconds to draw, and a search finds nothing in it.
        "film/picture.png month": [month_slug(Month(campaign.month))],
        "month": ["set-up", *(month_slug(Month(month)) for month in months)],
        "whose": ["egyptian", "mahdist", "public", "umpire"],
        "perspective": ["egyptian", "mahdist", "public", "umpire"],
        "side": ["egyptian", "mahdist"],
        "role": ["egyptian", "mahdist", "umpire", "observer"],
        "battle": [one.brief_id.rpartition("-")[0] for one in battles] or ["none"],
        "receipt": list(Receipt.objects.values_list("pk", flat=True)) or [1],
        "job": jobs,
        "turn": [0, 1, 99],
        "book": ["redcoats"],
        "table": ["march"],
        "maps/ name": ["sudan"],
        "problems/ name": ["not-found"],
        ".toml name": ["march"],
        "digest": ["0" * 16],
        "secret": ["nothing"],
        "token": ["nothing"],
        "uidb64": ["MQ"],
        "uid": ["MQ"],
        "letter": ["nothing"],
        "invitation": ["nothing"],
        "entry_number": [1],
    }


def _hexes(campaign: Campaign) -> list[int]:
    """For each side a hex with a stack that the other does not see; one where nobody stands."""
    position = board(selectors.state_now(campaign))
    found = [641]
    for side in Side:
        seen = board(fog_of_war.view_now(campaign, side.enemy).state).hexes(side)
        found.append(next(one for one in position.hexes(side) if one not in seen))
    return found


class Knows(NamedTuple):
    """The sights of a viewer: units by number, and hexes where the enemy was or is seen."""

    units: frozenset[int]
    hexes: frozenset[int]


def may_know(campaign: Campaign, viewer: Viewer) -> Knows:
    """Return everything that the viewer has seen or heard of in all months, and its own units."""
    units: set[int] = set()
    hexes: set[int] = set()
    for month in range(campaign.first_month - 1, campaign.month + 1):
        for view in (
            fog_of_war.view_at(campaign, month, viewer),
            *_within(campaign, month, viewer),
        ):
            due = {unit.id for due in view.state.due for unit in due.units}
            units |= set(view.state.units) | due
            hexes |= {unit.hex for unit in view.state.units.values()}
            for seen in (*view.sightings, *view.markers):
                units |= {unit.id for unit in seen.units}
                hexes.add(seen.hex)
    units |= set(_heard(campaign, viewer))
    return Knows(frozenset(units), frozenset(hexes))


def _within(campaign: Campaign, month: int, viewer: Viewer) -> Iterator[sight.View]:
    """Yield what a side sees at the end of each phase of the month."""
    if month < campaign.first_month or not isinstance(viewer, Side):
        return
    known = fog_of_war.known_at_beginning(campaign, viewer, month)
    state, entries = selectors.played_in(campaign, month)
    for events, _ in entries:
        for event in events:
            if isinstance(event, PhaseBegan):
                yield sight.visible_campaign(state, viewer, known)
            rules.fold(state, [event])
            sight.learn(known, state, event)


def _heard(campaign: Campaign, viewer: Viewer) -> Iterator[int]:
    """Yield the numbers of the units of which the viewer has heard in the news of a side."""
    if fog_of_war.sees_all(campaign, viewer) or not isinstance(viewer, Side):
        return
    hearing = journal_events.NewsFilter(campaign, viewer)
    for entry in selectors.entries_on(campaign):
        for event in hearing(entry):
            for name in ("units", "attacking", "defending", "hulls", "march"):
                told = getattr(event, name, ())
                for one in getattr(told, "units", told):
                    yield getattr(one, "id", one)


def leaks(answer: Answer, knows: Knows, viewer: Viewer) -> Iterator[str]:
    """Yield the parts of the answer that the viewer cannot know."""
    for number in NAMED.findall(answer.text):
        if int(number) not in knows.units:
            yield f"{answer.address} names unit {number}"
    for hex_id, side in STACK.findall(answer.text):
        if side != viewer and int(hex_id) not in knows.hexes:
            yield f"{answer.address} shows a {side} stack in {hex_id}"
    if answer.text.startswith(("{", "[")):
        for part in _parts(json.loads(answer.text)):
            yield from _told(answer, part, knows, viewer)


def _parts(told: object) -> Iterator[dict[str, Any]]:
    if isinstance(told, dict):
        yield told
        for value in told.values():
            yield from _parts(value)
    elif isinstance(told, list):
        for value in told:
            yield from _parts(value)


def _told(answer: Answer, part: dict[str, Any], knows: Knows, viewer: Viewer) -> Iterator[str]:
    """Yield a unit or a stack in a document that belongs to the other side and is not known."""
    if part.get("side") in (viewer, None):
        return
    if "kind" in part and isinstance(part.get("id"), int) and part["id"] not in knows.units:
        yield f"{answer.address} tells of unit {part['id']}"
    at = part.get("at")
    here = at.get("hex") if isinstance(at, dict) else None
    if "units" in part and here is not None and int(here) not in knows.hexes:
        yield f"{answer.address} tells of a stack in {here}"
