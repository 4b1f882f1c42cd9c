"""Checks of the tables before play; a TableError names the place of the first fault."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from battles.contract.brief import RIVER_CRAFT, Nation, Quality, TroopKind
from battles.core.tables import Table, TableError, check_keys, check_steps, span_faults
from campaign.rules.map import sudan
from campaign.rules.map.grid import Nav, Relief
from campaign.rules.scenario_files import EVENT_TABLE
from campaign.rules.tables import rows as r
from campaign.rules.tables.event_effects import Effect, within

Tables = dict[str, Table[Any]]

EVENT_RESULTS = tuple(10 * tens + units for tens in range(1, 7) for units in range(1, 7))
DIE_FACES = 6
CARRIED = frozenset(
    {TroopKind.INFANTRY, TroopKind.SPEARS, TroopKind.CAVALRY, TroopKind.GUN, *RIVER_CRAFT}
)
"""Kinds of Mahdist counters."""

MODIFIERS = {
    "march_modifiers": ("march.mounted", "march.large", "march.extension"),
    "combat_modifiers": (
        *("fire.veterans", "fire.rabble", "fire.guns", "fire.volume", "fire.gunboat", "fire.fleet"),
        *("melee.fanatics", "melee.odds2", "melee.odds3", "melee.odds4", "melee.cavalry"),
        *("terrain.hill", "terrain.village", "terrain.town"),
    ),
    "attrition_modifiers": ("attrition.extension", "attrition.mountain", "attrition.gordon"),
    "recovery_modifiers": ("recovery.town", "recovery.enemy"),
    "railway_modifiers": ("railway.osman", "railway.hill"),
    "mahdist_reinforcement_modifiers": ("draw.khartoum", "draw.berber"),
}

WITH_NUMBER = frozenset(
    {"march.large", "fire.veterans", "fire.rabble", "fire.guns", "fire.volume"}
    | {"melee.odds2", "melee.odds3", "melee.odds4", "melee.cavalry"}
)

NUMBERS = (
    *("draw.fewest", "replacement.months", "supply.monthly", "march.marches"),
    *("river.crossing", "river.captured_from", "river.capacity"),
    *("season.first", "season.last", "extension.first", "extension.last"),
    *("camel.dismount", "combat.lost_at", "supply.chain", "civilians.count"),
)

MONTHS = frozenset({"season.first", "season.last", "extension.first", "extension.last"})
MONTHS_OF_A_YEAR = 12


def check(tables: Tables) -> None:
    """Check every table by itself, then the names that one table uses of another."""
    for name, table in tables.items():
        for fault in id_faults(name, table):
            raise fault
        if name in MODIFIERS:
            _check_modifiers(table, MODIFIERS[name])
        elif name in _CHECKS:
            _CHECKS[name](table)
    for name, table in tables.items():
        if name.startswith(EVENT_TABLE):
            for fault in event_faults(table, {leader.name for leader in tables["leaders"].rows}):
                raise fault


def id_faults(name: str, table: Table[Any]) -> Iterator[TableError]:
    """Yield an error for a table that has another id than its file."""
    if table.id != name:
        reason = f"the table calls itself {table.id!r}"
        yield table.source.error("$.id", reason, f"write id = {name!r} or rename the file")


def _check_modifiers(table: Table[r.ModifierRow], keys: tuple[str, ...]) -> None:
    check_keys(table, lambda row: row.key, keys)
    for place, row in enumerate(table.rows):
        if row.key not in keys:
            raise table.error(
                place, f"the rules know no modifier {row.key!r}", f"use one of {', '.join(keys)}"
            )
        if row.key in WITH_NUMBER and not row.number:
            raise table.error(place, f"{row.key} needs its `number`", "add it, 1 or more")


def _check_numbers(table: Table[r.CampaignNumberRow]) -> None:
    check_keys(table, lambda row: row.key, NUMBERS)
    for place, row in enumerate(table.rows):
        if row.key not in NUMBERS:
            raise table.error(
                place, f"the rules read no number {row.key!r}", f"use {', '.join(NUMBERS)}"
            )
        if row.key in MONTHS and not 1 <= row.number <= MONTHS_OF_A_YEAR:
            raise table.error(place, f"there is no month {row.number}", "give 1 to 12")


def _check_pieces(table: Table[r.PieceRow]) -> None:
    check_keys(table, lambda row: (row.kind, row.nation), [(kind, None) for kind in TroopKind])


def _check_defaults(table: Table[r.DefaultRow]) -> None:
    check_keys(table, lambda row: (row.kind, row.nation))


def _check_leaders(table: Table[r.LeaderRow]) -> None:
    check_keys(table, lambda row: row.name, ("Gordon", "Mahdi", "Khalifa", "Osman Digma"))


def _check_terrain(table: Table[r.MapTerrainRow]) -> None:
    check_keys(table, lambda row: row.relief, Relief)
    for place, row in enumerate(table.rows):
        if row.cost < 1:
            raise table.error(place, "a hex costs at least 1 movement point", "raise `cost`")


def _check_roll(table: Table[Any]) -> None:
    check_steps(table, lambda row: (row.low, row.high))


def _check_attrition(table: Table[r.AttritionRow]) -> None:
    check_keys(table, lambda row: row.line, r.AttritionLine)
    for place, row in enumerate(table.rows):
        if row.unaffected != "all" and len(row.unaffected) != DIE_FACES:
            raise table.error(
                place,
                f"{row.line} has {len(row.unaffected)} numbers for the {DIE_FACES} faces of a die",
                'give 6 numbers, or "all"',
            )
    row_numbers = [place for place, row in enumerate(table.rows) if row.desert_places]
    if len(row_numbers) > 1:
        raise table.error(
            row_numbers[1], "two lines are read by places in the desert", "mark one of the two"
        )


def _check_recovery(table: Table[r.RecoveryTableRow]) -> None:
    check_keys(table, lambda row: row.quality, Quality)
    for place, row in enumerate(table.rows):
        if row.eliminated_up_to is not None and row.eliminated_up_to > row.disrupted_up_to:
            raise table.error(
                place,
                f"{row.eliminated_up_to} and less eliminates, {row.disrupted_up_to} does not",
                "let `disrupted_up_to` be the higher",
            )


def _check_rivers(table: Table[r.RiverRow]) -> None:
    keys = [
        (place, (row.craft, nation, row.navigation))
        for place, row in enumerate(table.rows)
        for nation in row.nations
    ]
    waters = [(Nav.NAVIGABLE,), (Nav.UNNAVIGABLE,)]
    _once_each(table, keys, [(c, n, *nav) for c in RIVER_CRAFT for n in Nation for nav in waters])


def _check_wrecks(table: Table[r.WreckRow]) -> None:
    keys = [
        (place, (row.craft, nation))
        for place, row in enumerate(table.rows)
        for nation in row.nations
    ]
    _once_each(table, keys, [(craft, nation) for craft in RIVER_CRAFT for nation in Nation])
    for place, row in enumerate(table.rows):
        first = next(other for other in table.rows if other.craft is row.craft)
        if (row.dice, row.wrecked_from) != (first.dice, first.wrecked_from):
            raise table.error(
                place,
                f"this {row.craft} is wrecked otherwise than the first one",
                "let `dice` and `wrecked_from` be the same for all of a kind",
            )
        _check_place(table, f"$.row[{place}].returns_to", row.returns_to)


def _once_each(
    table: Table[Any],
    keys: Sequence[tuple[int, tuple[str, ...]]],
    expected_keys: Iterable[tuple[str, ...]],
) -> None:
    seen: dict[tuple[str, ...], int] = {}
    for place, key in keys:
        if key in seen:
            raise table.error(
                place, f"{' '.join(key)} stands in row {seen[key] + 1} already", "name it once"
            )
        seen[key] = place
    for key in sorted(set(expected_keys) - set(seen)):
        raise table.source.error("$", f"{' '.join(key)} has no row", "add one or widen one")


def _check_capture(table: Table[r.CaptureRow]) -> None:
    nations = [nation for nation in Nation if nation is not Nation.MAHDIST]
    check_keys(table, lambda row: row.nation, nations)


def _check_towns(table: Table[r.TownRow]) -> None:
    check_keys(table, lambda row: row.place)
    for place, row in enumerate(table.rows):
        _check_place(table, f"$.row[{place}].place", row.place)


def _check_counters(table: Table[r.CounterRow]) -> None:
    check_keys(table, lambda row: row.kind, CARRIED)


def event_spans(table: Table[r.EventRow]) -> list[tuple[int, int, int]]:
    """Return the index of each row of an event table with its first and last result."""
    return [(place, row.low, row.high) for place, row in enumerate(table.rows)]


def event_faults(table: Table[r.EventRow], leaders: set[str]) -> Iterator[TableError]:
    """Yield every error of a table of events: throws, and places and leaders in its effects."""
    yield from span_faults(table, event_spans(table), EVENT_RESULTS)
    for place, row in enumerate(table.rows):
        where = f"$.row[{place}].effects"
        for kind, name in (pair for effect in within(row.effects) for pair in _names(effect)):
            if kind == "place" and name not in sudan().places:
                yield _no_place(table, where, name)
            if kind == "leader" and name not in leaders:
                remedy = f"use one of {', '.join(sorted(leaders))}"
                yield table.source.error(where, f"there is no leader {name!r}", remedy)


def _names(part: msgspec.Struct) -> Iterator[tuple[str, str]]:
    """Yield the places and leaders that an effect names, at any depth."""
    kinds = {"places": "place", "place": "place", "north_of": "place", "held": "place"}
    kinds |= {"leaders": "leader", "leader": "leader", "in_play": "leader"}
    for field in part.__struct_fields__:
        value = getattr(part, field)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, str) and item and field in kinds:
                yield kinds[field], item
            elif isinstance(item, msgspec.Struct) and not isinstance(item, Effect):
                yield from _names(item)


def _check_place(table: Table[Any], where: str, name: str) -> None:
    if name not in sudan().places:
        raise _no_place(table, where, name)


def _no_place(table: Table[Any], where: str, name: str) -> TableError:
    return table.source.error(
        where, f"there is no place {name!r} on the map", "correct its spelling"
    )


_CHECKS: dict[str, Callable[[Table[Any]], None]] = {
    "numbers": _check_numbers,
    "pieces": _check_pieces,
    "defaults": _check_defaults,
    "leaders": _check_leaders,
    "terrain": _check_terrain,
    "march": _check_roll,
    "combat_results": _check_roll,
    "railway": _check_roll,
    "mahdist_reinforcement": _check_roll,
    "attrition": _check_attrition,
    "recovery": _check_recovery,
    "rivers": _check_rivers,
    "wrecks": _check_wrecks,
    "capture": _check_capture,
    "town_entry": _check_towns,
    "counters": _check_counters,
}
