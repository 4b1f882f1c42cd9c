"""Charges: the units that may charge, the dice, and the results (Charging)."""

from collections.abc import Sequence

import msgspec

from battles.books.redcoats import events as e
from battles.books.redcoats import movement
from battles.books.redcoats.actions import ToPursue
from battles.books.redcoats.board import (
    at,
    board,
    company,
    foremost,
    leaders_with,
    on_field,
    squares_fought_in,
)
from battles.books.redcoats.book import book
from battles.books.redcoats.brigades import corner_batteries, is_shut
from battles.books.redcoats.casualties import (
    CasualtyOutcome,
    destroy,
    outcome_of,
    retreat_direction,
    suffer,
)
from battles.books.redcoats.field import (
    APART,
    STEPS,
    Aspect,
    adjacent,
    around,
    aspect,
    offset,
    opposite,
    rear_squares,
    towards,
)
from battles.books.redcoats.leaders import capture_leaders
from battles.books.redcoats.movement import step_cost
from battles.books.redcoats.pieces import AFLOAT, Special, Style, Troops
from battles.books.redcoats.reach import CostsAhead, Passage, Reach, least_cost, roam
from battles.books.redcoats.state import State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger


class Attack(msgspec.Struct, frozen=True):
    """A possible charge: its path, the aspect it strikes, and the modifiers of both sides.

    `plus` is added to the charging unit's score, `against` to the charged unit's.
    """

    target: int
    path: tuple[int, ...]
    aspect: Aspect
    cost: int
    plus: int
    against: int
    obstacles: bool = False


def outcome(charging: int, charged: int, *, disorganised: bool = False) -> CasualtyOutcome:
    """Return the outcome of two modified scores (Charging 12, 13).

    `disorganised`: the charged unit already was; it loses one figure more from +2 on.
    """
    return outcome_of("charge", charging - charged, further=disorganised)


def charging_modifiers(
    figures: int, *, disorganised: bool = False, obstacles: bool = False
) -> tuple[Modifier, ...]:
    """Return the modifiers of the charging unit's score (Charging 10).

    `disorganised`: the charged unit is; `obstacles`: the charger has crossed one.
    """
    modifiers = [Modifier(figures, "figures", "Charging 10")]
    if disorganised:
        added = book().number("charge disorganised")
        modifiers.append(Modifier(added, "enemy disorganised", "Charging 10"))
    if obstacles:
        modifiers.append(Modifier(book().number("charge obstacle"), "obstacle", "Charging 10"))
    return tuple(modifiers)


def charged_modifiers(figures: int, supports: int = 0) -> tuple[Modifier, ...]:
    """Return the charged unit's modifiers: figures that face it, friends behind (Charging 10)."""
    modifiers = [Modifier(figures, "figures", "Charging 10")]
    if supports:
        added = supports * book().number("charged support")
        modifiers.append(Modifier(added, "friends behind", "Charging 10"))
    return tuple(modifiers)


def may_charge(unit: Unit) -> bool:
    """Return whether the unit's kind and formation allow it to charge (Charging 2, 7)."""
    return movement.may_charge_in(unit.formation) and not unit.aboard


def may_charge_so(unit: Unit, enemy: Unit, strikes: Aspect) -> bool:
    """Return whether the unit may charge that enemy on that aspect (Charging 3 to 5)."""
    if unit.mounted or book().style(unit.troops) is Style.DERVISH:
        return True
    return enemy.disorganised or is_shaken(enemy) or strikes is not Aspect.FRONT


def is_shaken(unit: Unit) -> bool:
    """Return whether the unit counts as disorganised whenever it is charged (Bashi-Bazouks 4)."""
    return book().troops(unit.troops).shaken


def facing_charge(state: State, unit: Unit, strikes: Aspect) -> int:
    """Return the figures facing a charge: the unit's, its gunners' and its Leaders' (Charging 10).

    A Leader counts where all bases of the formation fight (ruling). On a brigade Square's face the
    batteries of that face count too (Formations 8).
    """
    figures = movement.figures_that_fight(unit, strikes)
    units = board(state).get(unit.square, ())
    if len(units) > 1 or unit.brigade:
        with_it = [other for other in units if other is not unit and other.side is unit.side]
        for battery in [*with_it, *corner_batteries(state, unit)]:
            figures += movement.figures_that_fight(battery, strikes)
    if movement.bases(unit.formation, strikes) == "all":
        figures += len(leaders_with(state, unit))
    return figures


def supports(state: State, unit: Unit) -> int:
    """Return the number of friends in the squares behind a unit (Charging 10, Hand-to-hand 3)."""
    occupied, side, count = board(state), unit.side, 0
    for square in rear_squares(unit.square, unit.facing):
        for other in occupied.get(square, ()):
            count += other.side is side
    return count


def struck_aspect(state: State, enemy: Unit, origin: int) -> Aspect:
    """Return the aspect that a charge from an adjacent square strikes; FRONT of a full Square."""
    if is_shut(state, enemy, origin):
        return Aspect.FRONT
    return aspect(enemy.square, enemy.facing, origin)


