"""Editions: complete sets of tables and scenarios, by which campaigns are played.

A campaign names its edition by its digest and keeps to it, whatever the program ships later. An
edition other than the shipped one is known to a process once it has been told of it.

What an edition changes of the shipped one: tables row by row, scenarios line by line.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from functools import cache, cached_property
from itertools import zip_longest
from typing import Any

import msgspec

from battles.contract.brief import Side
from battles.core.tables import Row as TableRow
from battles.core.tables import Source, TableError, digest
from campaign.rules.tables.book import Book, book, table_form
from campaign.rules.tables.edition_checks import check
from campaign.rules.tables.rows import EventRow
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import find, read_named, read_scenario, sources


class UnknownEdition(Exception):
    """A campaign is played by tables that are not at hand; the message says what to do."""

    def __init__(self, wanted: str) -> None:
        super().__init__(
            f"The tables this campaign is played by (their digest begins with {wanted[:12]}) are "
            "not kept here. Bring the campaign in again from a file that was exported where it "
            "was played: its tables are in it."
        )


class Edition:
    """All that an umpire may change, complete and checked; it never changes."""

    def __init__(self, tables: Book, scenarios: Mapping[str, Source]) -> None:
        self.book = tables
        self._sources = scenarios
        self.scenarios = tuple(map(read_named, scenarios, scenarios.values()))
        for one in self.scenarios:
            check(scenarios[one.slug], one, tables)

    def scenario(self, slug: str) -> Scenario:
        """Return the scenario of that name. UnknownScenario when there is none."""
        return find(slug, self.scenarios)

    def source(self, name: str) -> Source:
        """Return the file of a table by its id or of a scenario by its slug. KeyError: no such."""
        return self._sources[name] if name in self._sources else self.book.sources[name]

    def text(self, name: str) -> str:
        """Return the TOML of that file. KeyError as for `source`."""
        return self.source(name).text

    @property
    def texts(self) -> dict[str, str]:
        """Return the TOML of every table and scenario, by name."""
        return {name: self.text(name) for name in (*self.book.names, *self._sources)}

    def replacing(self, texts: Mapping[str, str]) -> "Edition":
        """Return the same with an umpire's own texts, by table id or slug. TableError: the first
        wrong.

        Scenarios and event tables that are not in this edition come to it.
        """
        given = {name: Source(f"{name}.toml", text) for name, text in texts.items()}
        own = {name: one for name, one in given.items() if self._is_scenario(name, one)}
        tables = {name: text for name, text in texts.items() if name not in own}
        scenarios = {**self._sources, **own}
        return Edition(self.book.replacing(tables) if tables else self.book, scenarios)

    def _is_scenario(self, name: str, source: Source) -> bool:
        """Return whether a text is a scenario: one of this edition, or one that calls itself so."""
        if name in self._sources:
            return True
        return table_form(name) is None and source.document().get("slug") == name

    def events(self, slug: str, side: Side) -> Mapping[int, EventRow]:
        """Return the random events of a side in a scenario, by the result of two dice (5.2 I, 5.3
        I).
        """
        return self.book.events(self.scenario(slug).events.of(side))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of all that tables and scenarios say."""
        return digest({**self.book.sources, **self._sources})


@cache
def shipped() -> Edition:
    """Return the edition that comes with the program."""
    return Edition(book(), {read_scenario(source).slug: source for source in sources()})


_known: dict[str, Edition] = {}


def remember(one: Edition, known_as: str = "") -> Edition:
    """Let campaigns be played by this edition; gives back the one of its digest known before.

    `known_as`: the digest that campaigns name, where the program has since gained a table that
    their edition did not have.
    """
    name = known_as or one.digest
    return _known.setdefault(name, shipped() if name == shipped().digest else one)


def is_known(wanted: str) -> bool:
    """Return whether this process has the edition of that digest."""
    return wanted in _known or wanted == shipped().digest


def edition(wanted: str) -> Edition:
    """Return the edition of a digest. UnknownEdition when this process has not been told of it."""
    found = _known.get(wanted)
    if found is not None:
        return found
    if wanted != shipped().digest:
        raise UnknownEdition(wanted)
    return remember(shipped())


def digest_of(texts: Mapping[str, str]) -> str:
    """What an edition of these texts is known by. TableError: one of them is not TOML."""
    return digest({name: Source(f"{name}.toml", text) for name, text in texts.items()})


