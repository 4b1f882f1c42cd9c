"""What can be refused, each with words for the person who asked."""

from battles.journal import Damaged, Refused, Stale

__all__ = [
    "CampaignOver",
    "Damaged",
    "NotAllowed",
    "NotAwaited",
    "Refused",
    "Stale",
    "UnderWay",
    "Unfit",
]


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
