"""The scenarios of chapter 2: loaded by name or from a file, and checked against the tables."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.tables import Source, Table, uncovered_results_error
from campaign.rules import scenario_files
from campaign.rules.core.pieces import Month
from campaign.rules.scenario_files import EVENT_TABLE
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.event_effects import ForceEffect, GainEffect, within
from campaign.rules.tables.rows import EventRow
from campaign.rules.tables.scenario_blocks import leaders_in
from campaign.rules.tables.scenario_checks import FaultList, read_partly, units
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.table_checks import EVENT_RESULTS, event_spans


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

    def order(slug: str) -> tuple[bool, str, Month]:
        return not read[slug].clause, read[slug].clause, read[slug].first_month

    return tuple(shipped[slug] for slug in sorted(shipped, key=order))


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Return all shipped scenarios, those of the book first."""
    return tuple(map(read_scenario, sources()))


def first_to_play() -> Scenario:
    """Return the scenario that newcomers are shown: the first that the demo plays, else the first.

    A scenario says so by having a file `demo.toml`.
    """
    shown = (
        scenario
        for scenario in scenarios()
        if scenario_files.optional_source(scenario.slug, scenario_files.DEMO)
    )
    return next(shown, scenarios()[0])


def first_campaign() -> Scenario:
    """Return the scenario of a newcomer's first campaign: the one with the fewest months."""
    return min(scenarios(), key=lambda scenario: scenario.last_month - scenario.first_month)


def scenario(slug: str) -> Scenario:
    """Return the shipped scenario by its slug. Raise UnknownScenario when there is none."""
    return find(slug, scenarios())


def find(slug: str, among: Iterable[Scenario]) -> Scenario:
    """Return the scenario with that slug. Raise UnknownScenario when there is none."""
    scenarios = {scenario.slug: scenario for scenario in among}
    if slug not in scenarios:
        raise UnknownScenario(f"There is no scenario {slug!r}; there are {', '.join(scenarios)}.")
    return scenarios[slug]


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


NOT_GAINED = frozenset({TroopKind.LEADER, TroopKind.FLEET})


def check(source: Source, read: Scenario, book: CampaignTables) -> None:
    """Raise TableError for unknown leaders or forces, too few counters, or missing events."""
    faults = FaultList(source)
    check_by_tables(faults, read, book)
    for fault in faults.found:
        raise fault


def check_by_tables(
    faults: FaultList, read: Scenario, book: CampaignTables, wrong: Collection[str] = ()
) -> None:
    """Note unknown leaders and forces, too few counters, and missing events.

    `wrong` are event tables of the scenario's own that cannot be read: they are not in the book.
    """
    leader_names = {leader.name for leader in book.leaders()}
    for where, name in _leaders(read):
        if name not in leader_names:
            reason = f"the table of leaders has no {name or 'leader without a name'!r}"
            faults.add(where, reason, f"use one of {', '.join(sorted(leader_names))}")
    _check_counters(faults, read, book)
    for kind, number in read.drawn.items():
        if number > book.counters(kind):  # 3.2
            reason = f"more {kind} are drawn from than there are, {book.counters(kind)}"
            remedy = "lower the number, or raise the one in the table of counters"
            faults.add(f"$.drawn.{kind}", reason, remedy)
    for side in Side:
        if not faults.has("$.events") and not set(wrong) & set(read.events.of(side)):
            _check_events(faults, read, book, side)


def _leaders(read: Scenario) -> Iterator[tuple[str, str]]:
    """Yield every leader named by the scenario, with its path in the file."""
    for where, spec in units(read):
        if spec.kind is TroopKind.LEADER:
            yield where, spec.name
    for place, rising in enumerate(read.rising):
        yield f"$.rising[{place}]", rising.leader
    for place, condition in enumerate(read.victory):
        yield from ((f"$.victory[{place}]", name) for name in leaders_in(condition))


def _check_counters(faults: FaultList, read: Scenario, book: CampaignTables) -> None:
    """Note where the Mahdists start with more counters of a kind than there are (3.2)."""
    used: Counter[TroopKind] = Counter()
    for where, spec in units(read):
        if spec.nation is not Nation.MAHDIST or spec.kind is TroopKind.LEADER:
            continue
        most = book.counters(spec.kind)
        if used[spec.kind] <= most < used[spec.kind] + spec.count:
            remedy = "take some away, or raise the number in the table of counters"
            faults.add(where, f"there are only {most} Mahdist {spec.kind} counters", remedy)
        used[spec.kind] += spec.count


def _check_events(faults: FaultList, read: Scenario, book: CampaignTables, side: Side) -> None:
    """Note where a result of two dice has no event, or calls an unknown force."""
    names = read.events.of(side)
    table_names = [name for name in book.names if name.startswith(EVENT_TABLE)]
    for place, name in enumerate(names):
        if name not in table_names:
            remedy = (
                f"use one of {', '.join(table_names)}, or write {name}.toml beside the scenario"
            )
            faults.add(f"$.events.{side}[{place}]", f"there is no event table {name!r}", remedy)
    if not names or not faults.clean(f"$.events.{side}"):
        return
    events = book.events(names)
    first = book.event_table(names[0])
    if missing := [result for result in EVENT_RESULTS if result not in events]:
        faults.note(uncovered_results_error(first, event_spans(first), missing))
    in_force = {id(row) for row in events.values()}
    for table in map(book.event_table, names):
        _check_rows(faults, table, read, in_force)


def _check_rows(
    faults: FaultList, table: Table[EventRow], read: Scenario, in_force: set[int]
) -> None:
    forces = {group.id for group in read.force}
    for place, row in enumerate(table.rows):
        if id(row) not in in_force:
            continue
        for effect in within(row.effects):
            if isinstance(effect, ForceEffect) and not forces.issuperset(effect.groups):
                reason = f"{read.title} has no force {min(set(effect.groups) - forces)!r}"
                choices = ", ".join(sorted(forces)) or "none: it has no forces to call"
                faults.note(table.error(place, reason, f"use one of {choices}"))
            if isinstance(effect, GainEffect) and effect.kind in NOT_GAINED:
                reason = f"no event brings a {effect.kind}"
                faults.note(table.error(place, reason, "call a force instead"))
