"""The phases without combat: orders, movement, rallying, recovering casualties."""

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import aftermath, board, firing, orders
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy import movement as ways
from battles.books.fuzzy_wuzzy.aftermath import gather_casualties
from battles.books.fuzzy_wuzzy.book import is_regular, style_of
from battles.books.fuzzy_wuzzy.pieces import Change, Combat, Purpose, Rate, Style
from battles.books.fuzzy_wuzzy.state import State, Unit, own
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import IllegalAction, Ledger
from battles.tabletop.geometry import TablePoint


def ask_orders(ledger: Ledger[State], side: str) -> None:
    """Ask the side for its orders, if it has any unit to order."""
    state = ledger.state
    if any(orders.allowed_orders(state, unit).any for unit in board.on_field(state, Side(side))):
        ledger.ask(a.ToOrder(Side(side)))


def check_order(state: State, action: a.Order) -> None:
    """Raise IllegalAction when a unit may not be ordered so, or is ordered twice."""
    numbers = [order.unit for order in action.orders]
    if len(set(numbers)) < len(numbers):
        raise IllegalAction("Orders 1", "A unit is ordered twice.", "Give each its orders once.")
    for order in action.orders:
        own(state, order.unit)
        orders.check(state, order)


def order(ledger: Ledger[State], action: a.Order) -> None:
    """Record the orders; later orders of the same phase replace them."""
    ledger.emit(e.Ordered(orders=action.orders))


def movement(ledger: Ledger[State], side: str) -> None:
    """Make the retreats that are due, then formation changes, then roll for all moves."""
    for unit in board.on_field(ledger.state, Side(side)):
        if unit.owes is not None:
            aftermath.go_back(ledger, unit, unit.owes)
    units = board.on_field(ledger.state, Side(side))
    for unit in units:
        _change(ledger, unit)
    lengths = {unit.id: length for unit in units if (length := _pace(ledger, unit))}
    if lengths:
        ledger.emit(e.Paced(units=tuple(lengths), lengths=tuple(lengths.values())))
        ledger.ask(a.ToMove(Side(side)))


def check_move(state: State, action: a.Move) -> None:
    """Raise IllegalAction when the unit may not go there now."""
    unit = _mover(state, action.unit)
    ways.check_move(state, unit, TablePoint(*action.to), action.facing % 360)


def move(ledger: Ledger[State], action: a.Move) -> None:
    """Move the unit as far as it can go; it reveals a hidden enemy that it runs into."""
    state = ledger.state
    unit = state.units[action.unit]
    facing = action.facing % 360
    destination, enemy = ways.find_hidden_enemy(state, unit, TablePoint(*action.to), facing)
    if enemy is not None:
        destination = _last_free_place(state, unit, destination, facing)
        if not ways.stands_freely(state, unit, destination, facing):
            # A unit without room to turn keeps its front.
            facing = unit.facing
    left, cost = state.paces[unit.id], ways.cost_of(state.field, unit.at, destination)
    ends = enemy is not None or left - cost < ways.LEAST
    ledger.emit(
        e.Moved(
            unit=unit.id,
            to=destination,
            facing=facing,
            rate=rate_of(state, unit),
            cost=left if ends else cost,
            cause=cause_of(state),
        )
    )
    if enemy is not None:
        ledger.emit(
            e.Observed(
                units=tuple(
                    participant.id for participant in (unit, enemy) if not participant.seen
                ),
                observer=unit.id,
                cause="contact",
            )
        )
    close_if_moved(ledger)


def check_close(state: State, action: a.Close) -> None:
    """Raise IllegalAction when the unit may not, or cannot, come into contact with the enemy."""
    unit = _mover(state, action.unit)
    target = state.units.get(action.target)
    if target is None or target.side is unit.side or not target.seen:
        raise IllegalAction(
            "Close combat 1", f"There is no enemy unit {action.target} in sight.", "Choose another."
        )
    if not may_close_now(state, unit):
        raise IllegalAction(
            "Close combat 1",
            f"Unit {unit.id} has no order to close.",
            "Order close combat in the order phase.",
        )
    if ways.contact_at(state, unit, target) is None:
        raise IllegalAction(
            "Close combat 1",
            f"Unit {unit.id} cannot come into contact with unit {target.id}.",
            "Move nearer, or choose another enemy.",
        )


