"""The months of a campaign with their addresses, and the state of one, as documents."""

import msgspec
from django.urls import reverse

from api.documents.maps import (
    LocationPart,
    location_part,
    map_address,
    printed_hexes,
    printed_number,
)
from api.documents.scalars import (
    Cursor,
    KindName,
    MonthOrSetUp,
    NationName,
    PhaseName,
    QualityName,
    SideName,
    SizeName,
)
from api.http.rule_json import HexName, MonthName, identifier
from battles.contract.brief import Side, TroopKind
from campaign.access.selectors import MonthLine
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import month_name, month_slug
from campaign.rules.core.state import OFF_MAP, DueUnits, State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_stack, label, line_name
from campaign.rules.prose.situation import describe_due_units, describe_marker, sieges, situation
from campaign.rules.railways import lines
from campaign.rules.sight import Sighting, View

# The months of a campaign as documents, and the addresses of their documents.


SET_UP = "set-up"
"""The month before the first, in addresses and documents."""


class MonthLinks(msgspec.Struct, frozen=True):
    """The addresses of the documents of a month."""

    state: str
    geojson: str
    despatches: str
    campaign: str


class MonthDocument(msgspec.Struct, frozen=True):
    """A month of a campaign; the one before the first is the set-up.

    `entry_count` is null for viewers from whom the fog of war hides the number of entries.
    """

    month: MonthOrSetUp
    month_name: str
    entry_count: int | None
    current: bool
    links: MonthLinks


def month_document(slug: str, line: MonthLine, *, counted: bool) -> MonthDocument:
    return MonthDocument(
        month=line.slug,
        month_name=line.name,
        entry_count=line.entries if counted else None,
        current=line.current,
        links=MonthLinks(**month_addresses(slug, line.slug)),
    )


def month_addresses(slug: str, month: str, *, itself: str = "") -> dict[str, str]:
    """Return the addresses of a month's documents; that of the document `itself` is `self`."""
    names = {"state": "state", "geojson": "map", "despatches": "despatches"}
    return {
        "self" if name == itself else name: reverse(f"api:month-{route}", args=[slug, month])
        for name, route in names.items()
    } | {"campaign": reverse("api:campaign", args=[slug])}


# The state of a campaign as a document: by ids and hexes for programs, and in words.


class UnitPart(msgspec.Struct, frozen=True):
    """A counter; `hex` and `place` are null while it is off the map.

    A leader has a `name`, most others have none.
    """

    id: int
    kind: KindName
    nation: NationName
    side: SideName
    quality: QualityName | None
    strength_points: int
    disrupted: bool
    hex: HexName | None
    place: str | None
    name: str | None
    label: str


class StackPart(msgspec.Struct, frozen=True):
    """All units of a side in a hex."""

    location: LocationPart
    side: SideName
    unit_ids: tuple[int, ...]
    strength_points: int
    disrupted_count: int
    label: str


class ControlPart(msgspec.Struct, frozen=True):
    """A place and the side that was the last to occupy it (3.2)."""

    location: LocationPart
    side: SideName


class RailheadPart(msgspec.Struct, frozen=True):
    """The built part of a railway: its hexes from its start, the last of which is `location`."""

    railway: str
    label: str
    hexes: tuple[HexName, ...]
    built_hex_count: int
    hex_count: int
    location: LocationPart


class SiegePart(msgspec.Struct, frozen=True):
    """A place with troops in it and the enemy next to it (9.12); `side` is besieged."""

    location: LocationPart
    side: SideName


class ExpectedArrivalPart(msgspec.Struct, frozen=True):
    """Units that are still to arrive: their reason, month, possible hexes, and the units."""

    month: MonthName
    month_name: str
    side: SideName
    reason: str
    locations: tuple[LocationPart, ...]
    unit_labels: tuple[str, ...]
    text: str


class EffectPart(msgspec.Struct, frozen=True):
    """A random event in force until the end of its side's player turn.

    A null `location` is everywhere.
    """

    side: SideName
    title: str
    location: LocationPart | None


class ScorePart(msgspec.Struct, frozen=True):
    """The points of both sides, by which the campaign was decided."""

    egyptian_points: int
    mahdist_points: int


class FinalResultPart(msgspec.Struct, frozen=True):
    """The end of the campaign; `winner` is null for a draw."""

    winner: SideName | None
    reason: str
    clause: str
    final_score: ScorePart | None


class SightingPart(msgspec.Struct, frozen=True):
    """A stack of which only the size is known, as seen in a month: `current` if in this one."""

    location: LocationPart
    side: SideName
    stack_size: SizeName
    seen_month: MonthName
    current: bool
    text: str


class StateLinks(msgspec.Struct, frozen=True):
    """The addresses of the state, of the month's other documents, and of the map it is on."""

    self: str
    geojson: str
    despatches: str
    campaign: str
    map: str


