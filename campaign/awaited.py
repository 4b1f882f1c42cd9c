"""The battle a campaign waits for, as it is known outside the campaign.

The campaign's own number of a battle is the same on every branch; outside, the branch belongs to
it, so that what was fought on a line that has been given up is not taken for what is asked now.
"""

from typing import NamedTuple

import msgspec

from battles.contract import Brief, Report
from campaign.models import Campaign
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import HandOff, State

OWNER = "campaign"


class Awaited(NamedTuple):
    """A battle that is open: its brief, by what it is to be fought, and what was agreed."""

    brief: Brief
    by: str
    agreed: HandOff
    own: str
    """The number by which the campaign itself knows it."""


def awaited(branch: int, state: State) -> Awaited | None:
    """The battle the state waits for on that branch, if it does."""
    question, agreed = state.question, state.hand_off
    if not isinstance(question, ToFight) or agreed is None:
        return None
    return Awaited(known_outside(question.battle, branch), question.by, agreed, question.battle.id)


def known_outside(brief: Brief, branch: int) -> Brief:
    """The brief with the number it has outside the campaign."""
    return msgspec.structs.replace(brief, id=f"{brief.id}-{branch}")


def brought_in(report: Report, battle: Awaited) -> Report:
    """The report as the campaign takes it: under its own number, the units in their order."""
    return msgspec.structs.replace(
        report, brief=battle.own, fates=dict(sorted(report.fates.items()))
    )


def owner_of(campaign: Campaign) -> str:
    """In whose books the campaign's battles stand."""
    return f"{OWNER}:{campaign.slug}"
