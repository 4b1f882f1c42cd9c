"""A combat before it is fought: its sides, its ground, and the plan of each side.

Also the exact odds of captures by the Mahdists in a combat they win (9.9): each gun and rifle unit
destroyed is thrown for; what is captured joins the victors as far as they have counters free, those
of their own dead included.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from battles.contract.brief import RIVER_CRAFT, Nation, Side, TroopKind
from battles.core.game import IllegalAction
from campaign.odds.voyage import Homeward, Retreating
from campaign.rules.combat.losses import check_shared, taken_as
from campaign.rules.combat.modifiers import can_ride, fire_modifiers, shooters, standing_modifiers
from campaign.rules.combat.procedure import is_shelled
from campaign.rules.combat.retreat import is_cornered
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, is_land, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound, Quota
from campaign.rules.core.state import (
    Combat,
    CombatForce,
    State,
    Unit,
    current_combat,
    current_march,
)
from campaign.rules.map import HexId
from campaign.rules.stacks import able_to_lead, ids
from campaign.rules.tables.book import CampaignTables
from campaign.staff import answer
from campaign.staff.combat_estimate import leads_in_fire
from campaign.staff.host_states import host
from campaign.staff.losses import cheapest_share

FACES = range(1, 7)
Chances = NDArray[np.float64]
Lost = tuple[tuple[TroopKind, Nation], ...]
"""The units destroyed: for each the kind it can be taken as, and its nation."""


class CapturedWeapons(NamedTuple):
    """A number of guns and of rifle units."""

    guns: int = 0
    rifles: int = 0


class Counters(NamedTuple):
    """The Mahdists' own counters of a kind off the map, in the pile and beside it (3.2)."""

    pile: int = 0
    beside: int = 0

    def free(self, returned: int) -> int:
        """Return the counters available once `returned` more are back in the pile."""
        return max(0, self.pile + returned) + max(0, self.beside)


class SpareCounters(NamedTuple):
    """The counters available for captures."""

    guns: Counters = Counters()
    rifles: Counters = Counters()

    def of(self, captured: CapturedWeapons, back: CapturedWeapons) -> CapturedWeapons:
        """Return the captures with a free counter; `back` are those of the victors' own dead."""
        pairs = zip(self, captured, back, strict=True)
        return CapturedWeapons(*(min(number, kind.free(extra)) for kind, number, extra in pairs))


class CombatParty(NamedTuple):
    """A side as it came to a combat, and the states in which it may end."""

    came: Sequence[Unit]
    ends: Sequence[Sequence[Unit]]


def spare(state: State) -> SpareCounters:
    """Return the Mahdists' counters before a combat in that state."""
    kinds = TroopKind.GUN, TroopKind.INFANTRY
    return SpareCounters(*(Counters(state.pool.get(k, 0), state.box.get(k, 0)) for k in kinds))


def taken_by(
    law: CampaignTables,
    spares: SpareCounters,
    victors: CombatParty,
    beaten: CombatParty,
    chances: Chances,
) -> list[dict[CapturedWeapons, float]]:
    """Return the captures that the victors keep, with their chances, for each of their ends.

    `chances` are those of the victors' ends (rows) with the ends of the beaten (columns).
    """
    captured, spread = _possible_captures(law, beaten)
    joint = chances @ spread
    backs = [_own_weapons_lost(victors.came, left) for left in victors.ends]
    captures: list[dict[CapturedWeapons, float]] = []
    for back, row in zip(backs, joint, strict=True):
        distribution: dict[CapturedWeapons, float] = {}
        for column in np.nonzero(row)[0]:
            key = spares.of(captured[column], back)
            distribution[key] = distribution.get(key, 0.0) + float(row[column])
        captures.append(distribution)
    return captures


