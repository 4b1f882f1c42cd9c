"""Findings on an order sheet while it is written, and the checks for pointless orders.

An order is pointless if it is lawful but serves no purpose.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from battles.contract.brief import Side, TroopKind
from campaign.orders.march_start import destination, is_strike, locate_hex
from campaign.orders.order_sheet import (
    ContactPolicy,
    DeployOrder,
    MarchOrder,
    Order,
    PlaceOrder,
    StayOrder,
)
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.state import DueUnits, State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex
from campaign.rules.prose.phrases import capitalise, count_noun, join_words
from campaign.rules.reinforcements import landing_places
from campaign.rules.stacks import melee_factor


class Severity(StrEnum):
    """The severity of a finding."""

    IMPOSSIBLE = "impossible"
    POINTLESS = "pointless"
    UNCERTAIN = "uncertain"
    NOTE = "note"


MOST_PLACES = 4
"""The most places that a finding on arrivals names; men drawn from the pool may join any stack."""
_WORST_FIRST = (Severity.IMPOSSIBLE, Severity.UNCERTAIN, Severity.POINTLESS, Severity.NOTE)


class SheetSection(StrEnum):
    """The part of the sheet that a finding is about."""

    ORDER = "order"
    REINFORCEMENT = "reinforcement"
    SHEET = "sheet"


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding on a part of a sheet, such as its order `number`, counted from 0."""

    part: SheetSection
    number: int
    verdict: Severity
    said: str
    clause: str = ""
    remedy: str = ""
    hex: HexId = HexId(0)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with the worst first, else in their order."""
    return sorted(findings, key=lambda finding: _WORST_FIRST.index(finding.verdict))


def pointless_order(state: State, number: int, order: Order) -> Iterator[Finding]:
    """Yield findings on what is lawful in that order but without use."""
    if isinstance(order, DeployOrder):
        return
    for message, remedy in _of_any(state, order):
        yield Finding(
            SheetSection.ORDER, number, Severity.POINTLESS, message, "", remedy, order.hex
        )


def _of_any(state: State, order: Order) -> Iterator[tuple[str, str]]:
    units = getattr(order, "units", ())
    gone = [unit for unit in units if unit not in state.units]
    if isinstance(order, StayOrder):
        if units and len(gone) == len(units):
            yield "None of the units named is in play.", "Name others, or leave the order out."
        return
    if gone and len(gone) < len(units):
        named = f"{capitalise(count_noun(len(gone), 'unit'))} named"
        verb, them = ("is", "it") if len(gone) == 1 else ("are", "them")
        yield f"{named} {verb} not in play any more.", f"Leave {them} out."
    if len(set(units)) < len(units):
        yield "A unit is named twice.", "Name each unit once."
    if isinstance(order, MarchOrder):
        yield from _of_march(state, order)


def _of_march(state: State, order: MarchOrder) -> Iterator[tuple[str, str]]:
    yield from _of_legs(state, order)
    units = board(state).named(order.units)
    attacks = order.contact is ContactPolicy.ATTACK or any(map(is_strike, order.legs))
    if attacks and units and not any(_can_attack(state, unit) for unit in units):
        yield "Nobody in this stack can attack.", "Send fighting units with it, or let it stop."
    if not (attacks or order.drive_off) and (order.least_odds or order.go_on):
        yield "It attacks nobody, so least odds and going on say nothing.", "Let it attack."
    if order.storm and not attacks:
        yield "It attacks nobody, so it cannot storm.", "Let it attack."
    sallies = order.drive_off and order.legs and order.hex in chart(state).hexes
    if sallies and not board(state).besieged(_side(state, order), order.hex):
        yield "Nobody besieges it, so there is nobody to drive off.", "Leave that out."
    stray = {unit for drop in order.drops for unit in drop.units} - set(order.units)
    if stray:
        yield "Units are to be dropped off that are not of the stack.", "Name units of the stack."
    if order.leader and order.without_leader:
        yield "It names a leader, and is to march without one.", "Leave out one of the two."
    if order.leader and order.leader not in order.units:
        yield "The leader named does not go with the stack.", "Take him along, or name another."
    elif order.leader in state.units and state.units[order.leader].kind is not TroopKind.LEADER:
        yield "The unit named as leader is none.", "Name a leader of the stack."


def _side(state: State, order: MarchOrder) -> Side:
    units = board(state).named(order.units)
    return units[0].side if units else state.side


def _can_attack(state: State, unit: Unit) -> bool:
    """Return whether the unit can melee, or attack enemy craft by itself (6.1, 9.4)."""
    return unit.kind is TroopKind.GUNBOAT or melee_factor(laws(state), unit) > 0


def _of_legs(state: State, order: MarchOrder) -> Iterator[tuple[str, str]]:
    """Yield the legs that lead to where the stack already stands, and attacks on nobody."""
    if goes_nowhere(order):
        message = f"The stack stands {locate_hex(state, order.hex)} already"
        yield f"{message}; a throw for a march can only cost it units.", "Let it stay."
        return
    position = order.hex
    for leg in order.legs:
        goal = destination(leg)
        if goal == position:
            yield f"The stack stands {locate_hex(state, goal)} already.", "Leave that leg out."
        if is_strike(leg) and goal not in board(state).occupied[_side(state, order).enemy]:
            remedy = "Name a hex where an enemy stands, or let the stack move in."
            yield f"No enemy is known {locate_hex(state, goal)}.", remedy
        # It attacks from a hex beside the goal, nobody knows yet which.
        position = HexId(0) if is_strike(leg) else goal


def goes_nowhere(order: MarchOrder) -> bool:
    """Return whether every leg of the order ends where its stack stands."""
    return bool(order.legs) and all(destination(leg) == order.hex for leg in order.legs)


def pointless_arrival(
    state: State, side: Side, number: int, order: PlaceOrder
) -> Iterator[Finding]:
    """Yield findings on an order for arrivals: no such unit due, or nowhere to land."""
    meant = _groups_meant(state, side, order)
    if not order.hexes:
        yield _arrival(number, "It names no hex.", "Name where they are to stand.")
    elif order.units and not meant:
        yield _arrival(number, "None of these units is due.", "Name units that are to come.")
    elif meant:
        yield from _of_landing(state, side, number, order)


def _groups_meant(state: State, side: Side, order: PlaceOrder) -> list[DueUnits]:
    due = [group for group in state.due if group.units[0].side is side]
    return [group for group in due if _is_meant(group, order)]


def _is_meant(group: DueUnits, order: PlaceOrder) -> bool:
    if order.units:
        return any(unit.id in order.units for unit in group.units)
    return not order.reason or group.reason == order.reason


def _of_landing(state: State, side: Side, number: int, order: PlaceOrder) -> Iterator[Finding]:
    """Yield the hexes, if any, in which none of the units meant may arrive (3.1)."""
    open_to = {
        hex_id
        for group in _groups_meant(state, side, order)
        for hex_id in landing_places(state, side, group, group.units)
    }
    shut = [hex_id for hex_id in order.hexes if hex_id not in open_to]
    if not shut:
        return
    places = [locate_hex(state, hex_id) for hex_id in shut]
    verdict = Severity.IMPOSSIBLE
    message = f"They cannot arrive {join_words(places, 'or')}."
    if len(shut) < len(order.hexes) or not (order.units or order.reason):
        verdict = Severity.POINTLESS
        message = f"Nobody who is due may arrive {join_words(places)}, as things stand."
    remedy = "Name a place they are due at."
    if 0 < len(open_to) <= MOST_PLACES:
        named = join_words([describe_hex(hex_id) for hex_id in sorted(open_to)], "or")
        remedy = f"Name a place they are due at: {named}."
    yield Finding(SheetSection.REINFORCEMENT, number, verdict, message, "3.1", remedy)


def _arrival(number: int, message: str, remedy: str) -> Finding:
    return Finding(SheetSection.REINFORCEMENT, number, Severity.POINTLESS, message, "", remedy)
