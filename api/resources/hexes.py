"""Hexes of a month: ground, rivers, railways, stacks, exits, and the places in reach."""

import re

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.events import ModifierPart, modifier_part
from api.documents.maps import LocationPart, location_part, printed_number
from api.documents.scalars import MonthOrSetUp, SideName
from api.documents.state import location
from api.http.endpoint import OpenEndpoint, operation
from api.http.problems import Problem
from api.http.rule_json import HexName
from api.resources.months import Page, page_of
from campaign.access import fog_of_war, selectors
from campaign.rules.map import HexId, map_in_play
from campaign.web.map import hex_report


class WaterPart(msgspec.Struct, frozen=True):
    """A river beside the hex.

    `text` says whether it can be sailed this month, and when that changes.
    """

    name: str
    text: str
    cataract: str | None


class HexRailwayPart(msgspec.Struct, frozen=True):
    """A railway through the hex."""

    title: str
    in_service: bool


class AttritionPart(msgspec.Struct, frozen=True):
    """The attrition roll of a stack (10.3), which it makes unless it is supplied.

    `unit_count` units may suffer; `spared_counts` is how many of them do not, for each face of the
    die, and empty where none can suffer.
    """

    unit_count: int
    spared_counts: tuple[int, ...]
    supplied_from: str | None
    modifiers: tuple[ModifierPart, ...]


class PresentStackPart(msgspec.Struct, frozen=True):
    """A side's stack in the hex, as far as it can be counted."""

    side: SideName
    unit_ids: tuple[int, ...]
    unit_labels: tuple[str, ...]
    strength_points: int
    allowance_points: int
    besieged: bool
    attrition: AttritionPart | None


class ExitPart(msgspec.Struct, frozen=True):
    """An exit from the hex: its cost or, if that is null, what bars it."""

    direction: str
    location: LocationPart
    ground_text: str
    march_points: int | None
    barred_by: str | None
    has_river: bool
    has_railway: bool


class ReachablePlacePart(msgspec.Struct, frozen=True):
    """A place that a march from here can reach, and the cost."""

    hex: HexName
    name: str
    march_points: int


class HexDocument(msgspec.Struct, frozen=True):
    """A hex in a month, as far as the viewer may know it; `march_points` is what entering costs."""

    campaign: str
    month: MonthOrSetUp
    month_name: str
    location: LocationPart
    ground_text: str
    march_points: int
    region_titles: tuple[str, ...]
    place_names: tuple[str, ...]
    held_by: SideName | None
    waters: tuple[WaterPart, ...]
    railways: tuple[HexRailwayPart, ...]
    present_stacks: tuple[PresentStackPart, ...]
    reports: tuple[str, ...]
    exits: tuple[ExitPart, ...]
    reachable_places: tuple[ReachablePlacePart, ...]


def hex_document(page: Page, hex_id: HexId) -> HexDocument:
    """Return the hex as the viewer may know it. Raises KeyError for one that is not on the map."""
    view = fog_of_war.view_at(page.campaign, page.month, page.viewer)
    report = hex_report.hex_report(view, hex_id)
    return HexDocument(
        campaign=page.campaign.slug,
        month=page.slug,
        month_name=page.name,
        location=location(view.state, hex_id),
        ground_text=report.ground,
        march_points=report.cost,
        region_titles=tuple(report.regions),
        place_names=tuple(report.hex.places),
        held_by=report.holder,
        waters=tuple(WaterPart(*water) for water in report.waters),
        railways=tuple(HexRailwayPart(*railway) for railway in report.rails),
        present_stacks=tuple(map(_present_stack, report.stacks)),
        reports=tuple(report.reports),
        exits=tuple(map(_exit, report.ways)),
        reachable_places=tuple(
            ReachablePlacePart(printed_number(goal.hex), goal.name, goal.cost)
            for goal in report.goals
        ),
    )


def _present_stack(stack: hex_report.HexStack) -> PresentStackPart:
    return PresentStackPart(
        side=stack.side,
        unit_ids=tuple(unit.id for unit in stack.units),
        unit_labels=tuple(stack.labels),
        strength_points=stack.strength,
        allowance_points=stack.allowance,
        besieged=stack.besieged,
        attrition=_attrition(stack.thirst) if stack.thirst else None,
    )


def _attrition(roll: hex_report.HexAttrition) -> AttritionPart:
    modifiers = tuple(map(modifier_part, roll.modifiers))
    return AttritionPart(roll.units, roll.spared, roll.supply or None, modifiers)


def _exit(way: hex_report.HexExit) -> ExitPart:
    return ExitPart(
        direction=way.direction,
        location=location_part(map_in_play(), way.hex),
        ground_text=way.ground,
        march_points=way.cost,
        barred_by=way.bar or None,
        has_river=way.river,
        has_railway=way.rail,
    )


class OneHex(OpenEndpoint):
    """A hex in a month."""

    @operation(HexDocument)
    def get(self, request: Request, slug: str, month: str, hex: str) -> HttpResponse:
        """Retrieve a hex: its ground, rivers, railways, stacks and exits."""
        campaign = selectors.campaign_for(request.user, slug)
        page = page_of(campaign, month, fog_of_war.viewer_of(request.user, campaign))
        hex_id = HexId(int(hex)) if re.fullmatch("[0-9]{4}", hex) else None
        if hex_id not in map_in_play().hexes or hex_id is None:
            raise Problem("not-found", f"{hex!r} is no hex of this map: write it like 2042.")
        return self.answer(hex_document(page, hex_id))
