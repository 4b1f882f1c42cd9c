"""The content of an answer and its tag come from one read, whatever is written meanwhile."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from api.documents.order_sheets import ORDERS_FORM
from api.streams.campaign_stream import CAMPAIGNS
from api.streams.followers import Follower, FollowerIdentity, News, Subject
from battles import services as battle_services
from battles.contract import Side
from battles.models import Battle
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign, Entry
from campaign.orders.order_sheet import sheet_from
from campaign.rules.core.actions import Done
from campaign.rules.core.pieces import Month, month_slug
from campaign.services import order_submission
from campaign.services.journal import campaign_session, creation, rewind
from campaign.services.journal.dice import DiceAwaited
from campaign.services.turns import deadlines, live
from campaign.services.turns.timetable import Policy
from campaign.services.umpire import seat_control
from campaign.staff import answer
from tests.battles_web.fights import BOOKS, begun, step
from tests.people import SIEGE, People, logged_in
from tests.races.interruption import (
    Ask,
    Interruption,
    assert_no_stale_page_is_current,
    connection,
    interruptions,
    shown,
    undone,
)


def campaign_of(people: People, mode: str, actions: int = 2) -> Campaign:
    """Return a campaign in the fog, some actions on."""
    seats = {name: getattr(people, name) for name in ("umpire", "egyptian", "mahdist")}
    wanted = creation.NewCampaignTerms(SIEGE, mode=mode, seats=seats, fog=True)
    campaign = creation.create_campaign(wanted)
    for _ in range(actions):
        act(campaign)
    return Campaign.objects.get(pk=campaign.pk)


def head_of(campaign: Campaign) -> Entry:
    assert campaign.head is not None
    return campaign.head


def act(campaign: Campaign) -> None:
    """Somebody answers whatever is asked."""
    now = Campaign.objects.get(pk=campaign.pk)
    campaign_session.perform(now.pk, "test", answer(selectors.state_now(now)))


def act_often(campaign: Campaign) -> None:
    for _ in range(3):
        act(campaign)


def go_back(campaign: Campaign, people: People) -> None:
    first = Entry.objects.filter(campaign=campaign).order_by("number").first()
    assert first is not None
    rewind.rewind_to(campaign.pk, people.umpire, first, reason="A mistake.")


def adjourn(campaign: Campaign, people: People) -> None:
    seat_control.adjourn(campaign.pk, people.umpire, reason="Dinner.")


def hand_over(campaign: Campaign, people: People, role: str) -> None:
    seat = campaign.seats.get(role=role)
    seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason="Away.")


def vacate(campaign: Campaign, people: People) -> None:
    seat = campaign.seats.get(role="egyptian")
    seat_control.remove_player(campaign.pk, people.umpire, seat.pk, reason="Gone.")


CHANGES: dict[str, Callable[[Campaign, People], None]] = {
    "an action": lambda campaign, _: act(campaign),
    "several actions": lambda campaign, _: act_often(campaign),
    "adjourned": adjourn,
    "rewound": go_back,
    "handed to the staff": lambda campaign, people: hand_over(campaign, people, "egyptian"),
    "vacated": vacate,
}


def asking(client: Client, address: str) -> Ask:
    return lambda headers: client.get(address, headers=headers)


@pytest.mark.parametrize("change", CHANGES)
def test_a_live_page_with_a_current_tag_is_current(people: People, change: str) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    look = asking(logged_in(people.mahdist), reverse("live", args=[campaign.slug]))

    def ask(headers: dict[str, str]) -> Any:
        """The page carries its tag twice: for the browser, and for its own script."""
        response = look(headers)
        if response.status_code == 200:
            assert escape(response["ETag"]) in response.content.decode()
        return response

    assert_no_stale_page_is_current(ask, lambda: CHANGES[change](campaign, people))


@pytest.mark.parametrize("change", ["handed to the staff", "vacated", "adjourned"])
def test_a_live_page_that_would_show_another_thing_has_another_tag(
    people: People, change: str
) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    ask = asking(logged_in(people.mahdist), reverse("live", args=[campaign.slug]))
    tag = ask({})["ETag"]
    assert ask({"If-None-Match": tag}).status_code == 304
    CHANGES[change](campaign, people)
    assert ask({"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("change", ["several actions", "adjourned", "rewound"])
@pytest.mark.parametrize("document", ["state/", "map.geojson", "despatches/"])
def test_a_document_of_a_month_with_a_current_tag_is_current(
    people: People, document: str, change: str
) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    address = f"/api/v1/campaigns/{campaign.slug}/months/current/{document}"
    ask = asking(logged_in(people.mahdist), address)
    assert_no_stale_page_is_current(ask, lambda: CHANGES[change](campaign, people))


def waiting_for(ask: Ask, tag: str = "") -> tuple[str, str | None]:
    """Return whom the campaign waits for, in words and as a side; a copy with that tag is old."""
    answer = ask({"If-None-Match": tag} if tag else {})
    assert answer.status_code == 200
    told = answer.json()
    return told["waiting_for"], told["awaited_side"]


def test_a_campaign_says_at_once_whom_it_waits_for(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    ask = asking(logged_in(people.mahdist), f"/api/v1/campaigns/{campaign.slug}/")
    before, tag = waiting_for(ask), ask({})["ETag"]
    assert before == ("The Egyptian side has to act: reinforcements.", "egyptian")
    adjourn(campaign, people)
    assert waiting_for(ask, tag) == ("The campaign is adjourned until its umpire resumes it.", None)
    seat_control.take_up(campaign.pk, people.umpire)
    assert waiting_for(ask) == before
    hand_over(campaign, people, "egyptian")
    assert waiting_for(ask, tag) == ("The computer’s staff has to act for the Egyptian side.", None)


def at_the_table(people: People, *, fog: bool = False) -> Campaign:
    """Return a campaign with dice by hand, whose next throw the Mahdists’ set-up waits for."""
    seats = {name: getattr(people, name) for name in ("umpire", "egyptian", "mahdist")}
    terms = creation.NewCampaignTerms(
        SIEGE, mode=Campaign.Mode.LIVE, seats=seats, fog=fog, dice_by_hand=True
    )
    campaign = creation.create_campaign(terms)
    act(campaign)
    return Campaign.objects.get(pk=campaign.pk)


def ask_for_dice(campaign: Campaign) -> None:
    with pytest.raises(DiceAwaited):
        campaign_session.perform(campaign.pk, "mahdist", Done())


@pytest.mark.parametrize(
    ("name", "fog"), [("egyptian", False), ("umpire", True), ("mahdist", True)]
)
def test_a_live_page_says_at_once_that_dice_are_awaited(
    people: People, name: str, *, fog: bool
) -> None:
    campaign = at_the_table(people, fog=fog)
    ask = asking(logged_in(getattr(people, name)), reverse("live", args=[campaign.slug]))
    tag = ask({})["ETag"]
    ask_for_dice(campaign)
    again = ask({"If-None-Match": tag})
    assert again.status_code == 200
    assert "Dice that the umpire throws by hand." in again.content.decode()


def test_no_tag_tells_the_enemy_in_a_fog_that_dice_are_awaited(people: People) -> None:
    campaign = at_the_table(people, fog=True)
    ask = asking(logged_in(people.egyptian), reverse("live", args=[campaign.slug]))
    before = ask({})
    ask_for_dice(campaign)
    assert ask({"If-None-Match": before["ETag"]}).status_code == 304
    assert shown(ask({})) == shown(before)


def test_what_is_told_of_a_campaign_that_was_read_earlier_ends_at_its_head(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    view = fog_of_war.viewer_of(people.umpire, campaign)
    before = fog_of_war.despatches(campaign, campaign.month, view), selectors.months(campaign)
    act_often(campaign)
    assert (
        fog_of_war.despatches(campaign, campaign.month, view),
        selectors.months(campaign),
    ) == before


def test_no_version_of_a_campaign_comes_twice(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    first = head_of(campaign)
    act(campaign)
    rewind.rewind_to(campaign.pk, people.umpire, first, reason="A mistake.")
    now = Campaign.objects.get(pk=campaign.pk)
    assert now.head_id == campaign.head_id
    assert now.version != campaign.version


UNVERSIONED = {
    "title": "shown in no document of a month",
    "phase": "follows from the document",
    "mode": "shown in no document of a month",
    "dice_by_hand": "shown in no document of a month",
    "staff_level": "shown in no document of a month",
    "letter_post": "shown in no document of a month",
    "adjourned": "shown in no document of a month",
    "id": "names the row",
    "scenario": "never changes",
    "tables": "never changes",
    "public_anchor": "never changes",
    "side": "follows from the document",
    "waiting_for": "follows from branch and head",
    "outcome": "follows from the document",
    "battle": "follows from the document",
    "battle_title": "follows from the document",
    "document": "its hash is part of the version",
    "secret_seed": "shown to nobody",
    "public": "who may look is asked each time",
    "umpire": "who sits where is read from the seats",
    "created": "never changes",
    "awaited": "shown in titles of pages that have no tag",
    "battle_due": "shown on pages that have no tag",
    "when_ready": "shown on pages that have no tag",
    "deadline_policy": "shown on pages that have no tag",
    "rules": "shown on pages that have no tag",
    "rules_pinned": "shown on pages that have no tag",
    "rules_kept": "shown on pages that have no tag",
}


def test_every_column_of_a_campaign_is_in_its_version_or_shown_nowhere_with_a_tag() -> None:
    columns = {field.attname: field.name for field in Campaign._meta.concrete_fields}
    rest = {name for attname, name in columns.items() if attname not in Campaign.VERSIONED}
    assert rest == set(UNVERSIONED)


# Order sheets


def sheet_of(campaign: Campaign, number: int) -> dict[str, Any]:
    """Return a sheet that orders one unit to stay where it is."""
    state = selectors.state_now(campaign)
    mine = [one for one in state.units.values() if one.side == "egyptian" and one.hex]
    unit = mine[number]
    return {"orders": [{"type": "stay", "hex": unit.hex, "units": [unit.id]}]}


def in_json(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return the sheet as the interface has it."""
    written: dict[str, Any] = ORDERS_FORM.write(sheet_from(sheet))
    return written


