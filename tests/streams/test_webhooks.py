"""Webhooks: signed, told once, tried again and given up."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import F
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from api import webhooks
from api.models import Delivery, Webhook
from api.webhooks import EventType
from campaign.models import Campaign
from campaign.services import mail as letters
from campaign.services.journal import creation, rewind
from campaign.services.transfer import deletion
from campaign.services.turns import advance
from campaign.services.umpire import invitations, seat_control
from tests.people import People
from tests.streams.listening import Heard, tell


def later(**by: int) -> None:
    """Let time pass for what is to be tried again."""
    Delivery.objects.exclude(due=None).update(due=F("due") - timedelta(**by))


def test_what_happens_is_sent_once_and_the_library_accepts_it(
    secret: Campaign, heard: Heard, people: People
) -> None:
    events = [EventType.MONTH_STARTED, EventType.FINISHED]
    hook = webhooks.create_webhook(people.egyptian, heard.url, events=events)
    tell(secret)
    assert heard.requests == []
    advance.run_month(secret.pk, until=secret.month + 1)
    for _ in range(2):
        tell(secret)
    ((headers, body),) = heard.requests
    told = Verifier(hook.secret).verify(body, headers)
    assert told == json.loads(body)
    assert set(told) == {"type", "timestamp", "api_version", "data"}
    assert (told["type"], told["api_version"]) == ("campaign.month_started", "v1")
    assert datetime.fromisoformat(told["timestamp"]) <= timezone.now()
    assert told["data"] == {
        "campaign": "secret",
        "campaign_title": "Secret",
        "month": "1884-03",
        "text": "Secret: it is March 1884",
        "url": "http://127.0.0.1:8000/campaigns/secret/",
    }
    (row,) = webhooks.delivery_log(hook)
    assert headers["webhook-id"] == webhooks.message_id(row.message_id)
    assert (row.status, row.attempts, row.error, row.due) == (200, 1, "", None)


def test_a_tampered_id_body_or_time_fails_the_check(
    secret: Campaign, heard: Heard, people: People
) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    webhooks.send_test_event(hook)
    webhooks.deliver_due()
    ((headers, body),) = heard.requests
    verifier = Verifier(hook.secret)
    verifier.verify(body, headers)
    changed = {
        "webhook-id": "msg_another",
        "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1),
        "webhook-signature": "v1,AAAA",
    }
    for name, value in changed.items():
        with pytest.raises(WebhookVerificationError):
            verifier.verify(body, {**headers, name: value})
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body.replace(b"webhook.test", b"webhook.best"), headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(webhooks._new_secret()).verify(body, headers)


def test_the_id_is_the_same_in_every_attempt(
    secret: Campaign, heard: Heard, people: People
) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    webhooks.send_test_event(hook)
    heard.status = 500
    for _ in range(3):
        webhooks.deliver_due()
        later(days=1)
    ids = [headers["webhook-id"] for headers, _ in heard.requests]
    assert (len(ids), len(set(ids))) == (3, 1)
    for headers, body in heard.requests:
        Verifier(hook.secret).verify(body, headers)


def test_a_user_is_told_what_is_his_and_a_campaign_what_the_public_may_know(
    heard: Heard, people: People, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="live", seats=seats, mode="live", fog=True
    )
    live = creation.create_campaign(wanted)
    mine, other = people.egyptian, people.mahdist
    if live.side == "mahdist":
        mine, other = other, mine
    hooks = {user: webhooks.create_webhook(user, heard.url) for user in (mine, other)}
    of_all = webhooks.create_webhook(people.umpire, heard.url, campaign=live)
    Delivery.objects.all().delete()
    tell(live)
    told = {
        hook: [one.event for one in webhooks.delivery_log(hook)]
        for hook in (*hooks.values(), of_all)
    }
    assert told[hooks[mine]] == [EventType.TURN_STARTED]
    assert told[hooks[other]] == []
    assert told[of_all] == []


def test_nobody_is_told_of_his_turn_while_the_campaign_is_adjourned(
    heard: Heard, people: People, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", seats=seats, mode="orders")
    campaign = creation.create_campaign(wanted)
    first = campaign.month
    campaign = advance.run_month(campaign.pk, until=first + 1)
    february = campaign.entries.filter(month=first).latest("number")
    campaign = advance.run_month(campaign.pk, until=first + 2)
    webhooks.create_webhook(people.egyptian, heard.url, events=[EventType.TURN_STARTED])
    seat_control.adjourn(campaign.pk, people.umpire, reason="Supper.")
    rewind.rewind_to(campaign.pk, people.umpire, february, reason="A slip.")
    tell(campaign)
    assert heard.requests == []
    seat_control.take_up(campaign.pk, people.umpire)
    tell(campaign)
    assert [body["data"]["text"] for body in heard.bodies()] == [
        f"{campaign.title}, March 1884: it is your turn"
    ]


def test_a_rewind_is_told_once_by_the_month_that_was_rewound_to(
    secret: Campaign, heard: Heard, people: People
) -> None:
    """A player who joins later hears nothing of an earlier rewind."""
    beginning = advance.run_month(secret.pk, until=secret.month + 1).head
    assert beginning is not None
    advance.run_month(secret.pk, until=secret.month + 3)
    webhooks.create_webhook(people.egyptian, heard.url, events=[EventType.REWOUND])
    webhooks.create_webhook(people.stranger, heard.url, events=[EventType.REWOUND])
    rewind.rewind_to(secret.pk, people.umpire, beginning, reason="A slip.")
    tell(advance.run_month(secret.pk, until=secret.month + 2))
    texts = [body["data"]["text"] for body in heard.bodies()]
    assert texts == ["Secret: the umpire has rewound it to March 1884"]
    campaign = advance.run_month(secret.pk, until=secret.month + 4)
    seat = campaign.seats.get(role="mahdist")
    seat_control.replace_player(secret.pk, people.umpire, seat.pk, "stranger", reason="Ill.")
    tell(campaign)
    assert len(heard.requests) == 1


def test_a_campaigns_webhook_is_told_nothing_once_its_user_is_no_umpire_of_it(
    secret: Campaign, heard: Heard, people: People
) -> None:
    webhooks.create_webhook(people.umpire, heard.url, campaign=secret)
    seat_control.second_umpire(secret.pk, people.umpire, "spectator")
    invitations.leave(secret.pk, people.umpire, secret.seats.get(user=people.umpire).pk)
    tell(advance.run_month(secret.pk, until=secret.month + 1))
    assert heard.requests == []
    seat_control.second_umpire(secret.pk, people.spectator, "umpire")
    tell(secret)
    assert [body["type"] for body in heard.bodies()] == [EventType.MONTH_STARTED]


@pytest.mark.parametrize("status", [500, 404, 302])
def test_what_is_not_taken_is_tried_again_and_then_given_up(
    status: int, secret: Campaign, heard: Heard, people: People
) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    heard.status, heard.headers = status, {"Location": f"{heard.url}&again"}
    webhooks.send_test_event(hook)
    assert webhooks.deliver_due() == 1
    assert webhooks.deliver_due() == 0
    for _ in range(10):
        later(days=1)
        webhooks.deliver_due()
    (row,) = webhooks.delivery_log(hook)
    assert row.attempts == len(heard.requests) == len(webhooks.RETRY_WAITS) + 1
    assert (row.due, row.delivered, row.status) == (None, None, status)
    assert str(status) in row.error


def test_each_wait_is_longer_than_the_last() -> None:
    assert list(webhooks.RETRY_WAITS) == sorted(set(webhooks.RETRY_WAITS))


def test_what_comes_through_at_last_is_as_good(
    heard: Heard, people: People, secret: Campaign
) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    webhooks.send_test_event(hook)
    heard.status = 503
    webhooks.deliver_due()
    hook.refresh_from_db()
    assert hook.failures == 1
    heard.status = 204
    later(hours=1)
    webhooks.deliver_due()
    hook.refresh_from_db()
    (row,) = webhooks.delivery_log(hook)
    assert row.delivered
    assert (hook.failures, row.attempts, row.error) == (0, 2, "")


def test_one_that_always_fails_is_disabled_and_its_owner_told(
    heard: Heard, people: People, secret: Campaign
) -> None:
    User.objects.filter(pk=people.egyptian.pk).update(email="gordon@example.org")
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    heard.status = 500
    for _ in range(webhooks.PATIENCE):
        webhooks.send_test_event(hook)
        Webhook.objects.filter(pk=hook.pk).update(failures=webhooks.PATIENCE - 1)
        webhooks.deliver_due()
        hook.refresh_from_db()
        if hook.disabled:
            break
    assert hook.disabled
    assert [one.to for one in mail.outbox] == [["gordon@example.org"]]
    assert heard.url in mail.outbox[0].body
    sent = len(heard.requests)
    later(days=2)
    assert webhooks.deliver_due() == 0
    assert len(heard.requests) == sent
    heard.status = 200
    webhooks.send_test_event(hook)
    webhooks.deliver_due()
    hook.refresh_from_db()
    assert hook.disabled is None


def test_an_answer_of_gone_disables_at_once(heard: Heard, people: People) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    heard.status = 410
    webhooks.send_test_event(hook)
    webhooks.deliver_due()
    hook.refresh_from_db()
    assert hook.disabled
    assert webhooks.delivery_log(hook)[0].due is None


def test_what_waits_with_it_is_sent_no_more_and_one_letter_says_so(
    heard: Heard, people: People
) -> None:
    User.objects.filter(pk=people.egyptian.pk).update(email="gordon@example.org")
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    for _ in range(3):
        webhooks.send_test_event(hook)
    heard.status = 410
    webhooks.deliver_due()
    assert (len(heard.requests), len(mail.outbox)) == (1, 1)
    log = webhooks.delivery_log(hook)
    assert [row.due for row in log] == [None, None, None]
    assert all(row.error for row in log)


def test_failures_of_one_round_are_all_counted(heard: Heard, people: People) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    for _ in range(3):
        webhooks.send_test_event(hook)
    heard.status = 500
    webhooks.deliver_due()
    hook.refresh_from_db()
    assert hook.failures == 3


def test_one_that_was_disabled_for_weeks_is_not_sent_old_news(
    secret: Campaign, heard: Heard, people: People
) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    heard.status = 500
    tell(advance.run_month(secret.pk, until=secret.month + 1))
    assert heard.requests
    hook.refresh_from_db()
    webhooks.change_webhook(hook, {"enabled": False})
    later(days=60)
    heard.status, heard.requests[:] = 200, []
    webhooks.change_webhook(hook, {"enabled": True})
    tell(secret)
    assert heard.requests == []
    tell(advance.run_month(secret.pk, until=secret.month + 2))
    assert "campaign.month_started" in [body["type"] for body in heard.bodies()]


def test_one_that_a_test_enables_is_not_sent_what_happened_while_it_was_disabled(
    heard: Heard, people: People, secret: Campaign
) -> None:
    hook = webhooks.create_webhook(people.umpire, heard.url, campaign=secret)
    webhooks.change_webhook(hook, {"enabled": False})
    advance.run_month(secret.pk, until=secret.month + 1)
    webhooks.send_test_event(hook)
    tell(secret)
    assert [body["type"] for body in heard.bodies()] == ["webhook.test"]
    secret.refresh_from_db()
    advance.run_month(secret.pk, until=secret.month + 1)
    webhooks.send_test_event(hook)
    tell(secret)
    assert [body["type"] for body in heard.bodies()[1:]].count("campaign.month_started") == 1


def test_a_campaign_that_is_restored_tells_nothing_twice(
    people: People, settings: Any, heard: Heard
) -> None:
    settings.SITE_URL = "https://sirdar.example"
    User.objects.filter(pk=people.egyptian.pk).update(email="egyptian@example.org")
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    terms = creation.NewCampaignTerms("siege-of-khartoum", mode="orders", seats=seats)
    campaign = creation.create_campaign(terms)
    webhooks.create_webhook(people.egyptian, heard.url)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    letters.send_due()
    tell(campaign)
    assert heard.requests
    assert mail.outbox
    heard.requests.clear()
    mail.outbox.clear()
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    restored = deletion.restore_campaign(deleted.pk, people.umpire)
    letters.send_due()
    tell(restored)
    assert (heard.requests, mail.outbox) == ([], [])
    restored = advance.run_month(restored.pk, until=restored.month + 1)
    letters.send_due()
    tell(restored)
    assert "campaign.turn_started" in [body["type"] for body in heard.bodies()]
    assert f"{restored.title}, April 1884: it is your turn" in [
        letter.subject for letter in mail.outbox
    ]


def test_a_campaign_that_has_gone_on_wakes_its_webhooks(
    secret: Campaign, heard: Heard, people: People, django_capture_on_commit_callbacks: Any
) -> None:
    webhooks.create_webhook(people.umpire, heard.url, campaign=secret)
    with django_capture_on_commit_callbacks(execute=True):
        advance.run_month(secret.pk, until=secret.month + 1)
    assert [one["type"] for one in heard.bodies()] == ["campaign.month_started"]
