"""Every route of the program, walked as the wrong side and by strangers: nothing is told."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from api.documents.order_sheets import ORDERS_FORM
from api.http.responses import shelf
from battles.contract.brief import Side
from battles.core.decoding import decode, digest, encode
from battles.journal import pack
from campaign import rules
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign
from campaign.orders.order_sheet import sheet_from
from campaign.rules import sight
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, UnitId, month_slug
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.journal import creation
from campaign.services.umpire import rulings
from tests.fog.walking import (
    NAMED,
    STACK,
    Answer,
    Knows,
    Played,
    _answer,
    addresses,
    ask,
    leaks,
    may_know,
    walk,
)

SIDES = "egyptian", "mahdist"
CHANGING = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"|csrf[^"]*": "[^"]+"')
SENT = {"Accept-Encoding": "identity", "X-Request-ID": "the-same"}
OF_THE_HOUR = ("Expires", "RateLimit")
"""What differs from one answer to the next whatever the campaign holds."""


def client_of(played: Played, name: str) -> Client:
    client = Client(raise_request_exception=False)
    if name != "nobody":
        client.force_login(getattr(played.people, name))
    return client


def viewer_of(played: Played, name: str) -> Viewer:
    user = getattr(played.people, name, None)
    if isinstance(user, User):
        return fog_of_war.viewer_of(user, played.campaign)
    return Onlooker.PUBLIC


def walked(played: Played, name: str, knows: Knows, viewer: Viewer) -> list[str]:
    """Return the addresses that tell the visitor more than they may know, or break down."""
    wrong: list[str] = []
    for answer in walk(client_of(played, name), played.campaign):
        wrong += leaks(answer, knows, viewer)
        if answer.status >= 500:
            wrong.append(f"{answer.address} breaks down")
    return wrong


@pytest.mark.parametrize("name", SIDES)
def test_no_route_tells_a_side_what_is_hidden(played: Played, name: str) -> None:
    viewer = viewer_of(played, name)
    assert walked(played, name, may_know(played.campaign, viewer), viewer) == []


def hidden_from(played: Played, side: Side) -> list[UnitId]:
    """Return the units of the enemy that the side has come upon in no month, and does not see
    now.
    """
    truth = selectors.state_now(played.campaign)
    known, seen = may_know(played.campaign, side).units, sight.watch(truth, side).seen
    return [n for n, unit in truth.units.items() if n not in known and unit.hex not in seen]


def test_there_is_something_to_hide_and_the_umpire_sees_it(played: Played) -> None:
    """The search is worth something: what it looks for does stand in pages of the program."""
    truth = selectors.state_now(played.campaign)
    for side in Side:
        hidden = [truth.units[number] for number in hidden_from(played, side)]
        unit = next(one for one in hidden if NAMED.fullmatch(one.name))
        address = f"/campaigns/{played.campaign.slug}/1884-04/hex/{unit.hex:04d}/"
        shown = ask(client_of(played, "umpire"), address)
        assert unit.name in shown.text
        assert f'data-hex="{unit.hex:04d}" data-side="{side.enemy}"' in shown.text
        assert unit.name not in ask(client_of(played, side.value), address).text


def test_a_leak_would_be_found(played: Played) -> None:
    knows = may_know(played.campaign, Side.EGYPTIAN)
    number = next(n for n in range(1, 9000) if n not in knows.units)
    told = Answer("/", 200, f"There stands Xq{number:04d}x.")
    assert list(leaks(told, knows, Side.EGYPTIAN))


class Asked(NamedTuple):
    """The requests about a campaign: its addresses, and checks of orders by its seats."""

    addresses: list[str]
    seats: list[int]
    orders: dict[str, object]


def answers(client: Client, asked: Asked) -> Iterator[tuple[str, str]]:
    """Yield the answers about the campaign and to checks of orders, with empty caches."""
    cache.clear()
    shelf.__init__()  # type: ignore[misc]
    for address in asked.addresses:
        response = client.get(address, headers=SENT)
        headers = {name: said for name, said in response.headers.items() if name not in OF_THE_HOUR}
        yield address, CHANGING.sub("", _answer(address, response).text)
        yield f"{address}, status and headers", f"{response.status_code} {headers}"
    for seat in asked.seats:
        for way in ("check", "odds"):
            address = f"/api/v1/campaigns/fog/seats/{seat}/sheets/1884-04/{way}/"
            orders = ORDERS_FORM.write(sheet_from(asked.orders["sheet"]))
            sheet = json.dumps({"orders": orders["orders"]})
            response = client.post(address, sheet, content_type="application/json", headers=SENT)
            yield address, f"{response.status_code} {response.content.decode()}"


def another(state: State, hidden: list[UnitId], side: Side) -> State:
    """Return the same campaign as far as the side knows: what it does not know of is elsewhere."""
    copy = decode(encode(state), State)
    out_of_sight = _far_from(copy, side)
    for number in hidden[::2]:
        copy.units[number].hex = out_of_sight
    for number in hidden[1::2]:
        del copy.units[number]
    copy.marched = [number for number in copy.marched if number in copy.units]
    copy.pool = dict.fromkeys(copy.pool, 1)
    return copy


def _far_from(state: State, side: Side) -> HexId:
    """Return a hex of the land where nobody stands, out of the side's sight."""
    taken = {*board(state).hexes(side.enemy), *sight.watch(state, side).seen}
    land = (one.id for one in sudan().hexes.values() if not one.sea and not one.closed)
    return next(one for one in land if one not in taken)


