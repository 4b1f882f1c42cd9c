"""Write, submit and take back order sheets, each time with a receipt."""

import secrets
from functools import partial
from hashlib import sha256
from typing import TypedDict, Unpack

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles import journal
from battles.core.decoding import encode
from campaign.access.selectors import orders_have_begun
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.order_sheet import EMPTY
from campaign.orders.sheet_prose import describe_sheet
from campaign.rules.core.pieces import Month, month_name
from campaign.services.attendance import everybody_ready, takes_sheets
from campaign.services.errors import CampaignOver, NotAllowed, Stale, UnderWay, UnfitRequest
from campaign.services.order_sheets import (
    document_of,
    known_state,
    month_of,
    parse_sheet,
    seat_for,
    sheet_of,
)
from campaign.signals import all_ready

SALT = 16
MOST_SALT = 32
"""The least and the most bytes of a salt; the server draws the least."""


class SheetAddress(TypedDict, total=False):
    """The month of a sheet (by default the current one), and the revision the caller has read."""

    month: int | None
    expected_revision: int | None


@transaction.atomic
def save_sheet(
    campaign_id: int,
    user: User,
    seat_id: int,
    document: object,
    *,
    salt: str = "",
    **at: Unpack[SheetAddress],
) -> Receipt:
    """Save the draft and return its receipt, whose `revision` the next writing must name.

    `salt`, in hexadecimal, is mixed into the month's dice; without one the server draws it. Raises
    NotAllowed, Stale (the sheet was written since `expected_revision`; 0 is a sheet not written
    yet), UnfitRequest (an invalid sheet, salt or month, or a submitted sheet), UnderWay (the month
    is being carried out) and CampaignOver. Then nothing has changed.
    """
    written, chosen = parse_sheet(document), _salt_in(salt)
    sheet = _open_sheet(campaign_id, user, seat_id, at)
    if sheet.submitted is not None:
        raise UnfitRequest("This sheet has been submitted. Withdraw it, then change it.")
    sheet.document = journal.pack(encode(written))
    if chosen:
        sheet.salt, sheet.salt_chosen = chosen, True
    return _write_receipt(sheet, user, Receipt.Kind.SAVED)


def _salt_in(salt: str) -> str:
    """Return the salt as it is stored. Raises UnfitRequest for an invalid one."""
    if not salt:
        return ""
    try:
        salt_bytes = bytes.fromhex(salt)
    except ValueError as error:
        message = "A salt is written in hexadecimal digits: 0 to 9 and a to f."
        raise UnfitRequest(message, "salt") from error
    if not SALT <= len(salt_bytes) <= MOST_SALT:
        message = f"A salt has {SALT * 2} to {MOST_SALT * 2} hexadecimal digits."
        raise UnfitRequest(message, "salt")
    return salt_bytes.hex()


@transaction.atomic
def submit(campaign_id: int, user: User, seat_id: int, **at: Unpack[SheetAddress]) -> Receipt:
    """Submit the sheet as it stands, even if it is empty. Raises as `save_sheet`."""
    return _submit_sheet(_open_sheet(campaign_id, user, seat_id, at), user)


def _submit_sheet(sheet: OrderSheet, user: User) -> Receipt:
    if sheet.submitted is not None:
        latest = sheet.receipts.filter(kind=Receipt.Kind.SUBMITTED).first()
        return latest or _receipt(sheet, Receipt.Kind.SUBMITTED)
    sheet.submitted = timezone.now()
    return _write_receipt(sheet, user, Receipt.Kind.SUBMITTED)


@transaction.atomic
def take_back(campaign_id: int, user: User, seat_id: int, **at: Unpack[SheetAddress]) -> Receipt:
    """Turn a submitted sheet into a draft again, its seat not ready. Raises as `save_sheet`."""
    sheet = _open_sheet(campaign_id, user, seat_id, at)
    if sheet.submitted is None:
        raise UnfitRequest("This sheet has not been submitted; there is nothing to take back.")
    return _take_back_sheet(sheet, user)


def _take_back_sheet(sheet: OrderSheet, user: User) -> Receipt:
    sheet.submitted, sheet.ready = None, False
    return _write_receipt(sheet, user, Receipt.Kind.TAKEN_BACK)


def set_ready(
    campaign_id: int, user: User, seat_id: int, ready: bool, **at: Unpack[SheetAddress]
) -> OrderSheet:
    """Set or withdraw the seat's readiness for the month to run, and return its sheet.

    Becoming ready submits the sheet. When every seat held by a person is ready, the month runs if
    the campaign is set up so. Withdrawing an unwritten sheet does nothing. Raises as `save_sheet`.
    """
    return change_sheet(campaign_id, user, seat_id, submitted=None, ready=ready, **at)


@transaction.atomic
def change_sheet(
    campaign_id: int,
    user: User,
    seat_id: int,
    *,
    submitted: bool | None,
    ready: bool | None,
    **at: Unpack[SheetAddress],
) -> OrderSheet:
    """Submit or withdraw the sheet, and set its readiness; None leaves either as it is.

    A ready sheet is submitted too. Raises as `save_sheet`.
    """
    sheet = _open_sheet(campaign_id, user, seat_id, at)
    if submitted is False and sheet.submitted is not None:
        _take_back_sheet(sheet, user)
    elif submitted or ready:
        _submit_sheet(sheet, user)
    if ready is not None:
        _set_ready(sheet, ready=ready)
    return sheet


