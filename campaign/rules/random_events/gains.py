"""Effects that bring units: gains, and garrisons that change sides."""

from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules import losses
from campaign.rules.board import board, chart, is_good_order, laws, scenario_of
from campaign.rules.effects import Defect, Gain, Where, quantity
from campaign.rules.map import HexId
from campaign.rules.march.arrival import occupy
from campaign.rules.pieces import RIVER_CRAFT, TRAIN, Kind, Nation, Side, UnitId
from campaign.rules.pool import counters, free
from campaign.rules.questions import ToChooseHex
from campaign.rules.random_events.casualties import CAUSE, selected
from campaign.rules.random_events.happening import (
    Happening,
    Lot,
    choose_hex,
    choose_units,
    how_many,
)
from campaign.rules.stacking import ids
from campaign.rules.state import OFF_MAP, State, Unit
from campaign.rules.whereabouts import hexes_meant

CAMP = "event camp"


def gain(ledger: Ledger[State], effect: Gain, now: Happening) -> bool:
    """The side chooses the hex, if there are counters and a lawful hex."""
    state = ledger.state
    if not _fresh(state, effect, now, 1):
        return False
    return choose_hex(ledger, now, _lawful(state, effect, now))


def gain_at(ledger: Ledger[State], effect: Gain, now: Happening, hex_id: HexId) -> None:
    """The units stand in the hex chosen, which is theirs now."""
    count = how_many(ledger, now, quantity(effect.count))
    units = _fresh(ledger.state, effect, now, count, hex_id)
    ledger.emit(e.Arrived(units, CAUSE))
    occupy(ledger, hex_id, now.side)


def _lawful(state: State, effect: Gain, now: Happening) -> list[HexId]:
    barred = scenario_of(state).forbidden(now.side)
    afloat = effect.unit in RIVER_CRAFT
    return [
        hex_id
        for hex_id in hexes_meant(state, effect.where, now.side)
        if hex_id not in barred and (not afloat or chart(state).river_at(hex_id))
    ]


def _fresh(
    state: State, effect: Gain, now: Happening, count: int, hex_id: HexId = OFF_MAP
) -> tuple[Unit, ...]:
    """The counters that can come, at most so many."""
    nation = _nation(effect, now)
    if nation is Nation.MAHDIST:
        return counters(state, effect.unit, count, hex_id)
    names = _unused(state, effect) if effect.names else [""] * count
    usual = laws(state).default(effect.unit, nation)
    return tuple(
        Unit(
            UnitId(state.next_unit + place),
            effect.unit,
            nation,
            usual.quality if effect.quality is None else effect.quality,
            effect.strength or usual.strength,
            hex_id,
            name=name,
        )
        for place, name in enumerate(names[:count])
    )


def _nation(effect: Gain, now: Happening) -> Nation:
    """The nation named; else the Mahdists, the British for train and boats, or the Egyptians."""
    if effect.nation is not None:
        return effect.nation
    if now.side is Side.MAHDIST:
        return Nation.MAHDIST
    return Nation.BRITISH if effect.unit in TRAIN | {Kind.BOAT} else Nation.EGYPTIAN


def _unused(state: State, effect: Gain) -> list[str]:
    """The named counters that are neither on the map nor due."""
    taken = {unit.name for unit in board(state).units}
    taken |= {unit.name for due in state.due for unit in due.units}
    return [name for name in effect.names if name not in taken]


def defect(ledger: Ledger[State], effect: Defect, now: Happening) -> bool:
    """The side chooses which besieged garrison is won over."""
    state = ledger.state
    garrisons = {unit.hex for unit in _disloyal(state, effect, now)}
    return choose_hex(ledger, now, sorted(garrisons))


def defect_at(ledger: Ledger[State], effect: Defect, now: Happening, garrison: HexId) -> None:
    """The side chooses which of its stacks round the garrison they go over to."""
    position = board(ledger.state)
    camps = tuple(
        near
        for near in sorted(chart(ledger.state).neighbours[garrison])
        if any(is_good_order(unit) for unit in position.stack(now.side, near))
    )
    if len(camps) == 1:
        ledger.then(Step(CAMP, (*now, garrison, camps[0])))
    else:
        args = (*now, garrison)
        ledger.ask(ToChooseHex(now.side, CAMP, now.clause, camps, args=args))


def defect_to(
    ledger: Ledger[State], effect: Defect, now: Happening, way: tuple[HexId, HexId]
) -> None:
    """Their owner chooses who of the garrison goes over."""
    garrison, camp = way
    there = [unit for unit in _disloyal(ledger.state, effect, now) if unit.hex == garrison]
    units = _as_many_as_counters(ledger.state, now, there)
    count = how_many(ledger, now, quantity(effect.count))
    choose_units(ledger, now, Lot(ids(units), count, camp))


def go_over(ledger: Ledger[State], now: Happening, units: tuple[UnitId, ...], camp: HexId) -> None:
    """The units chosen leave their garrison and stand in the camp as units of the other side."""
    kinds = [unit.kind for unit in board(ledger.state).named(units)]
    losses.remove(ledger, units, CAUSE)
    for kind in sorted(set(kinds)):
        won = Gain(unit=kind, where=Where(), count=kinds.count(kind))
        ledger.emit(e.Arrived(_fresh(ledger.state, won, now, kinds.count(kind), camp), CAUSE))


def _disloyal(state: State, effect: Defect, now: Happening) -> list[Unit]:
    """Units of besieged garrisons of a kind that the other side has counters for."""
    units = selected(state, now.side.enemy, effect.units, Where(besieged=True))
    return [unit for unit in units if _room(state, now, unit.kind)]


def _as_many_as_counters(state: State, now: Happening, units: list[Unit]) -> list[Unit]:
    """Of each kind no more units than the other side has counters for."""
    found: list[Unit] = []
    for unit in units:
        if sum(other.kind is unit.kind for other in found) < _room(state, now, unit.kind):
            found.append(unit)
    return found


def _room(state: State, now: Happening, kind: Kind) -> int:
    return free(state, kind) if now.side is Side.MAHDIST else len(state.units)
