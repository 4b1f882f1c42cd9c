"""Two runs of campaigns side by side: who won, how, how long it took and at what cost.

Every figure has its standard error; that of a change is the root of the sum of both squares. The
error of a share is taken as if two more campaigns had ended so and two more otherwise, so that
none of a hundred is not taken for never.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import hypot, sqrt
from statistics import mean, stdev
from typing import NamedTuple

from battles.contract.troops import Side
from campaign.rules.core.state import CampaignResult
from campaign.rules.prose.names import side_name
from campaign.simulation import CAUSES, Run

Both = tuple[Sequence[Run], Sequence[Run]]
FEWEST = 2
"""Campaigns from which something can be said about how far they differ."""


class Estimate(NamedTuple):
    """A share or a mean, and its standard error."""

    value: float
    error: float


class Line(NamedTuple):
    """One figure before and after; `side` is whose it is, if it is one side's."""

    name: str
    side: Side | None
    before: Estimate
    after: Estimate

    @property
    def change(self) -> Estimate:
        error = hypot(self.before.error, self.after.error)
        return Estimate(self.after.value - self.before.value, error)

    @property
    def is_plain(self) -> bool:
        """Whether the change is more than twice its error: chance alone gives that 1 time in 20."""
        return abs(self.change.value) > 2 * self.change.error


class Comparison(NamedTuple):
    """What came of two runs. Winners and endings are shares, months and losses means."""

    campaigns: tuple[int, int]
    winners: tuple[Line, ...]
    endings: tuple[Line, ...]
    months: Line
    losses: tuple[Line, ...]
    errors: tuple[str, ...]


def compare(before: Sequence[Run], after: Sequence[Run]) -> Comparison:
    """The two runs, of at least FEWEST campaigns each, side by side."""
    both = before, after
    return Comparison(
        (len(before), len(after)),
        tuple(_winners(both)),
        tuple(_endings(both)),
        _means("months", None, both, _lasted),
        tuple(_losses(both)),
        tuple(run.error for run in (*before, *after) if run.error),
    )


def _winners(both: Both) -> Iterator[Line]:
    for side in Side:
        yield _shares(f"won by {side_name(side)}", side, both, partial(_is_won_by, side))
    yield _shares("drawn", None, both, partial(_is_won_by, None))
    if any(run.result is None for runs in both for run in runs):
        yield _shares("came to no end", None, both, partial(_has_ended_by, None))


def _is_won_by(side: Side | None, run: Run) -> bool:
    return run.result is not None and run.result.winner is side


def _endings(both: Both) -> Iterator[Line]:
    """The ways in which campaigns ended, the commonest of both runs first."""
    counted = Counter(run.result for runs in both for run in runs if run.result)
    for how, _ in counted.most_common():
        yield _shares(how.reason, how.winner, both, partial(_has_ended_by, how))


def _has_ended_by(how: CampaignResult | None, run: Run) -> bool:
    return run.result == how


def _losses(both: Both) -> Iterator[Line]:
    for side in Side:
        for cause in CAUSES:
            yield _means(f"{side_name(side)}: {cause}", side, both, partial(_lost, side, cause))


def _lost(side: Side, cause: str, run: Run) -> int:
    return run.losses[side][cause]


def _lasted(run: Run) -> int:
    return run.months


def _shares(name: str, side: Side | None, both: Both, holds: Callable[[Run], bool]) -> Line:
    before, after = (_share([holds(run) for run in runs]) for runs in both)
    return Line(name, side, before, after)


def _share(found: Sequence[bool]) -> Estimate:
    cautious = (sum(found) + 2) / (len(found) + 4)
    return Estimate(mean(found), sqrt(cautious * (1 - cautious) / (len(found) + 4)))


def _means(name: str, side: Side | None, both: Both, of: Callable[[Run], int]) -> Line:
    before, after = (_mean([of(run) for run in runs]) for runs in both)
    return Line(name, side, before, after)


def _mean(found: Sequence[int]) -> Estimate:
    return Estimate(mean(found), stdev(found) / sqrt(len(found)))
