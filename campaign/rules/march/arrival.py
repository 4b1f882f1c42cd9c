"""Arrival of a marching stack: places change hands, enemy craft give way (3.2, 6.1).

Displaced craft go along the river, may be wrecked by it, and may be captured (6.1).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from battles.contract.brief import RIVER_CRAFT, Nation, Side, TroopKind
from battles.core.dice import Roll
from battles.core.game import Ledger, Step
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_land, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToChooseHex
from campaign.rules.core.state import OFF_MAP, State, Unit, current_march
from campaign.rules.map import HexId, Nav, PlaceClass, RiverMove
from campaign.rules.march.fleet import fleet_leaves, months_away, repair, roll_wreck
from campaign.rules.march.reach import forbidden
from campaign.rules.march.river import can_sail_step, is_shut_crossing, water_of
from campaign.rules.stacks import describe_unit, ids
from campaign.rules.unit_losses import is_replaced, muster_units, new_counters, remove


def refuges_of(state: State, hex_id: HexId, driven: Sequence[Unit]) -> tuple[HexId, ...]:
    """Return the next river hexes to which at least one of these craft can go (6.1, 8.23)."""
    side = driven[0].side
    hulls = [unit for unit in driven if unit.kind in RIVER_CRAFT]
    near = {move.to for move in chart(state).river_moves.get(hex_id, ())} - {hex_id}
    steps = [escape_move(state, side, hex_id, destination) for destination in sorted(near)]
    return tuple(
        step.to
        for step in steps
        if step and any(can_sail_step(state, hull, step) for hull in hulls)
    )


def escape_move(state: State, side: Side, origin: HexId, destination: HexId) -> RiverMove | None:
    """Return the move of one hex by which craft of that side escape, over the better water.

    None when there is no such move.
    """
    if destination in board(state).occupied[side.enemy] | forbidden(scenario_of(state), side):
        return None
    if is_shut_crossing(state, side, origin, destination):
        return None
    steps = [step for step in chart(state).river_moves.get(origin, ()) if step.to == destination]
    return max(steps, key=lambda step: _is_smooth(state, step), default=None)


def _is_smooth(state: State, step: RiverMove) -> bool:
    return water_of(state, step) is Nav.NAVIGABLE


def resolve_escape(ledger: Ledger[State], hull: Unit, way: tuple[HexId, HexId]) -> None:
    """Resolve the dangers of the hull's move of one hex: it may be wrecked or captured (6.1)."""
    captor = hull.side.enemy
    if not any(
        roll_wreck(ledger, hull, danger) for danger in dangers(ledger.state, hull.side, way)
    ):
        if _is_captured(ledger, hull, captor):
            seize(ledger, hull, way[0])
        return
    if is_replaced(hull):
        return
    months = months_away(ledger, hull)
    if not months or not _is_captured(ledger, hull, captor):
        repair(ledger, hull, months)
        return
    ledger.emit(e.Captured((hull.name or hull.kind,), hull.hex))
    for prize in prizes(ledger.state, hull.kind, captor, OFF_MAP):
        repair(ledger, prize, months)


def dangers(state: State, side: Side, way: Sequence[HexId]) -> tuple[str, ...]:
    """Return the dangers that may wreck a hull on this way, outside a voyage (8.23 II, IV).

    They are each cataract it comes beside, then the unnavigable water it has passed; none by rail.
    """
    hops = [
        (origin, destination, escape_move(state, side, origin, destination))
        for origin, destination in pairwise(way)
    ]
    wet = [(origin, destination, step) for origin, destination, step in hops if step is not None]
    beside = [
        (chart(state).cataract_at(origin), chart(state).cataract_at(destination))
        for origin, destination, _ in wet
    ]
    cataracts = [new for old, new in beside if new and new != old]
    rough = any(not _is_smooth(state, step) for _, _, step in wet)
    return (*cataracts, "an unnavigable reach") if rough else tuple(cataracts)


