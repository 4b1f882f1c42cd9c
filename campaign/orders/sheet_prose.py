"""Describe an order sheet: every order as a sentence that names everything in it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from battles.contract.brief import TroopKind
from campaign.orders import order_sheet as d
from campaign.orders.march_start import is_strike, locate_hex
from campaign.rules.core.board import chart
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack, likeness, numbers
from campaign.rules.prose.phrases import capitalise, count_noun, join_words


class SheetDescription(msgspec.Struct, frozen=True):
    """A sheet in sentences: its orders, its orders for arrivals, its standing instructions."""

    orders: tuple[str, ...]
    reinforcements: tuple[str, ...]
    standing: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return all sentences, in order."""
        return self.orders + self.reinforcements + self.standing


def describe_sheet(state: State, sheet: d.MonthOrders) -> SheetDescription:
    """Return the sheet in sentences, as its side knows the position."""
    return SheetDescription(
        tuple(describe_order(state, order) for order in sheet.orders),
        tuple(describe_arrival_order(state, order) for order in sheet.reinforcements),
        tuple(describe_standing_instructions(state, sheet.standing)),
    )


def describe_order(state: State, order: d.Order) -> str:
    """Return the order as a sentence; different orders have different sentences."""
    return capitalise(_ORDERS[type(order)](state, order)) + "."


def describe_arrival_order(state: State, order: d.PlaceOrder) -> str:
    """Return the order for arrivals as a sentence."""
    arrivals = "All arrivals"
    if order.units:
        arrivals = capitalise(_due_in_words(state, order.units))
    if order.units and order.reason:
        arrivals += f", if they come as “{order.reason}”,"
    elif order.reason:
        arrivals = f"All arrivals as “{order.reason}”"
    return f"{arrivals}: {_in_order_of_liking(state, order.hexes)}."


def _in_order_of_liking(state: State, hexes: Sequence[HexId]) -> str:
    if not hexes:
        return "nowhere in particular"
    return ", or else ".join(locate_hex(state, hex_id) for hex_id in hexes)


def _or_the_nearest(state: State, hexes: Sequence[HexId]) -> str:
    if not hexes:
        return "nowhere in particular"
    places = [_where(state, hex_id) for hex_id in hexes]
    return f"in this order: {', '.join(places)}, the nearest to {places[0]}"


def describe_standing_instructions(state: State, standing: d.StandingInstructions) -> Iterator[str]:
    """Yield the standing instructions, one sentence each, defaults included."""
    spared = f", but {name_units(state, standing.spare)} last" if standing.spare else ""
    yield f"Losses are shared {_SHARING[standing.losses]}{spared}."
    yield f"{capitalise(_describe_retreat(state, standing.retreat))}."
    yield _supply_in_words(state, standing.supply)
    yield f"Unless an order says otherwise, leaders {_HELPS[standing.helps]}."
    if standing.arrive:
        yield f"Arrivals without an order: {_in_order_of_liking(state, standing.arrive)}."
    if standing.near:
        yield f"Any other hex is chosen {_or_the_nearest(state, standing.near)}."
    for choice in standing.near_for:
        yield f"{_PURPOSES[choice.purpose]}, {_or_the_nearest(state, choice.near)}."
    for part in standing.local:
        yield _locally(state, part)


def _locally(state: State, part: d.LocalInstructions) -> str:
    """Return the instructions for certain stacks as one sentence."""
    stacks = [locate_hex(state, hex_id) for hex_id in part.hexes]
    stacks += [f"with {name_units(state, part.units)}"] if part.units else []
    words = []
    if part.losses is not None:
        words.append(f"losses are shared {_SHARING[part.losses]}")
    if part.retreat is not None:
        words.append(_describe_retreat(state, part.retreat))
    if part.supply_from_points is not None:
        points = count_noun(part.supply_from_points, "strength point")
        words.append(f"supply is spent from {points} on")
    if part.helps is not None:
        words.append(f"leaders {_HELPS[part.helps]}")
    instructions = "; ".join(words) or "nothing else"
    return f"For stacks {', or '.join(stacks) or 'nowhere'}: {instructions}."


def _describe_retreat(state: State, retreat: d.RetreatInstruction) -> str:
    where_to = "to where it is safest"
    if retreat.towards:
        where_to = f"towards {_where(state, retreat.towards)}"
    fast = "do not stand fast" if not retreat.stand_fast else "stand fast"
    return f"beaten stacks retreat {where_to}; in towns and villages they {fast}"


def _supply_in_words(state: State, supply: d.SupplyInstruction) -> str:
    places = join_words([locate_hex(state, hex_id) for hex_id in supply.keep])
    never = f", but never a supply unit {places}" if places else ""
    points = count_noun(supply.from_points, "strength point")
    order = [locate_hex(state, hex_id) for hex_id in supply.first]
    first = f", first that {', then that '.join(order)}" if order else ""
    return f"Supply is spent for a stack of {points} or more{first}{never}."