def close(ledger: Ledger[State], action: a.Close) -> None:
    """Move the unit into contact, unless a hidden enemy is in its way."""
    state = ledger.state
    unit, target = state.units[action.unit], state.units[action.target]
    contact = ways.contact_at(state, unit, target)
    if contact is None:
        return
    _, met = ways.find_hidden_enemy(state, unit, contact.at, contact.facing)
    if met is not None:
        move(ledger, a.Move(unit.id, contact.at, contact.facing))
        return
    ledger.emit(
        e.Moved(
            unit=unit.id,
            to=contact.at,
            facing=contact.facing,
            rate=rate_of(state, unit),
            cost=contact.cost,
            cause=cause_of(state),
            target=target.id,
        )
    )
    close_if_moved(ledger)


def may_close_now(state: State, unit: Unit) -> bool:
    """Return whether the unit may come into contact: by its order, or in an advance."""
    if isinstance(state.question, a.ToAdvance):
        return orders.may_close(unit)
    order_ = state.orders.get(unit.id)
    return order_ is not None and order_.combat is Combat.CLOSE


def movement_ends(ledger: Ledger[State]) -> None:
    """End the duties and permissions left from the last move."""
    ledger.emit(e.MovementEnded())


def rally(ledger: Ledger[State], side: str) -> None:
    """Roll for each stand still in retreat; with half of them rallied the unit obeys again.

    Units roll that began to retreat in this move, and units that are ordered to rally.
    """
    for unit in board.on_field(ledger.state, Side(side)):
        if unit.retreating and not unit.wounded and _is_called(ledger.state, unit):
            _rally(ledger, unit)


def recover(ledger: Ledger[State], side: str) -> None:
    """Ask the side which units that kept apart are to recover casualties."""
    if any(may_recover(ledger.state, unit) for unit in board.on_field(ledger.state, Side(side))):
        ledger.ask(a.ToRecover(Side(side)))


def may_recover(state: State, unit: Unit) -> bool:
    """Return whether it has casualties, has not moved, and took no part in any combat."""
    return (
        unit.casualties > 0
        and not unit.wounded
        and not unit.retreating
        and unit.id not in state.moved
        and unit.id not in state.fought
        and unit.id not in state.engaged
    )


def check_recover(state: State, action: a.Recover) -> None:
    """Raise IllegalAction when the unit may not recover casualties now."""
    if not may_recover(state, own(state, action.unit)):
        raise IllegalAction(
            "Recovery 1",
            f"Unit {action.unit} has no casualties, or has moved or been in combat.",
            "Let it stand apart for a move.",
        )


def recover_casualties(ledger: Ledger[State], action: a.Recover) -> None:
    """Remove half the markers; stands that keep some leave for the rear and cannot rally."""
    state = ledger.state
    unit = state.units[action.unit]
    before, die = unit.casualties, 0
    if aftermath.needs_die(before):
        roll = ledger.roll(Roll("recovery", "Recovery 2", (0,), side=unit.side))
        die = roll.dice[0]
        ledger.amend(roll, result=f"{aftermath.recovered_markers(before, die)} of {before}")
    removed = aftermath.recovered_markers(before, die)
    markers = gather_casualties(before - removed, unit.stands, board.figures_of(unit))
    ledger.emit(e.Recovered(unit=unit.id, removed=removed, markers=markers))
    _detach_marked_stands(ledger, unit, markers)
    if state.question is not None and not any(
        may_recover(state, friend) for friend in board.on_field(state, unit.side)
    ):
        ledger.answered()


def rate_of(state: State, unit: Unit) -> Rate:
    """Return the rate at which a unit moves now: as ordered, or as the result allows."""
    if isinstance(state.question, a.ToAdvance):
        if state.question.cause == "impulse":
            return Rate.CHARGE
        regular = is_regular(unit.troops, Purpose.CLOSE_COMBAT)
        return Rate.DOUBLE if regular else Rate.CHARGE
    order_ = state.orders.get(unit.id)
    return (order_ and order_.movement) or Rate.MARCH


def cause_of(state: State) -> str:
    """Return the cause of a move now: "order", "impulse" or "pursuit"."""
    return state.question.cause if isinstance(state.question, a.ToAdvance) else "order"


