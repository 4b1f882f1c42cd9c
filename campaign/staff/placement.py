"""Choose hexes for the staff: for arrivals, events, displaced craft and retreats.

Clauses 3.1, 5.2 I, 6.1, 7.2 and 9.8.
"""

from collections.abc import Sequence

from battles.contract.brief import RIVER_CRAFT, Side
from campaign.rules.core import actions as a
from campaign.rules.core.options import Options
from campaign.rules.core.questions import ToChooseHex, ToRetreat
from campaign.rules.core.state import Unit, open_question
from campaign.rules.map import HexId
from campaign.staff import egyptian, mahdist
from campaign.staff.scene import StaffScene, is_fighter, power, size


def reinforce(view: StaffScene, offered: Options) -> a.AnyAction:
    """Place the next group as a whole; end the phase when all are placed."""
    if offered.done:
        return a.Done()
    group = offered.arrivals[0]
    due = view.state.due[group.group]
    best = min(group.hexes, key=lambda hex_id: (_cost(view, hex_id, due.units), hex_id))
    return a.Place(group.group, best)


def _cost(view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> float:
    together = size(units) + size(view.board.land(view.side, hex_id))
    if view.side is Side.MAHDIST:
        far = view.way_to(*mahdist.main_goals(view, hex_id))[hex_id]
        return 3 * view.thirst(hex_id, together) + far
    return egyptian.landing_cost(view, hex_id, units)


def choose_hex(view: StaffScene, offered: Options) -> a.AnyAction:
    """Return the hex that does the side most good."""
    purpose = open_question(view.state, ToChooseHex).purpose
    judge = _JUDGES.get(purpose, _useful)
    return a.Choose(min(offered.hexes, key=lambda hex_id: (judge(view, hex_id), hex_id)))


def _useful(view: StaffScene, hex_id: HexId) -> float:
    """Return the distance of a hex from the side's goal, with a penalty for thirst."""
    if view.side is Side.EGYPTIAN:
        far = view.way_to(egyptian.objective(view))[hex_id]
        return far - view.own_power.get(hex_id, 0)
    far = view.way_to(*mahdist.main_goals(view, hex_id))[hex_id]
    return far + 3 * view.thirst(hex_id, size(view.board.land(view.side, hex_id)) + 3)


def _haven(view: StaffScene, hex_id: HexId) -> float:
    """Return the badness of a refuge for displaced craft: near the enemy, far from friends."""
    craft = sum(unit.kind in RIVER_CRAFT for unit in view.board.stack(view.side, hex_id))
    return view.threat(hex_id, 1) - view.own_power.get(hex_id, 0) - craft


def _strongest(view: StaffScene, hex_id: HexId) -> float:
    return -view.own_power.get(hex_id, 0)


_JUDGES = {"craft displaced": _haven, "khalifa placed": _strongest}


def retreat(view: StaffScene, offered: Options) -> a.AnyAction:
    """Have the beaten stack stand fast if it may and should, else go to the best refuge."""
    question = open_question(view.state, ToRetreat)
    units = view.board.named(question.units)
    if question.free and _stands_fast(view, question.hex, units):
        return a.Retreat(())
    if offered.back_along:
        return a.Retreat(_back(view, offered.back_along, units))
    if offered.reach is None or len(offered.reach.costs) < 2:
        return a.Retreat(())
    refuges = [hex_id for hex_id in sorted(offered.reach.costs) if hex_id != question.hex]
    return a.Retreat(offered.reach.path(_best(view, refuges, units)))


def _stands_fast(view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    """Return whether a beaten stack holds its town: it can still fight, or must never yield."""
    place = view.ground.hexes[hex_id].place
    if view.side is Side.EGYPTIAN and place in view.plans.never_yielded:
        return True
    own = power(view.law, [unit for unit in units if is_fighter(unit) and not unit.disrupted])
    return own * 2 >= view.threat(hex_id, 1)


def _back(view: StaffScene, way: tuple[HexId, ...], units: Sequence[Unit]) -> tuple[HexId, ...]:
    stop = _best(view, way, units)
    return way[: way.index(stop) + 1]


def _best(view: StaffScene, refuges: Sequence[HexId], units: Sequence[Unit]) -> HexId:
    return min(refuges, key=lambda hex_id: (_misery(view, hex_id, units), hex_id))


def _misery(view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """Return the badness of a refuge: enemies beside it, thirst, no friends, no walls."""
    friends = view.board.land(view.side, hex_id)
    mine = {unit.id for unit in units}
    others = [unit for unit in friends if unit.id not in mine]
    misery = view.threat(hex_id, 1) / 4 + 2 * view.thirst(hex_id, size(units) + size(others))
    misery -= min(6.0, power(view.law, others) / 2)
    if view.ground.hexes[hex_id].place and view.board.holds(view.side, hex_id):
        misery -= 2
    return misery