def _possible_captures(
    law: CampaignTables, beaten: CombatParty
) -> tuple[tuple[CapturedWeapons, ...], Chances]:
    """Return all possible captures, and the chance of each (columns) at each end (rows)."""
    lost = [_counters_lost(beaten.came, left) for left in beaten.ends]
    spreads = {losses: _capture_chances(law, losses) for losses in dict.fromkeys(lost)}
    places = {
        weapons: column for column, weapons in enumerate(sorted(set().union(*spreads.values())))
    }
    chances = np.zeros((len(lost), len(places)))
    for row, losses in enumerate(lost):
        for weapons, chance in spreads[losses].items():
            chances[row, places[weapons]] = chance
    return tuple(places), chances


def _own_weapons_lost(initial_units: Sequence[Unit], left: Sequence[Unit]) -> CapturedWeapons:
    """Return the counters of guns and rifles that the victors have lost themselves."""
    survivors = {unit.id for unit in left}
    gone = [unit.kind for unit in initial_units if unit.id not in survivors]
    return CapturedWeapons(gone.count(TroopKind.GUN), gone.count(TroopKind.INFANTRY))


def _counters_lost(initial_units: Sequence[Unit], left: Sequence[Unit]) -> Lost:
    survivors = {unit.id for unit in left}
    gone = ((taken_as(unit), unit.nation) for unit in initial_units if unit.id not in survivors)
    return tuple(sorted((kind, nation) for kind, nation in gone if kind is not None))


def _capture_chances(law: CampaignTables, lost: Lost) -> Mapping[CapturedWeapons, float]:
    """Return the chance of every possible capture of what was destroyed."""
    chances = {CapturedWeapons(): 1.0}
    for kind, nation in lost:
        chance = sum(law.captured(nation, face) for face in FACES) / len(FACES)
        after: dict[CapturedWeapons, float] = {}
        for weapons, so_far in chances.items():
            with_weapon = CapturedWeapons(
                weapons.guns + (kind is TroopKind.GUN), weapons.rifles + (kind is not TroopKind.GUN)
            )
            after[weapons] = after.get(weapons, 0.0) + so_far * (1 - chance)
            after[with_weapon] = after.get(with_weapon, 0.0) + so_far * chance
        chances = after
    return chances


Sharing = Callable[[Sequence[Unit], tuple[Quota, ...], a.Share], a.Share]
"""A side's choice of the units that suffer in a round, given the fair share (9.4)."""


def share_by_the_book(units: Sequence[Unit], owed: tuple[Quota, ...], fair: a.Share) -> a.Share:
    """Return the fair share of the book."""
    return fair


class CombatPlan(NamedTuple):
    """A side's plan for a combat: its sharing of losses, its leader and the leader's round (7.3).

    `retreating` answers where it goes when beaten.
    """

    sharing: Sharing = share_by_the_book
    leader: UnitId = UnitId(0)
    helps: CombatRound | None = None
    retreating: Retreating = answer


class Corps(NamedTuple):
    """One side of a combat, as far as it affects the outcome; equal corps have equal odds.

    `fire` is the modifier of its dice when it is fired on, None when nobody fires; `melee` is its
    modifier in the melee whatever is left. `cornered`: whether, if beaten, it stands at bay with
    its craft and without them (9.8).
    """

    units: tuple[tuple[object, ...], ...]
    sharing: Sharing
    fire: int | None
    melee: int
    cornered: tuple[bool, bool]


class CombatSetup(NamedTuple):
    """The two sides of a combat, and whether cavalry counts on this ground.

    `spare` are the Mahdists' counters for captures (9.9), `home` the way back of an attacker who
    came by water; a meeting with one is equal only to itself.
    """

    attacker: Corps
    defender: Corps
    riding: bool
    spare: SpareCounters
    home: Homeward | None


def by_the_staff(units: Sequence[Unit], owed: tuple[Quota, ...], fair: a.Share) -> a.Share:
    """Return the staff's share, which gives up the cheapest units where the rules allow it."""
    return lawful_share(units, owed, fair, cheapest_share(units, owed, fair))


def lawful_share(
    units: Sequence[Unit], owed: Sequence[Quota], fair: a.Share, share: a.Share
) -> a.Share:
    """Return the share wanted, or the fair one if the rules refuse it (9.4, 9.5)."""
    try:
        check_shared(units, owed, fair, share)
    except IllegalAction:
        return fair
    return share


