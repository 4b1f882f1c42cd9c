"""The stacks of a view in words: one's own whole, the enemy's as far as it is known."""

from typing import NamedTuple

from campaign.orders.prospects import Thirst, thirst
from campaign.rules.board import board, laws
from campaign.rules.english import labels, stack_in_words, where
from campaign.rules.english.words import capital
from campaign.rules.map import HexId
from campaign.rules.pieces import Month, Side, UnitId, month_name
from campaign.rules.sight import Sighting, View
from campaign.rules.stacking import allowance, counted, ids
from campaign.rules.state import State, Unit
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
    thirst: Thirst
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
        where(hex_id),
        stack_in_words(stack),
        tuple(zip(ids(stack), labels(stack), strict=True)),
        len(counted(stack)),
        strength(stack),
        allowance(laws(state), stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
        thirst(state, side, hex_id, len(counted(stack))),
        _supply(state, side, hex_id),
    )


def _supply(state: State, side: Side, hex_id: HexId) -> str:
    """Where the supply is that would feed the stack; nothing when it must live off the country."""
    sources = supply_sources(state, side, hex_id)
    if not sources:
        return ""
    there = state.units[sources[0]].hex
    return "here" if there == hex_id else where(there)


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
    return Enemy(hex_id, side, where(hex_id), capital(stack_in_words(stack)), "")


def _sighted(one: Sighting) -> Enemy:
    words = f"{capital(str(one.size))} of the enemy, {one.size.words}"
    return Enemy(one.hex, one.side, where(one.hex), words, "")


def _remembered(one: Sighting) -> Enemy:
    words = stack_in_words(one.units) if one.units else f"{one.size}, {one.size.words}"
    return Enemy(one.hex, one.side, where(one.hex), capital(words), month_name(Month(one.month)))
