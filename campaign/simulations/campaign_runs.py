"""Play whole campaigns in memory, staff against staff, and summarise or compare the results.

It uses no database and no framework. A campaign's dice come only from the seed of the run, the
scenario and its own number, so a run is the same whatever the number of workers.

Every figure has its standard error; that of a change is the root of the sum of both squares. The
error of a share is computed as if two more campaigns had ended so and two more otherwise: a share
of 0 in 100 campaigns has an error too.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import hypot, sqrt
from statistics import mean, median, stdev
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from battles.contract import fight
from battles.contract.book import book
from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import IllegalAction, Outcome
from battles.core.process_pool import pool_map
from battles.simulation import error_of_share
from campaign import rules
from campaign.rules.combat.hand_off import arrangement
from campaign.rules.core.actions import AnyAction, Reported
from campaign.rules.core.events import AnyEvent, Arrived, Removed
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import COMBAT_TABLE, CampaignResult, State
from campaign.rules.prose.names import side_name
from campaign.rules.tables import editions
from campaign.rules.tables.editions import Edition, remember, shipped_edition
from campaign.staff import answer

if TYPE_CHECKING:
    from campaign.rules.core.pieces import UnitId

MOST_ACTIONS = 5000
"""More actions than any phase has: beyond it the answerer is going round in circles."""
NOT_LOST = frozenset({"withdrawn", "gone home", "used", "dismounted"})
"""The causes by which counters leave the map without being lost."""
COMBAT, ATTRITION, OTHERWISE = "combat", "attrition", "otherwise"
CAUSES = (COMBAT, ATTRITION, OTHERWISE)


class DeadEnd(Exception):
    """A campaign that cannot go on, though it has not ended."""


class Loss(NamedTuple):
    side: Side
    cause: str


class CampaignRun(msgspec.Struct, frozen=True):
    """One campaign played to its end; `error` is the reason if it did not come to one."""

    number: int
    months: int
    actions: int
    result: CampaignResult | None
    losses: dict[str, dict[str, int]]
    """Counters lost, by side and by cause."""
    error: str = ""
    supply_used: int = 0
    """Supply units that fed a stack and were used up (10.2)."""


class EndingCount(msgspec.Struct, frozen=True):
    """One way in which campaigns ended, and how many did."""

    winner: Side | None
    reason: str
    clause: str
    count: int


class RunSummary(msgspec.Struct, frozen=True):
    """The summary of all campaigns of a run."""

    scenario: str
    seed: int
    campaigns: int
    endings: tuple[EndingCount, ...]
    decided: dict[str, int]
    """The number of campaigns each side won."""
    months: dict[str, float]
    """The shortest, median, mean and longest, of those that ended."""
    losses: dict[str, dict[str, float]]
    """The mean number of counters lost in a campaign, by side and cause."""
    errors: tuple[str, ...]
    supply_used: float = 0
    """The mean number of supply units used up in a campaign."""


class RunTerms(NamedTuple):
    """The edition that campaigns are played by, and the table or book for their battles."""

    edition: Edition
    battles: str = COMBAT_TABLE


def simulate(
    scenario: str,
    numbers: Sequence[int],
    *,
    seed: int,
    workers: int = 1,
    terms: RunTerms | None = None,
) -> Iterator[CampaignRun]:
    """Play the campaigns of these numbers; yield each in order as it is finished.

    Without `terms` they are played by the shipped edition, battles by its tables. Raises WorkerDied
    when a worker process dies.
    """
    edition, battles = terms or RunTerms(shipped_edition())
    played_by = remember(edition)
    play = partial(play_campaign, scenario, seed, edition=played_by.digest, battles=battles)
    know = partial(_register_edition, played_by.texts)
    yield from pool_map(play, numbers, workers, begin=know)


def _register_edition(texts: Mapping[str, str]) -> None:
    """Make the edition known in a new worker process."""
    remember(shipped_edition().replacing(texts))


def play_campaign(
    scenario: str, seed: int, number: int, *, edition: str = "", battles: str = COMBAT_TABLE
) -> CampaignRun:
    """Play the campaign of that number to its end by the staff of both sides, and return the run.

    `edition` is the digest of one known to this process; empty for the shipped one.
    """
    played_by = editions.edition(edition) if edition else None
    state = rules.new_game(scenario, played_by, arrangement(battles))
    first, toll, actions, error = state.month, LossCounter(state), 0, ""
    try:
        for outcome in _outcomes(state, key_of(scenario, seed, number)):
            toll.count(outcome.events)
            actions += 1
    except (DeadEnd, IllegalAction) as stopped:
        error = f"Campaign {number} of seed {seed}: {stopped}"
    except Exception as failed:
        failed.add_note(f"This happened in campaign {number} of seed {seed}.")
        raise
    months = state.month - first + 1
    return CampaignRun(
        number, months, actions, state.result, toll.losses(), error, toll.supply_used
    )


def key_of(scenario: str, seed: int, number: int) -> bytes:
    """Return the dice key of one campaign of a run."""
    return derive_key(b"simulate", scenario, seed, number)


def _outcomes(state: State, key: bytes) -> Iterator[Outcome]:
    phase, answer_count = state.phase, 0
    dice = ChainedDice(key)
    while state.question is not None:
        answer_count = answer_count + 1 if state.phase is phase else 0
        phase = state.phase
        if answer_count > MOST_ACTIONS:
            raise DeadEnd(f"the {state.side} staff comes to no end in its {phase} phase")
        yield rules.play_trusted(state, _answer(state, key), dice)
    if state.result is None:
        raise DeadEnd("nobody is asked anything and the campaign has not ended")


def _answer(state: State, key: bytes) -> AnyAction:
    """Return the staff's answer, or the report of a battle fought by its book with its own dice."""
    question = state.question
    if not isinstance(question, ToFight):
        return answer(state)
    dice = ChainedDice(derive_key(key, "battle", question.brief.id))
    return Reported(fight(book(question.resolution).engine, question.brief, dice))


