"""The scenarios of chapter 2, read once and asked for by name."""

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
    "read_scenario",
    "scenario",
    "scenarios",
]


class UnknownScenario(Exception):
    """There is no scenario of that name."""


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios, in the order of the book."""
    found = (files("campaign.rules") / "scenarios").iterdir()
    sources = [
        Source(file.name, file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(map(read_scenario, sources), key=lambda one: one.clause))


def scenario(slug: str) -> Scenario:
    """The scenario of a name such as `siege-of-khartoum`. UnknownScenario when there is none."""
    for one in scenarios():
        if one.slug == slug:
            return one
    known = ", ".join(one.slug for one in scenarios())
    raise UnknownScenario(f"There is no scenario {slug!r}; there are {known}.")


def read_scenario(source: Source) -> Scenario:
    """The scenario a TOML file holds. TableError with the line when something in it is wrong."""
    read = source.convert(source.document(), Scenario)
    check(source, read)
    return read
