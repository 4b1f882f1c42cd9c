"""Connect channels with campaigns, and post to Discord and Slack as their webhooks expect."""

import re
import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta
from html import escape
from typing import Any, NamedTuple, TypedDict
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from api import delivery
from api.channel_news import (
    TEST,
    TOPICS,
    ChannelMessage,
    ChannelTopic,
    channel_events,
    compose_test,
    month_picture,
    picture_url,
    was_rewound,
)
from api.delivery import Carrier, DisabledNotice, Outdated
from api.http.encoding import encode
from api.models import CampaignChannel, ChannelPost
from api.receivers import active_channels
from api.ssrf_guard import Undeliverable, check_address, post
from battles import journal
from battles.core.decoding import decoder_for
from campaign.access import permissions
from campaign.models import Campaign
from campaign.services.errors import NotAllowed, Refused, UnfitRequest
from ops.sweeps import sweep

# The requests that Discord and Slack expect at their incoming webhooks.
#
# Discord takes the map as an upload. Slack takes none there, so its message has the address of
# the map on this site.


PATH = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
THREAD = re.compile(r"\?thread_id=[0-9]+")
_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@])")
NAME = "Sirdar"
TITLE, HEADER = 256, 150
"""The most characters of a title in Discord and of a header in Slack."""
ALT = "The map of the month, as far as it is known"


class ChatRequest(NamedTuple):
    """A request to a chat service."""

    url: str
    content_type: str
    body: bytes


def service_of(url: str) -> CampaignChannel.Service:
    """Return the service whose incoming webhook this is. Raises UnfitRequest for any other."""
    for service, beginnings in settings.CHANNEL_URLS.items():
        for beginning in beginnings:
            rest = url.removeprefix(beginning)
            place = THREAD.sub("", rest) if service == CampaignChannel.Service.DISCORD else rest
            if rest != url and PATH.fullmatch(place):
                return CampaignChannel.Service(service)
    prefixes = [prefix for beginnings in settings.CHANNEL_URLS.values() for prefix in beginnings]
    raise UnfitRequest(f"A channel’s incoming webhook begins with {' or '.join(prefixes)}.", "url")


def mask_secret(url: str) -> str:
    """Return the address without its secret: the host, and the last four characters."""
    host = "/".join(url.split("/")[:3])
    return f"{host}/…{url[-4:]}"


def chat_request(
    channel: CampaignChannel, message: ChannelMessage, picture: bytes | None, picture_url: str
) -> ChatRequest:
    """Return the request that posts the message.

    `picture` is a PNG for Discord, `picture_url` its address for Slack; either may be missing.
    """
    if channel.service == CampaignChannel.Service.DISCORD:
        return _discord(channel.url, message, picture)
    body = encode(_slack_message(message, picture_url))
    return ChatRequest(channel.url, "application/json", body)


def _discord(url: str, message: ChannelMessage, picture: bytes | None) -> ChatRequest:
    embed: dict[str, Any] = {
        "title": _plain(message.title)[:TITLE],
        "url": message.url,
        "description": _plain(message.text),
    }
    if picture is not None:
        embed["image"] = {"url": "attachment://map.png"}
    # Without `parse` no text can mention anybody.
    payload = {"username": NAME, "allowed_mentions": {"parse": []}, "embeds": [embed]}
    # With `wait` Discord answers whether the message was posted.
    address = f"{url}{'&' if '?' in url else '?'}wait=true"
    if picture is None:
        return ChatRequest(address, "application/json", encode(payload))
    boundary = secrets.token_hex(16)
    parts = (
        _part(boundary, 'name="payload_json"', "application/json", encode(payload)),
        _part(boundary, 'name="files[0]"; filename="map.png"', "image/png", picture),
        f"--{boundary}--\r\n".encode(),
    )
    return ChatRequest(address, f"multipart/form-data; boundary={boundary}", b"".join(parts))


def _part(boundary: str, name: str, kind: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {name}\r\nContent-Type: {kind}\r\n\r\n"
    return head.encode() + content + b"\r\n"


def _plain(text: str) -> str:
    """Return the text with Discord's markup escaped."""
    return _MARKDOWN.sub(r"\\\1", text)


def _slack_message(message: ChannelMessage, picture_url: str) -> dict[str, Any]:
    """Return the message in blocks of plain text, which hold no markup and no mentions."""
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": _plain_text(message.title[:HEADER])},
        {"type": "section", "text": _plain_text(message.text)},
    ]
    if picture_url:
        blocks.append({"type": "image", "image_url": picture_url, "alt_text": ALT})
    link = {"type": "mrkdwn", "text": f"<{message.url}|Open the campaign>"}
    blocks.append({"type": "context", "elements": [link]})
    # Slack's notifications know no plain text.
    return {"text": escape(f"{message.title}. {message.text}", quote=False), "blocks": blocks}


def _plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


# Connect channels with campaigns, queue their messages, and post them.


MOST_CHANNELS = 5
"""The most channels of one campaign."""
RETRY_WAITS = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 600, 1800, 3600))
"""Shorter than those of webhooks: nobody wants yesterday's reminder."""
PATIENCE = 12
REMOVED_STATUSES = frozenset({404, 410})
"""The answers for an incoming webhook that was removed."""


