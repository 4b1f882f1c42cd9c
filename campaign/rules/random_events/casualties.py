"""Effects that take units, disrupt them, or make them better; their owner chooses which."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules import losses
from campaign.rules.board import board
from campaign.rules.effects import (
    Arm,
    Disrupt,
    Improve,
    Lose,
    Recover,
    Share,
    Units,
    Where,
    quantity,
)
from campaign.rules.map import HexId
from campaign.rules.pieces import UNCOUNTED, Kind, Side, UnitId
from campaign.rules.pool import free
from campaign.rules.random_events.happening import (
    AT_HEX,
    Happening,
    Lot,
    choose_hex,
    choose_units,
    how_many,
)
from campaign.rules.stacking import counted, ids
from campaign.rules.state import State, Unit
from campaign.rules.whereabouts import reaches

CAUSE = "event"


def take(ledger: Ledger[State], effect: Lose | Disrupt, now: Happening) -> bool:
    """Units are lost or disrupted: of all there are, in each hex, or in one that stands out."""
    units = _hit(ledger.state, effect, now)
    if effect.share is Share.ALL:
        return _take_of(ledger, effect, now, units)
    if effect.share is Share.EACH_HEX:
        ledger.then(*(Step(AT_HEX, (*now, hex_id)) for hex_id in sorted({u.hex for u in units})))
        return bool(units)
    return choose_hex(ledger, now, _outstanding(ledger.state, effect.share, units))


def take_at(ledger: Ledger[State], effect: Lose | Disrupt, now: Happening, hex_id: HexId) -> None:
    """The units of one hex among them."""
    units = [unit for unit in _hit(ledger.state, effect, now) if unit.hex == hex_id]
    _take_of(ledger, effect, now, units)


def lose_units(ledger: Ledger[State], units: tuple[UnitId, ...]) -> None:
    """The units chosen leave the map."""
    losses.remove(ledger, units, CAUSE)


def disrupt_units(ledger: Ledger[State], units: tuple[UnitId, ...]) -> None:
    """The units chosen are disrupted."""
    losses.disrupt(ledger, units, CAUSE)


def recover(ledger: Ledger[State], effect: Recover, now: Happening) -> bool:
    """All that are disrupted there recover, craft too."""
    kinds = effect.units.units or tuple(Kind)
    meant = msgspec.structs.replace(effect.units, units=kinds)
    units = selected(ledger.state, now.side, meant, effect.where)
    shaken = [unit for unit in units if unit.disrupted]
    if shaken:
        ledger.emit(e.Recovered(ids(shaken)))
    return bool(shaken)


def improve(ledger: Ledger[State], effect: Improve, now: Happening) -> bool:
    """Their owner chooses the units that become better."""
    units = selected(ledger.state, now.side, effect.units, effect.where)
    return choose_units(ledger, now, Lot(ids(units), effect.count))


def improve_units(ledger: Ledger[State], effect: Improve, units: tuple[UnitId, ...]) -> None:
    """The units chosen are of the new quality."""
    for unit in board(ledger.state).named(units):
        ledger.emit(e.Improved(unit.id, effect.to, unit.kind))


def arm(ledger: Ledger[State], effect: Arm, now: Happening) -> bool:
    """Their owner chooses the spears that get rifles, as many as there are counters for."""
    state = ledger.state
    spears = selected(state, now.side, Units(units=(Kind.SPEARS,)), effect.where)
    count = effect.count
    if now.side is Side.MAHDIST:
        count = min(count, free(state, Kind.INFANTRY))
    return choose_units(ledger, now, Lot(ids(spears), count))


def arm_units(ledger: Ledger[State], units: tuple[UnitId, ...]) -> None:
    """The spears chosen are rifle units."""
    for unit in board(ledger.state).named(units):
        ledger.emit(e.Improved(unit.id, unit.quality, Kind.INFANTRY))


def selected(state: State, side: Side, units: Units, where: Where) -> list[Unit]:
    """The units on the map that an effect of this side means; leaders and craft only by name."""
    return [
        unit
        for unit in board(state).units
        if (unit.nation in units.nations if units.nations else unit.side is side)
        and (unit.kind in units.units if units.units else unit.kind not in UNCOUNTED)
        and (not units.qualities or unit.quality in units.qualities)
        and reaches(state, where, unit.hex, unit.side)
    ]


def _hit(state: State, effect: Lose | Disrupt, now: Happening) -> list[Unit]:
    units = selected(state, now.side, effect.units, effect.where)
    if isinstance(effect, Lose) and effect.spare_last:
        count = quantity(effect.count)
        return _but_the_last(state, units, count.plus + count.dice * count.sides)
    return units


def _but_the_last(state: State, units: Sequence[Unit], most: int) -> list[Unit]:
    """The units without one of each hex in which nobody would be left if `most` were lost."""
    found: list[Unit] = []
    for hex_id in sorted({unit.hex for unit in units}):
        here = [unit for unit in units if unit.hex == hex_id]
        alone = len(here) == len(counted(board(state).stack(here[0].side, hex_id)))
        found += here[:-1] if alone and len(here) <= most else here
    return found


def _take_of(
    ledger: Ledger[State], effect: Lose | Disrupt, now: Happening, units: Sequence[Unit]
) -> bool:
    if not units:
        return False
    if isinstance(effect, Lose):
        count = how_many(ledger, now, quantity(effect.count))
        return choose_units(ledger, now, Lot(ids(units), count))
    count = effect.count or max(1, len(units) * effect.percent // 100)
    steady = [unit for unit in units if not unit.disrupted]
    return choose_units(ledger, now, Lot(ids(steady), count))


def _outstanding(state: State, share: Share, units: Sequence[Unit]) -> list[HexId]:
    """The hexes with most of these units, or with the largest stacks."""
    sizes = Counter(unit.hex for unit in units)
    if share is Share.LARGEST_STACK:
        side = units[0].side if units else state.side
        own = board(state).occupied[side]
        sizes = Counter({h: len(counted(board(state).stack(side, h))) for h in own})
    most = max(sizes.values(), default=0)
    return [hex_id for hex_id in sorted(sizes) if sizes[hex_id] == most]
