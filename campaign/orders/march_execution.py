"""Carry on an ordered march: leg by leg, to contact, through combat (8.2 to 9.1)."""

from battles.contract.brief import TroopKind
from campaign.odds.combat import combat_odds
from campaign.odds.meeting import combat_setup, staff_plan
from campaign.orders.headquarters import Headquarters
from campaign.orders.march_start import (
    OrderImpossible,
    begin,
    destination,
    holds_craft,
    is_strike,
    leg_target,
    locate_hex,
    require_lawful,
    rest_of,
    walk,
    way_of,
    way_to,
)
from campaign.orders.order_sheet import (
    ContactPolicy,
    FootLeg,
    Leg,
    MarchOrder,
    MarchProgress,
    OrderOutcome,
    OrderReport,
    RiverLeg,
    SeaLeg,
    StandingInstructions,
)
from campaign.orders.standing_instructions import plan_of
from campaign.rules.combat.procedure import targets
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart, is_good_order, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import MarchUnderWay, State, Unit, current_march
from campaign.rules.map import HexId
from campaign.rules.march.fleet import embarkations, has_fleet, legs
from campaign.rules.march.land import why_not
from campaign.rules.march.reach import barrier_costs, exits
from campaign.rules.prose.names import describe_hex
from campaign.rules.prose.phrases import format_percent


class OrderedMarch:
    """The marching stack, its order, and how far it has come with it."""

    def __init__(
        self, state: State, headquarters: Headquarters, order: MarchOrder, progress: MarchProgress
    ) -> None:
        self.state = state
        self.headquarters = headquarters
        self.order = order
        self.going = progress
        self.march: MarchUnderWay = current_march(state)
        self.here = self.march.route[-1]

    @property
    def units(self) -> list[Unit]:
        return board(self.state).named(self.march.units)

    @property
    def leg(self) -> Leg | None:
        """Return the leg it is on; None when it has none left."""
        return self.order.legs[self.going.leg] if self.going.leg < len(self.order.legs) else None

    def at(self, hex_id: HexId) -> str:
        return locate_hex(self.state, hex_id)

    def to(self, hex_id: HexId) -> str:
        return leg_target(self.state, hex_id)


def next_action(
    state: State, headquarters: Headquarters, order: MarchOrder, progress: MarchProgress
) -> a.AnyAction:
    """Return the next action of the stack on the march, and update `progress`."""
    column = OrderedMarch(state, headquarters, order, progress)
    _note_won_combat(column)
    try:
        action = _continue_march(column)
    except OrderImpossible as error:
        progress.reason, progress.clause, progress.remedy = str(error), error.clause, error.remedy
        action = _end_march(column)
    progress.threw = isinstance(action, a.March)
    return action


def _note_won_combat(column: OrderedMarch) -> None:
    """Note the combat just fought as won: a stack that lost is not asked again (9.8)."""
    march_progress = column.going
    if march_progress.fighting:
        march_progress.fighting = False
        march_progress.wins += 1
        storms_on = column.order.storm and _is_held(column, march_progress.fought)
        strikes = is_strike(column.leg) and destination(column.leg) == march_progress.fought
        if not (column.order.go_on or march_progress.driving or storms_on or strikes):
            march_progress.reason = (
                f"It won the combat {column.at(march_progress.fought)} and halted."
            )


def _continue_march(column: OrderedMarch) -> a.AnyAction:
    if column.going.reason:
        return _end_march(column)
    while column.leg is not None and _is_done(column, column.leg):
        column.going.leg += 1
    dropped = _units_to_drop(column, column.here)
    if dropped:
        return a.DropOff(dropped)
    if column.order.drive_off and board(column.state).besieged(column.state.side, column.here):
        return _drive_off(column)
    if column.leg is None:
        return _end_march(column)
    if isinstance(column.leg, FootLeg):
        return _by_land(column, column.leg)
    return _by_rail_river_or_sea(column, column.leg)


