"""The journal by itself: hashes, lines of branches, packing. It knows no game."""

import pytest
import zstandard
from django.db import transaction
from django.utils import timezone

from battles import journal
from battles.journal import BranchSpan, Damaged, JournalPosition, RecordGone
from campaign.models import Campaign, Entry


def entry(number: int, said: bytes = b"{}") -> Entry:
    return Entry(
        branch=0,
        month=1,
        side="egyptian",
        actor="player:one",
        rules="1",
        action=said,
        events=b"[]",
        rolls=b"[]",
        created=timezone.now(),
    )


def line(*said: bytes) -> list[Entry]:
    at, entries = journal.START, []
    for number, words in enumerate(said, start=1):
        entries.append(journal.follow(at, entry(number, words)))
        at = JournalPosition(entries[-1].number, entries[-1].hash)
    return entries


def test_entries_follow_each_other_by_number_and_hash() -> None:
    first, second = line(b"1", b"2")
    assert (first.number, first.parent) == (1, "")
    assert (second.number, second.parent) == (2, first.hash)


def test_verify_goes_through_a_line_that_fits() -> None:
    entries = line(b"1", b"2", b"3")
    assert list(journal.verify(entries))[-1] == JournalPosition(3, entries[-1].hash)


@pytest.mark.parametrize("part", ["action", "events", "rolls"])
def test_verify_names_the_entry_that_was_changed(part: str) -> None:
    entries = line(b"1", b"2", b"3")
    setattr(entries[1], part, b"[1]")
    with pytest.raises(Damaged, match="Entry 2 of branch 0 has been altered"):
        list(journal.verify(entries))


@pytest.mark.parametrize(("column", "value"), [("actor", "another"), ("month", 2), ("side", "")])
def test_the_hash_covers_who_and_when(column: str, value: object) -> None:
    entries = line(b"1")
    setattr(entries[0], column, value)
    with pytest.raises(Damaged):
        list(journal.verify(entries))


def test_verify_misses_an_entry_that_was_taken_out() -> None:
    entries = line(b"1", b"2", b"3")
    with pytest.raises(Damaged, match="Entry 3 of branch 0 stands where entry 2 should"):
        list(journal.verify([entries[0], entries[2]]))


def test_verify_refuses_an_entry_of_another_line() -> None:
    mine, other = line(b"1", b"2"), line(b"one", b"two")
    with pytest.raises(Damaged, match="does not belong behind"):
        list(journal.verify([mine[0], other[1]]))


def test_a_line_is_made_of_stretches_of_its_branches() -> None:
    parents = {0: None, 1: (0, 40), 2: (1, 55), 3: (0, 10)}
    assert journal.lineage(parents, 2, 60) == [
        BranchSpan(0, 0, 40),
        BranchSpan(1, 40, 55),
        BranchSpan(2, 55, 60),
    ]
    assert journal.lineage(parents, 3, 12) == [BranchSpan(0, 0, 10), BranchSpan(3, 10, 12)]


def test_a_line_that_ends_on_an_older_branch_holds_nothing_of_the_younger() -> None:
    parents = {0: None, 1: (0, 40)}
    assert journal.lineage(parents, 1, 30) == [BranchSpan(0, 0, 30), BranchSpan(1, 30, 30)]


@pytest.mark.parametrize("data", [b"", b"[]", b"x" * 10_000])
def test_what_is_packed_comes_back(data: bytes) -> None:
    assert journal.unpack(journal.pack(data)) == data


def test_only_what_is_worth_it_is_packed() -> None:
    assert journal.pack(b"[]") == b"[]"
    assert len(journal.pack(b"x" * 10_000)) < 100


def test_a_packed_document_that_was_cut_is_damaged() -> None:
    packed = zstandard.compress(b"x" * 10_000)
    with pytest.raises(Damaged, match="cannot be unpacked"):
        journal.unpack(packed[:-3])


@pytest.mark.django_db(transaction=True)
def test_a_record_is_locked_in_a_transaction_only() -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        journal.lock_record(Campaign.objects.all(), 1)
    with transaction.atomic(), pytest.raises(RecordGone):
        journal.lock_record(Campaign.objects.all(), 1)
