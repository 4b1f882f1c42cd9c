"""The book's computer commanders, who answer through options like anybody else.

They know what their side has observed, and nothing else.
"""

from battles.engines.fuzzy_wuzzy import actions as a
from battles.engines.fuzzy_wuzzy import board, recovery
from battles.engines.fuzzy_wuzzy import questions as q
from battles.engines.fuzzy_wuzzy.casualties import gathered
from battles.engines.fuzzy_wuzzy.commander import irregulars, regulars, shooting
from battles.engines.fuzzy_wuzzy.commander.scene import Scene
from battles.engines.fuzzy_wuzzy.pieces import Purpose, Style
from battles.engines.fuzzy_wuzzy.state import State, Unit
from battles.engines.fuzzy_wuzzy.troop_types import style_of


def answer(state: State) -> a.AnyAction:
    """The commander's answer to the open question. Raises ValueError when there is none."""
    if state.question is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    scene = Scene(state, state.question.side)
    return _ANSWERS[type(state.question)](scene)


def _order(scene: Scene) -> a.AnyAction:
    """All orders in one sheet, then no more."""
    if any(unit.id in scene.state.orders for unit in scene.mine):
        return a.Done()
    given = tuple(
        _manner(unit).ordered(scene, unit, may)
        for unit, may in (
            (scene.state.units[number], may) for number, may in scene.options.orders.items()
        )
    )
    return a.Order(given) if given else a.Done()


def _move(scene: Scene) -> a.AnyAction:
    """The foremost first, each once."""
    waiting = [unit for unit in scene.mine if _is_to_move(scene, unit)]
    for unit in sorted(waiting, key=lambda one: (scene.nearest(one)[1], one.id)):
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


def _manner(unit: Unit):  # type: ignore[no-untyped-def]
    """How its people fight: by the way they move."""
    regular = style_of(unit.troops, Purpose.MOVE) is Style.REGULAR
    return regulars if regular else irregulars


_ANSWERS = {
    q.ToOrder: _order,
    q.ToMove: _move,
    q.ToFire: _fire,
    q.ToAdvance: _advance,
    q.ToRecover: _recover,
}
