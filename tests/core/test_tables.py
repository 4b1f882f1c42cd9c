"""A table is read with its provenance, and refused with file, line, reason and remedy."""

from enum import StrEnum
from pathlib import Path

import pytest

from battles.contract.brief_files import read_brief
from battles.core.tables import (
    Provenance,
    Row,
    Source,
    Table,
    TableError,
    check_cover,
    check_keys,
    check_steps,
    digest,
    read_table,
)
from battles.core.validation import line_of
from campaign.rules.tables.scenario_loader import read_scenario

HEADING = """id = "wind"
title = "Wind"
clause = "1.1"
provenance = "ruling"

"""


class Weather(StrEnum):
    FAIR = "fair"
    FOUL = "foul"


class WindRow(Row, frozen=True, kw_only=True):
    low: int | None = None
    high: int | None = None
    weather: Weather = Weather.FAIR


def table(rows: str) -> Table[WindRow]:
    return read_table(Source("wind.toml", HEADING + rows), WindRow)


def refused(rows: str) -> TableError:
    with pytest.raises(TableError) as refusal:
        check_steps(table(rows), lambda row: (row.low, row.high))
    assert str(refusal.value).startswith(f"wind.toml:{refusal.value.line}: ")
    assert refusal.value.remedy
    return refusal.value


GOOD = """[[row]]
high = 1

[[row]]
low = 2
high = 4
weather = "foul"
provenance = "book"

[[row]]
low = 5
"""


def test_a_table_keeps_its_heading_and_the_source_of_a_row() -> None:
    wind = table(GOOD)
    assert (wind.id, wind.title, wind.clause) == ("wind", "Wind", "1.1")
    assert wind.provenance is Provenance.RULING
    assert [row.provenance for row in wind.rows] == [None, Provenance.BOOK, None]


def test_rows_that_run_on_are_accepted() -> None:
    wind = table(GOOD)
    check_steps(wind, lambda row: (row.low, row.high))
    assert len(wind.rows) == 3


@pytest.mark.parametrize(
    ("wrong", "right", "line", "reason"),
    [
        ("low = 5", "low = 6", 15, "nothing covers 5"),
        ("low = 5", "low = 8", 15, "nothing covers 5 to 7"),
        ("low = 5", "low = 4", 15, "4 is covered by this row and by the one before"),
        ("low = 5", "low = 5\nhigh = 6", 15, "rolls above the last row have no result"),
        ("high = 1", "low = 0\nhigh = 1", 6, "rolls below the first row have no result"),
        ("high = 4\n", "", 9, "`high` is missing"),
        ("low = 2\n", "", 9, "`low` is missing"),
        ("low = 2", "low = 7", 9, "the row runs from 7 to 4"),
        ("low = 5", 'low = "five"', 16, "`low` must be a whole number or nothing, not text"),
        ("low = 5", "lo = 5", 15, "`lo` is not known here"),
        ('"foul"', '"fog"', 12, "'fog' is not known as `weather`"),
        ('"book"', '"hearsay"', 13, "'hearsay' is not known as `provenance`"),
        ("low = 5", "low = ", 16, "this is not TOML"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(
    wrong: str, right: str, line: int, reason: str
) -> None:
    refusal = refused(GOOD.replace(wrong, right, 1))
    assert refusal.reason.startswith(reason)
    assert refusal.line == line


def test_a_refusal_names_the_words_that_are_allowed() -> None:
    assert refused(GOOD.replace('"foul"', '"fog"')).remedy == "use one of fair, foul"


def test_a_table_without_heading_or_rows_is_refused() -> None:
    with pytest.raises(TableError, match=r"wind.toml:1: `row` is missing; add it"):
        table("")
    with pytest.raises(TableError, match=r"`title` is missing"):
        read_table(Source("wind.toml", HEADING.replace('title = "Wind"\n', "") + GOOD), WindRow)


def test_an_unfinished_file_is_refused_at_its_last_line() -> None:
    with pytest.raises(TableError, match="this is not TOML") as refusal:
        table('[[row]]\nweather = "fair')
    assert refusal.value.line == 7


@pytest.mark.parametrize(
    "name", ["battles/briefs/tamai.toml", "campaign/rules/scenarios/desert-column/scenario.toml"]
)
def test_a_file_of_a_later_format_is_refused_as_later(name: str) -> None:
    """Not by a field that it has gained, which its author would then take out."""
    text = Path(name).read_text(encoding="utf-8").removeprefix("format = 1\n")
    text = f"to_come = 1\nformat = 2\n{text}"
    for read in (read_brief, read_scenario):
        with pytest.raises(TableError, match=r"of format 2, .* up to 1; bring the") as error:
            read(Source("file.toml", text))
        assert error.value.line == 2


def test_results_covered_twice_or_never_are_refused() -> None:
    wind = table(GOOD)
    with pytest.raises(TableError, match="nothing covers 3"):
        check_cover(wind, [(0, 1, 2)], (1, 2, 3))
    with pytest.raises(TableError, match="2 is covered twice, here and in row 1") as refusal:
        check_cover(wind, [(0, 1, 2), (1, 2, 3)], (1, 2, 3))
    assert refusal.value.line == 9
    with pytest.raises(TableError, match="3 to 4 is no run"):
        check_cover(wind, [(0, 1, 2), (1, 3, 4)], (1, 2, 3))


def test_keys_that_are_missing_or_doubled_are_refused() -> None:
    wind = table(GOOD)
    with pytest.raises(TableError, match="fair has a row already, row 1") as refusal:
        check_keys(wind, lambda row: row.weather)
    assert refusal.value.line == 15
    with pytest.raises(TableError, match="9 has no row; add one"):
        check_keys(wind, lambda row: row.low, (9,))


def test_the_digest_looks_at_what_is_said_not_at_how() -> None:
    told = digest({"wind": table(GOOD).source})
    assert digest({"wind": table("# a remark\n" + GOOD.replace(" = ", "=")).source}) == told
    assert digest({"wind": table(GOOD.replace("low = 5", "low  = 6")).source}) != told
    assert len(told) == 64


NESTED = """title = "x"

[[row]]
low = 1
effects = [
  { kind = "one" },
  { kind = "two" },
]

[row.more]
deep = 1

[[row]]
low = 2
"""


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("$", 1),
        ("$.title", 1),
        ("$.row[0]", 3),
        ("$.row[0].low", 4),
        ("$.row[0].effects[1].kind", 7),
        ("$.row[0].more.deep", 11),
        ("$.row[1].low", 14),
        ("$.row[1].missing", 13),
    ],
)
def test_a_part_of_a_file_is_found_on_its_line(where: str, line: int) -> None:
    assert line_of(NESTED, where) == line


def test_a_name_of_very_many_parts_is_refused_before_it_is_read() -> None:
    text = f'id = "wind"\n{"a." * 1000}b = 1\n'
    with pytest.raises(TableError, match=r"wind.toml:2: this line has more than 200 dots"):
        Source("wind.toml", text).document()
