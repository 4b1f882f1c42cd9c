"""Checks of a scenario against the tables; a TableError names the file of the first fault."""

from collections import Counter
from collections.abc import Iterator

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.tables import Source, Table, uncovered
from campaign.rules.scenario_files import EVENT_TABLE
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.event_effects import ForceEffect, GainEffect, within
from campaign.rules.tables.rows import EventRow
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import units
from campaign.rules.tables.table_checks import EVENT_RESULTS, event_spans
from campaign.rules.tables.victory_blocks import leaders_in

NOT_GAINED = frozenset({TroopKind.LEADER, TroopKind.FLEET})


def check(source: Source, read: Scenario, book: CampaignTables) -> None:
    """Raise TableError for unknown leaders or forces, too few counters, or missing events."""
    known = {leader.name for leader in book.leaders()}
    for where, name in _leaders(read):
        if name not in known:
            raise source.error(
                where,
                f"the table of leaders has no {name or 'leader without a name'!r}",
                f"use one of {', '.join(sorted(known))}",
            )
    _check_counters(source, read, book)
    _check_drawn(source, read, book)
    for side in Side:
        _check_events(source, read, book, side)


def _leaders(read: Scenario) -> Iterator[tuple[str, str]]:
    """Yield every leader named by the scenario, with its path in the file."""
    for where, spec in units(read):
        if spec.unit is TroopKind.LEADER:
            yield where, spec.name
    for place, rising in enumerate(read.rising):
        yield f"$.rising[{place}]", rising.leader
    for place, condition in enumerate(read.victory):
        yield from ((f"$.victory[{place}]", name) for name in leaders_in(condition))


def _check_counters(source: Source, read: Scenario, book: CampaignTables) -> None:
    """Raise TableError when the Mahdists start with more counters than there are (3.2)."""
    used: Counter[TroopKind] = Counter()
    for where, spec in units(read):
        if spec.nation is not Nation.MAHDIST or spec.unit is TroopKind.LEADER:
            continue
        used[spec.unit] += spec.count
        if used[spec.unit] > book.counters(spec.unit):
            raise source.error(
                where,
                f"there are only {book.counters(spec.unit)} Mahdist {spec.unit} counters",
                "take some away, or raise the number in the table of counters",
            )


def _check_drawn(source: Source, read: Scenario, book: CampaignTables) -> None:
    """Raise TableError when the draw uses more counters than there are (3.2)."""
    for kind, number in read.drawn.items():
        if number > book.counters(kind):
            raise source.error(
                f"$.drawn.{kind}",
                f"more {kind} are drawn from than there are, {book.counters(kind)}",
                "lower the number, or raise the one in the table of counters",
            )


def _check_events(source: Source, read: Scenario, book: CampaignTables, side: Side) -> None:
    """Raise TableError when a result of two dice has no event, or calls an unknown force."""
    names = read.events.of(side)
    known = [name for name in book.names if name.startswith(EVENT_TABLE)]
    for name in names:
        if name not in known:
            raise source.error(
                f"$.events.{side}",
                f"there is no event table {name!r}",
                f"use one of {', '.join(known)}, or write {name}.toml beside the scenario",
            )
    events = book.events(names)
    first = book.event_table(names[0])
    if missing := [result for result in EVENT_RESULTS if result not in events]:
        raise uncovered(first, event_spans(first), missing)
    in_force = {id(row) for row in events.values()}
    for table in map(book.event_table, names):
        _check_rows(table, read, in_force)


def _check_rows(table: Table[EventRow], read: Scenario, in_force: set[int]) -> None:
    forces = {group.id for group in read.force}
    for place, row in enumerate(table.rows):
        if id(row) not in in_force:
            continue
        for effect in within(row.effects):
            if isinstance(effect, ForceEffect) and not forces.issuperset(effect.groups):
                raise table.error(
                    place,
                    f"{read.title} has no force {min(set(effect.groups) - forces)!r}",
                    f"use one of {', '.join(sorted(forces)) or 'none: it has no forces to call'}",
                )
            if isinstance(effect, GainEffect) and effect.unit in NOT_GAINED:
                raise table.error(place, f"no event brings a {effect.unit}", "call a force instead")
