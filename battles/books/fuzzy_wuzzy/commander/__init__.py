"""The book's computer commanders, who answer through options like anybody else.

They know what their side has observed, and nothing else.
"""

from collections.abc import Callable
from typing import Protocol

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import actions as q
from battles.books.fuzzy_wuzzy import board, orders, recovery
from battles.books.fuzzy_wuzzy.commander import irregulars, regulars, shooting
from battles.books.fuzzy_wuzzy.commander.scene import Scene
from battles.books.fuzzy_wuzzy.orders import Allowed
from battles.books.fuzzy_wuzzy.pieces import Purpose, Style
from battles.books.fuzzy_wuzzy.recovery import gathered
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.books.fuzzy_wuzzy.troop_types import style_of
from battles.core.game import IllegalAction
from battles.tabletop.geometry import distance


class Manner(Protocol):
    """A way of fighting: orders for a unit, where it goes, what it does when it has won."""

    def ordered(self, scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
        """Return its orders."""

    def move(self, scene: Scene, unit: Unit) -> a.Move | a.Close | None:
        """Return where it goes; None to stay."""

    def pursues(self, scene: Scene, unit: Unit) -> a.Move | a.Close | None:
        """Return how it goes forward at once; None to stay."""


def answer(state: State) -> a.AnyAction:
    """Return the commander's answer to the open question. Raises ValueError when there is none."""
    if state.question is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    scene = Scene(state, state.question.side)
    return _ANSWERS[type(state.question)](scene)


def _order(scene: Scene) -> a.AnyAction:
    """Return all orders in one sheet, then no more."""
    if any(unit.id in scene.state.orders for unit in scene.mine):
        return a.Done()
    given = tuple(
        _lawful(scene.state, _manner(unit).ordered(scene, unit, may))
        for unit, may in (
            (scene.state.units[number], may) for number, may in scene.options.orders.items()
        )
    )
    return a.Order(given) if given else a.Done()


def _lawful(state: State, order: a.UnitOrder) -> a.UnitOrder:
    """Return the order, or as much of it as goes together."""
    replaced = msgspec.structs.replace
    for part in (order, replaced(order, combat=None), replaced(order, movement=None)):
        try:
            orders.check(state, part)
        except IllegalAction:
            continue
        return part
    return a.UnitOrder(order.unit)


def _move(scene: Scene) -> a.AnyAction:
    """Return the foremost first, each once."""
    waiting = [unit for unit in scene.mine if _is_to_move(scene, unit)]
    for unit in sorted(waiting, key=lambda one: (distance(one.at, scene.goal), one.id)):
        action = _manner(unit).move(scene, unit)
        if action is not None:
            return action
    return a.Done()


def _is_to_move(scene: Scene, unit: Unit) -> bool:
    return unit.id in scene.options.paces and unit.id not in scene.state.moved


def _fire(scene: Scene) -> a.AnyAction:
    return shooting.fire(scene)


def _advance(scene: Scene) -> a.AnyAction:
    unit = scene.state.units[scene.options.unit]
    return _manner(unit).pursues(scene, unit) or a.Done()


def _recover(scene: Scene) -> a.AnyAction:
    """Where more stands will be fit than are now, those that leave for the rear left out."""
    for number in scene.options.recovers:
        unit = scene.state.units[number]
        if _gains(unit):
            return a.Recover(number)
    return a.Done()


def _gains(unit: Unit) -> bool:
    figures = board.figures_of(unit)
    removed = recovery.recovered(unit.casualties, die=6)
    leave = sum(map(bool, gathered(unit.casualties - removed, unit.stands, figures)))
    fit = sum(markers < figures for markers in unit.markers)
    return unit.stands - leave > fit


def _manner(unit: Unit) -> Manner:
    """Return how its people fight: by the way they move."""
    regular = style_of(unit.troops, Purpose.MOVE) is Style.REGULAR
    return _MANNERS[regular]


_MANNERS: dict[bool, Manner] = {True: regulars, False: irregulars}
_ANSWERS: dict[type, Callable[[Scene], a.AnyAction]] = {
    q.ToOrder: _order,
    q.ToMove: _move,
    q.ToFire: _fire,
    q.ToAdvance: _advance,
    q.ToRecover: _recover,
}
