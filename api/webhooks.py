"""Webhooks: signed requests to the addresses of programs when something happens in a campaign."""

import base64
import secrets
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Annotated, NamedTuple, TypedDict
from uuid import UUID, uuid4

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from msgspec import Meta
from standardwebhooks import Webhook as Signer

from api import delivery
from api.delivery import Carrier, DisabledNotice, QueuedEvent
from api.documents.scalars import Moment, MonthOrSetUp
from api.http.encoding import encode
from api.models import Delivery, Webhook
from api.receivers import active_webhooks
from api.ssrf_guard import Undeliverable, check_reachable, post
from battles import journal
from campaign.access import fog_of_war
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.core.state import Phase
from campaign.rules.sight import Onlooker, Viewer
from campaign.services import mail
from campaign.services.errors import NotAllowed, Refused, UnfitRequest
from campaign.services.journal.rewind import latest_rewind
from campaign.services.mail_messages import site_url
from ops.sweeps import sweep

# The events of campaigns that webhooks receive, and the body of a webhook request.


class EventType(StrEnum):
    """The types of events. New ones may be added: ignore a type that you do not know."""

    TURN_STARTED = "campaign.turn_started"
    DEADLINE_NEAR = "campaign.deadline_near"
    GAZETTE_PUBLISHED = "campaign.gazette_published"
    RECEIPT_ISSUED = "campaign.receipt_issued"
    MONTH_STARTED = "campaign.month_started"
    BATTLE_PENDING = "campaign.battle_pending"
    REWOUND = "campaign.rewound"
    FINISHED = "campaign.finished"
    TEST = "webhook.test"


EVENTS = {
    EventType.TURN_STARTED: "it is your turn",
    EventType.DEADLINE_NEAR: "a deadline is near",
    EventType.GAZETTE_PUBLISHED: "a month’s paper is out",
    EventType.RECEIPT_ISSUED: "your orders were received, or carried out",
    EventType.MONTH_STARTED: "another month has begun",
    EventType.BATTLE_PENDING: "a battle waits to be fought",
    EventType.REWOUND: "the umpire has rewound a campaign",
    EventType.FINISHED: "a campaign is over",
}
"""The events that a webhook may choose, in words; a test is sent to all."""
PUBLIC_EVENTS = (
    EventType.MONTH_STARTED,
    EventType.BATTLE_PENDING,
    EventType.REWOUND,
    EventType.FINISHED,
)
"""The events for a webhook of a campaign; the others belong to a single user."""
_BY_LETTER = {
    mail.TURN: EventType.TURN_STARTED,
    mail.DEADLINE: EventType.DEADLINE_NEAR,
    mail.GAZETTE: EventType.GAZETTE_PUBLISHED,
    mail.RECEIPT: EventType.RECEIPT_ISSUED,
}
"""The events by the kind of the letter that reports the same."""


class EventData(msgspec.Struct, frozen=True):
    """An event of a campaign. Only the data of a test has no campaign, title and month."""

    campaign: Annotated[str | None, Meta(description="the slug of the campaign")]
    campaign_title: Annotated[str | None, Meta(description="the title of the campaign")]
    month: Annotated[MonthOrSetUp | None, Meta(description="the month that is being played")]
    text: Annotated[str, Meta(description="a sentence that says what has happened")]
    url: Annotated[str, Meta(description="the page about it")]


class WebhookPayload(msgspec.Struct, frozen=True):
    """The body of a webhook request, in the form that Standard Webhooks recommends."""

    type: Annotated[EventType, Meta(description="the type of the event")]
    timestamp: Annotated[Moment, Meta(description="the time at which the event was noticed")]
    api_version: Annotated[str, Meta(description="the version of the interface, `v1`")]
    data: EventData


API_VERSION = "v1"


class WebhookEvent(NamedTuple):
    """An event: its type, the key that makes it unique, its sentence, and its page."""

    type: EventType
    key: str
    text: str
    path: str


def payload(event: WebhookEvent, campaign: Campaign | None) -> str:
    """Return the body of the request that reports the event, as JSON."""
    data = EventData(
        campaign=campaign.slug if campaign else None,
        campaign_title=campaign.title if campaign else None,
        month=_month_of(campaign) if campaign else None,
        text=event.text,
        url=site_url(event.path),
    )
    return encode(WebhookPayload(event.type, timezone.now(), API_VERSION, data)).decode()


