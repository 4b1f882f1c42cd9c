"""Somebody who answers every question of a battle at random, by what the options offer."""

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.play import play
from battles.books.restless_natives.shooting import plan
from battles.books.restless_natives.state import State, acting_unit
from battles.core.game import Outcome
from battles.tabletop.geometry import TablePoint, middle
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
        yield action, play(state, action, thrown)
    raise AssertionError("the battle comes to no end")


def chosen(offered: Options, chance: Random) -> a.AnyAction:
    """One of the answers; Done seldom, where there are others."""
    found = list(answers(offered, chance))
    others = [action for action in found if not isinstance(action, a.Done)]
    if offered.asks == "set up" and chance.random() < 0.3:
        return a.Done()
    return chance.choice(others if others and chance.random() < 0.9 else found)


def answers(offered: Options, chance: Random, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield every kind of answer on offer, of long domains so many."""
    if offered.done:
        yield a.Done()
    yield from _OF[offered.asks](offered, chance, most)


def _setting_up(offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    for unit in _some(offered.units, chance, most):
        yield a.Allot(unit, chance.choice(offered.commanders))
    for number in _some(offered.movable, chance, most):
        unit = offered.state.units[number]
        yield a.Deploy(number, unit.at, unit.facing, unit.formation)
    if offered.moved:
        yield a.Restore()


def _commanding(offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Activate(unit) for unit in offered.units)
    yield from (a.Rally(unit) for unit in offered.rallies)
    yield from (a.PassOn(one) for one in offered.commanders)


def _acting(offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    yield from (a.PlayCard(card) for card in offered.cards)
    yield from (a.March(moves) for moves in range(1, offered.marches + 1))
    yield from (a.Form(formation) for formation in offered.formations)
    yield from (a.Fight(foe) for foe in offered.foes)
    for target in offered.targets:
        yield from (a.Fire((target.unit,), volleys) for volleys in range(1, offered.volleys + 1))
    unit = acting_unit(offered.state)
    for pair in permutations([target.unit for target in offered.targets], 2):
        if len(plan(offered.state, unit, pair, 1)) == len(pair):
            yield a.Fire(pair)


def _moving(offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Charge(attack.target) for attack in offered.charges)
    if offered.leave:
        yield a.Leave()
    if offered.reach is None:
        return
    enemies = [unit.at for unit in offered.state.units.values() if unit.side is not offered.side]
    near = offered.reach.towards(middle(enemies)) if enemies else None
    if near is not None:
        yield from [a.Move(near.path, near.facing)] * most
    if most > 4:
        yield from (a.Move(way.path, way.facing) for way in offered.reach.spots())
    field = offered.state.field
    goal = TablePoint(chance.randrange(field.width), chance.randrange(field.height))
    somewhere = offered.reach.towards(goal, chance.choice((None, chance.randrange(360))))
    if somewhere is not None:
        yield a.Move(somewhere.path, somewhere.facing)


def _some(domain: tuple[Any, ...], chance: Random, most: int) -> list[Any]:
    return chance.sample(domain, min(most, len(domain)))


_OF = {"set up": _setting_up, "command": _commanding, "act": _acting, "move": _moving}
