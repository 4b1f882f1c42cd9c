"""Query battles as a user may see them; pages read battles through this module only."""

from collections.abc import Iterable
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import Http404

from battles.access import viewers
from battles.access.viewers import Anybody
from battles.models import Battle, Command

UNSEEN = "There is no such battle that you may see."
VOID = "This invitation is void."
# Large columns, which lists do not need.
_HEAVY = ("document", "beginning", "brief", "report", "key")


class BattleNotVisible(Http404):
    """No battle of that number that the user may see.

    The answer is the same whether or not there is one, so that nobody can probe for battles.
    """


def battles_for(user: Anybody) -> QuerySet[Battle]:
    """Return the battles that the user may see: public, their own, and of visible owners."""
    visible = Q(public=True)
    if user.is_authenticated:
        visible |= Q(owner=viewers.person(user)) | Q(pk__in=_commanded_battles(user))
    for keeper in viewers.keepers():
        visible |= Q(owner__in=keeper.owners_for(user))
    return Battle.objects.filter(visible).defer(*_HEAVY)


def battle_for(user: Anybody, number: str | UUID) -> Battle:
    """Return the battle of that number. Raises BattleNotVisible."""
    try:
        battle = Battle.objects.get(uuid=number)
    except (Battle.DoesNotExist, ValidationError) as error:
        raise BattleNotVisible(UNSEEN) from error
    if not may_see(battle, user):
        raise BattleNotVisible(UNSEEN)
    return battle


def whole_battle_for(user: Anybody, number: str | UUID) -> Battle:
    """Return a battle of which everything may be shown.

    Raises BattleNotVisible while players are fighting it, because it still hides something.
    """
    battle = battle_for(user, number)
    if viewers.is_open(battle):
        raise BattleNotVisible(f"{battle.title} is being fought: this is shown when it is over.")
    return battle


def is_own(battle: Battle, user: Anybody) -> bool:
    """Return whether the user started the battle outside any campaign."""
    return user.is_authenticated and battle.owner == viewers.person(user)


def free_sides(battle: Battle, user: Anybody) -> list[Command]:
    """Return the commands that can be taken by invitation; empty unless the user began it."""
    if not is_own(battle, user):
        return []
    free = (one for one in battle.commands.all() if one.user_id is None and not one.computer)
    return [one for one in free if one.invitation]


def side_offered(number: str | UUID, invitation: str) -> Command:
    """Return the command that this invitation offers.

    Raises BattleNotVisible when the invitation is void.
    """
    known = Command.objects.exclude(invitation="").select_related("battle")
    found = known.filter(battle__uuid=number, invitation=invitation).first()
    if found is None or not viewers.is_open(found.battle):
        raise BattleNotVisible(VOID)
    return found


def may_report(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may enter the result of a waiting battle, fought on a table."""
    keeper = viewers.keeper_of(battle.owner)
    if battle.reported or not user.is_authenticated or viewers.is_open(battle):
        return False
    return keeper.may_report(battle.owner, user) if keeper else is_own(battle, user)


def waiting_for(user: Anybody) -> QuerySet[Battle]:
    """Return the battles in progress in which the user commands a side."""
    open_ = Battle.objects.filter(way=Battle.Way.PLAYERS, reported=None)
    return open_.filter(pk__in=_commanded_battles(user)).defer(*_HEAVY)


def _commanded_battles(user: Anybody) -> QuerySet[Command, int]:
    mine = Command.objects.filter(user=user) if user.is_authenticated else Command.objects.none()
    return mine.values_list("battle", flat=True)


def may_take_up(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may begin, in the browser, a battle that waits with its owner."""
    if battle.reported or viewers.is_open(battle) or viewers.keeper_of(battle.owner) is None:
        return False
    return bool(viewers.commands(battle, user)) or viewers.is_umpire(battle, user)


def may_see(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may see the battle."""
    keeper = viewers.keeper_of(battle.owner)
    if battle.public or is_own(battle, user) or viewers.commands(battle, user):
        return True
    return keeper is not None and keeper.shows(battle.owner, user)


def battle_of(owner: str, brief_id: str) -> Battle | None:
    """Return the owner's battle of that brief, without checking who asks."""
    return Battle.objects.filter(owner=owner, brief_id=brief_id).first()


def addresses(owner: str, brief_ids: Iterable[str]) -> dict[str, UUID]:
    """Return the UUIDs of the owner's battles by brief, without briefs that have none."""
    found = Battle.objects.filter(owner=owner, brief_id__in=list(brief_ids))
    return dict(found.values_list("brief_id", "uuid"))
