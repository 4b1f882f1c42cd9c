"""The requests that Discord and Slack expect at their incoming webhooks.

Discord takes the map as an upload. Slack takes none there, so its message has the address of the
map on this site.
"""

import re
import secrets
from typing import Any, NamedTuple

from django.conf import settings

from api.channels.news import ChannelMessage
from api.http.encoding import encode
from api.models import CampaignChannel
from campaign.services.errors import UnfitRequest

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
    known = [one for beginnings in settings.CHANNEL_URLS.values() for one in beginnings]
    raise UnfitRequest(f"A channel’s incoming webhook begins with {' or '.join(known)}.")


def masked(url: str) -> str:
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
    told = {"username": NAME, "allowed_mentions": {"parse": []}, "embeds": [embed]}
    # With `wait` Discord answers whether the message was posted.
    address = f"{url}{'&' if '?' in url else '?'}wait=true"
    if picture is None:
        return ChatRequest(address, "application/json", encode(told))
    boundary = secrets.token_hex(16)
    parts = (
        _part(boundary, 'name="payload_json"', "application/json", encode(told)),
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
    return {"text": _escaped(f"{message.title}. {message.text}"), "blocks": blocks}


def _plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def _escaped(text: str) -> str:
    """Return the text for Slack's notifications, which know no plain text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
