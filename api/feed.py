"""A campaign's feed: the events since a cursor, and the despatches of the phases they ended."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from api.problems import Problem, invalid
from battles.contract.troops import Side
from battles.journal import Refused
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.sequence import MONTH
from campaign.rules.core.state import Phase
from campaign.rules.sight import Viewer

_PLACES = {(side, phase): place for place, (_, phase, side) in enumerate(MONTH) if phase}
_BEFORE, _AFTER = -1, len(MONTH)


class Time(NamedTuple):
    """A month, and the place of a phase in its sequence of play."""

    month: int
    place: int


def events_since(
    campaign: Campaign, cursor: str, limit: int, viewer: Viewer
) -> tuple[list[dict[str, Any]], str]:
    """Events, and the cursor behind them. Problem for a cursor that is none, or is lost."""
    try:
        return fog_of_war.events_since(campaign, cursor, limit, viewer)
    except selectors.CursorLost as lost:
        raise Problem("cursor-lost", str(lost), cursor=lost.common) from lost
    except Refused as refused:
        raise invalid(since=str(refused)) from refused


def despatches_between(
    campaign: Campaign, since: str, upto: str, viewer: Viewer
) -> Iterator[selectors.Despatch]:
    """The despatches of the phases that ended between two cursors: each is told once, whole."""
    if since == upto:
        return
    start, end = _time(campaign, since), _time(campaign, upto)
    for month in range(start.month - (start.place == _BEFORE), end.month + 1):
        for despatch in fog_of_war.despatches(campaign, month, viewer):
            if start <= _place(despatch.month, despatch.side, despatch.phase) < end:
                yield despatch


def _time(campaign: Campaign, cursor: str) -> Time:
    """When the entry that a good cursor names had been written."""
    if not cursor:
        return Time(campaign.first_month, _BEFORE)
    branch, number = map(int, cursor.split("."))
    entry = selectors.entries_on(campaign).get(branch=branch, number=number)
    state = selectors.state_after(campaign, entry)
    return _place(state.month, state.side, state.phase)


def _place(month: int, side: Side, phase: Phase) -> Time:
    """Before everything the set-up, after everything the end."""
    return Time(month, _PLACES.get((side, phase), _BEFORE if phase is Phase.SET_UP else _AFTER))