def _set_ready(sheet: OrderSheet, *, ready: bool) -> None:
    """Store the readiness; if every seat is ready now, the month runs."""
    if sheet._state.adding:
        return
    sheet.ready = ready
    sheet.save(update_fields=["ready", "updated"])
    if sheet.month == sheet.campaign.month:
        run_if_ready(sheet.campaign)


def run_if_ready(campaign: Campaign) -> None:
    """Let the month run once the transaction is committed, if every seat is ready for it.

    Call it after a change that may leave no orders to wait for. A month that has begun goes on in
    its own way.
    """
    if campaign.when_ready and not orders_have_begun(campaign) and everybody_ready(campaign):
        send = partial(all_ready.send, Campaign, campaign_id=campaign.pk, month=campaign.month)
        transaction.on_commit(send)


def _open_sheet(campaign_id: int, user: User, seat_id: int, at: SheetAddress) -> OrderSheet:
    """Return the seat's sheet of the month for writing; a new one where there is none yet."""
    campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
    seat = seat_for(campaign, user, seat_id)
    if seat.staff:
        raise NotAllowed("The computer’s staff holds this seat; the umpire can hand it back.")
    if campaign.finished:
        raise CampaignOver(f"The campaign is over: {campaign.outcome}")
    when, expected = month_of(campaign, at.get("month")), at.get("expected_revision")
    check_not_begun(campaign, when)
    sheet = sheet_of(campaign, seat, when) or OrderSheet(
        campaign=campaign, seat=seat, branch=campaign.branch, month=when
    )
    if expected is not None and expected != sheet.revision:
        raise Stale(
            "This sheet has been written in another window since you opened it (revision "
            f"{sheet.revision}, not {expected}); nothing was overwritten. Load it again."
        )
    if not takes_sheets(campaign):
        raise UnfitRequest("This campaign is not played by order sheets: nobody writes orders.")
    sheet.campaign = campaign
    return sheet


def check_not_begun(campaign: Campaign, month: int) -> None:
    """Raise UnderWay when the orders of that month are being carried out."""
    if orders_have_begun(campaign, month):
        raise UnderWay(
            f"The orders for {month_name(Month(month))} are being carried out and can "
            "no longer be changed. Write for the month after it."
        )


def _write_receipt(sheet: OrderSheet, user: User, kind: Receipt.Kind) -> Receipt:
    """Save the sheet as a new revision, and return the receipt for it."""
    if not sheet.document:
        sheet.document = journal.pack(encode(EMPTY))
    if not sheet.salt:
        sheet.salt = secrets.token_hex(SALT)
    sheet.revision += 1
    sheet.by = user
    sheet.save()
    return _receipt(sheet, kind)


def _receipt(sheet: OrderSheet, kind: Receipt.Kind) -> Receipt:
    state = known_state(sheet.campaign, sheet.seat)
    return Receipt.objects.create(
        sheet=sheet,
        kind=kind,
        revision=sheet.revision,
        hash=sheet_hash(sheet),
        reading=list(describe_sheet(state, document_of(sheet)).sentences),
    )


def sheet_hash(sheet: OrderSheet) -> str:
    """Return the SHA-256 of the sheet as JSON, a line feed and the salt, to prove the orders."""
    return sha256(journal.unpack(sheet.document) + b"\n" + sheet.salt.encode()).hexdigest()


def withdraw_sheets(seat: Seat) -> int:
    """Withdraw all sheets of the seat when its holder leaves it; return how many there were.

    The next holder writes new sheets.
    """
    return seat.sheets.filter(withdrawn=False).update(withdrawn=True, ready=False)


@transaction.atomic
def copy_sheets(campaign: Campaign) -> int:
    """Copy sheets as drafts to the present branch, which a rewind has begun; return how many.

    For the current month and the next, each seat gets the sheet that it wrote last, on whatever
    branch: the one that was left may have begun after the month. Nobody writes sheets once the
    campaign is over: a rewind to its end has no month to copy them for.
    """
    if campaign.finished:
        return 0
    months = (campaign.month, campaign.month + 1)
    sheets = campaign.sheets.filter(month__in=months, withdrawn=False).order_by("branch")
    last = {(sheet.seat_id, sheet.month): sheet for sheet in sheets}
    new = [_copy_sheet(sheet, campaign) for sheet in last.values()]
    OrderSheet.objects.bulk_create(new)
    return len(new)


def _copy_sheet(sheet: OrderSheet, campaign: Campaign) -> OrderSheet:
    return OrderSheet(
        campaign=campaign,
        seat_id=sheet.seat_id,
        branch=campaign.branch,
        month=sheet.month,
        revision=1,
        document=sheet.document,
        salt=secrets.token_hex(SALT),
        by_id=sheet.by_id,
    )
