"""Choose a side's plan for a month by playing the plans of both sides out against each other.

Each candidate of the portfolio is played from the same positions, with the same dice, against each
of the enemy's plans in turn; the staff's own quick answers carry the plans out. The worst are
dropped as the games go on, so the budget is spent on those that are close. It is counted in
playouts and never in seconds: the same key and positions give the same choice on every machine.

A playout ends after some months. Then the position is judged by what counts for the victory.
"""

from collections.abc import Callable, Sequence
from math import tanh
from typing import NamedTuple, TypeAlias

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import play_trusted
from campaign.rules.core.board import board, laws, scenario_of
from campaign.rules.core.state import State
from campaign.rules.tables import scenario_data as v
from campaign.staff import answer
from campaign.staff.plans import CampaignPlan, Plans, portfolio, under
from campaign.staff.scene import is_fighter, power

Positions: TypeAlias = Callable[[int], State]
"""Return the n-th position that may be the true one, for the caller to change."""

MOST_ANSWERS = 10_000
"""More answers than the months of a playout need: beyond it the staff must be in a loop."""


class PlanningTerms(NamedTuple):
    """The side whose plan is chosen, the key of all dice, and how much may be played.

    `before` is the plan of the month before, which is kept unless another is plainly better.
    """

    side: Side
    key: bytes
    playouts: int
    months: int
    before: str = ""


class PlanChoice(NamedTuple):
    """The plan chosen, its mean value from 0 (lost) to 1 (won), and the playouts it took."""

    plan: str
    value: float
    playouts: int


KEPT = 0.05
"""The value by which another plan has to be better than the one in use."""

FEWEST = 2
"""The candidates that stay to the end."""


def choose_plan(
    scenario: str | v.Scenario, terms: PlanningTerms, positions: Positions
) -> PlanChoice:
    """Return the best plan of the side's portfolio. Raises ValueError where there is none."""
    mine, theirs = portfolio(scenario, terms.side), portfolio(scenario, terms.side.enemy)
    if not mine:
        raise ValueError(f"The {terms.side} side has no portfolio of plans in this scenario.")
    values: dict[str, list[float]] = {plan.name: [] for plan in mine}
    left, spent, played = list(mine), 0, 0
    while len(mine) > 1 and spent + len(left) <= terms.playouts:
        against = under(scenario, theirs[played % len(theirs)].name) if theirs else None
        for plan in left:
            pair = {terms.side: under(scenario, plan.name), terms.side.enemy: against}
            key = derive_key(terms.key, "playout", played)
            values[plan.name].append(_playout(positions(played), pair, terms, key))
        spent, played = spent + len(left), played + 1
        if played % 2 == 0 and len(left) > FEWEST:
            left.remove(min(left, key=lambda plan: _mean(values[plan.name])))
    return _best(left, values, terms.before, spent)


def _best(
    left: Sequence[CampaignPlan], values: dict[str, list[float]], before: str, spent: int
) -> PlanChoice:
    worth = {plan.name: _mean(values[plan.name]) for plan in left}
    best = max(left, key=lambda plan: worth[plan.name] + KEPT * (plan.name == before))
    return PlanChoice(best.name, worth[best.name], spent)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _playout(
    state: State, plans: dict[Side, Plans | None], terms: PlanningTerms, key: bytes
) -> float:
    """Play the months out and return the value of where they lead."""
    dice, last = ChainedDice(key), state.month + terms.months
    balance = strength_share(state, terms.side)
    for _ in range(MOST_ANSWERS):
        if state.question is None or state.month >= last:
            break
        play_trusted(state, answer(state, plans[state.question.side]), dice)
    return value_of(state, terms.side, balance)


def value_of(state: State, side: Side, balance: float) -> float:
    """Return the value of a position for a side, from 0 (lost) to 1 (won).

    A campaign that goes on is worth a half, changed by how far each side's siege count has come and
    by how the share of the fighting power has moved from `balance`.
    """
    if state.result is not None:
        return 0.5 if state.result.winner is None else float(state.result.winner is side)
    moved = strength_share(state, side) - balance
    counts = sum(
        (1 if one.winner is side else -1) * state.tallies.get(f"turns:{one.winner}", 0) / one.turns
        for one in scenario_of(state).victory
        if isinstance(one, v.Unbesieged | v.SiegeMaintained)
    )
    return 0.5 + 0.4 * tanh(moved * 3 + counts / 2)


def strength_share(state: State, side: Side) -> float:
    """Return this side's share of the fighting power on the map."""
    law = laws(state)
    own, enemy = (
        power(law, [unit for unit in board(state).units if unit.side is one and is_fighter(unit)])
        for one in (side, side.enemy)
    )
    return own / (own + enemy) if own + enemy else 0.5
