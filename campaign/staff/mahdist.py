"""The Mahdists' staff: bands go for the places of the plan and concentrate round the towns."""

from collections.abc import Iterable, Iterator, Sequence

from battles.contract.brief import TroopKind
from campaign.rules.core.board import scenario_of
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId
from campaign.rules.stacks import fire_factor
from campaign.rules.tables import scenario_data as v
from campaign.staff.assaults import FEWEST, REACH, wave_size
from campaign.staff.plans import PlanObjective, Task
from campaign.staff.prey import HUNT, easier_prey, easiest_prey, prey_on_the_coast
from campaign.staff.scene import StaffScene, coast, is_fighter, is_trap, power

LARGEST = 8
"""The fighters that march together: as many as the valley feeds in the worst month (10.3)."""


def task(scene: StaffScene, origin: HexId, units: Sequence[Unit] = ()) -> Task:
    """Return the task of the band that set out from this hex."""
    if (post := _post(scene, origin, units)) is not None:
        return Task(post, (post,), hold=post == origin)
    tasks = _tasks(scene)
    if origin in tasks:
        return tasks[origin]
    return _join(scene, origin)


def bands(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yield the units of a hex that may march together.

    They are fighters in good order, with the leaders unless they storm a place.
    """
    steady = [unit for unit in units if is_fighter(unit) and not unit.disrupted]
    leaders = [unit for unit in units if unit.kind is TroopKind.LEADER]
    if not steady:
        yield [] if scene.hosts.get(hex_id) else leaders
        return
    steady.sort(key=lambda unit: (unit.kind is not TroopKind.SPEARS, unit.id))
    # A wave that cannot fire does half the harm: one that can goes with each of them.
    shooters = [unit for unit in steady if fire_factor(scene.law, unit)]
    others = [unit for unit in steady if not fire_factor(scene.law, unit)]
    steady = shooters[:1] + others + shooters[1:]
    band_task = task(scene, hex_id)
    near = scene.way_to(*scene.doorsteps(band_task.place))[hex_id] <= REACH
    if band_task.place in scene.foes and near and not band_task.patient:
        wave = steady[: min(LARGEST, wave_size(scene, steady, hex_id, band_task.place))]
        yield from _waves(scene, hex_id, wave, leaders)
    elif len(steady) >= 3 or len(steady) == len(scene.hosts[hex_id]):
        yield steady[: LARGEST if len(steady) > LARGEST + 2 else None] + leaders
    if len(steady) >= LARGEST and _post(scene, hex_id, steady[-POST:]) is not None:
        yield steady[-POST:]


POST = 5
"""The fighters of a post: besiegers on every side keep relief away when one host is beaten."""


def _post(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> HexId | None:
    """Return the hex where these units besiege the town from another side, or None.

    Only exactly `POST` fighters make a post: near a town whose relief is on its way, in the nearest
    empty hex beside it.
    """
    if len(units) != POST or not all(map(is_fighter, units)):
        return None
    aim = next((aim for aim in scene.plans.aim if _is_open(scene, aim)), None)
    if aim is None:
        return None
    place = _aimed_at(scene, aim)
    if not scene.ground.hexes[place].place or scene.ground.distance(origin, place) > POSTED:
        return None
    if not _is_relief_near(scene, place):
        return None
    ring = [
        hex_id for hex_id in scene.ground.neighbours[place] if not scene.ground.hexes[hex_id].sea
    ]
    if origin in ring and origin not in scene.doorsteps(place):
        return origin
    occupied = {*scene.board.occupied[scene.side], *scene.board.occupied[scene.side.enemy]}
    if units[0].hex != origin:
        occupied.discard(units[0].hex)
    free = [hex_id for hex_id in ring if hex_id not in occupied]
    return min(
        free, key=lambda hex_id: (scene.ground.distance(origin, hex_id), hex_id), default=None
    )


def _is_relief_near(scene: StaffScene, place: HexId) -> bool:
    """Return whether an enemy's supply is so near the town that posts are sent round it."""
    far = scene.ground.distance
    return any(
        unit.kind is TroopKind.SUPPLY
        and unit.side is scene.side.enemy
        and 0 < far(unit.hex, place) <= RELIEF
        for unit in scene.board.units
    )


RELIEF = 24
"""Hexes from a town within which a relief is near."""

POSTED = 3
"""Hexes from a town within which hosts send posts round it."""

ESCORT = 5
"""The fighters with whom a leader goes into a storm; with fewer the leader stays."""


def _waves(
    scene: StaffScene, hex_id: HexId, wave: list[Unit], leaders: list[Unit]
) -> Iterator[list[Unit]]:
    """Yield the next wave: the leaders go with the last, and never with the leavings of a host."""
    last = len(wave) == len(scene.hosts[hex_id])
    if last and leaders:
        if len(wave) >= ESCORT:
            yield wave + leaders
    else:
        yield wave


def _tasks(scene: StaffScene) -> dict[HexId, Task]:
    """Return the task of every band by its hex of origin, cached while the same stack marches."""
    march = scene.state.march
    # A band that has left its origin still counts there, so the tasks depend on which one marches.
    has_left = march and any(unit.hex != march.route[0] for unit in scene.board.named(march.units))
    marching = (march.route[0], *march.units) if march and has_left else ()
    if marching not in scene.tasks:
        scene.tasks[marching] = _give_tasks(scene)
    return scene.tasks[marching]


def _give_tasks(scene: StaffScene) -> dict[HexId, Task]:
    """Give each band the nearest aim that still needs fighters, the first aims first."""
    bands = _bands(scene)
    if scene.aims is None:
        scene.aims = _open_aims(scene)
    unheld = scene.aims
    needs = [aim.want for aim in unheld]
    by_theatre = _by_theatre(scene, bands)
    pairs: list[tuple[float, int, HexId]] = []
    for rank, aim in enumerate(unheld):
        way, lure = scene.way_to(*_goals(scene, aim)), aim.lure
        pairs += [(way[hex_id] - lure, rank, hex_id) for hex_id in by_theatre[aim.theatre]]
    pairs.sort()
    tasks: dict[HexId, Task] = {}
    for _, rank, hex_id in pairs:
        if hex_id not in tasks and needs[rank] > 0:
            needs[rank] -= bands[hex_id]
            tasks[hex_id] = _task(scene, unheld[rank])
    for theatre, hexes in by_theatre.items():
        rest = next((aim for aim in unheld if aim.open and aim.theatre == theatre), None)
        rest = rest or easiest_prey(scene)
        if rest is not None:
            tasks |= {hex_id: _task(scene, rest) for hex_id in hexes if hex_id not in tasks}
    return tasks


def _open_aims(scene: StaffScene) -> list[PlanObjective]:
    """Return the aims whose turn has come, the most wanted first.

    Where the plan is to hunt a leader who is not on the map, the easiest of the others whose stacks
    win the campaign takes his place (4.2). On the coast bands hunt one whom they can destroy, and
    on the Nile as many as that takes leave a hunted leader for one who is much easier.
    """
    guards = _guards(scene)
    if not any(aim.leader for aim in scene.plans.aim):
        return guards + [aim for aim in scene.plans.aim if _is_open(scene, aim)]
    aims = guards + prey_on_the_coast(scene)
    for aim in scene.plans.aim:
        if _is_open(scene, aim):
            aims += [*easier_prey(scene, _aimed_at(scene, aim)), aim] if aim.leader else [aim]
        elif aim.leader and (prey := easiest_prey(scene)) is not None:
            aims.append(prey)
    return aims


def _guards(scene: StaffScene) -> list[PlanObjective]:
    """Return this side's places that are held against units that win the campaign by coming there.

    Nobody enters a town while one defender lives (4.2, 9.8).
    """
    arrivals = [
        condition
        for condition in scenario_of(scene.state).victory
        if isinstance(condition, v.UnitArrived) and condition.winner is scene.side.enemy
    ]
    there = {(unit.kind, unit.nation) for unit in scene.board.units}
    shore = coast(scene.ground)
    return [
        PlanObjective(place, "coast" if scene.hex(place) in shore else "nile", GUARD, HUNT)
        for condition in arrivals
        if (condition.kind, condition.nation) in there
        for place in condition.places
        if scene.holds(place)
    ]


GUARD = 24.0
"""The factors that hold a place where the enemy could win the campaign."""


def _by_theatre(scene: StaffScene, hexes: Iterable[HexId]) -> dict[str, list[HexId]]:
    shore = coast(scene.ground)
    hexes_by_theatre: dict[str, list[HexId]] = {"nile": [], "coast": []}
    for hex_id in hexes:
        hexes_by_theatre["coast" if hex_id in shore else "nile"].append(hex_id)
    return hexes_by_theatre


def _is_open(scene: StaffScene, aim: PlanObjective) -> bool:
    """Return whether the place is still to be taken, and its turn has come."""
    if aim.leader:
        return _visible_leader_hex(scene, aim.leader) is not None
    if scene.holds(aim.place) or is_trap(scene, scene.hex(aim.place)):
        return False
    return not aim.after or scene.holds(aim.after)


def _visible_leader_hex(scene: StaffScene, leader: str) -> HexId | None:
    """Return where an enemy leader is, if he is on the map."""
    return scene.hexes_by_name.get(leader)


def _aimed_at(scene: StaffScene, aim: PlanObjective) -> HexId:
    seen = _visible_leader_hex(scene, aim.leader) if aim.leader else None
    return scene.hex(aim.place) if seen is None else seen


def _bands(scene: StaffScene) -> dict[HexId, float]:
    """Return the power of the bands, by the hex from which each set out this turn."""
    bands: dict[HexId, list[Unit]] = {}
    for host in scene.hosts.values():
        for unit in host:
            bands.setdefault(scene.origin(unit), []).append(unit)
    return {hex_id: power(scene.law, units) for hex_id, units in sorted(bands.items())}


def _belongs(scene: StaffScene, aim: PlanObjective, hex_id: HexId) -> bool:
    return (aim.theatre == "coast") == (hex_id in coast(scene.ground))


def _goals(scene: StaffScene, aim: PlanObjective) -> tuple[HexId, ...]:
    place = _aimed_at(scene, aim)
    if place in scene.board.occupied[scene.side.enemy]:
        return tuple(scene.doorsteps(place))
    return (place,)


def _task(scene: StaffScene, aim: PlanObjective) -> Task:
    place = _aimed_at(scene, aim)
    # A place that nobody holds any more is entered, not sat round.
    if not aim.sit or not scene.board.land(scene.side.enemy, place):
        return Task(place, _goals(scene, aim))
    # All round, over the rivers too: units that stand there besiege it (9.12).
    near = scene.ground.neighbours[place]
    return Task(
        place, tuple(hex_id for hex_id in near if not scene.ground.hexes[hex_id].sea), patient=True
    )


def _join(scene: StaffScene, origin: HexId) -> Task:
    """Send leaders without fighters, and small bands without an aim, to the nearest host.

    Bands that could make a wave stay: hosts that join each other walk in circles.
    """
    if len(scene.hosts.get(origin, ())) >= FEWEST:
        return Task(origin, (origin,), hold=True)
    far = scene.ground.distance
    near = min(
        (hex_id for hex_id in scene.hosts if hex_id != origin),
        key=lambda hex_id: (far(origin, hex_id), hex_id),
        default=origin,
    )
    return Task(near, (near,))


def main_goals(scene: StaffScene, hex_id: HexId) -> tuple[HexId, ...]:
    """Return the hexes where the hosts of this hex's theatre gather."""
    listed = scene.plans.aim
    aims = [aim for aim in listed if _belongs(scene, aim, hex_id)]
    open_aims = [aim for aim in aims if _is_open(scene, aim)] or [aim for aim in aims if aim.place]
    return _goals(scene, open_aims[0]) if open_aims else (hex_id,)
