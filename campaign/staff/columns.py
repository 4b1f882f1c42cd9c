"""Who marches together on the Egyptian player's side: columns, convoys, sorties (8.3, 8.31)."""

from collections.abc import Iterator, Sequence

from campaign.rules.map import HexId
from campaign.rules.pieces import MOUNTED, Kind
from campaign.rules.stacking import melee_factor
from campaign.rules.state import Unit
from campaign.staff.chances import held_up
from campaign.staff.exodus import exodus
from campaign.staff.plans import garrison_of
from campaign.staff.scene import Scene, is_british, is_fighter, named, power
from campaign.staff.sorties import sallies


def columns(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Those in a hex who might march together, the likeliest first."""
    if leaving := exodus(scene, hex_id, units):
        yield leaving
    fighters = [unit for unit in units if is_fighter(unit)]
    chosen = _picked(scene, hex_id, units, _free(scene, hex_id, fighters))
    if chosen and power(scene.law, chosen) >= garrison_of(scene, hex_id).least:
        marching = chosen + _train(units) + _leader(scene, units, chosen)
        if _can_go(scene, hex_id, marching):
            yield marching
    if fighters and scene.besieged(hex_id):
        yield from sallies(scene, hex_id, units)
    else:
        yield _convoy(scene, hex_id, units)


def _can_go(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    """British troops leave a place with supply, or with a leader whom every march obeys (4.2)."""
    if scene.ground.hexes[hex_id].place is None or not any(map(is_british, units)):
        return True
    ready = bool(named(units, Kind.SUPPLY)) or not held_up(scene, units)
    return ready or scene.besieged(hex_id)


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
    spare = len(host) - garrison_of(scene, hex_id).keep
    if scene.ground.hexes[hex_id].place is None:
        return best
    return [unit for unit in best[: max(0, spare)] if not unit.disrupted]


def _picked(scene: Scene, hex_id: HexId, units: Sequence[Unit], free: list[Unit]) -> list[Unit]:
    """British and others march apart; so do horse and foot where there is horse enough."""
    post = garrison_of(scene, hex_id)
    if not post.keep:
        return free
    british = [unit for unit in free if is_british(unit)]
    chosen, most = british or free, post.column
    horse = [unit for unit in chosen if unit.kind in MOUNTED]
    if len(horse) >= 4 and power(scene.law, horse) >= post.least:
        return horse[:most]
    foot = [unit for unit in chosen if unit.kind is Kind.INFANTRY]
    return (foot if british else foot or chosen)[: most - len(_train(units))]


def is_column(scene: Scene, origin: HexId, units: Sequence[Unit]) -> bool:
    """Whether these were picked to march: foot alone, or horse alone, and enough of them."""
    fighters = [unit for unit in units if is_fighter(unit)]
    foot = all(unit.kind is Kind.INFANTRY or not is_british(unit) for unit in fighters)
    horse = all(unit.kind in MOUNTED for unit in fighters)
    return (foot or horse) and power(scene.law, fighters) >= garrison_of(scene, origin).least


def _train(units: Sequence[Unit]) -> list[Unit]:
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
