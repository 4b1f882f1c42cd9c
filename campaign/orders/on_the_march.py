"""A stack on the march as it was ordered: leg by leg, to contact, through combat (8.2 to 9.1)."""

from campaign.odds.combat import combat_odds
from campaign.odds.meeting import meeting, staff_plan
from campaign.orders.commands import Headquarters
from campaign.orders.document import Contact, Foot, Leg, MarchOrder, River, Sea, Standing
from campaign.orders.marching import Unable, begin, holds_craft, in_words, lawful, towards
from campaign.orders.plans import plan_of
from campaign.orders.progress import Marching, Outcome, Told
from campaign.orders.ways import destination, rest_of, walk, way_of, way_to
from campaign.rules import actions as a
from campaign.rules.board import board, laws
from campaign.rules.combat.procedure import targets
from campaign.rules.english.names import where
from campaign.rules.english.words import percent
from campaign.rules.map import HexId
from campaign.rules.march.fleet import embarkations, has_fleet, legs
from campaign.rules.march.procedure import why_not
from campaign.rules.march.reach import bars, exits
from campaign.rules.pieces import Kind, UnitId
from campaign.rules.state import March, State, Unit, on_march


class Column:
    """The marching stack, its order, and how far it has come with it."""

    def __init__(
        self, state: State, headquarters: Headquarters, order: MarchOrder, going: Marching
    ) -> None:
        self.state = state
        self.headquarters = headquarters
        self.order = order
        self.going = going
        self.march: March = on_march(state)
        self.here = self.march.route[-1]

    @property
    def units(self) -> list[Unit]:
        return board(self.state).named(self.march.units)

    @property
    def leg(self) -> Leg | None:
        """The leg it is on; None when it has none left."""
        return self.order.legs[self.going.leg] if self.going.leg < len(self.order.legs) else None

    def at(self, hex_id: HexId) -> str:
        return in_words(self.state, hex_id)

    def to(self, hex_id: HexId) -> str:
        return towards(self.state, hex_id)


def next_action(
    state: State, headquarters: Headquarters, order: MarchOrder, going: Marching
) -> a.AnyAction:
    """What the stack on the march does next by its order; `going` is brought up to date."""
    column = Column(state, headquarters, order, going)
    _see_what_came_of_combat(column)
    try:
        action = _onward(column)
    except Unable as why:
        going.reason, going.clause, going.remedy = str(why), why.clause, why.remedy
        action = _end(column)
    going.threw = isinstance(action, a.March)
    return action


def _see_what_came_of_combat(column: Column) -> None:
    """Whoever is asked again after an attack has won it (9.8)."""
    going = column.going
    if going.fighting:
        going.fighting = False
        going.wins += 1
        if not column.order.go_on:
            going.reason = f"It won the combat {column.at(going.fought)} and halted."


def _onward(column: Column) -> a.AnyAction:
    if column.going.reason:
        return _end(column)
    while column.leg is not None and destination(column.leg) == column.here:
        column.going.leg += 1
    dropped = _to_drop(column, column.here)
    if dropped:
        return a.DropOff(dropped)
    if column.leg is None:
        return _end(column)
    if isinstance(column.leg, Foot):
        return _by_land(column, column.leg)
    return _by_other_means(column, column.leg)


def _to_drop(column: Column, hex_id: HexId) -> tuple[UnitId, ...]:
    """The units of the stack that are to stay here; 0 stands for the end of the way."""
    wanted = {unit for drop in column.order.drops if drop.at == hex_id for unit in drop.units}
    return tuple(unit for unit in column.march.units if unit in wanted)


def _end(column: Column) -> a.AnyAction:
    """The stack leaves behind whom it shall at the end of its way, and halts."""
    dropped = _to_drop(column, HexId(0))
    return a.DropOff(dropped) if dropped else a.Halt()


def _by_other_means(column: Column, leg: Leg) -> a.AnyAction:
    if isinstance(leg, River) and column.march.sailed:
        return _after_the_voyage(column, destination(leg))
    if isinstance(leg, Sea) and column.march.rolled:
        return _by_sea(column, leg)
    _check_marches_left(column)
    return lawful(column.state, begin(column.state, column.units, column.order, leg))


def _after_the_voyage(column: Column, goal: HexId) -> a.AnyAction:
    """Gunboats that have come beside the enemy's craft attack them, if they shall (6.1)."""
    if column.order.contact is Contact.ATTACK and goal in targets(column.state):
        return _attack(column, goal)
    raise Unable("The river carries it no further.", "8.23")


def _by_sea(column: Column, leg: Sea) -> a.AnyAction:
    state, here = column.state, column.here
    open_to = legs(state, here) if has_fleet(state, column.march) else {}
    if leg.to not in open_to | embarkations(state, column.march, here):
        raise Unable(f"The fleet does not sail from {where(here)} {column.to(leg.to)}.", "8.25")
    return lawful(state, a.Move((leg.to,)))


def _by_land(column: Column, leg: Foot) -> a.AnyAction:
    ships = tuple(unit.id for unit in column.units if unit.kind is Kind.FLEET)
    if ships and len(ships) < len(column.march.units):
        return a.DropOff(ships)
    way = _way(column, leg)
    if _is_held(column, way[0]):
        if column.order.contact is Contact.ATTACK:
            return _attack(column, way[0])
        way = _round(column, leg, way[0])
    return _walk(column, way)