class LossCounter:
    """A counter of the units lost in a campaign, from its events."""

    def __init__(self, state: State) -> None:
        self._sides: dict[UnitId, Side] = {unit.id: unit.side for unit in state.units.values()}
        self._lost: Counter[Loss] = Counter()
        self.supply_used = 0

    def count(self, events: Sequence[AnyEvent]) -> None:
        for event in events:
            if isinstance(event, Arrived):
                self._sides |= {unit.id: unit.side for unit in event.units}
            elif isinstance(event, Removed) and event.cause == "used":
                self.supply_used += len(event.units)
            elif isinstance(event, Removed) and event.cause not in NOT_LOST:
                cause = event.cause if event.cause in CAUSES else OTHERWISE
                self._lost.update(Loss(self._sides[unit_id], cause) for unit_id in event.units)

    def losses(self) -> dict[str, dict[str, int]]:
        return {
            side.value: {cause: self._lost[Loss(side, cause)] for cause in CAUSES} for side in Side
        }


def summary(scenario: str, seed: int, runs: Sequence[CampaignRun]) -> RunSummary:
    """Return the endings (the commonest first), lengths and losses of the campaigns."""
    results = [run.result for run in runs if run.result is not None]
    return RunSummary(
        scenario=scenario,
        seed=seed,
        campaigns=len(runs),
        endings=_endings(results),
        decided={side.value: sum(result.winner is side for result in results) for side in Side},
        months=_lengths([run.months for run in runs if run.result is not None]),
        losses={side.value: _mean_losses(runs, side) for side in Side},
        errors=tuple(run.error for run in runs if run.error),
        supply_used=round(mean(run.supply_used for run in runs), 2),
    )


def _endings(results: Sequence[CampaignResult]) -> tuple[EndingCount, ...]:
    counts = Counter((result.winner, result.reason, result.clause) for result in results)
    by_number = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0][2], pair[0][1]))
    return tuple(EndingCount(*ending, count) for ending, count in by_number)


