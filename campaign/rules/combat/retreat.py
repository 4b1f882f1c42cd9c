"""Retreat of beaten stacks: marchers along their own way, defenders where they can (9.8)."""

from collections.abc import Sequence
from typing import NamedTuple

from battles.contract.brief import AFLOAT, RIVER_CRAFT, Side, TroopKind
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToRetreat
from campaign.rules.core.state import State, Unit, current_march, open_question
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.march.arrival import dangers, escape_move, occupy
from campaign.rules.march.fleet import landings, roll_for_wreck
from campaign.rules.march.land import open_rails
from campaign.rules.march.reach import BarrierCosts, MarchReach, barrier_costs, exits, search
from campaign.rules.stacks import allowance, countable_units, ids, keeps_alive, nations_lost_with
from campaign.rules.unit_losses import disrupt

FORBIDDEN = 1_000_000
Way = tuple[HexId, ...]


class WayBehind(NamedTuple):
    """The way that a marching stack has behind it where it attacks (9.8).

    `river` names the river it crossed on its last step, empty for none or with a boat to go back
    by. `set_out`: its march began here, so it has no way to go back along. `blocked`: beaten, it
    cannot retreat and stands at bay.
    """

    river: str
    set_out: bool
    blocked: bool


def marchers_retreat(ledger: Ledger[State]) -> None:
    """Ask the marching stack to go back the way it came, one hex at least (9.8).

    One that attacked from where it set out has no way to go back along, and stays.
    """
    state = ledger.state
    march = current_march(state)
    back = tuple(reversed(march.route[:-1]))
    _ask(ledger, state.side, march.route[-1], tuple(march.units), back)


def defenders_retreat(ledger: Ledger[State], side: str, hex_id: HexId, *units: UnitId) -> None:
    """Ask the defender to retreat by up to its full allowance, one hex at least (9.8)."""
    alive = ids(board(ledger.state).named(units))
    _ask(ledger, Side(side), hex_id, alive, None)


def _ask(
    ledger: Ledger[State],
    side: Side,
    hex_id: HexId,
    units: tuple[UnitId, ...],
    back: tuple[HexId, ...] | None,
) -> None:
    state = ledger.state
    stack = board(state).named(units)
    if not countable_units(stack):
        return
    question = retreat_of(state, side, hex_id, stack, back or ())
    if back != () and can_go(state, question, is_bound=back is not None):
        ledger.ask(question)
    elif is_cornered(state, side, hex_id, stack, back):
        _stand_at_bay(ledger, stack)


def retreat_of(
    state: State, side: Side, hex_id: HexId, stack: Sequence[Unit], back: Way = ()
) -> ToRetreat:
    """Return the question of a beaten stack: its points, and whether it may stand fast (9.8)."""
    points = allowance(laws(state), [unit for unit in stack if unit.kind not in AFLOAT])
    free = board(state).in_town(hex_id, PlaceClass.TOWN, PlaceClass.VILLAGE)
    return ToRetreat(side, hex_id, ids(stack), points, free=free, back_along=back)


def can_go(state: State, question: ToRetreat, *, is_bound: bool) -> bool:
    """Return whether the stack can retreat at all.

    `is_bound`: only along the way it came, as a marching stack.
    """
    return bool(way_back(state, question) if is_bound else _refuges(state, question))


def is_cornered(
    state: State, side: Side, hex_id: HexId, stack: Sequence[Unit], back: Way | None
) -> bool:
    """Return whether the stack, if beaten, has no retreat and stands at bay (9.8).

    `back` is the way a marching stack came, the nearest hex first; None for a defender. A stack
    that set out where it attacks has an empty way. It stays, and stands at bay only when it is
    surrounded, as a defender would.
    """
    question = retreat_of(state, side, hex_id, stack, back or ())
    return not question.free and not can_go(state, question, is_bound=bool(back))


def way_behind(state: State) -> WayBehind:
    """Return the way behind the marching stack, if it attacks from where it stands now."""
    march = current_march(state)
    origin, *back = reversed(march.route)
    stack = board(state).named(march.units)
    blocked = is_cornered(state, state.side, origin, stack, tuple(back))
    has_boat = not {origin, *back[:1]}.isdisjoint(board(state).bridged[state.side])
    river = "" if has_boat and not blocked else river_behind(state)
    return WayBehind(river, not back, blocked)


def river_behind(state: State) -> str:
    """Return the name of the river the marching stack crossed on its last step; empty for none."""
    route = current_march(state).route
    crossed = chart(state).sides.get((route[-2], route[-1])) if len(route) > 1 else None
    return chart(state).rivers[crossed.river].title if crossed is not None else ""


def _stand_at_bay(ledger: Ledger[State], stack: Sequence[Unit]) -> None:
    """Disrupt every unit; that may annihilate a leader's stack too (4.2)."""
    state = ledger.state
    nations = nations_lost_with(state, stack)
    disrupt(ledger, ids(countable_units(stack)), "no retreat")
    if nations and not keeps_alive(board(state).named(ids(stack))):
        ledger.then(Step("stack annihilated", (stack[0].side, *nations)))


