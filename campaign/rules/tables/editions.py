"""Editions: complete sets of tables and scenarios for campaigns, and their differences.

A campaign names its edition by digest and keeps it, whatever the program ships later. A process
knows the shipped edition, and any other one after `remember`. Named editions come with the program
too: a directory of `campaign/rules/editions/` holds `edition.toml` and the tables that differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from functools import cache, cached_property
from importlib.resources import files
from itertools import zip_longest
from typing import Any

import msgspec

from battles.contract.brief import Side
from battles.core.tables import Row as TableRow
from battles.core.tables import Source, TableError, digest
from campaign.rules.scenario_files import read_source
from campaign.rules.tables.book import CampaignTables, book, table_form
from campaign.rules.tables.rows import EventRow
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import check, find, read_named, read_scenario, sources


class UnknownEdition(Exception):
    """Error for a campaign whose tables this process does not have, with a remedy."""

    def __init__(self, digest: str) -> None:
        super().__init__(
            f"The tables this campaign is played by (their digest begins with {digest[:12]}) are "
            "not kept here. Bring the campaign in again from a file that was exported where it "
            "was played: its tables are in it."
        )


class Edition:
    """Tables and scenarios, all that an umpire may replace, complete and checked; immutable."""

    def __init__(self, tables: CampaignTables, scenarios: Mapping[str, Source]) -> None:
        self.book = tables
        self._sources = scenarios
        self.scenarios = tuple(map(read_named, scenarios, scenarios.values()))
        for scenario in self.scenarios:
            check(scenarios[scenario.slug], scenario, tables)

    def scenario(self, slug: str) -> Scenario:
        """Return the scenario of that name. Raise UnknownScenario when there is none."""
        return find(slug, self.scenarios)

    def source(self, name: str) -> Source:
        """Return the file of a table by id or of a scenario by slug. Raise KeyError for others."""
        return self._sources[name] if name in self._sources else self.book.sources[name]

    def text(self, name: str) -> str:
        """Return the TOML of that file. Raise KeyError as `source` does."""
        return self.source(name).text

    @property
    def texts(self) -> dict[str, str]:
        """Return the TOML of every table and scenario, by name."""
        return {name: self.text(name) for name in (*self.book.names, *self._sources)}

    def replacing(self, texts: Mapping[str, str]) -> "Edition":
        """Return the same edition with an umpire's own texts, by table id or slug.

        New scenarios and event tables are added. Raise TableError for the first invalid text.
        """
        sources = {name: Source(f"{name}.toml", text) for name, text in texts.items()}
        own = {name: source for name, source in sources.items() if self._is_scenario(name, source)}
        tables = {name: text for name, text in texts.items() if name not in own}
        scenarios = {**self._sources, **own}
        return Edition(self.book.replacing(tables) if tables else self.book, scenarios)

    def _is_scenario(self, name: str, source: Source) -> bool:
        """Return whether a text is a scenario: one of this edition, or with `name` as its slug."""
        if name in self._sources:
            return True
        return table_form(name) is None and source.document().get("slug") == name

    def events(self, slug: str, side: Side) -> Mapping[int, EventRow]:
        """Return a side's random events in a scenario, by the result of two dice (5.2 I, 5.3 I)."""
        return self.book.events(self.scenario(slug).events.of(side))

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256, in hex, of the contents of tables and scenarios."""
        return digest({**self.book.sources, **self._sources})


@cache
def shipped_edition() -> Edition:
    """Return the edition that comes with the program."""
    return Edition(book(), {read_scenario(source).slug: source for source in sources()})


_known: dict[str, Edition] = {}


def remember(new_edition: Edition, known_as: str = "") -> Edition:
    """Register this edition for campaigns; return the edition known by its digest.

    `known_as`: the digest that campaigns name, where the program has since gained a table that
    their edition did not have.
    """
    name = known_as or new_edition.digest
    if name == shipped_edition().digest:
        return shipped_edition()
    return _known.setdefault(name, new_edition)


def is_known(digest: str) -> bool:
    """Return whether this process has the edition of that digest."""
    return digest in _known or digest == shipped_edition().digest


def edition(digest: str) -> Edition:
    """Return the edition of a digest. Raise UnknownEdition when this process does not have it."""
    cached_edition = _known.get(digest)
    if cached_edition is not None:
        return cached_edition
    if digest != shipped_edition().digest:
        raise UnknownEdition(digest)
    return shipped_edition()


class NamedEdition(msgspec.Struct, frozen=True):
    """An edition that comes with the program beside the shipped one, for umpires to choose."""

    slug: str
    title: str
    description: str
    edition: Edition


class _About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of an `edition.toml`."""

    slug: str
    title: str
    description: str