class StateDocument(msgspec.Struct, frozen=True):
    """The position at the end of a month, or now, as far as you may know it.

    `side` and `phase` are the player turn; the campaign says whom it waits for. If the fog of war
    hides something, `fogged` is true, and `sightings` are the enemy stacks that are not in
    `stacks`: seen from afar, or last seen in an earlier month.
    """

    campaign: str
    scenario: str
    month: MonthOrSetUp
    month_name: str
    current: bool
    cursor: Cursor | None
    side: SideName
    phase: PhaseName
    final_result: FinalResultPart | None
    situation: tuple[str, ...]
    units: tuple[UnitPart, ...]
    stacks: tuple[StackPart, ...]
    control: tuple[ControlPart, ...]
    railheads: tuple[RailheadPart, ...]
    sieges: tuple[SiegePart, ...]
    expected_arrivals: tuple[ExpectedArrivalPart, ...]
    in_force: tuple[EffectPart, ...]
    pool_counts: dict[KindName, int]
    box_counts: dict[KindName, int]
    fogged: bool
    sightings: tuple[SightingPart, ...]
    links: StateLinks


class StateContext(msgspec.Struct, frozen=True):
    """The context of a state: its campaign and month; `cursor` is None for a past month."""

    campaign: str
    month: MonthOrSetUp
    month_name: str
    current: bool
    cursor: str | None
    tables: int | None


def state_document(view: View, context: StateContext) -> StateDocument:
    """Return the state as the view shows it."""
    state = view.state
    return StateDocument(
        campaign=context.campaign,
        scenario=state.scenario,
        month=context.month,
        month_name=context.month_name,
        current=context.current,
        cursor=context.cursor,
        side=state.side,
        phase=identifier(state.phase),
        final_result=_final_result(state),
        situation=situation(state, view.counted),
        units=tuple(_unit(state, unit) for unit in board(state).units),
        stacks=stacks(state),
        control=tuple(
            ControlPart(location(state, place), side)
            for place, side in sorted(state.control.items())
        ),
        railheads=railheads(state),
        sieges=tuple(
            SiegePart(location(state, hex_id), side) for hex_id, side in sieges(state).items()
        ),
        expected_arrivals=tuple(_arrival(state, due) for due in state.due),
        in_force=tuple(
            EffectPart(
                effect.side,
                effect.title,
                None if effect.hex == OFF_MAP else location(state, effect.hex),
            )
            for effect in state.in_force
        ),
        pool_counts=_counters(state.pool),
        box_counts=_counters(state.box),
        fogged=view.fogged,
        sightings=tuple(_sighting_part(state, seen) for seen in (*view.sightings, *view.markers)),
        links=StateLinks(
            **month_addresses(context.campaign, context.month, itself="state"),
            map=map_address(state, context.tables),
        ),
    )


def _sighting_part(state: State, seen: Sighting) -> SightingPart:
    return SightingPart(
        location=location(state, seen.hex),
        side=seen.side,
        stack_size=identifier(seen.size),
        seen_month=month_slug(seen.month),
        current=seen.month == state.month and not seen.passing,
        text=describe_marker(seen, state.month),
    )


def location(state: State, hex_id: HexId) -> LocationPart:
    """Return a hex of the state's map with its place and its location in words."""
    return location_part(chart(state), hex_id)


def stacks(state: State) -> tuple[StackPart, ...]:
    """Return every stack, the Egyptian side's first, in the order of the hexes."""
    position = board(state)
    return tuple(_stack(state, side, hex_id) for side in Side for hex_id in position.hexes(side))


def railheads(state: State) -> tuple[RailheadPart, ...]:
    """Return every railway line that has been begun."""
    railways = lines(state)
    return tuple(
        RailheadPart(
            railway=line,
            label=line_name(state, line),
            hexes=printed_hexes(railways[line][:built]),
            built_hex_count=built,
            hex_count=len(railways[line]),
            location=location(state, railways[line][built - 1]),
        )
        for line, built in state.railheads.items()
        if built
    )


def _stack(state: State, side: Side, hex_id: HexId) -> StackPart:
    units = board(state).stack(side, hex_id)
    return StackPart(
        location=location(state, hex_id),
        side=side,
        unit_ids=tuple(unit.id for unit in units),
        strength_points=sum(unit.strength for unit in units),
        disrupted_count=sum(unit.disrupted for unit in units),
        label=describe_stack(units),
    )


def _unit(state: State, unit: Unit) -> UnitPart:
    off = unit.hex == OFF_MAP
    return UnitPart(
        id=unit.id,
        kind=identifier(unit.kind),
        nation=unit.nation,
        side=unit.side,
        quality=unit.quality or None,
        strength_points=unit.strength,
        disrupted=unit.disrupted,
        hex=None if off else printed_number(unit.hex),
        place=None if off else chart(state).hexes[unit.hex].place,
        name=unit.name or None,
        label=label(unit),
    )


def _arrival(state: State, due: DueUnits) -> ExpectedArrivalPart:
    return ExpectedArrivalPart(
        month=month_slug(due.month),
        month_name=month_name(due.month),
        side=due.units[0].side,
        reason=due.reason,
        locations=tuple(location(state, hex_id) for hex_id in due.at),
        unit_labels=tuple(label(unit) for unit in due.units),
        text=describe_due_units(state, due),
    )


def _counters(counts: dict[TroopKind, int]) -> dict[str, int]:
    return {identifier(kind): count for kind, count in counts.items()}


def _final_result(state: State) -> FinalResultPart | None:
    if state.result is None:
        return None
    score = state.score
    return FinalResultPart(
        state.result.winner,
        state.result.reason,
        state.result.clause,
        ScorePart(score.egyptian, score.mahdist) if score else None,
    )
