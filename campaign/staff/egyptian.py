"""The Egyptian player's staff: garrisons hold and sally, columns relieve, supply follows them."""

from collections.abc import Sequence

from battles.contract.brief import TroopKind
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId
from campaign.staff.columns import (
    ESCORT,
    hexes_round,
    is_column,
    is_leaving,
    open_posts,
    refuges,
    ring_place,
)
from campaign.staff.plans import Task
from campaign.staff.scene import (
    StaffScene,
    coast,
    is_british,
    is_fighter,
    power,
    size,
    units_of_kind,
)


def objective(scene: StaffScene) -> HexId:
    """Return the hex the columns march on: the first objective in need, else the last."""
    objectives = scene.plans.objectives
    in_need = (
        name for name in objectives if not scene.holds(name) or scene.besieged(scene.hex(name))
    )
    return scene.hex(next(in_need, objectives[-1]))


def task(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> Task:
    """Return the task of these units, which set out from this hex."""
    if is_leaving(scene, origin, units):
        return _to(scene.hex(scene.plans.refuge))
    if _are_leaving(scene, units):
        return _to(min(refuges(scene), key=lambda hex_id: (scene.way_to(hex_id)[origin], hex_id)))
    if _is_outpost(scene, origin, units):
        return _to(open_posts(scene)[0])
    if origin in hexes_round(scene) or _are_garrison(scene, origin, units):
        return Task(origin, (origin,), hold=True)
    if not any(map(is_fighter, units)):
        return _follow(scene, origin)
    return _to(_goal(scene, origin, units))


def _to(hex_id: HexId) -> Task:
    return Task(hex_id, (hex_id,))


def _goal(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> HexId:
    """Return where a column goes; native troops of the coast go by a stage of their own first."""
    plans = scene.plans
    if plans.from_coast_by and origin in coast(scene.ground) and not any(map(is_british, units)):
        stage = scene.hex(plans.from_coast_by)
        if scene.holds(plans.from_coast_by) and not scene.besieged(stage):
            return stage
    return objective(scene) if power(scene.law, units) >= ARMY else scene.hex(plans.gather_at)


def _is_outpost(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Return whether this is a unit on its way from the town to an open post of the ring."""
    alone = len(units) == 1 and is_fighter(units[0])
    return alone and origin == ring_place(scene) and bool(open_posts(scene))


ARMY = 18
"""The least power of an army, in factors of fire and melee."""


def _follow(scene: StaffScene, origin: HexId) -> Task:
    """Send supply to where small bodies gather, or after a column if that place is besieged."""
    goal = scene.hex(scene.plans.gather_at)
    if not scene.besieged(goal):
        return Task(goal, (goal,))
    way = scene.way_to(goal)
    ahead = [
        hex_id
        for hex_id, host in scene.hosts.items()
        if way[hex_id] < way[origin]
        and scene.own_power[hex_id] >= 10
        and not scene.besieged(hex_id)
        and any(map(is_british, host))
    ]
    best = min(ahead, key=lambda hex_id: (way[hex_id], hex_id), default=origin)
    return Task(best, (best,))


def _are_leaving(scene: StaffScene, units: Sequence[Unit]) -> bool:
    """Return whether these are civilians on their way, rather than with their garrison."""
    fighters = sum(map(is_fighter, units))
    return bool(units_of_kind(units, TroopKind.CIVILIANS) and refuges(scene)) and fighters <= ESCORT


def _are_garrison(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Return whether these units are needed in the place they set out from."""
    if units_of_kind(units, TroopKind.CIVILIANS):
        return True
    if not any(map(is_fighter, units)):
        return False
    unit_ids = {unit.id for unit in units}
    left = [unit for unit in scene.hosts.get(origin, ()) if unit.id not in unit_ids]
    keep = scene.garrison(origin).keep
    return len(left) < keep or (keep > 0 and not is_column(scene, origin, units))


def landing_cost(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """Return the cost of a landing place for new units: distance, enemies and thirst."""
    together = size(units) + size(scene.board.land(scene.side, hex_id))
    dangers = scene.threat(hex_id, 8) + 4 * scene.thirst(hex_id, together)
    return scene.way_to(objective(scene))[hex_id] + dangers
