"""Compute the odds of an order sheet from what the seat's side knows."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import User

from battles.contract import Brief
from battles.contract.brief import Side
from battles.services.quota import limit_cpu
from campaign.access import selectors
from campaign.models import Campaign, Seat
from campaign.odds.assault import AssaultOdds, Defence, Sampling, Wave, assault
from campaign.odds.meeting import staff_plan
from campaign.orders import checks
from campaign.orders.checks import OrderChances
from campaign.orders.order_sheet import MonthOrders
from campaign.rules.core.board import board
from campaign.rules.core.state import State, hands_over
from campaign.rules.map import HexId
from campaign.services.errors import UnfitRequest
from campaign.services.orders.sheets import (
    battles_over,
    commander_of_seat,
    known_state,
    own_headquarters,
    parse_sheet,
    seat_for,
    supposes_battles,
)

NO_BATTLE = "That order leads to no battle that a book could fight, as far as is known."
BY_TABLE = (
    "This campaign's battles are settled by its own table, whose odds stand beside the order. "
    "A book may be tried where the umpire has battles handed over."
)


class OrderSheetOdds(NamedTuple):
    """The odds of a sheet: of each order, and of every hex that several orders attack."""

    orders: tuple[OrderChances, ...]
    assaults: dict[HexId, AssaultOdds]


def odds_of_sheet(campaign: Campaign, user: User, seat_id: int, document: object) -> OrderSheetOdds:
    """Return the odds of the sheet. Raises NotAllowed, Unfit, and Busy as `reckoning`."""
    seat, sheet = seat_for(campaign, user, seat_id), parse_sheet(document)
    with limit_cpu(user) as spend:
        chances = _chances(campaign, seat, sheet, spend)
        return OrderSheetOdds(chances, _assaults(campaign, seat, chances, spend))


def _chances(
    campaign: Campaign, seat: Seat, sheet: MonthOrders, spend: Callable[[], None]
) -> tuple[OrderChances, ...]:
    commander = commander_of_seat(seat, sheet)
    battles = battles_over(campaign) if supposes_battles(sheet) else {}
    headquarters = own_headquarters(campaign, commander, battles)
    return checks.chances(known_state(campaign, seat), commander, headquarters, spend)


def _assaults(
    campaign: Campaign, seat: Seat, chances: Sequence[OrderChances], spend: Callable[[], None]
) -> dict[HexId, AssaultOdds]:
    """Return the odds of every hex that several orders attack, one after the other."""
    waves: dict[HexId, list[Wave]] = {}
    for fight in (fight for order in chances for fight in order.fights):
        if fight.wave is not None:
            waves.setdefault(fight.hex, []).append(fight.wave)
    side = Side(seat.role)
    state = msgspec.structs.replace(known_state(campaign, seat), side=side)
    sampling = Sampling(spend=spend)
    return {
        hex_id: assault(state, several, _defence(state, side, hex_id, several), sampling)
        for hex_id, several in waves.items()
        if len(several) > 1
    }


def _defence(state: State, side: Side, hex_id: HexId, waves: Sequence[Wave]) -> Defence:
    """Return the defender, who fights as the staff would against the first wave."""
    enemies = board(state).stack(side.enemy, hex_id)
    return Defence(hex_id, staff_plan(state, enemies, waves[0].units))


def brief_of_order(
    campaign: Campaign, user: User, seat_id: int, document: object, number: int
) -> Brief:
    """Return the battle that the order of that number, from 0, leads to. Raises Unfit if none.

    None is known where battles are not handed over, or the enemy's strength is not known. Raises
    NotAllowed too, and Busy as `reckoning`.
    """
    seat, sheet = seat_for(campaign, user, seat_id), parse_sheet(document)
    with limit_cpu(user) as spend:
        chances = _chances(campaign, seat, sheet, spend)
    fights = (fight for order in chances if order.number == number for fight in order.fights)
    brief = next((fight.brief for fight in fights if fight.brief is not None), None)
    if brief is None:
        raise UnfitRequest(NO_BATTLE if hands_over(selectors.state_now(campaign)) else BY_TABLE)
    return brief