_SHARING = {
    d.Sharing.FAIR: "as the book shares them",
    d.Sharing.CHEAPEST: "with the cheapest units first",
    d.Sharing.SHAKEN: "with the disrupted units first",
}
_PURPOSES = {
    d.HexPurpose.RAILHEAD: "For a railhead",
    d.HexPurpose.KHALIFA: "For the Khalifa",
    d.HexPurpose.CRAFT: "For craft that are driven off",
    d.HexPurpose.EVENT: "For random events",
}
_HELPS = {
    d.LeaderRound.MELEE: "help in melee",
    d.LeaderRound.FIRE: "help in fire",
    d.LeaderRound.NEITHER: "help in neither fire nor melee",
}


def _march(state: State, order: d.MarchOrder) -> str:
    """Return a march in words: `The Black Watch and two guns at Korti: march by land to ...`."""
    parts = [f"{_name_units_at(state, order.units, order.hex)}: {_legs(state, order)}"]
    parts += list(_conditions(state, order))
    return "; ".join(parts) + _after(order.if_battle)


def _legs(state: State, order: d.MarchOrder) -> str:
    if not order.legs:
        return "stay there" if order.drive_off else "march, with no destination yet"
    return ", then ".join(_LEGS[type(leg)](state, leg) for leg in order.legs)


def _conditions(state: State, order: d.MarchOrder) -> Iterator[str]:
    yield _on_contact(order)
    if order.drive_off:
        least = f" at {order.least_odds}% or better" if order.least_odds else ""
        yield f"first drive off everybody who besieges it{least}, one hex after another"
    if order.storm:
        then = ", and halt then" if _attacks_once(order) else ""
        yield f"attack the same hex again until it falls or the combat is not won{then}"
    yield f"at most {count_noun(order.marches, 'march', 'marches')}"
    for drop in order.drops:
        place = locate_hex(state, drop.at) if drop.at else "where the way ends"
        yield f"leave {name_units(state, drop.units, order.hex)} {place}"
    if order.leader or order.without_leader or order.helps or _has_leader(state, order):
        yield _describe_leaders(state, order)


def _has_leader(state: State, order: d.MarchOrder) -> bool:
    units = (state.units.get(unit) for unit in order.units)
    return any(unit is not None and unit.kind is TroopKind.LEADER for unit in units)


def _on_contact(order: d.MarchOrder) -> str:
    """Return the stack's contact policy in words, with the odds it asks for."""
    least = f" at {order.least_odds}% or better" if order.least_odds else ""
    after = ", and go on after a win" if order.go_on else ""
    if least and order.contact is not d.ContactPolicy.ATTACK and any(map(is_strike, order.legs)):
        rest = "stop before" if order.contact is d.ContactPolicy.STOP else "go round"
        return f"attack{least}, and {rest} any other enemy{_idle('', after)}"
    return {
        d.ContactPolicy.STOP: f"stop before the enemy{_idle(least, after)}",
        d.ContactPolicy.ATTACK: f"attack any enemy that bars the way{least}"
        + (", and halt after a win" if _attacks_once(order) and not order.storm else after),
        d.ContactPolicy.ROUND: f"go round the enemy{_idle(least, after)}",
    }[order.contact]


def _attacks_once(order: d.MarchOrder) -> bool:
    return order.contact is d.ContactPolicy.ATTACK and not order.go_on


def _idle(least: str, after: str) -> str:
    """Return the attack settings of an order that makes no attack."""
    words = f"{least}{after}".removeprefix(",").strip()
    return f" (were it to attack: {words})" if words else ""


def _describe_leaders(state: State, order: d.MarchOrder) -> str:
    leader = "the best of its leaders"
    if order.without_leader:
        leader = "nobody"
    elif order.leader:
        leader = name_units(state, (order.leader,), order.hex)
    helps = f", who is to {_HELPS[order.helps]}" if order.helps is not None else ""
    return f"led by {leader}{helps}"


def _after(condition: d.IfBattle | None) -> str:
    """Return the condition of an order that counts only after a battle."""
    if condition is None:
        return ""
    return f"; only if the battle {condition.battle!r} is {condition.came}"


def _by_land(state: State, leg: d.FootLeg) -> str:
    way = f"to {_where(state, leg.to)}"
    if leg.route:
        way = f"{_through(state, leg.route)}{_aside(state, leg.to, leg.route)}"
    if leg.attack_only:
        return f"march by land {way} and attack the enemy there without entering the hex"
    return f"march by land {way}"


