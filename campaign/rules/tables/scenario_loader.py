"""The scenarios of chapter 2: loading by name, and the checks of a scenario by itself."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

import msgspec

from battles.contract.brief import AFLOAT, RIVER_CRAFT, Side, TroopKind
from battles.core.tables import Source, TableError
from campaign.rules import scenario_files
from campaign.rules.core.pieces import Month, month_from_text
from campaign.rules.map import HexId, LayerError, Map, MapError
from campaign.rules.tables.scenario_data import (
    ArrivalGroup,
    PositionTaken,
    Scenario,
    ScenarioFrame,
    ScheduledCounter,
    SetUpArea,
    SiegeMaintained,
    StartingPost,
    StartingStack,
    Unbesieged,
    UnitSpec,
    area_hexes,
)
from campaign.rules.tables.victory_blocks import PlacesHeld, SideSurvives

_PLACES = frozenset(
    {"at", "nearest", "place", "places", "around", "upstream_of", "settled_south_of", "not_near"}
    | {"begins_at", "also", "not_at", "replaced_at", "unless_besieged", "down_from"}
)
_IN_PLAY = frozenset({"at", "place", "places", "begins_at", "replaced_at"})
"""Fields of places that have to be in hexes open to play."""
_NEEDED = frozenset({"begins_at", "down_from", "nearest", "place"})
"""Fields of places that cannot be left empty."""
_SPOTS = frozenset({"at", "nearest", "also", "around", "not_near", "not_at", "replaced_at"})
"""Fields in which the number of a hex will do as well as the name of a place."""
_MONTHS = frozenset({"month", "since", "until"})
_RIVERS = frozenset({"beside", "river"})
_SLUG = re.compile(r"(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*")
MOST_MONTHS = 60
MOST_COUNTERS = 400


def check(source: Source, read: Scenario) -> None:
    """Raise TableError for unknown names, invalid months or set-ups, or broken railway lines."""
    if not _SLUG.fullmatch(read.slug):
        raise source.error(
            "$.slug",
            f"{read.slug!r} cannot stand in an address",
            "use small letters and figures joined by hyphens, at most 60",
        )
    check_frame(source, read)
    for where, field, word in _words(read, "$"):
        _check_word(source, where, (field, word), read.chart)
    _check_numbers(source, read)
    _check_areas(source, read)
    for place, stack in enumerate(read.stack):
        _check_stack(source, read, (place, stack))
    _check_apart(source, read)
    for where, group in groups(read):
        _check_group(source, where, group)
    _check_lines(source, read)
    _check_victory(source, read)
    if read.taken_up is not None:
        _check_taken_up(source, read, read.taken_up)


def units(read: Scenario) -> Iterator[tuple[str, UnitSpec]]:
    """Yield every line of units in the scenario, with its path in the file."""
    for place, stack in enumerate(read.stack):
        for nth, post in enumerate(stack.posts):
            where = f"$.stack[{place}].posts[{nth}]"
            yield from ((f"{where}.units[{n}]", spec) for n, spec in enumerate(post.units))
    for where, group in groups(read):
        yield from ((f"{where}.units[{n}]", spec) for n, spec in enumerate(group.units))


def groups(read: Scenario) -> Iterator[tuple[str, ArrivalGroup]]:
    """Yield every group that comes later, with its path in the file."""
    yield from ((f"$.reinforcement[{n}]", group) for n, group in enumerate(read.reinforcement))
    yield from ((f"$.force[{n}]", group) for n, group in enumerate(read.force))


def _check_numbers(source: Source, read: Scenario) -> None:
    """Raise TableError for too many counters or for an id used twice."""
    count = 0
    for where, spec in units(read):
        count += spec.count
        if count > MOST_COUNTERS:
            raise source.error(where, f"there are more than {MOST_COUNTERS} counters", "use fewer")
    stacks = ((f"$.stack[{n}]", stack.id) for n, stack in enumerate(read.stack))
    lines = ((f"$.line[{n}]", line.id) for n, line in enumerate(read.line))
    for named in (stacks, ((where, group.id) for where, group in groups(read)), lines):
        _check_ids(source, named)


def _check_ids(source: Source, named: Iterable[tuple[str, str]]) -> None:
    seen: set[str] = set()
    for where, name in named:
        if name in seen:
            raise source.error(where, f"{name!r} stands there already", "give it an id of its own")
        seen.add(name)


def check_frame(source: Source, read: ScenarioFrame) -> None:
    """Raise TableError, with the field, for invalid months or a layer that the map cannot have."""
    for field, word in (("start", read.start), ("end", read.end)):
        try:
            month_from_text(word)
        except ValueError as error:
            raise _no_month(source, f"$.{field}", word) from error
    if read.first_month > read.last_month:
        raise source.error("$.end", "the scenario ends before it begins", "let it end later")
    if read.last_month - read.first_month >= MOST_MONTHS:
        raise source.error("$.end", f"it lasts longer than {MOST_MONTHS} months", "end it earlier")
    try:
        chart = read.chart
    except LayerError as error:
        raise source.error(f"$.map.{error.field}", str(error), "correct it") from error
    if all(hex_.closed or hex_.sea for hex_ in chart.hexes.values()):
        raise source.error("$.map", "no hex is left in play", "close fewer hexes")


def _check_taken_up(source: Source, read: Scenario, position: PositionTaken) -> None:
    """Raise TableError for holders of what is no place, and for unknown lines and forces."""
    places = {place.hex for place in read.chart.places.values()}
    for field, numbers in (("control", position.control), ("vacant", position.vacant)):
        for number in numbers:
            if HexId(int(number)) not in places:
                raise source.error(
                    f"$.taken_up.{field}", f"no place is in hex {number}", "leave it out"
                )
    for field, names, known in (
        ("railheads", position.railheads, {line.id for line in read.line}),
        ("called", position.called, {group.id for group in read.force}),
    ):
        for name in names:
            if name not in known:
                raise source.error(
                    f"$.taken_up.{field}", f"the scenario has no {name!r}", "leave it out"
                )


def _check_victory(source: Source, read: Scenario) -> None:
    """Raise TableError for conditions that can never hold, or that share a count of turns."""
    counted: set[str] = set()
    for place, one in enumerate(read.victory):
        where = f"$.victory[{place}]"
        if isinstance(one, PlacesHeld) and one.least > len(one.places):
            raise source.error(
                f"{where}.least",
                f"{one.least} places cannot be held of {len(one.places)}",
                "lower it, or name more places",
            )
        if isinstance(one, SideSurvives):
            _check_survival(source, read, (where, one))
        if isinstance(one, Unbesieged | SiegeMaintained):
            if one.winner in counted:
                raise source.error(
                    where,
                    f"another condition counts Egyptian turns for {one.winner} already",
                    "name all its places in one condition",
                )
            counted.add(one.winner)


def _check_survival(source: Source, read: Scenario, named: tuple[str, SideSurvives]) -> None:
    where, one = named
    if not (one.places or one.leader or one.left):
        raise source.error(
            where, "nothing is named that has to survive", "give `places`, `leader` or `left`"
        )
    if not read.first_month <= month_from_text(one.until) <= read.last_month:
        raise source.error(
            f"{where}.until",
            f"{one.until} is not a month of the scenario",
            f"use one from {read.start} to {read.end}",
        )


def _check_areas(source: Source, read: Scenario) -> None:
    for where, area in _areas(read):
        try:
            area_hexes(area, read.chart)
        except (MapError, ValueError) as error:
            raise source.error(
                where, f"the area has no meaning: {error}", "name what it lies beside or round"
            ) from error
    for place, ban in enumerate(read.ban):
        if ban.river not in read.chart.river_at(read.chart.place(ban.down_from).hex):
            raise source.error(
                f"$.ban[{place}]", f"{ban.down_from} is not on that river", "name a place beside it"
            )


def _areas(read: Scenario) -> Iterator[tuple[str, SetUpArea]]:
    yield "$.mahdist_places", read.mahdist_places
    yield from ((f"$.stack[{n}].area", stack.area) for n, stack in enumerate(read.stack))
    yield from ((f"$.rising[{n}].area", rising.area) for n, rising in enumerate(read.rising))


def _check_apart(source: Source, read: Scenario) -> None:
    """Raise TableError when both sides start in one hex, or craft off a river (2.1, 6.1)."""
    stands: dict[HexId, Side] = {}
    for place, stack in enumerate(read.stack):
        where = f"$.stack[{place}]"
        for hex_id, spec in read.deployment(stack):
            at = read.chart.describe(hex_id)
            if stands.setdefault(hex_id, stack.side) is not stack.side:
                raise source.error(where, f"both sides begin at {at}", "move one of them")
            if spec.unit in RIVER_CRAFT and not read.chart.river_at(hex_id):
                raise source.error(where, f"{at} is beside no river", f"move the {spec.unit}")


def _check_group(source: Source, where: str, group: ArrivalGroup) -> None:
    if len({spec.nation.side for spec in group.units}) > 1:
        raise source.error(where, "the group has units of both sides", "make two groups of it")
    if where.startswith("$.reinforcement") and not group.month:
        raise source.error(where, "nobody knows when they come", "give their `month`")


def _check_lines(source: Source, read: Scenario) -> None:
    for place, line in enumerate(read.line):
        where = f"$.line[{place}]"
        _check_tracks(source, where, line.tracks, read.chart)
        hexes = line.hexes(read.chart)
        if any(read.chart.hexes[hex_id].closed for hex_id in hexes):
            raise source.error(
                where, "part of the line is closed to play", "open its hexes, or leave it out"
            )
        if hexes[0] != read.chart.place(line.begins_at).hex:
            raise source.error(
                where, f"the line does not begin at {line.begins_at}", "turn it round"
            )


def _words(part: msgspec.Struct, where: str) -> Iterator[tuple[str, str, str]]:
    """Yield every text in the scenario, with its path in the file, its field, and itself."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if isinstance(value, dict):
            continue
        if isinstance(value, msgspec.Struct):
            yield from _words(value, f"{where}.{field}")
        for place, item in enumerate(value if isinstance(value, tuple) else (value,)):
            at = f"{where}.{field}[{place}]" if isinstance(value, tuple) else f"{where}.{field}"
            if isinstance(item, str) and (item or field in _NEEDED):
                yield f"{where}.{field}", field, item
            elif isinstance(item, msgspec.Struct) and isinstance(value, tuple):
                yield from _words(item, at)


