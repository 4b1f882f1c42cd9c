"""Choose hexes for the staff: set-up, arrivals, events, displaced craft and retreats.

Units are withdrawn and dismounted with the arrivals. Clauses 2.1, 3.1, 5.2 I, 6.1, 7.2 and 9.8.
"""

from collections.abc import Sequence
from math import ceil

from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core.options import Options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToChooseHex, ToRetreat
from campaign.rules.core.state import Unit, open_question
from campaign.rules.map import HexId
from campaign.rules.stacks import allowance
from campaign.staff import egyptian, mahdist
from campaign.staff.columns import chance_of_no_march
from campaign.staff.losses import cheapest, worth
from campaign.staff.scene import (
    StaffScene,
    ids,
    is_british,
    is_fighter,
    power,
    size,
    tolls,
    units_of_kind,
)
from campaign.staff.stopping_places import shelter


def set_up(view: StaffScene, offered: Options) -> a.AnyAction:
    """Better the set-up that comes with the scenario where it is free (2.1).

    The Egyptian player's town with more mouths than a siege spares sends its worst battalions to
    the other place that it may hold; Mahdist hosts far from their aim begin as near as they may.
    """
    better = _spread_battalions if view.side is Side.EGYPTIAN else _closer
    return (better(view, offered) if view.plans.shrewd else None) or a.Done()


def _spread_battalions(view: StaffScene, offered: Options) -> a.Deploy | None:
    """Return the move of the town's worst battalion to a place with fewer mouths, if any."""
    for unit_id in sorted(
        offered.deployments, key=lambda candidate: _rank(view.state.units[candidate])
    ):
        unit = view.state.units[unit_id]
        if unit.kind is not TroopKind.INFANTRY or view.plans.leave:
            continue
        mouths = _mouths(view, unit.hex)
        destination = min(
            offered.deployments[unit_id], key=lambda hex_id: (_mouths(view, hex_id), hex_id)
        )
        if mouths > SPARED and _mouths(view, destination) + 1 < min(mouths, SPARED):
            return a.Deploy((unit_id,), destination)
    return None


def _rank(unit: Unit) -> tuple[float, int]:
    return worth(unit), unit.id


def _mouths(view: StaffScene, hex_id: HexId) -> int:
    """Return those who eat in a siege there; townsfolk are sent away from it."""
    return len(view.hosts.get(hex_id, ()))


SPARED = 6
"""The mouths that a siege spares in most months (10.3)."""

FAR_OFF = 14
"""Movement points from its aim beyond which a host sets up elsewhere."""


def _closer(view: StaffScene, offered: Options) -> a.Deploy | None:
    """Return the move of a host, its leader with it, to an empty hex nearer to its aim, if any."""
    occupied = view.board.occupied[view.side]
    for hex_id in sorted(view.hosts):
        units = view.board.stack(view.side, hex_id)
        way = view.way_to(*mahdist.main_goals(view, hex_id))
        free = [
            {target for target in offered.deployments.get(unit.id, ()) if target not in occupied}
            for unit in units
        ]
        shared = set.intersection(*free) if free else set()
        best = min(shared, key=lambda target: (way[target], target), default=hex_id)
        if way[hex_id] > FAR_OFF and way[best] < way[hex_id]:
            return a.Deploy(ids(units), best)
    return None


def reinforce(view: StaffScene, offered: Options) -> a.AnyAction:
    """Withdraw and dismount where it helps, then place each group as a whole."""
    if leaving := withdrawn(view):
        return a.Withdraw(ids(leaving))
    if riders := _to_dismount(view, offered):
        return a.Dismount(riders)
    if offered.done:
        return a.Done()
    group = offered.arrivals[0]
    due = view.state.due[group.group]
    best = min(group.hexes, key=lambda hex_id: (_cost(view, hex_id, due.units), hex_id))
    return a.Place(group.group, best)


def withdrawn(view: StaffScene) -> list[Unit]:
    """Return the units to take off the map: mouths of a siege, and British who would die of thirst.

    Townsfolk who are not to break out eat the garrison's food (10.2). British units come back after
    two months, while their death by thirst would cost the victory (3.3, 4.2). Nobody takes Gordon
    or another leader of troops away: what no commander would do is not done.
    """
    if view.side is Side.MAHDIST:
        return []
    for hex_id in sorted(view.board.hexes(view.side)):
        land = view.board.land(view.side, hex_id)
        if not view.thirst(hex_id, size(land)):
            continue
        mouths = units_of_kind(land, TroopKind.CIVILIANS)
        if mouths and view.plans.shrewd and view.besieged(hex_id) and not view.plans.leave:
            return mouths
        parched = _units_likely_to_die(view, hex_id, land)
        if parched:
            return parched
    return []


def _units_likely_to_die(view: StaffScene, hex_id: HexId, land: Sequence[Unit]) -> list[Unit]:
    """Return the British units here who are likely to die of thirst or hunger this turn.

    Egyptian units are lost first. In a siege as many go as the worst roll could take.
    """
    british = [unit for unit in land if is_british(unit)]
    if not british or not view.bars_victory:
        return []
    if units_of_kind(land, TroopKind.SUPPLY):
        return []
    others = len([unit for unit in land if is_fighter(unit)]) - len(british)
    odds = tolls(view.state, view.side, hex_id, size(land))
    dying = sum(chance * max(0, hit - others) for hit, chance in odds)
    if view.besieged(hex_id):
        worst = max(hit for hit, _ in odds) - others
        deaths = max(0, min(worst, len(british) - KEPT))
        return cheapest(british, deaths) if dying > DYING else []
    marches = ceil(shelter(view, size(land))[hex_id] / max(1, allowance(view.law, land)))
    stuck = 1 - (1 - chance_of_no_march(view, land)) ** marches
    dying *= stuck if marches <= view.law.number("march.marches") else 1
    return british if dying > DYING else []


KEPT = 4
"""The British units that stay in a besieged place to hold it."""

DYING = 1.0
"""The British units expected to die, above which their like are withdrawn."""


def _to_dismount(view: StaffScene, offered: Options) -> tuple[UnitId, ...]:
    """Return Camel Corps units whose camels are to carry supply that has none (8.24)."""
    needed = view.law.number("camel.dismount")
    for riders in offered.riders:
        stack = view.board.stack(view.side, view.state.units[riders[0]].hex)
        supply = [unit for unit in units_of_kind(stack, TroopKind.SUPPLY) if not unit.disrupted]
        idle = not supply or units_of_kind(stack, TroopKind.CAMEL)
        # At least one still rides when the others have given up their camels.
        if idle or view.besieged(stack[0].hex) or len(riders) <= needed:
            continue
        return riders[:needed]
    return ()


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
    unit_ids = {unit.id for unit in units}
    others = [unit for unit in friends if unit.id not in unit_ids]
    misery = view.threat(hex_id, 1) / 4 + 2 * view.thirst(hex_id, size(units) + size(others))
    misery -= min(6.0, power(view.law, others) / 2)
    if view.ground.hexes[hex_id].place and view.board.holds(view.side, hex_id):
        misery -= 2
    return misery
