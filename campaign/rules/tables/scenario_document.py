"""A user's own scenario as one document: the scenario, its event tables, and a format version.

The document is plain data, as JSON holds it: `format`, `scenario` (the contents of a
`scenario.toml`, with the staff's plans under `plans`), and `event_tables` by their ids. `texts_in`
gives the files that an edition is made of, so a document is read by the code that plays it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from math import isfinite
from typing import Any

import msgspec

from battles.core.tables import Heading, Source, TableError, read_table
from battles.core.validation import steps_of
from campaign.rules.scenario_files import EVENT_TABLE
from campaign.rules.tables.book import CampaignTables, table_form
from campaign.rules.tables.editions import Edition, shipped_edition
from campaign.rules.tables.rows import EventRow
from campaign.rules.tables.scenario_checks import read_partly
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import check_by_tables
from campaign.rules.tables.table_checks import event_faults, id_faults

FORMAT = 1
UPGRADES: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""`UPGRADES[n]` returns a document of format n as one of format n + 1."""
LARGEST_DOCUMENT = 400_000
"""The most bytes of a document: ten times a large scenario."""
_EMPTY = {
    "scenario.stack": ("no units are on the map yet", "choose a hex, and place units there"),
    "scenario.victory": ("no condition of victory is written yet", "add a way to win"),
    "scenario.replaced.at": ("no place is named to which losses return", "name one"),
}
"""Reasons and remedies for parts that a new scenario does not have yet."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BEYOND = re.compile("([\U00010000-\U0010ffff])")
_DEEPEST = 20
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""A NUL and the halves of surrogate pairs, which JSON can write and PostgreSQL cannot store."""


class ScenarioFault(Exception):
    """An error in a scenario's document: the field, what is wrong, and what to do.

    `field` is a path such as `scenario.stack[0].at[0]`; it is empty if the whole is meant.
    """

    def __init__(self, field: str, reason: str, remedy: str) -> None:
        super().__init__(f"{field or 'the scenario'}: {reason}; {remedy}")
        self.field = field
        self.reason = reason
        self.remedy = remedy

    @property
    def pointer(self) -> str:
        """Return the field as a JSON Pointer (RFC 6901) into a body that has the document."""
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in steps_of(self.field))
        return "/".join(("/document", *steps))

    @property
    def sentence(self) -> str:
        """Return what is wrong and what to do."""
        text = f"{self.reason}; {self.remedy}."
        return text[:1].upper() + text[1:]


def read_document(data: bytes | str) -> dict[str, Any]:
    """Return the document in a file, upgraded to today's format. Raise ScenarioFault."""
    if len(data) > LARGEST_DOCUMENT:
        raise ScenarioFault(
            "", f"the file is larger than {LARGEST_DOCUMENT // 1000} KB", "shorten it"
        )
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ScenarioFault("", f"this is not JSON: {error}", "export it again") from error
    return upgrade_document(document)


def upgrade_document(document: object) -> dict[str, Any]:
    """Return the document in today's format, its frame checked. Raise ScenarioFault."""
    if not isinstance(document, dict):
        raise ScenarioFault("", "this is not a scenario’s document", "export one to see its form")
    version = document.get("format")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ScenarioFault("format", "the format’s number is missing", f"write {FORMAT}")
    if version > FORMAT:
        raise ScenarioFault(
            "format",
            f"it is of format {version}, and this site reads formats up to {FORMAT}",
            "bring this site up to date",
        )
    for number in range(version, FORMAT):
        document = UPGRADES[number](document)
    _check_frame(document)
    _check_storable(document)
    return document


def _check_storable(document: Mapping[str, Any]) -> None:
    """Raise ScenarioFault for a text or number of the document that no database can store."""
    parts: list[tuple[str, object]] = [("", document)]
    while parts:
        field, part = parts.pop()
        if isinstance(part, Mapping):
            parts += [(field, name) for name in part]
            parts += [(f"{field}.{name}".lstrip("."), value) for name, value in part.items()]
        elif isinstance(part, list):
            parts += [(f"{field}[{place}]", value) for place, value in enumerate(part)]
        elif isinstance(part, str) and (found := _UNSTORABLE.search(part)):
            reason = f"it contains U+{ord(found[0]):04X}, which is no character of a text"
            raise ScenarioFault(_UNSTORABLE.sub("", field), reason, "leave it out")
        elif isinstance(part, float) and not isfinite(part):
            raise ScenarioFault(field, "it is not a finite number", "write another")


