"""A player that answers every question of a battle at random, by what the options offer."""

from collections.abc import Iterator
from random import Random
from typing import Any

from battles.books.fuzzy_wuzzy.options import options
from battles.books.fuzzy_wuzzy.play import answers, rules
from battles.books.fuzzy_wuzzy.state import State
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import Outcome

MOST = 20_000


def dice_of(seed: int) -> ChainedDice:
    """Return the dice of a battle played at random."""
    return ChainedDice(derive_key(b"fuzzy", "random", seed))


def moves(state: State, seed: int) -> Iterator[tuple[Any, Outcome]]:
    """Yield the battle played to its end; AssertionError when it comes to none."""
    chance, thrown = Random(seed), dice_of(seed)
    for _ in range(MOST):
        offered = options(state)
        if offered is None:
            return
        action = chance.choice(list(answers(state, offered, chance)))
        yield action, rules.play(state, action, thrown)
    raise AssertionError("the battle comes to no end")
