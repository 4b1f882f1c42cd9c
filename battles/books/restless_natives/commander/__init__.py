"""The computer's commanders: they answer every question of a battle, for either side.

`answer` looks at what the side can see and at what `options` offers, and at nothing else: no
chance, no memory, so the same state has the same answer wherever and whenever it is asked.
"""

from collections.abc import Callable, Mapping

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import actions as q
from battles.books.restless_natives.commander.acting import act
from battles.books.restless_natives.commander.commanding import command
from battles.books.restless_natives.commander.moving import move
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.state import State

__all__ = ["answer"]


def answer(state: State) -> a.AnyAction:
    """Return a lawful answer to the open question, by the side that is asked.

    Raises ValueError when the battle is over and nothing is asked.
    """
    offered = options(state)
    if offered is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](state, offered)


def _as_it_stands(state: State, offered: Options) -> a.AnyAction:
    """Return where the layout has put them they stand well."""
    return a.Done()


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    q.ToSetUp: _as_it_stands,
    q.ToCommand: command,
    q.ToAct: act,
    q.ToMove: move,
}
