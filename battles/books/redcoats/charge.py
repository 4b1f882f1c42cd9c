"""A charge carried home: the throws, who gives way, and pursuit (Charging 9 to 17)."""

from battles.books.redcoats import events as e
from battles.books.redcoats import formations
from battles.books.redcoats.board import at, company, foremost
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import destroy, driven, suffer
from battles.books.redcoats.charging import (
    Attack,
    against,
    charging_modifiers,
    is_shaken,
    outcome,
    struck,
)
from battles.books.redcoats.leaders import taken
from battles.books.redcoats.movement import step_cost
from battles.books.redcoats.outcomes import Outcome
from battles.books.redcoats.pieces import Special, Troops
from battles.books.redcoats.questions import ToPursue
from battles.books.redcoats.squares import (
    STEPS,
    Aspect,
    adjacent,
    around,
    offset,
    opposite,
    towards,
)
from battles.books.redcoats.state import State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger


def charge(ledger: Ledger[State], unit: Unit, attack: Attack) -> None:
    """The unit goes up to its enemy, both throw, and what the difference says happens."""
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
    """The unit goes to the closest square adjacent to the one it has driven back (Charging 17)."""
    square = pursuit_square(ledger.state, unit, pursued)
    if square is not None:
        looks = towards(square, pursued.square)
        ledger.emit(e.Pursued(unit=unit.id, square=square, facing=looks))
        taken(ledger, square, unit.side)


def pursuit_square(state: State, unit: Unit, pursued: Unit) -> int | None:
    """The free square next to the pursued that is closest to the unit; None when there is none."""
    if adjacent(unit.square, pursued.square):
        return None
    free = [
        square
        for square in around(pursued.square)
        if state.field.holds(square) and not at(state, square) and _on_the_way(unit, square)
    ]
    reached = [square for square in free if not _barred(state, unit, square)]
    return min(reached, key=lambda square: (_steps(unit.square, square), square), default=None)


def _come_up(ledger: Ledger[State], unit: Unit, attack: Attack, way: int) -> None:
    """To the square before the enemy's; the step into it is paid as well."""
    if unit.brigade:
        ledger.emit(e.BrigadeLeft(unit=unit.id))
    there = attack.path[-2] if len(attack.path) > 1 else unit.square
    pieces = tuple(piece.id for piece in company(ledger.state, unit) if _follows(piece, unit))
    ledger.emit(
        e.Moved(
            units=pieces,
            path=attack.path[:-1],
            to=(there,) * len(pieces),
            facing=way,
            cost=attack.cost,
        )
    )


def _follows(piece: object, unit: Unit) -> bool:
    """Leaders go with a unit that charges; gunners beside it stay."""
    return piece is unit or not isinstance(piece, Unit)


def _throw(ledger: Ledger[State], unit: Unit, enemy: Unit, attack: Attack) -> Outcome:
    """Both sides throw; the second record is amended with what the difference gives."""
    state = ledger.state
    shaken = is_shaken(enemy)
    bad = enemy.disorganised or shaken
    ours = charging_modifiers(
        formations.fighting(unit, Aspect.FRONT), disorganised=bad, obstacles=attack.obstacles
    )
    theirs = against(state, enemy, attack.aspect)
    charging = ledger.roll(_roll("charge", unit, ours))
    charged = ledger.roll(_roll("charged", enemy, theirs))
    result = outcome(charging.total, charged.total, disorganised=bad)
    ledger.amend(charged, result=result.words, table=f"{result.difference:+d}")
    return result


def _roll(reason: str, unit: Unit, modifiers: tuple[Modifier, ...]) -> Roll:
    faces = book().faces("charge", unit)
    return Roll(reason, "Charging 9", (0,), faces, modifiers=modifiers, side=unit.side)


def _carry_out(ledger: Ledger[State], unit: Unit, result: Outcome, attack: Attack) -> None:
    """What the outcome says: of the loser first, then of the charger who goes in."""
    enemy = ledger.state.units[attack.target]
    way = towards(unit.square, enemy.square)
    if result.loser == "charger":
        suffer(ledger, unit, result, (opposite(unit.facing), unit.facing))
    elif result.back and _pleads(ledger, enemy):
        destroy(ledger, enemy, "no mercy")
    elif result.loser == "charged":
        suffer(ledger, enemy, result, driven(enemy, attack.aspect, way))
    if result.enters:
        _go_in(ledger, unit, attack)


def _go_in(ledger: Ledger[State], unit: Unit, attack: Attack) -> None:
    """Into the enemy's square: he is still there and fights, or he may be pursued."""
    state, square, origin = ledger.state, attack.path[-1], unit.square
    for piece in company(state, unit):
        if _follows(piece, unit):
            ledger.emit(e.WentIn(unit=piece.id, square=square))
    left = foremost(state, square, unit.side.enemy)
    if left is not None:
        strikes = attack.aspect if left.id == attack.target else struck(state, left, origin)
        ledger.emit(e.CombatBegan(charger=unit.id, charged=left.id, aspect=strikes))
        return
    taken(ledger, square, unit.side)
    enemy = state.units.get(attack.target)
    if enemy is not None and pursuit_square(state, unit, enemy) is not None:
        ledger.ask(ToPursue(unit.side, unit.id, enemy.id))


def _pleads(ledger: Ledger[State], enemy: Unit) -> bool:
    """Whether Gendarmerie throw down their weapons, where the scenario has it (Marching 4)."""
    if Special.MERCY not in ledger.state.special or enemy.troops is not Troops.GENDARMERIE:
        return False
    roll = ledger.roll(Roll("mercy", "Marching 4", (0,), 6, side=enemy.side))
    pleads = roll.total >= book().number("mercy")
    ledger.amend(roll, result="pleads for mercy" if pleads else "falls back")
    return pleads


def _steps(one: int, other: int) -> tuple[int, int]:
    columns, rows = offset(one, other)
    return max(abs(columns), abs(rows)), abs(columns) + abs(rows)


def _on_the_way(unit: Unit, square: int) -> bool:
    """Whether a square lies beside the unit, so that one step takes it there."""
    return adjacent(unit.square, square) or unit.square == square


def _barred(state: State, unit: Unit, square: int) -> bool:
    if square == unit.square:
        return False
    return step_cost(state, unit, unit.square, STEPS.index(square - unit.square)) is None
