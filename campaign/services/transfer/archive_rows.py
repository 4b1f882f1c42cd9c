"""Convert a campaign's rows outside the journal to parts of the file, and back.

These are its settings, the seats of its sides, order sheets with their receipts, the umpire log,
letters and an action that waits for dice. Users are left out: seats are vacant, under their names.
Each side's knowledge in the fog is left out too, because the journal gives it again.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
from django.db.models import Model
from msgspec.structs import asdict

from battles import journal
from battles.core.decoding import DocumentError, decode, decoder_for, encode
from battles.core.dice import DiceWanted, HandDice
from battles.core.game import IllegalAction, Outcome
from battles.journal import unpack
from campaign import rules, serialization
from campaign.models import (
    Campaign,
    CampaignLetter,
    LetterCopy,
    OrderSheet,
    Receipt,
    Seat,
    Throw,
    UmpireLogEntry,
)
from campaign.orders.order_sheet import sheet_from
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.map import map_in_play
from campaign.services.errors import Damaged, UnfitRequest
from campaign.services.journal import campaign_session, dice
from campaign.services.journal.audit import CANNOT_HAPPEN, entries_of, first_state
from campaign.services.order_sheets import StoredProgress
from campaign.services.order_submission import sheet_hash
from campaign.services.transfer import bundle as b
from campaign.services.turns.timetable import PolicyError, policy_in

P = TypeVar("P")
ROWS = 500


def copy_fields(row: object, kind: type[P], **overrides: object) -> P:
    """Return a part of the file with the row's values, or the overrides, in its fields."""
    names = [name for name in kind.__struct_fields__ if name not in overrides]  # type: ignore[attr-defined]
    return kind(**{name: getattr(row, name) for name in names}, **overrides)


def seats_of(campaign: Campaign) -> list[Seat]:
    """Return the seats of the sides, in the order in which the file numbers them."""
    return list(campaign.seats.filter(role__in=Seat.SIDES).order_by("pk"))


def sheet_parts(
    campaign: Campaign, seats: Sequence[Seat], *, with_sealed: bool
) -> list[b.ArchivedSheet]:
    """Return the sheets of months whose dice are published; `with_sealed`, of all months.

    A rewind publishes the dice of the month that it abandons, and copies its sheets: those of the
    month in play, or a later one, are still secret on every branch until the campaign is over.
    """
    published = campaign.seals.exclude(link=None)
    if not campaign.finished:
        published = published.filter(month__lt=campaign.month)
    closed = set(published.values_list("branch", "month"))
    places = {seat.pk: place for place, seat in enumerate(seats)}
    sheets = campaign.sheets.order_by("pk").prefetch_related("receipts")
    return [
        _sheet_part(sheet, places[sheet.seat_id])
        for sheet in sheets
        if with_sealed or (sheet.branch, sheet.month) in closed
    ]


def _sheet_part(sheet: OrderSheet, place: int) -> b.ArchivedSheet:
    receipts = sorted(sheet.receipts.all(), key=lambda receipt: receipt.pk)
    return copy_fields(
        sheet,
        b.ArchivedSheet,
        seat=place,
        document=msgspec.Raw(unpack(sheet.document) or b.NOTHING),
        progress=_progress_at(sheet, place),
        receipts=[copy_fields(receipt, b.ReceiptPart) for receipt in receipts],
    )


def _progress_at(sheet: OrderSheet, place: int) -> StoredProgress | None:
    """Return the progress of the sheet, with its seat replaced by its place in the file."""
    if not sheet.progress:
        return None
    kept = decode(unpack(sheet.progress), StoredProgress)
    if kept.marching is not None:
        kept.marching.seat = place
    return kept


def letter_parts(campaign: Campaign, seats: Sequence[Seat]) -> list[b.ArchivedLetter]:
    """Return the letters with their copies, the oldest first; umpires are not told apart."""
    places = {seat.pk: place for place, seat in enumerate(seats)}
    return [
        copy_fields(
            letter,
            b.ArchivedLetter,
            sender=places.get(letter.sender_id),
            copies=[
                copy_fields(copy, b.ArchivedCopy, seat=places.get(copy.seat_id))
                for copy in letter.copies.all()
            ],
        )
        for letter in campaign.letters.order_by("pk").prefetch_related("copies")
    ]


def throw_part(campaign: Campaign) -> b.ThrowPart | None:
    """Return the action that waits for dice thrown by hand, if there is one."""
    throw = dice.waiting_throw(campaign)
    if throw is None:
        return None
    return copy_fields(throw, b.ThrowPart, action=msgspec.Raw(unpack(throw.action)))


