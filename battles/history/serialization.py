"""What the rows hold, as the values they stand for."""

from types import GenericAlias
from typing import Any

import msgspec

from battles.contract import Brief, Report
from battles.contract.registry import AnyEngine, book
from battles.core.decoding import DocumentError, Reader, decode, decoder_for, digest
from battles.core.dice import Roll
from battles.history.journal import Damaged, unpack
from battles.models import Battle, BattleEntry

_anything = decoder_for(dict[str, str])
_rolls = decoder_for(tuple[Roll, ...])


def brief_of(battle: Battle) -> Brief:
    """What the battle was handed over with; Damaged when it cannot be read."""
    brief: Brief = _document(battle.brief, Brief)
    return brief


def report_of(battle: Battle) -> Report | None:
    """Return how the battle ended; None while it waits."""
    return _document(battle.report, Report) if battle.reported else None


def engine_of(battle: Battle) -> AnyEngine:
    """Return the book it is fought by. Raises NoSuchBook."""
    return book(battle.book).engine


def beginning_of(battle: Battle) -> Any:
    """Return the state with the sides drawn up, before anybody has done anything."""
    return _document(battle.beginning, engine_of(battle).state)


def state_of(battle: Battle) -> Any:
    """Return the state at the end; Damaged when it is not what was written."""
    data = unpack(battle.document)
    if digest(data) != battle.document_hash:
        raise Damaged("A stored battle is not what was written: its hash is another.")
    return _document(battle.document, engine_of(battle).state)


def action_of(entry: BattleEntry, engine: AnyEngine) -> Any:
    return _read(decoder_for(engine.actions), entry, "action")


def reason_of(entry: BattleEntry) -> str:
    """Return why an umpire did it; nothing of what a side or the field did."""
    if not entry.actor.startswith("umpire:"):
        return ""
    said: dict[str, str] = _read(_anything, entry, "action")
    return said.get("reason", "")


def events_of(entry: BattleEntry, engine: AnyEngine) -> tuple[Any, ...]:
    series = GenericAlias(tuple, (engine.events, Ellipsis))
    found: tuple[Any, ...] = _read(decoder_for(series), entry, "events")
    return found


def rolls_of(entry: BattleEntry) -> tuple[Roll, ...]:
    rolls: tuple[Roll, ...] = _read(_rolls, entry, "rolls")
    return rolls


def _document(packed: bytes | memoryview, kind: Any) -> Any:
    try:
        return decode(unpack(packed), kind)
    except DocumentError as error:
        raise Damaged(f"A stored battle cannot be read: {error}.") from error


def _read(decoder: Reader[Any], entry: BattleEntry, part: str) -> Any:
    try:
        return decoder.decode(unpack(getattr(entry, part)))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"The {part} of entry {entry.number} cannot be read: {error}.") from error
