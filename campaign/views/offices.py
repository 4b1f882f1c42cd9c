"""What the seats of a campaign are called."""

from campaign.models import Invitation, Seat

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
