"""Checks of a scenario by itself: every fault that does not follow from another is found.

`scenario_loader` refuses a scenario with the first of them; the workshop shows all.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

import msgspec

from battles.contract.brief import AFLOAT, RIVER_CRAFT, Side, TroopKind
from battles.core.tables import Source, TableError
from battles.core.validation import MOST_WRONG, PartialReader
from campaign.rules.core.pieces import meet_ashore, month_from_text
from campaign.rules.map import HexId, Map, MapError, layer_faults, sound_part
from campaign.rules.tables.scenario_blocks import PlacesHeld, SetUpArea, SideSurvives, area_hexes
from campaign.rules.tables.scenario_data import (
    ArrivalGroup,
    Scenario,
    SiegeMaintained,
    StartingStack,
    Unbesieged,
    UnitSpec,
)

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
Kinds = defaultdict[HexId, dict[Side, list[TroopKind]]]
"""The kinds of units that each side has in each hex."""
_RIVERS = frozenset({"beside", "river"})
_SLUG = re.compile(r"(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*")
MOST_MONTHS = 60
MOST_COUNTERS = 400
_FIRST = ("$.slug", "$.start", "$.end", "$.map")
"""Parts of a scenario without which the others mean little: their faults come first."""


class FaultList:
    """The faults of a scenario found so far, and the parts of it that are free of them.

    Its methods take paths of what was read; `_wrong` has those of the document, where parts that
    cannot be read are numbered too.
    """

    def __init__(self, source: Source, reader: PartialReader | None = None) -> None:
        reader = reader or PartialReader()
        self.found = [source.error(*part) for part in reader.wrong]
        self._source = source
        self._original = reader.original
        paths = (part.where for part in reader.wrong)
        self._wrong = {
            where
            for where in paths
            if where.count(".") == 1 or where.startswith(("$.map.", "$.events."))
        }

    @property
    def full(self) -> bool:
        """Return whether there are as many faults as are noted."""
        return len(self.found) >= MOST_WRONG

    def add(self, where: str, reason: str, remedy: str) -> None:
        """Note a fault at a path of what was read, unless one was found there before."""
        if not self.full and self.clean(where):
            self.found.append(self._source.error(self._original(where), reason, remedy))
        self._wrong.add(self._original(where))

    def note(self, error: TableError) -> None:
        """Note a fault of another file, such as a table of events."""
        self.found.append(error)

    def has(self, where: str) -> bool:
        """Return whether a fault was found of this very part, not of one within it."""
        return self._original(where) in self._wrong

    def clean(self, *parts: str) -> bool:
        """Return whether no fault was found in these parts, such as `$.stack[2]`."""
        return not any(
            where == part or where.startswith((f"{part}.", f"{part}["))
            for part in map(self._original, parts)
            for where in self._wrong
        )


def read_partly(source: Source) -> tuple[Scenario, FaultList]:
    """Return what can be read of a scenario's file, and every fault that it has by itself.

    Where a part of the map is wrong the scenario has the places and tracks of the rest. Raise
    TableError for a file that is not TOML.
    """
    reader = PartialReader()
    read: Scenario = reader.read(source.document(), Scenario)
    faults = FaultList(source, reader)
    if faults.clean("$.slug") and not _SLUG.fullmatch(read.slug):
        remedy = "use small letters and figures joined by hyphens, at most 60"
        faults.add("$.slug", f"{read.slug!r} cannot stand in an address", remedy)
    if faults.clean("$.title") and not read.title.strip():
        faults.add("$.title", "the scenario has no title", "write one")
    _check_months(faults, read)
    _check_layer(faults, read)
    if not faults.clean("$.map"):
        read = msgspec.structs.replace(read, map=sound_part(read.map))
    # Months and map first: a wrong month is shown before units and victory are written.
    faults.found.sort(key=lambda fault: not fault.where.startswith(_FIRST))
    for where, field, word in _words(read, "$"):
        if not faults.full:  # guesses at what was meant take time
            _check_word(faults, where, (field, word), read.chart)
    if not faults.full:
        _check_together(faults, read)
    return read, faults


def _check_together(faults: FaultList, read: Scenario) -> None:
    """Check the parts against each other, where they are free of faults by themselves."""
    _check_numbers(faults, read)
    _check_areas(faults, read)
    sound = [
        n for n, stack in enumerate(read.stack) if stack.units and faults.clean(f"$.stack[{n}]")
    ]
    stacks = tuple(read.stack[n] for n in sound)
    _check_lines(faults, read)
    lines = tuple(line for n, line in enumerate(read.line) if faults.clean(f"$.line[{n}]"))
    _check_stacks(faults, msgspec.structs.replace(read, stack=stacks, line=lines), sound)
    for where, group in groups(read):
        _check_group(faults, where, group)
    _check_victory(faults, read)
    _check_taken_up(faults, read)


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


def _check_months(faults: FaultList, read: Scenario) -> None:
    for field, word in (("start", read.start), ("end", read.end)):
        if faults.clean(f"$.{field}"):
            _check_month(faults, f"$.{field}", word)
    if not faults.clean("$.start", "$.end"):
        return
    if read.first_month > read.last_month:
        faults.add("$.end", "the scenario ends before it begins", "let it end later")
    elif read.last_month - read.first_month >= MOST_MONTHS:
        faults.add("$.end", f"it lasts longer than {MOST_MONTHS} months", "end it earlier")


def _check_month(faults: FaultList, where: str, word: str) -> None:
    try:
        month_from_text(word)
    except ValueError:
        faults.add(where, f"{word!r} is not a month", "write it like 1884-02")


def _check_layer(faults: FaultList, read: Scenario) -> None:
    for fault in layer_faults(read.map):
        faults.add(f"$.map.{fault.field}", str(fault), "correct it")
    if not faults.clean("$.map"):
        return
    if all(hex_.closed or hex_.sea for hex_ in read.chart.hexes.values()):
        faults.add("$.map", "no hex is left in play", "close fewer hexes")


def _words(part: msgspec.Struct, where: str) -> Iterator[tuple[str, str, str]]:
    """Yield every text in the scenario, with its path in the file, its field, and itself."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if isinstance(value, dict):
            continue
        if isinstance(value, msgspec.Struct):
            yield from _words(value, f"{where}.{field}")
        for place, item in enumerate(value if isinstance(value, tuple) else (value,)):
            listed = isinstance(value, tuple)
            path = f"{where}.{field}[{place}]" if listed else f"{where}.{field}"
            needed = _PLACES if listed else _NEEDED
            if isinstance(item, str) and (item or field in needed):
                yield path, field, item
            elif isinstance(item, msgspec.Struct) and listed:
                yield from _words(item, path)


