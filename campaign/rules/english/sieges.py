"""Which places are under siege, and how that changes (9.12)."""

from campaign.rules.board import board, chart
from campaign.rules.map import HexId
from campaign.rules.pieces import Side
from campaign.rules.state import State

Sieges = dict[HexId, Side]


def sieges(state: State) -> Sieges:
    """The places with troops in them that the enemy stands next to, and who is shut in there."""
    position = board(state)
    return {
        hex_id: side
        for side in Side
        for hex_id in position.hexes(side)
        if chart(state).hexes[hex_id].place
        and position.land(side, hex_id)
        and position.besieged(side, hex_id)
    }
