"""The state of each seat's orders for the month, and the titles of seats."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from battles.access import display_name
from battles.contract.brief import Side
from campaign.models import Campaign, Invitation, OrderSheet, Seat
from campaign.rules.prose.phrases import join_words
from campaign.services.order_sheets import sheets_of


class OrderStatus(StrEnum):
    """The progress of a seat's orders; a submitted sheet is not yet ready, and may be empty."""

    READY = "ready"
    SUBMITTED = "submitted"
    DRAFT = "draft"
    NOTHING = "nothing yet"
    STAFF = "the staff"
    VACANT = "vacant"


AWAITED = frozenset({OrderStatus.DRAFT, OrderStatus.NOTHING, OrderStatus.VACANT})
"""The statuses of seats whose orders are still missing."""


class Attendance(NamedTuple):
    """A seat that gives orders, its sheet for the month, and its progress."""

    seat: Seat
    sheet: OrderSheet | None
    standing: OrderStatus

    @property
    def missing(self) -> bool:
        """Return whether nothing has been submitted."""
        return self.standing in AWAITED

    @property
    def who(self) -> str:
        """Return the public name of the seat's holder."""
        if self.standing is OrderStatus.STAFF:
            return "the staff"
        return display_name(self.seat.user) if self.seat.user else "nobody"


def takes_sheets(campaign: Campaign) -> bool:
    """Return whether order sheets will be carried out: not live, and not over."""
    return campaign.mode == Campaign.Mode.ORDERS and not campaign.finished


def attendance(campaign: Campaign) -> list[Attendance]:
    """Return every seat of the two sides, in order, with its sheet of the current month."""
    seats = campaign.seats.filter(role__in=Seat.SIDES).select_related("user").order_by("role", "pk")
    sheets = campaign.sheets.filter(
        branch=campaign.branch, month=campaign.month, withdrawn=False
    ).defer("document")
    by_seat = {sheet.seat_id: sheet for sheet in sheets}
    found = ((seat, by_seat.get(seat.pk)) for seat in seats)
    return [Attendance(seat, sheet, _status_of(seat, sheet)) for seat, sheet in found]


def _status_of(seat: Seat, sheet: OrderSheet | None) -> OrderStatus:
    if seat.staff:
        return OrderStatus.STAFF
    if seat.user_id is None:
        return OrderStatus.VACANT
    if sheet is None or not (sheet.revision or sheet.submitted):
        return OrderStatus.NOTHING
    if sheet.submitted is None:
        return OrderStatus.DRAFT
    return OrderStatus.READY if sheet.ready else OrderStatus.SUBMITTED


def name_of(seat: Seat) -> str:
    """Return the seat's title, or its side's: `Sirdar`, `the Mahdist commander`."""
    return seat.name or f"the {seat.role.capitalize()} commander"


def late(campaign: Campaign) -> list[Attendance]:
    """Return the seats that have submitted nothing for the month."""
    return [seat for seat in attendance(campaign) if seat.missing]


def sides_without_seats(campaign: Campaign) -> Iterator[Side]:
    """Return the sides that have no seat at all."""
    roles = set(campaign.seats.values_list("role", flat=True))
    return (side for side in Side if side.value not in roles)


OFFICES = {
    "umpire": "Umpire",
    "egyptian": "Egyptian commander-in-chief",
    "mahdist": "Mahdist commander-in-chief",
    "observer": "Observer",
}


def office_of(seat: Seat | Invitation) -> str:
    """Return the seat's own name, or the general title of its role."""
    if seat.name:
        return seat.name
    return f"{seat.role.title()} commander" if seat.command else OFFICES[seat.role]


def sheet_status_text(sheet: OrderSheet | None) -> str:
    """Return the state of a seat's sheet in words."""
    if sheet is None or not sheet.revision:
        return "Nothing is written yet."
    if sheet.begun is not None:
        return "It is being carried out and can no longer be changed."
    if sheet.ready:
        return "Submitted, and you are ready: the month may run."
    if sheet.submitted is not None:
        return "Submitted. Say that you are ready when the month may run without waiting."
    return "A draft: nothing is submitted."


def awaited_in_words(campaign: Campaign) -> str:
    """Return in words which seats the month waits for, and which nobody holds.

    Nothing while the campaign is adjourned.
    """
    if campaign.adjourned:
        return ""
    seats = campaign.seats.filter(role__in=Seat.SIDES, staff=False).order_by("role", "pk")
    ready = sheets_of(campaign, campaign.month).filter(ready=True).values_list("seat", flat=True)
    late = [office_of(seat) for seat in seats.exclude(user=None).exclude(pk__in=ready)]
    vacant = [office_of(seat) for seat in seats.filter(user=None)]
    words = [f"Not ready yet: {join_words(late)}."] if late else []
    words += [f"Vacant: {join_words(vacant)}."] if vacant else []
    return " ".join(words) or "Everybody is ready."
