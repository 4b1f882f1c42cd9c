"""Files of the scenarios: one directory for each, named by its slug.

A directory holds `scenario.toml`, the staff's `plans.toml`, event tables of the scenario's own
(`events_*.toml`) and, if the demo plays it, `demo.toml`.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable

from battles.core.tables import Source, TableError

FOLDER: Traversable = files("campaign.rules") / "scenarios"
SCENARIO, PLANS, DEMO = "scenario.toml", "plans.toml", "demo.toml"
EVENT_TABLE = "events_"
"""Prefix of the id and of the file name of every table of random events."""


def slugs() -> tuple[str, ...]:
    """Return the slugs of all scenarios in alphabetical order."""
    return tuple(sorted(path.name for path in FOLDER.iterdir() if _is_scenario(path)))


def _is_scenario(entry: Traversable) -> bool:
    return entry.is_dir() and not entry.name.startswith(("_", "."))


def source(slug: str, name: str) -> Source:
    """Return a file of a scenario. Raise TableError when it is missing or not UTF-8."""
    file = optional_source(slug, name)
    if file is None:
        raise TableError(
            f"{slug}/{name}", 1, "the scenario lacks this file", "write it, or copy another’s"
        )
    return file


def optional_source(slug: str, name: str) -> Source | None:
    """Return a file of a scenario, or None. Raise TableError when it is not UTF-8."""
    file = FOLDER / slug / name
    return read_source(f"{slug}/{name}", file) if file.is_file() else None


def event_tables() -> dict[str, Source]:
    """Return the scenarios' own event tables by id. Raise TableError when two share an id."""
    tables: dict[str, Source] = {}
    for slug in slugs():
        for name, source in tables_in(FOLDER / slug, f"{slug}/").items():
            if name in tables:
                raise TableError(
                    source.path,
                    1,
                    f"{tables[name].path} is the table {name!r} too",
                    "give one of the two another id",
                )
            tables[name] = source
    return tables


def tables_in(directory: Traversable, prefix: str = "") -> dict[str, Source]:
    """Return the event tables of a directory by id; `prefix` goes before the file names."""
    return {
        file.name.removesuffix(".toml"): read_source(f"{prefix}{file.name}", file)
        for file in directory.iterdir()
        if file.name.startswith(EVENT_TABLE) and file.name.endswith(".toml")
    }


def read_source(path: str, file: Traversable) -> Source:
    """Return a file with the path that errors quote. Raise TableError when it is not UTF-8."""
    try:
        return Source(path, file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise TableError(path, 1, "the file is not UTF-8", "save it as UTF-8 text") from error
