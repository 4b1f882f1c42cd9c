"""The state of a campaign as a document: by ids and hexes for programs, and in words."""

import msgspec

from api.documents.maps import printed
from api.documents.rulebook import MonthPart
from api.documents.scalars import (
    Cursor,
    HexName,
    KindName,
    MonthName,
    MonthOrSetUp,
    NationName,
    PhaseName,
    QualityName,
    SideName,
    SizeName,
)
from battles.contract.brief import Side, TroopKind
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import month_name, month_slug
from campaign.rules.core.state import OFF_MAP, DueUnits, State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack, label, line_name
from campaign.rules.prose.situation import describe_due_units, describe_marker, sieges, situation
from campaign.rules.railways import lines
from campaign.rules.sight import Sighting, View


class SpotPart(msgspec.Struct, frozen=True):
    """A hex, its place if there is one, and its location in words."""

    hex: HexName
    place: str | None
    where: str


class UnitPart(msgspec.Struct, frozen=True):
    """A counter; `hex` is null while it is off the map.

    `id` is the number by which orders, answers and events name it, `strength` is in strength points
    of 200 to 250 men each; a leader has a `name`, most others have none.
    """

    id: int
    kind: KindName
    nation: NationName
    side: SideName
    quality: QualityName
    strength: int
    disrupted: bool
    hex: HexName | None
    place: str | None
    name: str
    words: str


class StackPart(msgspec.Struct, frozen=True):
    """All units of a side in a hex, by their numbers.

    `strength` is their sum in strength points, `disrupted` the number of disrupted units.
    """

    at: SpotPart
    side: SideName
    units: tuple[int, ...]
    strength: int
    disrupted: int
    words: str


class ControlPart(msgspec.Struct, frozen=True):
    """A place and the side that was the last to occupy it (3.2)."""

    at: SpotPart
    side: SideName


class RailheadPart(msgspec.Struct, frozen=True):
    """The built part of a railway line: `built` hexes of `length`.

    `hexes` are those, from its start; the last of them is `at`.
    """

    line: str
    words: str
    hexes: tuple[HexName, ...]
    built: int
    length: int
    at: SpotPart


class SiegePart(msgspec.Struct, frozen=True):
    """A place with troops in it and the enemy next to it (9.12); `side` is besieged."""

    at: SpotPart
    side: SideName


class DuePart(msgspec.Struct, frozen=True):
    """Units that are still to arrive: their `reason`, month, possible hexes, and the units."""

    month: MonthName
    month_name: str
    side: SideName
    reason: str
    at: tuple[SpotPart, ...]
    units: tuple[str, ...]
    words: str


class EffectPart(msgspec.Struct, frozen=True):
    """A random event in force until the end of its side's player turn; `at` null is everywhere."""

    side: SideName
    title: str
    at: SpotPart | None


class WaitingPart(msgspec.Struct, frozen=True):
    """The answer that the campaign waits for, and the side to give it."""

    side: SideName
    words: str


class ResultPart(msgspec.Struct, frozen=True):
    """The end of the campaign; `winner` is null for a draw."""

    winner: SideName | None
    reason: str
    clause: str


class SightingPart(msgspec.Struct, frozen=True):
    """A stack of which only the size is known, as seen in `month`; `now` if that is current."""

    at: SpotPart
    side: SideName
    size: SizeName
    month: MonthName
    now: bool
    words: str


class StateDocument(msgspec.Struct, frozen=True):
    """The position at the end of a month, or now, as far as you may know it.

    `current`: it is the position now; `side` and `phase` are the player turn. `situation` describes
    it in sentences. `pool` and `box` count, by kind, the Mahdists' counters that are off the map:
    the pool they are drawn from (3.2), and those beside it. `cursor` is where the feed of events
    goes on.

    If the fog of war hides something, `fogged` is true, and `sightings` are the enemy stacks that
    are not in `stacks`: seen from afar, or last seen in an earlier month.
    """

    campaign: str
    scenario: str
    month: MonthOrSetUp
    month_name: str
    current: bool
    cursor: Cursor | None
    side: SideName
    phase: PhaseName
    waiting_for: WaitingPart | None
    result: ResultPart | None
    situation: tuple[str, ...]
    units: tuple[UnitPart, ...]
    stacks: tuple[StackPart, ...]
    control: tuple[ControlPart, ...]
    railheads: tuple[RailheadPart, ...]
    sieges: tuple[SiegePart, ...]
    due: tuple[DuePart, ...]
    in_force: tuple[EffectPart, ...]
    pool: dict[str, int]
    box: dict[str, int]
    fogged: bool
    sightings: tuple[SightingPart, ...]
    links: dict[str, str]


