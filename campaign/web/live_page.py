"""Live play: the side in turn answers the open question, and others follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles import journal
from battles.contract.brief import Side, TroopKind
from battles.core.dice import Roll
from battles.core.game import IllegalAction
from campaign import rules
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign, Seat
from campaign.orders.risks import describe_way_behind
from campaign.rules.combat.retreat import way_behind
from campaign.rules.core.board import board
from campaign.rules.core.options import Options, options
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import at_hex, describe_hex, labels
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.prose.phrases import capitalise, join_words
from campaign.rules.sight import Viewer
from campaign.services.errors import Refused
from campaign.services.journal.dice import DiceAwaited
from campaign.services.turns import live as services_live
from campaign.web.answer_form import AnswerForm, action_of
from campaign.web.map.campaign_page import CampaignPage
from campaign.web.visitor import head_seen, visitor
from ops.http_policy import posts_to

LONGEST_WAY = 600
"""Characters of a refused answer that are shown again: enough for 60 hexes."""
LATEST = 12
"""Despatches on the page, from this phase and the one before."""


class AnswerError(NamedTuple):
    """The refusal of an answer."""

    reason: str
    remedy: str = ""
    clause: str = ""
    status: int = 400


class UnitChoiceForm(NamedTuple):
    """A unit on a form."""

    id: UnitId
    label: str
    kind: str


class StackChoiceForm(NamedTuple):
    """A stack on a form: its units, possible leaders and boats."""

    hex: HexId
    place: str
    units: tuple[UnitChoiceForm, ...]
    leaders: tuple[UnitChoiceForm, ...]
    hulls: tuple[UnitChoiceForm, ...]


class SourceChoiceForm(NamedTuple):
    """A supply unit on a form, and the stacks that it would supply."""

    id: UnitId
    label: str
    stacks: str


class Arriving(NamedTuple):
    """A group of reinforcements, and the hexes where it may be placed."""

    group: int
    units: tuple[UnitChoiceForm, ...]
    places: tuple[tuple[HexId, str], ...]


class Panel(NamedTuple):
    """The question to the user's side, and its options."""

    asks: str
    options: Options
    stacks: tuple[StackChoiceForm, ...]
    arrivals: tuple[Arriving, ...]
    units: tuple[UnitChoiceForm, ...]
    leaders: tuple[UnitChoiceForm, ...]
    sources: tuple[SourceChoiceForm, ...]
    withdraw: tuple[UnitChoiceForm, ...]
    riders: tuple[tuple[UnitChoiceForm, ...], ...]
    reach: tuple[tuple[HexId, str, int], ...]
    points: int
    behind: str


@dataclass(frozen=True)
class LiveSnapshot:
    """One read of a campaign and its seats, so that page and ETag agree."""

    campaign: Campaign
    seats: tuple[Seat, ...]
    user: User

    @classmethod
    def at(cls, request: HttpRequest, slug: str) -> "LiveSnapshot":
        """Read the campaign as the user may see it. Raises NotVisible."""
        campaign = selectors.campaign_for(request.user, slug)
        seats = tuple(campaign.seats.order_by("pk"))
        return cls(campaign, seats, visitor(request))

    @property
    def tag(self) -> str:
        """Return the ETag of the page: it changes with everything the page shows."""
        return f'"{fog_of_war.stamp(self.campaign, self.seats, self.viewer)}.{self.user.pk}"'

    @property
    def roles(self) -> set[str]:
        """Return the user's roles in the campaign; empty for an onlooker."""
        return {seat.role for seat in self.seats if seat.user_id == self.user.pk}

    @property
    def side(self) -> Side | None:
        """Return the user's side; of two, the one in turn."""
        sides = [side for side in Side if side in self.roles]
        sides_in_turn = (side for side in sides if side == self.campaign.side)
        return next(sides_in_turn, sides[0] if sides else None)

    @property
    def in_chief(self) -> bool:
        """Return whether the user commands their whole side, and so may end a phase."""
        own = (seat for seat in self.seats if seat.user_id == self.user.pk)
        return any(seat.role == self.side and not seat.command for seat in own)

    @property
    def viewer(self) -> Viewer:
        """Return the viewer as whom the user sees the page."""
        return self.side or fog_of_war.viewer_of_roles(self.roles)


