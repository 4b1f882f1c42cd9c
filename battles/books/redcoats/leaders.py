"""Leaders: their risks in combat, and movement on their own (Leaders in combat)."""

from battles.books.redcoats import events as e
from battles.books.redcoats.board import at, board, leaders_with
from battles.books.redcoats.book import book
from battles.books.redcoats.dealing import turn_over
from battles.books.redcoats.ground import is_water, surcharge
from battles.books.redcoats.movement import Reach, passes_corner, search
from battles.books.redcoats.pieces import Side
from battles.books.redcoats.squares import STEPS, is_diagonal
from battles.books.redcoats.state import Leader, State, Unit
from battles.core.ledger import Ledger

REMOVED = ("killed", "wounded")


def at_risk(ledger: Ledger[State], unit: Unit) -> bool:
    """Turn a card for each Leader with a unit that is hit or fights.

    Return whether one was removed: a hit that removes a Leader affects him alone (Leaders 2).
    """
    removed = False
    for leader in list(leaders_with(ledger.state, unit)):
        result = turn_over(ledger, "leader", unit)
        if result in REMOVED:
            ledger.emit(e.LeaderFell(leader=leader.id, cause=result))
            removed = True
        elif result == "hurt":
            ledger.emit(e.LeaderWounded(leader=leader.id))
    return removed


def capture_leaders(ledger: Ledger[State], square: int, by: Side) -> None:
    """Remove Leaders without troops when the enemy enters their square (ruling)."""
    state = ledger.state
    for leader in list(state.leaders.values()):
        if leader.square == square and leader.side is not by and not _guarded(state, leader):
            ledger.emit(e.LeaderFell(leader=leader.id, cause="taken"))


def ride(state: State, leader: Leader, points: int) -> Reach:
    """Return the squares that a Leader on his own can reach; he has no facing and never turns."""
    return search(
        (leader.square, 0),
        points,
        lambda square, way: step_cost(state, leader, square, way),
        lambda square: 0,
    )


def step_cost(state: State, leader: Leader, square: int, way: int) -> int | None:
    """Return the action points of a Leader's step; None where he may not go.

    Enemies, water, a disorganised friend whom he would pass, and units on both or either side of a
    diagonal bar his way (Restrictions 4, Movement 3).
    """
    to = square + STEPS[way]
    if not state.field.holds(to) or is_water(state.field, to):
        return None
    if any(unit.side is not leader.side for unit in at(state, to)):
        return None
    passed = () if square == leader.square else at(state, square)
    if any(unit.disorganised for unit in passed) or not passes_corner(state, square, way):
        return None
    tariff = book().points
    cost = tariff("diagonal") if is_diagonal(way) else tariff("orthogonal")
    if square != leader.square and square in board(state):
        cost += tariff("through friends")
    if state.field.edges and state.field.between(square, way) is not None:
        cost += tariff("obstacle")
    return cost + surcharge(state.field, square, to)


def _guarded(state: State, leader: Leader) -> bool:
    return any(unit.side is leader.side for unit in at(state, leader.square))