@cache
def named_editions() -> tuple[NamedEdition, ...]:
    """Return the named editions by slug. Raise TableError with the line of a fault."""
    folder = files("campaign.rules") / "editions"
    directories = sorted(
        (path for path in folder.iterdir() if path.is_dir()), key=lambda path: path.name
    )
    editions = []
    for directory in directories:
        read = {
            file.name.removesuffix(".toml"): read_source(f"{directory.name}/{file.name}", file)
            for file in directory.iterdir()
            if file.name.endswith(".toml")
        }
        source = read.pop("edition")
        about = source.convert(source.document(), _About)
        own = remember(
            shipped_edition().replacing({name: source.text for name, source in read.items()})
        )
        editions.append(NamedEdition(about.slug, about.title, about.description, own))
    return tuple(editions)


def named_edition(slug: str) -> NamedEdition:
    """Return the named edition. Raise UnknownName, which lists those there are."""
    for edition in named_editions():
        if edition.slug == slug:
            return edition
    raise UnknownName(slug)


class UnknownName(Exception):
    """Error for the name of an edition that does not come with the program."""

    def __init__(self, slug: str) -> None:
        choices = ", ".join(edition.slug for edition in named_editions())
        super().__init__(f"There is no edition {slug!r}; there are {choices}.")


def named_edition_of(digest: str) -> NamedEdition | None:
    """Return the named edition with that digest, or None."""
    return next(
        (candidate for candidate in named_editions() if candidate.edition.digest == digest), None
    )


def is_own_table(tables: CampaignTables, name: str) -> bool:
    """Return whether a table comes from an umpire: no edition of the program has it so."""
    books = (shipped_edition().book, *(candidate.edition.book for candidate in named_editions()))
    return all(tables.differs(book, name) for book in books)


def digest_of(texts: Mapping[str, str]) -> str:
    """Return the digest of an edition of these texts. Raise TableError when one is not TOML."""
    return digest({name: Source(f"{name}.toml", text) for name, text in texts.items()})


def own_edition(texts: Mapping[str, str]) -> Edition:
    """Register and return the shipped edition with these texts in place of its own.

    Raise TableError with file, line and reason of the first fault.
    """
    return remember(shipped_edition().replacing(texts))


def texts_by_name(sources: Iterable[Source]) -> dict[str, str]:
    """Return the texts of the files by the table or scenario that each contains.

    Raise TableError when two contain the same.
    """
    sources_by_name: dict[str, Source] = {}
    for source in sources:
        name = name_of(source)
        if name in sources_by_name:
            raise TableError(
                source.path,
                1,
                f"{sources_by_name[name].path} is the table {name!r} too",
                "give one of the two",
            )
        sources_by_name[name] = source
    return {name: source.text for name, source in sources_by_name.items()}


def name_of(source: Source) -> str:
    """Return the name of the table or scenario in a file, by its `id` or `slug`."""
    document = source.document()
    for key in ("id", "slug"):
        if isinstance(name := document.get(key), str) and name in shipped_edition().texts:
            return name
    raise TableError(
        source.path,
        1,
        "the file does not say which table it is",
        "begin it with the `id` of the table, or the `slug` of the scenario, that it replaces",
    )


