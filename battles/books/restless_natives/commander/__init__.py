"""The computer's commander of Restless Natives: it answers every question, for either side.

`answer` uses only what the side can see and what `options` offers. It has no randomness and no
memory, so the same state always gets the same answer.
"""

from collections.abc import Callable, Mapping
from functools import partial

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import actions as q
from battles.books.restless_natives import sequence
from battles.books.restless_natives.board import all_stands, on_field
from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.moving import act, command, move
from battles.books.restless_natives.layout_zones import role
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.state import State
from battles.tabletop.deployment import GunToPlace, better_gun_post
from battles.tabletop.deployment_lines import Role
from battles.tabletop.formations import MovingUnit

__all__ = ["answer"]


def answer(state: State) -> a.AnyAction:
    """Return a legal answer to the open question, for the side that is asked.

    Raises ValueError when the battle is over and nothing is asked.
    """
    offered = options(state)
    if offered is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](state, offered)


def _set_up(state: State, offered: Options) -> a.AnyAction:
    """Give batteries that see nothing a place with a view; otherwise accept the layout."""
    for number in offered.movable:
        unit = state.units[number]
        if role(unit) is not Role.GUN:
            continue
        gun = GunToPlace(
            sequence.post_of(unit),
            MovingUnit(unit.formation, unit.stands, book().size(unit.kind)),
            partial(sequence.refusal_of, state, number),
        )
        friends = all_stands(one for one in on_field(state, unit.side) if one is not unit)
        post = better_gun_post(state.field, gun, friends, book().hiding)
        if post != gun.post:
            return a.Deploy(number, post.at, post.facing, post.formation)
    return a.Done()


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    q.ToSetUp: _set_up,
    q.ToCommand: command,
    q.ToAct: act,
    q.ToMove: move,
}