def _month_of(campaign: Campaign) -> str:
    return "set-up" if campaign.phase == Phase.SET_UP else month_slug(Month(campaign.month))


def webhook_events(webhook: Webhook, campaign: Campaign) -> Iterator[WebhookEvent]:
    """Yield the current events for the webhook and the campaign, sent or not."""
    own = webhook.campaign_id is None
    viewer = fog_of_war.viewer_of(webhook.user, campaign) if own else Onlooker.PUBLIC
    events = [*_of_all(campaign, viewer), *(_of_user(campaign, webhook.user) if own else ())]
    return (event for event in events if event.type in webhook.events)


def _of_all(campaign: Campaign, viewer: Viewer) -> Iterator[WebhookEvent]:
    path = reverse("campaign", args=[campaign.slug])
    month, branch = month_name(Month(campaign.month)), campaign.branch
    if campaign.finished:
        text = f"{campaign.title} is over: {campaign.outcome}"
        yield WebhookEvent(EventType.FINISHED, f"{branch}", text, path)
    elif campaign.month > campaign.first_month:
        text = f"{campaign.title}: it is {month}"
        yield WebhookEvent(EventType.MONTH_STARTED, f"{branch}.{campaign.month}", text, path)
    if rewind := latest_rewind(campaign):
        text = f"{campaign.title}: the umpire has rewound it to {rewind.month}"
        yield WebhookEvent(EventType.REWOUND, f"{branch}", text, path)
    battle = fog_of_war.battle_awaited(campaign, viewer)
    if battle is not None:
        text = f"{campaign.title}, {month}: a battle waits to be fought"
        battle_path = reverse("battle-result", args=[campaign.slug, campaign.battle])
        yield WebhookEvent(
            EventType.BATTLE_PENDING, f"{branch}.{campaign.battle}", text, battle_path
        )


def _of_user(campaign: Campaign, user: User) -> Iterator[WebhookEvent]:
    """Yield the events that the user's e-mails report, whether they want e-mails or not."""
    for letter in mail.letters(campaign):
        if letter.user == user and letter.kind in _BY_LETTER:
            yield WebhookEvent(_BY_LETTER[letter.kind], letter.key, letter.subject, letter.path)


# Create, change and test webhooks, rotate their secrets, and send them signed requests.


MOST_WEBHOOKS = 20
"""The most webhooks of one user."""
SECRET = 32  # bytes
SECRET_PREFIX = "whsec_"  # noqa: S105  the prefix that Standard Webhooks gives every secret
OVERLAP = timedelta(hours=24)
"""The time for which both secrets sign after a rotation."""
RETRY_WAITS = tuple(
    timedelta(seconds=seconds) for seconds in (30, 120, 600, 1800, 7200, 21600, 43200)
)
PATIENCE = 25
GONE_STATUSES = frozenset({410})


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
    event_types = PUBLIC_EVENTS if campaign else tuple(EVENTS)
    webhook = Webhook(user=user, url=url, campaign=campaign, secret=_new_secret())
    webhook.events = _events_in_order(campaign, events or event_types)
    _check_url(url)
    _check_umpire(user, campaign)
    with transaction.atomic():
        _lock(campaign)
        # The lock keeps two requests at once from passing the limit together.
        User.objects.select_for_update().get(pk=user.pk)
        if user.webhooks.count() >= MOST_WEBHOOKS:
            raise Refused(f"You have {MOST_WEBHOOKS} webhooks: delete one first.")
        webhook.save()
        _mark_past_events(webhook)
    return webhook


def change_webhook(webhook: Webhook, changes: WebhookChanges) -> None:
    """Change address, campaign and events, and enable or disable the webhook.

    Events that happened before are not sent. Raises UnfitRequest and NotAllowed.
    """
    if "url" in changes:
        _check_url(changes["url"])
    with transaction.atomic():
        _lock(changes.get("campaign"))
        delivery.lock_destination(webhook)
        campaign = changes.get("campaign", webhook.campaign)
        if campaign != webhook.campaign:
            _check_umpire(webhook.user, campaign)
            webhook.campaign = campaign
        webhook.url = changes.get("url", webhook.url)
        webhook.events = _events_in_order(campaign, changes.get("events", webhook.events))
        webhook.set_enabled(enabled=changes.get("enabled", webhook.disabled is None))
        webhook.save()
        if webhook.disabled:
            delivery.give_up_pending(webhook)
        _mark_past_events(webhook)


