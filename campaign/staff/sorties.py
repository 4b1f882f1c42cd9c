"""Whether to sally: what a march roll may leave of those who are to attack (8.31, 9.12)."""

from collections.abc import Iterator, Sequence

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.march.procedure import column_modifiers
from campaign.rules.pieces import Kind, Nation, Quality
from campaign.rules.stacking import counted, fire_factor, melee_factor
from campaign.rules.state import Unit
from campaign.staff.assaults import worth_of
from campaign.staff.chances import guide, slowest_column
from campaign.staff.scene import Scene, ids, is_fighter, named
from campaign.staff.worth import cheapest, worth

CORE = 1.2
"""What the best of a garrison alone are preferred by: the others may follow in a second stack."""

BRIGADE = 5
"""Units of the best that sally alone."""

LARGEST = 12
"""Units that march together without marching badly (8.31)."""

_FACES = range(1, 7)


def sallies(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Those who might break a siege from here, the likeliest to do it first.

    A brigade of the best leaves the others a second throw on the march table.
    """
    leaders = named(units, Kind.LEADER)
    steady = [unit for unit in units if is_fighter(unit) and not unit.disrupted]
    steady.sort(key=lambda unit: (-_factors(scene, unit), unit.id))
    core = [unit for unit in steady if unit.quality is not Quality.RABBLE]
    british = [unit for unit in core if unit.nation is not Nation.EGYPTIAN]
    stacks = ((steady[:LARGEST], 1.0), (core[:BRIGADE], CORE), (british[:BRIGADE], CORE))
    near, weighed = scene.besiegers(hex_id), []
    for stack, factor in stacks:
        hope = promise(scene, hex_id, stack + leaders, near) if stack else 0.0
        weighed.append((factor * hope, stack + leaders))
    return (men for hope, men in sorted(weighed, key=lambda one: -one[0]) if hope > 0)


def _factors(scene: Scene, unit: Unit) -> float:
    return melee_factor(scene.law, unit) + fire_factor(scene.law, unit)


def promise(scene: Scene, hex_id: HexId, units: Sequence[Unit], targets: Sequence[HexId]) -> float:
    """What rolling for an attack on one of the targets may be expected to bring, less what those
    are worth who fall out on the way."""
    total = 0.0
    for percent, faces in _results(scene, units).items() if targets else ():
        left, hurt = _fallen_out(units, percent)
        best = max((worth_of(scene, left, hex_id, target) for target in targets), default=0)
        total += faces * (best - hurt) / len(_FACES)
    return total


def _results(scene: Scene, units: Sequence[Unit]) -> dict[int, int]:
    """How many faces of the die let the stack march, by the share that falls out."""
    law = scene.law
    order = a.March(ids(units), leader=guide(scene.state, units))
    change = sum(one.value for one in column_modifiers(scene.state, list(units), order))
    column = slowest_column(scene, units, change)
    found: dict[int, int] = {}
    for face in _FACES:
        result = law.march(column, face + change)
        if result.march:
            found[result.disrupted] = found.get(result.disrupted, 0) + 1
    return found


def _fallen_out(units: Sequence[Unit], percent: int) -> tuple[list[Unit], float]:
    """The stack after so many have fallen out, and what that costs."""
    marchers = counted(units)
    count = max(1, len(marchers) * percent // 100) if percent and marchers else 0
    out = cheapest(marchers, count, steady_first=True)
    left = [_shaken(unit) if unit in out else unit for unit in units]
    return left, sum(worth(unit) for unit in out) / 3


def _shaken(unit: Unit) -> Unit:
    shaken = unit.anew(unit.id, unit.hex)
    shaken.disrupted = True
    return shaken