def write(campaign: Campaign, people: People, number: int) -> None:
    """The same person writes the sheet from another window."""
    seat = campaign.seats.get(role="egyptian")
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, sheet_of(campaign, number))


def test_who_writes_a_sheet_by_rest_is_given_the_tag_of_what_was_written(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.ORDERS)
    seat = campaign.seats.get(role="egyptian")
    month = month_slug(Month(campaign.month))
    address = f"/api/v1/campaigns/{campaign.slug}/seats/{seat.pk}/sheets/{month}/"
    client, mine = logged_in(people.egyptian), in_json(sheet_of(campaign, 0))

    def put(sheet: object, match: str) -> Any:
        body = json.dumps(sheet)
        headers = {"If-Match": match}
        return client.put(address, body, content_type="application/json", headers=headers)

    races = 0
    for races, response in interruptions(
        lambda _: put(mine, "*"), lambda: write(campaign, people, 1)
    ):
        assert response.status_code == 200
        assert response.json()["orders"] == mine["orders"]
        kept = client.get(address).json()["orders"]
        again = put(in_json(sheet_of(campaign, 2)), response["ETag"])
        same = kept == mine["orders"]
        assert again.status_code == (200 if same else 412), f"before query {races}"
    assert races


def test_whoever_submits_a_sheet_is_told_of_the_sheet_that_was_submitted(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.ORDERS)
    seat = campaign.seats.get(role="egyptian")
    client, mine = logged_in(people.egyptian), sheet_of(campaign, 0)
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, mine)
    month = month_slug(Month(campaign.month))
    address = f"/api/v1/campaigns/{campaign.slug}/seats/{seat.pk}/sheets/{month}/"

    def submit(_: dict[str, str]) -> Any:
        body, headers = json.dumps({"submitted": True}), {"If-Match": '"1.0"'}
        return client.patch(address, body, content_type="application/json", headers=headers)

    def interfere() -> None:
        if seat.sheets.get().submitted is not None:
            order_submission.take_back(campaign.pk, people.egyptian, seat.pk)
        write(campaign, people, 1)

    answers = [response for _, response in interruptions(submit, interfere)]
    assert {response.status_code for response in answers} == {200, 412}
    for response in answers:
        if response.status_code == 200:
            told = response.json()
            assert (told["orders"], told["version"]) == (in_json(mine)["orders"], "2")
            assert told["receipt"]["receipt_kind"] == "submitted"


