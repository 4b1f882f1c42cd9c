"""Choose a side's plan for a month by playing the plans of both sides out against each other.

Each candidate of the portfolio is played from the same positions, with the same dice, against each
of the enemy's plans in turn, and against an enemy who never marches; the staff's own quick answers
carry the plans out. A candidate that leads to the same end of the month as another is dropped at
once, and the worst as the games go on, so the budget is spent on those that are close. It is
counted in playouts and never in seconds: the same key and positions give the same choice on every
machine. The plan in use is kept unless another is plainly better than chance would have it.

A playout ends after some months. Then the position is judged by what counts for the victory.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import sqrt, tanh
from statistics import fmean, stdev
from typing import NamedTuple, TypeAlias

from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import play_trusted
from campaign.rules.core.board import board, laws, scenario_of
from campaign.rules.core.state import State
from campaign.rules.tables import scenario_data as v
from campaign.staff import answer
from campaign.staff.plans import Plans, portfolio, under
from campaign.staff.rivals import Player, sit_tight
from campaign.staff.scene import is_fighter, power

Positions: TypeAlias = Callable[[int], State]
"""Return the n-th position that may be the true one, for the caller to change."""

MOST_ANSWERS = 10_000
"""More answers than the months of a playout need: beyond it the staff must be in a loop."""


class PlanningTerms(NamedTuple):
    """The side whose plan is chosen, the key of all dice, and how much may be played.

    `before` is the plan of the month before, which is kept unless another is plainly better;
    `carried_out` returns plans as this side's staff carries them out.
    """

    side: Side
    key: bytes
    playouts: int
    months: int
    before: str = ""
    carried_out: Callable[[Plans], Plans] = lambda plans: plans


class PlanChoice(NamedTuple):
    """The plan chosen, its mean value from 0 (lost) to 1 (won), and the playouts begun for it."""

    plan: str
    value: float
    playouts: int


KEPT = 0.05
"""The value by which another plan has to be better than the one in use."""

CAUTION = 1.0
"""The standard errors of a difference that may be chance."""

FEWEST = 2
"""The candidates that stay to the end, unless they plainly gain nothing."""

FEWEST_GAMES = 4
"""The games of each plan before one is dropped that plainly gains nothing."""


def choose_plan(
    scenario: str | v.Scenario, terms: PlanningTerms, positions: Positions
) -> PlanChoice:
    """Return the best plan of the side's portfolio. Raises ValueError where there is none."""
    own_plans = [plan.name for plan in portfolio(scenario, terms.side)]
    if not own_plans:
        raise ValueError(f"The {terms.side} side has no portfolio of plans in this scenario.")
    in_use = terms.before if terms.before in own_plans else own_plans[0]
    left = sorted(own_plans, key=lambda name: name != in_use)
    values: dict[str, list[float]] = {name: [] for name in left}
    enemies = _enemies(scenario, terms.side.enemy)
    spent = played = 0
    while len(left) > 1 and spent + len(left) <= terms.playouts:
        enemy, key = enemies[played % len(enemies)], derive_key(terms.key, "playout", played)
        # Plans that give the same orders this month need not be told apart: the next can change it.
        known: set[bytes] | None = set() if not played else None
        for name in list(left):
            own = partial(answer, plans=terms.carried_out(under(scenario, name)))
            players: Mapping[Side, Player] = {terms.side: own, terms.side.enemy: enemy}
            value = _playout(positions(played), players, terms, key, known)
            spent += 1
            if value is None:
                left.remove(name)
            else:
                values[name].append(value)
        played += 1
        if played % 2 == 0 and len(left) > FEWEST:
            left.remove(min(left[1:], key=lambda name: fmean(values[name])))
        if played >= FEWEST_GAMES:
            left = [
                name for name in left if name == in_use or _gain(values, name, in_use).most > KEPT
            ]
    gains = {name: _gain(values, name, in_use).least for name in left[1:]}
    best = max(gains, key=gains.__getitem__, default=in_use)
    chosen = best if gains.get(best, 0.0) > KEPT else in_use
    return PlanChoice(chosen, fmean(values[chosen] or [0.0]), spent)


def _enemies(scenario: str | v.Scenario, side: Side) -> list[Player]:
    """Return the ways in which the enemy may play: his plans, and not marching at all."""
    plans = [under(scenario, plan.name) for plan in portfolio(scenario, side)]
    by_plan: list[Player] = [partial(answer, plans=orders) for orders in plans]
    return [*(by_plan or [answer]), sit_tight]


class _Gain(NamedTuple):
    """The gain of a plan over the one in use: the least and the most that is likely."""

    least: float
    most: float


def _gain(values: Mapping[str, Sequence[float]], name: str, in_use: str) -> _Gain:
    """Return the mean gain of a plan in the same games, less and more what may be chance."""
    gains = [new - old for new, old in zip(values[name], values[in_use], strict=True)]
    if len(gains) < 2:
        return _Gain(-1.0, 1.0)
    error = CAUTION * stdev(gains) / sqrt(len(gains))
    return _Gain(fmean(gains) - error, fmean(gains) + error)


def _playout(
    state: State,
    players: Mapping[Side, Player],
    terms: PlanningTerms,
    key: bytes,
    known: set[bytes] | None,
) -> float | None:
    """Play the months out and return the value of where they lead.

    Return None if the first month ends in a position that is among the `known`; else add it.
    """
    dice, last = ChainedDice(key), state.month + terms.months
    balance = strength_share(state, terms.side)
    _play_until(state, players, dice, state.month + 1)
    if known is not None:
        end = encode(state)
        if end in known:
            return None
        known.add(end)
    _play_until(state, players, dice, last)
    return value_of(state, terms.side, balance)


def _play_until(
    state: State, players: Mapping[Side, Player], dice: ChainedDice, month: int
) -> None:
    for _ in range(MOST_ANSWERS):
        if state.question is None or state.month >= month:
            break
        play_trusted(state, players[state.question.side](state), dice)


def value_of(state: State, side: Side, balance: float) -> float:
    """Return the value of a position for a side, from 0 (lost) to 1 (won).

    A campaign that goes on is worth a half, changed by how far each side's siege count has come and
    by how the share of the fighting power has moved from `balance`.
    """
    if state.result is not None:
        return 0.5 if state.result.winner is None else float(state.result.winner is side)
    moved = strength_share(state, side) - balance
    counts = sum(
        (1 if condition.winner is side else -1)
        * state.tallies.get(f"turns:{condition.winner}", 0)
        / condition.turns
        for condition in scenario_of(state).victory
        if isinstance(condition, v.Unbesieged | v.SiegeMaintained)
    )
    return 0.5 + 0.4 * tanh(moved * 3 + counts / 2)


def strength_share(state: State, side: Side) -> float:
    """Return this side's share of the fighting power on the map."""
    law = laws(state)
    own, enemy = (
        power(law, [unit for unit in board(state).units if unit.side is owner and is_fighter(unit)])
        for owner in (side, side.enemy)
    )
    return own / (own + enemy) if own + enemy else 0.5
