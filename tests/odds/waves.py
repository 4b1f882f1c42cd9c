"""Several stacks that attack one hex in turn: sampled, and played by the rules themselves."""

from collections.abc import Iterator, Sequence

from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from campaign import rules
from campaign.odds.assault import Defence, Wave
from campaign.odds.meeting import CombatPlan, staff_plan
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.state import MarchUnderWay, State
from campaign.rules.map import HexId
from campaign.staff import answer
from tests.positions import position

TARGET = HexId(640)
ROUTES = tuple((HexId(way), HexId(at)) for way, at in ((642, 641), (540, 541), (740, 741)))


def three_columns() -> State:
    """Return a Mahdist stack in the desert with three columns of Egyptians about it."""
    state: State = position(
        "0641: 8 infantry egyptian L",
        "0541: 6 infantry egyptian L, gun egyptian",
        "0741: 5 infantry british V",
        "0640: 12 spears 2F, 3 spears 1R",
    )
    return state


def waves(state: State, number: int = 3) -> tuple[list[Wave], Defence]:
    """Return the attacks of so many of the columns, led as the staff would; nobody of them has
    leaders.
    """
    enemies = board(state).stack(state.side.enemy, TARGET)
    found = []
    for route in ROUTES[:number]:
        units = tuple(board(state).stack(state.side, route[-1]))
        found.append(Wave(units, route, staff_plan(state, units, enemies)))
    return found, Defence(TARGET, CombatPlan(staff_plan(state, enemies, enemies).sharing))


def played(state: State, number: int, dice: Dice, runs: int) -> Iterator[bool]:
    """Yield whether the defender was beaten, in so many runs of the attacks by the rules."""
    opening = encode(state)
    for _ in range(runs):
        yield _falls(decode(opening, State), ROUTES[:number], dice)


def _falls(state: State, routes: Sequence[tuple[HexId, ...]], dice: Dice) -> bool:
    for route in routes:
        if not board(state).stack(state.side.enemy, TARGET):
            return True
        units = [unit.id for unit in board(state).stack(state.side, route[-1])]
        state.march = MarchUnderWay(units, list(route), marches=1, points=0)
        state.question = q.OnMarch(state.side)
        events = list(rules.play(state, a.Attack(TARGET), dice).events)
        while isinstance(state.question, q.ToLead | q.ToShareLosses | q.ToRetreat):
            events += rules.play(state, answer(state), dice).events
        if any(isinstance(one, e.CombatEnded) and one.winner is state.side for one in events):
            return True
    return not board(state).stack(state.side.enemy, TARGET)
