"""Form the Egyptian player's stacks: columns, convoys, sorties, civilians (8.3, 8.31).

The march table decides how likely a stack is to march and what falls out on the way, so a sortie is
worth what its likely survivors can win (9.12). Civilians leave a town when no relief is near (4.2).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from battles.contract.brief import MOUNTED, Nation, Quality, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.march.land import column_modifiers
from campaign.rules.stacks import (
    able_to_lead,
    allowance,
    countable_units,
    fire_factor,
    melee_factor,
    strategic_value,
)
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.rows import MarchColumn
from campaign.staff.assaults import worth_of
from campaign.staff.losses import cheapest, worth
from campaign.staff.scene import StaffScene, ids, is_british, is_fighter, power, units_of_kind

_FACES = range(1, 7)


def guide(state: State, units: Sequence[Unit]) -> UnitId:
    """Return the leader who helps the stack to march: the best of those who may; 0 for nobody."""
    able = able_to_lead(state, units)
    best = max(able, key=lambda unit: (strategic_value(state, unit), -unit.id), default=None)
    return best.id if best is not None else UnitId(0)


def chance_of_no_march(scene: StaffScene, units: Sequence[Unit]) -> float:
    """Return the chance of No March for these units as they stand and are led."""
    state = scene.state
    order = a.March(ids(units), leader=guide(state, units))
    change = sum(modifier.value for modifier in column_modifiers(state, list(units), order))
    return _stuck(scene, slowest_column(scene, units, change), change)


def slowest_column(scene: StaffScene, units: Sequence[Unit], change: int) -> MarchColumn:
    """Return the march table's column in which these units, so modified, are stuck most often."""
    columns = {scene.law.column_of(unit.nation) for unit in countable_units(units) or units}
    return max(sorted(columns), key=lambda column: _stuck(scene, column, change))


def _stuck(scene: StaffScene, column: MarchColumn, change: int) -> float:
    return _chance_of_none(scene.law, column, change)


@lru_cache(maxsize=256)
def _chance_of_none(law: CampaignTables, column: MarchColumn, change: int) -> float:
    return sum(not law.march(column, face + change).march for face in _FACES) / len(_FACES)


CORE = 1.2
"""The factor by which the best of a garrison are preferred: others may follow them later."""

BRIGADE = 5
"""The number of the best units that sally alone."""

LARGEST = 12
"""The units that march together without marching badly (8.31)."""

_MARCH_FACES = range(1, 7)


