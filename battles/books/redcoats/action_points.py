"""Action points: the throw when a unit is activated, and what is left of it (Action points)."""

from battles.books.redcoats import formations
from battles.books.redcoats.book import book
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.state import Activation, Leader, State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger


def thrown(ledger: Ledger[State], unit: Unit) -> int:
    """Return the action points that a unit throws for; never less than none."""
    roll = ledger.roll(
        Roll(
            "action points",
            "Action points 1",
            (0,),
            book().faces("action points", unit),
            modifiers=reduction(unit),
            side=unit.side,
        )
    )
    return max(roll.total, 0)


def thrown_by_leader(ledger: Ledger[State], leader: Leader) -> int:
    """Return the action points of a Leader who moves on his own."""
    faces = book().leader_faces(leader.troops)
    return ledger.roll(
        Roll("action points", "Action points 1", (0,), faces, side=leader.side)
    ).total


def reduction(unit: Unit) -> tuple[Modifier, ...]:
    """What irregulars' throws are reduced by (Bashi-Bazouks 3, Gendarmerie 2)."""
    row = book().troops(unit.troops)
    if not row.action_points:
        return ()
    return (Modifier(row.action_points, unit.troops.value, row.clause),)


def points(score: int, unit: Unit) -> int:
    """Return the action points that a score gives a unit: 2 is none for Bashi-Bazouks."""
    return max(0, score + book().troops(unit.troops).action_points)


def movement_points(score: int, formation: Formation, *, bonus: int = 0) -> int:
    """Return the points a unit that does not fire has for movement, by its formation and a card's
    bonus.

    `movement_points(4, MARCH_COLUMN)` is 6 (Movement 4).
    """
    return max(0, score + book().formation(formation).movement + bonus)


def formation_effect(units: list[Unit]) -> int:
    """Return points of movement that formation gives or takes: those of a brigade Square move as
    one.
    """
    if len(units) > 1:
        return book().formation(Formation.SQUARE).movement
    return 0 if units[0].is_craft else formations.movement(units[0])


def movement_left(current: Activation) -> int:
    """Return points that can still be spent on movement.

    What a formation takes is not taken from a unit that has fired (Action points 2; ruling).
    """
    loss = 0 if current.fired else current.loss
    return current.points + current.bonus - loss - current.spent - current.moved


def left(current: Activation) -> int:
    """Return points that can still be spent on firing: what is for moving alone goes on that first."""
    return current.points - current.spent - max(0, current.moved - current.bonus)