def own_edition(texts: Mapping[str, str]) -> Edition:
    """Return the shipped edition with these texts in place of its own, ready to be played by.

    TableError names file, line and reason of the first thing that is wrong.
    """
    return remember(shipped().replacing(texts))


def texts_by_name(sources: Iterable[Source]) -> dict[str, str]:
    """Return the texts of some files by the table or scenario each holds.

    TableError: two are the same.
    """
    found: dict[str, Source] = {}
    for source in sources:
        name = name_of(source)
        if name in found:
            raise TableError(
                source.path,
                1,
                f"{found[name].path} is the table {name!r} too",
                "give one of the two",
            )
        found[name] = source
    return {name: source.text for name, source in found.items()}


def name_of(source: Source) -> str:
    """Which table or scenario a file holds: what it says of itself as `id` or `slug`."""
    said = source.document()
    for key in ("id", "slug"):
        if isinstance(name := said.get(key), str) and name in shipped().texts:
            return name
    raise TableError(
        source.path,
        1,
        "the file does not say which table it is",
        "begin it with the `id` of the table, or the `slug` of the scenario, that it replaces",
    )


ABOUT = 2
"""Lines round about a changed one of a scenario that are shown with it."""

Document = Mapping[str, Any]


class ChangedCell(msgspec.Struct, frozen=True):
    """One value as the files write it, as shipped and as it is now; empty where there is none."""

    before: str
    after: str


class ChangedRow(msgspec.Struct, frozen=True):
    """A row that is not as shipped: `changed`, `new` or `gone`."""

    kind: str
    cells: tuple[ChangedCell, ...]


class ChangedText(msgspec.Struct, frozen=True):
    """A table or scenario that is not as shipped; of a scenario the lines, marked + or -.

    A line marked @ is the number of the line, as it is now, that the next stretch begins with.
    """

    name: str
    title: str
    heading: tuple[tuple[str, ChangedCell], ...]
    columns: tuple[str, ...] = ()
    rows: tuple[ChangedRow, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


def changed_names(edition: Edition) -> tuple[str, ...]:
    """Return the tables (by id) and scenarios (by slug) that say something else than the shipped
    ones.
    """
    return tuple(
        name
        for name in edition.texts
        if edition.source(name).document() != shipped().source(name).document()
    )


def changes(edition: Edition) -> tuple[ChangedText, ...]:
    """Return everything in which the edition differs from the shipped one."""
    return tuple(_changed(edition, name) for name in changed_names(edition))


def _changed(edition: Edition, name: str) -> ChangedText:
    before, after = (one.source(name).document() for one in (shipped(), edition))
    heading = tuple(_heading(before, after))
    title = str(after["title"])
    form = table_form(name)
    if form is None:
        return ChangedText(name, title, (), lines=tuple(_lines(edition, name)))
    columns = _columns(form, [*before["row"], *after["row"]])
    rows = tuple(_rows(before["row"], after["row"], columns))
    return ChangedText(name, title, heading, columns, rows)


def _columns(form: type[TableRow], rows: Sequence[Document]) -> tuple[str, ...]:
    """Return the fields that any of the rows has, in the order of the form, sources last."""
    used = {key for row in rows for key in row}
    last = TableRow.__struct_fields__
    own = [key for key in form.__struct_fields__ if key not in last]
    return tuple(key for key in (*own, *last) if key in used)


def _heading(before: Document, after: Document) -> Iterator[tuple[str, ChangedCell]]:
    for key in dict.fromkeys((*before, *after)):
        if key != "row" and before.get(key) != after.get(key):
            yield key, ChangedCell(_said(before.get(key)), _said(after.get(key)))


def _rows(
    before: Sequence[Document], after: Sequence[Document], columns: Sequence[str]
) -> Iterator[ChangedRow]:
    old, new = ([_texts(row, columns) for row in rows] for rows in (before, after))
    empty = ("",) * len(columns)
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for was, now in zip_longest(old[a:b], new[c:d]):
            cells = tuple(map(ChangedCell, was or empty, now or empty))
            yield ChangedRow("changed" if was and now else "new" if now else "gone", cells)


def _texts(row: Document, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(_said(row.get(key)) for key in columns)


def _said(value: object) -> str:
    """Return the value as a TOML file would write it, text without its quotes; nothing for None."""
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
