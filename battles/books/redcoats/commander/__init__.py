"""The computer's commanders, which answer every question of a battle for either side.

`answer` uses only the state and its `options`, with no chance and no memory: the same state always
has the same answer.
"""

from collections.abc import Callable, Mapping

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats.commander import deploying, leading
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.state import State

__all__ = ["answer"]


def answer(state: State) -> a.AnyAction:
    """Return a legal answer to the open question.

    Raises ValueError when the battle is over.
    """
    if isinstance(state.question, q.ToSetUp):
        return deploying.place(state, state.question.side)
    # Vessels carry no unit.
    if isinstance(state.question, q.ToMoor):
        return a.Done()
    offered = options(state)
    if offered is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](state, offered)


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    q.ToCoordinate: leading.coordinate,
    q.ToChooseNext: leading.choose_next,
    q.ToAct: leading.act,
    q.ToPlayCard: leading.play_card,
    q.ToPursue: leading.pursue,
}
