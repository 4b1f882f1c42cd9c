"""Somebody who answers every question of a battle at random, by what the options offer."""

from collections.abc import Iterator
from random import Random
from typing import Any

from battles.books.redcoats import actions as a
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.play import play
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
        yield action, play(state, action, thrown)
    raise AssertionError("the battle comes to no end")


def answers(offered: Options, chance: Random, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield every kind of answer on offer, of long domains so many."""
    if offered.done:
        yield a.Done()
    if offered.asks == "set up":
        for number in _some(offered.units, chance, most):
            for square in _some(offered.squares[number], chance, most):
                yield a.Deploy(number, square, chance.randrange(8))
        yield a.Restore()
    elif offered.asks == "co-ordinate":
        chosen = [number for number in offered.units if chance.random() < 0.8]
        yield a.Coordinate(tuple(chosen) or offered.units)
    elif offered.asks == "next":
        yield from (a.Activate(number) for number in offered.units)
    elif offered.asks == "moor":
        yield a.Moor()
    elif offered.asks == "pursue":
        yield a.Pursue()
    else:
        yield from (a.PlayCard(card) for card in offered.cards)
    if offered.asks == "act":
        yield from _acting(offered, chance, most)


def _acting(offered: Options, chance: Random, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Charge(attack.target) for attack in offered.charges)
    yield from (a.Fire(shot.unit, shot.firer, shot.weapon) for shot in offered.targets)
    yield from (a.Form(formation) for formation in offered.formations)
    yield from (a.Enter(square, chance.randrange(8)) for square in offered.entries)
    yield from (a.Unload(square, chance.randrange(8)) for square in offered.landings)
    yield from (a.FormBrigade(forming.middle) for forming in offered.brigades)
    yield from (a.Load(craft) for craft in offered.crafts)
    flags = (
        (offered.mount, a.Mount()),
        (offered.dismount, a.Dismount()),
        (offered.leave, a.Leave()),
    )
    yield from (action for offered_now, action in flags if offered_now)
    if offered.reach is not None:
        for end in _some(tuple(offered.reach.ends()), chance, most):
            path = offered.reach.path(end.square, end.facing)
            yield a.Move(path, end.facing)


def _some(domain: tuple[Any, ...], chance: Random, most: int) -> list[Any]:
    return chance.sample(domain, min(most, len(domain)))
