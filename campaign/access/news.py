"""The events of a campaign, as far as a viewer learns of them."""

from collections.abc import Iterator
from typing import Any

from campaign import rules, serialization
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign, Entry
from campaign.rules import sight
from campaign.rules.core.events import AnyEvent
from campaign.rules.core.state import State
from campaign.rules.sight import Viewer


def events_since(
    campaign: Campaign, cursor: str, limit: int, viewer: Viewer, branch: int | None = None
) -> tuple[list[dict[str, Any]], str]:
    """Return events as `journal_events.events_since`, limited to the viewer's.

    The public's come late. An abandoned branch is read only by viewers who see everything; raises
    NotVisible for others.
    """
    if fog_of_war.sees_all(campaign, viewer):
        selection = journal_events.EventSelection(branch=branch)
        return journal_events.events_since(campaign, cursor, limit, selection)
    if branch not in (None, campaign.branch):
        raise selectors.NotVisible(f"There is no branch {branch} that you may see.")
    if fog_of_war.hears_late(campaign, viewer):
        selection = journal_events.EventSelection(before=first_hidden_entry(campaign))
    else:
        selection = journal_events.EventSelection(NewsFilter(campaign, viewer))
    return journal_events.events_since(campaign, cursor, limit, selection)


def first_hidden_entry(campaign: Campaign) -> int:
    """Return the number of the first entry that the public may not read yet.

    That is the one in which its first hidden month begins: its events belong to both months.
    """
    month = fog_of_war.last_public_month(campaign) + 1
    return selectors.entry_that_begins(campaign, month) if month >= campaign.first_month else 0


class NewsFilter:
    """A filter of the events that a viewer learns of, for entries read in order."""

    def __init__(self, campaign: Campaign, viewer: Viewer) -> None:
        self._campaign, self._viewer = campaign, viewer
        self._state: State | None = None
        self._audience: tuple[sight.SideKnowledge, ...] = ()

    def __call__(self, entry: Entry) -> Iterator[AnyEvent]:
        """Yield the events of the entry that the viewer learns of."""
        events = serialization.events_of(entry)
        state = self._state or self._before(entry)
        for event in events:
            if all(sight.learns_of(knowledge, state, event) for knowledge in self._audience):
                yield event
            self._happens(state, event)

    def _before(self, entry: Entry) -> State:
        """Return the state before the first entry, and teach the audience all that came before."""
        month = entry.month
        if _is_of_set_up(self._campaign, entry):
            month = self._campaign.first_month - 1
        self._audience = tuple(fog_of_war.audience(self._campaign, month, self._viewer))
        state, entries = selectors.since_beginning(self._campaign, month)
        for earlier, events in entries:
            if earlier.number >= entry.number:
                break
            for event in events:
                self._happens(state, event)
        self._state = state
        return state

    def _happens(self, state: State, event: AnyEvent) -> None:
        rules.fold(state, [event])
        for knowledge in self._audience:
            sight.learn(knowledge, state, event)


def _is_of_set_up(campaign: Campaign, entry: Entry) -> bool:
    """Return whether the entry was played before the first month began, or began it."""
    if entry.month > campaign.first_month:
        return False
    began = campaign.snapshots.filter(month=campaign.first_month).exclude(entry=None)
    return not began.filter(entry__number__lt=entry.number).exists()