def charges(state: State, unit: Unit, points: int) -> list[Attack]:
    """Return all charges that the unit can make with these movement points."""
    if not may_charge(unit) or unit.square in squares_fought_in(state):
        return []
    near = [
        enemy
        for enemy in chargeable(state, unit)
        if 3 * APART[unit.square - enemy.square] <= 2 * points
        and least_cost(enemy.square - unit.square, unit.facing) <= points
    ]
    if not near:
        return []
    ways = routes(state, unit, points, near)
    fronts = {enemy.square: at(state, enemy.square)[0] for enemy in near}
    attacks = (attack_on(state, unit, enemy, ways) for enemy in fronts.values())
    return [attack for attack in attacks if attack is not None]


def chargeable(state: State, unit: Unit) -> list[Unit]:
    """Return the enemy units that can be charged: no vessels, and none in hand-to-hand combat."""
    fought = squares_fought_in(state)
    return [
        enemy
        for enemy in on_field(state, unit.side.enemy)
        if enemy.kind not in AFLOAT and enemy.square not in fought
    ]


def routes(state: State, unit: Unit, points: int, prey: Sequence[Unit]) -> Reach:
    """Return the shortest paths into the squares of that prey (Charging 6, 8).

    A charge goes through no unit and, mounted, over no obstacle.
    """
    enemies = {enemy.square for enemy in chargeable(state, unit)}
    barred = board(state).keys() - enemies
    edges = not (unit.mounted and state.field.edges)
    onward = CostsAhead(enemy.square for enemy in prey)
    return roam(state, unit, points, Passage(barred, enemies, edges=edges, onward=onward))


def attack_on(state: State, unit: Unit, enemy: Unit, ways: Reach) -> Attack | None:
    """Return the shortest charge on that enemy, if it strikes an aspect the unit may charge."""
    entries = [
        (ways.costs[enemy.square * 8 + way], way)
        for way in range(8)
        if enemy.square * 8 + way in ways.costs
    ]
    if not entries:
        return None
    least = min(cost for cost, _ in entries)
    for cost, way in entries:
        strikes = struck_aspect(state, enemy, enemy.square - STEPS[way])
        if cost == least and may_charge_so(unit, enemy, strikes):
            return _describe_attack(
                state, unit, enemy, (ways.path(enemy.square, way), strikes, cost)
            )
    return None


def against(state: State, enemy: Unit, strikes: Aspect) -> tuple[Modifier, ...]:
    """Return a charged unit's modifiers; units that are always shaken have none."""
    if is_shaken(enemy):
        return ()
    return charged_modifiers(facing_charge(state, enemy, strikes), supports(state, enemy))


def _describe_attack(
    state: State, unit: Unit, enemy: Unit, way: tuple[tuple[int, ...], Aspect, int]
) -> Attack:
    path, strikes, cost = way
    crossed = crosses(state, unit.square, path)
    bad = enemy.disorganised or is_shaken(enemy)
    figures = movement.figures_that_fight(unit, Aspect.FRONT)
    own_modifiers = charging_modifiers(figures, disorganised=bad, obstacles=crossed)
    enemy_modifiers = against(state, enemy, strikes)
    return Attack(
        enemy.id, path, strikes, cost, _sum(own_modifiers), _sum(enemy_modifiers), crossed
    )


def crosses(state: State, start: int, path: tuple[int, ...]) -> bool:
    """Return whether a path crosses any obstacle."""
    if not state.field.edges:
        return False
    steps = zip((start, *path), path, strict=False)
    return any(
        state.field.between(origin, STEPS.index(destination - origin))
        for origin, destination in steps
    )


def _sum(modifiers: tuple[Modifier, ...]) -> int:
    return sum(modifier.value for modifier in modifiers)


def charge(ledger: Ledger[State], unit: Unit, attack: Attack) -> None:
    """Move the unit up to its enemy, throw for both, and apply the outcome."""
    state = ledger.state
    enemy = state.units[attack.target]
    last = attack.path[-2] if len(attack.path) > 1 else unit.square
    way = STEPS.index(attack.path[-1] - last)
    _come_up(ledger, unit, attack, way)
    ledger.emit(
        e.Charged(unit=unit.id, target=enemy.id, aspect=attack.aspect, obstacles=attack.obstacles)
    )
    result = _throw(ledger, unit, enemy, attack)
    ledger.emit(
        e.ChargeJudged(
            unit=unit.id, target=enemy.id, difference=result.difference, result=result.words
        )
    )
    if unit.impetuous:
        ledger.emit(e.Calmed(unit=unit.id))
    _carry_out(ledger, unit, result, attack)


def pursue(ledger: Ledger[State], unit: Unit, pursued: Unit) -> None:
    """Move the unit to the closest square adjacent to the one it drove back (Charging 17)."""
    square = pursuit_square(ledger.state, unit, pursued)
    if square is not None:
        looks = towards(square, pursued.square)
        ledger.emit(e.Pursued(unit=unit.id, square=square, facing=looks))
        capture_leaders(ledger, square, unit.side)