def _by_rail(state: State, leg: d.RailLeg) -> str:
    return f"go by rail to {_where(state, leg.to)}"


def _by_river(state: State, leg: d.RiverLeg) -> str:
    way = f"to {_where(state, leg.to)}"
    if leg.route:
        way = f"{_through(state, leg.route)}{_aside(state, leg.to, leg.route)}"
    aboard = f" aboard {name_units(state, leg.hulls)}" if leg.hulls else ""
    return f"go by river {way}{aboard}"


def _by_sea(state: State, leg: d.SeaLeg) -> str:
    return f"go by sea to {_where(state, leg.to)}"


def _through(state: State, route: Sequence[HexId]) -> str:
    """Return a route in words: `to Korti through one hex N of Korti`; the last hex is its end."""
    *between, goal = route
    if not between:
        return f"straight to {_where(state, goal)}"
    through = join_words([_where(state, hex_id) for hex_id in between])
    return f"to {_where(state, goal)} through {through}"


def _aside(state: State, to: HexId, route: Sequence[HexId]) -> str:
    """Return a note on a destination that is ignored, since the route ends elsewhere."""
    return f" (not to {_where(state, to)})" if to and to != route[-1] else ""


_LEGS: Mapping[type, Callable[[State, Any], str]] = {
    d.FootLeg: _by_land,
    d.RailLeg: _by_rail,
    d.RiverLeg: _by_river,
    d.SeaLeg: _by_sea,
}


def _stay(state: State, order: d.StayOrder) -> str:
    if not order.units:
        return f"the stack {locate_hex(state, order.hex)} stays"
    return f"{_name_units_at(state, order.units, order.hex)}: stay"


def _dismount(state: State, order: d.DismountOrder) -> str:
    return f"{_name_units_at(state, order.units, order.hex)}: dismount{_after(order.if_battle)}"


def _withdraw(state: State, order: d.WithdrawOrder) -> str:
    return (
        f"{_name_units_at(state, order.units, order.hex)}: leave the map{_after(order.if_battle)}"
    )


def _deploy(state: State, order: d.DeployOrder) -> str:
    return f"{name_units(state, order.units)}: set up {locate_hex(state, order.to)}"


_ORDERS: Mapping[type, Callable[[State, Any], str]] = {
    d.MarchOrder: _march,
    d.StayOrder: _stay,
    d.DismountOrder: _dismount,
    d.WithdrawOrder: _withdraw,
    d.DeployOrder: _deploy,
}


def _where(state: State, hex_id: HexId) -> str:
    if not hex_id:
        return "no hex that is named"
    return describe_hex(hex_id) if hex_id in chart(state).hexes else f"hex {hex_id:04d}"


def _name_units_at(state: State, ids: Sequence[UnitId], hex_id: HexId) -> str:
    return f"{name_units(state, ids, hex_id)} {locate_hex(state, hex_id)}"


def _due_in_words(state: State, ids: Sequence[UnitId]) -> str:
    coming = {unit.id: unit for due in state.due for unit in due.units}
    return _units_in_words(ids, coming | state.units, coming.values())


def name_units(state: State, ids: Sequence[UnitId], hex_id: HexId | None = None) -> str:
    """Return the units in words; `hex_id` is the hex they are taken to be in, None for any."""
    units = state.units.values()
    about = [unit for unit in units if hex_id is None or unit.hex == hex_id]
    return _units_in_words(ids, state.units, about)


def _units_in_words(
    ids: Sequence[UnitId], known_units: Mapping[UnitId, Unit], about: Iterable[Unit]
) -> str:
    """Return the units in words, with numbers where words do not tell them from `about`."""
    once = list(dict.fromkeys(ids))
    units = [known_units[unit_id] for unit_id in once if unit_id in known_units]
    lost = [unit_id for unit_id in once if unit_id not in known_units]
    often = Counter(ids)
    twice = [unit_id for unit_id in once if often[unit_id] > 1]
    unclear = _unclear(units, list(about))
    unclear_numbers = f" ({numbers(unclear)})" if unclear else ""
    words = [describe_stack(units) + unclear_numbers] if units else []
    words += [f"{count_noun(len(lost), 'unit')} not in play ({numbers(lost)})"] if lost else []
    words += [f"twice over {numbers(twice)}"] if twice else []
    return join_words(words) or "nobody"


def _unclear(units: Sequence[Unit], about: Sequence[Unit]) -> list[UnitId]:
    """Return units that are not among `about`, or look like others that are."""
    unit_ids, present = {unit.id for unit in units}, {unit.id for unit in about}
    others = {likeness(unit) for unit in about if unit.id not in unit_ids}
    return [unit.id for unit in units if unit.id not in present or likeness(unit) in others]