def _lock(campaign: Campaign | None) -> None:
    """Lock the campaign, if there is one. Raises RecordGone if it was deleted since it was read."""
    if campaign is not None:
        journal.lock_record(Campaign.objects.all(), campaign.pk)


@transaction.atomic
def rotate_secret(webhook: Webhook) -> None:
    """Give the webhook a new secret; the previous one signs beside it for a day."""
    delivery.lock_destination(webhook)
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
    """Queue a test for sending at once, and enable a disabled webhook; return the delivery.

    Events that happened while it was disabled are not sent.
    """
    with transaction.atomic():
        delivery.lock_destination(webhook)
        if webhook.disabled:
            webhook.set_enabled(enabled=True)
            webhook.save()
            _mark_past_events(webhook)
        text = "A test: Sirdar has sent you this webhook."
        event = WebhookEvent(EventType.TEST, uuid4().hex, text, reverse("webhooks"))
        body = payload(event, webhook.campaign)
        return webhook.deliveries.create(
            event=event.type, key=event.key, body=body, due=timezone.now()
        )


def queue_deliveries(campaign_ids: Iterable[int] | None = None) -> int:
    """Queue every event that has not been sent; return the number of deliveries."""
    ids = None if campaign_ids is None else set(campaign_ids)
    receivers = (
        (webhook, campaign)
        for webhook in active_webhooks(ids).select_related("user", "campaign")
        for campaign in _campaigns_of(webhook)
        if ids is None or campaign.pk in ids
    )
    return sum(sweep(receivers, _queue_new_events))


def _queue_new_events(receiver: tuple[Webhook, Campaign]) -> int:
    webhook, campaign = receiver
    events = _queue_events(webhook, campaign)
    return delivery.queue_events(webhook.deliveries, events, send=True, campaign=campaign)


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
    return " ".join(Signer(secret).sign(message, moment, body) for secret in valid)


def _new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET)).decode()


def _check_url(url: str) -> None:
    try:
        check_reachable(url)
    except Undeliverable as error:
        raise UnfitRequest(str(error), "url") from error


def _check_umpire(user: User, campaign: Campaign | None) -> None:
    if campaign and not campaign.seats.filter(user=user, role=Seat.Role.UMPIRE).exists():
        raise NotAllowed("Only an umpire of the campaign may create webhooks of it.")


def _events_in_order(campaign: Campaign | None, events: Collection[str]) -> list[str]:
    """Return the events, each once. Raises UnfitRequest for one that this kind cannot receive."""
    event_types = PUBLIC_EVENTS if campaign else tuple(EVENTS)
    if set(events) - set(event_types):
        whose = "a campaign" if campaign else "yours"
        raise UnfitRequest(f"A webhook of {whose} can receive: {', '.join(event_types)}.", "events")
    return [event_type.value for event_type in event_types if event_type in events]


def _campaigns_of(webhook: Webhook) -> list[Campaign]:
    if webhook.campaign:
        return [webhook.campaign]
    return list(Campaign.objects.filter(seats__user=webhook.user).distinct())


def _mark_past_events(webhook: Webhook) -> None:
    """Store the events that have happened already, so that they are never sent."""
    for campaign in _campaigns_of(webhook):
        mark_past_events(webhook, campaign)


def mark_past_events(webhook: Webhook, campaign: Campaign) -> None:
    """Store the events that have happened already in the campaign, so that they are never sent."""
    events = _queue_events(webhook, campaign)
    delivery.queue_events(webhook.deliveries, events, send=False, campaign=campaign)


def _queue_events(webhook: Webhook, campaign: Campaign) -> Iterator[QueuedEvent]:
    for event in webhook_events(webhook, campaign):
        yield QueuedEvent(event.type, event.key, partial(payload, event, campaign))


def _send(delivery: Delivery) -> int:
    """Send the signed request, by the convention of Standard Webhooks."""
    message, moment = message_id(delivery.message_id), timezone.now()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sirdar",
        "webhook-id": message,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": signatures(delivery.destination, message, moment, delivery.body),
    }
    return post(delivery.destination.url, delivery.body.encode(), headers)


def _notice(delivery: Delivery) -> DisabledNotice:
    webhook = delivery.destination
    page = reverse("webhook", args=[webhook.pk])
    return DisabledNotice(webhook.user, "A webhook of yours", webhook.url, page)


CARRIER = Carrier(
    Delivery, _send, _notice, waits=RETRY_WAITS, patience=PATIENCE, gone=GONE_STATUSES
)
