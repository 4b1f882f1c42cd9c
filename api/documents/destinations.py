"""The common parts of webhooks and channels as documents, and of the messages to them."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from api.documents.scalars import Moment
from api.models import Destination, OutgoingMessage


class DestinationDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A destination of messages, and whether it takes them."""

    id: Annotated[int, Meta(description="its number")]
    enabled: Annotated[bool, Meta(description="false if nothing is sent there")]
    disabled_at: Annotated[
        Moment | None, Meta(description="since when it is disabled, by a person or by failures")
    ]
    failure_count: Annotated[int, Meta(description="the failed attempts in a row")]
    created_at: Annotated[Moment, Meta(description="the time of its creation")]


class MessageDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a destination, delivered or pending."""

    id: Annotated[int, Meta(description="its number")]
    attempt_count: Annotated[int, Meta(description="the attempts so far")]
    response_status: Annotated[
        int | None, Meta(description="the status of the latest answer; null if there was none")
    ]
    last_error: Annotated[str | None, Meta(description="what went wrong in the latest attempt")]
    created_at: Annotated[Moment, Meta(description="the time at which it was queued")]
    due_at: Annotated[
        Moment | None, Meta(description="the time of the next attempt; null if there is none")
    ]
    delivered_at: Annotated[
        Moment | None, Meta(description="the time at which it was taken; null if it was not")
    ]


def destination_fields(row: Destination) -> dict[str, Any]:
    """Return the fields that every destination has."""
    return {
        "id": row.pk,
        "enabled": row.disabled is None,
        "disabled_at": row.disabled,
        "failure_count": row.failures,
        "created_at": row.created,
    }


def message_fields(row: OutgoingMessage) -> dict[str, Any]:
    """Return the fields that every message has."""
    return {
        "id": row.pk,
        "attempt_count": row.attempts,
        "response_status": row.status,
        "last_error": row.error or None,
        "created_at": row.created,
        "due_at": row.due,
        "delivered_at": row.delivered,
    }
