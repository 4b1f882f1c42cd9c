"""Breaking off battle, and how a battle ends (Break off battle)."""

from battles.books.redcoats import events as e
from battles.books.redcoats.board import on_field
from battles.books.redcoats.pieces import Side
from battles.books.redcoats.squares import STEPS, distance
from battles.books.redcoats.state import State, Unit
from battles.contract.events import BattleResult
from battles.core.ledger import Ledger

_NAMES = {Side.EGYPTIAN: "Anglo-Egyptian", Side.MAHDIST: "Dervish"}


def must_break_off(out: int, of: int) -> bool:
    """Whether so many units disorganised or lost of so many are half or more (Break off 1)."""
    return 2 * out >= of


def out_of_action(state: State, side: Side) -> int:
    """A side's units that are disorganised, lost, or gone from the field."""
    here = sum(unit.side is side and unit.disorganised for unit in state.units.values())
    return here + sum(unit.side is side for unit in [*state.lost, *state.left])


def judge(ledger: Ledger[State]) -> None:
    """The end of a turn: who has to break off, and whether the battle is over (Turn 10)."""
    state = ledger.state
    for side in Side:
        out, of = out_of_action(state, side), state.strengths.get(side, 0)
        if side not in state.breaking_off and must_break_off(out, of):
            ledger.emit(e.BrokeOff(side=side, out=out, of=of))
    result = ended(state)
    if result is not None:
        ledger.emit(e.BattleEnded(result=result))


def ended(state: State) -> BattleResult | None:
    """How the battle has ended; None while it goes on."""
    return _emptied(state) or _taken(state) or _night(state)


def nearest_distance(state: State, square: int, side: Side) -> int:
    """Squares to the side's nearest enemy unit; many when there is none."""
    return min(
        (distance(square, enemy.square) for enemy in on_field(state, side.enemy)), default=99
    )


def ways_off(state: State, unit: Unit) -> tuple[int, ...]:
    """The facings in which a unit at the edge goes off the field, away from the enemy."""
    here = nearest_distance(state, unit.square, unit.side)
    return tuple(
        way
        for way in state.field.edge(unit.square)
        if nearest_distance(state, unit.square + STEPS[way], unit.side) > here or here == 99
    )


def _emptied(state: State) -> BattleResult | None:
    """A side without units on the field or on their way to it has lost."""
    there = {unit.side for unit in state.units.values()}
    gone = [side for side in Side if side not in there]
    if len(gone) == 2:
        return BattleResult(None, "destroyed", "Neither side has a unit left on the field.")
    if not gone:
        return None
    side, name = gone[0], _NAMES[gone[0]]
    if side in state.breaking_off and any(unit.side is side for unit in state.left):
        return BattleResult(side.enemy, "broke off", f"The last of the {name} side has withdrawn.")
    return BattleResult(side.enemy, "destroyed", f"The {name} side has no unit left on the field.")


def _taken(state: State) -> BattleResult | None:
    """An objective held in good order, with no enemy in it, is won."""
    goal = state.objective
    if goal is None:
        return None
    holders = [unit for unit in state.units.values() if unit.square in goal.squares]
    held = any(unit.side is goal.side and not unit.disorganised for unit in holders)
    if held and all(unit.side is goal.side for unit in holders):
        return BattleResult(goal.side, "objective", "What was to be taken has been taken.")
    return None


def _night(state: State) -> BattleResult | None:
    if state.turn < state.turns:
        return None
    staying = [side for side in Side if side not in state.breaking_off]
    winner = staying[0] if len(staying) == 1 else None
    return BattleResult(winner, "nightfall", "Night has fallen.")
