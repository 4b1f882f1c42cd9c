"""A campaign as one file: a zip of a few plain JSON documents.

campaign.json   what it is, its branches and seals, and the SHA-256 of the other three
start.json      the state as the campaign was created
tables.json     every table and scenario it is played by, as TOML, by name
entries.jsonl   every entry of every branch, one a line, with action, events and rolls as written

A zip, so that anybody can look inside on any machine, and a damaged part is told by its name.
What is not in it can be rebuilt (snapshots, the state at the head) or belongs to the server
(people and their seats).
"""

import zipfile
import zlib
from collections.abc import Callable
from datetime import datetime
from typing import IO, Annotated, TypeVar

import msgspec

from battles.core.document import digest, encode
from campaign.services.errors import Unfit

FORMAT = 2
MANIFEST, START, TABLES, ENTRIES = "campaign.json", "start.json", "tables.json", "entries.jsonl"
LARGEST = {MANIFEST: 4_000_000, START: 2_000_000, TABLES: 4_000_000, ENTRIES: 200_000_000}
"""Bytes a part may hold unpacked: many times what the longest campaign does."""
T = TypeVar("T")


Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Word = Annotated[str, msgspec.Meta(max_length=40)]
Name = Annotated[str, msgspec.Meta(max_length=80)]
Text = Annotated[str, msgspec.Meta(max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class _Part(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A part of the manifest."""


class BranchPart(_Part):
    number: Count
    anchor: Hash
    reason: Text
    by: Name
    created: datetime
    parent: tuple[Count, Count] | None = None
    """Branch and number of the entry it springs from."""


class SealPart(_Part):
    branch: Count
    month: Count
    commitments: dict[str, str]
    salted_by: Name
    opened: datetime
    closed: datetime | None = None
    link: Hash | None = None
    salts: dict[str, str] = {}


class Manifest(_Part):
    format: int
    slug: Name
    title: Annotated[str, msgspec.Meta(max_length=100)]
    scenario: Name
    created: datetime
    first_month: Count
    anchor: Hash
    branch: Count
    head: tuple[Count, Count] | None
    document_hash: Hash
    branches: list[BranchPart]
    seals: list[SealPart]
    sha256: dict[str, str]
    seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""


class EntryPart(_Part):
    branch: Count
    number: Count
    parent: str
    hash: Hash
    month: Count
    side: Word
    actor: Name
    rules: Word
    created: datetime
    action: msgspec.Raw
    events: msgspec.Raw
    rolls: msgspec.Raw
    key: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class Bundle(msgspec.Struct):
    """The whole file, read."""

    manifest: Manifest
    start: bytes
    tables: dict[str, str]
    entries: list[EntryPart]


_manifest = msgspec.json.Decoder(Manifest)
_tables = msgspec.json.Decoder(dict[str, str])
_entry = msgspec.json.Decoder(EntryPart)


def write(file: IO[bytes], bundle: Bundle) -> None:
    """Write the bundle as a zip file."""
    entries = b"".join(encode(entry) + b"\n" for entry in bundle.entries)
    parts = {START: bundle.start, TABLES: encode(bundle.tables), ENTRIES: entries}
    bundle.manifest.sha256 = {name: digest(data) for name, data in parts.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, msgspec.json.format(encode(bundle.manifest), indent=1))
        for name, data in parts.items():
            archive.writestr(name, data)


def read(file: IO[bytes]) -> Bundle:
    """Read a bundle; Unfit names the part that is missing, damaged or too large."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _parsed(_manifest.decode, _unpacked(archive, MANIFEST), MANIFEST)
            _check_format(manifest)
            start = _checked(archive, START, manifest)
            tables = _parsed(_tables.decode, _checked(archive, TABLES, manifest), TABLES)
            lines = _checked(archive, ENTRIES, manifest).splitlines()
    except zipfile.BadZipFile as error:
        raise Unfit(f"This is no campaign file, or it is not whole: {error}.") from error
    entries = [
        _parsed(_entry.decode, line, f"{ENTRIES}, line {place}")
        for place, line in enumerate(lines, start=1)
    ]
    return Bundle(manifest, start, tables, entries)


def _unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a part, never more than it may hold."""
    try:
        with archive.open(name) as part:
            data = part.read(LARGEST[name] + 1)
    except KeyError as error:
        raise Unfit(f"This is no campaign file: {name} is missing in it.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise Unfit(f"{name} in the file is damaged: {error}.") from error
    if len(data) > LARGEST[name]:
        raise Unfit(f"{name} in the file is larger than any campaign's: it is not unpacked.")
    return data


def _checked(archive: zipfile.ZipFile, name: str, manifest: Manifest) -> bytes:
    data = _unpacked(archive, name)
    if manifest.sha256.get(name) != digest(data):
        raise Unfit(f"{name} in the file is not what was exported: its hash is another.")
    return data


def _parsed(decode: Callable[[bytes], T], data: bytes, name: str) -> T:
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unfit(f"{name} in the file cannot be read: {error}.") from error


def _check_format(manifest: Manifest) -> None:
    if manifest.format != FORMAT:
        raise Unfit(
            f"The file is of format {manifest.format}, this program reads {FORMAT}: update it."
        )
