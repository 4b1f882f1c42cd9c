"""Firing (targets, weapons, hits), and the casualties of every kind of combat."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from battles.books.redcoats import events as e
from battles.books.redcoats import movement
from battles.books.redcoats.actions import ToPlayCard
from battles.books.redcoats.board import (
    at,
    board,
    combat_of,
    company,
    fronts,
    in_cover,
    is_water,
    line,
    sees,
    squares_fought_in,
)
from battles.books.redcoats.book import book
from battles.books.redcoats.brigades import is_face
from battles.books.redcoats.dealing import turn_over
from battles.books.redcoats.field import (
    APART,
    STEPS,
    Aspect,
    adjacent,
    around,
    aspect,
    in_three_quarters,
    opposite,
)
from battles.books.redcoats.leaders import at_risk, can_be_led
from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.books.redcoats.state import State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger, Step

# Hits, disorganisation, recovery, falling back, and the outcomes of charges and combats.


class CasualtyOutcome(NamedTuple):
    """The outcome of a charge or combat. `loser`: "charger", "charged", "lower" or "".

    `back`: the squares it falls back; `figures`: those it loses; `enters`: the charger takes the
    charged unit's square.
    """

    difference: int
    loser: str
    back: int
    figures: int
    disorganised: bool
    enters: bool

    @property
    def words(self) -> str:
        """Return the outcome in words, for the record of the rolls."""
        parts = [
            "goes in" if self.enters else "",
            f"{self.loser} falls back {self.back}" if self.back else "",
            f"loses {self.figures}" if self.figures else "",
            "disorganised" if self.disorganised else "",
        ]
        return ", ".join(part for part in parts if part) or "stands"


def outcome_of(table: str, difference: int, *, further: bool) -> CasualtyOutcome:
    """Return the outcome for a difference; `further`: the loser was disorganised before."""
    row = book().outcome(table, difference)
    lost = row.figures + int(further and difference >= book().number(f"{table} further loss"))
    return CasualtyOutcome(difference, row.loser, row.back, lost, row.disorganised, row.enters)


def recovers(score: int, figures: int) -> bool:
    """Return whether a modified score lets a unit with this many figures recover."""
    return score <= figures


def modifiers(friends: int, leaders: int) -> tuple[Modifier, ...]:
    """Return the modifiers for friends in adjacent squares and Leaders in or beside the square."""
    number = book().number
    terms = []
    if friends:
        taken_off = friends * number("recovery friend")
        terms.append(Modifier(taken_off, "friends near", "Disorganisation 6"))
    if leaders:
        taken_off = leaders * number("recovery leader")
        terms.append(Modifier(taken_off, "Leader near", "Disorganisation 6"))
    return tuple(terms)


def friends_near(state: State, unit: Unit) -> int:
    """Return the number of friendly units in adjacent squares."""
    return sum(
        other.side is unit.side for square in around(unit.square) for other in at(state, square)
    )


def leaders_near(state: State, unit: Unit) -> int:
    """Return the number of the side's Leaders in the unit's square and adjacent ones."""
    return sum(
        leader.side is unit.side
        and (leader.square == unit.square or adjacent(leader.square, unit.square))
        for leader in state.leaders.values()
    )


def recovery(ledger: Ledger[State]) -> None:
    """Put a recovery step for each disorganised unit and damaged vessel on the agenda (Turn 9)."""
    state = ledger.state
    ledger.then(
        *(
            Step("recover", (unit.id,))
            for unit in state.units.values()
            if unit.disorganised or (unit.is_craft and unit.figures < unit.full)
        )
    )


def recover(ledger: Ledger[State], number: int) -> None:
    """Throw for a unit's recovery; if it fails, ask its Leader for a card.

    Vessels need the card.
    """
    state = ledger.state
    unit = state.units[number]
    if not unit.is_craft:
        if _throws(ledger, unit):
            ledger.emit(e.Recovered(unit=number, cause="dice"))
            return
        ledger.emit(e.RecoveryFailed(unit=number))
    if can_be_led(state, unit, Heroic.RECOVER):
        ledger.ask(ToPlayCard(unit.side, number, Heroic.RECOVER))


def recovered_by_card(ledger: Ledger[State], number: int) -> None:
    """Recover the unit, or restore one flotation point of the vessel, by a card."""
    if ledger.state.units[number].is_craft:
        ledger.emit(e.Refloated(unit=number))
    else:
        ledger.emit(e.Recovered(unit=number, cause="leader"))


def _throws(ledger: Ledger[State], unit: Unit) -> bool:
    state = ledger.state
    roll = ledger.roll(
        Roll(
            "recovery",
            "Disorganisation 7",
            (0,),
            book().faces("recovery", unit),
            modifiers=modifiers(friends_near(state, unit), leaders_near(state, unit)),
            side=unit.side,
        )
    )
    fits = recovers(roll.total, unit.figures)
    ledger.amend(roll, result="recovers" if fits else "stays", table=f"{unit.figures} or less")
    return fits


def hit(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """Disorganise the unit; one already disorganised, or a vessel, loses a figure or point."""
    if unit.is_craft or unit.disorganised:
        lose_figure(ledger, unit, cause)
    else:
        disorganise(ledger, unit, cause)


def disorganise(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """Disorganise the unit and cancel its activation for this turn (Disorganisation 1, 2)."""
    if unit.disorganised:
        return
    ledger.emit(e.Disorganised(unit=unit.id, cause=cause))
    state = ledger.state
    if unit.id in state.cards or unit.id in state.queue:
        ledger.emit(e.CardTaken(unit=unit.id, cause="disorganised"))
    _leave_coordination(ledger, unit)


def lose_figure(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """Take a figure from the unit, and destroy it with the last one."""
    if unit.id not in ledger.state.units:
        return
    ledger.emit(e.FigureLost(unit=unit.id, cause=cause))
    if unit.figures <= 0:
        destroy(ledger, unit, "sunk" if unit.is_craft else cause)


def destroy(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """Destroy the unit; with a vessel all aboard are lost too."""
    state = ledger.state
    for passenger in [other for other in state.units.values() if other.aboard == unit.id]:
        ledger.emit(e.Lost(unit=passenger.id, cause="drowned"))
    for leader in [leader for leader in state.leaders.values() if leader.aboard == unit.id]:
        ledger.emit(e.LeaderFell(leader=leader.id, cause="drowned"))
    ledger.emit(e.Lost(unit=unit.id, cause=cause))


def fall_back(ledger: Ledger[State], unit: Unit, squares: int, away: tuple[int, int]) -> None:
    """Move a unit back; `away` is the direction it goes and its facing afterwards.

    All in its square go with it. If units or water bar the way it loses one more figure; over the
    edge of the field it has left the battle (ruling).
    """
    state, (way, facing) = ledger.state, away
    if unit.brigade:
        ledger.emit(e.BrigadeLeft(unit=unit.id))
    path: list[int] = []
    square = unit.square
    for _ in range(squares):
        square += STEPS[way]
        if not state.field.holds(square):
            _leave_field(ledger, unit)
            return
        if at(state, square) or is_water(state.field, square):
            break
        path.append(square)
    blocked = len(path) < squares
    ledger.emit(e.FellBack(unit=unit.id, path=tuple(path), facing=facing, blocked=blocked))
    if blocked:
        lose_figure(ledger, unit, "blocked")


def suffer(
    ledger: Ledger[State], loser: Unit, result: CasualtyOutcome, away: tuple[int, int]
) -> None:
    """Apply an outcome to its loser: figures, order and ground, in that order.

    `away` is the direction it goes and its facing afterwards. All units in its square are
    disorganised with it.
    """
    state = ledger.state
    cause = "combat" if result.loser == "lower" else "charge"
    with_it = [piece for piece in company(state, loser) if isinstance(piece, Unit)]
    for _ in range(result.figures):
        lose_figure(ledger, loser, cause)
    for piece in with_it if result.disorganised else ():
        if piece.id in state.units:
            disorganise(ledger, piece, cause)
    if result.back and loser.id in state.units:
        fall_back(ledger, loser, result.back, away)


def retreat_direction(unit: Unit, strikes: Aspect, way: int) -> tuple[int, int]:
    """Return the direction in which a unit is driven, and its facing afterwards.

    Struck in front it goes to its rear as it stands; otherwise straight away from the enemy, who
    came in the facing `way` (ruling).
    """
    if strikes is Aspect.FRONT:
        return opposite(unit.facing), unit.facing
    return way, opposite(way)


def _leave_field(ledger: Ledger[State], unit: Unit) -> None:
    for piece in company(ledger.state, unit):
        ledger.emit(e.Left(unit=piece.id, cause="driven off"))


def _leave_coordination(ledger: Ledger[State], unit: Unit) -> None:
    """Remove a disorganised unit from those that a Leader's card will activate."""
    for leader, units in ledger.state.coordinated.items():
        if unit.id in units:
            rest = tuple(number for number in units if number != unit.id)
            ledger.emit(e.Coordinated(leader=leader, units=rest))
            return


