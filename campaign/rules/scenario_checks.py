"""What a scenario must hold before anybody plays it; a TableError says where it does not."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from battles.core.tables import Source
from campaign.rules.map import HexId, MapError, sudan
from campaign.rules.pieces import AFLOAT, Kind, month_from_text
from campaign.rules.scenario_data import Scenario, Stack, UnitSpec
from campaign.rules.table_checks import SCENARIOS

_PLACES = frozenset(
    {"at", "nearest", "place", "places", "around", "upstream_of", "settled_south_of", "not_near"}
    | {"begins_at", "also", "not_at", "replaced_at", "unless_besieged", "down_from"}
)
_MONTHS = frozenset({"start", "end", "month", "since"})
_RIVERS = frozenset({"beside", "river"})


def check(source: Source, read: Scenario) -> None:
    """Names are on the map, months are months, set-ups are lawful, lines run on."""
    if read.slug not in SCENARIOS:
        raise source.error(
            "$.slug", f"the tables know no scenario {read.slug!r}", f"use {' or '.join(SCENARIOS)}"
        )
    for where, field, word in _words(read, "$"):
        _check_word(source, where, (field, word))
    if read.first_month > read.last_month:
        raise source.error("$.end", "the scenario ends before it begins", "let it end later")
    for place, stack in enumerate(read.stack):
        _check_stack(source, read, (place, stack))
    for place, line in enumerate(read.line):
        where = f"$.line[{place}]"
        _check_tracks(source, where, line.tracks)
        if line.hexes[0] != sudan().place(line.begins_at).hex:
            raise source.error(
                where, f"the line does not begin at {line.begins_at}", "turn it round"
            )


def _words(part: msgspec.Struct, where: str) -> Iterator[tuple[str, str, str]]:
    """Every text in the scenario, with the part of the file it stands in and its field."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if isinstance(value, msgspec.Struct):
            yield from _words(value, f"{where}.{field}")
        for place, item in enumerate(value if isinstance(value, tuple) else (value,)):
            at = f"{where}.{field}[{place}]" if isinstance(value, tuple) else f"{where}.{field}"
            if isinstance(item, str) and item:
                yield f"{where}.{field}", field, item
            elif isinstance(item, msgspec.Struct) and isinstance(value, tuple):
                yield from _words(item, at)


def _check_word(source: Source, where: str, named: tuple[str, str]) -> None:
    field, word = named
    try:
        if field in _PLACES:
            sudan().place(word)
        elif field in _MONTHS:
            month_from_text(word)
        elif field == "region":
            sudan().region(word)
    except MapError as error:
        raise source.error(where, str(error).rstrip("."), "correct its spelling") from error
    except ValueError as error:
        raise source.error(where, f"{word!r} is not a month", "write it like 1884-02") from error
    if field in _RIVERS and word not in sudan().rivers:
        raise source.error(
            where, f"there is no river {word!r}", f"use one of {', '.join(sudan().rivers)}"
        )


def _check_stack(source: Source, read: Scenario, placed: tuple[int, Stack]) -> None:
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
            f"more than {most} units stand at {sudan().describe(crowded[0])}",
            "spread them over more posts",
        )


def _crowds(read: Scenario, stack: Stack) -> Counter[HexId]:
    counts: Counter[HexId] = Counter()
    for hex_id, spec in read.deployment(stack):
        counts[hex_id] += _counted(spec)
    return counts


def _counted(spec: UnitSpec) -> int:
    return 0 if spec.unit in AFLOAT or spec.unit is Kind.LEADER else spec.count


def _check_tracks(source: Source, where: str, tracks: tuple[str, ...]) -> None:
    known = sudan().tracks
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
