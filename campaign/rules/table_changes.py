"""What an edition changes of the shipped one: tables row by row, scenarios line by line."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import zip_longest
from typing import Any

import msgspec

from battles.core.tables import Row as TableRow
from campaign.rules.book import table_form
from campaign.rules.editions import Edition, shipped

ABOUT = 2
"""Lines round about a changed one of a scenario that are shown with it."""

Document = Mapping[str, Any]


class Cell(msgspec.Struct, frozen=True):
    """One value as the files write it, as shipped and as it is now; empty where there is none."""

    before: str
    after: str


class Row(msgspec.Struct, frozen=True):
    """A row that is not as shipped: `changed`, `new` or `gone`."""

    kind: str
    cells: tuple[Cell, ...]


class Changed(msgspec.Struct, frozen=True):
    """A table or scenario that is not as shipped; of a scenario the lines, marked + or -.

    A line marked @ is the number of the line, as it is now, that the next stretch begins with.
    """

    name: str
    title: str
    heading: tuple[tuple[str, Cell], ...]
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


def changed_names(edition: Edition) -> tuple[str, ...]:
    """The tables (by id) and scenarios (by slug) that say something else than the shipped ones."""
    return tuple(
        name
        for name in edition.texts
        if edition.source(name).document() != shipped().source(name).document()
    )


def changes(edition: Edition) -> tuple[Changed, ...]:
    """Everything in which the edition differs from the shipped one."""
    return tuple(_changed(edition, name) for name in changed_names(edition))


def _changed(edition: Edition, name: str) -> Changed:
    before, after = (one.source(name).document() for one in (shipped(), edition))
    heading = tuple(_heading(before, after))
    title = str(after["title"])
    form = table_form(name)
    if form is None:
        return Changed(name, title, (), lines=tuple(_lines(edition, name)))
    columns = _columns(form, [*before["row"], *after["row"]])
    rows = tuple(_rows(before["row"], after["row"], columns))
    return Changed(name, title, heading, columns, rows)


def _columns(form: type[TableRow], rows: Sequence[Document]) -> tuple[str, ...]:
    """The fields that any of the rows has, in the order of the form, sources last."""
    used = {key for row in rows for key in row}
    last = TableRow.__struct_fields__
    own = [key for key in form.__struct_fields__ if key not in last]
    return tuple(key for key in (*own, *last) if key in used)


def _heading(before: Document, after: Document) -> Iterator[tuple[str, Cell]]:
    for key in dict.fromkeys((*before, *after)):
        if key != "row" and before.get(key) != after.get(key):
            yield key, Cell(_said(before.get(key)), _said(after.get(key)))


def _rows(
    before: Sequence[Document], after: Sequence[Document], columns: Sequence[str]
) -> Iterator[Row]:
    old, new = ([_texts(row, columns) for row in rows] for rows in (before, after))
    empty = ("",) * len(columns)
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for was, now in zip_longest(old[a:b], new[c:d]):
            cells = tuple(map(Cell, was or empty, now or empty))
            yield Row("changed" if was and now else "new" if now else "gone", cells)


def _texts(row: Document, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(_said(row.get(key)) for key in columns)


def _said(value: object) -> str:
    """The value as a TOML file would write it, text without its quotes; nothing for None."""
    return "" if value is None else value if isinstance(value, str) else _written(value)


def _written(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_written(each)}' for key, each in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return msgspec.json.encode(value).decode()


def _lines(edition: Edition, name: str) -> Iterator[tuple[str, str]]:
    before, after = (one.text(name).splitlines() for one in (shipped(), edition))
    for line in unified_diff(before, after, lineterm="", n=ABOUT):
        if not line.startswith(("---", "+++")):
            mark = line[0]
            yield mark, _first_line(line) if mark == "@" else line[1:]


def _first_line(header: str) -> str:
    """`18` for `@@ -18,5 +18,5 @@`: the line, as it is now, with which a stretch begins."""
    return header.partition("+")[2].partition(",")[0].split()[0]
