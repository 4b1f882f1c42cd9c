"""The scenarios of chapter 2, read once and asked for by name."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from battles.core.tables import Source
from campaign.rules.scenario_checks import check
from campaign.rules.scenario_data import Counter, Group, Post, Scenario, Stack, UnitSpec

__all__ = [
    "Counter",
    "Group",
    "Post",
    "Scenario",
    "Stack",
    "UnitSpec",
    "UnknownScenario",
    "find",
    "read_scenario",
    "scenario",
    "scenarios",
    "sources",
]


class UnknownScenario(Exception):
    """There is no scenario of that name."""


@cache
def sources() -> tuple[Source, ...]:
    """The files of the scenarios as they are shipped, in the order of the book."""
    found = (files("campaign.rules") / "scenarios").iterdir()
    shipped = [
        Source(file.name, file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(shipped, key=lambda source: read_scenario(source).clause))


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios as they are shipped, in the order of the book."""
    return tuple(map(read_scenario, sources()))


def scenario(slug: str) -> Scenario:
    """The shipped scenario of a name such as `siege-of-khartoum`. UnknownScenario: no such."""
    return find(slug, scenarios())


def find(slug: str, among: Iterable[Scenario]) -> Scenario:
    """The one of that name among some scenarios. UnknownScenario when there is none."""
    known = {one.slug: one for one in among}
    if slug not in known:
        raise UnknownScenario(f"There is no scenario {slug!r}; there are {', '.join(known)}.")
    return known[slug]


def read_scenario(source: Source) -> Scenario:
    """The scenario a TOML file holds. TableError with the line when something in it is wrong."""
    read = source.convert(source.document(), Scenario)
    check(source, read)
    return read
