"""Read and write a campaign as one file: a zip of a few plain JSON documents.

campaign.json   what it is and how it is played, its branches, seals and seats, and the SHA-256
                of the others
start.json      the state as the campaign was created
tables.json     every table and scenario it is played by, as TOML, by name
entries.jsonl   every entry of every branch, one a line, with action, events and rolls as written
sheets.jsonl    every order sheet that may be shown, one a line, with its receipts (since format 3)
umpire_log.jsonl  the umpire log, one entry a line (since format 3)
letters.jsonl   the letters between the seats, one a line, with their copies (since format 4)

It is a zip, so that anybody can look inside on any machine, and a damaged part can be named.
Everything else can be rebuilt (snapshots, the state at the head, each side's knowledge in the
fog) or belongs to the server (users, holders of seats, invitations, mail, deadlines).
"""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from io import BytesIO
from typing import IO, Annotated, Literal, TypeVar

import msgspec

from battles.core.decoding import Reader, decoder_for, digest, encode
from battles.core.validation import VISIBLE
from battles.journal import LONGEST_ACTOR
from campaign.models.seats import LONGEST_NOTE
from campaign.orders.order_sheet import OrderOutcome
from campaign.services.errors import UnfitRequest
from campaign.services.order_sheets import StoredProgress

FORMAT = 4
MANIFEST, START, TABLES, ENTRIES = "campaign.json", "start.json", "tables.json", "entries.jsonl"
SHEETS, UMPIRE_LOG, LETTERS = "sheets.jsonl", "umpire_log.jsonl", "letters.jsonl"
LARGEST_PARTS = {
    MANIFEST: 2_000_000,
    START: 500_000,
    TABLES: 1_000_000,
    ENTRIES: 50_000_000,
    SHEETS: 50_000_000,
    UMPIRE_LOG: 2_000_000,
    LETTERS: 50_000_000,
}
"""The most bytes of a part unpacked, many times what the longest campaign needs."""
MOST_LINES = {ENTRIES: 20_000, SHEETS: 2_000, UMPIRE_LOG: 5_000, LETTERS: 20_000}
"""The most lines of a part; a whole campaign has about a thousand entries."""
MOST_BRANCHES, MOST_SEALS, MOST_RECEIPTS, MOST_OF_COMMAND = 200, 1_000, 10_000, 1_000
"""An import blocks every other writer on SQLite, so everything that costs time is bounded."""
NOTHING = b"null"
T = TypeVar("T")
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""The exceptions raised for a file that is no zip, is truncated, or uses another compression."""


Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Word = Annotated[str, msgspec.Meta(max_length=40, pattern=VISIBLE)]
Name = Annotated[str, msgspec.Meta(max_length=80, pattern=VISIBLE)]
Actor = Annotated[str, msgspec.Meta(max_length=LONGEST_ACTOR, pattern=VISIBLE)]
Text = Annotated[str, msgspec.Meta(max_length=200, pattern=VISIBLE)]
Words = Annotated[str, msgspec.Meta(max_length=5_000, pattern=VISIBLE)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
FIRST, LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""The range of moments that every database can store and return in every zone."""