# Battles that players fight

MEANWHILE: dict[str, Callable[[Battle, People], object]] = {
    "an action": lambda battle, people: step(people, battle),
    "paused": lambda battle, people: battle_services.pause(battle, people.umpire, paused=True),
    "led by the computer": lambda battle, people: battle_services.lead(
        battle, people.egyptian, Side.EGYPTIAN, computer=True
    ),
}


@pytest.mark.parametrize("change", MEANWHILE)
@pytest.mark.parametrize("book", BOOKS)
def test_the_page_of_a_battle_with_a_current_tag_is_current(
    people: People, book: str, change: str
) -> None:
    battle, client = begun(people, book), logged_in(people.mahdist)
    ask = asking(client, reverse("fight", args=[battle.uuid]))
    # The page itself is never cached: its script asks at `follow` whether it is current.
    follow = asking(client, reverse("fight-follow", args=[battle.uuid]))
    assert_no_stale_page_is_current(ask, lambda: MEANWHILE[change](battle, people), follow)


def test_who_acts_in_a_battle_by_rest_is_given_the_tag_of_what_was_done(people: People) -> None:
    battle = begun(people, "redcoats")
    client = logged_in(people.umpire)
    address = f"/api/v1/battles/{battle.uuid}/fight/"

    def pause(_: dict[str, str]) -> Any:
        body = json.dumps({"paused": False})
        return client.patch(address, body, content_type="application/json")

    for races, response in interruptions(
        pause, lambda: battle_services.pause(battle, people.umpire, paused=True)
    ):
        if Battle.objects.get(pk=battle.pk).paused:
            assert not response.json()["paused"], f"before query {races}"


# Streams


