"""Roles in a battle: its owners' say, commands, umpires and viewers."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from battles.contract import Report, Side
from battles.models import Battle, Command

# Owners of battles: each app that hands battles over decides who may see them.
#
# An owner is written as a kind and a name, "campaign:winter-at-the-club". The kind "person" is
# handled here.


Anybody = User | AnonymousUser
PERSON = "person"
GUEST = "guest "
"""The beginning of a guest's name; the blank keeps it out of the names that can be registered."""


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


def reasons_for_abandoned(owner: str, brief_ids: Iterable[str]) -> Mapping[str, str]:
    """Return the reason why a battle no longer counts, for each such battle of the owner.

    A person's battles all count.
    """
    keeper = keeper_of(owner)
    return keeper.abandoned(owner, brief_ids) if keeper else {}


def is_guest(user: Anybody) -> bool:
    """Return whether the user is a guest: a visitor who plays without an account."""
    return user.get_username().startswith(GUEST)


def display_name(user: Anybody) -> str:
    """Return what others call the user: the name that they chose, else their user name."""
    return getattr(user, "first_name", "") or user.get_username()


def person(user: User) -> str:
    """Return the name of a user as the owner of their own battles."""
    return f"{PERSON}:{user.pk}"


# Roles in a battle that players fight: commands, umpires and viewers.


Sides = frozenset[Side]
NONE: Sides = frozenset()


class BattleViewer(StrEnum):
    """The viewer of a battle: a side, the public, or the umpire, who sees everything."""

    EGYPTIAN = "egyptian"
    MAHDIST = "mahdist"
    PUBLIC = "public"
    UMPIRE = "umpire"

    @property
    def side(self) -> Side | None:
        """Return the viewer's side; None for the public and the umpire."""
        return Side(self.value) if self in (BattleViewer.EGYPTIAN, BattleViewer.MAHDIST) else None


def is_open(battle: Battle) -> bool:
    """Return whether players are fighting it, so that it still hides something."""
    return battle.way == Battle.Way.PLAYERS and not battle.reported


def commands(battle: Battle, user: Anybody) -> Sides:
    """Return the sides that the user commands, even while the computer stands in for them."""
    if not user.is_authenticated:
        return NONE
    keeper = keeper_of(battle.owner)
    if keeper is not None:
        return keeper.commands(battle.owner, user)
    return frozenset(Side(one.side) for one in battle.commands.all() if one.user_id == user.pk)


def is_umpire(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may pause and rewind the battle, and have it fought out.

    The user who began a battle of their own may, unless they command a side against somebody else:
    an umpire sees what both sides hide.
    """
    if not user.is_authenticated:
        return False
    keeper = keeper_of(battle.owner)
    if keeper is not None:
        return keeper.is_umpire(battle.owner, user)
    people = {one.user_id for one in battle.commands.all() if one.user_id}
    return battle.owner == person(user) and (user.pk not in people or len(people) == 1)


def is_alone(battle: Battle, user: Anybody) -> bool:
    """Return whether the user fights a battle of their own, with nobody on the other side."""
    return is_umpire(battle, user) and bool(commands(battle, user)) and not keeper_of(battle.owner)


def battle_viewer_of(mine: Sides, asked: Side | None, *, umpires: bool) -> BattleViewer:
    """Return the viewer that commands those sides, or is an umpire if `umpires`.

    A user who commands both sides sees what the side in turn sees.
    """
    if len(mine) == 1:
        return BattleViewer(next(iter(mine)).value)
    if mine:
        return BattleViewer((asked or Side.EGYPTIAN).value)
    return BattleViewer.UMPIRE if umpires else BattleViewer.PUBLIC


def computer_sides(battle: Battle) -> Sides:
    """Return the sides that the computer commands now."""
    return frozenset(Side(one.side) for one in battle.commands.all() if one.computer)


def awaited_command(battle: Battle, asked: Side | None) -> Command | None:
    """Return the command of the side in turn if one person waits there for another."""
    led = battle.commands.filter(computer=False).exclude(user=None).select_related("user")
    people = {Side(one.side): one for one in led}
    if len({one.user_id for one in people.values()}) < len(Side) or asked is None:
        return None
    return people[asked]


def is_late(battle: Battle) -> bool:
    """Return whether the side in turn has used up the time that the players agreed to."""
    return is_open(battle) and battle.due is not None and battle.due <= timezone.now()


def may_stand_in(battle: Battle, user: Anybody, asked: Side | None) -> bool:
    """Return whether the user may hand the other side, which is late, to the computer."""
    return is_late(battle) and asked is not None and commands(battle, user) == {asked.enemy}
