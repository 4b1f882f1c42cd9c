"""What can be refused, each with words for the person who asked; and what only time mends."""

from importlib import import_module

from django.conf import settings
from django.db import InterfaceError, OperationalError, ProgrammingError
from kombu.exceptions import OperationalError as QueueError

from battles.core.validation_messages import hidden_characters_in
from battles.history.journal import Busy, Damaged, Refused, Stale

__all__ = [
    "OUT_OF_REACH",
    "Busy",
    "CampaignOver",
    "Damaged",
    "NameTaken",
    "NotAllowed",
    "NotAwaited",
    "Refused",
    "Stale",
    "UnderWay",
    "Unfit",
    "describe_trouble",
    "visible",
]


def _messages() -> tuple[type[Exception], ...]:
    """What is raised when no message can be passed on; Redis has its own where the site has one."""
    if not settings.REDIS_URL:
        return (QueueError,)
    return QueueError, import_module("redis.exceptions").RedisError


_MESSAGES = _messages()
OUT_OF_REACH: tuple[type[Exception], ...] = (
    OperationalError,
    InterfaceError,
    ProgrammingError,
    *_MESSAGES,
)
"""A database or a Redis that is gone, full, locked or not up to date: the same works later on."""


class CampaignOver(Refused):
    """The campaign has ended."""


class NotAllowed(Refused):
    """Whoever asks does not sit where it is allowed."""


class NotAwaited(Refused):
    """A battle that the campaign does not wait for, or not any more."""


class UnderWay(Refused):
    """Another job is about the campaign already."""


class Unfit(Refused):
    """What was given (a name, a number, a file) cannot be used."""


class NameTaken(Unfit):
    """A campaign of that short name is there already."""


def visible(text: str, what: str) -> str:
    """Return the text without blanks round it. Unfit where something in it cannot be seen."""
    if hidden := hidden_characters_in(text):
        raise Unfit(f"The {what} holds the character {hidden}, which cannot be seen: remove it.")
    return text.strip()


def describe_trouble(trouble: BaseException) -> str:
    """What is wrong when one of OUT_OF_REACH was raised, for somebody who keeps no server."""
    state, said = getattr(trouble.__cause__, "sqlstate", None), str(trouble)
    if isinstance(trouble, _MESSAGES):
        return "The server that passes messages on (Redis) does not answer."
    if state in _LOCKED or "is locked" in said:
        return "Something else has been writing in the same place for too long."
    if state in _FULL or "is full" in said:
        return "There is no room left on the disk of the database."
    if isinstance(trouble, ProgrammingError) or "no such" in said:
        return "The site is being upgraded: its database and its program are of different versions."
    return "The database does not answer."


_LOCKED = ("55P03", "40P01")
_FULL = ("53100", "53200")
