"""Whether to open a supply unit or to trust to the country (10.1, 10.2)."""

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.options import Options
from campaign.rules.pieces import Kind, UnitId
from campaign.rules.state import State
from campaign.staff.scene import Scene, is_british, named, scene, size
from campaign.staff.thirst import tolls
from campaign.staff.worth import cheapest, worth

BRITISH = 40.0
"""What one British unit lost to thirst is worth: it costs the victory (4.2)."""

SIEGE = "siege-of-khartoum"

SUPPLY = 7.0
"""What a supply unit is worth."""


def draw_supply(state: State, offered: Options) -> a.AnyAction:
    """A supply unit is opened when the thirst it prevents would cost more.

    The last one in Khartoum wins the siege by being there, and is opened only in great need.
    """
    view, here = scene(state, offered.side), offered.hexes[0]
    price = SUPPLY
    if _is_the_relief(view, here):
        price = BRITISH * 0.4
    if feared(view, here) > price:
        return a.Supply(offered.sources[0])
    return a.Supply(UnitId(0))


def _is_the_relief(view: Scene, hex_id: HexId) -> bool:
    """Whether the one supply unit in this hex would win the campaign (4.2)."""
    here = named(view.board.land(view.side, hex_id), Kind.SUPPLY)
    wanted = hex_id == view.hex("Khartoum") and view.state.scenario == SIEGE
    return wanted and len(here) == 1


def feared(view: Scene, hex_id: HexId) -> float:
    """What thirst is expected to cost the stack in this hex, in the worth of units."""
    units = view.board.land(view.side, hex_id)
    together = size(units)
    total = 0.0
    for hit, chance in tolls(view.state, view.side, hex_id, together):
        lost = cheapest(units, hit, mourn=True)
        total += chance * sum(BRITISH if is_british(unit) else worth(unit) for unit in lost)
    return total