def check_settings(settings: b.SettingsPart) -> None:
    """Raise UnfitRequest for an invalid deadline policy."""
    try:
        policy_in(settings.deadline_policy)
    except PolicyError as error:
        raise UnfitRequest(str(error)) from error


def restore_rows(campaign: Campaign, bundle: b.Bundle) -> None:
    """Store seats, sheets, umpire log and letters. Raises Damaged for the first invalid one."""
    seats = [Seat(campaign=campaign, **asdict(part)) for part in bundle.manifest.seats]
    Seat.objects.bulk_create(seats)
    _keep_sheets(campaign, bundle.sheets, seats)
    entries = [UmpireLogEntry(campaign=campaign, **asdict(part)) for part in bundle.umpire_log]
    UmpireLogEntry.objects.bulk_create(entries, batch_size=ROWS)
    _restore_times(entries, "created", [part.created for part in bundle.umpire_log])
    _keep_letters(campaign, bundle.letters, seats)


def _keep_letters(
    campaign: Campaign, parts: Sequence[b.ArchivedLetter], seats: Sequence[Seat]
) -> None:
    branches = {part.number for part in campaign.branches.all()}

    @cache
    def umpires_seat() -> Seat:
        """Return the seat of the umpires' letters: a vacant one in a campaign without an umpire."""
        found = campaign.seats.filter(role=Seat.Role.UMPIRE).order_by("pk").first()
        return found or Seat.objects.create(campaign=campaign, role=Seat.Role.UMPIRE)

    def seat_at(place: int | None, line: int) -> Seat:
        if place is not None and place >= len(seats):
            raise Damaged(f"{b.LETTERS}, line {line} in the file names a seat that is not in it.")
        return umpires_seat() if place is None else seats[place]

    letters = []
    for line, part in enumerate(parts, start=1):
        if part.branch not in branches or not map_in_play().hexes.keys() >= set(part.hexes):
            raise Damaged(f"{b.LETTERS}, line {line} in the file names no branch or hex of ours.")
        fields = asdict(part) | {"sender": seat_at(part.sender, line)}
        del fields["copies"]
        letters.append(CampaignLetter(campaign=campaign, **fields))
    CampaignLetter.objects.bulk_create(letters, batch_size=ROWS)
    _restore_times(letters, "created", [part.created for part in parts])
    copies = {
        (letter.pk, seat.pk): LetterCopy(letter=letter, **asdict(copy) | {"seat": seat})
        for line, (letter, part) in enumerate(zip(letters, parts, strict=True), start=1)
        for copy in part.copies
        for seat in [seat_at(copy.seat, line)]
    }
    LetterCopy.objects.bulk_create(copies.values(), batch_size=ROWS)


R = TypeVar("R", bound=Model)


def _restore_times(rows: Sequence[R], name: str, moments: Sequence[datetime]) -> None:
    """Restore the times of rows, which the database has set to now."""
    for row, moment in zip(rows, moments, strict=True):
        setattr(row, name, moment)
    if rows:
        type(rows[0])._default_manager.bulk_update(rows, [name], batch_size=ROWS)


def _keep_sheets(
    campaign: Campaign, parts: Sequence[b.ArchivedSheet], seats: Sequence[Seat]
) -> None:
    sealed = set(campaign.seals.values_list("branch", "month"))
    sheets = [
        _sheet(campaign, part, _seat_of(part, seats, sealed), f"{b.SHEETS}, line {line}")
        for line, part in enumerate(parts, start=1)
    ]
    OrderSheet.objects.bulk_create(sheets, batch_size=ROWS)
    _restore_times(sheets, "updated", [part.updated for part in parts])
    rows = [
        (Receipt(sheet=sheet, **_receipt_fields(receipt)), receipt.created)
        for sheet, part in zip(sheets, parts, strict=True)
        for receipt in part.receipts
    ]
    rows.sort(key=itemgetter(1))
    receipts = [receipt for receipt, _ in rows]
    Receipt.objects.bulk_create(receipts, batch_size=ROWS)
    _restore_times(receipts, "created", [created for _, created in rows])


def _receipt_fields(part: b.ReceiptPart) -> dict[str, object]:
    return asdict(part) | {"carried": msgspec.to_builtins(part.carried)}