def pursuit_square(state: State, unit: Unit, pursued: Unit) -> int | None:
    """Return the free square next to the pursued unit that is closest to the unit, if any."""
    if adjacent(unit.square, pursued.square):
        return None
    free = [
        square
        for square in around(pursued.square)
        if state.field.holds(square) and not at(state, square) and _on_the_way(unit, square)
    ]
    reached = [square for square in free if not _is_square_blocked(state, unit, square)]
    return min(reached, key=lambda square: (_steps(unit.square, square), square), default=None)


def _come_up(ledger: Ledger[State], unit: Unit, attack: Attack, way: int) -> None:
    """Move the unit to the square before the enemy's; the step into that square is paid too."""
    if unit.brigade:
        ledger.emit(e.BrigadeLeft(unit=unit.id))
    square = attack.path[-2] if len(attack.path) > 1 else unit.square
    pieces = tuple(piece.id for piece in company(ledger.state, unit) if _follows(piece, unit))
    ledger.emit(
        e.Moved(
            units=pieces,
            path=attack.path[:-1],
            to=(square,) * len(pieces),
            facing=way,
            cost=attack.cost,
        )
    )


def _follows(piece: object, unit: Unit) -> bool:
    """Return whether a piece goes with a charging unit: Leaders do, gunners stay."""
    return piece is unit or not isinstance(piece, Unit)


def _throw(ledger: Ledger[State], unit: Unit, enemy: Unit, attack: Attack) -> CasualtyOutcome:
    """Throw for both sides and return the outcome, which is added to the second record."""
    state = ledger.state
    shaken = is_shaken(enemy)
    bad = enemy.disorganised or shaken
    own_modifiers = charging_modifiers(
        movement.figures_that_fight(unit, Aspect.FRONT),
        disorganised=bad,
        obstacles=attack.obstacles,
    )
    enemy_modifiers = against(state, enemy, attack.aspect)
    charging = ledger.roll(_roll("charge", unit, own_modifiers))
    charged = ledger.roll(_roll("charged", enemy, enemy_modifiers))
    result = outcome(charging.total, charged.total, disorganised=bad)
    ledger.amend(charged, result=result.words, table=f"{result.difference:+d}")
    return result


def _roll(reason: str, unit: Unit, modifiers: tuple[Modifier, ...]) -> Roll:
    faces = book().faces("charge", unit)
    return Roll(reason, "Charging 9", (0,), faces, modifiers=modifiers, side=unit.side)


def _carry_out(ledger: Ledger[State], unit: Unit, result: CasualtyOutcome, attack: Attack) -> None:
    """Apply the outcome: first to the loser, then to the charger who goes in."""
    enemy = ledger.state.units[attack.target]
    way = towards(unit.square, enemy.square)
    if result.loser == "charger":
        suffer(ledger, unit, result, (opposite(unit.facing), unit.facing))
    elif result.back and _pleads(ledger, enemy):
        destroy(ledger, enemy, "no mercy")
    elif result.loser == "charged":
        suffer(ledger, enemy, result, retreat_direction(enemy, attack.aspect, way))
    if result.enters:
        _go_in(ledger, unit, attack)


def _go_in(ledger: Ledger[State], unit: Unit, attack: Attack) -> None:
    """Move into the enemy's square; fight an enemy still there, or ask about pursuit."""
    state, square, origin = ledger.state, attack.path[-1], unit.square
    for piece in company(state, unit):
        if _follows(piece, unit):
            ledger.emit(e.WentIn(unit=piece.id, square=square))
    left = foremost(state, square, unit.side.enemy)
    if left is not None:
        strikes = attack.aspect if left.id == attack.target else struck_aspect(state, left, origin)
        ledger.emit(e.CombatBegan(charger=unit.id, charged=left.id, aspect=strikes))
        return
    capture_leaders(ledger, square, unit.side)
    enemy = state.units.get(attack.target)
    if enemy is not None and pursuit_square(state, unit, enemy) is not None:
        ledger.ask(ToPursue(unit.side, unit.id, enemy.id))


def _pleads(ledger: Ledger[State], enemy: Unit) -> bool:
    """Return whether Gendarmerie plead for mercy, in scenarios with that rule (Marching 4)."""
    if Special.MERCY not in ledger.state.special or enemy.troops is not Troops.GENDARMERIE:
        return False
    roll = ledger.roll(Roll("mercy", "Marching 4", (0,), 6, side=enemy.side))
    pleads = roll.total >= book().number("mercy")
    ledger.amend(roll, result="pleads for mercy" if pleads else "falls back")
    return pleads


def _steps(square: int, other: int) -> tuple[int, int]:
    columns, rows = offset(square, other)
    return max(abs(columns), abs(rows)), abs(columns) + abs(rows)


def _on_the_way(unit: Unit, square: int) -> bool:
    """Return whether one step takes the unit to a square."""
    return adjacent(unit.square, square) or unit.square == square


def _is_square_blocked(state: State, unit: Unit, square: int) -> bool:
    if square == unit.square:
        return False
    return step_cost(state, unit, unit.square, STEPS.index(square - unit.square)) is None
