"""The umpire's console: map, worklist, clock, dice, seats, actions and log.

The worklist shows what the campaign waits for, and what goes wrong.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, permissions, selectors
from campaign.models import Campaign, Deadline, Job, Seat
from campaign.orders.findings import SheetSection
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import Month
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack
from campaign.rules.prose.phrases import capitalise, count_noun, spell_number
from campaign.rules.prose.questions import describe_action, describe_phase
from campaign.rules.sight import Onlooker
from campaign.rules.stacks import countable_units
from campaign.rules.supply import (
    attrition_line,
    attrition_modifiers,
    count_suffering,
    supply_sources,
)
from campaign.serialization import action_in
from campaign.services.attendance import (
    Attendance,
    OrderStatus,
    attendance,
    holder_name,
    name_of,
    takes_sheets,
)
from campaign.services.journal import rules_edition
from campaign.services.order_sheets import SheetStatus, standing_of
from campaign.services.turns import timetable
from campaign.services.turns.deadlines import describe_policy
from campaign.services.turns.timetable import Policy, Stage
from campaign.services.umpire import rulings
from campaign.staff.levels import CHOICES
from campaign.web.console.umpire_forms import DELAYS, AccountForm, DeadlinesForm, EndingForm
from campaign.web.map.campaign_page import CampaignPage
from campaign.web.visitor import visitor

DIE = 6
MOST = 8
"""Items of a section on the page at first."""
_WORDS = {
    OrderStatus.READY: "is ready",
    OrderStatus.SUBMITTED: "has submitted, and is not ready yet",
    OrderStatus.DRAFT: "has a draft, and has submitted nothing",
    OrderStatus.NOTHING: "has written nothing yet",
    OrderStatus.VACANT: "is vacant: nobody gives orders",
}


class WorklistItem(NamedTuple):
    """A line of the worklist, with its hex on the map or a link."""

    text: str
    side: str = ""
    hex: HexId | None = None
    url: str = ""


class WorklistSection(NamedTuple):
    """The items of one kind; those that `needs` somebody to act are red."""

    key: str
    title: str
    items: list[WorklistItem]
    needs: bool
    none: str

    @property
    def first(self) -> list[WorklistItem]:
        return self.items[:MOST]

    @property
    def more(self) -> list[WorklistItem]:
        return self.items[MOST:]


def worklist(campaign: Campaign, state: State, user: User | AnonymousUser) -> list[WorklistSection]:
    """Return the sections in the order in which an umpire works through them.

    Raises Busy where long sheets are to be checked while the user has another computation.
    """
    opened = _section("open", "Battles and questions open", _open(campaign), "Nothing is open.")
    if campaign.finished:
        return [opened]
    return [
        opened,
        *(_of_sheets(campaign, state, user) if takes_sheets(campaign) else ()),
        _section(
            "thirst", "Stacks without supply", _thirsty(state), "Every stack is safe.", needs=False
        ),
    ]


def _of_sheets(
    campaign: Campaign, state: State, user: User | AnonymousUser
) -> Iterator[WorklistSection]:
    orders = standing_of(campaign, user)
    yield _section("sides", "Seats not ready", _not_ready(campaign), "Every seat is ready.")
    yield _section("impossible", "Orders that are impossible", _impossible(orders), "None.")
    idle = _without_orders(state, orders)
    yield _section("idle", "Stacks without orders", idle, "None.", needs=False)


def _section(
    key: str, title: str, items: Iterator[WorklistItem], none: str, *, needs: bool = True
) -> WorklistSection:
    return WorklistSection(key, title, list(items), needs, none)


def _open(campaign: Campaign) -> Iterator[WorklistItem]:
    battle = selectors.battle_awaited(campaign)
    if battle is not None:
        page = reverse("battle-result", args=[campaign.slug, battle.brief.id])
        combat = selectors.state_now(campaign).combat
        hex_id = combat.defender.hex if combat else None
        yield WorklistItem(campaign.waiting_for, hex=hex_id, url=page)
    elif campaign.mode == Campaign.Mode.LIVE and not campaign.finished:
        yield WorklistItem(fog_of_war.waiting_for(campaign, Onlooker.UMPIRE), campaign.side)
    throw = rulings.awaited_throw(campaign)
    if throw is not None:
        dice = count_noun(throw.count, "die", "dice")
        be = "is" if throw.count == 1 else "are"
        yield WorklistItem(
            f"{capitalise(dice)} of {throw.sides} faces {be} to be typed in.", url="#dice"
        )
    failed = campaign.jobs.first()
    if failed is not None and failed.status == Job.Status.FAILED:
        yield WorklistItem(f"The last advance failed: {failed.message}")


def _not_ready(campaign: Campaign) -> Iterator[WorklistItem]:
    for attendee in attendance(campaign):
        ready = attendee.begun or attendee.standing in (OrderStatus.READY, OrderStatus.STAFF)
        if not ready:
            seat, name = attendee.seat, capitalise(name_of(attendee.seat))
            holder = f" ({holder_name(seat)})" if seat.user else ""
            message = f"{name}{holder} {_WORDS[attendee.standing]}."
            yield WorklistItem(message, seat.role, url=f"#seat-{seat.pk}")
    roles = set(campaign.seats.values_list("role", flat=True))
    for side in (side for side in Side if side.value not in roles):
        yield WorklistItem(f"There is no seat for the {side} side.", side, url="#seats")


def _impossible(orders: list[SheetStatus]) -> Iterator[WorklistItem]:
    for now in orders:
        for finding in now.impossible:
            part = "order" if finding.part is SheetSection.ORDER else "arrivals"
            about = f"{capitalise(name_of(now.seat))}, {part} {finding.number + 1}"
            clause = f" ({finding.clause})" if finding.clause else ""
            message = f"{about}: {finding.said}{clause}"
            yield WorklistItem(message, now.seat.role, finding.hex or None)


def _without_orders(state: State, orders: list[SheetStatus]) -> Iterator[WorklistItem]:
    for now in orders:
        for hex_id in now.without_orders:
            units = board(state).stack(Side(now.seat.role), hex_id)
            yield WorklistItem(
                f"{describe_hex(hex_id)}: {describe_stack(units)}", now.seat.role, hex_id
            )


def _thirsty(state: State) -> Iterator[WorklistItem]:
    """Yield the stacks at risk of attrition, the largest possible losses first."""
    risks = [thirst for side in Side for thirst in _risks(state, side)]
    for most, side, hex_id in sorted(risks, key=lambda risk: (-risk[0], risk[2])):
        size = len(countable_units(board(state).stack(side, hex_id)))
        yield WorklistItem(
            f"{describe_hex(hex_id)}: {_may_suffer(side, most, size)} by attrition.", side, hex_id
        )


def _may_suffer(side: Side, most: int, of: int) -> str:
    """Return how many units may suffer: `up to three of its five units may be lost`."""
    may = "may be lost" if side is Side.EGYPTIAN else "may be disrupted or lost"
    if of == 1:
        return f"its one unit {may}"
    units = count_noun(of, "unit")
    if most == of:
        return f"both of its units {may}" if of == 2 else f"all of its {units} {may}"
    return f"up to {spell_number(most)} of its {units} {may}"


def _risks(state: State, side: Side) -> Iterator[tuple[int, Side, HexId]]:
    position = board(state)
    for hex_id in position.hexes(side):
        if position.land(side, hex_id) and not supply_sources(state, side, hex_id):
            most = _worst(state, side, hex_id)
            if most:
                yield most, side, hex_id


def _worst(state: State, side: Side, hex_id: HexId) -> int:
    """Return the number of units that suffer by the worst roll."""
    line = attrition_line(state, side, hex_id)
    changed = sum(modifier.value for modifier in attrition_modifiers(state, side, hex_id))
    units = countable_units(board(state).stack(side, hex_id))
    rolls = (laws(state).attrition(line, die + changed) for die in range(1, DIE + 1))
    return max(
        (count_suffering(state, units, spared) for spared in rolls if spared is not None), default=0
    )


LOG_ENTRIES_SHOWN = 6


class Clockface(NamedTuple):
    """The deadline, and how it stands."""

    deadline: Deadline
    policy: Policy
    stage: Stage
    left: str
    let_go: datetime
    """The new due time if a stopped clock went on now."""

    to_extend: int
    """Hours left by which it may be extended."""

    @property
    def later(self) -> int:
        """Return the hours by which it has been extended."""
        return self.deadline.extended // 60


class Chair(NamedTuple):
    """A seat on the console."""

    attendance: Attendance
    name: str
    refused: QueryDict | None
    """The form that was refused, if it was this seat's."""

    @property
    def seat(self) -> Seat:
        return self.attendance.seat