def _seat_of(
    part: b.ArchivedSheet, seats: Sequence[Seat], sealed: Collection[tuple[int, int]]
) -> Seat:
    """Return the sheet's seat.

    Raises Damaged unless its branch came to its month or the one before.
    """
    if part.seat >= len(seats):
        raise Damaged(f"A sheet in the file is of seat {part.seat}, which is not in it.")
    if not {(part.branch, part.month), (part.branch, part.month - 1)} & set(sealed):
        raise Damaged(
            f"A sheet in the file is of {month_name(Month(part.month))}, to which branch "
            f"{part.branch} never came."
        )
    return seats[part.seat]


def _sheet(campaign: Campaign, part: b.ArchivedSheet, seat: Seat, where: str) -> OrderSheet:
    fields = asdict(part)
    del fields["receipts"]
    fields |= {
        "seat": seat,
        "document": _document(part, where),
        "progress": _progress(part, seat, where),
    }
    sheet = OrderSheet(campaign=campaign, **fields)
    _check_receipts(sheet, part.receipts, where)
    return sheet


def _document(part: b.ArchivedSheet, where: str) -> bytes:
    """Return the sheet byte for byte as it was written, because its receipts hash it."""
    data = bytes(part.document)
    if data == b.NOTHING:
        return b""
    try:
        sheet_from(decoder_for(Any).decode(data))
    except (msgspec.DecodeError, DocumentError, RecursionError) as error:
        raise Damaged(f"{where} in the file: {error}") from error
    return journal.pack(data)


def _progress(part: b.ArchivedSheet, seat: Seat, where: str) -> bytes:
    kept = part.progress
    if kept is None:
        return b""
    if kept.marching is not None:
        if min(kept.marching.order, kept.marching.leg) < 0:
            raise Damaged(f"{where} in the file marches by an order that is not in it.")
        kept.marching.seat = seat.pk
    return journal.pack(encode(kept))


def _check_receipts(sheet: OrderSheet, receipts: Iterable[b.ReceiptPart], where: str) -> None:
    """Raise Damaged when the receipts of the sheet's revision have another hash."""
    last = {part.hash for part in receipts if part.revision == sheet.revision}
    if last and last != {sheet_hash(sheet)}:
        raise Damaged(f"{where} in the file is not the sheet that its receipts seal.")


def restore_throw(campaign: Campaign, part: b.ThrowPart) -> Throw:
    """Let the action wait for its dice again. Raises Damaged when it wants none."""
    action = serialization.action_in(bytes(part.action))
    faces = tuple(part.faces)
    missing_dice = _missing_dice(campaign, action, faces)
    return dice.ask_for_dice(
        campaign, dice.PendingThrow(part.actor, action, part.key, faces, missing_dice)
    )


def _missing_dice(campaign: Campaign, action: AnyAction, faces: tuple[int, ...]) -> DiceWanted:
    """Return the dice that the action wants beyond those faces."""
    state, dice = (
        serialization.state_of(campaign.document, campaign.document_hash),
        _Counted(*faces),
    )
    try:
        rules.apply(state, action, dice)
    except DiceWanted as missing_dice:
        if dice.fallen == len(faces):
            return missing_dice
    except (IllegalAction, *CANNOT_HAPPEN) as error:
        raise Damaged(f"The action in the file that waits for dice cannot be: {error}") from error
    raise Damaged("The action in the file that waits for dice wants others than there are.")


class _Counted(HandDice):
    """Dice typed in, with a count of those used in whole throws."""

    fallen = 0

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        thrown = super().throw(count, sides)
        self.fallen += count
        return thrown


def recall_knowledge(campaign: Campaign) -> None:
    """Store each side's knowledge on every branch, learnt from the journal once more."""
    if not campaign.fog:
        return
    first = campaign.snapshots.get(entry=None)
    branches = campaign.branches.select_related("parent").order_by("number")
    try:
        campaign_session.begin_knowledge(
            _on_branch(campaign, 0), serialization.state_of(first.document)
        )
        for branch in branches:
            before = journal.pack(encode(first_state(campaign, branch)))
            entries = list(entries_of(campaign, branch))
            played = [Outcome(serialization.events_of(entry), ()) for entry in entries]
            campaign_session.keep_knowledge(
                _on_branch(campaign, branch.number), before, entries, played
            )
    except CANNOT_HAPPEN as error:
        raise Damaged("The events in the file cannot have been seen by anybody.") from error


def _on_branch(campaign: Campaign, branch: int) -> Campaign:
    """Return a copy of the campaign whose branch is that one; never save it."""
    copy = Campaign.objects.get(pk=campaign.pk)
    copy.branch = branch
    return copy
