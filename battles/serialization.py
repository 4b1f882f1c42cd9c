"""Decode the stored documents of battles and their entries; branches and cursors."""

from collections.abc import Iterable
from types import GenericAlias
from typing import Any

import msgspec
from django.db.models import Prefetch, QuerySet, prefetch_related_objects

from battles import journal
from battles.access import JUST_CALLED_OFF, BattleNotVisible
from battles.contract.book import AnyEngine, book
from battles.contract.brief import Brief
from battles.contract.report import Report
from battles.core.decoding import DocumentError, Reader, decode, decoder_for, digest
from battles.core.dice import Roll
from battles.journal import Damaged, JournalPosition, unpack
from battles.models import Battle, BattleBranch, BattleEntry, Command

# Branches and cursors of a battle.


def parents_of(battle: Battle) -> dict[int, tuple[int, int] | None]:
    """Return, for each branch, the branch and number of the entry that it sprang from."""
    parents: dict[int, tuple[int, int] | None] = {0: None}
    for branch in branches_of(battle):
        parents[branch.number] = (branch.parent.branch, branch.parent.number)
    return parents


def branches_of(battle: Battle) -> Iterable[BattleBranch]:
    """Return the battle's branches with the entries that they sprang from.

    Those that `read_ahead` has read are not read again.
    """
    if "branches" in getattr(battle, "_prefetched_objects_cache", {}):
        return battle.branches.all()
    return battle.branches.select_related("parent")


def read_ahead(battle: Battle) -> None:
    """Read the commands and the branches of a battle once, for all that ask for them later."""
    branches = Prefetch("branches", BattleBranch.objects.select_related("parent"))
    commands = Prefetch("commands", Command.objects.select_related("user"))
    prefetch_related_objects([battle], commands, branches)


def entries_of(battle: Battle, upto: int | None = None) -> QuerySet[BattleEntry]:
    """Return the entries of the current line, the oldest first; up to that number."""
    line = journal.lineage(parents_of(battle), battle.branch, upto)
    return battle.entries.filter(journal.on_line(line)).order_by("number")


def head_of(battle: Battle) -> JournalPosition:
    """Return the number and hash of the last entry of the line.

    Raises BattleNotVisible for a battle that has been called off since it was read.
    """
    try:
        return journal.position(battle.entries.all(), battle.head_id)
    except BattleEntry.DoesNotExist as gone:
        raise BattleNotVisible(JUST_CALLED_OFF) from gone


def cursor_of(battle: Battle) -> str:
    """Return the battle's cursor: branch and number, `0.45`."""
    return f"{battle.branch}.{head_of(battle).number}"


def has_cursor(battle: Battle, branch: int, number: int) -> bool:
    """Return whether the battle has been at that cursor, on any branch."""
    parents = parents_of(battle)
    if branch not in parents:
        return False
    line = journal.lineage(parents, branch, number)
    return battle.entries.filter(journal.on_line(line), number=number).exists()


def last_shared_number(battle: Battle, branch: int, number: int) -> int:
    """Return the number of the last entry that the current line shares with that cursor's."""
    parents = parents_of(battle)
    line, other = journal.lineage(parents, battle.branch), journal.lineage(parents, branch, number)
    last = journal.last_shared_entry(line, other)
    return last[1] if last else 0


# Decode the stored documents of battles and their entries.


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
        raise Damaged("A stored battle has been altered: its hash does not match.")
    return _document(battle.document, engine_of(battle).state)


def action_of(entry: BattleEntry, engine: AnyEngine) -> Any:
    return _decode_part(decoder_for(engine.actions), entry, "action")


def reason_of(entry: BattleEntry) -> str:
    """Return the umpire's reason for an entry; empty for entries of others."""
    if not entry.actor.startswith("umpire:"):
        return ""
    fields: dict[str, str] = _decode_part(_anything, entry, "action")
    return fields.get("reason", "")


def events_of(entry: BattleEntry, engine: AnyEngine) -> tuple[Any, ...]:
    series = GenericAlias(tuple, (engine.events, Ellipsis))
    events: tuple[Any, ...] = _decode_part(decoder_for(series), entry, "events")
    return events


def rolls_of(entry: BattleEntry) -> tuple[Roll, ...]:
    rolls: tuple[Roll, ...] = _decode_part(_rolls, entry, "rolls")
    return rolls


def _document(packed: bytes | memoryview, kind: Any) -> Any:
    try:
        return decode(unpack(packed), kind)
    except DocumentError as error:
        raise Damaged(f"A stored battle cannot be read: {error}.") from error


def _decode_part(decoder: Reader[Any], entry: BattleEntry, part: str) -> Any:
    try:
        return decoder.decode(unpack(getattr(entry, part)))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"The {part} of entry {entry.number} cannot be read: {error}.") from error
