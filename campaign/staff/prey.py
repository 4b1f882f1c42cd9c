"""Choose the leaders whom the Mahdists hunt.

They are those whose stacks win the campaign when they are destroyed (4.2), or score points.
"""

from typing import Literal

from battles.contract.brief import TroopKind
from campaign.rules.core.board import scenario_of
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId
from campaign.rules.stacks import decisive_nations
from campaign.rules.tables.scenario_blocks import LeaderAward, PointsCounted
from campaign.staff.assaults import MOST_WAVES, WAVES, prospect
from campaign.staff.plans import PlanObjective
from campaign.staff.scene import StaffScene, coast


def prey_on_the_coast(scene: StaffScene) -> list[PlanObjective]:
    """Return the weakest leader on the coast as the aim of its bands, if they are likely to do it.

    When everybody hunts him, theirs is the same aim.
    """
    shore = coast(scene.ground)
    prey = [unit for unit in _prey(scene) if unit.hex in shore]
    if not prey:
        return []
    weakest = min(prey, key=lambda unit: (scene.power_at(unit.hex), unit.id))
    hosts = [hex_id for hex_id in scene.hosts if hex_id in shore]
    # A stack that is stronger than all of them together need not be weighed.
    if sum(map(scene.own_power.__getitem__, hosts)) < scene.power_at(weakest.hex):
        return []
    waves = sum(len(scene.hosts[hex_id]) for hex_id in hosts) // WAVES[1]
    likely = prospect(scene, weakest.hex, waves) >= LIKELY
    return [_hunted(weakest, "coast")] if likely else []


def easier_prey(scene: StaffScene, hunted: HexId) -> list[PlanObjective]:
    """Return a leader who is much easier to destroy than the hunted one, as an aim for some bands.

    The hunted one is in the hex `hunted`. The bands are those nearest to the other, as many as will
    probably do it.
    """
    shore = coast(scene.ground)
    others = {unit.hex: unit for unit in _prey(scene) if unit.hex not in (hunted, *shore)}
    # A stack that is stronger than all bands together need not be weighed, nor one so far away
    # that even certain success would not count enough.
    most = sum(scene.own_power.values())
    discounts = {
        hex_id: _discount(scene, hex_id) for hex_id in others if scene.power_at(hex_id) < most
    }
    hopes = {
        hex_id: prospect(scene, hex_id, MOST_WAVES) / discount
        for hex_id, discount in discounts.items()
        if discount <= 1.01 / LIKELY
    }
    place = max(hopes, key=lambda hex_id: (hopes[hex_id], -hex_id), default=hunted)
    if place == hunted or hopes[place] < LIKELY:
        return []
    # The hunted leader is weighed last: his stack is seldom asked about.
    if hopes[place] < EASIER * _hope_of(scene, hunted):
        return []
    enough = (n for n in range(1, MOST_WAVES) if prospect(scene, place, n) >= PROBABLE)
    men = WAVES[1] * next(enough, MOST_WAVES)
    mean_power = most / sum(map(len, scene.hosts.values()))
    return [PlanObjective(leader=others[place].name, want=men * mean_power, lure=EVERYBODY)]


EASIER = 2.0
"""Another leader is preferred who is so many times as likely to fall as the hunted one."""

PROBABLE = 0.75
"""The chance with which so many bands are enough for a leader."""

HUNT = 30.0
"""The movement points for which a hunted leader is preferred to a place."""

EVERYBODY = 99.0
"""More factors than all bands have."""

LIKELY = 0.25
"""The chance with which the bands of the coast leave its places for a leader."""


def easiest_prey(scene: StaffScene) -> PlanObjective | None:
    """Return the leader whose stack wins the campaign and is the easiest to destroy, if any.

    Bands that have taken all their places go for him instead of standing idle (4.2).
    """
    if scene.prey is None:
        best = min(
            _prey(scene),
            key=lambda unit: (-_hope_of(scene, unit.hex), scene.power_at(unit.hex), unit.id),
            default=None,
        )
        scene.prey = [] if best is None else [_hunted(best, "nile")]
    return next(iter(scene.prey), None)


def _prey(scene: StaffScene) -> list[Unit]:
    """Return the leaders whose stacks win the campaign, or points, when they are destroyed."""
    nations = decisive_nations(scene.state, scene.side)
    counted = {
        award.leader
        for condition in scenario_of(scene.state).victory
        if isinstance(condition, PointsCounted)
        for award in condition.award
        if isinstance(award, LeaderAward) and award.lost and award.side is scene.side
    }
    return [
        unit
        for unit in scene.board.units
        if unit.kind is TroopKind.LEADER
        and unit.side is not scene.side
        and (unit.nation in nations or unit.name in counted)
        and unit.hex in scene.foes
    ]


def _hunted(leader: Unit, theatre: Literal["nile", "coast"]) -> PlanObjective:
    return PlanObjective(leader=leader.name, theatre=theatre, want=EVERYBODY, lure=HUNT, open=True)


def _hope_of(scene: StaffScene, place: HexId) -> float:
    """Return the hope to destroy the enemies there: it is half as good at the end of a long way."""
    return prospect(scene, place, MOST_WAVES) / _discount(scene, place)


def _discount(scene: StaffScene, place: HexId) -> float:
    """Return by how much the way of the mean band divides the hope: by 2 if it is long."""
    way, bands = scene.way_to(*scene.doorsteps(place)), scene.own_power
    far = sum(way[hex_id] * worth for hex_id, worth in bands.items()) / max(1, sum(bands.values()))
    return 1 + far / LONG


LONG = 40.0
"""The movement points of a way of several months."""
