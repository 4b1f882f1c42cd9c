"""A typed client of Sirdar's REST interface, usable without the rest of the program.

It needs only httpx and msgspec, so the folder can be copied elsewhere as it is::

    with Sirdar.logged_in("http://127.0.0.1:8000", "umpire", password) as sirdar:
        for line in sirdar.campaign("the-siege-of-khartoum").state().situation:
            print(line)

A refusal by the server is raised as a Problem, with the clause that forbids the action. Requests
that fail on the way are retried with an idempotency key, so that they take effect once.
"""

from .campaign import Campaign
from .feed import Following, Message, Stream
from .problems import (
    BadRequest,
    Broken,
    Busy,
    Gone,
    IllegalAction,
    JobFailed,
    NotAllowed,
    NotFound,
    NotLoggedIn,
    Problem,
    Refused,
    Stale,
    Unreachable,
)
from .seat import Seat, SheetDraft
from .sirdar import Correction, Counted, Left, NewCampaign, Sirdar
from .wire import Terms

__all__ = [
    "BadRequest",
    "Broken",
    "Busy",
    "Campaign",
    "Correction",
    "Counted",
    "Following",
    "Gone",
    "IllegalAction",
    "JobFailed",
    "Left",
    "Message",
    "NewCampaign",
    "NotAllowed",
    "NotFound",
    "NotLoggedIn",
    "Problem",
    "Refused",
    "Seat",
    "SheetDraft",
    "Sirdar",
    "Stale",
    "Stream",
    "Terms",
    "Unreachable",
]
