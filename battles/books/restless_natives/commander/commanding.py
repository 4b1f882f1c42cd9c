"""The choice of a unit to activate or rally, and of a commander for the initiative."""

from collections.abc import Iterable

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander.moving import can_move, can_turn
from battles.books.restless_natives.commander.plans import plan
from battles.books.restless_natives.commander.scene import Scene, scene_of
from battles.books.restless_natives.commander.weighing import Deed, Plan, confirmed
from battles.books.restless_natives.options import Options
from battles.books.restless_natives.state import State

LEAST = 0.05
"""The least value, in stands, of a deed; below it the card goes by."""
RALLYING = 0.4
"""The value of each stand that returns to the field."""
ENTERING = 1.0


def command(state: State, offered: Options) -> a.AnyAction:
    """Return an action for the best unit under this commander or a subordinate."""
    scene = scene_of(state, offered.side)
    rally = max(offered.rallies, key=lambda number: state.away[number].stands, default=0)
    best, value = _best(scene, [*offered.units, *_under(state, offered.commanders)])
    if rally and state.away[rally].stands * RALLYING > value:
        return a.Rally(rally)
    if not best or value < LEAST:
        return a.Done()
    if best in offered.units:
        return a.Activate(best)
    return a.PassOn((state.units.get(best) or state.waiting[best]).command)


def _under(state: State, commanders: Iterable[int]) -> list[int]:
    """Return the units of these commanders, those yet to come included."""
    over = set(commanders)
    there = [*state.units.values(), *state.waiting.values()]
    return [unit.id for unit in there if unit.command in over]


def _best(scene: Scene, numbers: Iterable[int]) -> tuple[int, float]:
    """Return the unit with the best plan that can be carried out, and its value."""
    state = scene.state
    plans = {
        number: ENTERING if number in state.waiting else plan(scene, state.units[number]).value
        for number in numbers
    }
    ranked = sorted(plans, key=lambda number: (-plans[number], number))
    for number in ranked:
        if number in state.waiting or _can(scene, number, plan(scene, state.units[number])):
            return number, plans[number]
    return 0, 0.0


def _can(scene: Scene, number: int, meant: Plan) -> bool:
    """Return whether the plan can be carried out: a target in sight, or room to move or turn."""
    unit = scene.state.units[number]
    if meant.deed is Deed.FIRE:
        return bool(confirmed(scene, unit))
    if meant.deed in (Deed.MARCH, Deed.CLOSE):
        return can_move(scene, unit, 2 if meant.deed is Deed.MARCH else 1)
    return meant.deed is not Deed.TURN or can_turn(scene, unit)
