"""The computer's commanders: they answer every question of a battle, for either side.

`answer` looks at the state and at what `options` offers, and at nothing else: no chance, no memory,
so the same state has the same answer wherever and whenever it is asked.
"""

from collections.abc import Callable, Mapping

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats.commander import acting, leading
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.state import State

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
    """Return where the layout has put them they stand well; vessels carry nobody."""
    return a.Done()


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    q.ToSetUp: _as_it_stands,
    q.ToCoordinate: leading.coordinate,
    q.ToMoor: _as_it_stands,
    q.ToChooseNext: leading.choose_next,
    q.ToAct: acting.act,
    q.ToPlayCard: leading.play_card,
    q.ToPursue: leading.pursue,
}
