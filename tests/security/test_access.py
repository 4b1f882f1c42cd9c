"""Every address and method as everybody, held against the table of who may (docs/access.md)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse

from api import channel_news
from campaign.cartography import png
from campaign.models import Campaign
from tests.known_dice import fix_dice
from tests.security import addresses
from tests.security.addresses import ABSENT, ADMIN, METHODS, filled, send
from tests.security.world import (
    EGYPTIAN,
    EVERYBODY,
    FOREIGNER,
    GUEST,
    KEEPER,
    MAHDIST,
    NOBODY,
    SEATED,
    STRANGER,
    UMPIRE,
    World,
    world,
)

pytestmark = pytest.mark.django_db
ALL, LOGGED_IN = frozenset(EVERYBODY), frozenset(EVERYBODY[1:])
WITH_ACCOUNT = LOGGED_IN - {GUEST}
IN_IT = frozenset(SEATED)
PLAYERS = frozenset({EGYPTIAN, MAHDIST})
OUTSIDE = (NOBODY, GUEST, STRANGER, FOREIGNER, KEEPER)
WORDS: dict[str, frozenset[str]] = {
    "everybody": ALL,
    "nobody: there is nothing there": frozenset(),
    "a program with its token": frozenset(),
    "those who have name and password": frozenset(),
    "the machine itself, or those who have the token": ALL,
    "those who are logged in": LOGGED_IN,
    "those who have an account": WITH_ACCOUNT,
    "those who have the link and an account": WITH_ACCOUNT,
    "those who have the link, guests to register first": ALL - {GUEST},
    "those who have the link": ALL,
    "those who have the link and are logged in": LOGGED_IN,
    "those who see it": IN_IT,
    "those who see it and are logged in": IN_IT,
    "those who see it and have an account": IN_IT,
    "those who sit in it": IN_IT,
    "the holder of the seat": frozenset({EGYPTIAN}),
    "the side that is asked": frozenset({EGYPTIAN}),
    "that side and its umpires": frozenset({EGYPTIAN, UMPIRE}),
    "its players": PLAYERS,
    "its players and umpires": PLAYERS | {UMPIRE},
    "its umpires": frozenset({UMPIRE}),
    "its umpires until it is over": frozenset({UMPIRE}),
    "its owner": frozenset({UMPIRE}),
    "its readers": frozenset({EGYPTIAN, UMPIRE}),
    "its commanders and umpires, while it waits": frozenset(),
    "the keeper": frozenset({KEEPER}),
}
"""Who that is, of a campaign that is not public; of things of one's own the umpire is the owner."""
IN_PUBLIC = {
    "those who see it": ALL,
    "those who see it and are logged in": LOGGED_IN,
    "those who see it and have an account": WITH_ACCOUNT,
}
"""Who it is beside those, where the campaign is public."""
OF_SEATS = ("its umpires", "its players", "its players and umpires", "the holder of the seat")
"""Rights of some of those who see a campaign: a player is refused with 403, a stranger with 404."""
OF_LINKS = re.compile("/(invitations/<.*|leave/)")
"""The links to seats are hidden from players too; who holds no such seat is led back."""
BY_READING = {"mail/", "api/v1/account/notifications/"}
"""The choice of letters is made when it is first read."""
COUNTED = re.compile(r'"(django_session|axes_\w+)"|SET "used" =')
"""Sessions, wrong passwords, when a token was last used: they are written by asking."""
FORM_MARK = re.compile(r'value="\w{64}"')

TABLE, ROUTES = addresses.table(), addresses.routes()
OURS = sorted(set(ROUTES) & set(TABLE))
PAGES = [
    route
    for route in ROUTES
    if not route.startswith("api/v1/") and (route in TABLE or "<" not in route)
]
NAMING = [route for route in OURS if addresses.things_in(route) and "<slug:secret>" not in route]


ANSWERED: dict[tuple[str, ...], tuple[HttpResponse, list[str]]] = {}
"""The answers in this world so far, without their bodies. Whatever a request changes is taken back,
so the same request of the same person would be answered alike, and is sent once."""