# Firing: targets, weapons, and the effect of a hit (Firing).


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


def figures_firing(unit: Unit, weapon: Kind | None = None) -> int:
    """Return the highest score that hits: the figures able to fire, double for a battery."""
    if unit.is_craft:
        return 2 * book().number("armament") if weapon else 0
    return movement.figures_that_fire(unit, face=is_face(unit))


def is_hit(score: int, figures: int) -> bool:
    """Return whether a score hits with these figures able to fire, batteries' counted double."""
    return score <= figures


def weapon_range(unit: Unit, weapon: Kind | None = None) -> int:
    """Return the range of a unit's weapon in squares (Firing 6)."""
    kind = weapon or unit.kind
    weapon_name = kind.value if kind in ARMAMENTS else "firearms"
    return book().range(weapon_name, unit.troops)


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
    needs = figures_firing(unit, weapon)
    if not needs or not unit.shots or unit.aboard or combat_of(state, unit):
        return
    reach, fought = weapon_range(unit, weapon), squares_fought_in(state)
    sides = book().faces("fire", unit)
    enemies, origin, field = fronts(state, unit.side.enemy), unit.square, state.field
    near = [square for square in within or enemies if APART[square - origin] <= reach]
    for square in near:
        if square not in enemies or square in fought or not in_arc(unit, square, weapon):
            continue
        if sees(field, origin, square) and not is_masked(state, unit, square, weapon):
            cover = bool(field.ground or field.edges) and in_cover(field, square, origin)
            yield Target(enemies[square].id, unit.id, needs, sides, cover, weapon)


def is_masked(state: State, unit: Unit, square: int, weapon: Kind | None = None) -> bool:
    """Return whether friends block the line of fire; artillery fires over their heads (ruling)."""
    if Kind.ARTILLERY in (unit.kind, weapon):
        return False
    occupied, side = board(state), unit.side
    for cells in line(unit.square, square):
        # A line through a corner has two squares beside it, and both must be held.
        if all(any(other.side is side for other in occupied.get(cell, ())) for cell in cells):
            return True
    return False


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
