"""A sample of the legal answers, for players that choose at random or by a simple rule."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from battles.books.redcoats import actions as a
from battles.books.redcoats.board import on_field
from battles.books.redcoats.field import distance
from battles.books.redcoats.offers import acting_unit
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.state import State
from battles.contract.sampling import AnswerSampling, Chance

T = TypeVar("T")
ATTACKS = (a.Charge, a.Fire)
_EAGERNESS = {
    a.Charge: 10.0,
    a.Pursue: 5.0,
    a.Fire: 4.0,
    a.Coordinate: 3.0,
    a.Enter: 2.0,
    a.Leave: 2.0,
    a.Activate: 1.0,
    a.PlayCard: 0.5,
    a.Done: 0.0,
}
_PER_SQUARE = 0.01


def answers(offered: Options, chance: Chance, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield legal answers of every kind, at most `most` of long domains."""
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


def _acting(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Charge(attack.target) for attack in offered.charges)
    yield from (a.Fire(shot.unit, shot.firer, shot.weapon) for shot in offered.targets)
    yield from (a.Form(formation) for formation in offered.formations)
    yield from (a.Enter(square, chance.randrange(8)) for square in offered.entries)
    yield from (a.Unload(square, chance.randrange(8)) for square in offered.landings)
    yield from (a.FormBrigade(forming.middle) for forming in offered.brigades)
    yield from (a.Load(craft) for craft in offered.crafts)
    if offered.mount:
        yield a.Mount()
    if offered.dismount:
        yield a.Dismount()
    if offered.leave:
        yield a.Leave()
    if offered.reach is not None:
        for end in _some(tuple(offered.reach.ends()), chance, most):
            path = offered.reach.path(end.square, end.facing)
            yield a.Move(path, end.facing)


def eagerness(state: State, action: a.AnyAction) -> float:
    """Return the rank of an answer for a player who goes straight at the enemy."""
    if not isinstance(action, a.Move):
        return _EAGERNESS.get(type(action), -1.0)
    unit = acting_unit(state)
    if unit is None or not action.path:
        return -1.0
    foes = [foe.square for foe in on_field(state, unit.side.enemy)]
    gain = _nearest(foes, unit.square) - _nearest(foes, action.path[-1])
    return 1.0 + _PER_SQUARE * gain if gain > 0 else -1.0


def _nearest(foes: Sequence[int], square: int) -> int:
    return min((distance(foe, square) for foe in foes), default=0)


def _some(domain: Sequence[T], chance: Chance, most: int) -> list[T]:
    return chance.sample(domain, min(most, len(domain)))


def _answers(state: State, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    offered = options(state)
    return iter(()) if offered is None else answers(offered, chance, most)


SAMPLING = AnswerSampling(_answers, ATTACKS, eagerness, a.Done)
