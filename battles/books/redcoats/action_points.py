"""Action points: the throw at an activation, and the points left (Action points)."""

from battles.books.redcoats import formations
from battles.books.redcoats.book import book
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.state import Activation, Leader, State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger


def thrown(ledger: Ledger[State], unit: Unit) -> int:
    """Throw a unit's action points and return them; never less than 0."""
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
    """Throw the action points of a Leader who moves on his own and return them."""
    faces = book().leader_faces(leader.troops)
    return ledger.roll(
        Roll("action points", "Action points 1", (0,), faces, side=leader.side)
    ).total


def reduction(unit: Unit) -> tuple[Modifier, ...]:
    """Return the reduction of irregulars' throws (Bashi-Bazouks 3, Gendarmerie 2)."""
    row = book().troops(unit.troops)
    if not row.action_points:
        return ()
    return (Modifier(row.action_points, unit.troops.value, row.clause),)


def points(score: int, unit: Unit) -> int:
    """Return the action points that a score gives a unit: a 2 gives Bashi-Bazouks none."""
    return max(0, score + book().troops(unit.troops).action_points)


def movement_points(score: int, formation: Formation, *, bonus: int = 0) -> int:
    """Return the movement points of a unit that does not fire, by its formation and a card's bonus.

    `movement_points(4, MARCH_COLUMN)` is 6 (Movement 4).
    """
    return max(0, score + book().formation(formation).movement + bonus)


def formation_effect(units: list[Unit]) -> int:
    """Return the movement points that formation gives or takes; a brigade Square's are shared."""
    if len(units) > 1:
        return book().formation(Formation.SQUARE).movement
    return 0 if units[0].is_craft else formations.movement(units[0])


def movement_left(current: Activation) -> int:
    """Return the points left for movement.

    The loss for a formation does not apply to a unit that has fired (Action points 2; ruling).
    """
    loss = 0 if current.fired else current.loss
    return current.points + current.bonus - loss - current.spent - current.moved


def left(current: Activation) -> int:
    """Return the points left for firing; movement uses up the bonus for movement first."""
    return current.points - current.spent - max(0, current.moved - current.bonus)
