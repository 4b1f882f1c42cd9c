"""Begin an ordered march: who marches, by what route and means, and why not (8.3).

A route by land is found hex by hex, on the map as the stack's side knows it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeGuard

from battles.contract.brief import RIVER_CRAFT, UNCOUNTED, Side, TroopKind
from battles.core.game import IllegalAction
from campaign.orders.headquarters import Headquarters, SeatCommand, commander_of
from campaign.orders.order_sheet import (
    ContactPolicy,
    DismountOrder,
    FootLeg,
    IfBattle,
    Leg,
    MarchOrder,
    OrderOutcome,
    OrderReport,
    RailLeg,
    RiverLeg,
    SeaLeg,
    WithdrawOrder,
)
from campaign.rules.combat.procedure import is_afloat
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import check
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, Map
from campaign.rules.march.land import stations, train_path
from campaign.rules.march.reach import (
    Barriers,
    barrier_costs,
    barriers,
    costs_with_barriers,
    exits,
    forbidden,
    search,
)
from campaign.rules.march.river import craft_ready, voyages
from campaign.rules.prose.names import at_hex, describe_hex
from campaign.rules.prose.phrases import capitalise
from campaign.rules.stacks import able_to_lead, ids, strategic_value
from campaign.rules.tables.book import CampaignTables

REACHES = (40, 400)
"""Movement points to search within, in turn: three marches, then any way on the map."""


def destination(leg: Leg) -> HexId:
    """Return the hex where a leg leads; 0 where it names none."""
    if isinstance(leg, FootLeg | RiverLeg):
        return leg.route[-1] if leg.route else leg.to
    return leg.to


def is_strike(leg: Leg | None) -> TypeGuard[FootLeg]:
    """Return whether the leg ends with an attack on a hex that the stack does not enter (9.1)."""
    return isinstance(leg, FootLeg) and leg.attack_only


def way_of(visible: State, side: Side, leg: FootLeg, start: HexId) -> tuple[HexId, ...]:
    """Return the hexes still to go: the rest of the given route, else the cheapest way."""
    if rest := rest_of(leg.route, start):
        return rest
    if leg.route and leg.route[0] in chart(visible).neighbours.get(start, ()):
        return leg.route
    return way_to(visible, side, start, destination(leg))


def rest_of(way: tuple[HexId, ...], start: HexId) -> tuple[HexId, ...]:
    """Return the rest of the way after a hex of it; nothing if the hex is not on it."""
    return way[len(way) - way[::-1].index(start) :] if start in way else ()


def way_to(visible: State, side: Side, start: HexId, goal: HexId) -> tuple[HexId, ...]:
    """Return the cheapest way round every enemy in sight; through them if there is none.

    Returns () if no way leads there at all. A goal that the enemy holds comes last, from a hex
    beside it on the same bank.
    """
    if goal == start or not _is_land(visible, goal):
        return ()
    round_them = barriers(visible, side)
    through = round_them._replace(blocked=forbidden(scenario_of(visible), side))
    ways = (_way(visible, side, avoided, start, goal) for avoided in (round_them, through))
    return next((way for way in ways if way), ())


def _is_land(visible: State, goal: HexId) -> bool:
    field = chart(visible).hexes.get(goal)
    return field is not None and not field.sea and not field.closed


def _way(
    visible: State, side: Side, barriers: Barriers, start: HexId, goal: HexId
) -> tuple[HexId, ...]:
    ground, law = chart(visible), laws(visible)
    if goal not in board(visible).occupied[side.enemy]:
        return _cheapest(ground, law, barriers, start, (goal,))
    beside = tuple(near for near in ground.neighbours[goal] if (near, goal) not in ground.sides)
    if start in ground.neighbours[goal] and (
        start in beside or board(visible).besieged(side, start)
    ):
        return (goal,)
    around = barriers._replace(blocked=barriers.blocked | {goal})
    way = _cheapest(ground, law, around, start, beside)
    return (*way, goal) if way else ()


# A sheet is gone through once for each event, and asks for the same ways each time.
@lru_cache(maxsize=2048)
def _cheapest(
    ground: Map, law: CampaignTables, barring: Barriers, start: HexId, goals: tuple[HexId, ...]
) -> tuple[HexId, ...]:
    """Return the way to the goal that costs fewest points; () where there is none."""
    open_to = costs_with_barriers(ground, law, barring)
    for points in REACHES:
        reach = search(open_to, start, points, set(goals))
        reachable_goals = [goal for goal in goals if goal in reach.before]
        if reachable_goals:
            return reach.path(min(reachable_goals, key=lambda goal: (reach.costs[goal], goal)))
    return ()


def walk(state: State, way: tuple[HexId, ...], points: int) -> tuple[HexId, ...]:
    """Return the part of the way that the marching stack can go now by land for `points`."""
    return tuple(_hexes_walked(state, way, points))


def _hexes_walked(state: State, way: tuple[HexId, ...], points: int) -> Iterator[HexId]:
    march = state.march
    if march is None:
        return
    barred, position = barrier_costs(state, state.side), march.route[-1]
    for hex_id in way:
        cost = dict(exits(barred, position)).get(hex_id)
        if cost is None or cost > points or board(state).besieged(state.side, position):
            return
        yield hex_id
        points, position = points - cost, hex_id


class OrderImpossible(Exception):
    """An order, or the rest of it, cannot be carried out: says why, with clause and remedy."""

    def __init__(self, message: str, clause: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.clause = clause
        self.remedy = remedy

    def report(self) -> OrderReport:
        """Return the report that the order was not carried out, and why."""
        return OrderReport(OrderOutcome.NOT, str(self), self.clause, self.remedy)


def first_march(
    state: State, headquarters: Headquarters, commander: SeatCommand, order: MarchOrder
) -> a.AnyAction:
    """Return the first action of the stack. Raises OrderImpossible if it cannot be begun."""
    units = ordered_units(state, headquarters, commander, order)
    besieged = board(state).besieged(commander.side, order.hex)
    if order.drive_off and not order.legs and not besieged:
        raise OrderImpossible(
            f"Nobody besieges the stack {locate_hex(state, order.hex)}.",
            "9.12",
            "Let it stay, or give it a destination.",
        )
    legs_to_go = order.legs or order.drive_off
    if not legs_to_go or not all(map(destination, order.legs)):
        raise OrderImpossible("The order has no destination.", "8.3", "Give it a destination.")
    off_the_map = [leg for leg in order.legs if destination(leg) not in chart(state).hexes]
    if off_the_map:
        raise OrderImpossible(
            f"There is no hex {destination(off_the_map[0]):04d} on this map.",
            "8.2",
            "Give a place, or a hex of the map.",
        )
    out_of_play = [leg for leg in order.legs if chart(state).hexes[destination(leg)].closed]
    if out_of_play:
        raise OrderImpossible(
            f"{capitalise(describe_hex(destination(out_of_play[0])))} is outside the country in "
            "play: no march leads there.",
            "8.2",
            "Give a place within it.",
        )
    sallies = order.drive_off and besieged
    first = FootLeg(order.hex) if sallies else order.legs[0]
    return require_lawful(state, begin(state, units, order, first))


def ordered_units(
    state: State,
    headquarters: Headquarters,
    commander: SeatCommand,
    order: MarchOrder | DismountOrder | WithdrawOrder,
) -> list[Unit]:
    """Return the named units that stand in the order's hex, if it counts and the seat may.

    Raises OrderImpossible.
    """
    check_condition(headquarters, commander, order.if_battle)
    present = [unit for unit in board(state).named(order.units) if unit.hex == order.hex]
    own = [unit for unit in present if unit.side is commander.side]
    if not own:
        raise OrderImpossible(
            f"None of the units named stands {locate_hex(state, order.hex)}.",
            "8.3",
            "Order units that stand together, from where they stand.",
        )
    obeys = commander_of(state, headquarters.of(commander.side), order.hex, own)
    if obeys is not None and obeys.seat != commander.seat:
        raise OrderImpossible(
            f"The stack {locate_hex(state, order.hex)} is under {obeys.title}.",
            remedy="Ask for it, or order what is yours.",
        )
    return own


def check_condition(
    headquarters: Headquarters, commander: SeatCommand, condition: IfBattle | None
) -> None:
    """Raise OrderImpossible when a battle has not ended as the order supposes."""
    if not headquarters.counts(commander.side, condition):
        raise OrderImpossible(
            "The battle has not ended as the order supposes, so it does not count."
        )


def require_lawful(state: State, action: a.AnyAction) -> a.AnyAction:
    """Return the action if the rules allow it; raise OrderImpossible in their words if not."""
    try:
        check(state, action)
    except IllegalAction as refusal:
        raise OrderImpossible(refusal.reason, refusal.clause, refusal.remedy) from refusal
    return action


def locate_hex(state: State, hex_id: HexId) -> str:
    """Return the position of a hex in words, even of one that is not on the map."""
    return at_hex(hex_id) if hex_id in chart(state).hexes else f"in hex {hex_id:04d}"


def begin(state: State, units: Sequence[Unit], order: MarchOrder, leg: Leg) -> a.AnyAction:
    """Return the action that starts a leg for units that stand together.

    Raises OrderImpossible.
    """
    start = units[0].hex
    if isinstance(leg, RailLeg):
        way: tuple[HexId, ...] = ()
        if leg.to in stations(state, units[0].side, start):
            way = train_path(state, units[0].side, start, leg.to)
        return a.Rail(ids(units), leg.to, _landings(order, units, way[:-1]))
    if isinstance(leg, RiverLeg):
        return _sail(state, units, order, leg)
    marchers = ids(units)
    if isinstance(leg, SeaLeg) and state.march is None:
        marchers += _fleet_beside(state, units, start)
    return a.March(marchers, _guide(state, units, order))


def _fleet_beside(state: State, units: Sequence[Unit], start: HexId) -> tuple[UnitId, ...]:
    """Return the fleet in this harbour, if it is not part of the stack yet.

    Raises OrderImpossible.
    """
    lying = board(state).stack(units[0].side, start)
    fleet = [unit for unit in lying if unit.kind is TroopKind.FLEET]
    if not fleet:
        raise OrderImpossible(
            f"The fleet does not lie {locate_hex(state, start)}.",
            "8.25",
            "March to its harbour first.",
        )
    return tuple(unit.id for unit in fleet if unit not in units)


def _guide(state: State, units: Sequence[Unit], order: MarchOrder) -> UnitId:
    """Return the leader who helps it march: as ordered, else the best (7.1); 0 for nobody."""
    able = able_to_lead(state, units)
    if order.without_leader:
        return UnitId(0)
    if any(unit.id == order.leader for unit in able):
        return order.leader
    best = max(able, key=lambda unit: (strategic_value(state, unit), -unit.id), default=None)
    if best is None or strategic_value(state, best) <= 0:
        return UnitId(0)
    return best.id


def _sail(state: State, units: Sequence[Unit], order: MarchOrder, leg: RiverLeg) -> a.AnyAction:
    start = units[0].hex
    hulls = _hulls(state, units, leg, start)
    goal = destination(leg)
    if leg.hulls and not hulls:
        raise OrderImpossible(
            f"None of the boats named is ready {locate_hex(state, start)}.",
            "8.23",
            "Name boats that lie there and have not been used this turn, or name none.",
        )
    if not hulls:
        raise OrderImpossible(
            f"No boat or gunboat is ready {locate_hex(state, start)}.",
            "8.23",
            "Sail from where craft lie that have not been used this turn.",
        )
    way = leg.route or voyages(state, start, hulls).get(goal)
    if not way and goal in voyages(state, start, hulls, unopposed=True):
        raise OrderImpossible(
            f"The enemy bars the river from {describe_hex(start)} {leg_target(state, goal)}.",
            "8.23",
            "Choose a hex short of them.",
        )
    if not way:
        raise OrderImpossible(
            f"No river takes these craft from {describe_hex(start)} {leg_target(state, goal)}.",
            "8.23",
            "Choose a hex of the same river that these craft can steer for.",
        )
    attacks = order.contact is ContactPolicy.ATTACK
    if attacks and len(way) > 1 and holds_craft(state, units[0].side.enemy, way[-1]):
        way = way[:-1]
    aboard = {unit.id for unit in units}
    sailing = (*ids(units), *(hull.id for hull in hulls if hull.id not in aboard))
    passengers = [unit for unit in units if unit not in hulls]
    return a.Sail(sailing, way, _landings(order, passengers, way))


def _landings(
    order: MarchOrder, units: Sequence[Unit], way: Sequence[HexId]
) -> tuple[a.Landing, ...]:
    """Return the units that the order drops off in hexes of this way (8.3)."""
    landings = []
    aboard = set(ids(units))
    for hex_id in way:
        unit_ids = {unit for drop in order.drops if drop.at == hex_id for unit in drop.units}
        left = tuple(unit.id for unit in units if unit.id in unit_ids & aboard)
        if left:
            landings.append(a.Landing(left, hex_id))
            aboard -= set(left)
    return tuple(landings)


def holds_craft(state: State, side: Side, hex_id: HexId) -> bool:
    """Return whether only craft of that side are there, which gunboats can attack alone (6.1)."""
    return is_afloat(board(state).stack(side, hex_id))


def leg_target(state: State, hex_id: HexId) -> str:
    """Return "to" and the hex in words, even one that is not on the map."""
    return f"to {describe_hex(hex_id)}" if hex_id in chart(state).hexes else f"to hex {hex_id:04d}"


def _hulls(state: State, units: Sequence[Unit], leg: RiverLeg, start: HexId) -> list[Unit]:
    """Return the craft for the stack: those named, else its own and as many as it needs (8.23)."""
    ready = craft_ready(state, board(state).stack(units[0].side, start))
    if leg.hulls:
        return [hull for hull in ready if hull.id in leg.hulls]
    own = [unit for unit in units if unit.kind in RIVER_CRAFT]
    passengers = [unit for unit in units if unit.kind not in UNCOUNTED]
    needed = -(-len(passengers) // laws(state).number("river.capacity")) or 1
    others = [hull for hull in ready if hull not in own]
    return [*own, *others[: max(0, needed - len(own))]]
