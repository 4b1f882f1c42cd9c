"""Marches by land and by rail: the march table, moves, dropping off, halts (8.2, 8.22, 8.3)."""

from functools import lru_cache

from battles.contract.brief import Side, TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.questions import ToDisrupt
from campaign.rules.core.state import State, Unit, current_march, open_question
from campaign.rules.effects_in_force import modifiers
from campaign.rules.map import HexId
from campaign.rules.march import fleet
from campaign.rules.march.arrival import happens_at, marches_ashore, occupy
from campaign.rules.march.phase import (
    begin,
    check_landings,
    check_marches_left,
    end,
    marching_units,
    units_landing,
)
from campaign.rules.march.reach import barrier_costs, exits
from campaign.rules.railways import railway_hexes
from campaign.rules.stacks import (
    all_mounted,
    allowance,
    check_may_lead,
    countable_units,
    ids,
    leaders,
    strategic,
)
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.event_effects import ModifiableRoll
from campaign.rules.tables.rows import MarchColumn
from campaign.rules.unit_losses import disrupt


def check_march(state: State, action: a.March) -> None:
    """Raise IllegalAction when these units may not roll on the march table now (8.3, 7.1)."""
    units = marching_units(state, action.units)
    afloat = [unit for unit in units if unit.kind in (TroopKind.BOAT, TroopKind.GUNBOAT)]
    if afloat:
        raise IllegalAction("8.23", "Boats and gunboats do not march by land.", "Sail them.")
    if fleet.is_fleet_alone(units):
        raise IllegalAction("8.25", "The fleet puts to sea with a stack only.", "Send units along.")
    _check_leader(state, units, action)
    check_marches_left(state)


def march(ledger: Ledger[State], action: a.March) -> None:
    """Roll on the march table; the stack may then move as far as its slowest unit (8.31)."""
    state = ledger.state
    units = board(state).named(action.units)
    begin(ledger, action.units)
    law = laws(state)
    column = column_of(state, units)
    roll = ledger.roll(
        Roll(
            "March",
            "8.31",
            (0,),
            modifiers=column_modifiers(state, units, action),
            table=f"march:{column}",
            side=state.side,
        )
    )
    result = law.march(column, roll.total)
    ledger.then(Step("march goes on", (state.side,)))
    if not result.march:
        ledger.amend(roll, result="no march")
        ledger.emit(e.MarchRolled("no march", 0))
        end(ledger)
        return
    falls_out = falling_out(units, result.disrupted)
    name = f"march, {result.disrupted}% fall out" if falls_out else "march"
    ledger.amend(roll, result=name)
    ledger.emit(e.MarchRolled(name, allowance(law, units), falls_out))
    if falls_out:
        _fall_out(ledger, units, falls_out)


def check_move(state: State, action: a.Move) -> None:
    """Raise IllegalAction when the stack cannot take this path with its points left (8.2)."""
    path_cost(state, action.path)


def path_cost(state: State, path: tuple[HexId, ...]) -> int:
    """Return the points this path costs the marching stack.

    Raise IllegalAction when the stack cannot take it.
    """
    march = current_march(state)
    if not path:
        raise IllegalAction("8.2", "A move needs at least one hex.", "Say where it goes.")
    route, spent, aboard = list(march.route), 0, fleet.has_fleet(state, march)
    for next_hex in path:
        hex_id = route[-1]
        _check_free(state, hex_id)
        by_sea = fleet.legs(state, route) if aboard else fleet.embarkations(state, march, route)
        costs = by_sea if aboard else by_sea | dict(exits(barrier_costs(state, state.side), hex_id))
        if next_hex not in costs and aboard and route.count(next_hex) > 1:
            raise IllegalAction(
                "8.25",
                f"The stack has stood in hex {next_hex:04d} twice this turn.",
                "Sail to another landing, or halt.",
            )
        if next_hex not in costs:
            raise IllegalAction("8.25" if aboard else "8.2", *why_not(state, hex_id, next_hex))
        spent, aboard = spent + costs[next_hex], aboard or next_hex in by_sea
        route.append(next_hex)
    if spent > march.points:
        raise IllegalAction(
            "8.2",
            f"The way costs {spent} movement points and the stack has {march.points} left.",
            "Choose a nearer hex.",
        )
    return spent


def _check_free(state: State, hex_id: HexId) -> None:
    if board(state).besieged(state.side, hex_id):
        raise IllegalAction(
            "9.12",
            f"The stack is under siege in hex {hex_id:04d}.",
            "Drive every enemy beside it away first, or go round the place.",
        )


