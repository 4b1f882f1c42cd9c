"""Whether to open a supply unit or to trust to the country (10.1, 10.2)."""

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.options import Options
from campaign.rules.pieces import UnitId
from campaign.rules.state import State
from campaign.staff.scene import Scene, is_british, scene, size
from campaign.staff.thirst import tolls
from campaign.staff.worth import cheapest, worth

BRITISH = 40.0
"""What one British unit lost to thirst is worth: it costs the victory (4.2)."""

SUPPLY = 7.0
"""What a supply unit is worth."""


def draw_supply(state: State, offered: Options) -> a.AnyAction:
    """A supply unit is opened when the thirst it prevents would cost more."""
    view = scene(state, offered.side)
    if feared(view, offered.hexes[0]) > SUPPLY:
        return a.Supply(offered.sources[0])
    return a.Supply(UnitId(0))


def feared(view: Scene, hex_id: HexId) -> float:
    """What thirst is expected to cost the stack in this hex, in the worth of units."""
    units = view.board.land(view.side, hex_id)
    together = size(units)
    total = 0.0
    for hit, chance in tolls(view.state, view.side, hex_id, together):
        lost = cheapest(units, hit, steady_first=False)
        total += chance * sum(BRITISH if is_british(unit) else worth(unit) for unit in lost)
    return total
