"""A player that answers every question of a battle at random, by what the options offer."""

from collections.abc import Iterator
from random import Random
from typing import Any

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.play import answers, rules
from battles.books.restless_natives.state import State
from battles.core.game import Outcome
from tests.restless.field import dice_of

MOST = 20_000


def moves(state: State, seed: int) -> Iterator[tuple[Any, Outcome]]:
    """Yield the battle played to its end; AssertionError when it comes to none."""
    chance, thrown = Random(seed), dice_of(seed)
    for _ in range(MOST):
        offered = options(state)
        if offered is None:
            return
        action = chosen(offered, chance)
        yield action, rules.play(state, action, thrown)
    raise AssertionError("the battle comes to no end")


def chosen(offered: Options, chance: Random) -> a.AnyAction:
    """One of the answers; Done seldom, where there are others."""
    found = list(answers(offered, chance))
    others = [action for action in found if not isinstance(action, a.Done)]
    if offered.asks == "set up" and chance.random() < 0.3:
        return a.Done()
    return chance.choice(others if others and chance.random() < 0.9 else found)
