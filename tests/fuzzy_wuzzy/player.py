"""Somebody who answers every question of a battle at random, by what the options offer."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy.options import Options, options
from battles.books.fuzzy_wuzzy.play import check, play
from battles.books.fuzzy_wuzzy.state import State
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import IllegalAction, Outcome

MOST = 20_000
_WAYS = 4


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
        yield action, play(state, action, thrown)
    raise AssertionError("the battle comes to no end")


def answers(state: State, offered: Options, chance: Random, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield every kind of answer on offer, of long domains so many."""
    yield a.Done()
    yield from _setting_up(offered, chance, most)
    yield from _orders(state, offered, chance, most)
    yield from (a.Fire(shot.unit, shot.target) for shot in offered.shots)
    yield from (a.Recover(number) for number in offered.recovers)
    for number in _some(tuple(offered.paces), chance, most):
        for spot, facing in _some(offered.spots(number, _WAYS), chance, most):
            yield a.Move(number, spot, facing)
        yield from (a.Close(number, target) for target in offered.closes_of(number))


def _setting_up(offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    for number in _some(offered.movable, chance, most):
        unit = offered.of.units[number]
        yield a.Deploy(number, unit.at, unit.facing, unit.formation)
    if offered.moved:
        yield a.Restore()


def _orders(state: State, offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    """Orders of every sort at once, as far as they go together."""
    for _ in range(most if offered.orders else 0):
        given = [
            a.UnitOrder(
                number,
                _any(may.rates, chance),
                _any(may.changes, chance, 0.2),
                _any(may.combats, chance),
            )
            for number, may in offered.orders.items()
        ]
        lawful = tuple(order for order in given if _goes(state, order))
        if lawful:
            yield a.Order(lawful)


def _goes(state: State, order: a.UnitOrder) -> bool:
    try:
        check(state, a.Order((order,)))
    except IllegalAction:
        return False
    return True


def _any(domain: Sequence[Any], chance: Random, share: float = 0.8) -> Any:
    return chance.choice(domain) if domain and chance.random() < share else None


def _some(domain: Sequence[Any], chance: Random, most: int) -> list[Any]:
    return chance.sample(domain, min(most, len(domain)))
