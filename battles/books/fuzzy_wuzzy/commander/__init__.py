"""The computer's commander of 'Eres to You Fuzzy Wuzzy: it answers through the options.

It uses only what its side has observed.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Protocol

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import actions as q
from battles.books.fuzzy_wuzzy import aftermath, board, firing, orders, sequence
from battles.books.fuzzy_wuzzy.aftermath import gathered
from battles.books.fuzzy_wuzzy.book import book, style_of
from battles.books.fuzzy_wuzzy.commander import irregulars, regulars
from battles.books.fuzzy_wuzzy.commander.scene import Scene, fights
from battles.books.fuzzy_wuzzy.firing import AVERAGE, Shot, casualties, defence_grading
from battles.books.fuzzy_wuzzy.orders import Allowed
from battles.books.fuzzy_wuzzy.pieces import Band, Grading, Purpose, Style, Weapon
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.core.game import IllegalAction
from battles.tabletop.deployment import GunToPlace, better_gun_post
from battles.tabletop.formations import MovingUnit
from battles.tabletop.geometry import distance

_D6 = (1, 2, 3, 4, 5, 6)


class Manner(Protocol):
    """A style of fighting: orders, moves and pursuits of a unit."""

    def ordered(self, scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
        """Return the unit's orders."""

    def move(self, scene: Scene, unit: Unit) -> a.Move | a.Close | None:
        """Return the unit's move; None to stay."""

    def pursues(self, scene: Scene, unit: Unit) -> a.Move | a.Close | None:
        """Return the unit's immediate advance; None to stay."""


def answer(state: State) -> a.AnyAction:
    """Return an answer to the open question. Raises ValueError when there is none."""
    if state.question is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    scene = Scene(state, state.question.side)
    return _ANSWERS[type(state.question)](scene)


def _order(scene: Scene) -> a.AnyAction:
    """Return all orders in one action, then Done."""
    # An order does not close the question: without this the same orders come for ever.
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
    """Return the order, or the largest legal part of it."""
    replaced = msgspec.structs.replace
    for part in (order, replaced(order, combat=None), replaced(order, movement=None)):
        try:
            orders.check(state, part)
        except IllegalAction:
            continue
        return part
    return a.UnitOrder(order.unit)


def _move(scene: Scene) -> a.AnyAction:
    """Return the next move, the foremost unit first, one for each unit."""
    waiting = [unit for unit in scene.mine if _is_to_move(scene, unit)]
    for unit in sorted(waiting, key=lambda one: (distance(one.at, scene.goal), one.id)):
        action = _manner(unit).move(scene, unit)
        if action is not None:
            return action
    return a.Done()


def _is_to_move(scene: Scene, unit: Unit) -> bool:
    return unit.id in scene.options.paces and unit.id not in scene.state.moved


def _fire(scene: Scene) -> a.Fire | a.Done:
    """Return the shot of the first unit with the most expected casualties."""
    shots = scene.options.shots_of_first()
    if not shots:
        return a.Done()
    best = max(shots, key=lambda shot: (_worth(scene, shot), -shot.target))
    return a.Fire(best.unit, best.target)


@cache
def expected(style: Style, weapon: Weapon, band: Band, defence: Grading) -> int:
    """Return casualties of six dice that show each of their faces once."""
    faces = AVERAGE if style is Style.REGULAR else _D6
    attack, less = firing.attack_grading(weapon), firing.adjustment(weapon, band)
    return sum(casualties(style, attack, defence, face + less) for face in faces)


def _worth(scene: Scene, shot: Shot) -> int:
    """Return the value of a shot; an enemy that still fights counts double."""
    unit, target = scene.state.units[shot.unit], scene.state.units[shot.target]
    style = style_of(unit.troops, Purpose.FIRE)
    each = expected(style, unit.weapon, shot.band, defence_grading(shot.where))
    return (each * shot.dice + 1) * (2 if fights(target) else 1)


def _advance(scene: Scene) -> a.AnyAction:
    unit = scene.state.units[scene.options.unit]
    return _manner(unit).pursues(scene, unit) or a.Done()


def _recover(scene: Scene) -> a.AnyAction:
    """Return a recovery that leaves more fit stands than now, or Done."""
    for number in scene.options.recovers:
        unit = scene.state.units[number]
        if _gains(unit):
            return a.Recover(number)
    return a.Done()


def _gains(unit: Unit) -> bool:
    figures = board.figures_of(unit)
    removed = aftermath.recovered(unit.casualties, die=6)
    leave = sum(map(bool, gathered(unit.casualties - removed, unit.stands, figures)))
    fit = sum(markers < figures for markers in unit.markers)
    return unit.stands - leave > fit


def _manner(unit: Unit) -> Manner:
    """Return the unit's style of fighting, by the style in which it moves."""
    regular = style_of(unit.troops, Purpose.MOVE) is Style.REGULAR
    return _MANNERS[regular]


_MANNERS: dict[bool, Manner] = {True: regulars, False: irregulars}


def _set_up(scene: Scene) -> a.AnyAction:
    """Give batteries that see nothing a place with a view; otherwise accept the layout."""
    state = scene.state
    for number, post in sequence.posts(state, scene.side).items():
        unit = state.units[number]
        if not unit.is_gun:
            continue
        gun = GunToPlace(
            post,
            MovingUnit(unit.formation, unit.stands, board.STAND),
            partial(sequence.refusal_of, state, number),
        )
        friends = board.stands(one for one in board.on_field(state, unit.side) if one is not unit)
        better = better_gun_post(state.field, gun, friends, book().hiding)
        if better != post:
            return a.Deploy(number, better.at, better.facing, better.formation)
    return a.Done()


_ANSWERS: dict[type, Callable[[Scene], a.AnyAction]] = {
    q.ToSetUp: _set_up,
    q.ToOrder: _order,
    q.ToMove: _move,
    q.ToFire: _fire,
    q.ToAdvance: _advance,
    q.ToRecover: _recover,
}