def told_to(campaign: Campaign, user: Any, before: News | None = None) -> News:
    """Return all messages for a follower since `before`, the last one."""
    wire: Any = None
    place = before.place if before else journal_events.cursor_of(head_of(campaign))
    stood = before.stood if before else ()
    follower = Follower(
        Subject(CAMPAIGNS, campaign.pk), FollowerIdentity(user.pk), place, wire, stood
    )
    news = CAMPAIGNS.readers([campaign.pk])[campaign.pk].news(follower)
    assert news is not None
    return told_to(campaign, user, news) if news.more else news


DEADLINES: dict[str, Callable[[Campaign, People], object]] = {
    "set": lambda campaign, people: deadlines.set_policy(campaign.pk, people.umpire, Policy()),
    "extended": lambda campaign, people: deadlines.extend(
        campaign.pk, people.umpire, 24, seen=0, reason="A wedding."
    ),
    "stopped": lambda campaign, people: deadlines.pause(campaign.pk, people.umpire, reason="Ill."),
    "resumed": lambda campaign, people: deadlines.resume_clock(campaign.pk, people.umpire),
    "given up": lambda campaign, people: deadlines.set_policy(campaign.pk, people.umpire, None),
}


def test_who_waits_is_told_when_orders_are_due(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.ORDERS)
    news = told_to(campaign, people.mahdist)
    for name, change in DEADLINES.items():
        before = CAMPAIGNS.heads([campaign.pk])
        change(campaign, people)
        assert CAMPAIGNS.heads([campaign.pk]) != before, name
        news = told_to(campaign, people.mahdist, news)
        deadline = campaign.deadlines.filter(done=None, paused=None).first()
        due = deadline.due.strftime("%Y-%m-%dT%H:%M") if deadline else None
        told = json.loads(news.messages.split(b"data: ")[-1])["due_at"]
        assert (told and told[:16]) == due, name


@pytest.mark.parametrize("change", ["handed to the staff", "vacated", "adjourned"])
def test_who_waits_is_told_when_the_page_would_show_another_thing(
    people: People, change: str
) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    before = CAMPAIGNS.heads([campaign.pk])[campaign.pk]
    news = told_to(campaign, people.mahdist)
    assert told_to(campaign, people.mahdist, news).messages == b""
    CHANGES[change](campaign, people)
    assert CAMPAIGNS.heads([campaign.pk])[campaign.pk] != before
    assert told_to(campaign, people.mahdist, news).messages


@pytest.mark.parametrize("fog", [False, True])
def test_who_waits_is_told_that_dice_are_awaited_but_not_the_enemy_in_a_fog(
    people: People, *, fog: bool
) -> None:
    campaign = at_the_table(people, fog=fog)
    before = CAMPAIGNS.heads([campaign.pk])[campaign.pk]
    news = {user: told_to(campaign, user) for user in (people.umpire, people.egyptian)}
    ask_for_dice(campaign)
    assert CAMPAIGNS.heads([campaign.pk])[campaign.pk] != before
    assert told_to(campaign, people.umpire, news[people.umpire]).messages
    assert bool(told_to(campaign, people.egyptian, news[people.egyptian]).messages) is not fog


def test_a_follower_is_told_again_of_what_came_between_two_looks_of_the_hub(people: People) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE)
    number = 0
    while True:
        number += 1
        interruption = Interruption(number, lambda: act_often(campaign))
        with undone():
            with connection.execute_wrapper(interruption):
                heads = CAMPAIGNS.heads([campaign.pk])
                news = told_to(campaign, people.mahdist)
            if not interruption.made:
                break
            now = told_to(campaign, people.mahdist, news)
            assert CAMPAIGNS.heads([campaign.pk]) != heads or now.messages == b""


# The staff in live play


def test_the_staff_answers_as_soon_as_it_is_given_the_seat_that_is_waited_for(
    people: People, django_capture_on_commit_callbacks: Any
) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE, actions=3)
    asked = selectors.state_now(campaign).question
    assert asked is not None
    with django_capture_on_commit_callbacks(execute=True):
        hand_over(campaign, people, asked.side.value)
    now = Campaign.objects.get(pk=campaign.pk)
    assert not live.staff_is_asked(now)
    after = selectors.state_now(now).question
    assert after is not None
    assert after.side is not asked.side


def test_the_staff_answers_as_soon_as_the_campaign_is_taken_up_again(
    people: People, django_capture_on_commit_callbacks: Any
) -> None:
    campaign = campaign_of(people, Campaign.Mode.LIVE, actions=3)
    asked = selectors.state_now(campaign).question
    assert asked is not None
    adjourn(campaign, people)
    hand_over(campaign, people, asked.side.value)
    with django_capture_on_commit_callbacks(execute=True):
        seat_control.take_up(campaign.pk, people.umpire)
    assert not live.staff_is_asked(Campaign.objects.get(pk=campaign.pk))
