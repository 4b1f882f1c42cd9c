"""A destination that its owner changes while a message is sent to it stays as they left it."""

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest
from django.db import connections
from django.http import Http404

from api import channel_posting, webhooks
from api.models import CampaignChannel, ChannelPost, Delivery, Webhook
from campaign.models import Campaign
from campaign.services.errors import Refused
from campaign.services.transfer import deletion
from campaign.services.turns import advance
from tests.people import People, logged_in, sit_down
from tests.races.interruption import meanwhile, written_beside
from tests.streams.listening import Heard

SAVED = LEASED = 'UPDATE "api_delivery"'
"""A delivery is leased before it is sent, and saved after that."""
WRITTEN = 'SAVEPOINT|UPDATE "api_'
"""The statement by which a change of a destination begins to be written."""


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    """A program that listens on this machine and answers that it has failed."""
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    program = Heard()
    program.status = 500
    yield program
    program.end()


@pytest.fixture
def webhook(people: People, heard: Heard) -> Webhook:
    """A webhook with two messages to be sent."""
    webhook = webhooks.create_webhook(people.umpire, heard.url)
    webhooks.send_test_event(webhook)
    webhooks.send_test_event(webhook)
    return webhook


def test_a_webhook_that_is_disabled_during_an_attempt_that_fails_stays_disabled(
    webhook: Webhook, heard: Heard
) -> None:
    def disable() -> None:
        webhooks.change_webhook(webhook, {"enabled": False})

    with meanwhile(disable, before=SAVED, after=LEASED):
        webhooks.deliver_due()
    webhook.refresh_from_db()
    assert heard.requests
    assert webhook.disabled is not None


def test_a_webhook_that_is_deleted_during_an_attempt_leaves_nothing(
    webhook: Webhook, heard: Heard
) -> None:
    with meanwhile(Webhook.objects.all().delete, before=SAVED, after=LEASED):
        webhooks.deliver_due()
    assert len(heard.requests) == 1
    assert not Delivery.objects.exists()


def test_a_secret_that_is_rotated_while_the_webhook_is_changed_stays_the_new_one(
    webhook: Webhook,
) -> None:
    other_tab = Webhook.objects.get(pk=webhook.pk)
    with meanwhile(lambda: webhooks.rotate_secret(other_tab), before=WRITTEN):
        webhooks.change_webhook(webhook, {"enabled": True})
    webhook.refresh_from_db()
    assert webhook.secret == other_tab.secret


def test_of_two_rotations_at_once_both_secrets_sign(webhook: Webhook) -> None:
    other_tab = Webhook.objects.get(pk=webhook.pk)
    with meanwhile(lambda: webhooks.rotate_secret(other_tab), before=WRITTEN):
        webhooks.rotate_secret(webhook)
    webhook.refresh_from_db()
    assert webhook.previous_secret == other_tab.secret


def test_a_webhook_or_channel_that_was_deleted_in_another_tab_is_not_changed_back_to_life(
    webhook: Webhook, people: People
) -> None:
    url = "https://discord.com/api/webhooks/1/a"
    channel = channel_posting.connect_channel(people.umpire, sit_down(people), url)
    with pytest.raises(Http404), meanwhile(Webhook.objects.all().delete, before=WRITTEN):
        webhooks.change_webhook(webhook, {"enabled": False})
    with pytest.raises(Http404), meanwhile(CampaignChannel.objects.all().delete, before=WRITTEN):
        channel_posting.change_channel(channel, {"enabled": False})
    assert not Webhook.objects.exists()
    assert not CampaignChannel.objects.exists()


def _in_another_process(act: Callable[[], object]) -> Callable[[], None]:
    """Return an act that sees only what has been committed."""

    def run() -> None:
        try:
            act()
        finally:
            connections.close_all()

    def start_and_wait() -> None:
        thread = Thread(target=run)
        thread.start()
        thread.join()

    return start_and_wait


