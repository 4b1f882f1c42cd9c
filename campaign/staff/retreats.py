"""Where a beaten stack goes (9.8)."""

from collections.abc import Sequence

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.options import Options
from campaign.rules.pieces import Side
from campaign.rules.questions import ToRetreat
from campaign.rules.state import State, Unit, asked
from campaign.staff.plans import plans_of
from campaign.staff.scene import Scene, is_fighter, power, scene, size


def retreat(state: State, offered: Options) -> a.AnyAction:
    """The beaten stack stands fast where it may and should, else goes to the best refuge."""
    view = scene(state, offered.side)
    question = asked(state, ToRetreat)
    units = view.board.named(question.units)
    if question.free and _stands_fast(view, question.hex, units):
        return a.Retreat(())
    if offered.back_along:
        return a.Retreat(_back(view, offered.back_along, units))
    if offered.reach is None or len(offered.reach.costs) < 2:
        return a.Retreat(())
    refuges = [hex_id for hex_id in sorted(offered.reach.costs) if hex_id != question.hex]
    return a.Retreat(offered.reach.path(_best(view, refuges, units)))


def _stands_fast(view: Scene, hex_id: HexId, units: Sequence[Unit]) -> bool:
    """A town is held, unless nobody in it can still fight and much comes against it."""
    place = view.ground.hexes[hex_id].place
    if view.side is Side.EGYPTIAN and place in plans_of(view.state).never_yielded:
        return True
    own = power(view.law, [unit for unit in units if is_fighter(unit) and not unit.disrupted])
    return own * 2 >= view.threat(hex_id, 1)


def _back(view: Scene, way: tuple[HexId, ...], units: Sequence[Unit]) -> tuple[HexId, ...]:
    stop = _best(view, way, units)
    return way[: way.index(stop) + 1]


def _best(view: Scene, refuges: Sequence[HexId], units: Sequence[Unit]) -> HexId:
    return min(refuges, key=lambda hex_id: (_misery(view, hex_id, units), hex_id))


def _misery(view: Scene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """How bad a refuge is: enemies beside it, thirst, no friends, no walls."""
    friends = view.board.land(view.side, hex_id)
    mine = {unit.id for unit in units}
    others = [unit for unit in friends if unit.id not in mine]
    misery = view.threat(hex_id, 1) / 4 + 2 * view.thirst(hex_id, size(units) + size(others))
    misery -= min(6.0, power(view.law, others) / 2)
    if view.ground.hexes[hex_id].place and view.board.holds(view.side, hex_id):
        misery -= 2
    return misery
