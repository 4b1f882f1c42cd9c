"""Decode and encode stored rows: states, editions, actions, events and rolls."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

import msgspec

from battles.core.decoding import (
    DocumentError,
    Upgrade,
    decode,
    decoder_for,
    digest,
    encode,
    upgrade,
)
from battles.core.dice import Roll
from battles.core.game import Outcome
from battles.core.tables import TableError
from battles.journal import Damaged, pack, unpack
from campaign.models import Bench, Campaign, Entry, TableSet
from campaign.rules import State
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.events import AnyEvent
from campaign.rules.core.state import VERSION
from campaign.rules.map import Map, play_on
from campaign.rules.tables.editions import (
    Edition,
    UnknownEdition,
    digest_of,
    edition,
    is_known,
    remember,
    shipped_edition,
)
from campaign.rules.tables.scenario_loader import UnknownScenario, scenario

T = TypeVar("T")
UPGRADES: Mapping[int, Upgrade] = {}
"""`UPGRADES[n]` upgrades a state document from version n to version n + 1."""

_action = decoder_for(AnyAction)
_events = decoder_for(tuple[AnyEvent, ...])
_rolls = decoder_for(tuple[Roll, ...])
_texts = decoder_for(dict[str, str])


def state_of(packed: bytes | memoryview, expected_hash: str = "") -> State:
    """Return the stored state, upgraded to this version.

    Raises Damaged when its hash differs or it cannot be read.
    """
    data = unpack(packed)
    if expected_hash and digest(data) != expected_hash:
        raise Damaged("A stored state has been altered: its hash does not match.")
    return state_in(data)


def state_in(data: bytes) -> State:
    """Return the state in the document's bytes. Raises Damaged when it cannot be read."""
    try:
        state = _state_of_this_version(data) or decode(upgrade(data, VERSION, UPGRADES), State)
    except DocumentError as error:
        raise Damaged(f"A stored state cannot be read: {error}.") from error
    played_by = edition_of(state.edition)
    play_on(played_by.scenario(state.scenario).chart)
    return state


def _state_of_this_version(data: bytes) -> State | None:
    """Return the state; None for another version, which may lack a field or have a new one."""
    try:
        state = decode(data, State)
    except DocumentError:
        return None
    return state if state.version == VERSION else None


def edition_of(digest: str) -> Edition:
    """Return the edition of that digest and keep it in this process.

    Raises Damaged when it is not stored.
    """
    if is_known(digest):
        return edition(digest)
    row = TableSet.objects.filter(digest=digest).first()
    if row is None:
        raise Damaged(str(UnknownEdition(digest)))
    return remember(_edition_in(row), digest)


def _edition_in(row: TableSet) -> Edition:
    """Return the edition in the row; tables that the program has gained since are the program's."""
    texts = texts_in(row)
    try:
        if digest_of(texts) == row.digest:
            return shipped_edition().replacing(texts)
    except TableError as error:
        raise Damaged(f"The stored tables can no longer be used: {error}.") from error
    raise Damaged("The stored tables have been altered: their digest does not match.")


def scenario_title(played: Campaign | Bench) -> str:
    """Return the title of the scenario that is played; its slug if its tables have it no more.

    The tables are read only for a user's own scenario: reading them takes a query.
    """
    slug = played.scenario
    try:
        return scenario(slug).title
    except UnknownScenario:
        tables = played.after if isinstance(played, Bench) else played.tables
    try:
        return edition_of(tables.digest).scenario(slug).title if tables else slug
    except (UnknownScenario, Damaged):
        return slug


def play_on_map_of(campaign: Campaign) -> None:
    """Let hexes be named by the campaign's map, to which its scenario may have added places."""
    try:
        play_on(_map_of(campaign.tables_id, campaign.scenario))
    except (Damaged, UnknownScenario):
        play_on(None)  # reading its state will say what is damaged


@lru_cache(maxsize=256)
def _map_of(tables: int | None, scenario: str) -> Map:
    if tables is None:
        return shipped_edition().scenario(scenario).chart
    digest_ = TableSet.objects.values_list("digest", flat=True).get(pk=tables)
    return edition_of(digest_).scenario(scenario).chart


def texts_in(row: TableSet) -> dict[str, str]:
    """Return the TOML of every table and scenario in the row, by name. Raises Damaged."""
    try:
        found: dict[str, str] = _texts.decode(unpack(row.texts))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"The stored tables cannot be read: {error}.") from error
    return found


def action_of(entry: Entry) -> AnyAction:
    action: AnyAction = _decode_part(_action.decode, entry, "action")
    return action


def action_in(packed: bytes | memoryview) -> AnyAction:
    """Return an action that is stored without an entry. Raises Damaged when it cannot be read."""
    try:
        action: AnyAction = _action.decode(unpack(packed))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"A stored action cannot be read: {error}.") from error
    return action


def events_of(entry: Entry) -> tuple[AnyEvent, ...]:
    return _decode_part(_events.decode, entry, "events")


def rolls_of(entry: Entry) -> tuple[Roll, ...]:
    return _decode_part(_rolls.decode, entry, "rolls")


def thrown_by_hand(outcome: Outcome) -> Outcome:
    """Return the outcome with all rolls marked as typed in, which no chain can verify."""
    rolls = tuple(msgspec.structs.replace(roll, by_hand=True) for roll in outcome.rolls)
    return msgspec.structs.replace(outcome, rolls=rolls)


def write(entry: Entry, action: AnyAction, outcome: Outcome) -> Entry:
    """Set action, events and rolls of the entry, and return it."""
    entry.action = pack(encode(action))
    entry.events = pack(encode(outcome.events))
    entry.rolls = pack(encode(outcome.rolls))
    return entry


def _decode_part(decoder: Callable[[bytes], T], entry: Entry, part: str) -> T:
    try:
        return decoder(unpack(getattr(entry, part)))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(
            f"The {part} of entry {entry.number}, branch {entry.branch}, cannot be read: {error}."
        ) from error
