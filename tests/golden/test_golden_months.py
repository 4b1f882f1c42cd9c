"""Whole months as they were once recorded, byte for byte."""

from pathlib import Path

import pytest

from campaign.rules.core import events as e
from campaign.rules.core.pieces import month_from_text
from tests.golden.month import AGAIN, events_of, folders, read, record, replayed, write

MONTHS = folders()


def test_there_are_months() -> None:
    assert [folder.name for folder in MONTHS] == ["1884-02", "1884-09"]


@pytest.mark.parametrize("folder", MONTHS, ids=lambda folder: folder.name)
def test_the_month_goes_as_it_was_recorded(folder: Path) -> None:
    month = read(folder)
    again = replayed(month)
    for number, (old, new) in enumerate(zip(month.entries, again.entries, strict=True), 1):
        where = f"action {number} of {folder.name}, {type(old.action).__name__}; {AGAIN}"
        assert bytes(new.rolls) == bytes(old.rolls), where
        assert bytes(new.events) == bytes(old.events), where
    assert again.after == month.after, f"the state after {folder.name}; {AGAIN}"


@pytest.mark.parametrize("folder", MONTHS, ids=lambda folder: folder.name)
def test_the_month_is_whole_and_lively(folder: Path) -> None:
    happened = {type(event) for entry in read(folder).entries for event in events_of(entry)}
    assert {e.MonthBegan, e.EventRolled, e.CombatBegan, e.Thirsted, e.MarchRolled} <= happened
    if folder.name == "1884-09":
        assert {e.Sailed, e.WentByRail, e.Wrecked, e.Supplied} <= happened


def test_a_month_written_and_read_is_the_same(tmp_path: Path) -> None:
    month = read(MONTHS[0])
    write(tmp_path / MONTHS[0].name, month)
    for name in ("before.json", "entries.jsonl", "after.json"):
        written = (tmp_path / MONTHS[0].name / name).read_bytes()
        assert written == (MONTHS[0] / name).read_bytes()


def test_recording_needs_no_recorded_month() -> None:
    start = read(MONTHS[0])
    fresh = record(month_from_text(MONTHS[0].name))
    assert fresh.before == start.before
    assert replayed(fresh).after == fresh.after
