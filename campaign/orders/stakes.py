"""What an order puts at stake: how losing its stack, or leaving a place, may end the campaign.

It is derived from the scenario's conditions of victory (4.1, 4.2), as the rules apply them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from campaign.orders.rehearsal import Fight
from campaign.rules import victory_data as v
from campaign.rules.board import board, chart
from campaign.rules.english.names import adjective, does, leader_name, side_name
from campaign.rules.english.words import capital, percent, times
from campaign.rules.losses import is_replaced
from campaign.rules.pieces import Kind, Nation, Side
from campaign.rules.stacking import counted
from campaign.rules.state import State, Unit
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.victory import conditions, counted_by_turns, turns_counted


class Stake(NamedTuple):
    """Something that may end the campaign or decide it: who wins by it, and what is said of it.

    `winner` is None where a victory of one's own is lost. `chance` is that in the order's own
    combats, where it is known.
    """

    winner: Side | None
    said: str
    clause: str
    chance: float | None = None


class Staked(NamedTuple):
    """A stack that an order sends: as it sets out, its combats, and the position in the end."""

    units: Sequence[Unit]
    fights: Sequence[Fight]
    end: State
    thirsts: bool


def stakes(state: State, staked: Staked) -> tuple[Stake, ...]:
    """Return what the order with that stack puts at stake; `state` is what its side knows."""
    if not staked.units:
        return ()
    return (
        *_of_the_stack(state, staked),
        *_of_leaders(state, staked),
        *_of_places(state, staked),
        *_of_ways_to_win(state, staked),
        *_of_thirst(state, staked),
    )


def _of_the_stack(state: State, staked: Staked) -> Iterator[Stake]:
    """A stack with a leader of the nation named is not to be wiped out in combat (4.2)."""
    side = staked.units[0].side
    for condition in conditions(state, v.StackDestroyed):
        led = any(_leads(unit, condition.leader_nation) for unit in staked.units)
        if not led or side is not condition.winner.enemy:
            continue
        said = f"If this stack is destroyed in combat, {_win_at_once(condition.winner)}."
        if any(unit.kind is Kind.CIVILIANS for unit in staked.units):
            said += " Civilians do not keep it alive."
        chance = _destroyed(staked.fights)
        if chance:
            said += f" The chance of that in its own attack is {percent(chance)}."
        yield Stake(condition.winner, said, condition.clause, chance)


def _leads(unit: Unit, nation: Nation) -> bool:
    return unit.kind is Kind.LEADER and unit.nation is nation


def _win_at_once(side: Side) -> str:
    return f"{does(side, 'wins', 'win')} at once"


def _destroyed(fights: Sequence[Fight]) -> float | None:
    """The greatest chance of its combats that it is destroyed; None where none is known."""
    known = [fight.odds.attacker.destroyed for fight in fights if fight.odds is not None]
    return max(known, default=None)


def _of_leaders(state: State, staked: Staked) -> Iterator[Stake]:
    """Leaders by whose loss the enemy wins (4.1)."""
    names = {unit.name for unit in staked.units if unit.kind is Kind.LEADER}
    side = staked.units[0].side
    for condition in conditions(state, v.LeaderEliminated):
        if condition.leader in names and condition.winner is side.enemy:
            said = f"If {leader_name(condition.leader)} is lost, {_win_at_once(condition.winner)}."
            yield Stake(condition.winner, said, condition.clause)


def _of_places(state: State, staked: Staked) -> Iterator[Stake]:
    """Places by whose capture the enemy wins, and which the order leaves without a garrison."""
    side, here = staked.units[0].side, staked.units[0].hex
    for condition in conditions(state, v.PlaceCaptured):
        place = chart(state).place(condition.place).hex
        left = here == place and not board(staked.end).land(side, place)
        if left and condition.winner is side.enemy:
            said = (
                f"It leaves nobody to hold {condition.place}: if {side_name(condition.winner)} "
                f"{'enters' if condition.winner is Side.EGYPTIAN else 'enter'} it, "
                f"{_win_at_once(condition.winner)}."
            )
            yield Stake(condition.winner, said, condition.clause)


def _of_ways_to_win(state: State, staked: Staked) -> Iterator[Stake]:
    """Units without which a way to win is gone, all of them in this stack (4.2)."""
    side, mine = staked.units[0].side, {unit.id for unit in staked.units}
    waiting = [unit for due in state.due for unit in due.units]
    for condition in conditions(state, v.UnitArrived):
        needed = [
            unit
            for unit in (*state.units.values(), *waiting)
            if unit.kind is condition.unit and unit.nation is condition.nation
        ]
        last = needed and mine.issuperset(unit.id for unit in needed)
        if last and condition.winner is side and not any(map(is_replaced, needed)):
            said = f"If the {condition.unit} are lost, this way to win is lost: {condition.text}"
            yield Stake(None, said, condition.clause)


def _of_thirst(state: State, staked: Staked) -> Iterator[Stake]:
    """Units whose loss by attrition leaves their side a draw at best (4.2)."""
    if not staked.thirsts or DRAW_ONLY in state.flags:
        return
    side = staked.units[0].side
    for condition in conditions(state, v.OnlyADraw):
        mourned = [
            unit
            for unit in counted(staked.units)
            if unit.nation is condition.nation and unit.kind not in condition.not_counted
        ]
        if mourned and condition.side is side:
            said = (
                f"If attrition eliminates one of its {adjective(condition.nation)} units, "
                f"{side_name(side)} can at best draw."
            )
            yield Stake(None, said, condition.clause)


def at_the_turn(state: State) -> Iterator[Stake]:
    """What ends the campaign at the end of the next Egyptian turn if things stay as they are."""
    for condition in counted_by_turns(state):
        counted_so_far = turns_counted(state, condition)
        if counted_so_far and counted_so_far + 1 >= condition.turns:
            turns = times(counted_so_far, "turn")
            said = (
                f"{capital(side_name(condition.winner))} may win at the end of the next Egyptian "
                f"turn: {condition.text} {capital(turns)} running {_have(counted_so_far)} been "
                "counted."
            )
            yield Stake(condition.winner, said, condition.clause)


def _have(number: int) -> str:
    return "has" if number == 1 else "have"