@login_required
@require_safe
@never_cache
def page(request: HttpRequest, slug: str) -> HttpResponse:
    look = LiveSnapshot.at(request, slug)
    mode = look.campaign.mode
    if mode != Campaign.Mode.LIVE:
        return redirect("orders" if mode == Campaign.Mode.ORDERS else "campaign", slug)
    not_modified = get_conditional_response(request, etag=look.tag)
    return not_modified or _show(request, look)


def _show(
    request: HttpRequest, look: LiveSnapshot, wrong: AnswerError | None = None
) -> HttpResponse:
    """Show the page; after a refusal, with the hexes of the refused answer."""
    campaign, side = look.campaign, look.side
    chart = CampaignPage(campaign, Month(campaign.month), look.viewer)
    # An answer that waits for its dice has been taken: there is nothing to answer until then.
    waits_for_dice = fog_of_war.awaits_dice(campaign, chart.viewer)
    state = None if waits_for_dice else fog_of_war.state_to_answer(campaign, side)
    context = {
        "campaign": campaign,
        "chart": chart,
        "side": side,
        "waits": fog_of_war.waiting_for(campaign, chart.viewer),
        "panel": panel(state) if state is not None else None,
        "in_chief": look.in_chief,
        "news": _news(campaign, chart),
        "thrown": _dice_of_last_answer(campaign, chart.viewer),
        "tag": look.tag,
        "head": campaign.head_id or 0,
        "wrong": wrong,
        "typed": {name: request.POST.get(name, "")[:LONGEST_WAY] for name in ("field", "hex")},
        "staff": services_live.staff_is_asked(campaign, look.seats),
        "reach": _reach_data(state),
    }
    status = wrong.status if wrong else 200
    response = render(request, "campaign/live/page.html", context, status=status)
    response["ETag"] = look.tag
    return response


def _news(campaign: Campaign, chart: CampaignPage) -> list[DespatchSentence]:
    """Return the latest despatches, the last one first."""
    despatches = fog_of_war.despatches(campaign, campaign.month, chart.viewer)
    if len(despatches) < 2 and campaign.month > campaign.first_month:
        despatches = [
            *fog_of_war.despatches(campaign, campaign.month - 1, chart.viewer),
            *despatches,
        ]
    sentences = [sentence for despatch in despatches for sentence in despatch.sentences]
    return sentences[-LATEST:][::-1]


def _dice_of_last_answer(campaign: Campaign, viewer: Viewer) -> list[Roll]:
    """Return the dice of the last answer that the viewer learns of."""
    if campaign.head is None:
        return []
    return list(journal_events.rolls_learnt(campaign, campaign.head, viewer))


def _reach_data(state: State | None) -> list[HexId]:
    """Return the hexes that the marching stack can reach, its own first."""
    offered = options(state) if state is not None else None
    if offered is None or offered.reach is None:
        return []
    return [offered.reach.start, *sorted(offered.reach.costs.keys() - {offered.reach.start})]


def panel(state: State) -> Panel | None:
    """Return the open question with its options; `state` is as the side supposes it."""
    may = options(state)
    if may is None:
        return None
    near = []
    if reach := may.reach:
        near = sorted(
            (cost, describe_hex(hex_id), hex_id)
            for hex_id, cost in reach.costs.items()
            if hex_id != reach.start
        )
    return Panel(
        may.asks,
        may,
        tuple(
            StackChoiceForm(
                stack.hex,
                capitalise(describe_hex(stack.hex)),
                _bodies(state, stack.units),
                _bodies(state, stack.leaders),
                _bodies(state, stack.hulls),
            )
            for stack in may.stacks
        ),
        tuple(_arriving_group(state, arrival.group, arrival.hexes) for arrival in may.arrivals),
        _bodies(state, may.units),
        _bodies(state, may.leaders),
        tuple(_source(state, may, source) for source in _bodies(state, may.sources)),
        _bodies(state, may.withdraw),
        tuple(_bodies(state, group) for group in may.riders),
        tuple((hex_id, capitalise(words), cost) for cost, words, hex_id in near),
        state.march.points if state.march is not None else 0,
        describe_way_behind(way_behind(state)) if may.targets else "",
    )


