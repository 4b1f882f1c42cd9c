"""The scenarios of chapter 2, read once and asked for by name."""

from collections.abc import Iterable
from functools import cache

from battles.core.tables import Source
from campaign.rules import scenario_files
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
    "read_named",
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
    shipped = {
        slug: scenario_files.source(slug, scenario_files.SCENARIO)
        for slug in scenario_files.slugs()
    }
    clauses = {slug: read_named(slug, source).clause for slug, source in shipped.items()}
    return tuple(shipped[slug] for slug in sorted(shipped, key=clauses.__getitem__))


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios as they are shipped, in the order of the book."""
    return tuple(map(read_scenario, sources()))


def scenario(slug: str) -> Scenario:
    """The shipped scenario by its slug. UnknownScenario: no such."""
    return find(slug, scenarios())


def find(slug: str, among: Iterable[Scenario]) -> Scenario:
    """The one of that name among some scenarios. UnknownScenario when there is none."""
    known = {one.slug: one for one in among}
    if slug not in known:
        raise UnknownScenario(f"There is no scenario {slug!r}; there are {', '.join(known)}.")
    return known[slug]


def read_named(slug: str, source: Source) -> Scenario:
    """Return the scenario a file holds. TableError: it is wrong, or its slug is another."""
    read = read_scenario(source)
    if read.slug != slug:
        raise source.error(
            "$.slug",
            f"the scenario calls itself {read.slug!r}",
            f'write slug = "{slug}", or rename its directory',
        )
    return read


def read_scenario(source: Source) -> Scenario:
    """The scenario a TOML file holds. TableError with the line when something in it is wrong."""
    read = source.convert(source.document(), Scenario)
    check(source, read)
    return read