def _is_captured(ledger: Ledger[State], hull: Unit, captor: Side) -> bool:
    roll = ledger.roll(Roll(f"Capture of {describe_unit(hull)}", "6.1", (0,), side=captor))
    is_captured = roll.total >= laws(ledger.state).number("river.captured_from")
    ledger.amend(roll, result="captured" if is_captured else "gets away")
    return is_captured


def seize(ledger: Ledger[State], hull: Unit, at: HexId) -> None:
    """Remove a captured hull and give the captor a counter of the same kind, if there is one."""
    captor = hull.side.enemy
    remove(ledger, [hull.id], "captured")
    ledger.emit(e.Captured((hull.name or hull.kind,), at))
    muster_units(ledger, prizes(ledger.state, hull.kind, captor, at), "capture")


def prizes(state: State, kind: TroopKind, captor: Side, at: HexId) -> tuple[Unit, ...]:
    """Return the captor's counter for a captured hull, if one is free; else nothing (6.1).

    Counters are free while they are off the map: the Mahdists' of the countermix, the Egyptian
    player's of those that his scenario lists.
    """
    if captor is Side.MAHDIST:
        return new_counters(state, kind, 1, at)
    spare = _count_listed_craft(state, kind)
    spare.subtract(unit.nation for unit in board(state).units if unit.kind is kind)
    nation = next(
        (nation for nation in (Nation.EGYPTIAN, Nation.BRITISH) if spare[nation] > 0), None
    )
    if nation is None:
        return ()
    usual = laws(state).default(kind, nation)
    return (Unit(UnitId(state.next_unit), kind, nation, usual.quality, usual.strength, at),)


def _count_listed_craft(state: State, kind: TroopKind) -> Counter[Nation]:
    """Return the Egyptian player's craft of that kind that the scenario lists, by nation."""
    scenario = scenario_of(state)
    specs = [spec for stack in scenario.stack for spec in stack.units]
    specs += [spec for group in (*scenario.reinforcement, *scenario.force) for spec in group.units]
    counts: Counter[Nation] = Counter()
    for spec in specs:
        if spec.kind is kind and spec.nation.side is Side.EGYPTIAN:
            counts[spec.nation] += spec.count
    return counts


def happens_at(state: State, hex_id: HexId) -> bool:
    """Return whether the stack's entry into this hex changes its control or drives enemies out."""
    changes = _changes_hands(state, hex_id, state.side)
    return marches_ashore(state) and (changes or bool(_undefended_units(state, hex_id, state.side)))


def marches_ashore(state: State) -> bool:
    """Return whether the marching stack has land units: leaders and craft take nothing."""
    march = state.march
    return march is not None and any(is_land(unit) for unit in board(state).named(march.units))


