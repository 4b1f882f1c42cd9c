"""The tables as text, for a page that shows them with what they come from."""

from collections.abc import Iterable
from typing import Any

import msgspec

from battles.core.tables import Row, Table

_NOT_SHOWN = frozenset({"effects", "provenance", "clause", "low", "high"})
_TITLES = {"unit": "piece", "low": "roll", "from": "first"}


class TablePage(msgspec.Struct, frozen=True):
    """One table as it is printed: every row has a text for every column."""

    id: str
    title: str
    clause: str
    provenance: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_page(table: Table[Any]) -> TablePage:
    """The table as text; a last column names the source of rows that differ from the table."""
    fields = _shown(table)
    ranged = "low" in table.rows[0].__struct_fields__
    sourced = any(row.provenance or row.clause for row in table.rows)
    return TablePage(
        table.id,
        table.title,
        table.clause,
        str(table.provenance),
        table.note,
        (*(["roll"] if ranged else []), *map(_title, fields), *(["source"] if sourced else [])),
        tuple(
            (
                *([_roll(row)] if ranged else []),
                *(_text(getattr(row, field)) for field in fields),
                *([_source(row)] if sourced else []),
            )
            for row in table.rows
        ),
    )


def _shown(table: Table[Any]) -> list[str]:
    """The fields that say something in at least one row."""
    fields = [name for name in table.rows[0].__struct_fields__ if name not in _NOT_SHOWN]
    return [name for name in fields if any(_text(getattr(row, name)) for row in table.rows)]


def _title(field: str) -> str:
    return _TITLES.get(field, field.replace("_", " "))


def _roll(row: Any) -> str:
    if row.low is None:
        return f"{row.high} or less"
    if row.high is None:
        return f"{row.low} or more"
    return str(row.low) if row.low == row.high else f"{row.low} to {row.high}"


def _source(row: Row) -> str:
    return ", ".join(str(part) for part in (row.provenance, row.clause) if part)


def _text(value: object) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return _joined(f"{key.replace('-', ' ')} {count}" for key, count in value.items())
    if isinstance(value, tuple):
        return _joined(map(str, value))
    return str(value)


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)
