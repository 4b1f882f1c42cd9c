"""Say who may see, command and report battles, and find the battles that a user may see.

Pages read battles through this module only.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import Http404
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
    """A hash of the report, so that nobody agrees to one that they have not seen."""


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


def battle_viewer_of(own_sides: Sides, in_turn: Side | None, *, umpires: bool) -> BattleViewer:
    """Return the viewer that commands those sides, or is an umpire if `umpires`.

    A user who commands both sides sees what the side in turn sees.
    """
    if len(own_sides) == 1:
        return BattleViewer(next(iter(own_sides)).value)
    if own_sides:
        return BattleViewer((in_turn or Side.EGYPTIAN).value)
    return BattleViewer.UMPIRE if umpires else BattleViewer.PUBLIC


def computer_sides(battle: Battle) -> Sides:
    """Return the sides that the computer commands now."""
    return frozenset(Side(one.side) for one in battle.commands.all() if one.computer)


def sides_of_people(battle: Battle) -> Sides:
    """Return the sides that a person commands or may still take up."""
    commands = battle.commands.all()
    return frozenset(Side(one.side) for one in commands if one.user_id or not one.computer)


def awaited_command(battle: Battle, in_turn: Side | None) -> Command | None:
    """Return the command of the side in turn if one person waits there for another."""
    led = battle.commands.filter(computer=False).exclude(user=None).select_related("user")
    people = {Side(one.side): one for one in led}
    if len({one.user_id for one in people.values()}) < len(Side) or in_turn is None:
        return None
    return people[in_turn]


def is_late(battle: Battle) -> bool:
    """Return whether the side in turn has used up the time that the players agreed to."""
    return is_open(battle) and battle.due is not None and battle.due <= timezone.now()


def may_stand_in(battle: Battle, user: Anybody, in_turn: Side | None) -> bool:
    """Return whether the user may hand the other side, which is late, to the computer."""
    return is_late(battle) and in_turn is not None and commands(battle, user) == {in_turn.enemy}


VOID = (
    "This invitation is void: it has been used or replaced, or was cut short. Ask the person who "
    "sent it for another."
)
# Large columns, which lists do not need.
_HEAVY = ("document", "beginning", "brief", "report", "key")


CALLED_OFF = (
    "A battle of a campaign ends without a result when it is settled another way, and when the "
    "umpire rewinds to before it or deletes the campaign."
)
JUST_CALLED_OFF = f"This battle is not there any more. {CALLED_OFF}"


def book_missing(battle: Battle) -> str:
    """Return why a battle in progress does not go on without its book."""
    return (
        f"{battle.title} cannot go on: its book “{battle.book}” is not installed on this site. "
        "Nothing is lost: it goes on when the site’s administrator has installed the book again."
    )


class BattleNotVisible(Http404):
    """No battle of that number that the user may see.

    The answer is the same whether or not there is one, so that nobody can probe for battles.
    """


def battles_for(user: Anybody) -> QuerySet[Battle]:
    """Return the battles that the user may see: public, their own, and of visible owners."""
    visible = Q(public=True)
    if user.is_authenticated:
        visible |= Q(owner=person(user)) | Q(pk__in=_commanded_battles(user))
    for keeper in keepers():
        visible |= Q(owner__in=keeper.owners_for(user))
    return Battle.objects.filter(visible).defer(*_HEAVY)


def battle_for(user: Anybody, number: str | UUID) -> Battle:
    """Return the battle of that number. Raises BattleNotVisible."""
    try:
        battle = Battle.objects.get(uuid=number)
    except (Battle.DoesNotExist, ValidationError) as error:
        raise BattleNotVisible(_not_visible(number)) from error
    if not may_see(battle, user):
        raise BattleNotVisible(_not_visible(number))
    return battle


def _not_visible(number: str | UUID) -> str:
    return f"There is no battle {number} (any more) that you may see. {CALLED_OFF}"


def whole_battle_for(user: Anybody, number: str | UUID) -> Battle:
    """Return a battle of which everything may be shown.

    Raises BattleNotVisible while players are fighting it, because it still hides something.
    """
    battle = battle_for(user, number)
    if is_open(battle):
        raise BattleNotVisible(f"{battle.title} is being fought: this is shown when it is over.")
    return battle


def is_own(battle: Battle, user: Anybody) -> bool:
    """Return whether the user started the battle outside any campaign."""
    return user.is_authenticated and battle.owner == person(user)


def free_sides(battle: Battle, user: Anybody) -> list[Command]:
    """Return the commands that can be taken by invitation; empty unless the user began it."""
    if not is_own(battle, user):
        return []
    free = (
        command
        for command in battle.commands.all()
        if command.user_id is None and not command.computer
    )
    return [command for command in free if command.invitation]


def side_offered(number: str | UUID, invitation: str) -> Command:
    """Return the command that this invitation offers.

    Raises BattleNotVisible when the invitation is void.
    """
    commands = Command.objects.exclude(invitation="").select_related("battle")
    command = commands.filter(battle__uuid=number, invitation=invitation).first()
    if command is None or not is_open(command.battle):
        raise BattleNotVisible(VOID)
    return command


def may_report(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may enter the result of a waiting battle, fought on a table."""
    keeper = keeper_of(battle.owner)
    if battle.reported or not user.is_authenticated or is_open(battle):
        return False
    return keeper.may_report(battle.owner, user) if keeper else is_own(battle, user)


def waiting_for(user: Anybody) -> QuerySet[Battle]:
    """Return the battles in progress in which the user commands a side."""
    open_ = Battle.objects.filter(way=Battle.Way.PLAYERS, reported=None)
    return open_.filter(pk__in=_commanded_battles(user)).defer(*_HEAVY)


def _commanded_battles(user: Anybody) -> QuerySet[Command, int]:
    commands = (
        Command.objects.filter(user=user) if user.is_authenticated else Command.objects.none()
    )
    return commands.values_list("battle", flat=True)


def may_take_up(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may begin, in the browser, a battle that waits with its owner."""
    if battle.reported or is_open(battle) or keeper_of(battle.owner) is None:
        return False
    return bool(commands(battle, user)) or is_umpire(battle, user)


def may_see(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may see the battle."""
    keeper = keeper_of(battle.owner)
    if battle.public or is_own(battle, user) or commands(battle, user):
        return True
    return keeper is not None and keeper.shows(battle.owner, user)


def battle_of(owner: str, brief_id: str) -> Battle | None:
    """Return the owner's battle of that brief, without checking who asks."""
    return Battle.objects.filter(owner=owner, brief_id=brief_id).first()


def addresses(owner: str, brief_ids: Iterable[str]) -> dict[str, UUID]:
    """Return the UUIDs of the owner's battles by brief, without briefs that have none."""
    battles = Battle.objects.filter(owner=owner, brief_id__in=list(brief_ids))
    return dict(battles.values_list("brief_id", "uuid"))
