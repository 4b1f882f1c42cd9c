"""The stacks of a view in words: one's own whole, the enemy's as far as it is known."""

from typing import NamedTuple

from battles.contract.troops import Side
from campaign.orders.prospects import ThirstShare, thirst
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack, labels
from campaign.rules.prose.phrases import capitalise
from campaign.rules.sight import Sighting, View
from campaign.rules.stacks import allowance, countable_units, ids
from campaign.rules.supply import supply_sources
from campaign.views.order_of_battle import strength


class Ours(NamedTuple):
    """A stack of which everything is known."""

    hex: HexId
    side: Side
    place: str
    words: str
    labels: tuple[tuple[UnitId, str], ...]
    units: int
    strength: int
    points: int
    disrupted: int
    besieged: bool
    thirst: ThirstShare
    supply: str


class Enemy(NamedTuple):
    """An enemy stack as it is known: `since` is the month it was seen in, if that is over."""

    hex: HexId
    side: Side
    place: str
    words: str
    since: str


def ours(state: State, side: Side) -> list[Ours]:
    """The stacks of a side that are wholly known, in the order of their numbers."""
    return [_ours(state, side, hex_id) for hex_id in board(state).hexes(side)]


def _ours(state: State, side: Side, hex_id: HexId) -> Ours:
    stack = board(state).stack(side, hex_id)
    return Ours(
        hex_id,
        side,
        describe_hex(hex_id),
        describe_stack(stack),
        tuple(zip(ids(stack), labels(stack), strict=True)),
        len(countable_units(stack)),
        strength(stack),
        allowance(laws(state), stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
        thirst(state, side, hex_id, len(countable_units(stack))),
        _supply(state, side, hex_id),
    )


def _supply(state: State, side: Side, hex_id: HexId) -> str:
    """Where the supply is that would feed the stack; nothing when it must live off the country."""
    sources = supply_sources(state, side, hex_id)
    if not sources:
        return ""
    there = state.units[sources[0]].hex
    return "here" if there == hex_id else describe_hex(there)


def enemies(view: View) -> list[Enemy]:
    """What is known of the enemy of the side that looks: what it sees, and what it saw last."""
    side = view.viewer.enemy if isinstance(view.viewer, Side) else None
    known = (
        [] if side is None else [_known(view, side, one) for one in board(view.state).hexes(side)]
    )
    sighted = [_sighted(one) for one in view.sightings]
    return [*known, *sighted, *(_remembered(one) for one in view.markers)]


def seen_in(view: View, hex_id: HexId) -> list[Enemy]:
    """What is sighted or remembered of this hex beside the stacks that are wholly known."""
    here = [_sighted(one) for one in view.sightings if one.hex == hex_id]
    return [*here, *(_remembered(one) for one in view.markers if one.hex == hex_id)]


def _known(view: View, side: Side, hex_id: HexId) -> Enemy:
    stack: list[Unit] = board(view.state).stack(side, hex_id)
    return Enemy(hex_id, side, describe_hex(hex_id), capitalise(describe_stack(stack)), "")


def _sighted(one: Sighting) -> Enemy:
    words = f"{capitalise(str(one.size))} of the enemy, {one.size.words}"
    return Enemy(one.hex, one.side, describe_hex(one.hex), words, "")


def _remembered(one: Sighting) -> Enemy:
    words = describe_stack(one.units) if one.units else f"{one.size}, {one.size.words}"
    return Enemy(
        one.hex, one.side, describe_hex(one.hex), capitalise(words), month_name(Month(one.month))
    )
