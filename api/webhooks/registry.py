"""Create, change and test webhooks, rotate their secrets, and send them signed requests."""

import base64
import secrets
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import TypedDict
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from api import delivery
from api.delivery import Carrier, DisabledNotice, QueuedEvent
from api.models import Delivery, Webhook
from api.receivers import active_webhooks
from api.ssrf_guard import Undeliverable, check_reachable, post
from api.webhooks.events import (
    EVENTS,
    PUBLIC_EVENTS,
    EventType,
    WebhookEvent,
    payload,
    webhook_events,
)
from campaign.models import Campaign, Seat
from campaign.services.errors import NotAllowed, Refused, UnfitRequest

MOST = 20
"""The most webhooks of one user."""
SECRET = 32  # bytes
SECRET_PREFIX = "whsec_"  # noqa: S105  the prefix that Standard Webhooks gives every secret
OVERLAP = timedelta(hours=24)
"""The time for which both secrets sign after a rotation."""
WAITS = tuple(timedelta(seconds=one) for one in (30, 120, 600, 1800, 7200, 21600, 43200))
PATIENCE = 25
GONE = frozenset({410})


class WebhookChanges(TypedDict, total=False):
    """The changes to a webhook; what is left out stays. Without a campaign it covers all."""

    url: str
    campaign: Campaign | None
    events: Collection[str]
    enabled: bool


def create_webhook(
    user: User, url: str, *, campaign: Campaign | None = None, events: Collection[str] = ()
) -> Webhook:
    """Create a webhook of the user, or of the campaign if they are its umpire.

    By default it receives every event of its kind. Events that have happened already are not sent.
    Raises UnfitRequest, NotAllowed and Refused.
    """
    known = PUBLIC_EVENTS if campaign else tuple(EVENTS)
    made = Webhook(user=user, url=url, campaign=campaign, secret=_new_secret())
    made.events = _events_in_order(campaign, events or known)
    _check_url(url)
    _check_umpire(user, campaign)
    if user.webhooks.count() >= MOST:
        raise Refused(f"You have {MOST} webhooks: delete one first.")
    made.save()
    _mark_past_events(made)
    return made


def change_webhook(webhook: Webhook, changes: WebhookChanges) -> None:
    """Change address, campaign and events, and enable or disable the webhook.

    Events that happened before are not sent. Raises UnfitRequest and NotAllowed.
    """
    campaign = changes.get("campaign", webhook.campaign)
    if "url" in changes:
        _check_url(changes["url"])
        webhook.url = changes["url"]
    if campaign != webhook.campaign:
        _check_umpire(webhook.user, campaign)
        webhook.campaign = campaign
    webhook.events = _events_in_order(campaign, changes.get("events", webhook.events))
    enabled = changes.get("enabled", webhook.disabled is None)
    if not enabled:
        webhook.disabled = webhook.disabled or timezone.now()
    elif webhook.disabled:
        webhook.disabled, webhook.failures = None, 0
    webhook.save()
    _mark_past_events(webhook)


def rotate_secret(webhook: Webhook) -> None:
    """Give the webhook a new secret; the previous one signs beside it for a day."""
    webhook.previous_secret, webhook.secret = webhook.secret, _new_secret()
    webhook.previous_expires = timezone.now() + OVERLAP
    webhook.save(update_fields=["secret", "previous_secret", "previous_expires"])


def webhooks_of(user: User) -> QuerySet[Webhook]:
    """Return the user's webhooks, the newest first."""
    return Webhook.objects.filter(user=user).select_related("campaign", "user")


def delivery_log(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries to the webhook, made or attempted, the newest first."""
    return webhook.deliveries.exclude(body="").select_related("campaign")


def send_test_event(webhook: Webhook) -> Delivery:
    """Queue a test for sending at once, and enable a disabled webhook; return the delivery."""
    Webhook.objects.filter(pk=webhook.pk).update(disabled=None, failures=0)
    text = "A test: Sirdar has sent you this webhook."
    event = WebhookEvent(EventType.TEST, uuid4().hex, text, reverse("webhooks"))
    return webhook.deliveries.create(
        event=event.type, key=event.key, body=payload(event, webhook.campaign), due=timezone.now()
    )


def queue_deliveries(campaign_ids: Iterable[int] | None = None) -> int:
    """Queue every event that has not been sent; return the number of deliveries."""
    ids = None if campaign_ids is None else set(campaign_ids)
    return sum(
        delivery.queue_events(
            webhook.deliveries, _queued(webhook, campaign), send=True, campaign=campaign
        )
        for webhook in active_webhooks(ids).select_related("user", "campaign")
        for campaign in _campaigns_of(webhook)
        if ids is None or campaign.pk in ids
    )


def deliver_due() -> int:
    """Make the attempts that are due; return their number."""
    return delivery.deliver_due(CARRIER)


def message_id(uuid: UUID) -> str:
    """Return the header `webhook-id`, which is the same in every attempt."""
    return f"msg_{uuid.hex}"


def signatures(webhook: Webhook, message: str, moment: datetime, body: str) -> str:
    """Return the header `webhook-signature`: one signature for each secret that is valid."""
    valid = [webhook.secret]
    if webhook.previous_expires is not None and moment < webhook.previous_expires:
        valid.append(webhook.previous_secret)
    return " ".join(Signer(one).sign(message, moment, body) for one in valid)


def _new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET)).decode()


def _check_url(url: str) -> None:
    try:
        check_reachable(url)
    except Undeliverable as error:
        raise UnfitRequest(str(error)) from error


def _check_umpire(user: User, campaign: Campaign | None) -> None:
    if campaign and not campaign.seats.filter(user=user, role=Seat.Role.UMPIRE).exists():
        raise NotAllowed("Only an umpire of the campaign may create webhooks of it.")


def _events_in_order(campaign: Campaign | None, events: Collection[str]) -> list[str]:
    """Return the events, each once. Raises UnfitRequest for one that this kind cannot receive."""
    known = PUBLIC_EVENTS if campaign else tuple(EVENTS)
    if set(events) - set(known):
        raise UnfitRequest(f"A webhook of this kind can receive: {', '.join(known)}.")
    return [one.value for one in known if one in events]


def _campaigns_of(webhook: Webhook) -> list[Campaign]:
    if webhook.campaign:
        return [webhook.campaign]
    return list(Campaign.objects.filter(seats__user=webhook.user).distinct())


def _mark_past_events(webhook: Webhook) -> None:
    """Store the events that have happened already, so that they are never sent."""
    for campaign in _campaigns_of(webhook):
        events = _queued(webhook, campaign)
        delivery.queue_events(webhook.deliveries, events, send=False, campaign=campaign)


def _queued(webhook: Webhook, campaign: Campaign) -> Iterator[QueuedEvent]:
    for event in webhook_events(webhook, campaign):
        yield QueuedEvent(event.type, event.key, partial(payload, event, campaign))


def _send(one: Delivery) -> int:
    """Send the signed request, by the convention of Standard Webhooks."""
    message, moment = message_id(one.message_id), timezone.now()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sirdar",
        "webhook-id": message,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": signatures(one.destination, message, moment, one.body),
    }
    return post(one.destination.url, one.body.encode(), headers)


def _notice(one: Delivery) -> DisabledNotice:
    webhook = one.destination
    page = reverse("webhook", args=[webhook.pk])
    return DisabledNotice(webhook.user, "A webhook of yours", webhook.url, page)


CARRIER = Carrier(Delivery, _send, _notice, waits=WAITS, patience=PATIENCE, gone=GONE)
