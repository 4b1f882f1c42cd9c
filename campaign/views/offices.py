"""What the seats of a campaign are called."""

from campaign.models import Campaign, Invitation, Seat
from campaign.rules.prose.phrases import join_words
from campaign.services.sheets import SIDES, sheets_of

OFFICES = {
    "umpire": "Umpire",
    "egyptian": "Egyptian commander-in-chief",
    "mahdist": "Mahdist commander-in-chief",
    "observer": "Observer",
}


def office_of(seat: Seat | Invitation) -> str:
    """What the seat is called: its own name, or what its role is in general."""
    if seat.name:
        return seat.name
    return f"{seat.role.title()} commander" if seat.command else OFFICES[seat.role]


def awaited_in_words(campaign: Campaign) -> str:
    """Whose word the month still waits for; nobody's while the campaign is adjourned."""
    if campaign.adjourned:
        return ""
    seats = campaign.seats.filter(role__in=SIDES, staff=False).exclude(user=None)
    ready = sheets_of(campaign, campaign.month).filter(ready=True).values_list("seat", flat=True)
    late = [office_of(seat) for seat in seats.exclude(pk__in=ready).order_by("role", "pk")]
    return f"Not ready yet: {join_words(late)}." if late else "Everybody is ready."