def _check_word(faults: FaultList, where: str, reference: tuple[str, str], chart: Map) -> None:
    field, word = reference
    if not word:
        faults.add(where, "no place is named", "name one")
    elif field in _PLACES and not where.startswith("$.map."):
        _check_place(faults, where, reference, chart)
    elif field in _MONTHS:
        _check_month(faults, where, word)
    elif field == "region" and word not in chart.regions:
        message = f"There is no region {word!r}; there are {', '.join(chart.regions)}"
        faults.add(where, message, "correct its spelling")
    elif field in _RIVERS and word not in chart.rivers:
        message = f"use one of {', '.join(chart.rivers)}"
        faults.add(where, f"there is no river {word!r}", message)


def _check_place(faults: FaultList, where: str, reference: tuple[str, str], chart: Map) -> None:
    field, word = reference
    try:
        hex_id = chart.spot(word) if field in _SPOTS else chart.place(word).hex
    except MapError as error:
        return faults.add(where, str(error).rstrip("."), "correct its spelling")
    if field in _IN_PLAY and chart.hexes[hex_id].closed:
        remedy = "open its hex, or name another place"
        faults.add(where, f"{word} is closed to play in this scenario", remedy)
    return None


def _check_numbers(faults: FaultList, read: Scenario) -> None:
    """Note too many counters, and each id that is used twice."""
    count = 0
    for where, spec in units(read):
        count += spec.count
        if count > MOST_COUNTERS:
            faults.add(where, f"there are more than {MOST_COUNTERS} counters", "use fewer")
            break
    stacks = ((f"$.stack[{n}]", stack.id) for n, stack in enumerate(read.stack))
    lines = ((f"$.line[{n}]", line.id) for n, line in enumerate(read.line))
    for pairs in (stacks, ((where, group.id) for where, group in groups(read)), lines):
        seen: set[str] = set()
        for where, name in pairs:
            if name in seen:
                faults.add(where, f"{name!r} stands there already", "give it an id of its own")
            seen.add(name)