def occupy(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Resolve the entry of the side's land units into this hex (3.2, 6.1)."""
    if _undefended_units(ledger.state, hex_id, side):
        ledger.then(Step("displace", (hex_id, side)))
    come_ashore(ledger, hex_id, side)


def voyage_ends(ledger: Ledger[State], side: str) -> None:
    """Land the marching stack at the end of its voyage (8.23)."""
    if marches_ashore(ledger.state):
        come_ashore(ledger, current_march(ledger.state).route[-1], Side(side))


def come_ashore(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Resolve the landing of units from the river, which displaces no craft (3.2, 6.1)."""
    if _changes_hands(ledger.state, hex_id, side):
        take_place(ledger, hex_id, side)
    alone = _undefended_units(ledger.state, hex_id, side)
    if all(unit.kind is TroopKind.LEADER for unit in alone):
        remove(ledger, ids(alone), "leader lost")


def _changes_hands(state: State, hex_id: HexId, side: Side) -> bool:
    """Return whether the side is the first of the two to come here since the enemy, or ever."""
    is_place = bool(chart(state).hexes[hex_id].place)
    return is_place and (hex_id in state.vacant or not board(state).holds(side, hex_id))


def take_place(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Give control of the place in this hex to `side`, which has entered it (3.2)."""
    state = ledger.state
    was_enemy = board(state).holds(side.enemy, hex_id) and hex_id not in state.vacant
    ledger.emit(e.ControlChanged(hex_id, side))
    if side is Side.MAHDIST:
        if was_enemy and board(state).in_town(hex_id, PlaceClass.TOWN):
            _town_rises(ledger, hex_id)
        _boats_found(ledger, hex_id)
        fleet_leaves(ledger, hex_id)
    ledger.then(Step("place taken", (hex_id, side)))


def _town_rises(ledger: Ledger[State], hex_id: HexId) -> None:
    """Add Mahdist spearmen at once in a town taken from the enemy (3.2)."""
    roll = ledger.roll(Roll("Townsmen who join", "3.2", (0,), side=Side.MAHDIST))
    joined = new_counters(ledger.state, TroopKind.SPEARS, roll.total, hex_id)
    ledger.amend(roll, result=f"{len(joined)} join")
    muster_units(ledger, joined, "town")


def _boats_found(ledger: Ledger[State], hex_id: HexId) -> None:
    """Add the boats that the Mahdists get when they first enter certain towns (3.2)."""
    state = ledger.state
    for name in chart(state).hexes[hex_id].places:
        flag = f"boats:{name}"
        count = laws(state).boats_found(name)
        if not count or flag in state.flags:
            continue
        ledger.emit(e.Flagged(flag))
        muster_units(ledger, new_counters(state, TroopKind.BOAT, count, hex_id), "town")


def _undefended_units(state: State, hex_id: HexId, side: Side) -> list[Unit]:
    """Return the enemy craft, and leaders without troops, driven off by land units here (6.1).

    Leaders with the fleet are at sea.
    """
    stack = board(state).stack(side.enemy, hex_id)
    if any(is_land(unit) or unit.kind is TroopKind.FLEET for unit in stack):
        return []
    return stack


def displace(ledger: Ledger[State], hex_id: HexId, side: str) -> None:
    """Ask the owner where the craft in this hex go; craft without a way are captured (6.1)."""
    state, own_side = ledger.state, Side(side)
    driven = _undefended_units(state, hex_id, own_side)
    if all(unit.kind is TroopKind.LEADER for unit in driven):
        remove(ledger, ids(driven), "captured")
        return
    refuges = refuges_of(state, hex_id, driven)
    if refuges:
        args = (hex_id, own_side)
        ledger.ask(ToChooseHex(own_side.enemy, "craft displaced", "6.1", refuges, args=args))
        return
    for hull in driven:
        if hull.kind in RIVER_CRAFT:
            seize(ledger, hull, hex_id)


def craft_displaced(ledger: Ledger[State], hex_id: HexId, side: str, refuge: HexId) -> None:
    """Move the craft where their owner chose; each may be wrecked or captured (6.1).

    Leaders go with the craft, and are lost with the last of them (7.2). A ruling may have taken the
    craft away since their owner was asked.
    """
    driven = _undefended_units(ledger.state, hex_id, Side(side))
    if not driven:
        return
    step = escape_move(ledger.state, driven[0].side, hex_id, refuge)
    stuck = [unit for unit in driven if not _can_go(ledger.state, unit, step)]
    away = [unit for unit in driven if unit not in stuck]
    ledger.emit(e.SailedAway(ids(away), refuge))
    for hull in stuck:
        seize(ledger, hull, hex_id)
    for hull in away:
        if hull.kind in RIVER_CRAFT:
            resolve_escape(ledger, hull, (hex_id, refuge))


def _can_go(state: State, unit: Unit, step: RiverMove | None) -> bool:
    return step is not None and (unit.kind not in RIVER_CRAFT or can_sail_step(state, unit, step))