def _check_frame(document: Mapping[str, Any]) -> None:
    for name in document:
        if name not in {"format", "scenario", "event_tables"}:
            raise ScenarioFault(name, "a document has no such part", "leave it out")
    if not isinstance(document.get("scenario"), dict):
        raise ScenarioFault("scenario", "the scenario is missing", "export one to see its form")
    tables = document.get("event_tables", {})
    if not isinstance(tables, dict):
        raise ScenarioFault("event_tables", "they are not tables by their ids", "write an object")
    for name, table in tables.items():
        if not name.startswith(EVENT_TABLE) or not isinstance(table, dict):
            raise ScenarioFault(
                f"event_tables.{name}",
                "this is no table of events",
                f"begin its id with {EVENT_TABLE}",
            )
        if name in shipped_edition().texts:
            raise ScenarioFault(
                f"event_tables.{name}", "the shipped tables have this one", "give it another id"
            )


def edition_of_document(document: Mapping[str, Any]) -> Edition:
    """Return the shipped edition with the scenario in it. Raise its first ScenarioFault."""
    texts = texts_in(document)
    try:
        return shipped_edition().replacing(texts)
    except TableError as error:
        raise (faults_of_document(document)[1] or [fault_in_part(document, error)])[0] from error


def faults_of_document(document: Mapping[str, Any]) -> tuple[Scenario | None, list[ScenarioFault]]:
    """Return every fault of a document that does not follow from another, and what can be read.

    They are found by the code that loads it. Nothing can be read of a document that has no slug, or
    that TOML cannot hold.
    """
    try:
        source = source_of(document)
        read, faults = read_partly(source)
    except ScenarioFault as fault:
        return None, [fault]
    except TableError as error:
        return None, [fault_in_part(document, error)]
    tables, wrong = _own_tables(document)
    check_by_tables(faults, read, tables, [error.path.removesuffix(".toml") for error in wrong])
    return read, [fault_in_part(document, error) for error in (*faults.found, *wrong)]


def _own_tables(document: Mapping[str, Any]) -> tuple[CampaignTables, list[TableError]]:
    """Return the tables with those of the document that can be read, and the others' faults."""
    leaders = {leader.name for leader in shipped_edition().book.leaders()}
    sound: dict[str, str] = {}
    wrong: list[TableError] = []
    for name, text in texts_in(document).items():
        if name.startswith(EVENT_TABLE):
            faults = _faults_of_table(name, Source(f"{name}.toml", text), leaders)
            sound |= {} if faults else {name: text}
            wrong += faults
    return shipped_edition().book.replacing(sound) if sound else shipped_edition().book, wrong


def _faults_of_table(name: str, source: Source, leaders: set[str]) -> list[TableError]:
    try:
        document = source.document()
    except TableError as error:
        return [error]
    faults = source.errors(document, Heading)
    for n, row in enumerate(document["row"] if not faults else ()):
        faults += source.errors(row, EventRow, f"$.row[{n}]")
    if faults:
        return faults
    try:
        table = read_table(source, EventRow)
    except TableError as error:
        return [error]
    return [*id_faults(name, table), *event_faults(table, leaders)]


def fault_in_part(document: Mapping[str, Any], error: TableError) -> ScenarioFault:
    """Return the error of a file as a fault of the document, at its field there."""
    part = _table_of(error.path) if error.path.startswith(EVENT_TABLE) else "scenario"
    field = part + error.where.removeprefix("$")
    reason, remedy = error.reason, error.remedy
    if not _at(document, field):
        reason, remedy = _EMPTY.get(field, (reason, remedy))
    return ScenarioFault(field, reason, remedy)