def way_back(state: State, question: ToRetreat) -> tuple[HexId, ...]:
    """Return the hexes of the way back within reach, at least one at any cost (8.21, 9.8)."""
    open_hexes: list[HexId] = []
    hex_id, left = question.hex, question.points
    for next_hex in question.back_along:
        cost = _step_back(state, question, hex_id, next_hex)
        left -= cost
        if cost >= FORBIDDEN or (open_hexes and left < 0):
            break
        open_hexes.append(next_hex)
        hex_id = next_hex
    return tuple(open_hexes)


def _step_back(state: State, question: ToRetreat, origin: HexId, destination: HexId) -> int:
    """Return the cost of one hex of the way back.

    Craft go along river or railway, the fleet by sea. By rail the cost is that on foot.
    """
    barred = _retreat_costs(state, question.side)
    kinds = {unit.kind for unit in board(state).named(question.units)}
    if kinds & RIVER_CRAFT:
        by_river = current_march(state).sailed and destination not in barred.blocked
        if by_river and escape_move(state, question.side, origin, destination):
            return 1
        by_rail = {origin, destination} <= open_rails(state, question.side)
        return dict(exits(barred, origin)).get(destination, FORBIDDEN) if by_rail else FORBIDDEN
    if TroopKind.FLEET in kinds:
        return 0 if destination in landings(chart(state)) - barred.blocked else FORBIDDEN
    return dict(exits(barred, origin)).get(destination, FORBIDDEN)


def _refuges(state: State, question: ToRetreat) -> dict[HexId, int]:
    costs = dict(retreats(state, question).costs)
    del costs[question.hex]
    return costs


def retreats(state: State, question: ToRetreat) -> MarchReach:
    """Return the reach of a beaten stack: as on a march, and one hex at any cost (8.21, 9.8)."""
    barred = _retreat_costs(state, question.side)
    ways = search(barred, question.hex, question.points)
    for near, cost in exits(barred, question.hex):
        if near not in ways.costs and cost < FORBIDDEN:
            ways.costs[near] = cost
            ways.before[near] = question.hex
    return ways


def _retreat_costs(state: State, side: Side) -> BarrierCosts:
    """Return the costs of a march; the beaten pass places under siege (9.12)."""
    return barrier_costs(state, side)._replace(besieging=frozenset())


def check_retreat(state: State, action: a.Retreat) -> None:
    """Raise IllegalAction when the stack may not go back this way (9.8)."""
    question = open_question(state, ToRetreat)
    if not action.path:
        if not question.free:
            raise IllegalAction("9.8", "The beaten stack must retreat one hex at least.")
        return
    is_marching = question.side is state.side
    if question.back_along or is_marching:
        _check_way_back(state, question, action.path)
    else:
        _check_path(state, question, action.path)


def _check_way_back(state: State, question: ToRetreat, path: tuple[HexId, ...]) -> None:
    if path != way_back(state, question)[: len(path)]:
        raise IllegalAction("9.8", "A beaten marching stack goes back exactly the way it came.")


def _check_path(state: State, question: ToRetreat, path: tuple[HexId, ...]) -> None:
    barred, hex_id, spent = _retreat_costs(state, question.side), question.hex, 0
    for next_hex in path:
        costs = dict(exits(barred, hex_id))
        if costs.get(next_hex, FORBIDDEN) >= FORBIDDEN:
            raise IllegalAction(
                "9.8",
                f"The stack cannot retreat into hex {next_hex:04d}.",
                "Keep to land without enemies, and cross no river by an enemy gunboat.",
            )
        spent, hex_id = spent + costs[next_hex], next_hex
    if len(path) > 1 and spent > question.points:
        raise IllegalAction("9.8", f"The stack can retreat {question.points} movement points.")


def retreat(ledger: Ledger[State], action: a.Retreat) -> None:
    """Move the beaten stack back, or let it stand fast in its town (9.8)."""
    question = open_question(ledger.state, ToRetreat)
    if action.path:
        units = ids(board(ledger.state).named(question.units))
        ledger.emit(e.Retreated(units, action.path))
        _pass_the_water(ledger, units, (question.hex, *action.path))
        for hex_id in action.path:
            occupy(ledger, hex_id, question.side)


def _pass_the_water(ledger: Ledger[State], units: tuple[UnitId, ...], way: Way) -> None:
    """Roll again for the dangers of the river to craft that go back (8.23 II, IV)."""
    hulls = [unit for unit in board(ledger.state).named(units) if unit.kind in RIVER_CRAFT]
    for hull in hulls if hulls and current_march(ledger.state).sailed else ():
        for danger in dangers(ledger.state, hull.side, way):
            if roll_for_wreck(ledger, hull, danger):
                break
