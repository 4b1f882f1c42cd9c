"""The shipped tables depart from the recorded ones only where the list of departures says so."""

from pathlib import Path

import pytest

from battles.core.tables import Source
from campaign.rules import scenario_files
from tests.golden import tables
from tests.golden.tables import DEPARTURES, HEADER, departures, recorded_texts, shipped_texts

PURPOSE = "if that is the purpose: python -m tests.golden"


def test_departures_from_the_recorded_tables_are_listed() -> None:
    assert HEADER + departures() == DEPARTURES.read_text(), PURPOSE


def test_every_shipped_table_is_recorded() -> None:
    assert set(shipped_texts()) == set(recorded_texts()), "python -m tests.golden tables"


def test_a_changed_number_is_one_departure(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, row = shipped_texts(), 'key = "river.crossing"\nnumber = '
    name = "tables/numbers.toml"
    before, _, rest = texts[name].partition(row)
    changed = {**texts, name: f"{before}{row}9{rest[1:]}"}
    monkeypatch.setattr(tables, "recorded_texts", lambda: texts)
    monkeypatch.setattr(tables, "shipped_texts", lambda: changed)
    named, removed, added = departures().splitlines()
    assert named == name
    assert (removed[:3], added[:3]) == ("  -", "  +")
    assert '"number":9' in added


def test_a_remark_in_a_table_is_no_departure(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = shipped_texts()
    remarks = {name: f"# so it is\n{text}" for name, text in texts.items()}
    monkeypatch.setattr(tables, "recorded_texts", lambda: texts)
    monkeypatch.setattr(tables, "shipped_texts", lambda: remarks)
    assert departures() == ""


def test_a_file_from_elsewhere_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "march.toml"
    file.write_text("x = 1")
    assert scenario_files.read_source("march.toml", file) == Source("march.toml", "x = 1")
