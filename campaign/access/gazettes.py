"""Find the gazettes that a viewer may read, and put their issues together."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.gazette import NEWSPAPERS, Gazette, Newspaper, gather_facts, gazette
from campaign.models import Campaign
from campaign.rules import sight
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.sight import Onlooker, View, Viewer


class GazetteIssue(NamedTuple):
    """An issue of a gazette that may be read."""

    edition: Newspaper
    month: int


def gazette_issues(campaign: Campaign, viewer: Viewer) -> Iterator[GazetteIssue]:
    """Yield the issues that are out for the viewer, the newest month first."""
    for month in range(last_month_out(campaign), campaign.first_month - 1, -1):
        for reader in papers(campaign, viewer, month):
            yield GazetteIssue(NEWSPAPERS[reader], month)


def slug_of(month: int) -> str:
    """Return the slug of a month in addresses."""
    return month_slug(Month(month))


def last_month_out(campaign: Campaign) -> int:
    """Return the last month that is out."""
    return campaign.month if campaign.finished else campaign.month - 1


def papers(campaign: Campaign, viewer: Viewer, month: int) -> list[Viewer]:
    """Return the gazettes of that month that the viewer may read, by their viewers.

    A side reads its own as soon as the month is out; those from whom nothing is hidden read both.
    The public's comes `public_delay` months later, or when the campaign is over.
    """
    if not campaign.first_month <= month <= last_month_out(campaign):
        return []
    everything = fog_of_war.sees_all(campaign, viewer)
    readers: list[Viewer] = [side for side in Side if everything or side is viewer]
    late = campaign.month - month >= campaign.public_delay
    if late or campaign.finished or viewer is Onlooker.UMPIRE:
        readers.append(Onlooker.PUBLIC)
    return readers


def month_as_reported(campaign: Campaign, month: int, viewer: Viewer) -> View:
    """Return the month's map for that gazette; the public's shows everything once all is over."""
    over = campaign.finished and viewer is Onlooker.PUBLIC
    return fog_of_war.view_as_believed(campaign, month, Onlooker.UMPIRE if over else viewer)


def _sources(campaign: Campaign, month: int, viewer: Viewer) -> tuple[sight.SideKnowledge, ...]:
    """Return the knowledge of all who must learn of an event before that gazette may print it.

    A side's gazette prints only what that side saw, even without fog, where players see more.
    """
    if isinstance(viewer, Side) and not campaign.fog:
        state, _ = selectors.played_in(campaign, month)
        return (sight.initial_knowledge(state, viewer),)
    return fog_of_war.readers(campaign, month, viewer)


def gazette_issue(campaign: Campaign, month: int, viewer: Viewer) -> Gazette:
    """Return the issue of that month, with the knowledge its readers had then."""
    state, played = selectors.played_in(campaign, month)
    events = (events for events, _ in played)
    facts = gather_facts(state, events, _sources(campaign, month, viewer))
    despatches = selectors.despatches(campaign, month, _sources(campaign, month, viewer))
    sentences = [sentence for despatch in despatches for sentence in despatch.sentences]
    return gazette(NEWSPAPERS[viewer], month - campaign.first_month + 1, facts, sentences)
