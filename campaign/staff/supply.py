"""Whether to open a supply unit or to trust to the country (10.1, 10.2)."""

from campaign.rules import actions as a
from campaign.rules import victory_data as v
from campaign.rules.board import scenario_of
from campaign.rules.map import HexId
from campaign.rules.options import Options
from campaign.rules.pieces import Kind, UnitId
from campaign.rules.state import State
from campaign.staff.scene import Scene, is_british, named, scene, size
from campaign.staff.thirst import tolls
from campaign.staff.worth import cheapest, worth

BRITISH = 40.0
"""What one British unit lost to thirst is worth: it costs the victory (4.2)."""

SUPPLY = 7.0
"""What a supply unit is worth."""


def draw_supply(state: State, offered: Options) -> a.AnyAction:
    """A supply unit is opened when the thirst it prevents would cost more.

    The last one in a place where supply wins the campaign is opened only in great need.
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
    wanted = any(
        isinstance(one, v.UnitArrived)
        and (one.winner, one.unit) == (view.side, Kind.SUPPLY)
        and hex_id in map(view.hex, one.places)
        for one in scenario_of(view.state).victory
    )
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
