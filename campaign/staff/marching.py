"""Phase III as the staff plays it: which stack marches next, with whom, and whither (8.0)."""

from collections.abc import Iterator, Sequence

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.march.reach import reach
from campaign.rules.options import Options, Stack
from campaign.rules.pieces import Side
from campaign.rules.stacking import allowance
from campaign.rules.state import State, Unit, on_march
from campaign.staff import egyptian, mahdist
from campaign.staff.assaults import worth_of
from campaign.staff.chances import guide
from campaign.staff.scene import Scene, ids, is_fighter, marchers, scene
from campaign.staff.standing import March, best_stand
from campaign.staff.tasks import Task


def next_march(state: State, offered: Options) -> a.AnyAction:
    """The next stack rolls on the march table, or the phase is finished."""
    view = scene(state, offered.side)
    for stack in offered.stacks:
        order = _order(view, stack)
        if order is not None:
            return order
    return a.Done()


def _order(view: Scene, stack: Stack) -> a.AnyAction | None:
    units = marchers(view.board.named(stack.units))
    for chosen in _groups(view, stack.hex, units):
        if chosen and _has_reason(view, stack.hex, chosen, task_of(view, stack.hex, chosen)):
            return a.March(ids(chosen), leader=guide(view.state, chosen))
    return None


def _groups(view: Scene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    if view.side is Side.MAHDIST:
        return mahdist.bands(view, hex_id, units)
    return egyptian.columns(view, hex_id, units)


def task_of(view: Scene, origin: HexId, units: Sequence[Unit]) -> Task:
    """What these units are to do."""
    if view.side is Side.MAHDIST:
        return mahdist.task(view, origin)
    return egyptian.task(view, origin, units)


def _has_reason(view: Scene, hex_id: HexId, units: Sequence[Unit], task: Task) -> bool:
    """Whether there is somewhere to go or somebody to fight."""
    if _would_fight(view, hex_id, units, task):
        return True
    if task.hold or view.besieged(hex_id):
        return False
    ways = reach(view.state, view.side, hex_id, allowance(view.law, units))
    return best_stand(view, units, ways, March(task, 2)).hex != hex_id


def _would_fight(view: Scene, hex_id: HexId, units: Sequence[Unit], task: Task) -> bool:
    if not any(map(is_fighter, units)):
        return False
    if task.hold or view.besieged(hex_id):
        return any(worth_of(view, units, hex_id, target) for target in view.besiegers(hex_id))
    return False


def _beside(view: Scene, hex_id: HexId) -> list[HexId]:
    """Enemies that could be attacked without a step: over a river only in a sortie (9.12)."""
    enemy = view.board.occupied[view.side.enemy]
    near = [hex_ for hex_ in view.ground.neighbours[hex_id] if hex_ in enemy]
    sortie = view.besieged(hex_id)
    return [hex_ for hex_ in near if sortie or (hex_, hex_id) not in view.ground.sides]


def on_the_march(state: State, offered: Options) -> a.AnyAction:
    """The stack on the march attacks, moves, marches again or halts."""
    view = scene(state, offered.side)
    march = on_march(state)
    units = view.board.named(march.units)
    task = task_of(view, march.route[0], units)
    return (
        _attack(view, units, offered, task)
        or _move(view, units, offered, task)
        or _again(view, units, offered, task)
        or a.Halt()
    )


def _attack(view: Scene, units: Sequence[Unit], offered: Options, task: Task) -> a.AnyAction | None:
    march = on_march(view.state)
    here = march.route[-1]
    worth = {target: worth_of(view, units, here, target) for target in offered.targets}
    target = max(worth, key=lambda one: (worth[one], -one), default=None)
    if target is None or not worth[target]:
        return None
    return _step_back(view, offered, target) or a.Attack(target)


def _step_back(view: Scene, offered: Options, target: HexId) -> a.AnyAction | None:
    """A way out and in again, so that a beaten stack has a way to go back (9.8)."""
    march = on_march(view.state)
    here = march.route[-1]
    if len(march.route) > 1 or view.ground.hexes[here].place or offered.reach is None:
        return None
    for near in view.ground.neighbours[here]:
        out, back = offered.reach.costs.get(near), reach(view.state, view.side, near, march.points)
        direct = offered.reach.before.get(near) == here and back.before.get(here) == near
        if out is not None and direct and out + back.costs[here] <= march.points:
            return a.Move((near, here))
    return None


def _move(view: Scene, units: Sequence[Unit], offered: Options, task: Task) -> a.AnyAction | None:
    march = on_march(view.state)
    if task.hold or offered.reach is None or len(offered.reach.costs) < 2:
        return None
    left = 3 - march.marches if offered.may_march else 0
    stand = best_stand(view, units, offered.reach, March(task, left))
    if stand.hex == offered.reach.start:
        return None
    return a.Move(offered.reach.path(stand.hex))


def _again(view: Scene, units: Sequence[Unit], offered: Options, task: Task) -> a.AnyAction | None:
    march = on_march(view.state)
    here = march.route[-1]
    if not offered.may_march or not _has_reason(view, here, units, task):
        return None
    return a.March(tuple(march.units), leader=guide(view.state, units))