def _check_areas(faults: FaultList, read: Scenario) -> None:
    for where, area in _areas(read):
        if not faults.clean(where):
            continue
        try:
            area_hexes(area, read.chart)
        except (MapError, ValueError) as error:
            remedy = "name what it lies beside or round"
            faults.add(where, f"the area has no meaning: {error}", remedy)
    for n, ban in enumerate(read.ban):
        where = f"$.ban[{n}]"
        if not faults.clean(where):
            continue
        if ban.river not in read.chart.river_at(read.chart.place(ban.down_from).hex):
            faults.add(where, f"{ban.down_from} is not on that river", "name a place beside it")


def _areas(read: Scenario) -> Iterator[tuple[str, SetUpArea]]:
    yield "$.mahdist_places", read.mahdist_places
    yield from ((f"$.stack[{n}].area", stack.area) for n, stack in enumerate(read.stack))
    yield from ((f"$.rising[{n}].area", rising.area) for n, rising in enumerate(read.rising))


def _check_stacks(faults: FaultList, read: Scenario, numbers: Iterable[int]) -> None:
    """Check where stacks stand (2.1, 6.1); `numbers` are theirs in the whole scenario."""
    kinds: Kinds = defaultdict(lambda: {side: [] for side in Side})
    for number, stack in zip(numbers, read.stack, strict=True):
        where = f"$.stack[{number}]"
        if len({spec.nation.side for spec in stack.units}) > 1:
            faults.add(where, "the stack has units of both sides", "make two stacks of it")
        elif not read.set_up_hexes(stack):
            faults.add(where, "the stack has nowhere to stand", "change `at` or `area`")
        else:
            _check_crowds(faults, read, where, stack)
            _check_apart(faults, read, (where, stack), kinds)


def _check_crowds(faults: FaultList, read: Scenario, where: str, stack: StartingStack) -> None:
    counts: Counter[HexId] = Counter()
    for hex_id, spec in read.deployment(stack):
        counts[hex_id] += 0 if spec.kind in AFLOAT or spec.kind is TroopKind.LEADER else spec.count
    most = stack.area.most
    for hex_id, count in counts.items():
        if count > most > 0:
            place = read.chart.describe(hex_id)
            remedy = "spread them over more posts"
            return faults.add(where, f"more than {most} units stand at {place}", remedy)
    return None


def _check_apart(
    faults: FaultList,
    read: Scenario,
    placed: tuple[str, StartingStack],
    kinds: Kinds,
) -> None:
    """Note a stack that begins ashore with the enemy, or craft on dry land (2.1, 6.1, 8.23)."""
    where, stack = placed
    rails = read.railway_hexes
    deployment = list(read.deployment(stack))
    for hex_id, spec in deployment:
        kinds[hex_id][stack.side].append(spec.kind)
    for hex_id, spec in deployment:
        place = read.chart.describe(hex_id)
        if meet_ashore(*kinds[hex_id].values()):
            faults.add(where, f"both sides begin at {place}", "move one of them")
        if spec.kind in RIVER_CRAFT and not (read.chart.river_at(hex_id) or hex_id in rails):
            faults.add(where, f"{place} is beside no river", f"move the {spec.kind}")


