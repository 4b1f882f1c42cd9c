"""Roles in a battle that players fight: commands, umpires and viewers."""

from enum import StrEnum

from django.utils import timezone

from battles.access import owners
from battles.access.owners import Anybody
from battles.contract import Side
from battles.models import Battle, Command

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
    keeper = owners.keeper_of(battle.owner)
    if keeper is not None:
        return keeper.commands(battle.owner, user)
    return frozenset(Side(one.side) for one in battle.commands.filter(user=user))


def is_umpire(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may pause and rewind the battle, and have it fought out.

    The user who began a battle of their own may, unless they command a side against somebody else:
    an umpire sees what both sides hide.
    """
    if not user.is_authenticated:
        return False
    keeper = owners.keeper_of(battle.owner)
    if keeper is not None:
        return keeper.is_umpire(battle.owner, user)
    people = battle.commands.exclude(user=None)
    mine = people.filter(user=user).exists()
    return battle.owner == owners.person(user) and not (mine and people.exclude(user=user).exists())


def is_alone(battle: Battle, user: Anybody) -> bool:
    """Return whether the user fights a battle of their own, with nobody on the other side."""
    return (
        is_umpire(battle, user)
        and bool(commands(battle, user))
        and not owners.keeper_of(battle.owner)
    )


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
    return frozenset(Side(one.side) for one in battle.commands.filter(computer=True))


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
