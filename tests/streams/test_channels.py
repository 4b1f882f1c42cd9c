"""Channels: Discord and Slack receive what the public may know, once, from their umpire alone."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.policy import HTTP
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from api import channel_news, channel_posting
from api.channel_news import picture_url
from api.channel_posting import mask_secret, service_of
from api.http.throttles import HookThrottle
from api.models import CampaignChannel, ChannelPost
from campaign.models import Campaign
from campaign.rules.core.actions import Done
from campaign.services.errors import NotAllowed, Refused, UnfitRequest
from campaign.services.journal import creation, rewind
from campaign.services.turns import advance, deadlines, live, timetable
from campaign.services.turns.deadlines import keep_deadlines
from campaign.services.turns.timetable import Policy
from tests.api.conftest import As
from tests.api.problems import problem
from tests.people import People
from tests.streams.listening import Heard

PNG = b"\x89PNG\r\n\x1a\n"
SITE = "https://club.example"
DISCORD = "https://discord.com/api/webhooks/1200000000000000000/aBc-D_e"
SLACK = "https://hooks.slack.com/services/T000/B000/aBcDeF"


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    """A chat service on this machine: Discord at one address, Slack at another."""
    program = Heard()
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    settings.SITE_URL = SITE
    settings.CHANNEL_URLS = {
        "discord": [f"{program.origin}/discord/"],
        "slack": [f"{program.origin}/slack/"],
    }
    yield program
    program.end()


@pytest.fixture
def by_orders(played: Campaign) -> Campaign:
    """A campaign by order sheets with a deadline, in its second month."""
    played.mode = Campaign.Mode.ORDERS
    played.deadline_policy = msgspec.to_builtins(Policy())
    played.save()
    timetable.open_deadline(played)
    return played


def connect(people: People, campaign: Campaign, url: str, *topics: str) -> CampaignChannel:
    return channel_posting.connect_channel(people.umpire, campaign, url, topics)


def discord(heard: Heard) -> str:
    return f"{heard.origin}/discord/12/a-secret"


def slack(heard: Heard) -> str:
    return f"{heard.origin}/slack/T0/B0/a-secret"


def post(campaign: Campaign) -> None:
    channel_posting.queue_posts([campaign.pk])
    channel_posting.deliver_due()


def post_all_again(campaign: Campaign) -> None:
    """Look for news as though nothing had been noted."""
    ChannelPost.objects.all().delete()
    post(campaign)


def parts_of(headers: dict[str, str], body: bytes) -> dict[str, tuple[str, bytes]]:
    """Return the parts of a form with files, by name: kind and content."""
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    whole: Any = message_from_bytes(head + body, policy=HTTP)
    return {
        one.get_param("name", header="content-disposition"): (
            one.get_content_type(),
            one.get_payload(decode=True),
        )
        for one in whole.iter_parts()
    }


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


def test_a_task_that_is_delivered_twice_posts_once(
    secret: Campaign, heard: Heard, people: People
) -> None:
    channel = connect(people, secret, slack(heard))
    channel_posting.send_test_message(channel)
    assert channel_posting.deliver_due() == 1
    assert channel_posting.deliver_due() == 0
    assert channel_posting.queue_posts([secret.pk]) == channel_posting.queue_posts() == 0
    assert len(heard.requests) == 1


def test_a_failure_is_tried_again_and_shown_without_the_address(
    secret: Campaign, heard: Heard, people: People, caplog: pytest.LogCaptureFixture
) -> None:
    channel = connect(people, secret, slack(heard))
    heard.status = 500
    channel_posting.send_test_message(channel)
    for _ in range(len(channel_posting.RETRY_WAITS) + 3):
        channel_posting.deliver_due()
        ChannelPost.objects.exclude(due=None).update(due=F("due") - timedelta(days=1))
    (row,) = channel_posting.post_log(channel)
    assert row.attempts == len(heard.requests) == len(channel_posting.RETRY_WAITS) + 1
    assert (row.due, row.status) == (None, 500)
    browser = Client()
    browser.force_login(people.umpire)
    page = browser.get("/campaigns/secret/console/channels/").content.decode()
    assert "It answered 500" in page
    assert "a-secret" not in page + caplog.text + row.error
    assert mask_secret(channel.url) in page


def test_what_a_rewind_has_undone_is_not_posted_and_keeps_nothing_else_from_it(
    secret: Campaign, heard: Heard, people: People
) -> None:
    channel = connect(people, secret, discord(heard), "headline")
    beginning = advance.run_month(secret.pk, until=secret.month + 1).head
    assert beginning is not None
    advance.run_month(secret.pk, until=secret.month + 3)
    heard.status = 500
    post(secret)
    rewind.rewind_to(secret.pk, people.umpire, beginning, reason="A mistake.")
    heard.status, heard.requests[:] = 200, []
    channel_posting.send_test_message(channel)
    ChannelPost.objects.exclude(due=None).update(due=F("due") - timedelta(days=1))
    channel_posting.deliver_due()
    assert [json.loads(one)["embeds"][0]["description"] for _, one in heard.requests] == [
        "A test: what happens in the campaign will be posted here."
    ]
    headline = channel_posting.post_log(channel).get(event="headline")
    assert (headline.due, headline.error) == (None, "The umpire has rewound the campaign since.")
    assert channel_posting.deliver_due() == 0


def test_a_headline_that_a_rewind_has_left_standing_is_not_posted_again(
    secret: Campaign, heard: Heard, people: People
) -> None:
    connect(people, secret, slack(heard), "headline")
    february = advance.run_month(secret.pk, until=secret.month + 1)
    beginning = february.head
    assert beginning is not None
    post(february)
    post(advance.run_month(secret.pk, until=secret.month + 2))
    rewind.rewind_to(secret.pk, people.umpire, beginning, reason="A mistake.")
    secret.refresh_from_db()
    post(secret)
    post(advance.run_month(secret.pk, until=secret.month + 1))
    titles = [one["blocks"][0]["text"]["text"] for one in heard.bodies()]
    assert titles == ["Secret, February 1884", "Secret, March 1884", "Secret, March 1884"]


def test_a_headline_that_stands_is_tried_again_after_a_rewind(
    secret: Campaign, heard: Heard, people: People
) -> None:
    connect(people, secret, slack(heard), "headline")
    february = advance.run_month(secret.pk, until=secret.month + 1)
    beginning = february.head
    assert beginning is not None
    heard.status = 500
    post(february)
    advance.run_month(secret.pk, until=secret.month + 2)
    rewind.rewind_to(secret.pk, people.umpire, beginning, reason="A mistake.")
    secret.refresh_from_db()
    heard.status, heard.requests[:] = 200, []
    ChannelPost.objects.exclude(due=None).update(due=F("due") - timedelta(days=1))
    for _ in range(2):
        post(secret)
    assert [one["blocks"][0]["text"]["text"] for one in heard.bodies()] == ["Secret, February 1884"]


@pytest.mark.parametrize("status", [404, 410])
def test_one_that_was_removed_there_is_disabled_and_its_umpire_notified(
    status: int, secret: Campaign, heard: Heard, people: People
) -> None:
    User.objects.filter(pk=people.umpire.pk).update(email="umpire@example.org")
    channel = connect(people, secret, discord(heard))
    heard.status = status
    channel_posting.send_test_message(channel)
    channel_posting.deliver_due()
    channel.refresh_from_db()
    assert channel.disabled
    (letter,) = mail.outbox
    assert letter.to == ["umpire@example.org"]
    assert "a-secret" not in letter.body
    assert "/campaigns/secret/console/channels/" in letter.body
    advance.run_month(secret.pk, until=secret.month + 1)
    post(secret)
    assert len(heard.requests) == 1


def test_repeated_failure_disables_it_and_a_test_enables_it(
    secret: Campaign, heard: Heard, people: People
) -> None:
    channel = connect(people, secret, slack(heard))
    heard.status = 503
    for _ in range(channel_posting.PATIENCE):
        channel_posting.send_test_message(channel)
        CampaignChannel.objects.filter(pk=channel.pk).update(failures=channel_posting.PATIENCE - 1)
        channel_posting.deliver_due()
    channel.refresh_from_db()
    assert channel.disabled
    heard.status = 200
    channel_posting.send_test_message(channel)
    channel_posting.deliver_due()
    channel.refresh_from_db()
    assert (channel.disabled, channel.failures) == (None, 0)


def test_a_reminder_of_long_ago_is_not_posted_when_it_is_enabled(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    channel = connect(people, by_orders, slack(heard), "reminder")
    by_orders.deadlines.update(due=timezone.now() + timedelta(hours=5))
    keep_deadlines()
    heard.status = 500
    post(by_orders)
    channel_posting.change_channel(channel, {"enabled": False})
    ChannelPost.objects.exclude(due=None).update(due=F("due") - timedelta(days=20))
    heard.status, heard.requests[:] = 200, []
    channel_posting.send_test_message(channel)
    post(by_orders)
    assert [one["blocks"][1]["text"]["text"][:6] for one in heard.bodies()] == ["A test"]


def test_nothing_is_posted_inside(
    secret: Campaign, heard: Heard, people: People, settings: Any
) -> None:
    channel = connect(people, secret, slack(heard))
    settings.WEBHOOKS_MAY_REACH = []
    channel_posting.send_test_message(channel)
    channel_posting.deliver_due()
    assert heard.requests == []
    assert "public address" in channel_posting.post_log(channel)[0].error


def test_what_is_chosen_later_begins_with_what_happens_later(
    played: Campaign, heard: Heard, people: People
) -> None:
    channel = connect(people, played, slack(heard), "turn")
    channel_posting.change_channel(channel, {"topics": ["headline"]})
    post(played)
    assert heard.requests == []
    advance.run_month(played.pk, until=played.month + 1)
    post(played)
    assert len(heard.requests) == 1
    with pytest.raises(UnfitRequest, match="headline, turn, reminder"):
        channel_posting.change_channel(channel, {"topics": []})


def test_a_campaign_that_goes_on_wakes_its_channels(
    secret: Campaign, heard: Heard, people: People, django_capture_on_commit_callbacks: Any
) -> None:
    connect(people, secret, slack(heard), "headline")
    with django_capture_on_commit_callbacks(execute=True):
        advance.run_month(secret.pk, until=secret.month + 1)
    assert len(heard.requests) == 1


def test_by_rest_one_is_connected_changed_tested_and_disconnected(
    as_: As, heard: Heard, secret: Campaign
) -> None:
    api = as_("umpire")
    path = "/campaigns/secret/channels/"
    made = api.post(path, {"url": discord(heard), "topics": ["turn", "headline"]})
    assert made.status_code == 201
    told = made.json()
    here = told["links"]["self"]
    assert made["Location"] == here
    assert (told["service"], told["topics"]) == ("discord", ["headline", "turn"])
    assert "a-secret" not in made.content.decode()
    assert api.get(path).json()["results"] == [told]
    assert api.get(here).json() == told
    changed = api.patch(here, {"topics": ["reminder"], "enabled": False}).json()
    assert (changed["topics"], changed["enabled"]) == (["reminder"], False)
    tested = api.post(told["links"]["deliveries"])
    assert (tested.status_code, tested.json()["topic"]) == (201, None)
    (line,) = api.get(told["links"]["deliveries"]).json()["results"]
    assert (line["response_status"], line["last_error"]) == (200, None)
    assert api.get(here).json()["enabled"]
    assert len(heard.requests) == 1
    problem(api.post(path, {"url": "https://example.org/hook"}), "unfit")
    problem(api.patch(here, {"url": slack(heard)}), "invalid")
    problem(api.patch(here, {"topics": []}), "invalid")
    for who in ("egyptian", "spectator"):
        problem(as_(who).get(path), "not-allowed")
        problem(as_(who).post(path, {"url": slack(heard)}), "not-allowed")
        problem(as_(who).patch(here, {"enabled": False}), "not-allowed")
        problem(as_(who).ask("delete", here), "not-allowed")
    problem(as_("stranger").get(path), "not-found")
    assert api.ask("delete", here).status_code == 204
    assert api.get(path).json()["results"] == []


def test_its_page_connects_changes_tests_and_disconnects(
    people: People, heard: Heard, secret: Campaign
) -> None:
    browser = Client()
    browser.force_login(people.umpire)
    page = "/campaigns/secret/console/channels/"
    assert page in browser.get("/campaigns/secret/console/").content.decode()
    refused = browser.post(page, {"url": "https://example.org/", "topics": ["turn"]})
    assert refused.status_code == 400
    assert "incoming webhook begins with" in refused.content.decode()
    sent = {"url": slack(heard), "topics": ["turn", "headline"]}
    assert browser.post(page, sent, follow=True).status_code == 200
    channel = CampaignChannel.objects.get()
    one = f"{page}{channel.pk}/"
    for do, expected in {
        "test": "posted",
        "disable": "It is disabled",
        "enable": "Disable",
    }.items():
        shown = browser.post(one, {"do": do}, follow=True).content.decode()
        assert expected in shown
        assert "a-secret" not in shown
    browser.post(one, {"do": "save", "topics": ["reminder"]})
    channel.refresh_from_db()
    assert channel.topics == ["reminder"]
    assert "Choose at least one" in browser.post(one, {"do": "save"}, follow=True).content.decode()
    other = Client()
    other.force_login(people.egyptian)
    assert other.get(page).status_code == 403
    assert other.post(one, {"do": "disconnect"}).status_code == 403
    browser.post(one, {"do": "disconnect"})
    assert not CampaignChannel.objects.exists()


def test_its_page_sends_tests_as_often_as_rest(
    people: People, heard: Heard, secret: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, HookThrottle.scope: "1/hour"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    channel = channel_posting.connect_channel(people.umpire, secret, slack(heard), ["turn"])
    browser = Client()
    browser.force_login(people.umpire)
    page = f"/campaigns/secret/console/channels/{channel.pk}/"
    shown = [browser.post(page, {"do": "test"}, follow=True).content.decode() for _ in range(2)]
    assert ["nothing was sent now." in one for one in shown] == [False, True]
    assert channel_posting.post_log(channel).count() == 1


def test_every_topic_is_described() -> None:
    assert set(channel_news.TOPICS) == set(channel_news.ChannelTopic)
