"""Compute a campaign's figures month by month, as far as a viewer may know them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.access.fog_of_war import CampaignKey
from campaign.gazette import Facts, gather_facts
from campaign.models import Campaign
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import Month
from campaign.rules.map import PlaceClass, sudan
from campaign.rules.prose.situation import sieges
from campaign.rules.sight import View, Viewer
from campaign.rules.stacks import countable_units

CACHED_MONTHS = 4096
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
            _count_besieged(view) if _sees_stacks(campaign, month, viewer) else None,
        )


def _strength(view: View, side: Side) -> int | None:
    if view.fogged and view.viewer is not side:
        return None
    on_map = (unit for unit in board(view.state).units if unit.hex in sudan().hexes)
    men = [unit for unit in on_map if unit.side is side]
    return sum(unit.strength for unit in countable_units(men) if unit.quality)


def _count_lost(campaign: Campaign, month: Month, viewer: Viewer) -> dict[Side, int | None]:
    if not _sees_stacks(campaign, month, viewer):
        return dict.fromkeys(Side)
    whole = fog_of_war.sees_month(campaign, viewer, month)
    key = CampaignKey(campaign, (campaign.pk, campaign.branch, campaign.head_id))
    facts = _facts(key, month, None if whole else viewer)
    return {side: facts.lost(side) for side in Side}


def _sees_stacks(campaign: Campaign, month: Month, viewer: Viewer) -> bool:
    """Return whether the viewer sees stacks in that month at all."""
    seen = fog_of_war.sees_month(campaign, viewer, month)
    return seen or fog_of_war.sees_any(campaign, viewer)


@lru_cache(maxsize=CACHED_MONTHS)
def _facts(cache_key: CampaignKey, month: Month, viewer: Viewer | None) -> Facts:
    campaign = cache_key.campaign
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
