"""The events of campaigns that webhooks receive, and the body of a webhook request."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from msgspec import Meta

from api.documents.scalars import Moment, MonthOrSetUp
from api.http.encoding import encode
from api.models import Webhook
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.core.state import Phase
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.mail import notifications
from campaign.services.mail.notifications import site_url


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
    notifications.TURN: EventType.TURN_STARTED,
    notifications.DEADLINE: EventType.DEADLINE_NEAR,
    notifications.GAZETTE: EventType.GAZETTE_PUBLISHED,
    notifications.RECEIPT: EventType.RECEIPT_ISSUED,
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
    found = [*_of_all(campaign, viewer), *(_of_user(campaign, webhook.user) if own else ())]
    return (one for one in found if one.type in webhook.events)


def _of_all(campaign: Campaign, viewer: Viewer) -> Iterator[WebhookEvent]:
    path = reverse("campaign", args=[campaign.slug])
    month, branch = month_name(Month(campaign.month)), campaign.branch
    if campaign.finished:
        text = f"{campaign.title} is over: {campaign.outcome}"
        yield WebhookEvent(EventType.FINISHED, f"{branch}", text, path)
    elif campaign.month > campaign.first_month:
        text = f"{campaign.title}: it is {month}"
        yield WebhookEvent(EventType.MONTH_STARTED, f"{branch}.{campaign.month}", text, path)
    if branch:
        text = f"{campaign.title}: the umpire has rewound it to {month}"
        yield WebhookEvent(EventType.REWOUND, f"{branch}", text, path)
    battle = fog_of_war.battle_awaited(campaign, viewer)
    if battle is not None:
        text = f"{campaign.title}, {month}: a battle waits to be fought"
        there = reverse("battle-result", args=[campaign.slug, campaign.battle])
        yield WebhookEvent(EventType.BATTLE_PENDING, f"{branch}.{campaign.battle}", text, there)


def _of_user(campaign: Campaign, user: User) -> Iterator[WebhookEvent]:
    """Yield the events that the user's e-mails report, whether they want e-mails or not."""
    for letter in notifications.letters(campaign):
        if letter.user == user and letter.kind in _BY_LETTER:
            yield WebhookEvent(_BY_LETTER[letter.kind], letter.key, letter.subject, letter.path)
