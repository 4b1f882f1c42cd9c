"""A client of Sirdar: its operations and models, sessions, and streams of events.

`api` and `models` are generated from the schema of the interface; `session` and `events` make them
convenient.
"""

from .client import AuthenticatedClient, Client
from .events import Message, follow
from .session import (
    JobFailed,
    Refused,
    anonymous,
    body,
    logged_in,
    new_key,
    tagged,
    wait_for,
    with_token,
)

__all__ = [
    "AuthenticatedClient",
    "Client",
    "JobFailed",
    "Message",
    "Refused",
    "anonymous",
    "body",
    "follow",
    "logged_in",
    "new_key",
    "tagged",
    "wait_for",
    "with_token",
]