@pytest.fixture(scope="module")
def here(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Everybody and everything, taken back afterwards."""
    ANSWERED.clear()
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, transaction.atomic():
        fix_dice(patch)
        patch.setattr(channel_news, "png", cache(png))  # one picture for all who fetch it
        yield world()
        transaction.set_rollback(True)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def written() -> Iterator[list[str]]:
    """Every statement that has changed a row, but for what asking alone writes."""
    writes: list[str] = []

    def execute(do: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        done = do(sql, params, many, context)
        changed = sql.startswith(("UPDATE", "DELETE")) and context["cursor"].rowcount
        if (changed or sql.startswith("INSERT")) and not COUNTED.search(sql):
            writes.append(sql[:120])
        return done

    with connection.execute_wrapper(execute):
        yield writes


def asked(here: World, who: str, method: str, address: str, name: str) -> tuple[Any, list[str]]:
    """Return the answer without its body, and what was written for it; all of it taken back."""
    request = (who, method, address, name)
    if request not in ANSWERED:
        answer, writes = read(here, *request)
        light = HttpResponse(status=answer.status_code, headers=dict(answer.headers))
        ANSWERED[request] = light, writes
    answer, writes = ANSWERED[request]
    return answer, list(writes)


def read(here: World, who: str, method: str, address: str, name: str) -> tuple[Any, list[str]]:
    """Return the whole answer, and what was written for it; all of it taken back."""
    client = here.client(who)
    with undone(), written() as writes:
        answer = send(client, method, address, name)
    return answer, writes


def to_log_in(answer: Any) -> bool:
    """Return whether it leads to log in or, as for a guest, to register."""
    where = answer.get("Location", "")
    return answer.status_code == 302 and ("/login/" in where or "/register/" in where)


def let_in(answer: Any) -> bool:
    return answer.status_code not in (401, 403, 404, 405) and not to_log_in(answer)


def wrong(method: str, found: tuple[Any, list[str]], *, may: bool) -> str:
    """Return the fault in an answer to someone who may, or may not; "" if there is none."""
    answer, writes = found
    if answer.status_code >= 500:
        return f"failed with {answer.status_code}"
    if writes and (method == "GET" or not may):
        return f"{answer.status_code}, but wrote {writes}"
    if may and not let_in(answer):
        return f"turned away with {answer.status_code}"
    if not may and method == "GET" and let_in(answer):
        return f"let in with {answer.status_code}"
    if not may and not (answer.status_code == 302 or 400 <= answer.status_code < 500):
        return f"answered with {answer.status_code}"
    challenged = (answer.status_code == 401) == ("WWW-Authenticate" in answer)
    return "" if challenged else f"a challenge does not go with {answer.status_code}"


def test_the_table_has_every_address_and_no_other() -> None:
    known = {addresses.placed(route) for route in ROUTES}
    assert known - set(TABLE) == set(), "say in docs/access.md who may use these"
    assert set(TABLE) - known == set(), "these are in docs/access.md, and nowhere else"
    assert {line.who for lines in TABLE.values() for line in lines} <= set(WORDS)


@pytest.mark.parametrize("route", OURS)
def test_everybody_gets_what_he_may_and_nothing_else(here: World, route: str) -> None:
    address, name = filled(route, here.ours), ROUTES[route]
    failed = {}
    for line in TABLE[route]:
        may = WORDS[line.who]
        few = {ALL: (NOBODY, GUEST, UMPIRE), LOGGED_IN: (NOBODY, GUEST, STRANGER)}
        few[WITH_ACCOUNT] = few[LOGGED_IN]
        asking = few.get(may, EVERYBODY)
        for method, who in ((method, who) for method in line.methods for who in asking):
            found = asked(here, who, method, address, name)
            if route in BY_READING:
                found[1].clear()
            failed[method, who] = wrong(method, found, may=who in may)
            of_seats = line.who in OF_SEATS and not OF_LINKS.search(route)
            if of_seats and who not in may and who in (*PLAYERS, STRANGER):
                status = found[0].status_code
                if status != (404 if who == STRANGER else 403):
                    failed[method, who] = f"refused with {status}"
    assert {pair: said for pair, said in failed.items() if said} == {}


@pytest.mark.long
@pytest.mark.parametrize("route", OURS)
def test_no_other_method_does_anything(here: World, route: str) -> None:
    address, name = filled(route, here.ours), ROUTES[route]
    known = {method for line in TABLE[route] for method in line.methods}
    failed = {}
    for method in set(METHODS) - known:
        answer, writes = asked(here, UMPIRE, method, address, name)
        leads_back = method == "GET" and answer.status_code == 302
        if writes or not (leads_back or answer.status_code in (401, 404, 405)):
            failed[method] = answer.status_code, writes
    assert failed == {}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("route", PAGES)
def test_every_address_of_a_page_can_be_looked_at(here: World, route: str, method: str) -> None:
    """One that takes a form alone leads whoever may send it to its page, and writes nothing."""
    address, name = filled(route, here.ours), ROUTES[route]
    lines = TABLE.get(route, [])
    form_alone = {one for line in lines for one in line.methods} == {"POST"}
    for who in EVERYBODY:
        answer, writes = asked(here, who, method, address, name)
        assert answer.status_code != 405, who
        if form_alone:
            assert (answer.status_code, writes) == (302, []), who
        if form_alone and any(who in WORDS[line.who] for line in lines):
            page = here.client(who).get(answer["Location"], follow=True)
            assert page.status_code == 200, who


@pytest.mark.parametrize("route", [route for route in OURS if "campaigns/<slug:slug>" in route])
def test_outsiders_of_a_public_campaign_read_and_do_nothing(here: World, route: str) -> None:
    address, name = filled(route, here.ours), ROUTES[route]
    failed = {}
    for line in TABLE[route]:
        may = IN_PUBLIC.get(line.who, frozenset())
        for method, who in (
            (method, who) for method in line.methods for who in (NOBODY, GUEST, STRANGER)
        ):
            with undone():
                Campaign.objects.update(public=True)
                found = read(here, who, method, address, name)
            failed[method, who] = wrong(method, found, may=who in may)
    assert {pair: said for pair, said in failed.items() if said} == {}


@pytest.mark.parametrize("route", [route for route in OURS if "campaigns/<slug:slug>" in route])
def test_outsiders_cannot_tell_a_secret_campaign_from_none(here: World, route: str) -> None:
    there = filled(route, here.ours)
    slug = there.split("campaigns/")[1].partition("/")[0]
    nowhere, name = there.replace(slug, ABSENT), ROUTES[route]
    for method in (method for line in TABLE[route] for method in line.methods):
        for who in (STRANGER, NOBODY):
            told, _ = read(here, who, method, there, name)
            known, _ = read(here, who, method, nowhere, name)
            assert said(told).replace(slug, ABSENT) == said(known), (method, who)


@pytest.mark.parametrize("route", NAMING)
def test_things_of_other_tables_are_as_good_as_none(here: World, route: str) -> None:
    """An id that is somebody else's, in an address of our own, opens and changes nothing."""
    name = ROUTES[route]
    failed = {}
    things = addresses.things_in(route)
    by_link = "link" in TABLE[route][0].who and len(things) == 1
    for thing in things:
        others = here.theirs.things[thing]
        if others == here.ours.things[thing]:
            continue
        address = filled(route, here.ours, **{thing: others})
        for method in (method for line in TABLE[route] for method in line.methods):
            for who in (UMPIRE, EGYPTIAN):
                found = asked(here, who, method, address, name)
                failed[method, who, thing] = wrong(method, found, may=by_link)
    assert {pair: said for pair, said in failed.items() if said} == {}


@pytest.mark.parametrize(
    "route",
    [route for route in NAMING if "campaigns/<slug:slug>" in route and "/branches/" not in route],
)
def test_things_of_another_campaign_of_ours_are_as_good_as_none(here: World, route: str) -> None:
    """Somebody who sits in both may not reach into one by the address of the other."""
    name, address = ROUTES[route], filled(route, here.ours)
    slug = address.split("campaigns/")[1].partition("/")[0]
    failed = {}
    for other in (one.slug for one in here.ours.campaigns.values() if one.slug != slug):
        elsewhere = address.replace(slug, other, 1)
        for method in (method for line in TABLE[route] for method in line.methods):
            for who in (UMPIRE, EGYPTIAN):
                found = asked(here, who, method, elsewhere, name)
                failed[method, who, other] = wrong(method, found, may=False)
    assert {pair: said for pair, said in failed.items() if said} == {}


OF_ANY_WORK = "api/v1/jobs/<uuid:id>/stream/"
SIMULATIONS = ("bench", "comparison", "inquiry")
WORKS = ("job", *SIMULATIONS)
KINDS = {OF_ANY_WORK: WORKS, "api/v1/simulations/<uuid:id>/": SIMULATIONS}
"""The addresses of things of several kinds."""
BY_UUID = ("bench", "comparison", "battle", "fight", "job", "inquiry")


@pytest.mark.parametrize(
    ("route", "thing"),
    [
        (route, thing)
        for route in NAMING
        for thing in BY_UUID
        if set(addresses.things_in(route)) & set(BY_UUID)
        and thing not in addresses.things_in(route)
        and thing not in KINDS.get(route, ())
        and not {thing, *addresses.things_in(route)} >= {"battle", "fight"}
    ],
)
def test_things_of_another_kind_are_as_good_as_none(here: World, route: str, thing: str) -> None:
    """The number of a job opens no bench, and that of a bench no battle, though all are ours."""
    of_kind = next(one for one in addresses.things_in(route) if one in BY_UUID)
    address = filled(route, here.ours, **{of_kind: here.ours.things[thing]})
    failed = {}
    for method in (method for line in TABLE[route] for method in line.methods):
        found = asked(here, UMPIRE, method, address, ROUTES[route])
        failed[method] = wrong(method, found, may=False)
    assert {pair: said for pair, said in failed.items() if said} == {}


@pytest.mark.parametrize(
    ("route", "thing"), [(route, thing) for route, kinds in KINDS.items() for thing in kinds]
)
def test_the_work_of_others_is_neither_followed_nor_stopped(
    here: World, route: str, thing: str
) -> None:
    (kind,) = addresses.things_in(route)
    address = filled(route, here.ours, **{kind: here.theirs.things[thing]})
    for method in (method for line in TABLE[route] for method in line.methods):
        for who in EVERYBODY:
            answer, writes = asked(here, who, method, address, ROUTES[route])
            assert (answer.status_code == 200) == (who == FOREIGNER), (method, who)
            assert not writes or who == FOREIGNER, (method, who)


def test_a_receipt_is_found_under_its_own_seat_alone(here: World) -> None:
    campaign = here.ours.campaigns["orders"]
    receipt, mine = here.ours.things["receipt"], here.ours.things["seat"]
    seat = campaign.seats.get(role="mahdist").pk
    for who, number, expected in (
        (EGYPTIAN, mine, 200),
        (MAHDIST, mine, 403),
        (MAHDIST, seat, 404),
    ):
        path = f"/api/v1/campaigns/{campaign.slug}/seats/{number}/receipts/{receipt}/"
        assert here.client(who).get(path).status_code == expected, (who, number)


def said(answer: Any) -> str:
    """Return the body without form tokens and its own id, which differ every time."""
    page = answer.content.decode().replace(answer["X-Request-ID"], "")
    return f"{answer.status_code} {FORM_MARK.sub('', page)}"


@pytest.mark.parametrize("who", EVERYBODY)
def test_the_keepers_pages_are_the_keepers(here: World, who: str) -> None:
    told = {}
    for route in (route for route in ROUTES if addresses.placed(route) == ADMIN):
        if "<" in route or "?P" in route or "logout" in route:
            continue
        answer = here.client(who).get("/" + route)
        told[route] = answer.status_code if let_in(answer) or not to_log_in(answer) else "log in"
    expected = {200, 302, 403} if who == KEEPER else {"log in"}
    assert set(told.values()) <= expected, told
    assert (200 in told.values()) == (who == KEEPER)
    assert len(told) > 20


UNSAFE = [
    (route, method)
    for route in OURS
    for line in TABLE[route]
    for method in line.methods
    if method != "GET" and WORDS[line.who] & {UMPIRE, EGYPTIAN}
]
UNMARKED = {
    "mail/<slug:token>/": "the link is the proof; mail programs have no form",
    "api/v1/accounts/": "an account is made, and nobody logged in",
    "api/v1/password-resets/": "who is logged in counts for nothing",
    "api/v1/password-resets/<slug:uid>/<str:token>/": "the link is the proof",
}


@pytest.mark.parametrize(("route", "method"), UNSAFE)
def test_nothing_is_done_for_another_sites_form(here: World, route: str, method: str) -> None:
    may = next(WORDS[line.who] for line in TABLE[route] if method in line.methods)
    client = here.client(UMPIRE if UMPIRE in may else EGYPTIAN, enforce_csrf_checks=True)
    with undone(), written() as writes:
        answer = send(client, method, filled(route, here.ours), ROUTES[route])
    assert (answer.status_code == 403) == (route not in UNMARKED)
    assert not writes or route in UNMARKED