def staff_plan(state: State, units: Sequence[Unit], enemies: Sequence[Unit]) -> CombatPlan:
    """Return the staff's plan for these units in a combat with those enemies."""
    law, able = laws(state), able_to_lead(state, units)
    useful = [unit for unit in able if law.leader(unit.name).tactical]
    if not useful:
        return CombatPlan(by_the_staff)
    best = min(useful, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    worse_under_fire = leads_in_fire(host(law, enemies))
    helps = CombatRound.FIRE if worse_under_fire else CombatRound.MELEE
    return CombatPlan(by_the_staff, best.id, helps)


def combat_setup(
    state: State,
    attackers: Sequence[Unit],
    route: Sequence[HexId],
    target: HexId,
    plans: tuple[CombatPlan, CombatPlan],
) -> CombatSetup:
    """Return the attack of these units, which have come by that route, on the enemies in `target`.

    They attack from the last hex of the route; `state` has them there, and their side on the march.
    `plans` are the attacker's and the defender's.
    """
    side, origin = attackers[0].side, route[-1]
    enemies = board(state).stack(side.enemy, target)
    combat = Combat(
        _force(side, origin, attackers, plans[0]),
        _force(side.enemy, target, enemies, plans[1]),
        sortie=set(route) == {route[0]} and board(state).is_sortie(side, origin, target),
    )
    back = tuple(reversed(route[:-1]))
    return CombatSetup(
        _corps(state, combat, combat.attacker, plans[0], back),
        _corps(state, combat, combat.defender, plans[1], None),
        can_ride(state, combat),
        spare(state),
        _homeward(state, attackers, plans[0].retreating),
    )


def _homeward(state: State, units: Sequence[Unit], retreating: Retreating) -> Homeward | None:
    """Return the way back by water for a stack that sailed in this march; else None."""
    sailed = state.march is not None and state.march.sailed
    if not sailed or not any(unit.kind in RIVER_CRAFT for unit in units):
        return None
    return Homeward(state, tuple(units), retreating)


def _force(side: Side, hex_id: HexId, units: Iterable[Unit], plan: CombatPlan) -> CombatForce:
    return CombatForce(side, hex_id, list(ids(units)), plan.leader, plan.helps)


def _corps(
    state: State,
    combat: Combat,
    force: CombatForce,
    plan: CombatPlan,
    back: tuple[HexId, ...] | None,
) -> Corps:
    units = board(state).named(force.units)
    is_fired_on = shooters(state, combat.force(force.side.enemy)) or is_shelled(
        state, combat, force
    )
    return Corps(
        tuple(map(msgspec.structs.astuple, units)),
        plan.sharing,
        _total(fire_modifiers(state, combat, force)) if is_fired_on else None,
        _total(standing_modifiers(state, combat, force)),
        _stands_at_bay(state, force, units, back),
    )


def _total(modifiers: Iterable[object]) -> int:
    return sum(modifier.value for modifier in modifiers)  # type: ignore[attr-defined]


def _stands_at_bay(
    state: State, force: CombatForce, units: Sequence[Unit], back: tuple[HexId, ...] | None
) -> tuple[bool, bool]:
    """Return whether it stands at bay if beaten: with its craft, and without them (9.8).

    Defenders leave their craft behind.
    """
    dry = [unit for unit in units if unit.kind not in RIVER_CRAFT]
    land_units = [unit for unit in units if is_land(unit) or unit.kind is TroopKind.LEADER]
    stacks = (units, dry) if back is not None else (land_units, land_units)
    with_craft, without = (
        is_cornered(state, force.side, force.hex, stack, back) for stack in stacks
    )
    return with_craft, without


def combat_setup_of(state: State) -> CombatSetup:
    """Return the combat that has begun in this state, with the staff's plans for both sides."""
    combat, march = current_combat(state), current_march(state)
    attackers, defenders = (
        board(state).named(force.units) for force in (combat.attacker, combat.defender)
    )
    plans = staff_plan(state, attackers, defenders), staff_plan(state, defenders, attackers)
    return combat_setup(state, attackers, march.route, combat.defender.hex, plans)