def _check_word(source: Source, where: str, named: tuple[str, str], chart: Map) -> None:
    field, word = named
    try:
        if not word:
            raise source.error(where, "no place is named", "name one")
        if field in _PLACES and not where.startswith("$.map."):
            there = chart.spot(word) if field in _SPOTS else chart.place(word).hex
            if field in _IN_PLAY and chart.hexes[there].closed:
                raise source.error(
                    where,
                    f"{word} is closed to play in this scenario",
                    "open its hex, or name another place",
                )
        elif field in _MONTHS:
            month_from_text(word)
        elif field == "region":
            chart.region(word)
    except MapError as error:
        raise source.error(where, str(error).rstrip("."), "correct its spelling") from error
    except ValueError as error:
        raise _no_month(source, where, word) from error
    if field in _RIVERS and word not in chart.rivers:
        raise source.error(
            where, f"there is no river {word!r}", f"use one of {', '.join(chart.rivers)}"
        )


def _no_month(source: Source, where: str, word: str) -> TableError:
    return source.error(where, f"{word!r} is not a month", "write it like 1884-02")


def _check_stack(source: Source, read: Scenario, placed: tuple[int, StartingStack]) -> None:
    place, stack = placed
    where = f"$.stack[{place}]"
    if len({spec.nation.side for spec in stack.units}) > 1:
        raise source.error(where, "the stack has units of both sides", "make two stacks of it")
    if not read.set_up_hexes(stack):
        raise source.error(where, "the stack has nowhere to stand", "change `at` or `area`")
    most = stack.area.most
    crowded = [hex_id for hex_id, count in _crowds(read, stack).items() if count > most > 0]
    if crowded:
        raise source.error(
            where,
            f"more than {most} units stand at {read.chart.describe(crowded[0])}",
            "spread them over more posts",
        )


def _crowds(read: Scenario, stack: StartingStack) -> Counter[HexId]:
    counts: Counter[HexId] = Counter()
    for hex_id, spec in read.deployment(stack):
        counts[hex_id] += 0 if spec.unit in AFLOAT or spec.unit is TroopKind.LEADER else spec.count
    return counts


def _check_tracks(source: Source, where: str, tracks: tuple[str, ...], chart: Map) -> None:
    known = chart.tracks
    for track in tracks:
        if track not in known:
            raise source.error(
                where, f"there is no track {track!r}", f"use one of {', '.join(known)}"
            )
    for one, other in pairwise(tracks):
        if known[one].hexes[-1] != known[other].hexes[0]:
            raise source.error(
                where, f"{other} does not begin where {one} ends", "put the tracks in order"
            )


__all__ = [
    "ArrivalGroup",
    "Scenario",
    "ScheduledCounter",
    "StartingPost",
    "StartingStack",
    "UnitSpec",
    "UnknownScenario",
    "find",
    "first_campaign",
    "read_named",
    "read_scenario",
    "scenario",
    "scenarios",
    "sources",
]


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
    read = source.convert(source.document(), Scenario)
    check(source, read)
    return read
