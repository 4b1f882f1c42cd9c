"""Messages to a follower: each event once, in order, and nothing that the fog hides from him."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from api.streams.campaign_stream import is_place, messages_since, present
from battles.contract.brief import Side
from campaign.access import journal_events, selectors
from campaign.models import Campaign
from campaign.rules.sight import Onlooker, Viewer
from campaign.services import order_submission
from campaign.services.journal import creation
from campaign.services.journal.rewind import rewind_to
from campaign.services.turns import advance
from tests.api.conftest import EVERYBODY, Api, As
from tests.api.problems import problem, wrong_places
from tests.people import People
from tests.played_once import begin_once

STREAM = "/campaigns/dark/events/stream/"


@pytest.fixture
def dark(seats: dict[str, User]) -> Campaign:
    """A campaign in the fog that anybody may look on at, after two months."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="dark", seats=seats, fog=True, public=True
    )
    return begin_once(wanted, 2)


def messages(body: bytes) -> list[tuple[str, str, Any]]:
    """Kind, id and data of each message."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in fields:
            found.append((fields.get("event", ""), fields["id"], json.loads(fields["data"])))
    return found


def events(body: bytes) -> list[Any]:
    return [data for kind, _, data in messages(body) if not kind]


def of_feed(api: Api) -> list[Any]:
    """Return every event of the feed, page by page."""
    found: list[Any] = []
    address = "/campaigns/dark/events/?since="
    while True:
        page = api.get(address).json()
        found += page["results"]
        if address.endswith(page["next"].rpartition("/")[2]):
            return found
        address = page["next"]


def test_everybody_is_streamed_what_the_feed_tells_him(dark: Campaign, as_: As) -> None:
    told = {who: events(as_(who).get(f"{STREAM}?since=").content) for who in EVERYBODY}
    for who in EVERYBODY:
        assert told[who] == of_feed(as_(who))
    assert len(told["umpire"]) > len(told["egyptian"])
    assert {one["month"] for one in told["stranger"]} == {"1884-02"}  # two months late
    assert told["egyptian"] != told["mahdist"]


def test_whoever_comes_back_with_any_id_is_told_the_rest_once(dark: Campaign) -> None:
    for viewer in (Onlooker.UMPIRE, *Side):
        read: dict[str, list[Any]] = {}
        whole = everything(dark, "", viewer, read)
        for number, (_, place, _) in enumerate(whole[:40], 1):
            assert everything(dark, place, viewer, read) == whole[number:]


def everything(
    campaign: Campaign, place: str, viewer: Viewer, read: dict[str, list[Any]]
) -> list[Any]:
    """Return all messages since the place; what follows a place is read once."""
    if place not in read:
        told = messages_since(campaign, place, viewer)
        found = messages(told.messages)
        more = everything(campaign, told.place, viewer, read) if told.more else []
        read[place] = found + more
    return read[place]


def test_without_a_place_only_what_happens_from_now_on_is_told(dark: Campaign, as_: As) -> None:
    api = as_("egyptian")
    ((kind, place, standing),) = messages(api.get(STREAM).content)
    assert kind == "status"
    assert standing["month"] == "1884-04"
    assert dark.head is not None
    assert place == standing["cursor"] == journal_events.cursor_of(dark.head)
    advance.run_month(dark.pk, until=dark.month + 1)
    later = api.get(STREAM, Last_Event_ID=place).content
    assert events(later) == of_feed(api)[-len(events(later)) :] != []
    assert messages(later)[-1][2]["month"] == "1884-05"


def test_the_public_hears_late(dark: Campaign, as_: As) -> None:
    Campaign.objects.filter(pk=dark.pk).update(public_delay=1)
    told = events(as_("anonymous").get(f"{STREAM}?since=").content)
    assert {one["month"] for one in told} == {"1884-02", "1884-03"}
    dark.refresh_from_db()
    assert present(dark, Onlooker.PUBLIC) == told[-1]["cursor"]


def test_who_has_read_what_was_taken_back_is_told_so_and_goes_on(
    dark: Campaign, as_: As, people: People
) -> None:
    last = messages(as_("umpire").get(STREAM).content)[-1][1]
    entry = selectors.entries_on(dark).filter(month=dark.month - 1).first()
    assert entry is not None
    rewind_to(dark.pk, people.umpire, entry, reason="A word was misread.")
    told = messages(as_("umpire").get(STREAM, Last_Event_ID=last).content)
    assert (told[0][0], told[0][1]) == ("rewound", journal_events.cursor_of(entry))
    assert told[-1][0] == "status"
    assert told[-1][2]["month"] == "1884-03"
    within = f"{last}.1"
    assert messages(as_("umpire").get(STREAM, Last_Event_ID=within).content)[0][0] == "rewound"


def test_what_is_no_place_is_refused(shown: Campaign, umpire: Api) -> None:
    for place in ("x", "0.9999", "7.1", "0.1.x", "1", "0.1.2.3", "\u0660.\u0661"):
        assert not is_place(shown, place)
        refused = problem(umpire.get(f"/campaigns/shown/events/stream/?since={place}"), "unfit")
        assert wrong_places(refused) == {"since"}


def test_it_is_for_those_who_may_see_the_campaign(secret: Campaign, as_: As) -> None:
    for who in ("stranger", "anonymous"):
        problem(as_(who).get("/campaigns/secret/events/stream/"), "not-found")


def test_it_says_what_it_is(dark: Campaign, umpire: Api) -> None:
    answer = umpire.get(STREAM, Accept="text/event-stream")
    assert answer["Content-Type"] == "text/event-stream"
    assert "no-store" in answer["Cache-Control"]
    assert answer.content.startswith(b"retry: ")


def test_only_umpires_are_told_that_a_draft_is_changed(
    dark: Campaign, as_: As, seats: dict[str, User]
) -> None:
    Campaign.objects.update(mode="orders")
    seat, player = dark.seats.get(role="egyptian"), seats["egyptian"]

    def statuses() -> dict[str, Any]:
        """Return the status of the campaign as it is streamed to each of them."""
        answers = {who: messages(as_(who).get(STREAM).content) for who in EVERYBODY}
        return {
            who: [data for kind, _, data in answer if kind == "status"]
            for who, answer in answers.items()
        }

    order_submission.save_sheet(dark.pk, player, seat.pk, {})
    begun = statuses()
    order_submission.save_sheet(dark.pk, player, seat.pk, {"orders": []})
    changed = statuses()
    assert {who for who in EVERYBODY if begun[who] != changed[who]} == {"umpire"}
    (told,) = [one for one in changed["umpire"][0]["order_statuses"] if one["seat_id"] == seat.pk]
    assert (told["order_status"], told["version"]) == ("draft", "2")
