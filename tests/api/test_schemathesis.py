"""Every operation of the schema, tried by everybody with whatever the schema lets him send."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import Scope
from accounts.tokens import create_token
from api.openapi.info import SCHEMA_FILE
from api.resources.umpire import BUNDLE
from battles import services as fighting
from battles.models import Battle
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.journal import creation
from sirdar.wsgi import application
from tests.battles_web.field import fought_out, small_brief
from tests.battles_web.fights import BOOKS, begun
from tests.fog.walking import Answer, Knows, leaks, may_know, play, seats
from tests.people import SIEGE, People, gather

pytestmark = pytest.mark.django_db
EVERYBODY = ("umpire", "egyptian", "mahdist", "spectator", "stranger", "nobody")
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    positive_data_acceptance,
    negative_data_rejection,
)
SETTLED = ["2xx", "304", *map(str, (401, 403, 404, 409, 410, 412, 413, 422, 428, 429, 503))]
"""The answers to a request that the schema allows: the state of things may forbid it; not 400."""
REFUSED = ["4xx"]


class Visitor(NamedTuple):
    """A caller: the token, the viewer, and what the caller may meet."""

    name: str
    headers: dict[str, str]
    viewer: Viewer
    knows: Knows


class World(NamedTuple):
    """Those who ask, and what addresses may name: campaigns and battles of every kind."""

    visitors: tuple[Visitor, ...]
    places: dict[str, list[object]]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """A campaign by order sheets in the fog, and one that is played live; taken back afterwards."""
    with django_db_blocker.unblock(), _connected(), transaction.atomic():
        yield _world()
        transaction.set_rollback(True)


@contextmanager
def _connected() -> Iterator[None]:
    """Requests do not end the connection, as they do in a server, nor the transaction with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def _world() -> World:
    people = gather()
    fogged = play(people, months=1).campaign
    wanted = creation.NewCampaignTerms(
        SIEGE, slug="live", seats=seats(people), mode="live", public=True
    )
    live = creation.create_campaign(wanted)
    visitors = tuple(_visitor(people, name, fogged) for name in EVERYBODY)
    numbers = [seat.pk for one in (fogged, live) for seat in one.seats.all()]
    months = [month_slug(Month(month)) for month in (fogged.month, fogged.month + 1)]
    battles = _battles(people)
    places: dict[str, list[object]] = {
        "slug": [fogged.slug, fogged.slug, live.slug],
        "scenarios/slug": [SIEGE],
        "seats/id": [*numbers, 1],
        "month": ["set-up", "current", *months],
        "sheets/month": [*months],
        "jobs/id": [str(job.uuid) for job in fogged.jobs.all()],
        "battles/id": battles,
        "table-sets/id": ["shipped"],
        "perspective": ["egyptian", "mahdist", "public", "umpire"],
        "table": ["march"],
        "book": ["redcoats"],
        "hex": ["1734"],
        "branch": [0],
        "maps/name": ["sudan"],
        "side": ["egyptian", "mahdist"],
    }
    return World(visitors, places)


def _battles(people: People) -> list[object]:
    """One that the two players fight by each book, one on the umpire's table, one that is over."""
    table = fighting.start(people.umpire, small_brief(), "restless", Battle.Way.TABLETOP)
    found = (*(begun(people, book) for book in BOOKS), table, fought_out(public=True))
    return [str(one.uuid) for one in found]


def _visitor(people: Any, name: str, campaign: Campaign) -> Visitor:
    user = getattr(people, name, None)
    if user is None:
        return Visitor(name, {}, Onlooker.PUBLIC, may_know(campaign, Onlooker.PUBLIC))
    token = create_token(user, "schemathesis", Scope.values)[1]
    viewer = fog_of_war.viewer_of(user, campaign)
    headers = {"Authorization": f"Bearer {token}"}
    return Visitor(name, headers, viewer, may_know(campaign, viewer))


@schemathesis.serializer(BUNDLE)
def _as_file(context: Any, value: Any) -> bytes:
    """Return a file that is none: whatever was drawn."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


def described(*, coverage: bool) -> Any:
    """Return the schema over the program itself; with requests for every edge of it, or drawn
    ones.
    """
    config = SchemathesisConfig.from_dict(
        {
            "phases": {"coverage": {"enabled": coverage}},
            "checks": {
                "positive_data_acceptance": {"expected-statuses": SETTLED},
                "negative_data_rejection": {"expected-statuses": REFUSED},
            },
        }
    )
    found = schemathesis.openapi.from_dict(
        json.loads(SCHEMA_FILE.read_text("utf-8")), config=config
    )
    found.app = application
    return found


SHORT = settings(
    max_examples=1,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@described(coverage=False).parametrize()
@SHORT
def test_every_operation_answers_everybody_as_its_schema_says(case: Any, world: World) -> None:
    try_as_everybody(case, world)


def try_as_everybody(case: Any, world: World) -> None:
    """Ask as everybody does; whatever is changed by it is taken back."""
    try_as(case, world, world.visitors)


def try_as(case: Any, world: World, visitors: Iterable[Visitor]) -> None:
    """Ask as each of them; whatever is changed by it is taken back."""
    may_be_refused = _lead_somewhere(case, world)
    for visitor in visitors:
        cache.clear()
        with transaction.atomic():
            response = case.call(headers={**visitor.headers, "Accept-Encoding": "identity"})
            transaction.set_rollback(True)
        streamed = case.path.endswith("/stream/")
        # A stream is described as text: its messages are held by tests/streams.
        left_out = {response_schema_conformance} if streamed else set()
        if not may_be_refused:
            left_out.add(negative_data_rejection)
        checks = [one for one in CHECKS if one not in left_out]
        case.validate_response(response, checks=checks)
        text = response.content.decode(errors="replace")
        if world.places["slug"][0] in case.formatted_path:
            answer = Answer(f"{visitor.name} {case.formatted_path}", response.status_code, text)
            assert not list(leaks(answer, visitor.knows, visitor.viewer))


def _lead_somewhere(case: Any, world: World) -> bool:
    """Fill the address with existing campaigns, seats and battles, which the schema cannot know.

    Returns False if the request may be valid now: what the schema forbids was in the address, or in
    the header Authorization, which each visitor replaces by their own.
    """
    words = case.path.split("/")
    replaced = set()
    for name in case.path_parameters:
        before = words[next(place for place, word in enumerate(words) if f"{{{name}}}" in word) - 1]
        known = world.places.get(f"{before}/{name}") or world.places.get(name)
        if known:
            turn = sum(str(case.path_parameters[name]).encode()) + len(str(case.body))
            case.path_parameters[name] = known[turn % len(known)]
            replaced.add(name)
    components = case.meta.components
    invalid = {place for place, info in components.items() if info.mode.is_negative}
    if replaced == set(case.path_parameters):
        invalid.discard(ParameterLocation.PATH)
    return bool(invalid - {ParameterLocation.HEADER})
