"""Orders that a unit may get, given its earlier moves (sections 4 and 5)."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from battles.books.fuzzy_wuzzy import aftermath, board, movement
from battles.books.fuzzy_wuzzy.actions import UnitOrder
from battles.books.fuzzy_wuzzy.book import style_of
from battles.books.fuzzy_wuzzy.pieces import (
    FIGHTING,
    Arm,
    Change,
    Combat,
    Purpose,
    Rate,
    Style,
    Weapon,
)
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.core.game import IllegalAction
from battles.tabletop.formations import TableFormation

FORMATIONS = {
    Change.MARCH_COLUMN: TableFormation.MARCH_COLUMN,
    Change.LINE: TableFormation.LINE,
    Change.SQUARE: TableFormation.SQUARE,
    Change.LIMBER: TableFormation.LIMBERED,
    Change.UNLIMBER: TableFormation.UNLIMBERED,
}
"""The formations that orders name; a line of irregulars is a mass."""


class Allowed(NamedTuple):
    """The orders that a unit may be given, by their sort."""

    rates: tuple[Rate, ...] = ()
    changes: tuple[Change, ...] = ()
    combats: tuple[Combat, ...] = ()

    @property
    def any(self) -> bool:
        """Return whether there is any order to give."""
        return bool(self.rates or self.changes or self.combats)


NOTHING = Allowed()


def allowed_orders(state: State, unit: Unit) -> Allowed:
    """Return the unit's allowed orders for this move, each sort by itself."""
    if unit.id in state.waiting or unit.wounded:
        return NOTHING
    if unit.retreating:
        return Allowed(changes=(Change.RALLY,))
    if unit.id in state.engaged:
        return Allowed(combats=(Combat.CLOSE,) if may_close(unit) else ())
    if unit.owes is not None:
        return Allowed(combats=(Combat.FIRE,) if _fires_as_it_is(unit) else ())
    rates_ = () if unit.halted else rates(unit)
    return Allowed(rates_, changes(unit), combats(unit))


def together(state: State, unit: Unit) -> Iterator[UnitOrder]:
    """Yield every legal set of orders for the unit, beginning with none at all."""
    may = allowed_orders(state, unit)
    for change, rate, combat in product(
        (None, *may.changes), (None, *may.rates), (None, *may.combats)
    ):
        order = UnitOrder(unit.id, rate, change, combat)
        try:
            check(state, order)
        except IllegalAction:
            continue
        yield order


def rates(unit: Unit) -> tuple[Rate, ...]:
    """Return the rates at which it may be ordered to move, in any formation it may take first."""
    style = style_of(unit.troops, Purpose.MOVE)
    allowed = movement.rates(style, unit.moves_as, unit.before)
    if unit.leave is not None and unit.leave not in allowed:
        allowed = (*allowed, unit.leave)
    return allowed


def combats(unit: Unit) -> tuple[Combat, ...]:
    """Return the combat orders that it may be given."""
    could = (Combat.FIRE,) if may_fire(unit) else ()
    return (*could, Combat.CLOSE) if may_close(unit) else could


def may_fire(unit: Unit) -> bool:
    """Return whether it has a weapon and an unwounded figure, whatever its formation."""
    return unit.weapon is not Weapon.NONE and not board.is_spent(unit)


def may_close(unit: Unit) -> bool:
    """Return whether it may be ordered into contact."""
    return unit.arm in FIGHTING and not board.is_spent(unit)


def changes(unit: Unit) -> tuple[Change, ...]:
    """Return the formation changes that it may be ordered."""
    allowed = list(_formations(unit))
    if unit.arm is Arm.CAVALRY:
        allowed.append(Change.MOUNT if unit.dismounted else Change.DISMOUNT)
    if (
        aftermath.gather_casualties(unit.casualties, unit.stands, board.figures_of(unit))
        != unit.markers
    ):
        allowed.append(Change.REORGANISE)
    return tuple(allowed)


def formation_after(change: Change | None, unit: Unit) -> TableFormation:
    """Return the unit's formation after the change is carried out."""
    if change is Change.LINE and style_of(unit.troops, Purpose.MOVE) is Style.IRREGULAR:
        return TableFormation.MASS if not unit.is_gun else unit.formation
    if change is Change.MOUNT and unit.formation is TableFormation.SQUARE:
        return TableFormation.LINE
    return unit.formation if change is None else FORMATIONS.get(change, unit.formation)


