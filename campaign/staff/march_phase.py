"""Play phase III for the staff: the next stack to march, its units and its goal (8.0)."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from battles.contract.brief import RIVER_CRAFT, Side
from campaign.rules.core import actions as a
from campaign.rules.core.options import MovableStack, Options
from campaign.rules.core.state import Unit, current_march
from campaign.rules.map import HexId
from campaign.rules.march.reach import reach
from campaign.rules.stacks import allowance, countable_units
from campaign.staff import egyptian, mahdist
from campaign.staff.assaults import worth_of
from campaign.staff.columns import columns, guide, must_rest, promise, stragglers
from campaign.staff.plans import Task
from campaign.staff.scene import StaffScene, ids, is_fighter, marchers, size
from campaign.staff.stopping_places import MarchAhead, best_stand, way_left
from campaign.staff.transport import fetch, ride, voyage


def next_march(view: StaffScene, offered: Options) -> a.AnyAction:
    """Return the march of the next stack that has a reason to go, else end the phase."""
    for stack in _in_turn(view, offered):
        if view.plans.overlooks and not (stack.hex + view.state.month) % OVERLOOKED:
            continue
        order = _order(view, stack)
        if order is not None:
            return order
    return a.Done()


def _in_turn(view: StaffScene, offered: Options) -> Sequence[MovableStack]:
    """Return the stacks from the one that marched last on, by their highest units.

    Those before it had no reason to march when they were asked, and are asked again last.
    """
    by_unit = sorted((max((*stack.units, *stack.hulls)), stack) for stack in offered.stacks)
    marched = view.state.marched
    start = bisect_left(by_unit, marched[-1], key=lambda pair: pair[0]) if marched else 0
    return [stack for _, stack in (*by_unit[start:], *by_unit[:start])]


OVERLOOKED = 2
"""Of so many stacks a learner's staff forgets one every month."""


def _order(view: StaffScene, stack: MovableStack) -> a.AnyAction | None:
    units = marchers(view.board.named(stack.units))
    for chosen in _groups(view, stack.hex, units):
        rests = _should_rest(view, stack.hex, chosen)
        plan = MarchAhead(task_of(view, stack.hex, chosen), 2) if chosen and not rests else None
        if plan is None:
            continue
        if carried := _carry_onward(view, stack.hex, chosen, plan.task):
            return carried
        if _has_reason(view, stack.hex, chosen, plan):
            return a.March(ids(chosen), leader=guide(view.state, chosen))
    return fetch(view, stack.hex) if stack.hulls else None


def _should_rest(view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    """Return whether all are in disorder where nothing harms them: a bad march would lose them."""
    on_foot = countable_units(units)
    worn = bool(on_foot) and all(unit.disrupted for unit in on_foot)
    together = size(view.board.land(view.side, hex_id))
    return worn and not view.besieged(hex_id) and not view.thirst(hex_id, together)


def _carry_onward(
    view: StaffScene, hex_id: HexId, units: Sequence[Unit], task: Task
) -> a.AnyAction | None:
    """Return the train or voyage that carries the Egyptian player's units on, if any."""
    if view.side is Side.MAHDIST or task.hold or view.besieged(hex_id):
        return None
    way = way_left(view, units, hex_id, task)
    return ride(view, hex_id, units, way) or voyage(view, hex_id, units, way)


def _groups(view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    if view.side is Side.MAHDIST:
        return mahdist.bands(view, hex_id, units)
    return columns(view, hex_id, units)


def task_of(view: StaffScene, origin: HexId, units: Sequence[Unit]) -> Task:
    """Return the task of these units."""
    if view.side is Side.MAHDIST:
        return mahdist.task(view, origin, units)
    return egyptian.task(view, origin, units)


def _has_reason(view: StaffScene, hex_id: HexId, units: Sequence[Unit], plan: MarchAhead) -> bool:
    """Return whether there is somewhere to go or an enemy to fight."""
    if _would_fight(view, hex_id, units):
        return True
    if plan.task.hold or view.besieged(hex_id):
        return False
    ways = reach(view.state, view.side, hex_id, allowance(view.law, units))
    return best_stand(view, units, ways, plan).hex != hex_id


def _would_fight(view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    near = _beside(view, hex_id) if any(map(is_fighter, units)) else []
    if view.side is Side.EGYPTIAN:
        return promise(view, hex_id, units, near) > 0
    return any(worth_of(view, units, hex_id, target) for target in near)


def _beside(view: StaffScene, hex_id: HexId) -> list[HexId]:
    """Return enemies that can be attacked without a step; over a river only in a sortie (9.12)."""
    enemy = view.board.occupied[view.side.enemy]
    return [
        near
        for near in view.ground.neighbours[hex_id]
        if near in enemy
        and (
            (hex_id, near) not in view.ground.sides or view.board.is_sortie(view.side, hex_id, near)
        )
    ]


def on_the_march(view: StaffScene, offered: Options) -> a.AnyAction:
    """Have the stack on the march attack, move, march again or halt."""
    march = current_march(view.state)
    units = view.board.named(march.units)
    if attack := _attack(view, units, offered):
        return attack
    task = task_of(view, march.route[0], units)
    return _move(view, units, offered, task) or _again(view, units, offered, task) or a.Halt()


def _attack(view: StaffScene, units: Sequence[Unit], offered: Options) -> a.AnyAction | None:
    march = current_march(view.state)
    position = march.route[-1]
    worth = {target: worth_of(view, units, position, target) for target in offered.targets}
    target = max(worth, key=lambda hex_id: (worth[hex_id], -hex_id), default=None)
    if target is None or not worth[target]:
        return None
    return _step_back(view, offered, target) or a.Attack(target)


def _step_back(view: StaffScene, offered: Options, target: HexId) -> a.AnyAction | None:
    """Return a step out and back in, so that a beaten stack has a way back (9.8)."""
    march = current_march(view.state)
    position = march.route[-1]
    if len(march.route) > 1 or view.ground.hexes[position].place or offered.reach is None:
        return None
    for near in view.ground.neighbours[position]:
        out = offered.reach.costs.get(near)
        if out is None or offered.reach.before.get(near) != position:
            continue
        back = reach(view.state, view.side, near, march.points - out)
        if back.before.get(position) == near:
            return a.Move((near, position))
    return None


def _move(
    view: StaffScene, units: Sequence[Unit], offered: Options, task: Task
) -> a.AnyAction | None:
    march = current_march(view.state)
    if task.hold or offered.reach is None or len(offered.reach.costs) < 2:
        return None
    left = 3 - march.marches if offered.may_march else 0
    stand = best_stand(view, units, offered.reach, MarchAhead(task, left))
    if stand.hex == offered.reach.start:
        return None
    if not offered.reach.costs[stand.hex] and stand.hex in march.route:
        # Aboard the fleet a step costs nothing: between two bad places it would never end.
        return None
    return a.Move(offered.reach.path(stand.hex))


def _again(
    view: StaffScene, units: Sequence[Unit], offered: Options, task: Task
) -> a.AnyAction | None:
    march = current_march(view.state)
    position = march.route[-1]
    if not offered.may_march or must_rest(units) or _should_rest(view, position, units):
        return None
    afloat = [unit for unit in units if unit.kind in RIVER_CRAFT]
    if not march.sailed and (carried := _carry_onward(view, position, units, task)):
        return carried
    plan = MarchAhead(task, 2 - march.marches)
    ashore = marchers(units)
    if not ashore or not _has_reason(view, position, ashore, plan):
        return None
    if left := afloat or stragglers(units):
        return a.DropOff(ids(left))
    return a.March(tuple(march.units), leader=guide(view.state, units))
