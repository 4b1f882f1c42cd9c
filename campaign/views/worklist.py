"""The umpire's worklist: whom and what the campaign waits for, and where things go wrong."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from battles.contract.troops import Side
from campaign import selectors
from campaign.attendance import Attendance, Standing, attendance, name_of, unmanned
from campaign.models import Campaign, Job
from campaign.orders.findings import SheetSection
from campaign.rules.core.board import board, laws
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack
from campaign.rules.prose.phrases import capitalise, count_noun
from campaign.rules.stacks import countable_units
from campaign.rules.supply import (
    attrition_line,
    attrition_modifiers,
    suffering,
    supply_sources,
)
from campaign.services import by_hand
from campaign.services.sheets import SeatNow, standing_of

DIE = 6
MOST = 8
"""Items of a section that are shown at once."""
_WORDS = {
    Standing.READY: "is ready",
    Standing.SUBMITTED: "has submitted, and is not ready yet",
    Standing.DRAFT: "has a draft, and has submitted nothing",
    Standing.NOTHING: "has written nothing yet",
    Standing.VACANT: "is vacant: nobody gives orders",
}


class Item(NamedTuple):
    """Something to look at: said in a line, and where on the map it is or which page is for it."""

    said: str
    side: str = ""
    hex: HexId | None = None
    url: str = ""


class Section(NamedTuple):
    """Items of one kind; those that need somebody to do something come in red."""

    key: str
    title: str
    items: list[Item]
    needs: bool
    none: str

    @property
    def first(self) -> list[Item]:
        return self.items[:MOST]

    @property
    def more(self) -> list[Item]:
        return self.items[MOST:]


def worklist(campaign: Campaign, state: State, user: User | AnonymousUser) -> list[Section]:
    """Every section in the order in which the umpire who asks goes through them.

    Raises Busy where long sheets are to be checked and he has something else worked at.
    """
    return [
        _section("open", "Battles and questions open", _open(campaign), "Nothing is open."),
        *(_of_sheets(campaign, state, user) if _awaits_sheets(campaign) else ()),
        _section(
            "thirst", "Stacks without supply", _thirsty(state), "Every stack is safe.", needs=False
        ),
    ]


def _awaits_sheets(campaign: Campaign) -> bool:
    """Whether orders are still carried out: not in live play, and not once the campaign is over."""
    return campaign.mode == Campaign.Mode.ORDERS and not campaign.finished


def _of_sheets(campaign: Campaign, state: State, user: User | AnonymousUser) -> Iterator[Section]:
    orders = standing_of(campaign, user)
    yield _section("sides", "Seats not ready", _not_ready(campaign), "Every seat is ready.")
    yield _section("impossible", "Orders that are impossible", _impossible(orders), "None.")
    idle = _without_orders(state, orders)
    yield _section("idle", "Stacks without orders", idle, "None.", needs=False)


def _section(
    key: str, title: str, items: Iterator[Item], none: str, *, needs: bool = True
) -> Section:
    return Section(key, title, list(items), needs, none)


def _open(campaign: Campaign) -> Iterator[Item]:
    battle = selectors.battle_awaited(campaign)
    if battle is not None:
        page = reverse("battle-result", args=[campaign.slug, battle.brief.id])
        hex_id = _hex_of_battle(selectors.state_now(campaign))
        yield Item(f"{battle.brief.title} is to be fought.", hex=hex_id, url=page)
    elif campaign.mode == Campaign.Mode.LIVE and not campaign.finished:
        yield Item(campaign.waiting_for, campaign.side)
    throw = by_hand.waiting(campaign)
    if throw is not None:
        dice = count_noun(throw.count, "die", "dice")
        be = "is" if throw.count == 1 else "are"
        yield Item(f"{capitalise(dice)} of {throw.sides} faces {be} to be typed in.", url="#dice")
    failed = campaign.jobs.first()
    if failed is not None and failed.status == Job.Status.FAILED:
        yield Item(f"The last advance failed: {failed.message}")


def _hex_of_battle(state: State) -> HexId | None:
    return state.combat.defender.hex if state.combat else None


def _not_ready(campaign: Campaign) -> Iterator[Item]:
    for one in attendance(campaign):
        if one.standing not in (Standing.READY, Standing.STAFF):
            yield Item(_how_far(one), one.seat.role, url=f"#seat-{one.seat.pk}")
    for side in unmanned(campaign):
        yield Item(f"There is no seat for the {side} side.", side, url="#seats")


def _how_far(one: Attendance) -> str:
    name = capitalise(name_of(one.seat))
    who = f" ({one.seat.user})" if one.seat.user else ""
    return f"{name}{who} {_WORDS[one.standing]}."


def _impossible(orders: list[SeatNow]) -> Iterator[Item]:
    for now in orders:
        for finding in now.impossible:
            what = "order" if finding.part is SheetSection.ORDER else "arrivals"
            about = f"{capitalise(name_of(now.seat))}, {what} {finding.number + 1}"
            clause = f" ({finding.clause})" if finding.clause else ""
            said = f"{about}: {finding.said}{clause}"
            yield Item(said, now.seat.role, finding.hex or None)


def _without_orders(state: State, orders: list[SeatNow]) -> Iterator[Item]:
    for now in orders:
        for hex_id in now.without_orders:
            units = board(state).stack(Side(now.seat.role), hex_id)
            yield Item(f"{describe_hex(hex_id)}: {describe_stack(units)}", now.seat.role, hex_id)


def _thirsty(state: State) -> Iterator[Item]:
    """The stacks that attrition may take from, the ones it may take most from first."""
    found = [thirst for side in Side for thirst in _risks(state, side)]
    for most, side, hex_id in sorted(found, key=lambda one: (-one[0], one[2])):
        of = len(countable_units(board(state).stack(side, hex_id)))
        yield Item(
            f"{describe_hex(hex_id)}: up to {most} of {count_noun(of, 'unit')} may suffer.",
            side,
            hex_id,
        )


def _risks(state: State, side: Side) -> Iterator[tuple[int, Side, HexId]]:
    position = board(state)
    for hex_id in position.hexes(side):
        if position.land(side, hex_id) and not supply_sources(state, side, hex_id):
            most = _worst(state, side, hex_id)
            if most:
                yield most, side, hex_id


def _worst(state: State, side: Side, hex_id: HexId) -> int:
    """How many units of the stack suffer by the worst throw of the die."""
    line = attrition_line(state, side, hex_id)
    changed = sum(one.value for one in attrition_modifiers(state, side, hex_id))
    units = countable_units(board(state).stack(side, hex_id))
    rolls = (laws(state).attrition(line, die + changed) for die in range(1, DIE + 1))
    return max(
        (suffering(state, units, spared) for spared in rolls if spared is not None), default=0
    )
