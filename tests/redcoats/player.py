"""A player that answers every question of a battle at random, by what the options offer."""

from collections.abc import Iterator
from random import Random
from typing import Any

from battles.books.redcoats.options import options
from battles.books.redcoats.play import answers, rules
from battles.books.redcoats.state import State
from battles.core.game import Outcome
from tests.redcoats.field import dice_of

MOST = 20_000


def moves(state: State, seed: int) -> Iterator[tuple[Any, Outcome]]:
    """Yield the battle played to its end; AssertionError when it comes to none."""
    chance, thrown = Random(seed), dice_of(seed)
    for _ in range(MOST):
        offered = options(state)
        if offered is None:
            return
        action = chance.choice(list(answers(offered, chance)))
        yield action, rules.play(state, action, thrown)
    raise AssertionError("the battle comes to no end")