def _is_done(column: OrderedMarch, leg: Leg) -> bool:
    """Return whether the leg is over: the stack is there, or has won there and cannot leave.

    Other enemies besiege it still, so that the next leg comes first (9.12).
    """
    goal = destination(leg)
    if goal == column.here:
        return True
    if is_strike(leg):
        return _has_struck(column, goal)
    won = column.going.wins > 0 and column.going.fought == goal and not _is_held(column, goal)
    return won and board(column.state).besieged(column.state.side, column.here)


def _has_struck(column: OrderedMarch, goal: HexId) -> bool:
    """Return whether the stack has won at a hex that it is not to enter, or finds nobody there."""
    if not _is_held(column, goal):
        return goal in chart(column.state).neighbours[column.here]
    return column.going.wins > 0 and column.going.fought == goal and not column.order.storm


def _drive_off(column: OrderedMarch) -> a.AnyAction:
    """Attack the next of the enemy hexes that besiege the stack (9.12)."""
    besiegers = besieging_hexes(column)
    if not besiegers:
        raise OrderImpossible(
            f"It cannot attack those who besiege it {column.at(column.here)}.", "9.12"
        )
    attack = _attack(column, besiegers[0], again=True)
    column.going.driving = True
    return attack


def besieging_hexes(column: OrderedMarch) -> list[HexId]:
    """Return the enemy hexes that the besieged stack can attack, in the order of its attacks.

    First come those that its legs name, in their order, then those where its chance to win is best.
    """
    side = column.state.side
    occupied = board(column.state).occupied[side.enemy]
    near = [hex_id for hex_id in targets(column.state) if hex_id in occupied]
    goals = [destination(leg) for leg in column.order.legs]

    def rank(hex_id: HexId) -> tuple[int, float, HexId]:
        place = goals.index(hex_id) if hex_id in goals else len(goals)
        return place, -_chance_to_win(column, hex_id), hex_id

    steady = [
        hex_id
        for hex_id in near
        if any(map(is_good_order, board(column.state).stack(side.enemy, hex_id)))
    ]
    return sorted(steady or near, key=rank) if len(near) > 1 else near


def _units_to_drop(column: OrderedMarch, hex_id: HexId) -> tuple[UnitId, ...]:
    """Return the units of the stack that are to stay here; 0 stands for the end of the way."""
    unit_ids = {unit for drop in column.order.drops if drop.at == hex_id for unit in drop.units}
    return tuple(unit for unit in column.march.units if unit in unit_ids)


def _end_march(column: OrderedMarch) -> a.AnyAction:
    """Drop off the units that stay at the end of the way, then halt."""
    dropped = _units_to_drop(column, HexId(0))
    return a.DropOff(dropped) if dropped else a.Halt()


def _by_rail_river_or_sea(column: OrderedMarch, leg: Leg) -> a.AnyAction:
    if isinstance(leg, RiverLeg) and column.march.sailed:
        return _attack_after_voyage(column, destination(leg))
    if isinstance(leg, SeaLeg) and column.march.rolled:
        return _by_sea(column, leg)
    _check_marches_left(column)
    return require_lawful(column.state, begin(column.state, column.units, column.order, leg))


def _attack_after_voyage(column: OrderedMarch, goal: HexId) -> a.AnyAction:
    """Attack enemy craft beside the gunboats after a voyage, if the order says so (6.1)."""
    if column.order.contact is ContactPolicy.ATTACK and goal in targets(column.state):
        return _attack(column, goal)
    raise OrderImpossible("The river carries it no further.", "8.23")


def _by_sea(column: OrderedMarch, leg: SeaLeg) -> a.AnyAction:
    state, march = column.state, column.march
    open_to = legs(state, march.route) if has_fleet(state, march) else {}
    if leg.to not in open_to | embarkations(state, march, march.route):
        raise OrderImpossible(
            f"The fleet does not sail from {describe_hex(column.here)} {column.to(leg.to)}.", "8.25"
        )
    return require_lawful(state, a.Move((leg.to,)))


