"""The Egyptian player's staff: garrisons hold and sally, columns relieve, supply follows them."""

from collections.abc import Iterator, Sequence

from campaign.rules.map import HexId
from campaign.rules.pieces import MOUNTED, Kind, Nation
from campaign.rules.stacking import melee_factor
from campaign.rules.state import Unit
from campaign.staff.chances import held_up
from campaign.staff.plans import garrisons
from campaign.staff.scene import Scene, is_british, is_fighter, named, power, size
from campaign.staff.tasks import Task
from campaign.staff.thirst import coast

SIEGE = "siege-of-khartoum"
LARGEST = 12
"""Units that march together without marching badly (8.31)."""


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
    if _are_garrison(scene, origin, units):
        return Task(origin, (origin,), hold=True)
    if not any(map(is_fighter, units)):
        return _follow(scene, origin)
    goal = objective(scene)
    berber = scene.hex("Berber")
    native = not any(map(is_british, units))
    if native and origin in coast(scene.ground) and scene.holds("Berber"):
        return Task(berber, (berber,))
    return Task(goal, (goal,))


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


def _are_garrison(scene: Scene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Whether these units are needed where they are at home."""
    if any(unit.kind is Kind.CIVILIANS for unit in units):
        return True
    if not any(map(is_fighter, units)):
        return False
    mine = {unit.id for unit in units}
    left = [unit for unit in scene.hosts.get(origin, ()) if unit.id not in mine]
    keep = _keep(scene, origin)
    return len(left) < keep or (keep > 0 and not _is_column(scene, origin, units))


def _is_column(scene: Scene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Whether these were picked to march: infantry alone, or horse alone, and enough of them."""
    fighters = [unit for unit in units if is_fighter(unit)]
    foot = all(unit.kind is Kind.INFANTRY for unit in fighters)
    horse = all(unit.kind in MOUNTED for unit in fighters)
    return (foot or horse) and power(scene.law, fighters) >= _least(scene, origin)


def _keep(scene: Scene, hex_id: HexId) -> int:
    """How many fighters stay in this hex."""
    name = scene.ground.hexes[hex_id].place
    if name is None:
        return 0
    return garrisons(scene.state.scenario).get(name, 0)


def columns(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Those in a hex who might march together, the likeliest first."""
    fighters = [unit for unit in units if is_fighter(unit)]
    chosen = _picked(scene, hex_id, _free(scene, hex_id, fighters))
    if chosen and power(scene.law, chosen) >= _least(scene, hex_id):
        marching = chosen + _train(units, chosen) + _leader(scene, units, chosen)
        if _can_go(scene, hex_id, marching):
            yield marching
    if fighters and scene.besieged(hex_id):
        yield from _sallies(units)
    else:
        yield _convoy(scene, hex_id, units)


def _sallies(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Those who try to break a siege: the British apart, for they march better, or everybody."""
    steady = [unit for unit in units if is_fighter(unit) and not unit.disrupted]
    leaders = named(units, Kind.LEADER)
    yield [unit for unit in steady if not _is_native(unit)][:LARGEST] + leaders
    yield steady[:LARGEST] + leaders


def _can_go(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    """British troops leave a place with supply, or with a leader whom every march obeys (4.2)."""
    if scene.ground.hexes[hex_id].place is None or not any(map(is_british, units)):
        return True
    ready = bool(named(units, Kind.SUPPLY)) or not held_up(scene, units)
    return ready or scene.besieged(hex_id)


def _is_native(unit: Unit) -> bool:
    return unit.nation is Nation.EGYPTIAN


def _free(scene: Scene, hex_id: HexId, fighters: Sequence[Unit]) -> list[Unit]:
    """The steady fighters that the place can spare, the best first."""
    host = scene.hosts.get(hex_id, [])
    best = sorted(
        fighters,
        key=lambda unit: (
            unit.disrupted,
            not is_british(unit),
            -melee_factor(scene.law, unit),
            unit.id,
        ),
    )
    spare = len(host) - _keep(scene, hex_id)
    if scene.ground.hexes[hex_id].place is None:
        return best
    return [unit for unit in best[: max(0, spare)] if not unit.disrupted]


def _picked(scene: Scene, hex_id: HexId, free: list[Unit]) -> list[Unit]:
    """British and others march apart; so do horse and foot where there is horse enough."""
    if not _keep(scene, hex_id):
        return free
    british = [unit for unit in free if is_british(unit)]
    most = 4 if hex_id in coast(scene.ground) else 6
    if hex_id == scene.hex("Khartoum"):
        most = LARGEST
    chosen = british or free
    horse = [unit for unit in chosen if unit.kind in MOUNTED]
    if len(horse) >= 4 and power(scene.law, horse) >= _least(scene, hex_id):
        return horse[:most]
    return [unit for unit in chosen if unit.kind is Kind.INFANTRY][:most]


def _least(scene: Scene, hex_id: HexId) -> float:
    """Power below which nobody is sent from here; Khartoum sends an army or nobody."""
    if hex_id == scene.hex("Khartoum"):
        return 24
    return 16 if _keep(scene, hex_id) else 0


def _train(units: Sequence[Unit], chosen: Sequence[Unit]) -> list[Unit]:
    """A supply unit with its camel, where there are both."""
    supply = [unit for unit in named(units, Kind.SUPPLY) if not unit.disrupted]
    camels = [unit for unit in named(units, Kind.CAMEL) if not unit.disrupted]
    return [supply[0], camels[0]] if supply and camels else []


def _leader(scene: Scene, units: Sequence[Unit], chosen: Sequence[Unit]) -> list[Unit]:
    """In the field all leaders march; from a place the best strategist goes with the British."""
    leaders = named(units, Kind.LEADER)
    if scene.ground.hexes[units[0].hex].place is None:
        return leaders
    if not any(map(is_british, chosen)):
        return []
    fit = [unit for unit in leaders if unit.name not in ("Gordon", "Baker")]
    return sorted(fit, key=lambda unit: (-scene.law.leader(unit.name).strategic, unit.id))[:1]


def _convoy(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> list[Unit]:
    """Supply with a camel where there is one, else alone."""
    if scene.besieged(hex_id):
        return []
    supply = [unit for unit in named(units, Kind.SUPPLY) if not unit.disrupted][:1]
    return supply + named(units, Kind.CAMEL)[:1] if supply else []


def landing_cost(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """How ill a landing place suits new units: far from the objective, with enemies round it."""
    together = size(units) + size(scene.board.land(scene.side, hex_id))
    dangers = scene.threat(hex_id, 8) + 4 * scene.thirst(hex_id, together)
    return scene.way_to(objective(scene))[hex_id] + dangers
