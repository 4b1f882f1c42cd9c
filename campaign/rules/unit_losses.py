"""Losses and disruption of units, their recovery, and new counters (3.2, 3.3, 7.2, 7.4, 9.7)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger, Step, total
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_fighting, laws, scenario_of
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.questions import ToChooseHex
from campaign.rules.core.state import OFF_MAP, DueUnits, Phase, State, Unit
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.stacks import best_strategist, strategic
from campaign.rules.tables.rows import RecoveryResult
from campaign.rules.tables.scenario_blocks import LossesAward, PointsCounted

# Disruption and loss of units, and the consequences (3.2, 3.3, 7.2, 9.7).
#
# Also the Mahdists' counters: the pool they draw from, and the mix that limits them (3.2).


KHALIFA = "Khalifa"
REPLACEMENT = "replacement"
WRECKED = "wrecked"
COMBAT = "combat"
LOST = "lost:"
"""Prefix of the counts of strength points lost in combat, by nation."""
_REPLACED_KINDS = frozenset({TroopKind.SUPPLY, TroopKind.CAMEL, TroopKind.BOAT})


def disrupt(ledger: Ledger[State], units: Iterable[UnitId], cause: str) -> None:
    """Disrupt these units; eliminate those that are disrupted already (9.7)."""
    victims = board(ledger.state).named(units)
    fresh = [unit.id for unit in victims if not unit.disrupted]
    twice = [unit.id for unit in victims if unit.disrupted]
    if fresh:
        ledger.emit(e.Disrupted(tuple(fresh), cause))
    remove(ledger, twice, cause)


def remove(ledger: Ledger[State], units: Sequence[UnitId], cause: str) -> None:
    """Remove these units, schedule their replacements, and remove leaders left alone."""
    state = ledger.state
    gone = board(state).named(units)
    if not gone:
        return
    ledger.emit(e.Removed(tuple(unit.id for unit in gone), cause))
    if cause == COMBAT:
        _count_lost(ledger, gone)
    _replace_later(ledger, gone)
    bereft = {(unit.side, unit.hex) for unit in gone if _may_cost_leaders(unit, cause)}
    for side, hex_id in sorted(bereft):
        _remove_lone_leaders(ledger, side, hex_id)
    for unit in gone:
        if unit.kind is TroopKind.LEADER:
            ledger.then(Step("leader lost", (unit.name,)))


def _count_lost(ledger: Ledger[State], gone: Sequence[Unit]) -> None:
    """Count the strength points of fighting units lost, where the scenario gives points (4)."""
    state = ledger.state
    scores = [
        condition
        for condition in scenario_of(state).victory
        if isinstance(condition, PointsCounted)
    ]
    if not any(isinstance(award, LossesAward) for condition in scores for award in condition.award):
        return
    lost: Counter[Nation] = Counter()
    for unit in filter(is_fighting, gone):
        lost[unit.nation] += unit.strength
    for nation, strength in sorted(lost.items()):
        name = f"{LOST}{nation}"
        ledger.emit(e.Tallied(name, state.tallies.get(name, 0) + strength))


def _may_cost_leaders(unit: Unit, cause: str) -> bool:
    """Return whether leaders may be lost with the unit.

    A wrecked hull puts its leaders ashore (8.23 II).
    """
    return unit.kind is not TroopKind.LEADER and unit.hex != OFF_MAP and cause != WRECKED


def _remove_lone_leaders(ledger: Ledger[State], side: Side, hex_id: HexId) -> None:
    """Remove leaders when all other units in their hex have been destroyed (7.2)."""
    left = board(ledger.state).stack(side, hex_id)
    if left and all(unit.kind is TroopKind.LEADER for unit in left):
        remove(ledger, [unit.id for unit in left], "leader lost")


def _replace_later(ledger: Ledger[State], gone: Sequence[Unit]) -> None:
    """Schedule British losses, supply, boats and camels to return two turns later (3.3)."""
    state = ledger.state
    back = [unit for unit in gone if is_replaced(unit)]
    for origin in sorted({unit.origin for unit in back}):
        group = [unit for unit in back if unit.origin == origin]
        ledger.emit(e.Waited(_due(state, group, origin)))


def _due(state: State, group: Sequence[Unit], origin: str) -> DueUnits:
    fresh = tuple(
        unit.as_new_counter(UnitId(state.next_unit + place)) for place, unit in enumerate(group)
    )
    hexes = tuple(chart(state).spot(name) for name in scenario_of(state).replacements(origin))
    return DueUnits(
        Month(state.month + laws(state).number("replacement.months")), REPLACEMENT, hexes, fresh
    )


def is_replaced(unit: Unit) -> bool:
    """Return whether the Egyptian player gets this loss back: British, train, boats (3.3)."""
    if unit.side is Side.MAHDIST or unit.kind in (
        TroopKind.LEADER,
        TroopKind.GUNBOAT,
        TroopKind.FLEET,
    ):
        return False
    return unit.kind in _REPLACED_KINDS or unit.nation is Nation.BRITISH


def khalifa_follows(ledger: Ledger[State]) -> None:
    """Ask where the Khalifa replaces the Mahdi: a Mahdist stack of the main map (7.2).

    He is lost too when there is no such stack.
    """
    from_extension = chart(ledger.state).region("souakim_extension")
    position = board(ledger.state)
    choices = tuple(
        hex_id
        for hex_id in position.hexes(Side.MAHDIST)
        if hex_id not in from_extension and position.land(Side.MAHDIST, hex_id)
    )
    if not choices:
        ledger.then(Step("leader lost", (KHALIFA,)))
        return
    ledger.ask(ToChooseHex(Side.MAHDIST, "khalifa placed", "7.2", choices))


def khalifa_placed(ledger: Ledger[State], hex_id: HexId) -> None:
    """Place the Khalifa with the stack chosen (7.2).

    Ask again if a ruling has moved that stack away since its side was asked.
    """
    if not board(ledger.state).land(Side.MAHDIST, hex_id):
        khalifa_follows(ledger)
        return
    ledger.emit(e.Arrived((khalifa(ledger.state, hex_id),), "succession"))


def khalifa(state: State, hex_id: HexId) -> Unit:
    """Return the Khalifa as a counter in this hex."""
    return Unit(
        UnitId(state.next_unit),
        TroopKind.LEADER,
        Nation.MAHDIST,
        Quality.NONE,
        0,
        hex_id,
        name=KHALIFA,
    )


def free_counters(state: State, kind: TroopKind) -> int:
    """Return the number of counters of the kind off the map, in the pool or the box."""
    return max(0, state.pool.get(kind, 0)) + max(0, state.box.get(kind, 0))


def new_counters(state: State, kind: TroopKind, count: int, hex_id: HexId) -> tuple[Unit, ...]:
    """Return new Mahdist units for this hex, at most as many as there are counters."""
    number = min(count, free_counters(state, kind))
    piece = laws(state).default(kind, Nation.MAHDIST)
    return tuple(
        Unit(
            UnitId(state.next_unit + place),
            kind,
            Nation.MAHDIST,
            piece.quality,
            piece.strength,
            hex_id,
        )
        for place in range(number)
    )


def muster_units(ledger: Ledger[State], units: tuple[Unit, ...], cause: str) -> None:
    """Put new units on the map; those of a march phase do not march in it."""
    state = ledger.state
    if not units:
        return
    ledger.emit(e.Arrived(units, cause))
    if state.phase is Phase.MARCH and units[0].side is state.side:
        ledger.emit(e.Mustered(tuple(unit.id for unit in units)))


def counter_pile(state: State) -> list[TroopKind]:
    """Return the counters of the pool one by one, in a fixed order, to be drawn by dice."""
    return [kind for kind in sorted(state.pool) for _ in range(max(0, state.pool[kind]))]


# Recovery from disruption: phase V (5.2 V, 7.4).


def recovery_phase(ledger: Ledger[State], side: str) -> None:
    """Roll a die for each disrupted unit of the side, stack by stack (phase V, 5.2 V)."""
    for hex_id in board(ledger.state).hexes(Side(side)):
        _recover_stack(ledger, Side(side), hex_id)


def recovery_modifiers(state: State, side: Side, hex_id: HexId) -> tuple[Modifier, ...]:
    """Return the modifiers to the recovery rolls of this stack (5.2 V, 7.4)."""
    law, position = laws(state), board(state)
    result = []
    leader = best_strategist(state, position.stack(side, hex_id))
    if leader is not None:
        result.append(strategic(state, leader, "7.4"))
    if position.in_town(hex_id, PlaceClass.TOWN) and not position.besieged(side, hex_id):
        result.append(law.modifier("recovery.town"))
    if hex_id in position.pressed[side.enemy]:
        result.append(law.modifier("recovery.enemy"))
    return tuple(result)


def _recover_stack(ledger: Ledger[State], side: Side, hex_id: HexId) -> None:
    state = ledger.state
    shaken = [unit for unit in board(state).stack(side, hex_id) if unit.disrupted]
    if not shaken:
        return
    changed = recovery_modifiers(state, side, hex_id)
    shaken.sort(key=lambda unit: (unit.quality, unit.id))
    for quality, group in groupby(shaken, key=lambda unit: unit.quality):
        _roll_for(ledger, quality, list(group), changed)


def _roll_for(
    ledger: Ledger[State], quality: Quality, units: list[Unit], changed: tuple[Modifier, ...]
) -> None:
    """Roll a die for each unit, recorded as one roll for a quality in a stack."""
    law = laws(ledger.state)
    dice = ledger.throw(len(units))
    results = [law.recovery(quality, total((die,), changed)) for die in dice]
    back = tuple(
        unit.id
        for unit, result in zip(units, results, strict=True)
        if result is RecoveryResult.RECOVERED
    )
    lost = tuple(
        unit.id
        for unit, result in zip(units, results, strict=True)
        if result is RecoveryResult.ELIMINATED
    )
    ledger.keep(
        Roll(
            "Recovery, a die for each unit",
            "5.2 V",
            dice,
            modifiers=changed,
            result=f"{len(back)} recover, {len(lost)} are lost",
            table="recovery",
            side=units[0].side,
        )
    )
    ledger.emit(e.Recovered(back))
    remove(ledger, lost, "recovery")
