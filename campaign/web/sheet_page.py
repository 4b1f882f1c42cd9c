"""The order sheet's page: the seat's stacks, arrivals, places and prospects."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from campaign.access import fog_of_war, selectors
from campaign.cartography import counter
from campaign.models import Campaign, OrderSheet, Seat
from campaign.orders import prospects
from campaign.orders.headquarters import commander_of
from campaign.orders.prospects import Outlook
from campaign.rules import sight
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.pieces import Month, UnitId, month_name, month_slug
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import OFF_MAP, Phase, State, Unit
from campaign.rules.map import HexId, is_printed
from campaign.rules.prose.names import describe_hex, describe_stack, labels
from campaign.rules.prose.phrases import capitalise, format_percent, format_signed, join_words
from campaign.rules.set_up import may_choose_hexes
from campaign.rules.sight import View
from campaign.services import errors, order_sheets
from campaign.services.attendance import takes_sheets
from campaign.services.errors import UnfitRequest
from campaign.services.turns import timetable
from campaign.services.turns.live import seats_of
from campaign.web.map.campaign_page import CampaignPage
from campaign.web.map.situation import EnemyStack, OwnStack, enemies, ours
from campaign.web.visitor import visitor

# The contents of the order page: the seat's stacks, arrivals, places and prospects.


ARMS = {
    TroopKind.INFANTRY: "infantry",
    TroopKind.SPEARS: "spearmen",
    TroopKind.CAVALRY: "cavalry",
    TroopKind.CAMEL_CORPS: "camel corps",
    TroopKind.GUN: "guns",
    TroopKind.ENGINEERS: "engineers",
    TroopKind.NAVAL: "naval brigade",
    TroopKind.SUPPLY: "supply",
    TroopKind.CAMEL: "camels",
    TroopKind.CIVILIANS: "civilians",
    TroopKind.LEADER: "leaders",
    TroopKind.BOAT: "boats",
    TroopKind.GUNBOAT: "boats",
    TroopKind.FLEET: "fleet",
}
"""The words of the buttons for the units of a kind: `Only the infantry`."""


class OrderForm(NamedTuple):
    """The order page's contents: for its template, and `data` for its script.

    In `data` hexes, months and units are named as in the REST interface.
    """

    side: Side
    stacks: tuple[OwnStack, ...]
    others: tuple[OwnStack, ...]
    enemy: tuple[EnemyStack, ...]
    chart: CampaignPage
    places: tuple[tuple[str, HexId], ...]
    data: dict[str, Any]


def order_form(campaign: Campaign, seat: Seat, month: Month) -> OrderForm:
    """Return the contents of the seat's order page for that month."""
    side = Side(seat.role)
    view = fog_of_war.view_now(campaign, side)
    own_stacks, others = _own_and_other_stacks(campaign, seat, view)
    ground = chart(view.state)
    offered = tuple(
        (place.name, place.hex)
        for place in ground.places.values()
        if is_printed(ground) or place in ground.places_in_play
    )
    # A place out of play is known too: the sheet's check says that it is one.
    named = [(place.name, place.hex) for place in ground.places.values()]
    aliases = ((alias, place.hex) for place in ground.places.values() for alias in place.aliases)
    data = {
        "campaign": campaign.slug,
        "seat_id": seat.pk,
        "branch": campaign.branch,
        "month": month_slug(month),
        "ahead": month > campaign.month,
        "set_up": view.state.phase is Phase.SET_UP and may_choose_hexes(view.state, side),
        "stacks": [_stack(view.state, stack) for stack in own_stacks],
        "hulls": [hull for stack in (*own_stacks, *others) for hull in _hulls(view.state, stack)],
        "places": {name: f"{hex_id:04d}" for name, hex_id in (*named, *aliases)},
        "due": list(_due(view.state, side, month)),
        "battle": _battle(view.state),
    }
    return OrderForm(
        side,
        own_stacks,
        others,
        tuple(enemies(view)),
        CampaignPage(campaign, Month(campaign.month), side),
        offered,
        data,
    )


def supposed_for(campaign: Campaign, side: Side) -> State:
    """Return the state as the side supposes it, set to its own turn to query the rules."""
    state = sight.supposed_state(fog_of_war.view_now(campaign, side))
    state.side = side
    return state


