"""Whose books battles stand in: an app that hands battles over says who may see them.

An owner is written as a kind and a name, "campaign:siege-of-khartoum". The kind "person" is ours.
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser, User

Anybody = User | AnonymousUser
PERSON = "person"


class Place(NamedTuple):
    """Where an owner is found: what a link to him says, and where it leads."""

    title: str
    url: str


class Keeper(Protocol):
    """Who knows the owners of one kind."""

    def seen_by(self, user: Anybody) -> Iterable[str]:
        """The owners whose battles the user may see, kind included."""

    def place(self, owner: str) -> Place:
        """Where that owner is found."""

    def despatch(self, owner: str, month: str, title: str) -> Place | None:
        """Where the owner tells of that battle of that month (1884-02), if anywhere."""


_keepers: dict[str, Keeper] = {}


def keep(kind: str, keeper: Keeper) -> None:
    """From now on that keeper is asked about owners of that kind."""
    _keepers[kind] = keeper


def keepers() -> Iterable[Keeper]:
    """Everybody who knows owners."""
    return _keepers.values()


def keeper_of(owner: str) -> Keeper | None:
    """Who knows that owner; None for a person, and for a kind nobody knows."""
    return _keepers.get(owner.partition(":")[0])


def person(user: User) -> str:
    """The owner that a user is of the battles he starts for himself."""
    return f"{PERSON}:{user.pk}"