class ChannelChanges(TypedDict, total=False):
    """The changes to a channel; what is left out stays."""

    topics: Collection[str]
    enabled: bool


def channels_of(user: User, campaign: Campaign) -> QuerySet[CampaignChannel]:
    """Return the campaign's channels for its umpire. Raises NotAllowed for anybody else."""
    if not permissions.may_advance(user, campaign):
        raise NotAllowed("Only an umpire of the campaign may manage its channels.")
    return CampaignChannel.objects.filter(campaign=campaign).select_related("campaign")


def connect_channel(
    user: User, campaign: Campaign, url: str, topics: Collection[str] = ()
) -> CampaignChannel:
    """Connect the channel of that incoming webhook; by default it receives every topic.

    Events that have happened already are not posted. Raises UnfitRequest, NotAllowed and Refused.
    """
    existing = channels_of(user, campaign)
    service = service_of(url)
    try:
        check_address(url)
    except Undeliverable as error:
        raise UnfitRequest(str(error), "url") from error
    with transaction.atomic():
        # The lock keeps two requests at once from connecting the same channel.
        journal.lock_record(Campaign.objects.all(), campaign.pk)
        if existing.filter(url=url).exists():
            raise Refused("This channel is connected already.")
        if existing.count() >= MOST_CHANNELS:
            raise Refused(f"The campaign has {MOST_CHANNELS} channels: disconnect one first.")
        channel = CampaignChannel.objects.create(
            campaign=campaign,
            created_by=user,
            url=url,
            service=service,
            topics=_topics_in_order(topics or tuple(TOPICS)),
        )
        _mark_past_events(channel)
    return channel


def change_channel(channel: CampaignChannel, changes: ChannelChanges) -> None:
    """Change the topics, and enable or disable the channel. Raises UnfitRequest.

    Events that happened before are not posted.
    """
    with transaction.atomic():
        delivery.lock_destination(channel)
        channel.topics = _topics_in_order(changes.get("topics", channel.topics))
        channel.set_enabled(enabled=changes.get("enabled", channel.disabled is None))
        channel.save()
        if channel.disabled:
            delivery.give_up_pending(channel)
        _mark_past_events(channel)


def send_test_message(channel: CampaignChannel) -> ChannelPost:
    """Queue a test for posting at once, and enable a disabled channel; return the post.

    Events that happened while it was disabled are not posted.
    """
    with transaction.atomic():
        delivery.lock_destination(channel)
        if channel.disabled:
            channel.set_enabled(enabled=True)
            channel.save()
            _mark_past_events(channel)
        return channel.deliveries.create(
            event=TEST, key=uuid4().hex, body=compose_test(channel.campaign), due=timezone.now()
        )


def post_log(channel: CampaignChannel) -> QuerySet[ChannelPost]:
    """Return the messages to the channel, posted or attempted, the newest first."""
    return channel.deliveries.exclude(body="")


def queue_posts(campaign_ids: Iterable[int] | None = None) -> int:
    """Queue every message that has not been posted; return their number."""
    channels = active_channels(campaign_ids).select_related("campaign")
    return sum(sweep(channels, _queue_new_events))


def _queue_new_events(channel: CampaignChannel) -> int:
    return delivery.queue_events(channel.deliveries, channel_events(channel), send=True)


def deliver_due() -> int:
    """Make the attempts that are due; return their number."""
    return delivery.deliver_due(CARRIER)


def _topics_in_order(topics: Collection[str]) -> list[str]:
    """Return the topics, each once. Raises UnfitRequest for an unknown one, or for none."""
    if not topics or set(topics) - set(TOPICS):
        raise UnfitRequest(f"Choose at least one of: {', '.join(TOPICS)}.", "topics")
    return [topic.value for topic in ChannelTopic if topic in topics]


def _mark_past_events(channel: CampaignChannel) -> None:
    """Store the events that have happened already, so that they are never posted."""
    delivery.queue_events(channel.deliveries, channel_events(channel), send=False)


def _send(channel_post: ChannelPost) -> int:
    """Post the message, with the map of its month. Raises Outdated after a rewind."""
    channel = channel_post.destination
    message = decoder_for(ChannelMessage).decode(channel_post.body)
    if channel_post.event != TEST and was_rewound(channel.campaign, channel_post.key, message):
        raise Outdated("The umpire has rewound the campaign since.")
    picture, address = None, ""
    if message.map_month is not None:
        if channel.service == CampaignChannel.Service.DISCORD:
            picture = month_picture(channel.campaign, message.map_month)
        elif settings.SITE_URL.startswith("https://"):
            # Slack refuses the whole message if it cannot fetch the picture.
            address = picture_url(channel.campaign, message.map_month)
    request = chat_request(channel, message, picture, address)
    headers = {"Content-Type": request.content_type, "User-Agent": "Sirdar"}
    return post(request.url, request.body, headers)


def _notice(channel_post: ChannelPost) -> DisabledNotice:
    channel = channel_post.destination
    name = f"The {channel.get_service_display()} channel of {channel.campaign.title}"
    page = reverse("channels", args=[channel.campaign.slug])
    return DisabledNotice(channel.created_by, name, mask_secret(channel.url), page)


CARRIER = Carrier(
    ChannelPost, _send, _notice, waits=RETRY_WAITS, patience=PATIENCE, gone=REMOVED_STATUSES
)
