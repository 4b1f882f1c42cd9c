"""What the rows hold, as the values they stand for."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from battles.core.dice import Roll
from battles.core.document import DocumentError, Upgrade, decode, digest, encode, upgrade
from battles.core.game import Outcome
from battles.journal import Damaged, pack, unpack
from campaign.models import Entry
from campaign.rules import State
from campaign.rules.actions import AnyAction
from campaign.rules.events import AnyEvent
from campaign.rules.state import VERSION

T = TypeVar("T")
UPGRADES: Mapping[int, Upgrade] = {}
"""`UPGRADES[n]` brings a state document of version n to version n + 1."""

_action = msgspec.json.Decoder(AnyAction)
_events = msgspec.json.Decoder(tuple[AnyEvent, ...])
_rolls = msgspec.json.Decoder(tuple[Roll, ...])


def state_of(packed: bytes | memoryview, expected_hash: str = "") -> State:
    """The state in a stored document, brought up to date; Damaged when it is not what it was."""
    data = unpack(packed)
    if expected_hash and digest(data) != expected_hash:
        raise Damaged("A stored state is not what was written: its hash is another.")
    return state_in(data)


def state_in(data: bytes) -> State:
    """The state that the document's bytes tell; Damaged when they do not."""
    try:
        state = decode(data, State)
        if state.version != VERSION:
            state = decode(upgrade(data, VERSION, UPGRADES), State)
    except DocumentError as error:
        raise Damaged(f"A stored state cannot be read: {error}.") from error
    return state


def action_of(entry: Entry) -> AnyAction:
    return _read(_action.decode, entry, "action")


def events_of(entry: Entry) -> tuple[AnyEvent, ...]:
    return _read(_events.decode, entry, "events")


def rolls_of(entry: Entry) -> tuple[Roll, ...]:
    return _read(_rolls.decode, entry, "rolls")


def write(entry: Entry, action: AnyAction, outcome: Outcome) -> Entry:
    """The entry with what was done and what it led to."""
    entry.action = pack(encode(action))
    entry.events = pack(encode(outcome.events))
    entry.rolls = pack(encode(outcome.rolls))
    return entry


def _read(decoder: Callable[[bytes], T], entry: Entry, part: str) -> T:
    try:
        return decoder(unpack(getattr(entry, part)))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(
            f"The {part} of entry {entry.number}, branch {entry.branch}, cannot be read: {error}."
        ) from error