def _arriving_group(state: State, group: int, hexes: tuple[HexId, ...]) -> Arriving:
    bodies = _unit_choices(state.due[group].units)
    return Arriving(
        group, bodies, tuple((hex_id, capitalise(describe_hex(hex_id))) for hex_id in hexes)
    )


def _bodies(state: State, ids: tuple[UnitId, ...]) -> tuple[UnitChoiceForm, ...]:
    return _unit_choices(board(state).named(ids))


def _source(state: State, options: Options, source: UnitChoiceForm) -> SourceChoiceForm:
    own = state.units[source.id].hex
    hexes = [
        choice.hex
        for choice in options.supplies
        if source.id in choice.sources or choice.hex == own
    ]
    stacks = join_words([at_hex(hex_id) for hex_id in hexes])
    return SourceChoiceForm(source.id, source.label, stacks)


def _unit_choices(units: Sequence[Unit]) -> tuple[UnitChoiceForm, ...]:
    return tuple(map(_body, units, labels(units)))


def _body(unit: Unit, words: str) -> UnitChoiceForm:
    if unit.kind is TroopKind.SUPPLY:
        words = f"{words} at {describe_hex(unit.hex)}"
    return UnitChoiceForm(unit.id, words, str(unit.kind))


@login_required
@posts_to("live", "slug")
@never_cache
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Carry out an answer; show the page with the reason if it is refused."""
    look = LiveSnapshot.at(request, slug)
    state = fog_of_war.state_to_answer(look.campaign, look.side)
    if state is None or (may := options(state)) is None:
        gone_on = "It is not your side’s turn to answer: this is the position now."
        return _show(request, look, AnswerError(gone_on, status=409))
    wrong = _answer(request, look.campaign, AnswerForm(request.POST, state, may))
    return (
        _show(request, LiveSnapshot.at(request, slug), wrong) if wrong else redirect("live", slug)
    )


@login_required
@posts_to("live", "slug")
@never_cache
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the staff answer for its side; somebody else may have been quicker.

    A refusal is shown on the page, whose form then waits to be sent again: what is refused now is
    refused a moment later too.
    """
    look = LiveSnapshot.at(request, slug)
    if not look.roles:
        raise PermissionDenied("Only people with a seat in this campaign can answer.")
    try:
        services_live.staff_answers(look.campaign.pk)
    except journal.Stale:
        return redirect("live", slug)
    except Refused as refused:
        return _show(request, LiveSnapshot.at(request, slug), AnswerError(str(refused), status=409))
    return redirect("live", slug)


def _answer(request: HttpRequest, campaign: Campaign, sent: AnswerForm) -> AnswerError | None:
    """Carry out the answer, then the staff's; return the refusal, or None.

    An answer that waits for dice thrown by hand is no refusal.
    """
    try:
        action, head = action_of(sent), head_seen(sent.fields)
        services_live.answer_live(campaign.pk, visitor(request), action, expected_head=head)
        services_live.staff_answers(campaign.pk)
    except IllegalAction as illegal:
        return _illegal(campaign, sent, illegal)
    except DiceAwaited as waits:
        messages.info(request, str(waits))
    except journal.Stale as stale:
        return AnswerError(str(stale), status=409)
    except Refused as refused:
        return AnswerError(str(refused))
    return None


def _illegal(campaign: Campaign, sent: AnswerForm, illegal: IllegalAction) -> AnswerError:
    """Return the refusal; under the fog, without anything the side cannot know."""
    if not campaign.fog:
        return AnswerError(illegal.reason, illegal.remedy, illegal.clause)
    try:
        rules.check(sent.state, action_of(sent))
    except IllegalAction as error:
        return AnswerError(error.reason, error.remedy, error.clause)
    return AnswerError("Something that your scouts had not seen stands in the way of that.")