class Setting(msgspec.Struct, frozen=True):
    """The context of a state: its campaign, month and links.

    `waiting_for` and `cursor` are those of the campaign now, and None for a past month.
    """

    campaign: str
    month: MonthPart
    current: bool
    cursor: str | None
    waiting_for: str | None
    links: dict[str, str]


def state_document(view: View, setting: Setting) -> StateDocument:
    """Return the state as the view shows it."""
    state = view.state
    return StateDocument(
        campaign=setting.campaign,
        scenario=state.scenario,
        month=setting.month.month,
        month_name=setting.month.name,
        current=setting.current,
        cursor=setting.cursor,
        side=state.side,
        phase=state.phase,
        waiting_for=_waiting_for(state, setting),
        result=_result(state),
        situation=situation(state, view.counted),
        units=tuple(_unit(state, unit) for unit in board(state).units),
        stacks=stacks(state),
        control=tuple(
            ControlPart(spot(state, place), side) for place, side in sorted(state.control.items())
        ),
        railheads=railheads(state),
        sieges=tuple(
            SiegePart(spot(state, hex_id), side) for hex_id, side in sieges(state).items()
        ),
        due=tuple(_due(state, due) for due in state.due),
        in_force=tuple(
            EffectPart(one.side, one.title, None if one.hex == OFF_MAP else spot(state, one.hex))
            for one in state.in_force
        ),
        pool=_counters(state.pool),
        box=_counters(state.box),
        fogged=view.fogged,
        sightings=tuple(_sighting(state, seen) for seen in (*view.sightings, *view.markers)),
        links=setting.links,
    )


def _sighting(state: State, seen: Sighting) -> SightingPart:
    return SightingPart(
        at=spot(state, seen.hex),
        side=seen.side,
        size=seen.size,
        month=month_slug(seen.month),
        now=seen.month == state.month and not seen.passing,
        words=describe_marker(seen, state.month),
    )


def spot(state: State, here: HexId) -> SpotPart:
    """Return a hex with its place and its location in words."""
    return SpotPart(printed(here), chart(state).hexes[here].place, describe_hex(here))


def stacks(state: State) -> tuple[StackPart, ...]:
    """Return every stack, the Egyptian side's first, in the order of the hexes."""
    position = board(state)
    return tuple(_stack(state, side, hex_id) for side in Side for hex_id in position.hexes(side))


def railheads(state: State) -> tuple[RailheadPart, ...]:
    """Return every railway line that has been begun."""
    known = lines(state)
    return tuple(
        RailheadPart(
            line=line,
            words=line_name(state, line),
            hexes=tuple(map(printed, known[line][:built])),
            built=built,
            length=len(known[line]),
            at=spot(state, known[line][built - 1]),
        )
        for line, built in state.railheads.items()
        if built
    )


def _stack(state: State, side: Side, hex_id: HexId) -> StackPart:
    units = board(state).stack(side, hex_id)
    return StackPart(
        at=spot(state, hex_id),
        side=side,
        units=tuple(unit.id for unit in units),
        strength=sum(unit.strength for unit in units),
        disrupted=sum(unit.disrupted for unit in units),
        words=describe_stack(units),
    )


def _unit(state: State, unit: Unit) -> UnitPart:
    off = unit.hex == OFF_MAP
    return UnitPart(
        id=unit.id,
        kind=unit.kind,
        nation=unit.nation,
        side=unit.side,
        quality=unit.quality,
        strength=unit.strength,
        disrupted=unit.disrupted,
        hex=None if off else printed(unit.hex),
        place=None if off else chart(state).hexes[unit.hex].place,
        name=unit.name,
        words=label(unit),
    )


def _due(state: State, due: DueUnits) -> DuePart:
    return DuePart(
        month=month_slug(due.month),
        month_name=month_name(due.month),
        side=due.units[0].side,
        reason=due.reason,
        at=tuple(spot(state, hex_id) for hex_id in due.at),
        units=tuple(label(unit) for unit in due.units),
        words=describe_due_units(state, due),
    )


def _counters(counted: dict[TroopKind, int]) -> dict[str, int]:
    return {str(kind): count for kind, count in counted.items()}


def _waiting_for(state: State, setting: Setting) -> WaitingPart | None:
    if state.question is None or setting.waiting_for is None:
        return None
    return WaitingPart(state.question.side, setting.waiting_for)


def _result(state: State) -> ResultPart | None:
    if state.result is None:
        return None
    return ResultPart(state.result.winner, state.result.reason, state.result.clause)
