"""The tables that the tests play by, and the list of where the shipped ones depart from them.

Cases, golden months and dice in tests repeat numbers of the tables, because they hold the rules and
not the numbers. So the tests play by the tables as they were recorded, in `tables.txt`, and a
changed number of a shipped table changes one other file, `departures.txt`.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from battles.core.tables import Source
from campaign.rules import scenario_files
from campaign.rules.tables.book import book

RULES = Path(scenario_files.__file__).parent
FOLDER = Path(__file__).parent
RECORDED, DEPARTURES = FOLDER / "tables.txt", FOLDER / "departures.txt"
HEADER = "Where the shipped tables depart from tables.txt. Written by `python -m tests.golden`.\n"
HEADING = re.compile(r"^==== (\S+) ====\n", re.MULTILINE)


def shipped_texts() -> dict[str, str]:
    """Return the TOML of every table and scenario as shipped, by its path below the rules."""
    files = [*RULES.glob("tables/*.toml"), *RULES.glob("scenarios/*/*.toml")]
    return {path.relative_to(RULES).as_posix(): path.read_text() for path in sorted(files)}


def recorded_texts() -> dict[str, str]:
    """Return the TOML that the tests play by, by its path below the rules."""
    _, *parts = HEADING.split(RECORDED.read_text())
    return dict(zip(parts[::2], parts[1::2], strict=True))


def record_tables() -> None:
    """Let the tests play by the shipped tables as they are now."""
    texts = shipped_texts()
    RECORDED.write_text("".join(f"==== {name} ====\n{text}" for name, text in texts.items()))


def record_departures() -> None:
    """Write the list of departures."""
    DEPARTURES.write_text(HEADER + departures())


def departures() -> str:
    """Return every value by which the shipped tables depart from the recorded ones.

    A file that was not recorded is not compared: the tests play by it as it is shipped.
    """
    shipped = shipped_texts()
    return "".join(
        f"{name}\n{difference}"
        for name, text in recorded_texts().items()
        if (difference := "".join(_differences(text, shipped.get(name, ""))))
    )


def _differences(before: str, after: str) -> Iterator[str]:
    old, new = (list(_values(Source("", text).document())) for text in (before, after))
    for line in list(unified_diff(old, new, lineterm="", n=0))[2:]:
        if not line.startswith("@@"):
            yield f"  {line}\n"


def _values(document: Mapping[str, object]) -> Iterator[str]:
    """Yield a line for each value of a document, and one for each row of its lists."""
    for key, value in document.items():
        for one in value if isinstance(value, list) else [value]:
            yield f"{key} = {msgspec.json.encode(one).decode()}"


def play_by_recorded_tables() -> None:
    """Let this process read the recorded tables instead of shipped ones that depart from them.

    Nothing is replaced as long as none departs. Call it before any table is read.
    """
    assert book.cache_info().currsize == 0, "tables have been read already"
    if not departures():
        return
    recorded, read = recorded_texts(), scenario_files.read_source

    def read_recorded(path: str, file: Traversable) -> Source:
        where = Path(str(file))
        name = where.relative_to(RULES).as_posix() if where.is_relative_to(RULES) else ""
        return Source(path, recorded[name]) if name in recorded else read(path, file)

    scenario_files.read_source = read_recorded