def outlook_of(
    state: State, side: Side, numbers: Sequence[UnitId], leader: UnitId | None
) -> tuple[list[Unit], Outlook]:
    """Return the units of these numbers, and their prospects by the side's knowledge.

    Without a `leader` the best of them helps; 0 is nobody. Raises UnfitRequest for units that do
    not stand together, and for a leader who is not among them.
    """
    units = [state.units[number] for number in numbers if number in state.units]
    apart = any((unit.side, unit.hex) != (side, units[0].hex) for unit in units)
    if not units or apart or units[0].hex == OFF_MAP:
        raise UnfitRequest("Name units of yours that stand together.")
    if leader:
        _check_guide(units, leader)
    return units, prospects.find_outlook(state, units, leader)


def _check_guide(units: Sequence[Unit], leader: UnitId) -> None:
    """Raise UnfitRequest unless the leader is one of the units, and a leader (7.1)."""
    guide = next((unit for unit in units if unit.id == leader), None)
    if guide is None:
        raise UnfitRequest(f"{leader} does not go with these units: name a leader among them.")
    if guide.kind is not TroopKind.LEADER:
        raise UnfitRequest(f"{leader} is no leader: name a leader among these units.")


def _own_and_other_stacks(
    campaign: Campaign, seat: Seat, view: View
) -> tuple[tuple[OwnStack, ...], tuple[OwnStack, ...]]:
    """Return the stacks under this seat, and those of the side under other seats."""
    side, all_seats = Side(seat.role), seats_of(campaign, Side(seat.role))
    own_stacks: list[OwnStack] = []
    others: list[OwnStack] = []
    for stack in ours(view.state, side):
        commander = commander_of(view.state, all_seats, stack.hex)
        (own_stacks if commander and commander.seat == seat.pk else others).append(stack)
    return tuple(own_stacks), tuple(others)


def _stack(state: State, stack: OwnStack) -> dict[str, Any]:
    units = board(state).stack(stack.side, stack.hex)
    return {
        "hex": f"{stack.hex:04d}",
        "label": f"{capitalise(stack.place)}: {stack.words}",
        "units": [
            {
                "id": unit.id,
                "label": words,
                "short": unit.name or f"no. {unit.id}",
                "kind": _kind(unit),
                "arm": ARMS[unit.kind],
                "counter": counter(unit, laws(state)),
            }
            for unit, words in zip(units, labels(units), strict=True)
        ],
    }


def _hulls(state: State, stack: OwnStack) -> Iterator[dict[str, Any]]:
    """Yield the boats and gunboats of a stack, which another stack may board where they lie."""
    units = board(state).stack(stack.side, stack.hex)
    for unit, words in zip(units, labels(units), strict=True):
        if unit.kind in RIVER_CRAFT:
            position = {"hex": f"{stack.hex:04d}", "place": capitalise(stack.place)}
            yield {"id": unit.id, "label": words, **position}


def _kind(unit: Unit) -> str:
    """Return the kind of unit for the form: leaders, boats, riders who may dismount."""
    if unit.kind is TroopKind.LEADER:
        return "leader"
    if unit.kind in RIVER_CRAFT:
        return "hull"
    if unit.kind is TroopKind.FLEET:
        return "fleet"
    return "camel corps" if unit.kind is TroopKind.CAMEL_CORPS else "land"


def _due(state: State, side: Side, month: Month) -> Iterator[dict[str, Any]]:
    """Yield the groups that arrive by the end of the month, with their possible hexes."""
    for group in state.due:
        if group.month <= month and group.units and group.units[0].side is side:
            yield {
                "reason": group.reason,
                "label": capitalise(describe_stack(group.units)),
                "month_name": month_name(Month(group.month)),
                "place_labels": [capitalise(describe_hex(hex_id)) for hex_id in group.at],
                "units": [
                    {"id": unit.id, "label": words}
                    for unit, words in zip(group.units, labels(group.units), strict=True)
                ],
            }


def _battle(state: State) -> dict[str, str] | None:
    """Return the pending battle, for orders that depend on its outcome."""
    question = state.question
    if not isinstance(question, ToFight):
        return None
    return {"id": question.brief.id, "title": question.brief.title}


def outlook_in_words(state: State, units: Sequence[Unit], outlook: Outlook) -> dict[str, Any]:
    """Return the prospects in words."""
    near = prospects.towns_near(state, outlook)
    dry = prospects.thirsts(state, units, [hex_id for hex_id, _, _ in near])
    return {
        "points": outlook.points,
        "odds": _odds(outlook),
        "changes": _changes(outlook),
        "near": [
            (name, hex_id, reached, format_percent(dry[hex_id].share), dry[hex_id])
            for hex_id, name, reached in near
        ],
        "besieged": board(state).besieged(units[0].side, outlook.start),
    }


