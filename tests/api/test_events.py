"""The feed of events: read on from a cursor, everything once and in order."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.access import journal_events, selectors
from campaign.models import Campaign
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.people import People

FEED = "/campaigns/secret/events/"


def test_read_page_by_page_it_tells_what_it_tells_at_once(umpire: Api, played: Campaign) -> None:
    whole = umpire.get(f"{FEED}?limit=1000").json()
    page = umpire.get(f"{FEED}?limit=20").json()
    pages = [page]
    while page["results"]:
        page = umpire.get(page["next"]).json()
        pages.append(page)
    assert [event for page in pages for event in page["results"]] == whole["results"]
    assert pages[-1]["cursor"] == pages[-2]["cursor"] == whole["cursor"]
    assert len(pages) > 3


def test_an_event_says_what_when_who_and_by_which_dice(umpire: Api, played: Campaign) -> None:
    events = umpire.get(f"{FEED}?limit=1000").json()["results"]
    kinds = {one["event"]["type"] for one in events}
    assert {"phase_began", "event_rolled", "month_began"} <= kinds
    assert "agenda_recorded" not in kinds
    assert {one["month"] for one in events} == {"1884-02"}
    assert {one["actor"] for one in events} == {"staff:egyptian", "staff:mahdist"}
    rolled = [one for one in events if one["event"]["type"] == "event_rolled"]
    assert {one["event"]["side"] for one in rolled} == {"egyptian", "mahdist"}
    assert {len(roll["dice"]) for one in rolled for roll in one["rolls"]} == {2}
    assert not any("by" in one["event"] for one in events)


def test_despatches_come_once_each_when_their_phase_is_over(umpire: Api, played: Campaign) -> None:
    month = umpire.get("/campaigns/secret/months/1884-02/despatches/").json()["results"]
    page = umpire.get(f"{FEED}?limit=20").json()
    told = page["despatches"]
    while page["results"]:
        page = umpire.get(page["next"]).json()
        told += page["despatches"]
    assert [one for one in told if one["month"] == "1884-02" and one["phase"] != "set_up"] == month


def test_the_end_of_a_campaign_is_told(umpire: Api, secret: Campaign) -> None:
    over = advance.run_month(secret.pk, until=secret.month + 40)
    assert over.finished
    page = umpire.get(f"{FEED}?limit=1000").json()
    while page["results"]:
        told = page
        page = umpire.get(page["next"]).json()
    assert "campaign_ended" in {one["event"]["type"] for one in told["results"]}
    last = told["despatches"][-1]["sentences"][-1]
    assert (last["topic"], last["weight"]) == ("victory", 3)
    state = umpire.get("/campaigns/secret/months/current/state/").json()
    campaign = umpire.get("/campaigns/secret/").json()
    assert (campaign["status"], campaign["waiting_for"]) == ("over", None)
    for text in (last["text"], campaign["outcome_text"]):
        assert state["final_result"]["reason"].rstrip(".") in text
    problem(umpire.post("/campaigns/secret/advance/"), "campaign-over")


def test_the_state_says_from_where_to_read_on(umpire: Api, secret: Campaign) -> None:
    first = umpire.get("/campaigns/secret/months/current/state/").json()["cursor"]
    assert umpire.get(f"{FEED}?since={first}").json()["results"] == []
    advance.run_month(secret.pk, until=secret.month + 1)
    everything = umpire.get(FEED).json()["results"]
    assert umpire.get(f"{FEED}?since={first}").json()["results"] == everything
    cursor = umpire.get("/campaigns/secret/months/current/state/").json()["cursor"]
    nothing = umpire.get(f"{FEED}?since={cursor}").json()
    assert (nothing["results"], nothing["cursor"]) == ([], cursor)
    advance.run_month(secret.pk, until=secret.month + 2)
    later = umpire.get(nothing["next"]).json()
    assert {one["month"] for one in later["results"]} == {"1884-03"}


def test_nothing_new_costs_a_304(umpire: Api, played: Campaign) -> None:
    path = umpire.get(f"{FEED}?limit=1000").json()["next"]
    etag = umpire.get(path)["ETag"]
    assert umpire.get(path, If_None_Match=etag).status_code == 304


def test_before_anything_has_happened_the_feed_is_empty(umpire: Api, secret: Campaign) -> None:
    told = umpire.get(FEED).json()
    assert (told["results"], told["cursor"]) == ([], "0.0")
    assert umpire.get(told["next"]).json() == told
    for since in ("", "0.0"):
        assert umpire.get(f"{FEED}?since={since}").json() == told


def test_a_rewound_campaign_says_how_far_what_was_read_still_holds(
    umpire: Api, played: Campaign, people: People
) -> None:
    read = umpire.get(f"{FEED}?limit=1000").json()["cursor"]
    back_to = selectors.entries_on(played)[4]
    creation.branch_from(played.pk, back_to, reason="A wrong ruling.", by="umpire:umpire")
    lost = problem(umpire.get(f"{FEED}?since={read}"), "cursor-lost")
    assert lost["cursor"] == journal_events.cursor_of(back_to)
    assert umpire.get(f"{FEED}?since={lost['cursor']}").json()["results"] == []


@pytest.mark.parametrize(
    "cursor",
    [
        "nonsense",
        "0",
        "0.",
        ".1",
        "0.999999",
        "7.1",
        "0.1.2",
        "-0.1",
        "0.1%00",
        "%C2%B2.1",
        "9" * 400,
    ],
)
def test_what_is_no_cursor(cursor: str, umpire: Api, played: Campaign) -> None:
    refused: dict[str, Any] = problem(umpire.get(f"{FEED}?since={cursor}"), "unfit")
    assert wrong_places(refused) == {"since"}


@pytest.mark.parametrize("limit", ["0", "1001", "-5", "all", "1e3"])
def test_a_limit_that_is_none(limit: str, umpire: Api, secret: Campaign) -> None:
    refused = problem(umpire.get(f"{FEED}?limit={limit}"), "invalid")
    (error,) = refused["errors"]
    assert (error["parameter"], "from 1 to 1000" in error["detail"]) == ("limit", True)


def test_an_abandoned_branch_is_read_on_its_own(
    as_: As, umpire: Api, played: Campaign, shown: Campaign
) -> None:
    before = umpire.get(f"{FEED}?limit=1000").json()["results"]
    back_to = selectors.entries_on(played)[4]
    creation.branch_from(played.pk, back_to, reason="A wrong ruling.", by="umpire:umpire")
    advance.run_month(played.pk, until=played.month)
    now = umpire.get(f"{FEED}?limit=1000").json()
    assert umpire.get(f"{FEED}?limit=1000&branch=1").json()["results"] == now["results"]
    left = umpire.get(f"{FEED}?limit=50&branch=0").json()
    told = left["results"]
    while left["results"]:
        assert left["despatches"] == []
        left = umpire.get(left["next"]).json()
        told += left["results"]
    assert told == before != now["results"]
    for branch in ("2", "99999"):
        problem(umpire.get(f"{FEED}?branch={branch}"), "not-found")
    for branch in ("first", "-1", ""):
        assert wrong_places(problem(umpire.get(f"{FEED}?branch={branch}"), "invalid")) == {"branch"}


def test_an_abandoned_branch_is_hidden_by_the_fog(as_: As, seats: dict[str, User]) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="dark", seats=seats, fog=True)
    campaign = creation.create_campaign(wanted)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    back_to = selectors.entries_on(Campaign.objects.get(pk=campaign.pk))[4]
    creation.branch_from(campaign.pk, back_to, reason="A wrong ruling.", by="umpire:umpire")
    feed = "/campaigns/dark/events/"
    problem(as_("egyptian").get(f"{feed}?branch=0"), "not-found")
    assert as_("egyptian").get(f"{feed}?branch=1").json() | {"next": ""} == as_("egyptian").get(
        feed
    ).json() | {"next": ""}
    assert as_("umpire").get(f"{feed}?branch=0").json()["results"]
