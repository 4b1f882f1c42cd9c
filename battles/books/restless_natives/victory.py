"""The end of a battle, and its winner (Turn sequence 7, Scenarios)."""

from collections.abc import Iterator

from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import any_within, fights, on_field, stands_of
from battles.books.restless_natives.goals import Exit, Hold
from battles.books.restless_natives.names import SIDES
from battles.books.restless_natives.state import State, Unit
from battles.contract.brief import Side
from battles.contract.report import BattleResult
from battles.core.game import Ledger

ENDINGS = {
    "second joker": "The second joker was turned over.",
    "cards": "The last card that had been agreed on was turned over.",
}


def sides_standing(state: State) -> list[Side]:
    """Return the sides with units that can fight, on the field or yet to come."""
    there = [*state.units.values(), *state.waiting.values()]
    return [side for side in Side if any(unit.side is side and fights(unit) for unit in there)]


def end(ledger: Ledger[State], how: str) -> None:
    """End the battle. `how`: second joker, cards, or destroyed."""
    ledger.emit(e.BattleEnded(result=judge(ledger.state, how)))


def judge(state: State, how: str) -> BattleResult:
    """Return the result: the side left alone on the field wins, else the goal decides."""
    left = sides_standing(state)
    if len(left) < 2:
        winner = left[0] if left else None
        beaten = f" of {SIDES[winner.enemy]}" if winner else ""
        return BattleResult(winner, how, f"Nobody{beaten} is left to fight.")
    return BattleResult(_winner(state), how, ENDINGS[how])


def share_left(state: State, side: Side) -> int:
    """Return the percentage of a side's first stands on the field or yet to come."""
    there = [*state.units.values(), *state.waiting.values()]
    left = sum(unit.stands for unit in there if unit.side is side)
    return 100 * left // max(1, state.began[side])


def share_exited(state: State, side: Side) -> int:
    """Return the percentage of a side's first stands that left by the exit, rounded up."""
    gone = sum(unit.stands for unit in state.exited.values() if unit.side is side)
    return -(-100 * gone // max(1, state.began[side]))


def may_leave(state: State, unit: Unit) -> bool:
    """Return whether the unit stands at the exit that its side has to reach."""
    goal = state.goal
    if not isinstance(goal, Exit) or unit.side is not goal.side:
        return False
    return any_within(goal.area, stands_of(unit))


def areas(ledger: Ledger[State]) -> None:
    """Give each area of the goal to the side that alone has stands in it."""
    for number, side in list(_changed_areas(ledger.state)):
        ledger.emit(e.AreaTaken(area=number, side=side))


def _changed_areas(state: State) -> Iterator[tuple[int, Side]]:
    if not isinstance(state.goal, Hold):
        return
    for number, area in enumerate(state.goal.areas):
        there = [
            side
            for side in Side
            if any(any_within(area, stands_of(unit)) for unit in on_field(state, side))
        ]
        if len(there) == 1 and state.holders[number] is not there[0]:
            yield number, there[0]


def _winner(state: State) -> Side | None:
    goal = state.goal
    if isinstance(goal, Hold):
        held = sum(holder is goal.side for holder in state.holders)
        return goal.side if held >= goal.need else goal.side.enemy
    if isinstance(goal, Exit):
        return goal.side if share_exited(state, goal.side) > goal.percent else goal.side.enemy
    steady = [side for side in Side if share_left(state, side) >= goal.percent]
    return steady[0] if len(steady) == 1 else None
