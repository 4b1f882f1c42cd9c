"""The scenarios of chapter 2, loaded by name or from a file."""

from collections.abc import Iterable
from functools import cache, lru_cache

from battles.core.tables import Source
from campaign.rules import scenario_files
from campaign.rules.core.pieces import Month
from campaign.rules.tables.scenario_checks import read_partly
from campaign.rules.tables.scenario_data import Scenario


class UnknownScenario(Exception):
    """Error for a scenario name that does not exist."""


@cache
def sources() -> tuple[Source, ...]:
    """Return the files of the shipped scenarios: in the order of the book, then by their start."""
    shipped = {
        slug: scenario_files.source(slug, scenario_files.SCENARIO)
        for slug in scenario_files.slugs()
    }
    read = {slug: read_named(slug, source) for slug, source in shipped.items()}
    return tuple(shipped[slug] for slug in sorted(shipped, key=lambda slug: _order(read[slug])))


def _order(read: Scenario) -> tuple[bool, str, Month]:
    return not read.clause, read.clause, read.first_month


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Return all shipped scenarios, those of the book first."""
    return tuple(map(read_scenario, sources()))


def first_to_play() -> Scenario:
    """Return the scenario that newcomers are shown: the first that the demo plays, else the first.

    A scenario says so by having a file `demo.toml`.
    """
    shown = (
        one for one in scenarios() if scenario_files.optional_source(one.slug, scenario_files.DEMO)
    )
    return next(shown, scenarios()[0])


def first_campaign() -> Scenario:
    """Return the scenario of a newcomer's first campaign: the one with the fewest months."""
    return min(scenarios(), key=lambda one: one.last_month - one.first_month)


def scenario(slug: str) -> Scenario:
    """Return the shipped scenario by its slug. Raise UnknownScenario when there is none."""
    return find(slug, scenarios())


def find(slug: str, among: Iterable[Scenario]) -> Scenario:
    """Return the scenario with that slug. Raise UnknownScenario when there is none."""
    known = {one.slug: one for one in among}
    if slug not in known:
        raise UnknownScenario(f"There is no scenario {slug!r}; there are {', '.join(known)}.")
    return known[slug]


def read_named(slug: str, source: Source) -> Scenario:
    """Return the scenario of a file. Raise TableError when it is invalid or has another slug."""
    read = read_scenario(source)
    if read.slug != slug:
        raise source.error(
            "$.slug",
            f"the scenario calls itself {read.slug!r}",
            f'write slug = "{slug}", or rename its directory',
        )
    return read


@lru_cache(maxsize=40)
def read_scenario(source: Source) -> Scenario:
    """Return the scenario of a TOML file.

    Raise TableError with the line of the first fault.
    """
    read, faults = read_partly(source)
    for fault in faults.found:
        raise fault
    return read
