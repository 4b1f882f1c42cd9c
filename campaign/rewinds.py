"""What a rewind means to those who play: the notice of the last one, and the battles it undid."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from campaign import selectors
from campaign.models import Branch, Campaign
from campaign.rules.core.pieces import Month, month_name
from campaign.services.battles import SETTLES

NOTICED = 1
"""Months after the one gone back to in which the notice still stands."""


class Rewind(NamedTuple):
    """A rewind: to which month, why, by whom and when."""

    branch: int
    month: str
    reason: str
    by: str
    created: datetime

    @property
    def said(self) -> str:
        """Return it as the notice begins: `rewound to October 1882 on 22 November 2026`."""
        return f"rewound to {self.month} on {_date(self.created)}"

    @property
    def mark(self) -> str:
        """Return what stands beside a battle that the rewind undid."""
        return (
            f"Abandoned by the rewind of {_date(self.created)} to {self.month}: it no longer "
            f"counts in the campaign. The umpire’s reason: {self.reason}"
        )


def latest(campaign: Campaign) -> Rewind | None:
    """Return the last rewind while it is news: in the month gone back to, and the one after."""
    branch = campaign.branches.filter(number=campaign.branch).exclude(parent=None).first()
    if branch is None:
        return None
    began = _began(campaign, branch)
    return _rewind(branch, began) if campaign.month <= began + NOTICED else None


def abandoned(campaign: Campaign, battles: Iterable[str]) -> Mapping[str, Rewind]:
    """Return those of the battles (by the numbers of their briefs) that a rewind has undone."""
    branches = list(campaign.branches.exclude(parent=None).select_related("parent"))
    if not branches:
        return {}
    wanted = {f"{SETTLES}{battle}": battle for battle in battles}
    settled = campaign.entries.filter(key__in=wanted).values_list("key", "pk", "branch")
    undone = _undone(campaign, branches, {pk: branch for _, pk, branch in settled})
    by_battle = {wanted[key]: undone.get(pk) for key, pk, _ in settled if key}
    found = {}
    for battle in wanted.values():
        branch = by_battle[battle] if battle in by_battle else _left_open(branches, battle)
        if branch is not None:
            found[battle] = _rewind(branch, _began(campaign, branch))
    return found


def _undone(
    campaign: Campaign, branches: Iterable[Branch], entries: Mapping[int, int]
) -> dict[int, Branch]:
    """Return the entries off the present line, with the rewind that took each of them off it.

    `entries` has the branch of each. A later rewind, to the line that was left, brings it back.
    """
    undone: dict[int, Branch] = {}
    for branch in sorted(branches, key=lambda one: one.number):
        line = selectors.entries_on(campaign, selectors.line_of(campaign, branch.parent))
        kept = set(line.filter(pk__in=entries).values_list("pk", flat=True))
        for entry, made_on in entries.items():
            if entry in kept:
                undone.pop(entry, None)
            elif made_on < branch.number:
                undone.setdefault(entry, branch)
    return undone


def _left_open(branches: Iterable[Branch], battle: str) -> Branch | None:
    """Return the rewind that left the battle behind before it was over.

    Its number ends in the branch it was begun on: the next rewind left that branch.
    """
    begun_on = battle.rpartition("-")[2]
    return next((one for one in branches if str(one.number - 1) == begun_on), None)


def _began(campaign: Campaign, branch: Branch) -> int:
    """Return the month gone back to: the first whose dice were sealed on the branch."""
    first = campaign.seals.filter(branch=branch.number).order_by("month").first()
    return first.month if first else campaign.month


def _rewind(branch: Branch, month: int) -> Rewind:
    name = month_name(Month(month))
    return Rewind(branch.number, name, branch.reason, branch.by, branch.created)


def _date(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
