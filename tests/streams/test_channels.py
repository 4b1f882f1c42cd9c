"""Channels: Discord and Slack receive what the public may know, once, from their umpire alone."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from api import channel_posting
from api.channel_news import picture_url
from api.channel_posting import service_of
from api.models import CampaignChannel, ChannelPost
from campaign.models import Campaign
from campaign.rules.core.actions import Done
from campaign.services.errors import NotAllowed, Refused, UnfitRequest
from campaign.services.journal import creation
from campaign.services.turns import advance, deadlines, live, timetable
from campaign.services.turns.deadlines import keep_deadlines
from tests.people import People
from tests.streams.channels import (
    DISCORD,
    PNG,
    SITE,
    SLACK,
    by_orders,
    connect,
    discord,
    heard,
    parts_of,
    post,
    post_all_again,
    slack,
)
from tests.streams.listening import Heard

__all__ = ["by_orders", "heard"]


def test_only_the_incoming_webhooks_of_discord_and_slack_are_accepted() -> None:
    for url in (DISCORD, DISCORD.replace("discord.com", "discordapp.com")):
        assert service_of(url) == "discord"
        assert service_of(f"{url}?thread_id=42") == "discord"
    assert service_of(SLACK) == "slack"


@pytest.mark.parametrize(
    "url",
    [
        DISCORD.replace("https", "http"),
        DISCORD.replace("discord.com", "discord.com.example.org"),
        DISCORD.replace("discord.com", "example.org"),
        DISCORD.replace("https://", "https://me@"),
        DISCORD.replace("https://", "https://example.org@"),
        DISCORD.replace("/api/webhooks/", "/api/users/"),
        f"{DISCORD}/../../users",
        f"{DISCORD}?wait=false",
        f"{DISCORD}#x",
        f"{SLACK}?thread_id=42",
        "https://discord.com/api/webhooks/",
        "https://hooks.slack.com/workflows/T000/B000/aBcDeF",
        "https://hooks.slack.com:8443/services/T000/B000/aBcDeF",
        f" {SLACK}",
        f"{SLACK}\r\nX: y",
    ],
)
def test_any_other_address_is_refused(url: str, secret: Campaign, people: People) -> None:
    with pytest.raises(UnfitRequest, match="incoming webhook"):
        connect(people, secret, url)
    assert not CampaignChannel.objects.exists()


def test_only_an_umpire_connects_one_and_the_same_one_but_once(
    secret: Campaign, people: People
) -> None:
    for who in ("egyptian", "spectator", "stranger"):
        with pytest.raises(NotAllowed):
            channel_posting.connect_channel(getattr(people, who), secret, DISCORD)
    connect(people, secret, DISCORD)
    with pytest.raises(Refused, match="already"):
        connect(people, secret, DISCORD)
    for number in range(1, channel_posting.MOST_CHANNELS):
        connect(people, secret, f"{SLACK}{number}")
    with pytest.raises(Refused, match="disconnect one"):
        connect(people, secret, SLACK)


def test_the_headline_is_posted_once_with_the_map_in_both_services(
    secret: Campaign, heard: Heard, people: People
) -> None:
    connect(people, secret, discord(heard), "headline")
    connect(people, secret, slack(heard), "headline")
    post(secret)
    assert heard.requests == []
    advance.run_month(secret.pk, until=secret.month + 1)
    for _ in range(2):
        post(secret)
    assert heard.paths == ["/discord/12/a-secret?wait=true", "/slack/T0/B0/a-secret"]
    parts = parts_of(*heard.requests[0])
    kind, picture = parts["files[0]"]
    assert (kind, picture[:8]) == ("image/png", PNG)
    assert parts["payload_json"][0] == "application/json"
    told = json.loads(parts["payload_json"][1])
    assert told["allowed_mentions"] == {"parse": []}
    (embed,) = told["embeds"]
    assert embed["title"] == "Secret, February 1884"
    assert embed["image"] == {"url": "attachment://map.png"}
    assert embed["url"] == f"{SITE}/campaigns/secret/"
    blocks = json.loads(heard.requests[1][1])["blocks"]
    header = {"type": "plain_text", "text": "Secret, February 1884", "emoji": False}
    assert blocks[0]["text"] == header
    assert embed["description"] == channel_posting._plain(blocks[1]["text"]["text"])
    (image,) = (one for one in blocks if one["type"] == "image")
    address = image["image_url"]
    assert address.startswith(f"{SITE}/channels/pictures/")
    shown = Client().get(address.removeprefix(SITE))
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/png")
    assert shown.content == picture
    assert "public" in shown["Cache-Control"]


def test_without_an_address_that_slack_can_fetch_it_gets_no_picture(
    secret: Campaign, heard: Heard, people: People, settings: Any
) -> None:
    settings.SITE_URL = "http://localhost:8000"
    connect(people, secret, slack(heard), "headline")
    advance.run_month(secret.pk, until=secret.month + 1)
    post(secret)
    (told,) = heard.bodies()
    assert [one["type"] for one in told["blocks"]] == ["header", "section", "context"]


def test_the_address_of_a_picture_can_be_neither_guessed_nor_kept_over_a_rewind(
    played: Campaign, settings: Any
) -> None:
    settings.SITE_URL = ""
    good = picture_url(played, played.month - 1)
    assert Client().get(good).status_code == 200
    assert Client().get(picture_url(played, played.month)).status_code == 404
    assert Client().get(good.replace(".png", "x.png")).status_code == 404
    assert Client().get("/channels/pictures/WzEsMCwxXQ:x.png").status_code == 404
    Campaign.objects.filter(pk=played.pk).update(branch=1)
    assert Client().get(good).status_code == 404


def test_under_fog_nothing_is_posted_before_the_public_gazette_is_out(
    heard: Heard, people: People, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="foggy", seats=seats, fog=True, public_delay=2
    )
    foggy = creation.create_campaign(wanted)
    connect(people, foggy, slack(heard), "headline")
    first = foggy.month
    for months, expected in ((1, []), (2, [first])):
        foggy = advance.run_month(foggy.pk, until=first + months)
        post(foggy)
        posted = [json.loads(one.body)["map_month"] for one in ChannelPost.objects.exclude(body="")]
        assert posted == expected
    address = heard.bodies()[0]["blocks"][2]["image_url"]
    assert Client().get(address.removeprefix(SITE)).status_code == 200
    hidden = picture_url(foggy, first + 1).removeprefix(SITE)
    assert Client().get(hidden).status_code == 404


def test_a_turn_is_posted_once_for_all_seats_with_the_deadline(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    connect(people, by_orders, slack(heard), "turn")
    post(by_orders)
    assert heard.requests == []
    post_all_again(by_orders)
    post(by_orders)
    (told,) = heard.bodies()
    text = told["blocks"][1]["text"]["text"]
    assert text.startswith("Orders for March 1884. Waiting for: ")
    assert "Egyptian commander-in-chief (egyptian)" in text
    assert "Mahdist commander-in-chief (mahdist)" in text
    assert re.search(r"March 1884 is due on \w+ \d+ \w+ \d{4}, 20:00 \(Europe/London\)\.$", text)


def test_a_channel_reads_the_names_that_players_have_chosen(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    User.objects.filter(pk=people.egyptian.pk).update(first_name="Chinese Gordon")
    connect(people, by_orders, slack(heard), "turn")
    post_all_again(by_orders)
    (told,) = heard.bodies()
    assert "Egyptian commander-in-chief (Chinese Gordon)" in told["text"]
    assert "(egyptian)" not in told["text"]


def test_a_live_campaign_posts_a_turn_of_each_side(
    heard: Heard, people: People, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="live", seats=seats, mode="live")
    live = creation.create_campaign(wanted)
    connect(people, live, slack(heard), "turn")
    post_all_again(live)
    (told,) = heard.bodies()
    mine, other = live.side, "mahdist" if live.side == "egyptian" else "egyptian"
    assert f"({mine})" in told["text"]
    assert f"({other})" not in told["text"]


def test_each_side_that_has_to_set_up_is_posted_with_its_own_seat(
    heard: Heard, people: People, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="new", seats=seats, mode="orders", fog=True
    )
    new = creation.create_campaign(wanted)
    connect(people, new, slack(heard), "turn")
    post_all_again(new)
    live.set_up(new.pk, people.egyptian, Done(), expected_head=0)
    new.refresh_from_db()
    post(new)
    texts = [one["blocks"][1]["text"]["text"] for one in heard.bodies()]
    assert [text.partition(" has to set up")[0] for text in texts] == [
        "The Egyptian side",
        "The Mahdist side",
    ]
    assert [text.partition("Waiting for: ")[2] for text in texts] == [
        "Egyptian commander-in-chief (egyptian).",
        "Mahdist commander-in-chief (mahdist).",
    ]


def test_a_reminder_names_those_who_are_late_and_comes_once(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    connect(people, by_orders, slack(heard), "reminder")
    post(by_orders)
    by_orders.deadlines.update(due=timezone.now() + timedelta(hours=5))
    keep_deadlines()
    seat = by_orders.seats.get(role="egyptian")
    seat.sheets.create(
        campaign=by_orders, branch=by_orders.branch, month=by_orders.month, submitted=timezone.now()
    )
    for _ in range(2):
        post(by_orders)
    (told,) = heard.bodies()
    assert "orders for March 1884 are due" in told["blocks"][0]["text"]["text"]
    text = told["blocks"][1]["text"]["text"]
    assert "(mahdist)" in text
    assert "(egyptian)" not in text


def test_a_deadline_that_is_extended_after_its_reminder_is_posted_again(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    connect(people, by_orders, slack(heard), "reminder")
    by_orders.deadlines.update(due=timezone.now() + timedelta(hours=5))
    keep_deadlines()
    post(by_orders)
    deadlines.extend(by_orders.pk, people.umpire, 48, seen=0, reason="Away.")
    for _ in range(2):
        post(by_orders)
    first, second = [one["blocks"][1]["text"]["text"] for one in heard.bodies()]
    assert timetable.due_in_words(by_orders) in second
    assert timetable.due_in_words(by_orders) not in first


def test_an_adjourned_campaign_posts_neither_turns_nor_reminders(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    connect(people, by_orders, slack(heard), "turn", "reminder")
    by_orders.deadlines.update(reminded=timezone.now())
    by_orders.adjourned = True
    by_orders.save()
    post_all_again(by_orders)
    assert heard.requests == []


def test_no_name_mentions_anybody_or_is_markup(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    Campaign.objects.filter(pk=by_orders.pk).update(title="<!channel> *Winter* @everyone <@1>")
    by_orders.refresh_from_db()
    connect(people, by_orders, slack(heard), "turn")
    connect(people, by_orders, discord(heard), "turn")
    post_all_again(by_orders)
    in_slack, in_discord = heard.bodies()
    assert "<" not in in_slack["text"]
    assert {one["text"]["type"] for one in in_slack["blocks"][:2]} == {"plain_text"}
    assert in_discord["allowed_mentions"] == {"parse": []}
    title = in_discord["embeds"][0]["title"]
    assert title.startswith("\\<!channel\\> \\*Winter\\* \\@everyone \\<\\@1\\>")
