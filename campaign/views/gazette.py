"""The month's gazette: despatches by player turn and phase, what matters before what is routine."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from battles.contract.troops import Side
from campaign.rules.core.state import Phase
from campaign.rules.prose.phase_report import ROUTINE, DespatchSentence
from campaign.selectors import Despatch

PHASES = {
    Phase.SET_UP: "Set-up",
    Phase.EVENT: "Random event",
    Phase.REINFORCEMENT: "Reinforcements",
    Phase.MARCH: "Marches and combats",
    Phase.ATTRITION: "Supply and attrition",
    Phase.RECOVERY: "Recovery",
    Phase.OVER: "The end",
}


class Report(NamedTuple):
    """What one phase brought."""

    title: str
    news: tuple[DespatchSentence, ...]
    routine: tuple[DespatchSentence, ...]


class Turn(NamedTuple):
    """One player turn; of the set-up, no side's in particular."""

    side: Side
    title: str
    reports: tuple[Report, ...]


def turns_of(despatches: Iterable[Despatch]) -> tuple[Turn, ...]:
    """The despatches as they are printed, a player turn after the other."""
    turns = groupby(despatches, key=lambda one: (one.side, one.phase is Phase.SET_UP))
    return tuple(
        Turn(
            side,
            "Set-up" if setting_up else f"{side.title()} turn",
            tuple(map(_report, phases)),
        )
        for (side, setting_up), phases in turns
    )


def _report(despatch: Despatch) -> Report:
    return Report(
        PHASES[despatch.phase],
        tuple(one for one in despatch.sentences if one.weight > ROUTINE),
        tuple(one for one in despatch.sentences if one.weight <= ROUTINE),
    )