@login_required
@require_safe
@never_cache
def console(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = campaign_of(request, slug)
    return show(request, campaign)


def campaign_of(request: HttpRequest, slug: str) -> Campaign:
    """Return the campaign for its umpire.

    Raises NotVisible or PermissionDenied for anybody else.
    """
    campaign = selectors.campaign_for(request.user, slug)
    if not isinstance(request.user, User) or not permissions.may_advance(request.user, campaign):
        raise PermissionDenied("Only the umpires of this campaign can open its console.")
    return campaign


def show(
    request: HttpRequest, campaign: Campaign, refused: QueryDict | None = None
) -> HttpResponse:
    """Show the console, with the form that was refused as it was filled in."""
    form = refused or QueryDict()
    chart = CampaignPage(campaign, Month(campaign.month), Onlooker.UMPIRE)
    state, throw = selectors.state_now(campaign), rulings.awaited_throw(campaign)
    context = {
        "chart": chart,
        "campaign": campaign,
        "phase": describe_phase(state),
        "sections": worklist(campaign, state, request.user),
        "job": selectors.job_under_way(campaign),
        "clock": clockface(campaign),
        "policy": timetable.policy_of(campaign),
        "policy_words": describe_policy(timetable.policy_of(campaign)),
        "deadlines": DeadlinesForm(
            form if form.get("do") == "deadlines" else None,
            initial=campaign.deadline_policy or None,
        ),
        "throw": throw,
        "throw_action": describe_action(state, action_in(throw.action)) if throw else "",
        "chairs": [
            Chair(
                attendee,
                name_of(attendee.seat),
                form if form.get("seat") == str(attendee.seat.pk) else None,
            )
            for attendee in attendance(campaign)
        ],
        "others": _others(campaign),
        "umpire_log": campaign.umpire_log.all()[:LOG_ENTRIES_SHOWN],
        "ending": EndingForm(form if form.get("do") == "end" else None),
        "delays": DELAYS,
        "staff_levels": CHOICES,
        "account": AccountForm(),
        "branches": campaign.branches.count(),
        "settled": rules_edition.is_settled(campaign),
        "unfinished_ruling": rulings.find_unfinished(campaign, visitor(request)),
        "refused": form,
        "on_console": True,
    }
    status = 200 if refused is None else 400
    return render(request, "campaign/console/console.html", context, status=status)


def _others(campaign: Campaign) -> list[Seat]:
    """Return the seats of umpires and observers."""
    roles = [Seat.Role.UMPIRE, Seat.Role.OBSERVER]
    return list(campaign.seats.filter(role__in=roles).select_related("user").order_by("-role"))


def clockface(campaign: Campaign) -> Clockface | None:
    """Return the clock of the month; None without deadlines."""
    deadline, policy = timetable.standing_deadline(campaign), timetable.policy_of(campaign)
    if deadline is None or policy is None:
        return None
    clock, now = timetable.clock_of(deadline), timezone.now()
    return Clockface(
        deadline,
        policy,
        timetable.stage(policy, clock, now),
        _time_left(deadline.due - now),
        timetable.resume_deadline(policy, clock, now).due,
        timetable.left_to_extend(policy, clock) // 60,
    )


def _time_left(left: timedelta) -> str:
    """Return the time in words, `3 days and 4 hours`; empty when it is over."""
    hours = int(left.total_seconds() // 3600)
    if left.total_seconds() <= 0:
        return ""
    days, hours = divmod(hours, 24)
    parts = [f"{days} day{'' if days == 1 else 's'}"] if days else []
    parts += [f"{hours} hour{'' if hours == 1 else 's'}"] if hours or not days else []
    return " and ".join(parts) if days or hours else "less than an hour"


@require_safe
def umpire_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the umpire log."""
    campaign = selectors.campaign_for(request.user, slug)
    context = {"campaign": campaign, "umpire_log": campaign.umpire_log.all()}
    return render(request, "campaign/console/umpire_log.html", context)