def put(campaign: Campaign, state: State) -> None:
    """The campaign stands in that state, though nothing has happened."""
    document = encode(state)
    campaign.document, campaign.document_hash = pack(document), digest(document)
    campaign.save()


def test_what_is_hidden_makes_no_difference_to_any_answer(played: Played) -> None:
    """Of two campaigns that differ where a side cannot look, it gets the same answers."""
    side = Side.EGYPTIAN
    state, hidden = selectors.state_now(played.campaign), hidden_from(played, side)
    assert hidden
    stack = board(state).hexes(side)[0]
    units = [unit.id for unit in board(state).stack(side, stack)]
    to = [state.units[number].hex for number in hidden]
    march = {"type": "march", "hex": stack, "units": units, "contact": "attack"}
    orders = [march | {"legs": [{"type": "foot", "to": hex_id}]} for hex_id in dict.fromkeys(to)]
    sheet = {"month": played.campaign.month, "sheet": {"orders": orders[:3]}}
    of_it = [one for one in addresses(played.campaign) if "/fog/" in one]
    asked = Asked(of_it, list(played.campaign.seats.values_list("pk", flat=True)), sheet)
    for name in ("egyptian", "spectator"):
        client = client_of(played, name)
        one = dict(answers(client, asked))
        put(played.campaign, another(state, hidden, side))
        other = dict(answers(client, asked))
        put(played.campaign, state)
        assert {address: _where(one[address], other[address]) for address in one} == dict.fromkeys(
            one, ""
        )
        reckoned = [said[:3] for address, said in one.items() if address.endswith("/odds/")]
        assert name != "egyptian" or "200" in reckoned


def _where(one: str, other: str) -> str:
    """Return both answers where they begin to differ; "" if they are the same."""
    if one == other:
        return ""
    differing = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    at = next(differing, min(len(one), len(other)))
    return f"{one[at - 60 : at + 60]} | {other[at - 60 : at + 60]}"


def shown_by(campaign: Campaign, last: int) -> Knows:
    """Return all units and stacks of both sides, in every phase of the months up to that one.

    It is read from the journal, without the rules of the fog that are tried here.
    """
    units: set[int] = set()
    hexes: set[int] = set()
    for month in range(campaign.first_month - 1, last + 1):
        state, entries = selectors.played_in(campaign, month)
        for position in (state, *_positions(state, entries)):
            units |= {*position.units, *(one.id for due in position.due for one in due.units)}
            hexes |= {unit.hex for unit in position.units.values()}
    return Knows(frozenset(units), frozenset(hexes))


