"""The computer's commander of Restless Natives: it answers every question, for either side.

`answer` uses only what the side can see and what `options` offers. It has no randomness and no
memory, so the same state always gets the same answer.
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
    """Return a legal answer to the open question, for the side that is asked.

    Raises ValueError when the battle is over and nothing is asked.
    """
    offered = options(state)
    if offered is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](state, offered)


def _as_it_stands(state: State, offered: Options) -> a.AnyAction:
    """Accept the deployment of the layout."""
    return a.Done()


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    q.ToSetUp: _as_it_stands,
    q.ToCommand: command,
    q.ToAct: act,
    q.ToMove: move,
}
