"""The townsfolk's way out of the town, when no relief is near (4.2)."""

from collections.abc import Sequence

from campaign.rules import victory_data as v
from campaign.rules.board import scenario_of
from campaign.rules.map import HexId
from campaign.rules.pieces import Kind
from campaign.rules.state import Unit
from campaign.rules.supply import DRAW_ONLY
from campaign.staff.plans import plans_of
from campaign.staff.scene import Scene, is_british, is_fighter, named

ESCORT = 2
"""Native battalions that go with them, for they fall out on the march before the townsfolk do."""

RELIEF = 30
"""Points from the town at which a column with supply is worth waiting for."""


def refuges(scene: Scene) -> tuple[HexId, ...]:
    """The places where the civilians win the campaign by being there."""
    return tuple(
        scene.hex(name)
        for one in scenario_of(scene.state).victory
        if isinstance(one, v.UnitArrived) and one.unit is Kind.CIVILIANS
        for name in one.places
    )


def exodus(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> list[Unit]:
    """The civilians here and those who go with them; nobody while they had better stay."""
    civilians = named(units, Kind.CIVILIANS)
    if not civilians or must_rest(civilians):
        return []
    if scene.besieged(hex_id) or not _is_time(scene, hex_id):
        return []
    native = [
        unit
        for unit in units
        if is_fighter(unit) and unit.kind is not Kind.GUN and not is_british(unit)
    ]
    native.sort(key=lambda unit: (unit.disrupted, unit.strength, unit.quality, unit.id))
    return civilians + native[:ESCORT]


def _is_time(scene: Scene, hex_id: HexId) -> bool:
    """Whether there is a refuge and a victory to be had by it, and no relief at hand."""
    if not refuges(scene) or DRAW_ONLY in scene.state.flags:
        return False
    if hex_id != scene.hex(plans_of(scene.state).gather_at):
        return True
    way = scene.way_to(hex_id)
    relief = [unit for unit in scene.board.units if unit.kind is Kind.SUPPLY]
    return all(way[unit.hex] > RELIEF for unit in relief)


def must_rest(units: Sequence[Unit]) -> bool:
    """Whether the next bad march would be the end of the townsfolk: resting, they recover."""
    return any(unit.disrupted for unit in named(units, Kind.CIVILIANS))


def stragglers(units: Sequence[Unit]) -> list[Unit]:
    """Those of the escort who have fallen out: the townsfolk go on without them."""
    if not named(units, Kind.CIVILIANS):
        return []
    return [unit for unit in units if unit.disrupted and is_fighter(unit)]