class _Part(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A part of the file."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, datetime) and not FIRST <= value <= LAST:
                raise ValueError(f"`{name}` is {value}, and lies in no time of ours")


class ArchivedBranch(_Part):
    number: Count
    anchor: Hash
    reason: Text
    by: Actor
    created: Moment
    parent: tuple[Count, Count] | None = None
    """Branch and number of the entry it starts from."""


class SealPart(_Part):
    branch: Count
    month: Count
    commitments: dict[str, str]
    salted_by: Name
    opened: Moment
    closed: Moment | None = None
    link: Hash | None = None
    salts: dict[str, str] = {}


class SettingsPart(_Part):
    """The settings of the campaign: its columns of these names."""

    mode: Word = "staff"
    fog: bool = False
    dice_by_hand: bool = False
    staff_level: Word = "club"
    adjourned: bool = False
    when_ready: bool = False
    deadline_policy: dict[Word, int | Word] = {}
    public_delay: Count = 2
    rules: Annotated[str, msgspec.Meta(max_length=20, pattern=VISIBLE)] = ""
    rules_pinned: bool = False
    rules_kept: Annotated[str, msgspec.Meta(max_length=20, pattern=VISIBLE)] = ""
    letter_post: Literal["at_once", "by_courier"] = "at_once"


class ArchivedSeat(_Part):
    """A seat of a side, without its holder."""

    role: Literal["egyptian", "mahdist"]
    name: Annotated[str, msgspec.Meta(max_length=60, pattern=VISIBLE)] = ""
    staff: bool = False
    command: Annotated[list[Count | Word], msgspec.Meta(max_length=MOST_OF_COMMAND)] = []


class ThrowPart(_Part):
    """The action that waits for dice thrown by hand, and the faces typed in so far."""

    actor: Actor
    action: msgspec.Raw
    faces: list[Count]
    key: Annotated[str, msgspec.Meta(max_length=64, pattern=VISIBLE)] = ""


class Manifest(_Part):
    format: int
    slug: Name
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=VISIBLE)]
    scenario: Name
    created: Moment
    first_month: Count
    anchor: Hash
    branch: Count
    head: tuple[Count, Count] | None
    document_hash: Hash
    branches: Annotated[list[ArchivedBranch], msgspec.Meta(max_length=MOST_BRANCHES)]
    seals: Annotated[list[SealPart], msgspec.Meta(max_length=MOST_SEALS)]
    sha256: dict[str, str]
    seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""
    settings: SettingsPart = msgspec.field(default_factory=SettingsPart)
    seats: Annotated[list[ArchivedSeat], msgspec.Meta(max_length=200)] = []
    throw: ThrowPart | None = None


class _Format(msgspec.Struct):
    """The part of a manifest that is read first, before its other fields are known."""

    format: int


class ArchivedEntry(_Part):
    branch: Count
    number: Count
    parent: str
    hash: Hash
    month: Count
    side: Word
    actor: Actor
    rules: Word
    created: Moment
    action: msgspec.Raw
    events: msgspec.Raw
    rolls: msgspec.Raw
    key: Annotated[str, msgspec.Meta(max_length=64, pattern=VISIBLE)] | None = None


class ArchivedCarriedOrder(_Part):
    """The outcome of one order."""

    part: Word
    number: Count
    outcome: OrderOutcome
    said: Words
    clause: Word = ""
    remedy: Words = ""


class ReceiptPart(_Part):
    kind: Literal["saved", "submitted", "taken back", "carried out"]
    revision: Count
    hash: Hash
    created: Moment
    reading: list[Words] = []
    carried: list[ArchivedCarriedOrder] = []


class ArchivedSheet(_Part):
    """An order sheet; `seat` here and in the progress is an index into the manifest's seats."""

    seat: Count
    branch: Count
    month: Count
    revision: Count
    updated: Moment
    document: msgspec.Raw
    salt: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){0,32}$")] = ""
    salt_chosen: bool = False
    submitted: Moment | None = None
    ready: bool = False
    withdrawn: bool = False
    begun: Moment | None = None
    by_staff: bool = False
    progress: StoredProgress | None = None
    receipts: list[ReceiptPart] = []


class ArchivedLogEntry(_Part):
    by: Actor
    said: Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE, pattern=VISIBLE)]
    month: Count
    created: Moment


class ArchivedCopy(_Part):
    """The copy of a letter for one seat: an index into the manifest's seats, None for an umpire."""

    seat: Count | None
    arrival_month: Count
    arrived: Moment | None = None
    read: Moment | None = None
    lost: bool = False


class ArchivedLetter(_Part):
    """A letter from a seat of a side, or from an umpire (None)."""

    sender: Count | None
    branch: Count
    month: Count
    text: Words
    created: Moment
    copies: Annotated[list[ArchivedCopy], msgspec.Meta(max_length=200)]
    hexes: Annotated[list[Count], msgspec.Meta(max_length=12)] = []
    orders: Annotated[list[Words], msgspec.Meta(max_length=500)] = []


class Bundle(msgspec.Struct):
    """The whole file, parsed."""

    manifest: Manifest
    start: bytes
    tables: dict[str, str]
    entries: list[ArchivedEntry]
    sheets: list[ArchivedSheet]
    umpire_log: list[ArchivedLogEntry]
    letters: list[ArchivedLetter]