def _odds(outlook: Outlook) -> str:
    """Return the chances of one, two and three marches, and of no stragglers in the first."""
    if outlook.odds is None:
        return ""
    marches = join_words(
        [
            f"{words} {format_percent(outlook.odds.of(number))}"
            for number, words in enumerate(("one march", "two", "three"), start=1)
        ]
    )
    full_chance = format_percent(outlook.odds.whole)
    return f"The chance of {marches}; that nobody falls out on a march {full_chance}."


def _changes(outlook: Outlook) -> str:
    if outlook.odds is None:
        return ""
    modifier_texts = [
        f"{format_signed(modifier.value)} {modifier.reason} ({modifier.clause})"
        for modifier in outlook.odds.modifiers
    ]
    return "; ".join(
        [f"{outlook.odds.column.title()} column of the march table (8.31)", *modifier_texts]
    )


# The order sheet's page; its script reads and writes the sheet by the REST interface.


MOST_UNITS = 400


class SheetPageRequest(NamedTuple):
    """A request about the sheet of a seat for a month."""

    campaign: Campaign
    seat: Seat
    user: User
    month: Month

    @property
    def ahead(self) -> bool:
        """Return whether the sheet is for the month after the current one."""
        return self.month > self.campaign.month

    @property
    def sheet(self) -> OrderSheet | None:
        """Return the stored sheet; None before the first."""
        return order_sheets.sheet_for(self.campaign, self.user, self.seat.pk, self.month)


@login_required
@require_safe
@never_cache
def own_order_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the user's own order sheet."""
    campaign = selectors.campaign_for(request.user, slug)
    if campaign.mode == Campaign.Mode.LIVE:
        return redirect("live", slug)
    seat = campaign.seats.filter(user=visitor(request), role__in=Seat.SIDES).order_by("pk").first()
    if seat is None:
        raise PermissionDenied("You have no seat in this campaign that gives orders.")
    return redirect("order-sheet", slug, seat.pk)


def sheet_request(request: HttpRequest, slug: str, number: int) -> SheetPageRequest:
    """Return the request. Raises Http404 or PermissionDenied for a foreign seat."""
    campaign = selectors.campaign_for(request.user, slug)
    seats = campaign.seats.filter(pk=number, role__in=Seat.SIDES)
    seat = selectors.first_visible(seats, "This campaign has no such seat.")
    if seat.user_id != request.user.pk:
        raise PermissionDenied("Only the holder of a seat reads and writes its orders.")
    is_ahead = request.GET.get("month") == "next"
    return SheetPageRequest(campaign, seat, visitor(request), Month(campaign.month + is_ahead))


@login_required
@require_safe
@never_cache
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    page_request = sheet_request(request, slug, number)
    if page_request.campaign.mode == Campaign.Mode.LIVE:
        return redirect("live", slug)
    if not takes_sheets(page_request.campaign):
        return redirect_from_closed(request, page_request.campaign)
    form = order_form(page_request.campaign, page_request.seat, page_request.month)
    context = {
        "campaign": page_request.campaign,
        "seat": page_request.seat,
        "form": form,
        "month": month_name(page_request.month),
        "month_slug": month_slug(page_request.month),
        "ahead": page_request.ahead,
        "has_month_before": page_request.month > page_request.campaign.first_month,
        "places": form.places,
        "hold": timetable.hold_notice(page_request.campaign, page_request.seat),
    }
    return render(request, "campaign/orders/sheet.html", context)


def redirect_from_closed(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Redirect from a sheet that nobody carries out to the campaign's page, which says why."""
    if campaign.finished:
        messages.info(request, "The campaign is over: no more orders are written.")
    return redirect("campaign", campaign.slug)


@login_required
@require_safe
@never_cache
def outlook(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the prospects of units that stand together, as a fragment: reach, odds, attrition."""
    page_request = sheet_request(request, slug, number)
    numbers = request.GET.get("unit_ids", "").split(",")
    units = [UnitId(int(text)) for text in numbers if text.isdecimal()][:MOST_UNITS]
    leader = request.GET.get("leader_id", "")
    guide = UnitId(int(leader)) if leader.isdecimal() else None
    if request.GET.get("without_leader") == "true":
        guide = UnitId(0)
    side = Side(page_request.seat.role)
    state = supposed_for(page_request.campaign, side)
    try:
        context = outlook_in_words(state, *outlook_of(state, side, units, guide))
    except errors.UnfitRequest as unfit:
        return HttpResponse(str(unfit), status=422, content_type="text/plain")
    return render(request, "campaign/orders/_outlook.html", context)
