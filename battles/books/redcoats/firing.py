"""Firing: targets, weapons, and the effect of a hit (Firing)."""

from collections.abc import Iterable, Iterator

import msgspec

from battles.books.redcoats import events as e
from battles.books.redcoats import formations
from battles.books.redcoats.board import at, board, combat_of, squares_fought_in
from battles.books.redcoats.book import book
from battles.books.redcoats.brigades import is_face
from battles.books.redcoats.casualties import hit
from battles.books.redcoats.dealing import turn_over
from battles.books.redcoats.ground import in_cover, line, sees
from battles.books.redcoats.leaders import at_risk
from battles.books.redcoats.pieces import Formation, Kind
from battles.books.redcoats.squares import Aspect, aspect, distance, in_three_quarters, opposite
from battles.books.redcoats.state import State, Unit
from battles.core.dice import Roll
from battles.core.ledger import Ledger

ARMAMENTS = (Kind.ARTILLERY, Kind.MACHINE_GUN)
"""The two armaments of a gunboat; the guns point forward (Gunboats 11 to 13)."""


class Target(msgspec.Struct, frozen=True):
    """An enemy unit in range and sight: hit on `needs` or less with a die of `sides` faces."""

    unit: int
    firer: int
    needs: int
    sides: int
    cover: bool
    weapon: Kind | None = None


def figures_firing(state: State, unit: Unit, weapon: Kind | None = None) -> int:
    """Return the highest score that hits: the figures able to fire, double for a battery."""
    if unit.is_craft:
        return 2 * book().number("armament") if weapon else 0
    return formations.firing(unit, face=is_face(unit))


def is_hit(score: int, figures: int) -> bool:
    """Return whether a score hits with these figures able to fire, batteries' counted double."""
    return score <= figures


def weapon_range(unit: Unit, weapon: Kind | None = None) -> int:
    """Return the range of a unit's weapon in squares (Firing 6)."""
    kind = weapon or unit.kind
    named = kind.value if kind in ARMAMENTS else "firearms"
    return book().range(named, unit.troops)


def in_arc(unit: Unit, square: int, weapon: Kind | None = None) -> bool:
    """Return whether a square is in the arc of fire: 90 degrees, 270 for a gunboat's armament.

    A Square of one battalion fires to every side (ruling).
    """
    if unit.is_craft:
        looks = unit.facing if weapon is Kind.ARTILLERY else opposite(unit.facing)
        return in_three_quarters(unit.square, looks, square)
    if unit.formation is Formation.SQUARE and not unit.brigade:
        return True
    return aspect(unit.square, unit.facing, square) is Aspect.FRONT


def targets(
    state: State, unit: Unit, weapon: Kind | None = None, *, within: Iterable[int] = ()
) -> Iterator[Target]:
    """Yield the enemy units within range, arc and sight of a unit that can fire.

    `within`: only those in these squares; an empty list stands for the whole field.
    """
    needs = figures_firing(state, unit, weapon)
    if not needs or not unit.shots or unit.aboard or combat_of(state, unit):
        return
    reach, fought = weapon_range(unit, weapon), squares_fought_in(state)
    sides = book().faces("fire", unit)
    occupied = board(state)
    for square in within or occupied:
        units = occupied.get(square)
        if not units or units[0].side is unit.side or square in fought:
            continue
        if distance(unit.square, square) > reach or not in_arc(unit, square, weapon):
            continue
        if sees(state.field, unit.square, square) and not is_masked(state, unit, square, weapon):
            cover = in_cover(state.field, square, unit.square)
            yield Target(units[0].id, unit.id, needs, sides, cover, weapon)


def is_masked(state: State, unit: Unit, square: int, weapon: Kind | None = None) -> bool:
    """Return whether friends block the line of fire; artillery fires over their heads (ruling)."""
    if Kind.ARTILLERY in (unit.kind, weapon):
        return False
    return any(
        all(any(other.side is unit.side for other in at(state, cell)) for cell in cells)
        for cells in line(unit.square, square)
    )


def fire(ledger: Ledger[State], target: Target, cost: int, *, by_card: bool = False) -> None:
    """Fire once: throw, turn the cards it leads to, and apply the effects on the target."""
    state = ledger.state
    unit, enemy = state.units[target.firer], state.units[target.unit]
    clause = "Firing 8" if unit.is_gun or unit.is_craft else "Firing 7"
    roll = ledger.roll(Roll("fire", clause, (0,), target.sides, side=unit.side))
    struck = is_hit(roll.total, target.needs)
    ledger.amend(roll, result="hit" if struck else "miss", table=f"{target.needs} or less")
    ledger.emit(
        e.Fired(
            unit=unit.id,
            target=enemy.id,
            hit=struck,
            cost=cost,
            weapon=target.weapon,
            by_card=by_card,
        )
    )
    if not struck:
        return
    if target.cover and turn_over(ledger, "cover", enemy) == "saved":
        return
    if not at_risk(ledger, enemy):
        hit(ledger, enemy, "fire")
