"""The Egyptian player's staff: garrisons hold and sally, columns relieve, supply follows them."""

from collections.abc import Sequence

from campaign.rules.map import HexId
from campaign.rules.pieces import Kind
from campaign.rules.state import Unit
from campaign.staff.columns import is_column
from campaign.staff.exodus import ESCORT, refuges
from campaign.staff.plans import garrison_of
from campaign.staff.scene import Scene, is_british, is_fighter, named, power, size
from campaign.staff.tasks import Task
from campaign.staff.thirst import coast

SIEGE = "siege-of-khartoum"


def objective(scene: Scene) -> HexId:
    """The place the columns march on."""
    khartoum = scene.hex("Khartoum")
    if scene.state.scenario == SIEGE:
        return khartoum
    if not scene.holds("Khartoum") or scene.besieged(khartoum):
        return khartoum
    return scene.hex("El Obeid")


def task(scene: Scene, origin: HexId, units: Sequence[Unit]) -> Task:
    """What these units, at home in this hex, are to do."""
    if _are_leaving(scene, units):
        refuge = min(refuges(scene), key=lambda hex_id: (scene.way_to(hex_id)[origin], hex_id))
        return Task(refuge, (refuge,))
    if _are_garrison(scene, origin, units):
        return Task(origin, (origin,), hold=True)
    if not any(map(is_fighter, units)):
        return _follow(scene, origin)
    goal = objective(scene) if _are_army(scene, units) else scene.hex("Khartoum")
    berber = scene.hex("Berber")
    native = not any(map(is_british, units))
    open_road = scene.holds("Berber") and not scene.besieged(berber)
    if native and origin in coast(scene.ground) and open_road:
        return Task(berber, (berber,))
    return Task(goal, (goal,))


def _are_army(scene: Scene, units: Sequence[Unit]) -> bool:
    """Whether these are enough to look for the enemy; smaller bodies gather in Khartoum."""
    return power(scene.law, units) >= ARMY


ARMY = 18
"""Factors of fire and melee."""


def _follow(scene: Scene, origin: HexId) -> Task:
    """Supply goes to Khartoum while the road is open, else after the foremost column."""
    goal = scene.hex("Khartoum")
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


def _are_leaving(scene: Scene, units: Sequence[Unit]) -> bool:
    """Whether these are the civilians on their way, rather than a garrison that has them."""
    fighters = sum(map(is_fighter, units))
    return bool(named(units, Kind.CIVILIANS) and refuges(scene)) and fighters <= ESCORT


def _are_garrison(scene: Scene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Whether these units are needed where they are at home."""
    if named(units, Kind.CIVILIANS):
        return True
    if not any(map(is_fighter, units)):
        return False
    mine = {unit.id for unit in units}
    left = [unit for unit in scene.hosts.get(origin, ()) if unit.id not in mine]
    keep = garrison_of(scene, origin).keep
    return len(left) < keep or (keep > 0 and not is_column(scene, origin, units))


def landing_cost(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """How ill a landing place suits new units: far from the objective, with enemies round it."""
    together = size(units) + size(scene.board.land(scene.side, hex_id))
    dangers = scene.threat(hex_id, 8) + 4 * scene.thirst(hex_id, together)
    return scene.way_to(objective(scene))[hex_id] + dangers