def _by_land(column: OrderedMarch, leg: FootLeg) -> a.AnyAction:
    ships = tuple(unit.id for unit in column.units if unit.kind is TroopKind.FLEET)
    if ships and len(ships) < len(column.march.units):
        return a.DropOff(ships)
    way = _way(column, leg)
    if _is_held(column, way[0]):
        strikes = leg.attack_only and way[0] == destination(leg)
        if strikes or column.order.contact is ContactPolicy.ATTACK:
            return _attack(column, way[0])
        way = _way_round_enemy(column, leg, way[0])
    return _walk(column, way[:-1] if leg.attack_only else way)


def _way(column: OrderedMarch, leg: FootLeg) -> tuple[HexId, ...]:
    """Return the hexes still to go: as planned, while no enemy in sight blocks them."""
    side, march_progress = column.state.side, column.going
    visible = column.headquarters.seen_by(column.state, side)
    planned = rest_of(march_progress.way, column.here)
    enemy_hexes = board(visible).occupied[side.enemy]
    if planned and planned[-1] == destination(leg) and enemy_hexes.isdisjoint(planned[:-1]):
        return planned
    if march_progress.round:
        march_progress.way = way_to(visible, side, column.here, destination(leg))
    else:
        march_progress.way = way_of(visible, side, leg, column.here)
    if not march_progress.way:
        raise OrderImpossible(f"There is no land route {column.to(destination(leg))}.", "8.2")
    return march_progress.way


def _is_held(column: OrderedMarch, hex_id: HexId) -> bool:
    return hex_id in board(column.state).occupied[column.state.side.enemy]


def _way_round_enemy(column: OrderedMarch, leg: FootLeg, enemy_hex: HexId) -> tuple[HexId, ...]:
    """Return the way round an enemy; raise OrderImpossible where the stack finds no way."""
    if column.order.contact is ContactPolicy.STOP or enemy_hex == destination(leg):
        raise OrderImpossible(
            f"The enemy stands {column.at(enemy_hex)}; it halts before them.", "9.1"
        )
    column.going.round, column.going.way = True, ()
    way = _way(column, leg)
    if _is_held(column, way[0]):
        raise OrderImpossible(
            f"The enemy stands {column.at(enemy_hex)}, and no way leads round them.", "9.1"
        )
    return way


def _attack(column: OrderedMarch, target: HexId, *, again: bool = False) -> a.AnyAction:
    """Attack as the order allows; a second time in a march only if `again` or to storm (9.1)."""
    march_progress, marches = column.going, column.march.marches
    again = again or column.order.storm
    if (march_progress.fought, march_progress.began) == (target, marches) and not again:
        raise OrderImpossible(
            f"The enemy still stands {column.at(target)} after the combat.", "9.8"
        )
    attack = require_lawful(column.state, a.Attack(target))
    least, side = column.order.least_odds, column.state.side
    chance = 1.0
    if least and not holds_craft(column.state, side.enemy, target):
        chance = _chance_to_win(column, target)
    if chance * 100 < least:
        raise OrderImpossible(
            f"No attack {column.at(target)}: the chance to win, {format_percent(chance)}, is "
            f"less than the {least}% ordered."
        )
    march_progress.fought, march_progress.began = target, marches
    march_progress.fighting, march_progress.driving = True, False
    return attack


def _chance_to_win(column: OrderedMarch, target: HexId) -> float:
    """Return the chance to win by the exact odds, as the sheet shows them (9.6)."""
    state, units = column.state, column.units
    enemies = board(state).stack(state.side.enemy, target)
    commander = column.headquarters.seat(column.going.seat)
    standing = commander.sheet.standing if commander is not None else StandingInstructions()
    plans = plan_of(state, units, standing, column.order), staff_plan(state, enemies, units)
    met = combat_setup(state, units, column.march.route, target, plans)
    return combat_odds(laws(state), met).win