def sorties(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Return the stacks that might break a siege from here, the most promising first.

    A brigade of the best leaves the others a second throw on the march table.
    """
    leaders = units_of_kind(units, TroopKind.LEADER)
    steady = [unit for unit in units if is_fighter(unit) and not unit.disrupted]
    steady.sort(
        key=lambda unit: (-(melee_factor(scene.law, unit) + fire_factor(scene.law, unit)), unit.id)
    )
    core = [unit for unit in steady if unit.quality is not Quality.RABBLE]
    british = [unit for unit in core if unit.nation is not Nation.EGYPTIAN]
    stacks = ((steady[:LARGEST], 1.0), (core[:BRIGADE], CORE), (british[:BRIGADE], CORE))
    near, weighed = scene.besiegers(hex_id), []
    for stack, factor in stacks:
        hope = promise(scene, hex_id, stack + leaders, near) if stack else 0.0
        weighed.append((factor * hope, stack + leaders))
    return (men for hope, men in sorted(weighed, key=lambda pair: -pair[0]) if hope > 0)


def promise(
    scene: StaffScene, hex_id: HexId, units: Sequence[Unit], targets: Sequence[HexId]
) -> float:
    """Return the expected worth of a march roll for an attack on one of the targets.

    The worth of units that fall out on the way is deducted.
    """
    total = 0.0
    for percent, faces in _results(scene, units).items() if targets else ():
        left, hurt = _fallen_out(units, percent)
        best = max((worth_of(scene, left, hex_id, target) for target in targets), default=0)
        total += faces * (best - hurt) / len(_MARCH_FACES)
    return total


def _results(scene: StaffScene, units: Sequence[Unit]) -> dict[int, int]:
    """Return the number of faces that let the stack march, by the percentage that falls out."""
    law = scene.law
    order = a.March(ids(units), leader=guide(scene.state, units))
    change = sum(modifier.value for modifier in column_modifiers(scene.state, list(units), order))
    column = slowest_column(scene, units, change)
    faces: dict[int, int] = {}
    for face in _MARCH_FACES:
        result = law.march(column, face + change)
        if result.march:
            faces[result.disrupted] = faces.get(result.disrupted, 0) + 1
    return faces


def _fallen_out(units: Sequence[Unit], percent: int) -> tuple[list[Unit], float]:
    """Return the stack after that percentage has fallen out, and the cost of it."""
    marchers = countable_units(units)
    count = max(1, len(marchers) * percent // 100) if percent and marchers else 0
    out = {unit.id: unit for unit in cheapest(marchers, count, steady_first=True)}
    left = [_shaken(unit) if unit.id in out else unit for unit in units]
    return left, sum(worth(unit) for unit in out.values()) / 3


def _shaken(unit: Unit) -> Unit:
    shaken = unit.as_new_counter(unit.id, unit.hex)
    shaken.disrupted = True
    return shaken


ESCORT = 2
"""The native battalions that escort them: they fall out on the march before the civilians."""

IN_REACH = 6
"""Hexes within which enemies make a convoy take a guard, or wait for one."""

GUARD = 3
"""The fighters that guard a convoy."""

ON_THE_ROAD = 9
"""Hexes from a town within which no enemy may be when its townsfolk set out."""

MOST_SUPPLY = 2
"""The supply units that a column takes with it: one to use on the way, one to bring."""

RELIEF = 30
"""Movement points from the town within which a column with supply is worth waiting for."""


def refuges(scene: StaffScene) -> tuple[HexId, ...]:
    """Return the places where the civilians win the campaign by being there."""
    return tuple(
        scene.hex(name)
        for condition in scenario_of(scene.state).victory
        if isinstance(condition, v.UnitArrived) and condition.kind is TroopKind.CIVILIANS
        for name in condition.places
    )


def exodus(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> list[Unit]:
    """Return the civilians here and their escort; nobody if they should stay."""
    civilians = units_of_kind(units, TroopKind.CIVILIANS)
    if not civilians or must_rest(civilians):
        return []
    if scene.besieged(hex_id) or not _is_time(scene, hex_id):
        return []
    if scene.ground.hexes[hex_id].place and scene.threat(hex_id, ON_THE_ROAD) > 0:
        return []
    native = [
        unit
        for unit in units
        if is_fighter(unit) and unit.kind is not TroopKind.GUN and not is_british(unit)
    ]
    native.sort(key=lambda unit: (unit.disrupted, unit.strength, unit.quality, unit.id))
    return civilians + native[:ESCORT]


def _is_time(scene: StaffScene, hex_id: HexId) -> bool:
    """Return whether a refuge still brings victory and no relief is near."""
    if not refuges(scene) or DRAW_ONLY in scene.state.flags:
        return False
    if hex_id != scene.hex(scene.plans.gather_at):
        return True
    way = scene.way_to(hex_id)
    relief = [unit for unit in scene.board.units if unit.kind is TroopKind.SUPPLY]
    return all(way[unit.hex] > RELIEF for unit in relief)


def must_rest(units: Sequence[Unit]) -> bool:
    """Return whether one more bad march would destroy the civilians: resting, they recover."""
    return any(unit.disrupted for unit in units_of_kind(units, TroopKind.CIVILIANS))


def stragglers(units: Sequence[Unit]) -> list[Unit]:
    """Return the escort that has fallen out: the civilians go on without it."""
    if not units_of_kind(units, TroopKind.CIVILIANS):
        return []
    return [unit for unit in units if unit.disrupted and is_fighter(unit)]


def is_leaving(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Return whether the plans have these units give up their town, or go on their way from it.

    Civilians and leaders without British troops are on that way, and all who march with them.
    """
    if not scene.plans.leave or origin == scene.hex(scene.plans.refuge):
        return False
    if origin == scene.hex(scene.plans.leave):
        return True
    led = units_of_kind(units, TroopKind.LEADER) and not any(map(is_british, units))
    return bool(led or units_of_kind(units, TroopKind.CIVILIANS))


def ring_place(scene: StaffScene) -> HexId | None:
    """Return the place that the plans want to be ringed with outposts, if any."""
    return scene.hex(scene.plans.ring) if scene.plans.ring else None


def hexes_round(scene: StaffScene) -> tuple[HexId, ...]:
    """Return the land hexes round that place."""
    place = ring_place(scene)
    near = scene.ground.neighbours[place] if place is not None else ()
    return tuple(hex_id for hex_id in near if not scene.ground.hexes[hex_id].sea)


def open_posts(scene: StaffScene) -> list[HexId]:
    """Return the hexes of the ring in which nobody stands, those nearest to the enemy first."""
    occupied = scene.board.occupied
    free = [
        hex_id
        for hex_id in hexes_round(scene)
        if all(hex_id not in occupied[side] for side in occupied)
    ]
    far = scene.ground.distance
    near = {hex_id: min((far(hex_id, foe) for foe in scene.foes), default=0) for hex_id in free}
    return sorted(free, key=lambda hex_id: (near[hex_id], hex_id))


INSIDE = 1
"""The fighters that stay within a town while others stand round it."""


def outpost(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> list[Unit]:
    """Return the unit that leaves the town here for an open post of the ring, if any.

    Units in all the hexes round a town keep besiegers away from it (9.12).
    """
    if hex_id != ring_place(scene) or not open_posts(scene):
        return []
    steady = [unit for unit in units if is_fighter(unit) and not unit.disrupted]
    if len(steady) <= INSIDE:
        return []
    foot = [unit for unit in steady if unit.kind is not TroopKind.GUN] or steady
    return cheapest(foot, 1)


def columns(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yield the units of a hex that may march together, the likeliest first."""
    if is_leaving(scene, hex_id, units) and not scene.besieged(hex_id):
        yield [unit for unit in units if not unit.disrupted]
        return
    if hex_id in hexes_round(scene):
        yield [unit for unit in units if is_fighter(unit)]
        return
    if post := outpost(scene, hex_id, units):
        yield post
    if leaving := exodus(scene, hex_id, units):
        yield leaving
    fighters = [unit for unit in units if is_fighter(unit)]
    chosen = _pick_column(scene, hex_id, units, _free(scene, hex_id, fighters))
    if chosen and power(scene.law, chosen) >= scene.garrison(hex_id).least:
        marching = chosen + _train(scene, units, chosen) + _leader(scene, units, chosen)
        if _can_go(scene, hex_id, marching):
            yield marching
    if fighters and scene.besieged(hex_id):
        yield from sorties(scene, hex_id, units)
    else:
        yield _convoy(scene, hex_id, units)


def _can_go(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    """Return whether these may leave a place: British supplied or sure to march (4.2)."""
    if scene.ground.hexes[hex_id].place is None or not any(map(is_british, units)):
        return True
    if not scene.bars_victory:
        return True
    ready = bool(units_of_kind(units, TroopKind.SUPPLY)) or not chance_of_no_march(scene, units)
    return ready or scene.besieged(hex_id)


def _free(scene: StaffScene, hex_id: HexId, fighters: Sequence[Unit]) -> list[Unit]:
    """Return the steady fighters that the place can spare, the best first."""
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
    spare = len(host) - scene.garrison(hex_id).keep
    if scene.ground.hexes[hex_id].place is None:
        return best
    return [unit for unit in best[: max(0, spare)] if not unit.disrupted]


def _pick_column(
    scene: StaffScene, hex_id: HexId, units: Sequence[Unit], free: list[Unit]
) -> list[Unit]:
    """Return the units of a column: British alone, and mounted alone if there are enough."""
    post = scene.garrison(hex_id)
    if not post.keep:
        return free
    british = [unit for unit in free if is_british(unit)]
    chosen, most = british or free, post.column
    horse = [unit for unit in chosen if unit.kind in MOUNTED]
    if len(horse) >= 4 and power(scene.law, horse) >= post.least:
        return horse[:most]
    foot = [unit for unit in chosen if unit.kind is TroopKind.INFANTRY]
    picked = foot if british else foot or chosen
    return picked[: most - len(_train(scene, units, picked))] if picked else []


def is_column(scene: StaffScene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Return whether these form a column: only foot or only horse, and strong enough."""
    fighters = [unit for unit in units if is_fighter(unit)]
    foot = all(unit.kind is TroopKind.INFANTRY or not is_british(unit) for unit in fighters)
    horse = all(unit.kind in MOUNTED for unit in fighters)
    return (foot or horse) and power(scene.law, fighters) >= scene.garrison(origin).least


def _train(scene: StaffScene, units: Sequence[Unit], column: Sequence[Unit]) -> list[Unit]:
    """Return a supply unit with its camel, where there are both, and supply that keeps pace."""
    supply = [unit for unit in units_of_kind(units, TroopKind.SUPPLY) if not unit.disrupted]
    camels = [unit for unit in units_of_kind(units, TroopKind.CAMEL) if not unit.disrupted]
    carried = [supply.pop(0), camels[0]] if supply and camels else []
    pace = allowance(scene.law, column)
    afoot = [unit for unit in supply if allowance(scene.law, [unit]) >= pace]
    return carried + afoot[: MOST_SUPPLY - bool(carried)]


def _leader(scene: StaffScene, units: Sequence[Unit], chosen: Sequence[Unit]) -> list[Unit]:
    """Return the leaders of a column: all in the field, the best strategist from a place.

    A native column from a place has none, or all of them if the plans say that it is led.
    """
    leaders = units_of_kind(units, TroopKind.LEADER)
    if scene.ground.hexes[units[0].hex].place is None:
        return leaders
    if not any(map(is_british, chosen)):
        return leaders if scene.garrison(units[0].hex).led else []
    fit = [unit for unit in leaders if unit.name not in ("Gordon", "Baker")]
    return sorted(fit, key=lambda unit: (-scene.law.leader(unit.name).strategic, unit.id))[:1]


def _convoy(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> list[Unit]:
    """Return a supply unit, with a camel where there is one."""
    if scene.besieged(hex_id):
        return []
    supply = [unit for unit in units_of_kind(units, TroopKind.SUPPLY) if not unit.disrupted][:1]
    if not supply:
        return []
    convoy = supply + units_of_kind(units, TroopKind.CAMEL)[:1]
    if not scene.threat(hex_id, IN_REACH):
        return convoy
    guard = _free(scene, hex_id, [unit for unit in units if is_fighter(unit)])[-GUARD:]
    return guard + convoy if len(guard) == GUARD else []
