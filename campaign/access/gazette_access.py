"""The campaign's papers: which numbers somebody may read, and what stands in them."""

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
    """A number of a paper that may be read."""

    edition: Newspaper
    month: int


def gazette_issues(campaign: Campaign, viewer: Viewer) -> Iterator[GazetteIssue]:
    """Yield the numbers that have come out for him, the newest month first."""
    for month in range(last_month(campaign), campaign.first_month - 1, -1):
        for whose in papers(campaign, viewer, month):
            yield GazetteIssue(NEWSPAPERS[whose], month)


def slug_of(month: int) -> str:
    """Return how addresses write a month that has a paper."""
    return month_slug(Month(month))


def last_month(campaign: Campaign) -> int:
    """Return the last month that is out."""
    return campaign.month if campaign.finished else campaign.month - 1


def papers(campaign: Campaign, viewer: Viewer, month: int) -> list[Viewer]:
    """Return whose papers of that month he may read.

    A side's own as soon as the month is out, both sides' where nothing is hidden from him, the
    public's so many months later as was agreed, and when the campaign is over.
    """
    if not campaign.first_month <= month <= last_month(campaign):
        return []
    everything = fog_of_war.sees_all(campaign, viewer)
    found: list[Viewer] = [side for side in Side if everything or side is viewer]
    late = campaign.month - month >= campaign.public_delay
    if late or campaign.finished or viewer is Onlooker.UMPIRE:
        found.append(Onlooker.PUBLIC)
    return found


def month_as_told(campaign: Campaign, month: int, whose: Viewer) -> View:
    """Return the map of the month for that paper; the public's shows everything once all is over."""
    over = campaign.finished and whose is Onlooker.PUBLIC
    return fog_of_war.believed(campaign, month, Onlooker.UMPIRE if over else whose)


def _sources(campaign: Campaign, month: int, whose: Viewer) -> tuple[sight.SideKnowledge, ...]:
    """Return those who must know of a thing for that paper to print it.

    A side's paper prints what that side saw, on an open map too, where its players see more.
    """
    if isinstance(whose, Side) and not campaign.fog:
        state, _ = selectors.played_in(campaign, month)
        return (sight.initial_knowledge(state, whose),)
    return fog_of_war.readers(campaign, month, whose)


def gazette_issue(campaign: Campaign, month: int, whose: Viewer) -> Gazette:
    """Return the paper of that side, or of the public, for that month, as its readers knew things
    then.
    """
    state, played = selectors.played_in(campaign, month)
    events = (events for events, _ in played)
    facts = gather_facts(state, events, _sources(campaign, month, whose))
    despatches = selectors.despatches(campaign, month, _sources(campaign, month, whose))
    sentences = [one for despatch in despatches for one in despatch.sentences]
    return gazette(NEWSPAPERS[whose], month - campaign.first_month + 1, facts, sentences)
