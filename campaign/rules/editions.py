"""Editions: complete sets of tables and scenarios, by which campaigns are played.

A campaign names its edition by its digest and keeps to it, whatever the program ships later. An
edition other than the shipped one is known to a process once it has been told of it.
"""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property

from battles.core.tables import Source, TableError, digest
from campaign.rules.book import Book, book, table_form
from campaign.rules.edition_checks import check
from campaign.rules.pieces import Side
from campaign.rules.rows import EventRow
from campaign.rules.scenario import Scenario, find, read_named, read_scenario, sources


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
        """The scenario of that name. UnknownScenario when there is none."""
        return find(slug, self.scenarios)

    def source(self, name: str) -> Source:
        """The file of a table by its id or of a scenario by its slug. KeyError: no such."""
        return self._sources[name] if name in self._sources else self.book.sources[name]

    def text(self, name: str) -> str:
        """The TOML of that file. KeyError as for `source`."""
        return self.source(name).text

    @property
    def texts(self) -> dict[str, str]:
        """The TOML of every table and scenario, by name."""
        return {name: self.text(name) for name in (*self.book.names, *self._sources)}

    def replacing(self, texts: Mapping[str, str]) -> "Edition":
        """The same with an umpire's own texts, by table id or slug. TableError: the first wrong.

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
        """The random events of a side in a scenario, by the result of two dice (5.2 I, 5.3 I)."""
        return self.book.events(self.scenario(slug).events.of(side))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of all that tables and scenarios say."""
        return digest({**self.book.sources, **self._sources})


@cache
def shipped() -> Edition:
    """The edition that comes with the program."""
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
    """Whether this process has the edition of that digest."""
    return wanted in _known or wanted == shipped().digest


def edition(wanted: str) -> Edition:
    """The edition of a digest. UnknownEdition when this process has not been told of it."""
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
    """The shipped edition with these texts in place of its own, ready to be played by.

    TableError names file, line and reason of the first thing that is wrong.
    """
    return remember(shipped().replacing(texts))


def named(sources: Iterable[Source]) -> dict[str, str]:
    """The texts of some files by the table or scenario each holds. TableError: two are the same."""
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