def _table_of(path: str) -> str:
    return f"event_tables.{path.removesuffix('.toml')}"


def _at(document: Mapping[str, Any], field: str) -> object:
    """Return what stands at a path without list steps; None where there is nothing."""
    value: object = document
    for step in field.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def slug_of(document: Mapping[str, Any]) -> str:
    """Return the scenario's slug. Raise ScenarioFault if a user's own scenario cannot have it."""
    slug = document["scenario"].get("slug")
    if not isinstance(slug, str) or not re.fullmatch(r"(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*", slug):
        raise ScenarioFault(
            "scenario.slug", "this cannot stand in an address", "use small letters and hyphens"
        )
    if slug in shipped_edition().texts or table_form(slug) is not None:
        raise ScenarioFault("scenario.slug", f"{slug} comes with the program", "choose another")
    return slug


def texts_in(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the document's files as TOML, by slug and by id of a table. Raise ScenarioFault."""
    texts = {slug_of(document): _toml(document["scenario"], "scenario")}
    for name, table in document.get("event_tables", {}).items():
        texts[name] = _toml(table, f"event_tables.{name}")
    return texts


def document_of(edition: Edition, slug: str) -> dict[str, Any]:
    """Return a scenario of an edition as a document, with event tables that are not shipped."""
    scenario = edition.scenario(slug)
    used = {*scenario.events.egyptian, *scenario.events.mahdist}
    tables = {
        name: edition.source(name).document()
        for name in sorted(used - set(shipped_edition().texts))
    }
    document = {
        "format": FORMAT,
        "scenario": edition.source(slug).document(),
        "event_tables": tables,
    }
    return deepcopy(document)  # somebody will edit it


def _toml(part: Mapping[str, Any], at: str) -> str:
    """Return a part of a document as a TOML file. Raise ScenarioFault for what it cannot hold."""
    plain, tables = [], []
    for key, value in part.items():
        if value is None:
            continue
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            for n, item in enumerate(value):
                tables.append(f"\n[[{_key(key)}]]\n" + _lines(item, f"{at}.{key}[{n}]"))
        elif isinstance(value, dict):
            tables.append(f"\n[{_key(key)}]\n" + _lines(value, f"{at}.{key}"))
        else:
            plain.append(f"{_key(key)} = {_inline(value, f'{at}.{key}')}\n")
    return "".join((*plain, *tables))


def _lines(part: Mapping[str, Any], at: str) -> str:
    lines = (
        f"{_key(key)} = {_inline(value, f'{at}.{key}')}\n"
        for key, value in part.items()
        if value is not None
    )
    return "".join(lines)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else msgspec.json.encode(key).decode()


def _inline(value: object, at: str, depth: int = 0) -> str:
    """Return a value as TOML writes it in a line. Raise ScenarioFault for a null or a deep one."""
    if depth > _DEEPEST:
        raise ScenarioFault(at, "this is nested too deeply", "make it flatter")
    if isinstance(value, dict):
        parts = (
            f"{_key(key)} = {_inline(item, f'{at}.{key}', depth + 1)}"
            for key, item in value.items()
            if item is not None
        )
        return f"{{ {', '.join(parts)} }}"
    if isinstance(value, list):
        return f"[{', '.join(_items(value, at, depth))}]"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if not isinstance(value, str):
        raise ScenarioFault(at, "there is nothing here", "give a value, or leave it out")
    # JSON escapes a character beyond four hex digits, such as an emoji, as two: TOML refuses those.
    parts = (
        f"\\U{ord(part):08x}" if _BEYOND.fullmatch(part) else json.dumps(part)[1:-1]
        for part in _BEYOND.split(value)
    )
    return f'"{"".join(parts)}"'


def _items(values: list[Any], at: str, depth: int) -> Iterator[str]:
    for n, item in enumerate(values):
        yield _inline(item, f"{at}[{n}]", depth + 1)


def source_of(document: Mapping[str, Any]) -> Source:
    """Return the scenario's file as the source that errors quote. Raise ScenarioFault."""
    slug = slug_of(document)
    return Source(f"{slug}.toml", texts_in(document)[slug])