def check(state: State, order: UnitOrder, allowed: Allowed | None = None) -> None:
    """Raise IllegalAction when the unit may not be given these orders together.

    `allowed` are its allowed orders, if they are known already.
    """
    unit = state.units[order.unit]
    allowed = allowed_orders(state, unit) if allowed is None else allowed
    _check_sorts(unit, order, allowed)
    after = formation_after(order.change, unit)
    _check_rate(unit, order, after)
    _check_combat(unit, order, after)


def is_legal(state: State, order: UnitOrder) -> bool:
    """Return whether the unit may be given these orders together."""
    try:
        check(state, order)
    except IllegalAction:
        return False
    return True


def _check_sorts(unit: Unit, order: UnitOrder, allowed: Allowed) -> None:
    if order.movement is not None and order.movement not in allowed.rates:
        raise IllegalAction(
            "Movement 2",
            f"Unit {unit.id} may not move at that rate after what it has done.",
            f"It may: {', '.join(allowed.rates) or 'not be ordered to move'}.",
        )
    if order.change is not None and order.change not in allowed.changes:
        raise IllegalAction(
            "Orders 1",
            f"Unit {unit.id} cannot be ordered that change.",
            f"It may: {', '.join(allowed.changes) or 'take no other formation'}.",
        )
    if order.combat is not None and order.combat not in allowed.combats:
        raise IllegalAction(
            "Orders 1",
            f"Unit {unit.id} cannot be given that combat order.",
            f"It may: {', '.join(allowed.combats) or 'be given none'}.",
        )


def _check_rate(unit: Unit, order: UnitOrder, after: TableFormation) -> None:
    if order.movement is None:
        return
    if after is TableFormation.UNLIMBERED:
        raise IllegalAction(
            "Movement 1", f"The guns of unit {unit.id} are unlimbered.", "Limber them to move."
        )
    slow = after is TableFormation.SQUARE or order.change is not None
    if slow and order.movement is not Rate.MARCH:
        raise IllegalAction(
            "Movement 1",
            f"Unit {unit.id} is ordered to change formation, and does more than march.",
            "A unit that changes formation or is in square can only march.",
        )


def _check_combat(unit: Unit, order: UnitOrder, after: TableFormation) -> None:
    if order.combat is Combat.FIRE:
        _check_fire(unit, order, after)
    if order.combat is Combat.CLOSE and after is TableFormation.SQUARE:
        raise IllegalAction(
            "Close combat 1",
            f"Unit {unit.id} is in square.",
            "It can only fight enemies that come to it.",
        )


def _check_fire(unit: Unit, order: UnitOrder, after: TableFormation) -> None:
    if order.movement is Rate.CHARGE:
        raise IllegalAction("Orders 1", "A charging unit does not fire.", "Order close combat.")
    if unit.is_gun and after is not TableFormation.UNLIMBERED:
        raise IllegalAction("Fire combat 2", "Limbered guns do not fire.", "Unlimber them.")
    down = order.change is Change.DISMOUNT or (unit.dismounted and order.change is not Change.MOUNT)
    if unit.arm is Arm.CAVALRY and not down:
        raise IllegalAction("Fire combat 1", "Mounted men do not fire.", "Dismount them.")


def _fires_as_it_is(unit: Unit) -> bool:
    """Return whether the unit may fire without a change of formation."""
    try:
        _check_fire(unit, UnitOrder(unit.id, combat=Combat.FIRE), unit.formation)
    except IllegalAction:
        return False
    return may_fire(unit)


def _formations(unit: Unit) -> tuple[Change, ...]:
    """Return the formations of the book that this unit could take and is not in."""
    if unit.is_gun:
        other = Change.UNLIMBER if unit.formation is TableFormation.LIMBERED else Change.LIMBER
        return (other,)
    if unit.arm not in FIGHTING or len(unit.markers) < 2:
        return ()
    candidates = [Change.MARCH_COLUMN, Change.LINE]
    if unit.moves_as is Arm.INFANTRY and style_of(unit.troops, Purpose.MOVE) is Style.REGULAR:
        candidates.append(Change.SQUARE)
    return tuple(
        change for change in candidates if formation_after(change, unit) is not unit.formation
    )
