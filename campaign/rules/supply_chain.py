"""Chains of supply units: six movement points a link, railways for nothing (10.2)."""

from campaign.rules.board import board, chart, laws
from campaign.rules.map import HexId
from campaign.rules.march.rail import open_rails
from campaign.rules.march.reach import Bars, bars, search
from campaign.rules.pieces import Kind, Side, UnitId
from campaign.rules.state import State, Unit


def furthest(state: State, side: Side, hex_id: HexId) -> tuple[UnitId, ...]:
    """The supply units used up by a stack here: those at the far end of the chain (10.2).

    The chain starts with the supply in the stack's own hex; more than one unit comes back when
    several lie equally far.
    """
    links = _links(state, side, hex_id)
    most = max(links.values())
    return tuple(sorted(unit_id for unit_id, far in links.items() if far == most))


def _links(state: State, side: Side, hex_id: HexId) -> dict[UnitId, int]:
    """Every supply unit of the chain from this hex with its distance along it.

    A siege cuts the place off from all but what it has itself (9.12).
    """
    depots = _depots(state, side)
    if board(state).besieged(side, hex_id):
        return {unit.id: 0 for unit in depots[hex_id]}
    barred = _with_rails(bars(state, side), _free_rails(state, side))
    link = laws(state).number("supply.chain")
    found: dict[UnitId, int] = {unit.id: 0 for unit in depots.pop(hex_id, [])}
    ends = [(0, hex_id)]
    while ends and depots:
        far, here = ends.pop(0)
        for there, cost in search(barred, here, link).costs.items():
            for unit in depots.pop(there, []):
                found[unit.id] = far + cost
                ends.append((far + cost, there))
    return found


def _free_rails(state: State, side: Side) -> frozenset[HexId]:
    """The railway hexes that are free of every enemy unit, leaders and craft too (10.2)."""
    return open_rails(state, side) - set(board(state).hexes(side.enemy))


def _depots(state: State, side: Side) -> dict[HexId, list[Unit]]:
    depots: dict[HexId, list[Unit]] = {}
    for unit in board(state).units:
        if unit.kind is Kind.SUPPLY and unit.side is side and unit.hex in chart(state).hexes:
            depots.setdefault(unit.hex, []).append(unit)
    return depots


def _with_rails(barred: Bars, rails: frozenset[HexId]) -> Bars:
    """The same ways, but an open railway hex is entered for nothing from the one before it."""
    ways = list(barred.ways)
    for here in rails:
        ways[here] = tuple(
            (there, 0, False) if there in rails else (there, cost, river)
            for there, cost, river in ways[here]
        )
    return barred._replace(ways=tuple(ways), changed=barred.changed | rails, rails=rails)
