"""The deployment before the first turn: where units stand, and where they may go (2.1)."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles import journal
from battles.contract.brief import RIVER_CRAFT, Side
from battles.core.game import IllegalAction
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.actions import Deploy, Done
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import UnitId, month_name
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, labels, side_adjective
from campaign.rules.prose.questions import describe_action
from campaign.rules.stacks import ids
from campaign.services import errors
from campaign.services.journal.dice import DiceAwaited
from campaign.services.turns.live import Choices, may_set_up, set_up, staff_sets_up
from campaign.web.map.hex_pages import hex_in
from campaign.web.visitor import head_seen, is_number

STATUS = {journal.Stale: 409, errors.NotAllowed: 403}


class DeploymentGroup(NamedTuple):
    """Units of a hex that move in one form, and the hexes open to all of them."""

    key: str
    units: tuple[tuple[UnitId, str], ...]
    places: tuple[tuple[str, tuple[HexId, ...]], ...]


class DeploymentHex(NamedTuple):
    """A hex of the side: its fixed units, and those that may be placed elsewhere."""

    hex: HexId
    fixed: tuple[Unit, ...]
    parties: tuple[DeploymentGroup, ...]


class DeploymentForm(NamedTuple):
    """The submitted form: `party` names it, `head` is the last entry the user saw."""

    party: str = ""
    units: tuple[UnitId, ...] = ()
    chosen: str = ""
    typed: str = ""
    head: int | None = None


EMPTY = DeploymentForm()


class DeploymentError(NamedTuple):
    """A refusal: its reason, the clause that forbids it, and a remedy."""

    reason: str
    remedy: str = ""
    clause: str = ""
    status: int = 400


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def arrange(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    if request.method == "POST":
        return _answer(request, campaign)
    return _show(request, campaign)


def _show(
    request: HttpRequest,
    campaign: Campaign,
    form: DeploymentForm = EMPTY,
    wrong: DeploymentError | None = None,
) -> HttpResponse:
    """Show the side to deploy, movable units first; redirect once deployment is over."""
    state = selectors.state_now(campaign)
    if not isinstance(state.question, ToSetUp):
        messages.error(request, "The set-up is over: its units stand where they were left.")
        return redirect("campaign", campaign.slug)
    side = state.question.side
    seen = fog_of_war.view_for(request.user, campaign).state
    may = may_set_up(campaign, request.user, state)
    sides = selectors.role_of(request.user, campaign) & set(Seat.SIDES)
    about = {
        "campaign": campaign,
        "side": side,
        "head": campaign.head_id or 0,
        "may": may,
        "own": side.value in sides,
        # The Egyptian side sets up first (2.1).
        "follows": sides == {Side.MAHDIST.value} and side is Side.EGYPTIAN,
        "stands": sorted(
            _deployment_hexes(seen, side, may.choices), key=lambda stand: not stand.parties
        ),
        "form": form,
        "wrong": wrong,
    }
    status = wrong.status if wrong else 200
    return render(request, "campaign/live/initial_deployment.html", about, status=status)


def _deployment_hexes(state: State, side: Side, choices: Choices) -> Iterator[DeploymentHex]:
    """Yield the side's hexes by number, with fixed and movable units."""
    for hex_id in sorted(board(state).hexes(side)):
        units = board(state).stack(side, hex_id)
        free = [unit for unit in units if unit.id in choices]
        fixed = tuple(unit for unit in units if unit.id not in choices)
        yield DeploymentHex(hex_id, fixed, tuple(_parties(state, free, choices)))


def _parties(state: State, units: list[Unit], choices: Choices) -> Iterator[DeploymentGroup]:
    """Yield boats and land units apart: they seldom share a hex."""
    for name, afloat in (("land", False), ("afloat", True)):
        alike = tuple(unit for unit in units if (unit.kind in RIVER_CRAFT) is afloat)
        if alike:
            shared = set.intersection(*(set(choices[unit.id]) for unit in alike))
            called = tuple(zip(ids(alike), labels(alike), strict=True))
            yield DeploymentGroup(
                f"{alike[0].hex:04d}-{name}", called, tuple(_group_hexes(state, shared))
            )


