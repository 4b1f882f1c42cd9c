"""What random play has broken on, as a campaign to be looked at in the browser."""

import msgspec
from django.contrib.auth.models import User

from battles.core.document import DocumentError, decode
from battles.core.reading import reader
from campaign import stored
from campaign.models import Campaign, Seat
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.state import State
from campaign.rules.prose.questions import describe_action
from campaign.rules.tables.editions import shipped
from campaign.services.create import Wanted, begin_at
from campaign.services.errors import Damaged, Unfit

LONGEST = 200
"""Letters that the reason of a branch may have."""


class Crash(msgspec.Struct):
    """The file a crash has left: the state, and the action that was then tried."""

    scenario: str
    seed: int
    number: int
    error: str
    state: msgspec.Raw
    action: msgspec.Raw


def is_crash(data: bytes) -> bool:
    """Whether a file is of this kind, and not a campaign that was exported."""
    return data.lstrip()[:1] == b"{"


def import_crash(
    data: bytes, *, slug: str = "", umpire: User | None = None, public: bool = False
) -> Campaign:
    """A campaign that begins in the state of the crash; its first branch says what broke there.

    Played by the shipped tables where those it was played by are not known here. Unfit for a
    file of another kind or with a state that cannot be read.
    """
    try:
        crash: Crash = reader(Crash).decode(data)
        state = decode(bytes(crash.state), State)
    except (msgspec.DecodeError, DocumentError) as error:
        raise Unfit(f"This is no file that a crash of random play has left: {error}.") from error
    try:
        stored.edition_of(state.book)
    except Damaged:
        state.book = shipped().digest
    title = f"Crash of {crash.scenario}, seed {crash.seed}, action {crash.number}"
    seats = {} if umpire is None else {Seat.Role.UMPIRE.value: umpire}
    wanted = Wanted(crash.scenario, title, slug, public, seats)
    return begin_at(state, wanted, reason=_reason(state, crash), by="random play")


def _reason(state: State, crash: Crash) -> str:
    """The last line of the error, and what was tried."""
    tried = reader(AnyAction | None).decode(crash.action)
    what = "" if tried is None else f" Tried: {describe_action(state, tried)}"
    last = crash.error.strip().splitlines()[-1] if crash.error.strip() else "no error is told"
    return f"Random play broke here: {last}.{what}"[:LONGEST]