URL = "https://discord.com/api/webhooks/1/a"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["webhook", "channel"])
@pytest.mark.parametrize("change", ["created", "enabled", "tested"])
def test_no_sweep_sends_old_news_to_a_destination_that_is_just_enabled(
    people: People, heard: Heard, kind: str, change: str
) -> None:
    campaign = sit_down(people, months=1)
    sweep, table = webhooks.queue_deliveries, 'UPDATE "api_webhook"'
    acts: dict[str, Callable[[], Any]]
    if kind == "webhook":
        hook = webhooks.create_webhook(people.umpire, heard.url)
        webhooks.change_webhook(hook, {"enabled": False})
        hook.deliveries.all().delete()
        acts = {
            "created": lambda: webhooks.create_webhook(people.umpire, heard.url),
            "enabled": lambda: webhooks.change_webhook(hook, {"enabled": True}),
            "tested": lambda: webhooks.send_test_event(hook),
        }
    else:
        sweep, table = channel_posting.queue_posts, 'UPDATE "api_campaignchannel"'
        channel = channel_posting.connect_channel(people.umpire, campaign, URL)
        channel_posting.change_channel(channel, {"enabled": False})
        channel.deliveries.all().delete()
        acts = {
            "created": lambda: channel_posting.connect_channel(people.umpire, campaign, f"{URL}b"),
            "enabled": lambda: channel_posting.change_channel(channel, {"enabled": True}),
            "tested": lambda: channel_posting.send_test_message(channel),
        }
    if change == "created":
        table = table.replace("UPDATE", "INSERT INTO")
    with meanwhile(_in_another_process(sweep), before="SELECT|COMMIT|INSERT", after=table):
        acts[change]()
    sweep()
    messages = Delivery if kind == "webhook" else ChannelPost
    sent = messages.objects.exclude(body="").exclude(event__in=("test", "webhook.test"))
    assert not sent.exists()


def test_nothing_is_queued_for_a_webhook_that_is_disabled_while_a_sweep_looks_at_it(
    people: People, heard: Heard
) -> None:
    campaign = sit_down(people)
    webhook = webhooks.create_webhook(people.umpire, heard.url, campaign=campaign)
    advance.run_month(campaign.pk, until=campaign.month + 1)

    def disable() -> None:
        webhooks.change_webhook(webhook, {"enabled": False})
        webhook.deliveries.all().delete()

    with meanwhile(disable, before='SELECT "api_delivery"', after='SELECT "api_webhook"'):
        webhooks.queue_deliveries()
    assert not webhook.deliveries.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["webhook", "channel"])
def test_a_destination_is_deleted_while_a_worker_queues_messages_to_it(
    people: People, heard: Heard, kind: str
) -> None:
    """Only PostgreSQL lets the worker write while the destination's rows are deleted."""
    campaign = sit_down(people, months=1)
    if kind == "webhook":
        made = webhooks.create_webhook(people.umpire, heard.url)
        address = f"/api/v1/webhooks/{made.pk}/"
    else:
        connected = channel_posting.connect_channel(people.umpire, campaign, URL)
        address = f"/api/v1/campaigns/{campaign.slug}/channels/{connected.pk}/"
    for log in (Delivery, ChannelPost):
        log.objects.all().delete()

    def queue() -> None:
        webhooks.queue_deliveries()
        channel_posting.queue_posts()

    with written_beside(queue, before='DELETE FROM "api_(webhook|campaignchannel)'):
        answer = logged_in(people.umpire).delete(address, headers={"If-Match": "*"})
    assert answer.status_code == 204
    assert not Delivery.objects.exists()
    assert not ChannelPost.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["webhook", "channel"])
def test_a_campaign_is_deleted_while_a_worker_queues_messages_about_it(
    people: People, heard: Heard, kind: str
) -> None:
    """Only PostgreSQL lets the deletion begin while the worker writes."""
    campaign = sit_down(people, months=1)
    if kind == "webhook":
        webhooks.create_webhook(people.umpire, heard.url, campaign=campaign)
        queue, table = webhooks.queue_deliveries, "api_delivery"
    else:
        channel_posting.connect_channel(people.umpire, campaign, URL)
        queue, table = channel_posting.queue_posts, "api_channelpost"
    for log in (Delivery, ChannelPost):
        log.objects.all().delete()

    def delete() -> None:
        deletion.delete_campaign(campaign.pk, people.umpire)

    with written_beside(delete, before=f'INSERT .*"{table}"'):
        queue()
    assert not Campaign.objects.filter(pk=campaign.pk).exists()


@pytest.mark.parametrize("kind", ["webhook", "channel"])
def test_of_two_destinations_that_are_made_at_once_the_second_is_refused(
    people: People, heard: Heard, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """There is room for one webhook, and a channel is connected once."""
    monkeypatch.setattr(webhooks, "MOST_WEBHOOKS", 1)
    campaign = sit_down(people)

    def make() -> object:
        if kind == "webhook":
            return webhooks.create_webhook(people.umpire, heard.url)
        return channel_posting.connect_channel(people.umpire, campaign, URL)

    with meanwhile(make), pytest.raises(Refused):
        make()
