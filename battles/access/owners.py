"""Owners of battles: each app that hands battles over decides who may see them.

An owner is written as a kind and a name, "campaign:winter-at-the-club". The kind "person" is
handled here.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser, User

from battles.contract import Report, Side

Anybody = User | AnonymousUser
PERSON = "person"
GUEST = "guest "
"""How the name of a guest begins; the blank keeps it out of the names that can be registered."""


class OwnerLink(NamedTuple):
    """A link to the page of an owner."""

    title: str
    url: str


class SignedReport(NamedTuple):
    """A report of a table battle that one side has signed, and that waits for the other."""

    side: Side
    by: str
    report: Report
    mark: str
    """Changes with the report, so that nobody agrees to what they have not seen."""


class Keeper(Protocol):
    """The protocol of an app that owns battles; it knows all owners of one kind."""

    def owners_for(self, user: Anybody) -> Iterable[str]:
        """Return the owners whose battles the user may see, kind included."""

    def shows(self, owner: str, user: Anybody) -> bool:
        """Return whether the user may see that owner's battles."""

    def place(self, owner: str) -> OwnerLink:
        """Return a link to that owner's page."""

    def despatch(self, owner: str, month: str) -> OwnerLink | None:
        """Return a link to the owner's account of a month (1884-02); None without one."""

    def may_report(self, owner: str, user: Anybody) -> bool:
        """Return whether the user may enter the result of a battle fought on a table."""

    def report(self, owner: str, user: User, report: Report) -> str:
        """Take the report of a battle fought on a table; return a message about it.

        The caller has checked that the report adds up. May raise Refused.
        """

    def signed(self, owner: str, brief_id: str, user: Anybody) -> tuple[SignedReport, ...]:
        """Return the reports of that battle that others have signed and the user may agree to."""

    def commanded(self, owner: str) -> frozenset[Side]:
        """Return the sides that people command."""

    def commands(self, owner: str, user: Anybody) -> frozenset[Side]:
        """Return the sides that the user commands in that owner's battles."""

    def is_umpire(self, owner: str, user: Anybody) -> bool:
        """Return whether the user is an umpire over that owner's battles."""

    def key(self, owner: str, brief_id: str) -> bytes:
        """Return the key from which the dice of that battle come."""

    def abandoned(self, owner: str, brief_ids: Iterable[str]) -> Mapping[str, str]:
        """Return the reason why a battle no longer counts, for each such battle."""


_keepers: dict[str, Keeper] = {}


def register_keeper(kind: str, keeper: Keeper) -> None:
    """Register the keeper of the owners of that kind."""
    _keepers[kind] = keeper


def keepers() -> Iterable[Keeper]:
    """Return all registered keepers."""
    return _keepers.values()


def keeper_of(owner: str) -> Keeper | None:
    """Return the owner's keeper; None for a person, and for a kind that is not registered."""
    return _keepers.get(owner.partition(":")[0])


def abandoned(owner: str, brief_ids: Iterable[str]) -> Mapping[str, str]:
    """Return the reason why a battle no longer counts, for each such battle of the owner.

    A person's battles all count.
    """
    keeper = keeper_of(owner)
    return keeper.abandoned(owner, brief_ids) if keeper else {}


def is_guest(user: Anybody) -> bool:
    """Return whether the user is a guest: a visitor who plays without an account."""
    return user.get_username().startswith(GUEST)


def person(user: User) -> str:
    """Return the name of a user as the owner of their own battles."""
    return f"{PERSON}:{user.pk}"