def _positions(state: State, entries: Iterator[selectors.Played]) -> Iterator[State]:
    for events, _ in entries:
        for event in events:
            rules.fold(state, [event])
            yield state


@pytest.mark.parametrize(
    ("name", "delay"),
    [
        ("spectator", 2),
        pytest.param("nobody", 1, marks=pytest.mark.long),
        pytest.param("stranger", creation.NEVER, marks=pytest.mark.long),
    ],
)
def test_the_public_sees_old_months_whole_and_nothing_younger_at_any_address(
    played: Played, name: str, delay: int
) -> None:
    campaign = played.campaign
    Campaign.objects.filter(pk=campaign.pk).update(public_delay=delay)
    campaign.refresh_from_db()
    last = campaign.month - delay
    known, client = shown_by(campaign, last), client_of(played, name)
    young = shown_by(campaign, campaign.month).hexes - known.hexes
    assert young or delay == 1
    assert walked(played, name, known, Onlooker.PUBLIC) == []
    for month in range(campaign.first_month - 1, campaign.month + 1):
        view = fog_of_war.view_at(campaign, month, Onlooker.PUBLIC)
        state = selectors.state_at(campaign, month)
        assert set(view.state.units) == (set(state.units) if month <= last else set())
        address = f"/campaigns/{campaign.slug}/{_slug(campaign, month)}/"
        assert bool(STACK.search(client.get(address).content.decode())) == (month <= last)


def _slug(campaign: Campaign, month: int) -> str:
    return "set-up" if month < campaign.first_month else month_slug(Month(month))


@pytest.mark.parametrize("delay", [1, 2, 3, 99])
def test_the_events_of_the_public_end_where_its_months_end(played: Played, delay: int) -> None:
    """Feed and stream tell the events of old months whole, and none that belongs to a later one."""
    campaign = played.campaign
    Campaign.objects.filter(pk=campaign.pk).update(public_delay=delay)
    campaign.refresh_from_db()
    last = campaign.month - delay
    everything, _ = journal_events.visible_events_since(campaign, "", 100_000, Onlooker.UMPIRE)
    shown, cursor = journal_events.visible_events_since(campaign, "", 100_000, Onlooker.PUBLIC)
    assert shown == everything[: len(shown)]
    young = {_slug(campaign, month) for month in range(last + 1, campaign.month + 1)}
    assert not {one["month"] for one in shown} & young
    # Events of the set-up come with the first month.
    assert bool(shown) == (last >= campaign.first_month)
    stream: Any = client_of(played, "spectator").get(
        f"/api/v1/campaigns/{campaign.slug}/events/stream/?since=0.0&follow=false"
    )
    told = b"".join(stream.streaming_content) if stream.streaming else stream.content
    for entry in selectors.entries_on(campaign):
        number = f"id: {journal_events.cursor_of(entry)}\n".encode()
        if cursor and entry.number > int(cursor.partition(".")[2]):
            assert number not in told


def test_a_longer_delay_hides_again_what_was_shown_and_the_end_shows_all(played: Played) -> None:
    cache.clear()  # the walks above have used up what an address may ask in a minute
    campaign, client = played.campaign, client_of(played, "nobody")
    address = f"/campaigns/{campaign.slug}/"
    last = _slug(campaign, campaign.month - 1)
    for delay, seen in ((1, True), (2, False), (1, True), (99, False)):
        rulings.set_public_delay(campaign.pk, played.people.umpire, delay)
        page = client.get(f"{address}{last}/").content.decode()
        assert bool(STACK.search(page)) is seen, delay
        place = client.get(f"/api/v1{address}months/{last}/state/").json()
        assert bool(place["stacks"]) is seen
    Campaign.objects.filter(pk=campaign.pk).update(finished=True)
    assert STACK.search(client.get(address).content.decode())
