"""Effects of random events on units: loss, disruption, improvement, gains, defections."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from battles.contract.brief import RIVER_CRAFT, TRAIN, UNCOUNTED, Nation, Side, TroopKind
from battles.core.game import Ledger, Step
from campaign.rules import unit_losses
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_fighting, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToChooseHex
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.effects_in_force import hexes_meant, reaches
from campaign.rules.map import HexId
from campaign.rules.march.arrival import occupy
from campaign.rules.random_events.running_effect import (
    AT_HEX,
    RunningEffect,
    UnitChoice,
    choose_hex,
    choose_units,
    how_many,
)
from campaign.rules.stacks import countable_units, ids
from campaign.rules.tables.event_effects import (
    AffectedHexes,
    ArmEffect,
    DefectEffect,
    DisruptEffect,
    GainEffect,
    ImproveEffect,
    LoseEffect,
    RecoverEffect,
    Units,
    Where,
    quantity,
)
from campaign.rules.unit_losses import free_counters, new_counters

CAUSE = "event"


def take(ledger: Ledger[State], effect: LoseEffect | DisruptEffect, now: RunningEffect) -> bool:
    """Begin a loss or disruption: among all units, in each hex, or in the largest."""
    units = _hit(ledger.state, effect, now)
    if effect.affected_hexes is AffectedHexes.ALL:
        return _take_of(ledger, effect, now, units)
    if effect.affected_hexes is AffectedHexes.EACH_HEX:
        ledger.then(*(Step(AT_HEX, (*now, hex_id)) for hex_id in sorted({u.hex for u in units})))
        return bool(units)
    return choose_hex(ledger, now, _hexes_with_most(ledger.state, effect.affected_hexes, units))


def take_at(
    ledger: Ledger[State], effect: LoseEffect | DisruptEffect, now: RunningEffect, hex_id: HexId
) -> None:
    """Apply a loss or disruption to the matching units of one hex."""
    units = [unit for unit in _hit(ledger.state, effect, now) if unit.hex == hex_id]
    _take_of(ledger, effect, now, units)


def recover(ledger: Ledger[State], effect: RecoverEffect, now: RunningEffect) -> bool:
    """Recover all matching disrupted units, craft included."""
    kinds = effect.selection.kinds or tuple(TroopKind)
    meant = msgspec.structs.replace(effect.selection, kinds=kinds)
    units = select_units(ledger.state, now.side, meant, effect.where)
    shaken = [unit for unit in units if unit.disrupted]
    if shaken:
        ledger.emit(e.Recovered(ids(shaken)))
    return bool(shaken)


def improve(ledger: Ledger[State], effect: ImproveEffect, now: RunningEffect) -> bool:
    """Ask the owner which units improve."""
    units = select_units(ledger.state, now.side, effect.selection, effect.where)
    return choose_units(ledger, now, UnitChoice(ids(units), effect.count))


def improve_units(ledger: Ledger[State], effect: ImproveEffect, units: tuple[UnitId, ...]) -> None:
    """Give the units chosen the new quality."""
    for unit in board(ledger.state).named(units):
        ledger.emit(e.Improved(unit.id, effect.to_quality, unit.kind))


def arm(ledger: Ledger[State], effect: ArmEffect, now: RunningEffect) -> bool:
    """Ask the owner which spears get rifles, as many as there are counters for."""
    state = ledger.state
    spears = select_units(state, now.side, Units(kinds=(TroopKind.SPEARS,)), effect.where)
    count = effect.count
    if now.side is Side.MAHDIST:
        count = min(count, free_counters(state, TroopKind.INFANTRY))
    return choose_units(ledger, now, UnitChoice(ids(spears), count))


def arm_units(ledger: Ledger[State], units: tuple[UnitId, ...]) -> None:
    """Turn the spears chosen into rifle units."""
    for unit in board(ledger.state).named(units):
        ledger.emit(e.Improved(unit.id, unit.quality, TroopKind.INFANTRY))


def select_units(state: State, side: Side, units: Units, where: Where) -> list[Unit]:
    """Return the units on the map that the effect selects; leaders and craft only by name."""
    return [
        unit
        for unit in board(state).units
        if (unit.nation in units.nations if units.nations else unit.side is side)
        and (unit.kind in units.kinds if units.kinds else unit.kind not in UNCOUNTED)
        and (not units.qualities or unit.quality in units.qualities)
        and reaches(state, where, unit.hex, unit.side)
    ]


def _hit(state: State, effect: LoseEffect | DisruptEffect, now: RunningEffect) -> list[Unit]:
    units = select_units(state, now.side, effect.selection, effect.where)
    if isinstance(effect, LoseEffect) and effect.spare_last:
        count = quantity(effect.quantity)
        return _but_the_last(state, units, count.plus + count.dice * count.sides)
    return units


def _but_the_last(state: State, units: Sequence[Unit], most: int) -> list[Unit]:
    """Return the units, but spare one in each hex that a loss of `most` would empty."""
    lost_units: list[Unit] = []
    for hex_id in sorted({unit.hex for unit in units}):
        stack = [unit for unit in units if unit.hex == hex_id]
        alone = len(stack) == len(countable_units(board(state).stack(stack[0].side, hex_id)))
        lost_units += stack[:-1] if alone and len(stack) <= most else stack
    return lost_units


def _take_of(
    ledger: Ledger[State],
    effect: LoseEffect | DisruptEffect,
    now: RunningEffect,
    units: Sequence[Unit],
) -> bool:
    if not units:
        return False
    if isinstance(effect, LoseEffect):
        count = how_many(ledger, now, quantity(effect.quantity))
        return choose_units(ledger, now, UnitChoice(ids(units), count))
    count = effect.count or max(1, len(units) * effect.percent // 100)
    steady = [unit for unit in units if not unit.disrupted]
    return choose_units(ledger, now, UnitChoice(ids(steady), count))


def _hexes_with_most(state: State, share: AffectedHexes, units: Sequence[Unit]) -> list[HexId]:
    """Return the hexes with most of these units, or with the largest stacks."""
    sizes = Counter(unit.hex for unit in units)
    if share is AffectedHexes.LARGEST_STACK:
        side = units[0].side if units else state.side
        own = board(state).occupied[side]
        sizes = Counter({h: len(countable_units(board(state).stack(side, h))) for h in own})
    most = max(sizes.values(), default=0)
    return [hex_id for hex_id in sorted(sizes) if sizes[hex_id] == most]


CAMP = "event camp"


def gain(ledger: Ledger[State], effect: GainEffect, now: RunningEffect) -> bool:
    """Ask the side for the hex, if there are counters and a legal hex."""
    state = ledger.state
    if not _fresh(state, effect, now, 1):
        return False
    return choose_hex(ledger, now, _lawful(state, effect, now))


def gain_at(ledger: Ledger[State], effect: GainEffect, now: RunningEffect, hex_id: HexId) -> None:
    """Place the new units in the hex chosen, which their side now controls."""
    count = how_many(ledger, now, quantity(effect.quantity))
    units = _fresh(ledger.state, effect, now, count, hex_id)
    ledger.emit(e.Arrived(units, CAUSE))
    occupy(ledger, hex_id, now.side)


def _lawful(state: State, effect: GainEffect, now: RunningEffect) -> list[HexId]:
    barred = scenario_of(state).forbidden(now.side)
    afloat = effect.kind in RIVER_CRAFT
    return [
        hex_id
        for hex_id in hexes_meant(state, effect.where, now.side)
        if hex_id not in barred and (not afloat or chart(state).river_at(hex_id))
    ]


def _fresh(
    state: State, effect: GainEffect, now: RunningEffect, count: int, hex_id: HexId = OFF_MAP
) -> tuple[Unit, ...]:
    """Return the counters that can come, at most `count`."""
    nation = _nation(effect, now)
    if nation is Nation.MAHDIST:
        return new_counters(state, effect.kind, count, hex_id)
    names = _unused_counters(state, effect) if effect.names else [""] * count
    usual = laws(state).default(effect.kind, nation)
    return tuple(
        Unit(
            UnitId(state.next_unit + place),
            effect.kind,
            nation,
            usual.quality if effect.quality is None else effect.quality,
            effect.strength or usual.strength,
            hex_id,
            name=name,
        )
        for place, name in enumerate(names[:count])
    )


def _nation(effect: GainEffect, now: RunningEffect) -> Nation:
    """Return the nation named, or by default the Mahdists, the British or the Egyptians.

    On the Egyptian side train and boats are British.
    """
    if effect.nation is not None:
        return effect.nation
    if now.side is Side.MAHDIST:
        return Nation.MAHDIST
    return Nation.BRITISH if effect.kind in TRAIN | {TroopKind.BOAT} else Nation.EGYPTIAN


def _unused_counters(state: State, effect: GainEffect) -> list[str]:
    """Return the named counters that are neither on the map nor due."""
    used_names = {unit.name for unit in board(state).units}
    used_names |= {unit.name for due in state.due for unit in due.units}
    return [name for name in effect.names if name not in used_names]


def defect(ledger: Ledger[State], effect: DefectEffect, now: RunningEffect) -> bool:
    """Ask the side which besieged garrison is won over."""
    state = ledger.state
    garrisons = {unit.hex for unit in _disloyal(state, effect, now)}
    return choose_hex(ledger, now, sorted(garrisons))


def defect_at(ledger: Ledger[State], now: RunningEffect, garrison: HexId) -> None:
    """Ask the side which of its stacks round the garrison the defectors join."""
    position = board(ledger.state)
    camps = tuple(
        near
        for near in sorted(chart(ledger.state).neighbours[garrison])
        if any(is_fighting(unit) for unit in position.stack(now.side, near))
    )
    if len(camps) == 1:
        ledger.then(Step(CAMP, (*now, garrison, camps[0])))
    else:
        args = (*now, garrison)
        ledger.ask(ToChooseHex(now.side, CAMP, now.clause, camps, args=args))


def defect_to(
    ledger: Ledger[State], effect: DefectEffect, now: RunningEffect, way: tuple[HexId, HexId]
) -> None:
    """Ask the owner which units of the garrison defect."""
    garrison, camp = way
    candidates = [unit for unit in _disloyal(ledger.state, effect, now) if unit.hex == garrison]
    units = _as_many_as_counters(ledger.state, now, candidates)
    count = how_many(ledger, now, quantity(effect.quantity))
    choose_units(ledger, now, UnitChoice(ids(units), count, camp))


def go_over(
    ledger: Ledger[State], now: RunningEffect, units: tuple[UnitId, ...], camp: HexId
) -> None:
    """Remove the units chosen from their garrison and add them to the camp of the other side."""
    kinds = [unit.kind for unit in board(ledger.state).named(units)]
    unit_losses.remove(ledger, units, CAUSE)
    for kind in sorted(set(kinds)):
        won = GainEffect(kind=kind, where=Where(), quantity=kinds.count(kind))
        ledger.emit(e.Arrived(_fresh(ledger.state, won, now, kinds.count(kind), camp), CAUSE))


def _disloyal(state: State, effect: DefectEffect, now: RunningEffect) -> list[Unit]:
    """Return units of besieged garrisons of kinds that the other side has counters for."""
    units = select_units(state, now.side.enemy, effect.selection, Where(besieged=True))
    return [unit for unit in units if _room(state, now, unit.kind)]


def _as_many_as_counters(state: State, now: RunningEffect, units: list[Unit]) -> list[Unit]:
    """Return the units, of each kind no more than the other side has counters for."""
    defectors: list[Unit] = []
    for unit in units:
        if sum(other.kind is unit.kind for other in defectors) < _room(state, now, unit.kind):
            defectors.append(unit)
    return defectors


def _room(state: State, now: RunningEffect, kind: TroopKind) -> int:
    return free_counters(state, kind) if now.side is Side.MAHDIST else len(state.units)
