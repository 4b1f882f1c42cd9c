"""Rehearse a month: carry out the sheet many times against enemies as they may stand.

The side's own sheets answer for it. The computer's staff answers for the enemy, whose position is
sampled from what the side knows, and the campaign's own table decides battles. Nothing that the
side does not know is used.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.dice import ChainedDice, Dice, derive_key
from campaign.odds.forecast import PlayoutEnding, endings, sample_state
from campaign.orders.execution import answer
from campaign.orders.headquarters import (
    Headquarters,
    Known,
    SeatCommand,
    known_from_now,
    staff_answer,
)
from campaign.orders.order_sheet import OrderOutcome, Progress
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import play
from campaign.rules.core.state import CampaignResult, State, Unit, current_combat
from campaign.rules.prose.names import adjective, side_name
from campaign.rules.sight import View
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables import scenario_data as v
from campaign.rules.victory import conditions, units_needed

MOST_ANSWERS = 10_000


class OrderRun(msgspec.Struct, frozen=True):
    """The outcome of an order in one run: how far it was carried out, and why no further."""

    outcome: OrderOutcome
    said: str = ""
    fights: int = 0
    won: int = 0


class MonthRun(msgspec.Struct, frozen=True):
    """One run of the month: the outcome of each order of the sheet, and the losses.

    Losses are counters of the side by cause, leaders not counted. `attacked` are the combats in
    which its stacks were attacked, `held` those of them that they did not lose. `cornered` are the
    counters lost for want of a way back (9.8), `wrecked` the craft wrecked, which are not among the
    lost. `result` is how the campaign ended, if it did. `thirsted` are the counters that attrition
    disrupted or took; `setbacks` say by which losses the side can no longer win in some way (4.2).
    """

    orders: tuple[OrderRun, ...]
    lost: int
    shaken: int
    thirst: int
    enemy_lost: int
    attacked: int
    held: int
    cornered: int = 0
    wrecked: int = 0
    result: CampaignResult | None = None
    thirsted: int = 0
    setbacks: tuple[str, ...] = ()


class OrderShare(NamedTuple):
    """The results of one order over all runs: shares done, in part and not at all.

    `fights` and `won` are means. `spoils` is the share of runs in which it was the first order to
    go wrong; `why` is the reason given most often.
    """

    number: int
    done: float
    partly: float
    failed: float
    fights: float
    won: float
    spoils: float
    why: str


class Rehearsal(NamedTuple):
    """The result of all runs. Means are counters; `spoiler` is the order that spoils it most.

    `endings` are the ways in which the campaign ended in the month, the most frequent first. The
    `wreck_share`, `cornered_share` and `thirst_share` are those of the runs in which craft were
    wrecked, units lost for want of a way back, and units lost or disrupted by attrition; `setbacks`
    are sentences with their shares.
    """

    runs: int
    whole: float
    orders: tuple[OrderShare, ...]
    lost: tuple[float, ...]
    thirst: float
    shaken: float
    enemy_lost: float
    attacked: float
    held: float
    spoiler: OrderShare | None
    cornered: float
    wrecked: float
    endings: tuple[PlayoutEnding, ...]
    wreck_share: float
    cornered_share: float
    thirst_share: float
    thirsted: float
    setbacks: tuple[tuple[str, float], ...]


def run_month(view: View, seats: Sequence[SeatCommand], key: bytes) -> MonthRun:
    """Play the month once from what a side knows, by the sheets of its seats.

    The result is about the orders of the first seat.
    """
    state = sample_state(view, derive_key(key, "enemy"))
    run = _Run(state, seats, known_from_now(state) if view.fogged else None)
    run.play(ChainedDice(derive_key(key, "month")))
    return run.result()


class _Run:
    """A month that is being played."""

    def __init__(self, state: State, seats: Sequence[SeatCommand], knowledge: Known | None) -> None:
        self.state, self.headquarters, self.known = state, Headquarters(tuple(seats)), knowledge
        self.commander, self.side = seats[0], seats[0].side
        self.progress = Progress()
        self.fights: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.counts: Counter[str] = Counter()
        self.sides: dict[UnitId, Side] = {}
        self.before = {unit.id for unit in state.units.values() if unit.disrupted}
        self.open_ways = _open_ways(state, self.side)

    def play(self, dice: Dice) -> None:
        """Play to the end of the month, or of the campaign."""
        month = self.state.month
        for _ in range(MOST_ANSWERS):
            if self.state.question is None or self.state.month != month:
                return
            self._answer(dice)

    def _answer(self, dice: Dice) -> None:
        state, question = self.state, self.state.question
        self._note_owners(state.units.values())
        # A battle is left to the campaign's own table.
        by_sheet = not isinstance(question, q.ToFight)
        if question is not None and question.side is self.side and by_sheet:
            action, self.progress = answer(state, self.headquarters, self.progress)
        else:
            action = staff_answer(state, self.known)
        march_progress = self.progress.marching
        order = (
            march_progress.order
            if march_progress is not None and march_progress.seat == self.commander.seat
            else -1
        )
        attacker = current_combat(state).attacker.side if state.combat is not None else state.side
        for event in play(state, action, dice).events:
            if isinstance(event, e.Arrived):
                self._note_owners(event.units)
            elif isinstance(event, e.CombatEnded):
                self._count_fight(order, attacker, event.winner)
            elif isinstance(event, e.Removed) and event.cause in _CAUSES:
                self._count_losses(event)
            elif isinstance(event, e.Disrupted) and event.cause == "attrition":
                self.counts["thirsted"] += self._count_own(event.units)
            elif isinstance(event, e.Wrecked):
                self.counts["wrecked"] += self._count_own(event.units)

    def _count_own(self, units: Iterable[UnitId]) -> int:
        return sum(self.sides.get(unit) is self.side for unit in units)

    def _count_fight(self, order: int, attacker: Side, winner: Side | None) -> None:
        if attacker is self.side:
            self.fights[order] += 1
            self.won[order] += winner is self.side
        else:
            self.counts["attacked"] += 1
            self.counts["held"] += winner is not attacker

    def _note_owners(self, units: Iterable[Unit]) -> None:
        """Note the owners of the counters that may be lost; leaders are not counted."""
        self.sides |= {unit.id: unit.side for unit in units if unit.kind is not TroopKind.LEADER}

    def _count_losses(self, event: e.Removed) -> None:
        for unit in event.units:
            if unit not in self.sides:
                continue
            is_own = self.sides[unit] is self.side
            self.counts["lost" if is_own else "enemy lost"] += 1
            self.counts["thirst"] += is_own and event.cause == "attrition"
            self.counts["cornered"] += is_own and event.cause == "no retreat"

    def result(self) -> MonthRun:
        """Return the result of the run."""
        shaken = sum(
            unit.side is self.side and unit.disrupted and unit.id not in self.before
            for unit in board(self.state).units
        )
        return MonthRun(
            tuple(self._order(number) for number in range(len(self.commander.sheet.orders))),
            self.counts["lost"],
            shaken,
            self.counts["thirst"],
            self.counts["enemy lost"],
            self.counts["attacked"],
            self.counts["held"],
            self.counts["cornered"],
            self.counts["wrecked"],
            self.state.result,
            self.counts["thirst"] + self.counts["thirsted"],
            tuple(sorted(self.open_ways - _open_ways(self.state, self.side))),
        )

    def _order(self, number: int) -> OrderRun:
        report = self.progress.account(self.commander.seat).orders.get(number)
        if report is None:
            return OrderRun(OrderOutcome.NOT, "It had no result before the month was over.")
        return OrderRun(report.outcome, report.said, self.fights[number], self.won[number])


def _open_ways(state: State, side: Side) -> frozenset[str]:
    """Return what the side would lose with certain units: ways to win, or more than a draw (4.2).

    They are written as the setbacks that their end would be.
    """
    stakes = set()
    for condition in conditions(state, v.UnitArrived):
        if condition.winner is side and units_needed(state, condition):
            stakes.add(
                f"the {condition.kind} are lost, and with them a way to win: {condition.text}"
            )
    for barred in conditions(state, v.OnlyADraw):
        if barred.side is side and DRAW_ONLY not in state.flags:
            nation = adjective(barred.nation)
            stakes.add(
                f"attrition eliminates a {nation} unit, and {side_name(side)} can at best draw."
            )
    return frozenset(stakes)


_CAUSES = frozenset({"combat", "attrition", "march", "no retreat"})


def summarise_runs(runs: Sequence[MonthRun]) -> Rehearsal:
    """Summarise at least one run. The spoiler is the march that most often goes wrong first."""
    number = len(runs)
    orders = tuple(_share(runs, place) for place in range(len(runs[0].orders)))
    spoiler = max(orders, key=lambda order: (order.spoils, -order.number), default=None)
    lost = Counter(run.lost for run in runs)
    return Rehearsal(
        number,
        sum(_first_failed_order(run) is None for run in runs) / number,
        orders,
        tuple(lost[count] / number for count in range(max(lost) + 1)),
        _mean(run.thirst for run in runs),
        _mean(run.shaken for run in runs),
        _mean(run.enemy_lost for run in runs),
        _mean(run.attacked for run in runs),
        _mean(run.held for run in runs),
        spoiler if spoiler is not None and spoiler.spoils else None,
        _mean(run.cornered for run in runs),
        _mean(run.wrecked for run in runs),
        endings(run.result for run in runs if run.result is not None),
        _mean(run.wrecked > 0 for run in runs),
        _mean(run.cornered > 0 for run in runs),
        _mean(run.thirsted > 0 for run in runs),
        _mean(run.thirsted for run in runs),
        tuple(
            (setback, times / number)
            for setback, times in Counter(
                setback for run in runs for setback in run.setbacks
            ).most_common()
        ),
    )


def _first_failed_order(run: MonthRun) -> int | None:
    """Return the number of the first order that was not wholly carried out; None without one."""
    wrong = (n for n, order in enumerate(run.orders) if order.outcome is not OrderOutcome.DONE)
    return next(wrong, None)


def _share(runs: Sequence[MonthRun], place: int) -> OrderShare:
    reports = [run.orders[place] for run in runs]
    spoilt = [run.orders[place].said for run in runs if _first_failed_order(run) == place]
    reasons = Counter(
        spoilt or [report.said for report in reports if report.outcome is not OrderOutcome.DONE]
    )
    outcomes = Counter(report.outcome for report in reports)
    return OrderShare(
        place,
        outcomes[OrderOutcome.DONE] / len(runs),
        outcomes[OrderOutcome.PARTLY] / len(runs),
        outcomes[OrderOutcome.NOT] / len(runs),
        _mean(report.fights for report in reports),
        _mean(report.won for report in reports),
        len(spoilt) / len(runs),
        reasons.most_common(1)[0][0] if reasons else "",
    )


def _mean(values: Iterable[int]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