def why_not(state: State, origin: HexId, destination: HexId) -> tuple[str, str]:
    """Return the reason why a stack cannot step from `origin` to `destination`, and a remedy."""
    ground = chart(state)
    name = f"Hex {destination:04d}"
    field = ground.hexes.get(destination)
    if field is None or destination not in ground.neighbours[origin]:
        return f"{name} is not next to hex {origin:04d}.", "Hexes may not be skipped."
    if field.sea or field.closed:
        return f"{name} is {'sea' if field.sea else 'closed to play'}.", "Go round it."
    if destination in board(state).occupied[state.side.enemy]:
        return f"{name} is held by the enemy.", "Attack it from a hex beside it (9.1)."
    if (origin, destination) in ground.sides and destination not in barrier_costs(
        state, state.side
    ).blocked:
        return "An enemy gunboat guards this crossing (8.21).", "Cross out of its sight."
    return f"{name} may not be entered: a siege or the scenario forbids it.", "Go round it."


def move(ledger: Ledger[State], action: a.Move) -> None:
    """Move the stack hex by hex until the path ends or an arrival has to be resolved (8.2)."""
    ledger.then(Step("march goes on", (ledger.state.side,)))
    leg: list[HexId] = []
    for hex_id in action.path:
        leg = _leg_on_board(ledger, leg, hex_id)
        leg.append(hex_id)
        if happens_at(ledger.state, hex_id):
            _go(ledger, leg)
            occupy(ledger, hex_id, ledger.state.side)
            return
    _go(ledger, leg)


def _leg_on_board(ledger: Ledger[State], leg: list[HexId], destination: HexId) -> list[HexId]:
    """Return the leg so far; an empty one where the stack boards the fleet (8.25)."""
    march = current_march(ledger.state)
    route = [*march.route, *leg]
    if destination not in fleet.embarkations(ledger.state, march, route):
        return leg
    ships = fleet.waiting_fleet(ledger.state, march, route[-1])
    if leg:
        _go(ledger, leg)
    ledger.emit(e.Boarded(ships))
    return []


def _go(ledger: Ledger[State], leg: list[HexId]) -> None:
    ledger.emit(e.Moved(tuple(leg), path_cost(ledger.state, tuple(leg))))


def check_drop_off(state: State, action: a.DropOff) -> None:
    """Raise IllegalAction when these units may not be left behind here (8.3)."""
    march = current_march(state)
    if not action.units or not set(action.units) <= set(march.units):
        raise IllegalAction(
            "8.3", "Only units of the marching stack can be dropped off.", "Name some of them."
        )


def drop_off(ledger: Ledger[State], action: a.DropOff) -> None:
    """Leave these units here; they do not march again this turn (8.3)."""
    ledger.emit(e.DroppedOff(action.units))
    ledger.then(Step("march goes on", (ledger.state.side,)))


def halt(ledger: Ledger[State], action: a.Halt) -> None:
    """End the stack's marches for this turn."""
    end(ledger)
    ledger.then(Step("march goes on", (ledger.state.side,)))


def column_modifiers(state: State, units: list[Unit], action: a.March) -> tuple[Modifier, ...]:
    """Return the modifiers to this stack's march roll, each with its clause (8.31)."""
    law, start = laws(state), units[0].hex
    result = list(modifiers(state, ModifiableRoll.MARCH, units))
    if action.leader:
        result.append(strategic(state, state.units[action.leader], "7.1"))
    if all_mounted(units):
        result.append(law.modifier("march.mounted"))
    if len(countable_units(units)) > law.number("march.large"):
        result.append(law.modifier("march.large"))
    if in_hot_extension(state, start):
        result.append(law.modifier("march.extension"))
    return tuple(result)


def in_hot_extension(state: State, hex_id: HexId) -> bool:
    """Return whether the hex is in the Souakim extension in its hot months (8.31, 10.3)."""
    hot = laws(state).hot_on_the_coast(state.month)
    return hot and hex_id in chart(state).region("souakim_extension")


def column_of(state: State, units: list[Unit]) -> MarchColumn:
    """Return the march column, of the stack's nations, with the least chance to march (8.31)."""
    law = laws(state)
    marchers = countable_units(units) or units
    return _slowest(law, tuple(sorted({law.column_of(unit.nation) for unit in marchers})))


