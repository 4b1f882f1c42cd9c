"""A battle that is fought again: whether it can be, and who commands each side then."""

from django.contrib.auth.models import User

from battles import access, serialization
from battles.contract.book import find_book
from battles.contract.brief import Side
from battles.models import Battle
from battles.services.fights import COMPUTER, ME, OPEN


def may_fight_again(battle: Battle) -> bool:
    """Return whether a battle that is over can be fought again: any that no campaign owns."""
    own = access.keeper_of(battle.owner) is None
    return own and bool(battle.reported) and find_book(battle.book) is not None


def sides_again(battle: Battle, user: User, *, swap: bool) -> dict[Side, str]:
    """Return who commands each side: the user, the computer, or a player to be invited.

    A spectator takes the attackers against the computer; the umpire stays one.
    """
    led: dict[Side, str] = {}
    for command in battle.commands.all():
        is_own = command.user_id == user.pk
        led[Side(command.side)] = ME if is_own else (OPEN if command.user_id else COMPUTER)
    umpires = OPEN in led.values() and access.is_umpire(battle, user)
    if ME not in led.values() and not umpires:
        attacker = serialization.brief_of(battle).attacker.side
        led = {attacker: ME, attacker.enemy: COMPUTER}
    return {side: led[side.enemy if swap else side] for side in Side}


def sides_differ_again(battle: Battle, user: User) -> bool:
    """Return whether it makes a difference to change the sides of the battle."""
    as_before, swapped = (sides_again(battle, user, swap=swap) for swap in (False, True))
    return as_before != swapped
