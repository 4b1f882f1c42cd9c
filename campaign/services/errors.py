"""Refusals with messages for the user, and the infrastructure errors that pass with time."""

from importlib import import_module

from django.conf import settings
from django.db import InterfaceError, OperationalError, ProgrammingError
from kombu.exceptions import OperationalError as QueueError

from battles.core.validation import hidden_characters_in
from battles.journal import Busy, Damaged, Refused, Stale

__all__ = [
    "OUT_OF_REACH",
    "QUEUE_ERRORS",
    "Busy",
    "CampaignOver",
    "Damaged",
    "NameTaken",
    "NotAllowed",
    "NotAwaited",
    "Refused",
    "Stale",
    "UnderWay",
    "UnfitRequest",
    "describe_trouble",
    "visible",
]


def _messages() -> tuple[type[Exception], ...]:
    """Return the exceptions of a broker that does not answer, with Redis's own where it is used."""
    if not settings.REDIS_URL:
        return (QueueError,)
    return QueueError, import_module("redis.exceptions").RedisError


QUEUE_ERRORS = _messages()
"""The errors of a broker or a shared cache that does not answer."""
OUT_OF_REACH: tuple[type[Exception], ...] = (
    OperationalError,
    InterfaceError,
    ProgrammingError,
    *QUEUE_ERRORS,
)
"""A database or Redis that is gone, full, locked or out of date: retrying later may succeed."""


class CampaignOver(Refused):
    """A refusal because the campaign has ended."""


class NotAllowed(Refused):
    """A refusal because the user has no seat that permits it."""


class NotAwaited(Refused):
    """A refusal because the campaign does not wait for that battle, or not any more."""


class UnderWay(Refused):
    """A refusal because another job is at work on the campaign."""


class UnfitRequest(Refused):
    """A refusal because a value (a name, a number, a file) cannot be used.

    `field` is the field of a request's body that holds the value, empty where no one field does.
    """

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.field = field


class NameTaken(UnfitRequest):
    """A refusal because another campaign has that slug."""


def visible(text: str, noun: str, field: str = "") -> str:
    """Return the text, stripped. Raises UnfitRequest if it holds an invisible character.

    `noun` names it for people, `field` in the body of a request if that is another word.
    """
    if hidden := hidden_characters_in(text):
        raise UnfitRequest(
            f"The {noun} contains the invisible character {hidden}: remove it.", field or noun
        )
    return text.strip()


def describe_trouble(trouble: BaseException) -> str:
    """Return an OUT_OF_REACH error in words for a person who runs no server."""
    state, text = getattr(trouble.__cause__, "sqlstate", None), str(trouble)
    if isinstance(trouble, QUEUE_ERRORS):
        return "The server that passes messages on (Redis) does not answer."
    if state in _LOCKED or "is locked" in text:
        return "Another process has blocked the database for too long."
    if state in _FULL or "is full" in text:
        return "There is no room left on the disk of the database."
    if isinstance(trouble, ProgrammingError) or "no such" in text:
        return "The site is being upgraded: its database and its program are of different versions."
    return "The database does not answer."


_LOCKED = ("55P03", "40P01")
_FULL = ("53100", "53200")