def _group_hexes(state: State, hexes: Iterable[HexId]) -> Iterator[tuple[str, tuple[HexId, ...]]]:
    """Yield the named places first, then open country by the nearest place."""
    places = {hex_id for hex_id in hexes if chart(state).hexes[hex_id].place}
    if places:
        yield "Places", tuple(sorted(places, key=describe_hex))
    open_country = sorted(set(hexes) - places, key=lambda hex_id: (_near(hex_id), hex_id))
    for place, near in groupby(open_country, key=_near):
        yield f"Round {place}", tuple(near)


def _near(hex_id: HexId) -> str:
    return describe_hex(hex_id).partition(" of ")[2]


def _answer(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Carry out the form; show it again with the reason if it is refused."""
    roles = selectors.role_of(request.user, campaign)
    if not roles & {Seat.Role.UMPIRE.value, *Seat.SIDES}:
        raise PermissionDenied("Only the umpire and the players of this campaign set it up.")
    form, state = _read_form(request.POST), selectors.state_now(campaign)
    if not isinstance(state.question, ToSetUp):
        return _show(request, campaign)
    try:
        _check_head(campaign, form)
        action = Done() if "ready" in request.POST else Deploy(form.units, _hex_of(form))
        set_up(campaign.pk, cast(User, request.user), action, expected_head=form.head)
    except DiceAwaited as waits:
        messages.info(request, str(waits))
        return redirect("arrange", campaign.slug)
    except (IllegalAction, journal.Refused) as failure:
        campaign.refresh_from_db()
        return _show(request, campaign, form, _wrong(failure))
    if isinstance(action, Done):
        return _ready(request, campaign, state.question.side)
    words = describe_action(state, action)
    messages.success(request, f"{words[:1].upper()}{words[1:]}.")
    return redirect("arrange", campaign.slug)


def _read_form(sent: QueryDict) -> DeploymentForm:
    units = dict.fromkeys(filter(is_number, sent.getlist("unit")))
    return DeploymentForm(
        party=sent.get("party", ""),
        units=tuple(UnitId(int(unit)) for unit in units),
        chosen=sent.get("hex", ""),
        typed=sent.get("number", "").strip(),
        head=head_seen(sent),
    )


def _check_head(campaign: Campaign, form: DeploymentForm) -> None:
    """Raise Stale for an old page, before the turn is checked: that is the better message."""
    if form.head is None:
        raise errors.UnfitRequest("The form does not say what you saw: load the page again.")
    if form.head != (campaign.head_id or 0):
        raise journal.Stale(
            "The campaign has gone on since you looked; nothing was changed. "
            "This is how it stands now: decide again."
        )


def _hex_of(form: DeploymentForm) -> HexId:
    """Return the target hex; a typed number takes precedence over the list."""
    if not form.units:
        raise errors.UnfitRequest("No units are ticked: tick those that are to move.")
    if not (form.typed or form.chosen):
        raise errors.UnfitRequest("No hex is given: choose one, or write its number.")
    try:
        return hex_in(form.typed or form.chosen)
    except Http404 as unknown:
        raise errors.UnfitRequest(str(unknown)) from unknown


def _wrong(failure: IllegalAction | journal.Refused) -> DeploymentError:
    if isinstance(failure, IllegalAction):
        return DeploymentError(failure.reason, failure.remedy, failure.clause)
    return DeploymentError(str(failure), status=STATUS.get(type(failure), 400))


def _ready(request: HttpRequest, campaign: Campaign, side: Side) -> HttpResponse:
    """Redirect to the other side's deployment, or to the month that has begun."""
    staff_sets_up(campaign.pk)
    campaign.refresh_from_db()
    state = selectors.state_now(campaign)
    if isinstance(state.question, ToSetUp):
        then = f"now the {side_adjective(state.question.side)} side sets up."
        messages.success(request, f"The {side_adjective(side)} side is ready; {then}")
        return redirect("arrange", campaign.slug)
    messages.success(request, f"Both sides are ready: {month_name(state.month)} has begun.")
    return redirect("campaign", campaign.slug)