def _check_group(faults: FaultList, where: str, group: ArrivalGroup) -> None:
    if len({spec.nation.side for spec in group.units}) > 1:
        faults.add(where, "the group has units of both sides", "make two groups of it")
    if where.startswith("$.reinforcement") and not group.month:
        faults.add(f"{where}.month", "nobody knows when they come", "give their `month`")


def _check_lines(faults: FaultList, read: Scenario) -> None:
    for n, line in enumerate(read.line):
        where = f"$.line[{n}]"
        _check_tracks(faults, where, line.tracks, read.chart)
        if not line.tracks or not faults.clean(where):
            continue
        hexes = line.hexes(read.chart)
        if any(read.chart.hexes[hex_id].closed for hex_id in hexes):
            remedy = "open its hexes, or leave it out"
            faults.add(where, "part of the line is closed to play", remedy)
        elif hexes[0] != read.chart.place(line.begins_at).hex:
            faults.add(where, f"the line does not begin at {line.begins_at}", "turn it round")


def _check_tracks(faults: FaultList, where: str, tracks: tuple[str, ...], chart: Map) -> None:
    existing_tracks = chart.tracks
    for track in tracks:
        if track not in existing_tracks:
            faults.add(
                where, f"there is no track {track!r}", f"use one of {', '.join(existing_tracks)}"
            )
    for previous, other in pairwise(track for track in tracks if track in existing_tracks):
        if existing_tracks[previous].hexes[-1] != existing_tracks[other].hexes[0]:
            reason = f"{other} does not begin where {previous} ends"
            faults.add(where, reason, "put the tracks in order")


def _check_victory(faults: FaultList, read: Scenario) -> None:
    """Note conditions that can never hold, or that share a count of turns."""
    winners: set[str] = set()
    for n, condition in enumerate(read.victory):
        where = f"$.victory[{n}]"
        if isinstance(condition, PlacesHeld) and condition.least > len(condition.places) > 0:
            reason = f"{condition.least} places cannot be held of {len(condition.places)}"
            faults.add(f"{where}.least", reason, "lower it, or name more places")
        if isinstance(condition, SideSurvives):
            _check_survival(faults, read, where, condition)
        if isinstance(condition, Unbesieged | SiegeMaintained):
            if condition.winner in winners:
                reason = f"another condition counts Egyptian turns for {condition.winner} already"
                faults.add(where, reason, "name all its places in one condition")
            winners.add(condition.winner)


def _check_survival(faults: FaultList, read: Scenario, where: str, condition: SideSurvives) -> None:
    if not (condition.places or condition.leader or condition.left):
        remedy = "give `places`, `leader` or `left`"
        faults.add(where, "nothing is named that has to survive", remedy)
    until = f"{where}.until"
    if not faults.clean("$.start", "$.end", until):
        return
    if not read.first_month <= month_from_text(condition.until) <= read.last_month:
        remedy = f"use one from {read.start} to {read.end}"
        faults.add(until, f"{condition.until} is not a month of the scenario", remedy)


def _check_taken_up(faults: FaultList, read: Scenario) -> None:
    """Note holders of what is no place, and unknown lines and forces."""
    position = read.taken_up
    if position is None:
        return
    places = {place.hex for place in read.chart.places.values()}
    for field, numbers in (("control", position.control), ("vacant", position.vacant)):
        for number in numbers:
            if HexId(int(number)) not in places:
                faults.add(f"$.taken_up.{field}", f"no place is in hex {number}", "leave it out")
    for field, names, ids in (
        ("railheads", position.railheads, {line.id for line in read.line}),
        ("called", position.called, {group.id for group in read.force}),
    ):
        for name in names:
            if name not in ids:
                reason = f"the scenario has no {name!r}"
                faults.add(f"$.taken_up.{field}", reason, "leave it out")
