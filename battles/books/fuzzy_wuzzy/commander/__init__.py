"""The computer's commander of 'Eres to You Fuzzy Wuzzy: it answers through the options.

It uses only what its side has observed.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Protocol

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import aftermath, board, firing, observing, orders, sequence
from battles.books.fuzzy_wuzzy.aftermath import gather_casualties
from battles.books.fuzzy_wuzzy.book import SCALE, book, is_regular, style_of
from battles.books.fuzzy_wuzzy.commander import irregulars, regulars
from battles.books.fuzzy_wuzzy.commander.scene import Scene, fights
from battles.books.fuzzy_wuzzy.firing import FACES, NORMAL, Shot, casualties, defence_grading
from battles.books.fuzzy_wuzzy.orders import Allowed
from battles.books.fuzzy_wuzzy.pieces import Band, Grading, Purpose, Size, Style, Weapon
from battles.books.fuzzy_wuzzy.set_up import band
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.core.game import IllegalAction
from battles.tabletop.geometry import distance
from battles.tabletop.line_ups import COVER_IN_ATTACK, GroundToUse, UnitToPlace, next_deployment

SLOW = 0.5
"""The casualties that a start in slow ground costs an attacker."""


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
    unit_orders = tuple(
        _lawful(scene.state, _manner(unit).ordered(scene, unit, may), may)
        for unit, may in (
            (scene.state.units[number], may) for number, may in scene.options.orders.items()
        )
    )
    return a.Order(unit_orders) if unit_orders else a.Done()


def _lawful(state: State, order: a.UnitOrder, may: Allowed) -> a.UnitOrder:
    """Return the order, or the largest legal part of it."""
    replaced = msgspec.structs.replace
    for part in (order, replaced(order, combat=None), replaced(order, movement=None)):
        try:
            orders.check(state, part, may)
        except IllegalAction:
            continue
        return part
    return a.UnitOrder(order.unit)


def _move(scene: Scene) -> a.AnyAction:
    """Return the next move, the foremost unit first, one for each unit."""
    paces, moved, goal = scene.options.paces, scene.state.moved, scene.goal
    waiting = [unit for unit in scene.mine if unit.id in paces and unit.id not in moved]
    for unit in sorted(waiting, key=lambda unit: (distance(unit.at, goal), unit.id)):
        action = _manner(unit).move(scene, unit)
        if action is not None:
            return action
    return a.Done()


def _fire(scene: Scene) -> a.Fire | a.Done:
    """Return the shot of the first unit with the most expected casualties."""
    best = scene.options.best_shot_of_first(lambda shot: _worth(scene, shot))
    return a.Done() if best is None else a.Fire(best.unit, best.target)


@cache
def expected_casualties(style: Style, weapon: Weapon, band: Band, defence: Grading) -> int:
    """Return casualties of six dice that show each of their faces once."""
    faces = firing.FACES_OF[Purpose.FIRE][style]
    attack, less = firing.attack_grading(weapon), firing.adjustment(weapon, band)
    return sum(casualties(style, attack, defence, face + less) for face in faces)


def _worth(scene: Scene, shot: Shot) -> int:
    """Return the value of a shot; an enemy that still fights counts double."""
    unit, target = scene.state.units[shot.unit], scene.state.units[shot.target]
    style = style_of(unit.troops, Purpose.FIRE)
    per_die = expected_casualties(style, unit.weapon, shot.band, defence_grading(shot.where))
    return (per_die * shot.dice + 1) * (2 if fights(target) else 1)


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
    removed = aftermath.recovered_markers(unit.casualties, die=6)
    leave = sum(map(bool, gather_casualties(unit.casualties - removed, unit.stands, figures)))
    fit = sum(markers < figures for markers in unit.markers)
    return unit.stands - leave > fit


def _manner(unit: Unit) -> Manner:
    """Return the unit's style of fighting, by the style in which it moves."""
    regular = style_of(unit.troops, Purpose.MOVE) is Style.REGULAR
    return _MANNERS[regular]


_MANNERS: dict[bool, Manner] = {True: regulars, False: irregulars}


def _set_up(scene: Scene) -> a.AnyAction:
    """Place the units in the best line-up of the side's zone, one after another."""
    state = scene.state
    action = next_deployment(
        sequence.posts(state, scene.side),
        _ground(scene),
        tuple(_to_place(scene)),
        partial(sequence.refusal_of, state),
    )
    return action or a.Done()


def _ground(scene: Scene) -> GroundToUse:
    """Return the ground on which a side draws up; the enemies are hidden."""
    tables, state = book(), scene.state
    return GroundToUse(
        field=state.field,
        zones=state.zones.get(scene.side, ()),
        cover=(tables.difficult | tables.sheltering("field fortifications")) - tables.slow,
        rough=tables.slow,
        hiding=tables.hiding,
        barred=tables.barred,
        within=tables.number("cover") * SCALE,
        holds=not scene.attacks,
    )


def _to_place(scene: Scene) -> Iterator[UnitToPlace]:
    """Yield the units with their fire, and their losses to a battalion's, in casualties.

    Ground that is not open hides a unit longer (Reconnaissance 4), and nobody fires at what is
    hidden. One that attacks soon leaves it. Regular foot and horse keep their line or square.
    """
    counts = COVER_IN_ATTACK if scene.attacks else 1.0
    for number in sequence.posts(scene.state, scene.side):
        unit, post = scene.state.units[number], scene.state.line_up.get(number)
        if post is None:
            continue
        exposed, covered = (counts * _loss(unit, is_open=is_open) for is_open in (True, False))
        in_line = is_regular(unit.troops, Purpose.MOVE) and not unit.is_gun
        yield UnitToPlace(
            band(unit),
            post,
            fires=firing.range_limits(unit.weapon),
            volley=_volley(unit),
            exposed=exposed,
            covered=covered,
            slow=SLOW if scene.attacks else 0.0,
            free=not in_line,
        )


def _volley(unit: Unit) -> float:
    """Return the casualties to expect of the unit's fire at effective range."""
    if unit.weapon is Weapon.NONE or unit.mounted:
        return 0.0
    style = style_of(unit.troops, Purpose.FIRE)
    per_die = expected_casualties(style, unit.weapon, Band.EFFECTIVE, defence_grading()) / FACES
    return per_die * sum(
        firing.dice_of(unit.arm, board.fit(unit, place)) for place in range(unit.stands)
    )


def _loss(unit: Unit, *, is_open: bool) -> float:
    """Return the casualties to expect of a battalion's fire, by the chance to be observed."""
    enemy = Style.REGULAR if unit.side is Side.MAHDIST else Style.IRREGULAR
    return _loss_by_size(enemy, observing.size_of(unit.stands), is_open=is_open)


@cache
def _loss_by_size(enemy: Style, size: Size, *, is_open: bool) -> float:
    far = [observing.observed_at(enemy, size, die, open_terrain=is_open) for die in NORMAL]
    reach = firing.range_limits(Weapon.SINGLE_SHOT)
    seen = sum(min(length, reach) for length in far) / (len(far) * reach)
    return seen * expected_casualties(enemy, Weapon.SINGLE_SHOT, Band.EFFECTIVE, defence_grading())


_ANSWERS: dict[type, Callable[[Scene], a.AnyAction]] = {
    a.ToSetUp: _set_up,
    a.ToOrder: _order,
    a.ToMove: _move,
    a.ToFire: _fire,
    a.ToAdvance: _advance,
    a.ToRecover: _recover,
}
