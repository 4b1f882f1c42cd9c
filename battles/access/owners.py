"""Whose books battles stand in: an app that hands battles over says who may see them.

An owner is written as a kind and a name, "campaign:winter-at-the-club". The kind "person" is ours.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser, User

from battles.contract import Report, Side

Anybody = User | AnonymousUser
PERSON = "person"


class OwnerLink(NamedTuple):
    """Where an owner is found: what a link to him says, and where it leads."""

    title: str
    url: str


class Keeper(Protocol):
    """Who knows the owners of one kind."""

    def owners_for(self, user: Anybody) -> Iterable[str]:
        """Return the owners whose battles the user may see, kind included."""

    def shows(self, owner: str, user: Anybody) -> bool:
        """Return whether the user may see that owner's battles."""

    def place(self, owner: str) -> OwnerLink:
        """Return where that owner is found."""

    def despatch(self, owner: str, month: str) -> OwnerLink | None:
        """Return where the owner tells of what happened in a month (1884-02), if anywhere."""

    def may_report(self, owner: str, user: Anybody) -> bool:
        """Return whether the user may say how a battle of that owner went at a table."""

    def report(self, owner: str, user: User, report: Report) -> str:
        """Take what was reported from a table; in words, what has become of it. May raise Refused.

        The report adds up already.
        """

    def commanded(self, owner: str) -> frozenset[Side]:
        """Return the sides that people command."""

    def commands(self, owner: str, user: Anybody) -> frozenset[Side]:
        """Return the sides that the user commands in that owner's battles."""

    def is_umpire(self, owner: str, user: Anybody) -> bool:
        """Return whether the user is an umpire over that owner's battles."""

    def key(self, owner: str, brief_id: str) -> bytes:
        """What the dice of that battle come from."""

    def abandoned(self, owner: str, brief_ids: Iterable[str]) -> Mapping[str, str]:
        """Return, for those of the battles that no longer count, a sentence that says why."""


_keepers: dict[str, Keeper] = {}


def register_keeper(kind: str, keeper: Keeper) -> None:
    """From now on that keeper is asked about owners of that kind."""
    _keepers[kind] = keeper


def keepers() -> Iterable[Keeper]:
    """Return everybody who knows owners."""
    return _keepers.values()


def keeper_of(owner: str) -> Keeper | None:
    """Who knows that owner; None for a person, and for a kind nobody knows."""
    return _keepers.get(owner.partition(":")[0])


def abandoned(owner: str, brief_ids: Iterable[str]) -> Mapping[str, str]:
    """Return what marks those of the owner's battles that no longer count; a person's all do."""
    keeper = keeper_of(owner)
    return keeper.abandoned(owner, brief_ids) if keeper else {}


def person(user: User) -> str:
    """Return the owner that a user is of the battles he starts for himself."""
    return f"{PERSON}:{user.pk}"