def _lengths(months: Sequence[int]) -> dict[str, float]:
    if not months:
        return {}
    return {
        "shortest": min(months),
        "median": median(months),
        "mean": round(mean(months), 1),
        "longest": max(months),
    }


def _mean_losses(runs: Sequence[CampaignRun], side: Side) -> dict[str, float]:
    return {cause: round(mean(run.losses[side][cause] for run in runs), 1) for cause in CAUSES}


Both = tuple[Sequence[CampaignRun], Sequence[CampaignRun]]
FEWEST = 2
"""The fewest campaigns from which a standard error can be computed."""


class MeanWithError(NamedTuple):
    """A share or a mean, and its standard error."""

    value: float
    error: float


class BalanceLine(NamedTuple):
    """One figure before and after; `side` is its side, if it belongs to one."""

    name: str
    side: Side | None
    before: MeanWithError
    after: MeanWithError

    @property
    def change(self) -> MeanWithError:
        error = hypot(self.before.error, self.after.error)
        return MeanWithError(self.after.value - self.before.value, error)

    @property
    def is_plain(self) -> bool:
        """Return whether the change exceeds twice its error, as chance alone does 1 time in 20."""
        return abs(self.change.value) > 2 * self.change.error


class BalanceComparison(NamedTuple):
    """The comparison of two runs. Winners and endings are shares, months and losses means."""

    campaigns: tuple[int, int]
    winners: tuple[BalanceLine, ...]
    endings: tuple[BalanceLine, ...]
    months: BalanceLine
    losses: tuple[BalanceLine, ...]
    errors: tuple[str, ...]


def compare(before: Sequence[CampaignRun], after: Sequence[CampaignRun]) -> BalanceComparison:
    """Compare two runs of at least FEWEST campaigns each."""
    both = before, after
    return BalanceComparison(
        (len(before), len(after)),
        tuple(_winners(both)),
        tuple(_ending_lines(both)),
        _means("months", None, both, lambda run: run.months),
        tuple(_losses(both)),
        tuple(run.error for run in (*before, *after) if run.error),
    )


def _winners(both: Both) -> Iterator[BalanceLine]:
    for side in Side:
        yield _shares(f"won by {side_name(side)}", side, both, partial(_is_won_by, side))
    yield _shares("drawn", None, both, partial(_is_won_by, None))
    if any(run.result is None for runs in both for run in runs):
        yield _shares("came to no end", None, both, partial(_has_ended_by, None))


def _is_won_by(side: Side | None, run: CampaignRun) -> bool:
    return run.result is not None and run.result.winner is side


def _ending_lines(both: Both) -> Iterator[BalanceLine]:
    """Yield the ways in which campaigns ended, the commonest of both runs first."""
    counts = Counter(run.result for runs in both for run in runs if run.result)
    for ending, _ in counts.most_common():
        yield _shares(ending.reason, ending.winner, both, partial(_has_ended_by, ending))


def _has_ended_by(result: CampaignResult | None, run: CampaignRun) -> bool:
    return run.result == result


def _losses(both: Both) -> Iterator[BalanceLine]:
    for side in Side:
        for cause in CAUSES:
            yield _means(
                f"{side_name(side)}: {cause}", side, both, partial(_units_lost, side, cause)
            )


def _units_lost(side: Side, cause: str, run: CampaignRun) -> int:
    return run.losses[side][cause]


def _shares(
    name: str, side: Side | None, both: Both, holds: Callable[[CampaignRun], bool]
) -> BalanceLine:
    before, after = (_share([holds(run) for run in runs]) for runs in both)
    return BalanceLine(name, side, before, after)


def _share(values: Sequence[bool]) -> MeanWithError:
    return MeanWithError(mean(values), error_of_share(sum(values), len(values)))


def _means(
    name: str, side: Side | None, both: Both, count: Callable[[CampaignRun], int]
) -> BalanceLine:
    before, after = (_mean([count(run) for run in runs]) for runs in both)
    return BalanceLine(name, side, before, after)


def _mean(values: Sequence[int]) -> MeanWithError:
    return MeanWithError(mean(values), stdev(values) / sqrt(len(values)))