CONTEXT_LINES = 2
"""Lines of context shown around a changed line of a scenario."""

Document = Mapping[str, Any]


class ChangedCell(msgspec.Struct, frozen=True):
    """One value in TOML, as shipped and as it is now; empty where there is none."""

    before: str
    after: str


class ChangedRow(msgspec.Struct, frozen=True):
    """A row that differs from the shipped one: `changed`, `new` or `gone`."""

    kind: str
    cells: tuple[ChangedCell, ...]


class ChangedText(msgspec.Struct, frozen=True):
    """A table or scenario that differs from the shipped one; scenarios as lines marked + or -.

    A line marked @ has the number, in the new text, of the first line of the next hunk.
    """

    name: str
    title: str
    heading: tuple[tuple[str, ChangedCell], ...]
    columns: tuple[str, ...] = ()
    rows: tuple[ChangedRow, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


def changed_names(edition: Edition) -> tuple[str, ...]:
    """Return the tables (by id) and scenarios (by slug) that are new or differ from the shipped."""
    shipped = shipped_edition().texts
    return tuple(
        name
        for name in edition.texts
        if name not in shipped
        or edition.source(name).document() != shipped_edition().source(name).document()
    )


def changes(edition: Edition) -> tuple[ChangedText, ...]:
    """Return all differences between the edition and the shipped one."""
    return tuple(_changed_text(edition, name) for name in changed_names(edition))


def _changed_text(edition: Edition, name: str) -> ChangedText:
    shipped, after = shipped_edition(), edition.source(name).document()
    before = shipped.source(name).document() if name in shipped.texts else {}
    heading = tuple(_heading_cells(before, after))
    title = str(after["title"])
    form = table_form(name)
    if form is None:
        return ChangedText(name, title, (), lines=tuple(_lines(edition, name)))
    old_rows = before.get("row", ())
    columns = _columns(form, [*old_rows, *after["row"]])
    rows = tuple(_rows(old_rows, after["row"], columns))
    return ChangedText(name, title, heading, columns, rows)


def _columns(form: type[TableRow], rows: Sequence[Document]) -> tuple[str, ...]:
    """Return the fields that any of the rows has, in the order of the row type, sources last."""
    used = {key for row in rows for key in row}
    last = TableRow.__struct_fields__
    own = [key for key in form.__struct_fields__ if key not in last]
    return tuple(key for key in (*own, *last) if key in used)


def _heading_cells(before: Document, after: Document) -> Iterator[tuple[str, ChangedCell]]:
    for key in dict.fromkeys((*before, *after)):
        if key != "row" and before.get(key) != after.get(key):
            yield (
                key,
                ChangedCell(_value_in_words(before.get(key)), _value_in_words(after.get(key))),
            )


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
    return tuple(_value_in_words(row.get(key)) for key in columns)


def _value_in_words(value: object) -> str:
    """Return the value as a TOML file writes it, text without its quotes; nothing for None."""
    return "" if value is None else value if isinstance(value, str) else _value_in_toml(value)


def _value_in_toml(value: object) -> str:
    if isinstance(value, dict):
        return (
            f"{{ {', '.join(f'{key} = {_value_in_toml(item)}' for key, item in value.items())} }}"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(_value_in_toml, value))}]"
    return msgspec.json.encode(value).decode()


def _lines(edition: Edition, name: str) -> Iterator[tuple[str, str]]:
    before, after = (
        version.texts.get(name, "").splitlines() for version in (shipped_edition(), edition)
    )
    for line in unified_diff(before, after, lineterm="", n=CONTEXT_LINES):
        if not line.startswith(("---", "+++")):
            mark = line[0]
            yield mark, _first_line(line) if mark == "@" else line[1:]


def _first_line(header: str) -> str:
    """Return `18` for `@@ -18,5 +18,5 @@`: the first line of the hunk in the new text."""
    return header.partition("+")[2].partition(",")[0].split()[0]
