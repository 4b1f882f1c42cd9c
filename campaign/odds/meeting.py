"""A combat before it is fought: who would meet whom, where, and how each side would go about it."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from battles.core.game import IllegalAction
from campaign.odds.homeward import Homeward, Retreating
from campaign.odds.spoils import Spare, spare
from campaign.rules import actions as a
from campaign.rules.board import board, is_land, laws
from campaign.rules.combat.afloat import is_shelled
from campaign.rules.combat.losses import check_shared
from campaign.rules.combat.modifiers import can_ride, fire_modifiers, shooters, standing_modifiers
from campaign.rules.combat.retreat import is_cornered
from campaign.rules.leaders import able_to_lead
from campaign.rules.map import HexId
from campaign.rules.pieces import RIVER_CRAFT, Kind, Side, UnitId
from campaign.rules.questions import Quota
from campaign.rules.stacking import ids
from campaign.rules.state import Combat, Force, State, Unit, fought, on_march
from campaign.staff import answer
from campaign.staff.losses import cheapest_share
from campaign.staff.odds import host, leads_in_fire

Sharing = Callable[[Sequence[Unit], tuple[Quota, ...], a.Share], a.Share]
"""How a side shares what a round inflicts on these units; it is told how the book would (9.4)."""
FIRE, MELEE = "fire", "melee"


def as_the_book(units: Sequence[Unit], owed: tuple[Quota, ...], fair: a.Share) -> a.Share:
    """As the book shares them."""
    return fair


class Plan(NamedTuple):
    """How a side fights: how it shares its losses, who helps it in which round (7.3).

    `retreating` says where it goes when beaten.
    """

    sharing: Sharing = as_the_book
    leader: UnitId = UnitId(0)
    leads: str = ""
    retreating: Retreating = answer


class Corps(NamedTuple):
    """One side of a combat as far as its outcome hangs on it; two that are equal fare alike.

    `fire` is what its dice are changed by when it is fired on, None when nobody fires; `melee`
    what changes them in the melee whoever is left. `cornered`: whether, beaten, it has to stand at
    bay with its craft and without them (9.8).
    """

    units: tuple[tuple[object, ...], ...]
    sharing: Sharing
    fire: int | None
    melee: int
    cornered: tuple[bool, bool]


class Meeting(NamedTuple):
    """The two sides of a combat, and whether the ground lets cavalry gain by its factors.

    `spare` are the counters that the Mahdists have for what they capture (9.9), `home` the way
    back of an attacker who came by water; a meeting with one is equal to none but itself.
    """

    attacker: Corps
    defender: Corps
    riding: bool
    spare: Spare
    home: Homeward | None


def by_the_staff(units: Sequence[Unit], owed: tuple[Quota, ...], fair: a.Share) -> a.Share:
    """The computer's staff gives up the cheapest, where the rules let it."""
    return lawful_share(units, owed, fair, cheapest_share(units, owed, fair))


def lawful_share(
    units: Sequence[Unit], owed: Sequence[Quota], fair: a.Share, wanted: a.Share
) -> a.Share:
    """The sharing wanted, or the fair one where the rules refuse it (9.4, 9.5)."""
    try:
        check_shared(units, owed, fair, wanted)
    except IllegalAction:
        return fair
    return wanted


def staff_plan(state: State, units: Sequence[Unit], enemies: Sequence[Unit]) -> Plan:
    """What the computer's staff would do with these units in a combat with those enemies."""
    law, able = laws(state), able_to_lead(state, units)
    useful = [unit for unit in able if law.leader(unit.name).tactical]
    if not useful:
        return Plan(by_the_staff)
    best = min(useful, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    stage = FIRE if leads_in_fire(host(law, enemies)) else MELEE
    return Plan(by_the_staff, best.id, stage)


def meeting(
    state: State,
    attackers: Sequence[Unit],
    route: Sequence[HexId],
    target: HexId,
    plans: tuple[Plan, Plan],
) -> Meeting:
    """The attack of these units, which have come by that route, on whoever is in `target`.

    The last hex of the route is where they attack from; `state` has them there, and their side on
    the march. `plans` are the attacker's and the defender's.
    """
    side, here = attackers[0].side, route[-1]
    enemies = board(state).stack(side.enemy, target)
    combat = Combat(
        _force(side, here, attackers, plans[0]),
        _force(side.enemy, target, enemies, plans[1]),
        sortie=set(route) == {route[0]} and board(state).sallies(side, here, target),
    )
    back = tuple(reversed(route[:-1]))
    return Meeting(
        _corps(state, combat, combat.attacker, plans[0], back),
        _corps(state, combat, combat.defender, plans[1], None),
        can_ride(state, combat),
        spare(state),
        _homeward(state, attackers, plans[0].retreating),
    )


def _homeward(state: State, units: Sequence[Unit], retreating: Retreating) -> Homeward | None:
    """The way back by water, for a stack that has sailed with its craft in this march."""
    sailed = state.march is not None and state.march.sailed
    if not sailed or not any(unit.kind in RIVER_CRAFT for unit in units):
        return None
    return Homeward(state, tuple(units), retreating)


def _force(side: Side, hex_id: HexId, units: Iterable[Unit], plan: Plan) -> Force:
    return Force(side, hex_id, list(ids(units)), plan.leader, plan.leads)


def _corps(
    state: State, combat: Combat, force: Force, plan: Plan, back: tuple[HexId, ...] | None
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
        _cornered(state, force, units, back),
    )


def _total(modifiers: Iterable[object]) -> int:
    return sum(one.value for one in modifiers)  # type: ignore[attr-defined]


def _cornered(
    state: State, force: Force, units: Sequence[Unit], back: tuple[HexId, ...] | None
) -> tuple[bool, bool]:
    """Whether it stands at bay when beaten: with its craft, and when they are gone (9.8).

    A defender leaves his craft behind.
    """
    dry = [unit for unit in units if unit.kind not in RIVER_CRAFT]
    going = [unit for unit in units if is_land(unit) or unit.kind is Kind.LEADER]
    stacks = (units, dry) if back is not None else (going, going)
    with_craft, without = (
        is_cornered(state, force.side, force.hex, stack, back) for stack in stacks
    )
    return with_craft, without


def stood(state: State, units: Sequence[Unit], hex_id: HexId) -> State:
    """The state with these units in that hex and their side on the march; the given one stays."""
    moved = {unit.id: msgspec.structs.replace(unit, hex=hex_id) for unit in units}
    return msgspec.structs.replace(state, units=state.units | moved, side=units[0].side)


def as_begun(state: State) -> Meeting:
    """The combat that has begun in this state, both sides led as the computer's staff would."""
    combat, march = fought(state), on_march(state)
    attackers, defenders = (
        board(state).named(force.units) for force in (combat.attacker, combat.defender)
    )
    plans = staff_plan(state, attackers, defenders), staff_plan(state, defenders, attackers)
    return meeting(state, attackers, march.route, combat.defender.hex, plans)
