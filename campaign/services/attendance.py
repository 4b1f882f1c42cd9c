"""Say how far each seat's orders are, whom the month waits for, and what seats are called."""

from enum import StrEnum
from typing import NamedTuple

from battles.access import display_name
from campaign.access.selectors import orders_have_begun
from campaign.access.solo import solo_player
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
    """A seat that gives orders, its sheet, its progress, and whether the month has begun."""

    seat: Seat
    sheet: OrderSheet | None
    standing: OrderStatus
    begun: bool

    @property
    def missing(self) -> bool:
        """Return whether something can be submitted and has not been."""
        return self.standing in AWAITED and not self.begun

    @property
    def who(self) -> str:
        """Return the public name of the seat's holder."""
        if self.standing is OrderStatus.STAFF:
            return "the staff"
        return holder_name(self.seat)


def takes_sheets(campaign: Campaign) -> bool:
    """Return whether order sheets will be carried out: not live, and not over."""
    return campaign.mode == Campaign.Mode.ORDERS and not campaign.finished


def attendance(campaign: Campaign) -> list[Attendance]:
    """Return every seat of the two sides, in order, with its sheet of the current month."""
    seats = campaign.seats.filter(role__in=Seat.SIDES).select_related("user").order_by("role", "pk")
    sheets = sheets_of(campaign, campaign.month).defer("document")
    by_seat = {sheet.seat_id: sheet for sheet in sheets}
    found = ((seat, by_seat.get(seat.pk)) for seat in seats)
    begun = orders_have_begun(campaign)
    return [Attendance(seat, sheet, _status_of(seat, sheet), begun) for seat, sheet in found]


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
    """Return the seat's own name, or its title: `Sirdar`, `the Mahdist commander-in-chief`."""
    return seat.name or f"the {office_of(seat)}"


def late(campaign: Campaign) -> list[Attendance]:
    """Return the seats that have submitted nothing for the month and still can."""
    return [seat for seat in attendance(campaign) if seat.missing]


def holder_name(seat: Seat) -> str:
    """Return the name of the seat's holder as others see it."""
    return display_name(seat.user) if seat.user else "nobody"


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

    Nothing while the campaign is adjourned. In a solo campaign the only reader is its player.
    """
    if campaign.adjourned:
        return ""
    if orders_have_begun(campaign):
        return "The orders of the month are being carried out."
    seats = campaign.seats.filter(role__in=Seat.SIDES, staff=False).order_by("role", "pk")
    ready = sheets_of(campaign, campaign.month).filter(ready=True).values_list("seat", flat=True)
    late = [office_of(seat) for seat in seats.exclude(user=None).exclude(pk__in=ready)]
    if late and solo_player(campaign) is not None:
        return "The month runs as soon as you are ready."
    vacant = [office_of(seat) for seat in seats.filter(user=None)]
    words = [f"Not ready yet: {join_words(late)}."] if late else []
    words += [f"Vacant: {join_words(vacant)}."] if vacant else []
    return " ".join(words) or "Everybody is ready."


def everybody_ready(campaign: Campaign) -> bool:
    """Return whether all seats held by persons, at least one, are ready for the current month.

    Without an umpire, who could hand over the seat of a subordinate who stays away, the month waits
    for commanders-in-chief only.
    """
    awaited = campaign.seats.filter(role__in=Seat.SIDES, staff=False, user__isnull=False)
    in_chief = awaited.filter(command=[])
    if campaign.umpire_id is None and in_chief.exists():
        awaited = in_chief
    ready = sheets_of(campaign, campaign.month).filter(ready=True).values("seat")
    return awaited.exists() and not awaited.exclude(pk__in=ready).exists()
