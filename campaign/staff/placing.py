"""Where new units stand, and other hexes that a side may choose (3.1, 5.2 I, 6.1, 7.2)."""

from collections.abc import Sequence

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.options import Options
from campaign.rules.pieces import RIVER_CRAFT, Side
from campaign.rules.questions import ToChooseHex
from campaign.rules.state import State, Unit, asked
from campaign.staff import egyptian, mahdist
from campaign.staff.scene import Scene, scene, size


def reinforce(state: State, offered: Options) -> a.AnyAction:
    """Each group is placed as a whole; when all are placed the phase is finished."""
    if offered.done:
        return a.Done()
    view = scene(state, offered.side)
    group = offered.arrivals[0]
    due = state.due[group.group]
    best = min(group.hexes, key=lambda hex_id: (_cost(view, hex_id, due.units), hex_id))
    return a.Place(group.group, best)


def _cost(view: Scene, hex_id: HexId, units: Sequence[Unit]) -> float:
    together = size(units) + size(view.board.land(view.side, hex_id))
    if view.side is Side.MAHDIST:
        far = view.way_to(*mahdist.main_goals(view, hex_id))[hex_id]
        return 3 * view.thirst(hex_id, together) + far
    return egyptian.landing_cost(view, hex_id, units)


def choose_hex(state: State, offered: Options) -> a.AnyAction:
    """The hex that does the side most good."""
    view = scene(state, offered.side)
    purpose = asked(state, ToChooseHex).purpose
    judge = _JUDGES.get(purpose, _useful)
    return a.Choose(min(offered.hexes, key=lambda hex_id: (judge(view, hex_id), hex_id)))


def _useful(view: Scene, hex_id: HexId) -> float:
    """Near what the side is after, and where men do not die of thirst."""
    if view.side is Side.EGYPTIAN:
        far = view.way_to(egyptian.objective(view))[hex_id]
        return far - view.own_power.get(hex_id, 0)
    far = view.way_to(*mahdist.main_goals(view, hex_id))[hex_id]
    return far + 3 * view.thirst(hex_id, size(view.board.land(view.side, hex_id)) + 3)


def _haven(view: Scene, hex_id: HexId) -> float:
    """For craft that are driven off: away from the enemy, among friends."""
    craft = sum(unit.kind in RIVER_CRAFT for unit in view.board.stack(view.side, hex_id))
    return view.threat(hex_id, 1) - view.own_power.get(hex_id, 0) - craft


def _strongest(view: Scene, hex_id: HexId) -> float:
    return -view.own_power.get(hex_id, 0)


_JUDGES = {"craft displaced": _haven, "khalifa placed": _strongest}
