"""Writing, submitting and taking back: revisions, receipts, salts, and who may."""

from hashlib import sha256
from typing import Any

import pytest

from battles import journal
from battles.contract.brief import Side
from battles.journal import unpack
from campaign import tasks
from campaign.access import selectors
from campaign.models import Campaign, Job, MonthSeal, OrderSheet, Receipt, Seat
from campaign.rules.core.board import board
from campaign.services import errors, order_sheets, order_submission
from campaign.services.journal import audit
from campaign.services.turns import advance, advance_jobs
from tests.campaign.orders.conftest import orders_campaign
from tests.people import People

SALT = "0123456789abcdef" * 2


def stay(campaign: Campaign, side: Side) -> dict[str, object]:
    """Return a sheet that tells every stack of the side to stay."""
    hexes = board(selectors.state_now(campaign)).hexes(side)
    return {"orders": [{"type": "stay", "hex": hex_id} for hex_id in hexes]}


def test_a_saved_sheet_has_a_receipt_with_time_hash_and_reading(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    receipt = order_submission.save_sheet(
        campaign.pk, people.egyptian, egyptian.pk, stay(campaign, Side.EGYPTIAN), salt=SALT
    )
    sheet = receipt.sheet
    document = unpack(sheet.document)
    assert receipt.kind == Receipt.Kind.SAVED
    assert receipt.revision == sheet.revision == 1
    assert receipt.hash == sha256(document + b"\n" + SALT.encode()).hexdigest()
    assert any("Khartoum" in sentence for sentence in receipt.reading)
    assert receipt.created is not None


def test_two_windows_do_not_overwrite_each_other_unseen(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    at = campaign.pk, people.egyptian, egyptian.pk
    order_submission.save_sheet(*at, {}, expected_revision=0)
    order_submission.save_sheet(*at, stay(campaign, Side.EGYPTIAN), expected_revision=1)
    with pytest.raises(journal.Stale, match="another window"):
        order_submission.save_sheet(*at, {}, expected_revision=1)
    kept = order_sheets.document_of(order_sheets.sheet_for(campaign, people.egyptian, egyptian.pk))
    assert kept.orders


def test_an_empty_sheet_that_was_submitted_is_a_sheet(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    receipt = order_submission.submit(campaign.pk, people.egyptian, egyptian.pk)
    assert receipt.kind == Receipt.Kind.SUBMITTED
    now = {one.seat.role: one for one in order_sheets.standing_of(campaign, people.umpire)}
    assert now["egyptian"].submitted
    assert not now["egyptian"].ready
    assert now["egyptian"].orders == 0
    assert not now["mahdist"].submitted


def test_what_is_submitted_is_taken_back_before_it_is_changed(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    at = campaign.pk, people.egyptian, egyptian.pk
    order_submission.submit(*at)
    with pytest.raises(errors.UnfitRequest, match="Withdraw it"):
        order_submission.save_sheet(*at, stay(campaign, Side.EGYPTIAN))
    order_submission.set_ready(*at, True)
    assert order_submission.take_back(*at).kind == Receipt.Kind.TAKEN_BACK
    sheet = OrderSheet.objects.get(seat=egyptian)
    assert (sheet.submitted, sheet.ready) == (None, False)
    order_submission.save_sheet(*at, stay(campaign, Side.EGYPTIAN))


def test_submitting_twice_is_one_receipt(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    at = campaign.pk, people.egyptian, egyptian.pk
    assert order_submission.submit(*at) == order_submission.submit(*at)
    assert Receipt.objects.count() == 1


def test_whoever_is_ready_has_submitted(campaign: Campaign, people: People, egyptian: Seat) -> None:
    sheet = order_submission.set_ready(campaign.pk, people.egyptian, egyptian.pk, True)
    assert sheet.ready
    assert sheet.submitted is not None
    sheet = order_submission.set_ready(campaign.pk, people.egyptian, egyptian.pk, False)
    assert not sheet.ready
    assert sheet.submitted is not None


@pytest.mark.parametrize("who", ["umpire", "mahdist", "spectator", "stranger"])
def test_nobody_else_writes_or_reads_the_sheet_of_a_seat(
    campaign: Campaign, people: People, egyptian: Seat, who: str
) -> None:
    user = getattr(people, who)
    order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, {})
    for forbidden in (
        lambda: order_submission.save_sheet(campaign.pk, user, egyptian.pk, {}),
        lambda: order_submission.submit(campaign.pk, user, egyptian.pk),
        lambda: order_sheets.sheet_for(campaign, user, egyptian.pk),
        lambda: order_sheets.receipts(campaign, user, egyptian.pk),
        lambda: order_sheets.check(campaign, user, egyptian.pk, {}),
        lambda: order_sheets.read_back(campaign, user, egyptian.pk, {}),
    ):
        with pytest.raises(errors.NotAllowed):
            forbidden()


@pytest.mark.parametrize(
    "document",
    [
        None,
        7,
        [],
        {"orders": [{"type": "fly"}]},
        {"orders": [{"type": "march", "hex": 10**40, "units": []}]},
        {"orders": [{"type": "march", "hex": 1, "units": ["a"]}]},
        {"standing": {"losses": "none of mine"}},
        {"unheard": 1},
    ],
)
def test_what_is_no_sheet_is_refused_in_words_and_nothing_is_kept(
    campaign: Campaign, people: People, egyptian: Seat, document: object
) -> None:
    with pytest.raises(errors.UnfitRequest, match="This is no order sheet"):
        order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, document)
    assert not OrderSheet.objects.exists()


@pytest.mark.parametrize("salt", ["xyz", "00", "0" * 66, "0" * 33])
def test_a_salt_that_is_none_is_refused(
    campaign: Campaign, people: People, egyptian: Seat, salt: str
) -> None:
    with pytest.raises(errors.UnfitRequest, match="hexadecimal"):
        order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, {}, salt=salt)


def test_a_sheet_can_be_written_a_month_ahead_and_not_two(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    at = campaign.pk, people.egyptian, egyptian.pk
    ahead = order_submission.save_sheet(*at, {}, month=campaign.month + 1)
    assert ahead.sheet.month == campaign.month + 1
    for month in (campaign.month - 1, campaign.month + 2):
        with pytest.raises(errors.UnfitRequest, match="Orders are written for"):
            order_submission.save_sheet(*at, {}, month=month)


def test_the_sheet_of_last_month_can_be_copied(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    document = stay(campaign, Side.EGYPTIAN)
    order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, document)
    later = order_sheets.last_month(campaign, egyptian, campaign.month + 1)
    assert len(later.orders) == len(document["orders"])  # type: ignore[arg-type]
    assert order_sheets.last_month(campaign, egyptian, campaign.month).orders == ()


def test_the_month_runs_when_everybody_is_ready_and_not_when_one_is(
    people: People, django_capture_on_commit_callbacks: Any
) -> None:
    assert tasks.advance.name == advance_jobs.TASK
    campaign = orders_campaign(people, when_ready=True)
    both = {seat.role: seat for seat in campaign.seats.exclude(user=None)}
    with django_capture_on_commit_callbacks(execute=True):
        order_submission.set_ready(campaign.pk, people.egyptian, both["egyptian"].pk, True)
    assert not campaign.jobs.exists()
    with django_capture_on_commit_callbacks(execute=True):
        order_submission.set_ready(campaign.pk, people.mahdist, both["mahdist"].pk, True)
    assert campaign.jobs.get().status == Job.Status.SUCCEEDED
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 1


def test_nobody_writes_any_more_once_the_month_is_carried_out(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    month = campaign.month
    order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, {})
    OrderSheet.objects.update(begun=campaign.created)
    for change in (order_submission.submit, order_submission.take_back):
        with pytest.raises(errors.UnderWay, match="being carried out"):
            change(campaign.pk, people.egyptian, egyptian.pk)
    order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, {}, month=month + 1)


def test_a_seat_that_the_staff_holds_writes_no_orders(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    Seat.objects.filter(pk=egyptian.pk).update(staff=True)
    with pytest.raises(errors.NotAllowed, match="staff holds"):
        order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, {})


def test_the_salts_of_the_sheets_are_in_the_dice_of_the_month(
    campaign: Campaign, people: People, egyptian: Seat
) -> None:
    order_submission.save_sheet(campaign.pk, people.egyptian, egyptian.pk, {}, salt=SALT)
    order_submission.submit(campaign.pk, people.egyptian, egyptian.pk)
    month = campaign.month
    advance.run_month(campaign.pk, until=month + 1)
    seal = MonthSeal.objects.get(campaign=campaign, month=month)
    assert seal.salts["egyptian"] == SALT
    assert seal.commitments["egyptian"] == sha256(bytes.fromhex(SALT)).hexdigest()
    assert seal.salted_by == "egyptian sheet, mahdist server"
    assert audit.verify_dice(campaign).months == 1


def test_another_salt_gives_other_dice(people: People) -> None:
    said = set()
    for salt in (SALT, SALT[::-1]):
        campaign = orders_campaign(people)
        seat = campaign.seats.get(role="egyptian")
        Campaign.objects.filter(pk=campaign.pk).update(
            secret_seed=b"the same seed for them both...."
        )
        order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {}, salt=salt)
        order_submission.submit(campaign.pk, people.egyptian, seat.pk)
        MonthSeal.objects.filter(campaign=campaign).update(
            salts={"egyptian": "00" * 16, "mahdist": "00" * 16}
        )
        advance.run_month(campaign.pk, until=campaign.month + 1)
        said.add(tuple(unpack(entry.rolls) for entry in campaign.entries.order_by("number")))
    assert len(said) == 2
