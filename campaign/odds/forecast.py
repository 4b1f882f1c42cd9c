"""Forecast a campaign: play it on from here with the computer's staff on both sides.

Battles are decided by the campaign's own table. The same key and state give the same playout on
every machine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import NamedTuple

import msgspec

from battles.contract.brief import Side
from battles.core.dice import ChainedDice
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.board import board
from campaign.rules.core.play import play_trusted
from campaign.rules.core.state import CampaignResult, State
from campaign.rules.map import HexId
from campaign.staff import answer

AHEAD = (1, 3, 6, 12)
"""Months ahead at which the positions of both sides are recorded."""
MOST_ANSWERS = 60_000
"""More answers than any campaign has: beyond it the staff must be in a loop."""

Standing = dict[str, list[HexId]]
"""The hexes that each side holds with land units."""


class NoEnd(Exception):
    """The computer's staff does not reach an end of the campaign."""


class Playout(msgspec.Struct, frozen=True):
    """One playout: how the campaign ended, and where both sides stood before.

    `months` counts those it still lasted; `stands` is keyed by months ahead, as far as it got.
    """

    months: int
    result: CampaignResult
    stands: dict[int, Standing]


class PlayoutEnding(NamedTuple):
    """A result of the campaign, and the number of playouts with it."""

    result: CampaignResult
    times: int


def playout(state: State, key: bytes, answering: Callable[[State], AnyAction] = answer) -> Playout:
    """Play the state to the campaign's end, changing it. Raises NoEnd when there is none.

    `answering` is the staff of both sides, on an open map unless another is given.
    """
    dice, first = ChainedDice(key), state.month
    stands: dict[int, Standing] = {}
    for _ in range(MOST_ANSWERS):
        if state.question is None:
            break
        month = state.month
        play_trusted(state, answering(state), dice)
        if state.month > month and state.month - first in AHEAD:
            stands[state.month - first] = standing(state)
    if state.result is None:
        raise NoEnd("The staff comes to no end.")
    return Playout(state.month - first, state.result, stands)


def standing(state: State) -> Standing:
    """Return the hexes in which both sides stand with land units."""
    return {side.value: sorted(board(state).occupied[side]) for side in Side}


def endings(results: Iterable[CampaignResult]) -> tuple[PlayoutEnding, ...]:
    """Return the ways in which campaigns ended, the most frequent first."""
    counted = Counter(results).items()
    by_number = sorted(counted, key=lambda pair: (-pair[1], pair[0].clause, pair[0].reason))
    return tuple(PlayoutEnding(result, times) for result, times in by_number)


def presence(playouts: Sequence[Playout], ahead: int) -> dict[Side, dict[HexId, float]]:
    """Return each side's share of playouts in each hex, of those that saw that month."""
    seen = [one.stands[ahead] for one in playouts if ahead in one.stands]
    return {
        side: {
            hex_id: count / len(seen)
            for hex_id, count in sorted(Counter(h for one in seen for h in one[side]).items())
        }
        for side in Side
    }


def error_of(times: int, number: int) -> float:
    """Return the standard error of a share, with two more successes and two more failures added."""
    share = (times + 2) / (number + 4)
    return sqrt(share * (1 - share) / (number + 4))