def _way(column: Column, leg: Foot) -> tuple[HexId, ...]:
    """The hexes still to go: as planned, while nobody in sight has come in between."""
    side, going = column.state.side, column.going
    seen = column.headquarters.seen_by(column.state, side)
    planned = rest_of(going.way, column.here)
    held = board(seen).occupied[side.enemy]
    if planned and planned[-1] == destination(leg) and held.isdisjoint(planned[:-1]):
        return planned
    if going.round:
        going.way = way_to(seen, side, column.here, destination(leg))
    else:
        going.way = way_of(seen, side, leg, column.here)
    if not going.way:
        raise Unable(f"There is no land route {column.to(destination(leg))}.", "8.2")
    return going.way


def _is_held(column: Column, hex_id: HexId) -> bool:
    return hex_id in board(column.state).occupied[column.state.side.enemy]


def _round(column: Column, leg: Foot, held: HexId) -> tuple[HexId, ...]:
    """The way round an enemy who bars it; Unable where the stack stops before him instead."""
    if column.order.contact is Contact.STOP or held == destination(leg):
        raise Unable(f"The enemy stands {column.at(held)}; it halts before him.", "9.1")
    column.going.round, column.going.way = True, ()
    way = _way(column, leg)
    if _is_held(column, way[0]):
        raise Unable(f"The enemy stands {column.at(held)}, and no way leads round him.", "9.1")
    return way


def _attack(column: Column, target: HexId) -> a.AnyAction:
    going, marches = column.going, column.march.marches
    if (going.fought, going.began) == (target, marches):
        raise Unable(f"The enemy still stands {column.at(target)} after the combat.", "9.8")
    attack = lawful(column.state, a.Attack(target))
    least, side = column.order.least_odds, column.state.side
    chance = 1.0
    if least and not holds_craft(column.state, side.enemy, target):
        chance = _chance_to_win(column, target)
    if chance * 100 < least:
        raise Unable(
            f"No attack {column.at(target)}: the chance to win, {percent(chance)}, is less than "
            f"the {least}% ordered."
        )
    going.fought, going.began, going.fighting = target, marches, True
    return attack


def _chance_to_win(column: Column, target: HexId) -> float:
    """By the exact odds, as the sheet shows them while it is written (9.6)."""
    state, units = column.state, column.units
    enemies = board(state).stack(state.side.enemy, target)
    commander = column.headquarters.seat(column.going.seat)
    standing = commander.sheet.standing if commander is not None else Standing()
    plans = plan_of(state, units, standing, column.order), staff_plan(state, enemies, units)
    met = meeting(state, units, column.march.route, target, plans)
    return combat_odds(laws(state), met).win


def _walk(column: Column, way: tuple[HexId, ...]) -> a.AnyAction:
    """As far along the way as the points lead, or to where units are to be dropped off."""
    stretch = walk(column.state, _to_first_drop(column, way), column.march.points)
    if stretch:
        return lawful(column.state, a.Move(stretch))
    if board(column.state).besieged(column.state.side, column.here):
        raise Unable(f"It is under siege {column.at(column.here)}.", "9.12")
    if way[0] not in dict(exits(bars(column.state, column.state.side), column.here)):
        raise Unable(why_not(column.state, column.here, way[0])[0], "8.2")
    _check_marches_left(column)
    return lawful(column.state, begin(column.state, column.units, column.order, Foot(way[-1])))


def _to_first_drop(column: Column, way: tuple[HexId, ...]) -> tuple[HexId, ...]:
    stops = (place for place, there in enumerate(way, 1) if _to_drop(column, there))
    return way[: next(stops, len(way))]


def _check_marches_left(column: Column) -> None:
    """Unable when the stack has begun as many marches as the order or the rules allow (8.3)."""
    most = min(column.order.marches, laws(column.state).number("march.marches"))
    if column.march.marches >= most:
        raise Unable("It had no march left to go further.", "8.3")


def what_became(state: State, order: MarchOrder, going: Marching) -> Told:
    """How the march that was ordered has ended, now that nobody marches any more."""
    stayed = {unit for drop in order.drops for unit in drop.units}
    left = board(state).named(unit for unit in order.units if unit not in stayed)
    present = left or board(state).named(order.units)
    if not present:
        return Told(Outcome.PARTLY, f"None of the stack is left. {going.reason}".strip())
    here, goal = present[0].hex, destination(order.legs[-1])
    place = in_words(state, here)
    if here == goal:
        return Told(Outcome.DONE, f"It stands {place} as ordered.")
    if going.wins and going.fought == goal:
        return Told(Outcome.DONE, f"It won the combat {in_words(state, goal)}")
    why = f" {going.reason or _why_it_ended(state, going)}"
    clause = going.clause or ("8.31" if going.threw and not going.reason else "8.3")
    if here == order.hex and not going.fought:
        return Told(Outcome.NOT, f"It is still {place}.{why}", clause, going.remedy)
    said = f"It came no further than {where(here)}.{why}"
    return Told(Outcome.PARTLY, said, clause, going.remedy)


def _why_it_ended(state: State, going: Marching) -> str:
    """Why a march has ended that was not halted."""
    if going.fighting:
        return f"The combat {in_words(state, going.fought)} ended its march."
    if going.threw:
        return "The throw for a march failed."
    return "It had no march left to go further."
