"""Keep an append-only, hash-chained journal of actions for campaigns and battles.

It knows no game. A record (a campaign, a battle) stores the state at its head, and its head and
branch. Entries are numbered from 1 along their line, so branch and number identify one. Nothing is
ever changed or deleted: a rewind opens a branch.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

import zstandard
from django.db import models, transaction
from django.http import Http404

from battles.core.decoding import encode

WORTH_PACKING = 256  # bytes; less than this grows, or hardly shrinks
LONGEST_KEY = 64
LONGEST_ACTOR = 200
"""The most characters of an actor: a user name has up to 150, and a word stands before it."""
_MAGIC = b"\x28\xb5\x2f\xfd"
_local = threading.local()


class Refused(Exception):
    """An action that is not possible; the message tells the user why and what to do."""


class Stale(Refused):
    """A record that has changed since the caller last read it."""


class RecordGone(Refused, Http404):
    """A record that was deleted since the caller last read it."""


class Damaged(Refused):
    """A stored record that is not consistent; the message names the first fault."""


class Busy(Refused):
    """Too many computations in progress; the client may retry after `seconds`."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class TooLong(Refused):
    """A request that needs more CPU time than it may use."""


class JournalRecord(models.Model):
    """A record with a journal. The concrete model adds `head`, a key to its last entry."""

    branch = models.PositiveIntegerField(default=0)
    document = models.BinaryField(help_text="the state at the head, packed")
    document_hash = models.CharField(max_length=64)

    class Meta:
        abstract = True


class JournalEntry(models.Model):
    """An action and its results. Action, events and rolls are packed JSON."""

    HEADING: tuple[str, ...] = ()
    """Further columns of the concrete model that the hash covers."""

    branch = models.PositiveIntegerField()
    number = models.PositiveIntegerField(help_text="place along its line, counted from 1")
    parent = models.CharField(max_length=64, blank=True, help_text="hash of the entry before")
    hash = models.CharField(max_length=64)
    actor = models.CharField(max_length=LONGEST_ACTOR)
    action = models.BinaryField()
    events = models.BinaryField()
    rolls = models.BinaryField()
    rules = models.CharField(max_length=40, help_text="version of the rules it was played by")
    key = models.CharField(max_length=LONGEST_KEY, null=True, blank=True)
    created = models.DateTimeField()

    class Meta:
        abstract = True


class JournalSnapshot(models.Model):
    """A stored state that saves folding all events again; it can be rebuilt."""

    skip = models.PositiveIntegerField(
        default=0, help_text="events of the entry that are in the document already"
    )
    document = models.BinaryField()
    document_hash = models.CharField(max_length=64)

    class Meta:
        abstract = True


class JournalBranch(models.Model):
    """A branch of the journal. The model adds `parent`, its last entry on the old line."""

    number = models.PositiveIntegerField()
    reason = models.CharField(max_length=200)
    by = models.CharField(max_length=LONGEST_ACTOR)
    created = models.DateTimeField()

    class Meta:
        abstract = True


class JournalPosition(NamedTuple):
    """A position on a line: the number and the hash of its last entry."""

    number: int
    hash: str


class BranchSpan(NamedTuple):
    """The part of a branch that lies on a line: entries `after` + 1 to `upto`."""

    branch: int
    after: int
    upto: int


R = TypeVar("R", bound=JournalRecord)
E = TypeVar("E", bound=JournalEntry)
START = JournalPosition(0, "")