def _walk(column: OrderedMarch, way: tuple[HexId, ...]) -> a.AnyAction:
    """Move as far along the way as the points allow, or to the first drop-off."""
    stretch = walk(column.state, _to_first_drop(column, way), column.march.points)
    if stretch:
        return require_lawful(column.state, a.Move(stretch))
    if board(column.state).besieged(column.state.side, column.here):
        raise OrderImpossible(f"It is under siege {column.at(column.here)}.", "9.12")
    if way[0] not in dict(exits(barrier_costs(column.state, column.state.side), column.here)):
        raise OrderImpossible(why_not(column.state, column.here, way[0])[0], "8.2")
    _check_marches_left(column)
    return require_lawful(
        column.state, begin(column.state, column.units, column.order, FootLeg(way[-1]))
    )


def _to_first_drop(column: OrderedMarch, way: tuple[HexId, ...]) -> tuple[HexId, ...]:
    stops = (place for place, hex_id in enumerate(way, 1) if _units_to_drop(column, hex_id))
    return way[: next(stops, len(way))]


def _check_marches_left(column: OrderedMarch) -> None:
    """Raise OrderImpossible if no march is left by the order or by the rules (8.3)."""
    most = min(column.order.marches, laws(column.state).number("march.marches"))
    if column.march.marches >= most:
        raise OrderImpossible("It has no march left to go further.", "8.3")


def report_march(state: State, order: MarchOrder, progress: MarchProgress) -> OrderReport:
    """Return the report of an ordered march that is over."""
    stayed = {unit for drop in order.drops for unit in drop.units}
    left = board(state).named(unit for unit in order.units if unit not in stayed)
    present = left or board(state).named(order.units)
    if not present:
        return OrderReport(
            OrderOutcome.PARTLY, f"None of the stack is left. {progress.reason}".strip()
        )
    position = present[0].hex
    place = locate_hex(state, position)
    if not order.legs:
        return _report_sortie(state, present[0], progress)
    if done := _report_done(state, order, progress, position):
        return done
    reason = f" {progress.reason or _why_it_ended(state, progress)}"
    clause = progress.clause or ("8.31" if progress.threw and not progress.reason else "8.3")
    if position == order.hex and not progress.fought:
        return OrderReport(
            OrderOutcome.NOT, f"It is still {place}.{reason}", clause, progress.remedy
        )
    message = f"It came no further than {describe_hex(position)}.{reason}"
    return OrderReport(OrderOutcome.PARTLY, message, clause, progress.remedy)


def _report_done(
    state: State, order: MarchOrder, progress: MarchProgress, position: HexId
) -> OrderReport | None:
    """Return the report of an order whose last leg is done, or None."""
    goal, message = destination(order.legs[-1]), ""
    if position == goal:
        message = f"It stands {locate_hex(state, position)} as ordered."
    elif progress.wins and progress.fought == goal and not progress.fighting:
        message = f"It won the combat {locate_hex(state, goal)}."
    elif progress.leg == len(order.legs) and is_strike(order.legs[-1]):
        message = f"It found nobody {locate_hex(state, goal)}."
    return OrderReport(OrderOutcome.DONE, message) if message else None


def _report_sortie(state: State, unit: Unit, progress: MarchProgress) -> OrderReport:
    """Return the report of an order that only drives off the besiegers (9.12)."""
    place = locate_hex(state, unit.hex)
    if progress.wins and not board(state).besieged(unit.side, unit.hex):
        message = f"It has driven off everybody who besieged it {place}."
        return OrderReport(OrderOutcome.DONE, message)
    reason = progress.reason or _why_it_ended(state, progress)
    outcome = OrderOutcome.PARTLY if progress.wins else OrderOutcome.NOT
    message = f"It is still under siege {place}. {reason}"
    return OrderReport(outcome, message, progress.clause or "9.12", progress.remedy)


def _why_it_ended(state: State, progress: MarchProgress) -> str:
    """Return the reason why a march ended without a halt."""
    if progress.fighting:
        return f"The combat {locate_hex(state, progress.fought)} ended its march."
    if progress.threw:
        return "The throw for a march failed."
    return "It has no march left to go further."
