"""Tables as text, as they are printed: a title for every column, a text for every cell."""

from collections.abc import Mapping
from typing import Any

import msgspec

from battles.core.tables import Row, Table, run_of

_NOT_SHOWN = frozenset({"effects", "provenance", "clause", "low", "high"})
TITLES = {"low": "roll", "from": "first"}
"""Titles of columns that are not those of their fields."""


class TablePage(msgspec.Struct, frozen=True):
    """One table as printed: every row has a text for every column."""

    id: str
    title: str
    clause: str
    provenance: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_page(table: Table[Any], column_titles: Mapping[str, str] = TITLES) -> TablePage:
    """Return the table as text.

    A last column names the source of rows that differ from the table's.
    """
    fields = _fields_in_use(table)
    ranged = "low" in table.rows[0].__struct_fields__
    sourced = any(row.provenance or row.clause for row in table.rows)
    titles = (column_titles.get(field, field.replace("_", " ")) for field in fields)
    return TablePage(
        table.id,
        table.title,
        table.clause,
        str(table.provenance),
        table.note,
        (*(["roll"] if ranged else []), *titles, *(["source"] if sourced else [])),
        tuple(
            (
                *([_roll(row)] if ranged else []),
                *(_text(getattr(row, field)) for field in fields),
                *([_source(row)] if sourced else []),
            )
            for row in table.rows
        ),
    )


def _fields_in_use(table: Table[Any]) -> list[str]:
    """Return the fields that are filled in at least one row."""
    fields = [name for name in table.rows[0].__struct_fields__ if name not in _NOT_SHOWN]
    return [name for name in fields if any(_text(getattr(row, name)) for row in table.rows)]


def _roll(row: Any) -> str:
    if row.low is None:
        return f"{row.high} or less"
    if row.high is None:
        return f"{row.low} or more"
    return run_of(row.low, row.high)


def _source(row: Row) -> str:
    return ", ".join(str(part) for part in (row.provenance, row.clause) if part)


def _text(value: object) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('-', ' ')} {count}" for key, count in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