def _mover(state: State, number: int) -> Unit:
    """Return the unit, if it has distance left. Raises IllegalAction otherwise."""
    unit = own(state, number)
    question = state.question
    other = isinstance(question, a.ToAdvance) and question.unit != number
    if other or not state.paces.get(number):
        raise IllegalAction(
            "Movement 1",
            f"Unit {number} has nothing left to move with.",
            "Order it to move in the order phase.",
        )
    return unit


def _last_free_place(state: State, unit: Unit, to: TablePoint, facing: int) -> TablePoint:
    """Return the last free place on the way to a point."""
    steps = 8
    for step in range(steps, 0, -1):
        place = TablePoint(
            unit.at.x + (to.x - unit.at.x) * step // steps,
            unit.at.y + (to.y - unit.at.y) * step // steps,
        )
        if ways.stands_freely(state, unit, place, facing):
            return place
    return unit.at


def _change(ledger: Ledger[State], unit: Unit) -> None:
    order_ = ledger.state.orders.get(unit.id)
    if order_ is None or order_.change in (None, Change.RALLY):
        return
    if order_.change is Change.REORGANISE:
        markers = gather_casualties(unit.casualties, unit.stands, board.figures_of(unit))
        ledger.emit(e.Reorganised(unit=unit.id, markers=markers))
        return
    after = orders.formation_after(order_.change, unit)
    down = {Change.DISMOUNT: True, Change.MOUNT: False}.get(order_.change, unit.dismounted)
    formed = msgspec.structs.replace(unit, formation=after)
    if ways.stands_freely(ledger.state, formed, unit.at, unit.facing):
        ledger.emit(e.Formed(unit=unit.id, formation=after, cause=order_.change, dismounted=down))


def _pace(ledger: Ledger[State], unit: Unit) -> int:
    order_ = ledger.state.orders.get(unit.id)
    if order_ is None or order_.movement is None or unit.id in ledger.state.retreated:
        return 0
    return aftermath.throw_pace(ledger, unit, order_.movement, f"movement at the {order_.movement}")


def _is_called(state: State, unit: Unit) -> bool:
    order_ = state.orders.get(unit.id)
    return (order_ is not None and order_.change is Change.RALLY) or unit.id in state.fought


def _rally(ledger: Ledger[State], unit: Unit) -> None:
    style = style_of(unit.troops, Purpose.RALLY)
    scores = firing.throw(ledger, unit.stands - unit.rallied, aftermath.dice_of(style))
    count = aftermath.rallied_stands(style, scores)
    ledger.keep(
        Roll(
            "rallying",
            "Rallying 1" if style is Style.REGULAR else "Rallying 2",
            scores,
            total=sum(scores),
            result=f"{count} of {len(scores)} stands of unit {unit.id}",
            side=unit.side,
        )
    )
    has_rallied = 2 * (unit.rallied + count) >= unit.stands
    ledger.emit(e.Rallied(unit=unit.id, stands=count, whole=has_rallied))


def _detach_marked_stands(ledger: Ledger[State], unit: Unit, markers: tuple[int, ...]) -> None:
    """Detach the stands with markers; if all have some, the unit itself leaves."""
    hurt = tuple(count for count in markers if count)
    if not hurt:
        return
    if len(hurt) == unit.stands:
        ledger.emit(e.Parted(unit=unit.id, part=unit.id, markers=hurt, at=unit.at))
        return
    state = ledger.state
    part = msgspec.structs.replace(unit, id=state.next_id, markers=hurt)
    place = aftermath.somewhere_free(state, part, state.homes[unit.side], 0)
    if place is not None:
        ledger.emit(e.Parted(unit=unit.id, part=part.id, markers=hurt, at=place))


def close_if_moved(ledger: Ledger[State]) -> None:
    """Close the question when no unit of the side has distance left."""
    state = ledger.state
    question = state.question
    if isinstance(question, a.ToMove) and not any(
        length for number, length in state.paces.items() if _is_of(state, number, question.side)
    ):
        ledger.answered()


def _is_of(state: State, number: int, side: Side) -> bool:
    unit = state.units.get(number)
    return unit is not None and unit.side is side