_format = decoder_for(_Format)
_manifest = decoder_for(Manifest)
_tables = decoder_for(dict[str, str])
_entry = decoder_for(ArchivedEntry)
_sheet = decoder_for(ArchivedSheet)
_log_entry = decoder_for(ArchivedLogEntry)
_letter = decoder_for(ArchivedLetter)


def write_bundle(file: IO[bytes], bundle: Bundle) -> None:
    """Write the bundle as a zip file."""
    parts = {
        START: bundle.start,
        TABLES: encode(bundle.tables),
        ENTRIES: _as_lines(bundle.entries),
        SHEETS: _as_lines(bundle.sheets),
        UMPIRE_LOG: _as_lines(bundle.umpire_log),
        LETTERS: _as_lines(bundle.letters),
    }
    bundle.manifest.sha256 = {name: digest(data) for name, data in parts.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, msgspec.json.format(encode(bundle.manifest), indent=1))
        for name, data in parts.items():
            archive.writestr(name, data)


def _as_lines(parts: Iterable[_Part]) -> bytes:
    return b"".join(encode(part) + b"\n" for part in parts)


def read_bundle(file: IO[bytes], *, own: bool = False) -> Bundle:
    """Read a bundle. Raises UnfitRequest for a part that is missing, damaged or too large.

    A file of our `own`, which nobody has had in their hands, may be of any size.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            parts = _Parts(archive, own)
            bundle = Bundle(
                parts.manifest,
                parts.checked(START),
                _parse_part(_tables.decode, parts.checked(TABLES), TABLES),
                parts.lines(ENTRIES, _entry),
                parts.lines(SHEETS, _sheet),
                parts.lines(UMPIRE_LOG, _log_entry),
                parts.lines(LETTERS, _letter),
            )
    except _BROKEN as error:
        raise UnfitRequest(f"This is no campaign file, or it is not whole: {error}.") from error
    if sum(len(sheet.receipts) for sheet in bundle.sheets) > MOST_RECEIPTS and not own:
        raise UnfitRequest(f"{SHEETS} in the file has more than {MOST_RECEIPTS:,} receipts.")
    return bundle


class _Parts:
    """The parts of an open file; the limits hold for all files but our `own`."""

    def __init__(self, archive: zipfile.ZipFile, own: bool) -> None:
        self.archive = archive
        self.own = own
        data = self._unpack(MANIFEST)
        _check_format(_parse_part(_format.decode, data, MANIFEST).format)
        self.manifest: Manifest = _parse_part(_manifest.decode, data, MANIFEST)

    def _unpack(self, name: str) -> bytes:
        """Return the bytes of a part, never more than its limit, as a defence against zip bombs."""
        most = LARGEST_PARTS[name]
        try:
            with self.archive.open(name) as part:
                data = part.read(-1 if self.own else most + 1)
        except KeyError as error:
            raise UnfitRequest(f"This is no campaign file: {name} is missing in it.") from error
        except _BROKEN as error:
            raise UnfitRequest(f"{name} in the file is damaged: {error}.") from error
        if len(data) > most and not self.own:
            raise UnfitRequest(
                f"{name} in the file is larger than any campaign’s: it is not unpacked."
            )
        return data

    def checked(self, name: str) -> bytes:
        """Return the bytes of a part whose hash is the one in the manifest."""
        data = self._unpack(name)
        if self.manifest.sha256.get(name) != digest(data):
            raise UnfitRequest(
                f"{name} in the file has been altered since the export: its hash does not match."
            )
        return data

    def lines(self, name: str, decoder: Reader[T]) -> list[T]:
        """Parse a part of one document a line, up to the first wrong one."""
        data = self.checked(name)
        if data.count(b"\n") > MOST_LINES[name] and not self.own:
            raise UnfitRequest(f"{name} in the file has more than {MOST_LINES[name]:,} lines.")
        return [
            _parse_part(decoder.decode, line, f"{name}, line {place}")
            for place, line in enumerate(BytesIO(data), start=1)
        ]


def _parse_part(decode: Callable[[bytes], T], data: bytes, name: str) -> T:
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnfitRequest(f"{name} in the file cannot be read: {error}.") from error


def _check_format(file_format: int) -> None:
    if file_format != FORMAT:
        label = file_format if 0 <= file_format < 1_000_000 else "another kind"
        raise UnfitRequest(
            f"The file is of format {label}, this program reads {FORMAT}: "
            "bring it in with a program of its own time."
        )