def lock_record(records: "models.QuerySet[R]", pk: int) -> R:
    """Return the record, locked against other writers until the transaction ends.

    PostgreSQL locks the row; on SQLite the transaction already holds the only write lock. Raises
    RecordGone, as a caller who waits for a deletion finds.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a record is locked for a transaction, and there is none")
    try:
        return records.select_for_update().get(pk=pk)
    except records.model.DoesNotExist as gone:
        name = records.model._meta.verbose_name
        raise RecordGone(f"This {name} has been deleted meanwhile.") from gone


def delete_locked(rows: "models.QuerySet[Any]") -> int:
    """Delete the rows, each locked first; return how many there were.

    What somebody writes to one of them between the deletion of its parts and its own would
    otherwise let the deletion fail on PostgreSQL.
    """
    with transaction.atomic():
        numbers = list(rows.select_for_update().values_list("pk", flat=True))
        rows.model._default_manager.filter(pk__in=numbers).delete()
    return len(numbers)


def position(entries: "models.QuerySet[Any]", head: int | None) -> JournalPosition:
    """Return the number and hash of the entry with that primary key; START for None."""
    if head is None:
        return START
    return JournalPosition(*entries.filter(pk=head).values_list("number", "hash").get())


def follow(before: JournalPosition, entry: E) -> E:
    """Number the entry after that position, hash it onto it, and return it."""
    entry.number = before.number + 1
    entry.parent = before.hash
    entry.hash = hash_of(entry)
    return entry


def append(
    record: Any, entries: Sequence[JournalEntry], document: bytes, *, expected: int | None
) -> None:
    """Append consecutive entries at the head of the locked record.

    `expected` is the head they were made against; raises Stale if that is no longer the head. The
    record is changed in memory only: the caller saves it.
    """
    if record.head_id != expected:
        raise Stale(
            "Something else has happened in the meantime; nothing was changed. "
            "Look at what stands there now, and try again."
        )
    type(entries[0])._default_manager.bulk_create(entries)
    record.head = entries[-1]
    record.document = pack(document)
    record.document_hash = sha256(document).hexdigest()


def verify(
    entries: Iterable[JournalEntry], start: JournalPosition = START
) -> Iterator[JournalPosition]:
    """Yield the position after each entry of a line. Raises Damaged at the first fault."""
    position = start
    for entry in entries:
        name = f"Entry {entry.number} of branch {entry.branch}"
        if entry.number != position.number + 1:
            raise Damaged(f"{name} stands where entry {position.number + 1} should.")
        if entry.parent != position.hash:
            raise Damaged(f"{name} does not belong behind the entry before it.")
        if hash_of(entry) != entry.hash:
            raise Damaged(f"{name} has been altered: its hash does not match.")
        position = JournalPosition(entry.number, entry.hash)
        yield position


def hash_of(entry: JournalEntry) -> str:
    """Return the SHA-256 of everything in the entry and of the hash of the one before it."""
    heading = [entry.parent, entry.branch, entry.number, entry.actor, entry.rules]
    heading += [getattr(entry, name) for name in entry.HEADING]
    return digest(heading, map(unpack, (entry.action, entry.events, entry.rolls)))


def digest(heading: Sequence[object], parts: Iterable[bytes]) -> str:
    """Return the SHA-256 of a heading and its parts: action, events and rolls, unpacked."""
    hasher = sha256(encode(heading))
    for part in parts:
        hasher.update(sha256(part).digest())
    return hasher.hexdigest()


def lineage(
    parents: Mapping[int, tuple[int, int] | None], branch: int, number: int | None = None
) -> list[BranchSpan]:
    """Return the spans of the line that ends on `branch` (at `number`), the oldest first.

    `parents` gives, for each branch, branch and number of the entry it sprang from; None, or entry
    number 0, for one that starts at the beginning.
    """
    line: list[BranchSpan] = []
    upto = 2**31 - 1 if number is None else number
    ancestor: int | None = branch
    while ancestor is not None:
        parent = parents[ancestor]
        after = parent[1] if parent else 0
        line.insert(0, BranchSpan(ancestor, min(after, upto), upto))
        upto = min(after, upto)
        ancestor = parent[0] if parent else None
    return line


def last_shared_entry(
    line: Sequence[BranchSpan], other: Sequence[BranchSpan]
) -> tuple[int, int] | None:
    """Return branch and number of the last entry on both lines; None without one."""
    last = None
    for step, other_step in zip(line, other, strict=False):
        if (
            step.branch == other_step.branch
            and step.after == other_step.after
            and min(step.upto, other_step.upto)
        ):
            last = step.branch, min(step.upto, other_step.upto)
    return last


def on_line(line: Sequence[BranchSpan], prefix: str = "") -> models.Q:
    """Return the filter for rows whose entry lies on the line; `prefix` leads to the entry."""
    chosen = models.Q()
    for stretch in line:
        chosen |= models.Q(
            (f"{prefix}branch", stretch.branch),
            (f"{prefix}number__gt", stretch.after),
            (f"{prefix}number__lte", stretch.upto),
        )
    return chosen


def pack(data: bytes) -> bytes:
    """Return the bytes as they are stored: compressed with zstd if that saves space."""
    if len(data) < WORTH_PACKING:
        return data
    if not hasattr(_local, "pack"):
        _local.pack = zstandard.ZstdCompressor(level=3)
    packed: bytes = _local.pack.compress(data)
    return packed


def unpack(stored: bytes | memoryview) -> bytes:
    """Return the bytes that were packed. Raises Damaged if they cannot be unpacked."""
    data = bytes(stored)
    if not data.startswith(_MAGIC):
        return data
    if not hasattr(_local, "unpack"):
        _local.unpack = zstandard.ZstdDecompressor()
    try:
        unpacked: bytes = _local.unpack.decompress(data)
    except zstandard.ZstdError as error:
        raise Damaged(f"A stored document cannot be unpacked: {error}.") from error
    return unpacked
