"""Months as a viewer may read of them: the issues of the gazettes, and figures month by month."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.gazette import NEWSPAPERS, Facts, Gazette, Newspaper, gather_facts, gazette
from campaign.models import Campaign
from campaign.rules import sight
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.map import PlaceClass, sudan
from campaign.rules.prose.situation import sieges
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.rules.stacks import countable_units


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


def month_as_told(campaign: Campaign, month: int, viewer: Viewer) -> View:
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


KEPT = 4096
"""The number of months whose figures a process caches: some hundred bytes each."""


class MonthFigures(NamedTuple):
    """A month's figures; None where they are hidden.

    `strength` are the strength points on the map at its end, `lost` the units lost in it,
    `places` the towns, villages and oases held, `besieged` the towns under siege at its end.
    """

    month: Month
    strength: dict[Side, int | None]
    lost: dict[Side, int | None]
    places: dict[Side, int]
    besieged: int | None


def figures(campaign: Campaign, viewer: Viewer) -> Iterator[MonthFigures]:
    """Yield the figures of every month so far, the oldest first."""
    for month in map(Month, range(campaign.first_month, campaign.month + 1)):
        view = fog_of_war.view_at(campaign, month, viewer)
        yield MonthFigures(
            month,
            {side: _strength(view, side) for side in Side},
            _count_lost(campaign, month, viewer),
            {side: _places(view, side) for side in Side},
            _count_besieged(view) if _is_told(campaign, month, viewer) else None,
        )


def _strength(view: View, side: Side) -> int | None:
    if view.fogged and view.viewer is not side:
        return None
    on_map = (unit for unit in board(view.state).units if unit.hex in sudan().hexes)
    men = [unit for unit in on_map if unit.side is side]
    return sum(unit.strength for unit in countable_units(men) if unit.quality)


def _count_lost(campaign: Campaign, month: Month, viewer: Viewer) -> dict[Side, int | None]:
    if not _is_told(campaign, month, viewer):
        return dict.fromkeys(Side)
    whole = fog_of_war.sees_month(campaign, viewer, month)
    facts = _facts(_FiguresKey(campaign), month, None if whole else viewer)
    return {side: facts.lost(side) for side in Side}


def _is_told(campaign: Campaign, month: Month, viewer: Viewer) -> bool:
    """Return whether the viewer sees stacks in that month at all."""
    seen = fog_of_war.sees_month(campaign, viewer, month)
    return seen or fog_of_war.sees_any(campaign, viewer)


class _FiguresKey:
    """A campaign at its head, as a cache key: equal when all that has happened is equal."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign, self.key = campaign, (campaign.pk, campaign.branch, campaign.head_id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _FiguresKey) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=KEPT)
def _facts(asked: _FiguresKey, month: Month, viewer: Viewer | None) -> Facts:
    campaign = asked.campaign
    state, played = selectors.played_in(campaign, month)
    readers = () if viewer is None else tuple(fog_of_war.audience(campaign, month, viewer))
    return gather_facts(state, (events for events, _ in played), readers)


def _places(view: View, side: Side) -> int:
    named = (place for place in chart(view.state).places.values() if place.in_rules)
    return sum(view.state.control.get(place.hex) is side for place in named)


def _count_besieged(view: View) -> int:
    """Count the Egyptian towns under siege."""
    found = sieges(view.state)
    return sum(
        side is Side.EGYPTIAN and board(view.state).in_town(hex_id, PlaceClass.TOWN)
        for hex_id, side in found.items()
    )
