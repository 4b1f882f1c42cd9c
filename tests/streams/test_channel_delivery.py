"""Posts to a channel are tried again, and each is sent once."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone

from api import channel_posting
from api.channel_posting import mask_secret
from api.models import CampaignChannel, ChannelPost
from campaign.models import Campaign
from campaign.services.errors import UnfitRequest
from campaign.services.journal import rewind
from campaign.services.turns import advance
from campaign.services.turns.deadlines import keep_deadlines
from tests.people import People
from tests.streams.channels import by_orders, connect, discord, heard, post, slack
from tests.streams.listening import Heard

__all__ = ["by_orders", "heard"]


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


def test_one_that_a_test_enables_posts_nothing_of_the_time_in_which_it_was_disabled(
    by_orders: Campaign, heard: Heard, people: People
) -> None:
    channel = connect(people, by_orders, slack(heard), "reminder")
    channel_posting.change_channel(channel, {"enabled": False})
    by_orders.deadlines.update(due=timezone.now() + timedelta(hours=5))
    keep_deadlines()
    channel_posting.send_test_message(channel)
    post(by_orders)
    assert len(heard.requests) == 1


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