@lru_cache(maxsize=256)
def _slowest(law: CampaignTables, columns: tuple[MarchColumn, ...]) -> MarchColumn:
    return max(
        columns, key=lambda column: sum(not law.march(column, roll).march for roll in range(1, 7))
    )


def falling_out(units: list[Unit], percent: int) -> int:
    """Return how many of the units fall out: rounded down, but at least one (8.31)."""
    marchers = len(countable_units(units))
    return max(1, marchers * percent // 100) if percent and marchers else 0


def _fall_out(ledger: Ledger[State], units: list[Unit], count: int) -> None:
    marchers = countable_units(units)
    if count >= len(marchers):
        disrupt(ledger, ids(marchers), "march")
    else:
        ledger.ask(ToDisrupt(ledger.state.side, ids(marchers), count))


def check_fall_out(state: State, action: a.Pick) -> None:
    """Raise IllegalAction unless these are the right number of marching units (8.31)."""
    question = open_question(state, ToDisrupt)
    picked = set(action.units)
    if len(picked) != question.count or not picked <= set(question.units):
        raise IllegalAction(
            "8.31", f"{question.count} of the marching units fall out, no more and no fewer."
        )


def fall_out(ledger: Ledger[State], action: a.Pick) -> None:
    """Disrupt the units chosen; eliminate those that are disrupted already (8.31)."""
    disrupt(ledger, action.units, "march")


def _check_leader(state: State, units: list[Unit], action: a.March) -> None:
    if not action.leader:
        return
    if action.leader not in {unit.id for unit in leaders(units)}:
        raise IllegalAction(
            "7.1", "Only a leader of the marching stack can help it march.", "Name one, or nobody."
        )
    check_may_lead(state, units, state.units[action.leader])


def open_rails(state: State, side: Side) -> frozenset[HexId]:
    """Return the built railway hexes that no enemy land unit holds."""
    return railway_hexes(state) - board(state).occupied[side.enemy]


def stations(state: State, side: Side, start: HexId) -> dict[HexId, HexId]:
    """Return the hexes that a train from `start` can reach, each with the hex before it."""
    rails = open_rails(state, side)
    if start not in rails or board(state).besieged(side, start):
        return {}
    before: dict[HexId, HexId] = {}
    ends = [start]
    while ends:
        hex_id = ends.pop()
        for near in chart(state).neighbours[hex_id]:
            new = near in rails and near not in before and near != start
            if new and not _enters_siege(state, side, near):
                before[near] = hex_id
                ends.append(near)
    return before


def _enters_siege(state: State, side: Side, hex_id: HexId) -> bool:
    return board(state).besieged(side, hex_id) and bool(board(state).land(side, hex_id))


def check_rail(state: State, action: a.Rail) -> None:
    """Raise IllegalAction when these units cannot go by rail to that hex (8.22)."""
    units = marching_units(state, action.units)
    check_marches_left(state)
    if any(unit.kind is TroopKind.FLEET for unit in units):
        raise IllegalAction("8.25", "The fleet does not go by rail.", "Leave it in its harbour.")
    if action.hex not in stations(state, state.side, units[0].hex):
        raise IllegalAction(
            "8.22",
            f"No open railway leads from hex {units[0].hex:04d} to hex {action.hex:04d}.",
            "Go along built railway hexes without enemies.",
        )
    way = train_path(state, state.side, units[0].hex, action.hex)
    check_landings(units, way[:-1], action.landings)


def train_path(state: State, side: Side, start: HexId, end: HexId) -> tuple[HexId, ...]:
    """Return the railway hexes from a hex to one of its stations, without the first."""
    before, path = stations(state, side, start), [end]
    while before[path[-1]] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))


def rail(ledger: Ledger[State], action: a.Rail) -> None:
    """Move the stack by rail: one march, no roll, any distance (8.22)."""
    state = ledger.state
    start = state.units[action.units[0]].hex
    begin(ledger, action.units)
    way = train_path(state, state.side, start, action.hex)
    stops = {landing.hex for landing in action.landings}
    ledger.then(Step("march goes on", (state.side,)))
    stretch: list[HexId] = []
    for next_hex in way:
        stretch.append(next_hex)
        if next_hex not in stops and next_hex != way[-1]:
            continue
        ledger.emit(e.WentByRail(tuple(stretch), onward=stretch[0] != way[0]))
        if marches_ashore(state):
            for hex_id in stretch:
                occupy(ledger, hex_id, state.side)
        left = units_landing(action.landings, next_hex)
        if left:
            ledger.emit(e.DroppedOff(left))
        stretch = []
