"""Decode the stored documents of battles and their entries."""

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
    """Return the brief of the battle. Raises Damaged when it cannot be read."""
    brief: Brief = _document(battle.brief, Brief)
    return brief


def report_of(battle: Battle) -> Report | None:
    """Return the battle's report; None while it waits."""
    return _document(battle.report, Report) if battle.reported else None


def engine_of(battle: Battle) -> AnyEngine:
    """Return the rules engine of the battle's book. Raises NoSuchBook."""
    return book(battle.book).engine


def beginning_of(battle: Battle) -> Any:
    """Return the state with the sides drawn up, before the first action."""
    return _document(battle.beginning, engine_of(battle).state)


def state_of(battle: Battle) -> Any:
    """Return the state at the head. Raises Damaged when its hash differs."""
    data = unpack(battle.document)
    if digest(data) != battle.document_hash:
        raise Damaged("A stored battle is not what was written: its hash is another.")
    return _document(battle.document, engine_of(battle).state)


def action_of(entry: BattleEntry, engine: AnyEngine) -> Any:
    return _read(decoder_for(engine.actions), entry, "action")


def reason_of(entry: BattleEntry) -> str:
    """Return the umpire's reason for an entry; empty for entries of others."""
    if not entry.actor.startswith("umpire:"):
        return ""
    fields: dict[str, str] = _read(_anything, entry, "action")
    return fields.get("reason", "")


def events_of(entry: BattleEntry, engine: AnyEngine) -> tuple[Any, ...]:
    series = GenericAlias(tuple, (engine.events, Ellipsis))
    events: tuple[Any, ...] = _read(decoder_for(series), entry, "events")
    return events


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
