"""Types of a scenario of chapter 2: stacks, arrivals, special rules and conditions of victory."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from battles.contract.brief import Nation, Quality, Side, TroopKind
from campaign.rules.core.pieces import Month, month_from_text
from campaign.rules.map import HexId, HexNumber, Map, MapLayer, map_with_layer
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.event_effects import Count, Effect, Some, quantity
from campaign.rules.tables.scenario_blocks import (
    AtLeastOne,
    Block,
    ConditionBase,
    SetUpArea,
    area_hexes,
    nearest_hex,
)


class Unbesieged(ConditionBase, frozen=True, tag="unbesieged"):
    """Holding of all `places`, free of siege, at the end of `turns` successive Egyptian turns."""

    winner: Side
    places: AtLeastOne[str]
    turns: Some


class LeaderEliminated(ConditionBase, frozen=True, tag="leader eliminated"):
    """Elimination of this leader; it wins at once."""

    winner: Side
    leader: str


class PlaceCaptured(ConditionBase, frozen=True, tag="place captured"):
    """Entry of the winner's units into this place."""

    winner: Side
    place: str


class SiegeMaintained(ConditionBase, frozen=True, tag="siege"):
    """Siege of this place at the end of `turns` successive Egyptian turns.

    A turn counts only while the winner holds `held`, if it is given.
    """

    winner: Side
    place: str
    turns: Some
    held: str = ""


class UnitArrived(ConditionBase, frozen=True, tag="unit at place"):
    """Presence of such a unit in one of `places` at the end of a Mahdist turn."""

    winner: Side
    kind: TroopKind
    nation: Nation
    places: tuple[str, ...]


class StackDestroyed(ConditionBase, frozen=True, tag="stack destroyed"):
    """Annihilation in combat of a stack with a leader of this nation."""

    winner: Side
    leader_nation: Nation


class OnlyADraw(ConditionBase, frozen=True, tag="only a draw"):
    """Bar to `side`'s victory once attrition has eliminated a unit of this nation."""

    side: Side
    nation: Nation
    not_counted: tuple[TroopKind, ...]


Condition = (
    Unbesieged
    | LeaderEliminated
    | PlaceCaptured
    | SiegeMaintained
    | UnitArrived
    | StackDestroyed
    | OnlyADraw
    | Block
)


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a scenario."""


class ScheduledCounter(msgspec.Struct, frozen=True):
    """A counter that comes: places it may not come to, and a name that keeps it away in play."""

    kind: TroopKind
    nation: Nation
    quality: Quality
    strength: int
    name: str = ""
    not_at: tuple[str, ...] = ()
    unless_in_play: str = ""
    disrupted: bool = False
    origin: str = ""


class UnitSpec(_Part, frozen=True, kw_only=True):
    """A number of equal counters; quality and strength are the book's defaults unless given.

    `disrupted` and `origin`, the force of their replacement, are those of a position taken up.
    """

    kind: TroopKind
    nation: Nation
    count: Some = 1
    quality: Quality | None = None
    strength: Count = 0
    name: str = ""
    not_at: tuple[str, ...] = ()
    unless_in_play: str = ""
    disrupted: bool = False
    origin: str = ""

    def counters(self, book: CampaignTables) -> tuple[ScheduledCounter, ...]:
        """Return the counters, each with its quality and strength."""
        standard = book.default(self.kind, self.nation)
        counter = ScheduledCounter(
            self.kind,
            self.nation,
            standard.quality if self.quality is None else self.quality,
            self.strength or (standard.strength if self.quality is None else 1),
            self.name,
            self.not_at,
            self.unless_in_play,
            self.disrupted,
            self.origin,
        )
        return (counter,) * self.count


class StartingPost(_Part, frozen=True, kw_only=True):
    """Units that stand, unless their side moves them, in the legal hex nearest a place."""

    nearest: str
    units: AtLeastOne[UnitSpec]


class StartingStack(_Part, frozen=True, kw_only=True):
    """Units that set up in one of some places, or in an area, in hexes their side chooses."""

    id: str
    posts: AtLeastOne[StartingPost]
    at: tuple[str, ...] = ()
    area: SetUpArea = SetUpArea()

    @property
    def units(self) -> tuple[UnitSpec, ...]:
        """Return all the units of the stack."""
        return tuple(spec for post in self.posts for spec in post.units)

    @property
    def side(self) -> Side:
        """Return the side of the units."""
        return self.units[0].nation.side

    @property
    def is_fixed(self) -> bool:
        """Return whether the stack has only one place to set up in."""
        return len(self.at) == 1

    def hexes(self, chart: Map) -> frozenset[HexId]:
        """Return the hexes where the stack may set up, regardless of other units."""
        return area_hexes(SetUpArea(also=self.at) if self.at else self.area, chart)


class ArrivalGroup(_Part, frozen=True, kw_only=True):
    """Units that come together to one of some places; without `month` an event calls them.

    `replaced_at`: where their losses return, if elsewhere than those of others (3.3).
    `opens_railway`: building begins on the turn after they were called (3.41).
    """

    id: str
    title: str
    at: AtLeastOne[str]
    units: AtLeastOne[UnitSpec]
    month: str = ""
    replaced_at: str = ""
    opens_railway: bool = False

    @property
    def when(self) -> Month | None:
        """Return the month in which they are due; None for a force that an event calls."""
        return month_from_text(self.month) if self.month else None


class Rising(_Part, frozen=True, kw_only=True):
    """Leader and `quantity` spears that appear in an area in the phase after a place has fallen."""

    place: str
    leader: str
    quantity: str
    area: SetUpArea
    clause: str

    def __post_init__(self) -> None:
        quantity(self.quantity)


class Ban(_Part, frozen=True, kw_only=True):
    """Bar to a side's entry into hexes beside a river, from a place down to its mouth."""

    side: Side
    river: str
    down_from: str
    clause: str

    def hexes(self, chart: Map) -> frozenset[HexId]:
        """Return the barred hexes."""
        first = chart.ordinals(chart.place(self.down_from).hex, self.river)[0]
        beside = chart.river_hexes[self.river]
        return frozenset(h for h in beside if chart.ordinals(h, self.river)[1] >= first)


class Replacements(_Part, frozen=True, kw_only=True):
    """Places for replacements; those of `unless_besieged` only without a siege (3.3)."""

    at: AtLeastOne[str]
    unless_besieged: tuple[str, ...] = ()


class MonthlySupply(_Part, frozen=True, kw_only=True):
    """Supply unit that comes each month from `since` on, to one of these places (3.3)."""

    since: str
    at: AtLeastOne[str]

    @property
    def first_month(self) -> Month:
        """Return the first month in which a supply unit comes."""
        return month_from_text(self.since)


class RailwayLine(_Part, frozen=True, kw_only=True):
    """A railway from a railhead along the map's tracks in order (3.4, 3.41)."""

    id: str
    begins_at: str
    tracks: AtLeastOne[str]
    built: bool = False

    def hexes(self, chart: Map) -> tuple[HexId, ...]:
        """Return the hexes of the line from its start."""
        hex_ids = [hex_id for track in self.tracks for hex_id in chart.tracks[track].hexes]
        return tuple(dict.fromkeys(hex_ids))


class LastingEvent(_Part, frozen=True, kw_only=True):
    """An effect of a random event that is in force at the start; `hex` where it has a place."""

    side: Side
    title: str
    effect: Effect
    hex: HexNumber | None = None


class PositionTaken(_Part, frozen=True, kw_only=True):
    """The parts of a position that its units do not show, for a scenario that takes it up.

    Holders of places, towns nobody has been in yet, hexes of railway built, forces called, what has
    happened once (`flags`), counts (`tallies`), Mahdist counters to draw and in the box, and the
    effects of events in force.
    """

    control: dict[HexNumber, Side] = {}
    vacant: tuple[HexNumber, ...] = ()
    railheads: dict[str, Annotated[int, msgspec.Meta(ge=0, le=1000)]] = {}
    called: tuple[str, ...] = ()
    flags: tuple[Annotated[str, msgspec.Meta(max_length=100)], ...] = ()
    tallies: dict[str, Annotated[int, msgspec.Meta(ge=0, le=1000)]] = {}
    pool: dict[TroopKind, Count] = {}
    box: dict[TroopKind, Count] = {}
    in_force: tuple[LastingEvent, ...] = ()


class EventTables(_Part, frozen=True, kw_only=True):
    """Ids of each side's tables of random events; rows of a later table replace earlier ones."""

    egyptian: AtLeastOne[str]
    mahdist: AtLeastOne[str]

    def of(self, side: Side) -> tuple[str, ...]:
        """Return the ids of a side's tables."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist


class ScenarioFrame(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The months and the map of a scenario, which can be read before the rest is written."""

    start: str
    end: str
    map: MapLayer = MapLayer()

    @property
    def chart(self) -> Map:
        """Return the map of the scenario, its own layer over it. Raise LayerError."""
        return map_with_layer(self.map)

    @property
    def first_month(self) -> Month:
        return month_from_text(self.start)

    @property
    def last_month(self) -> Month:
        """Return the last month; after it the campaign is a draw (4.1, 4.2)."""
        return month_from_text(self.end)


class Scenario(ScenarioFrame, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """A scenario: all its data outside the tables. Compared by identity.

    `drawn`: the number of Mahdist counters of a kind, on the map or not, that limits the draw
    (3.2). `clause` is empty for a scenario that is not in the book; `departs` then says how it
    differs from the printed ones, and `sources` where its forces and dates come from. `plans` are
    the staff's, in the form of `plans.toml`, for a scenario without such a file. `taken_up` is the
    rest of a campaign's position for a scenario that begins with it.
    """

    format: Literal[1] = 1
    slug: str
    title: str
    clause: str = ""
    description: str
    departs: str = ""
    sources: tuple[str, ...] = ()
    mahdist_places: SetUpArea = SetUpArea()
    events: EventTables
    drawn: dict[TroopKind, Count] = {}
    replaced: Replacements
    monthly_supply: MonthlySupply | None = None
    stack: AtLeastOne[StartingStack]
    reinforcement: tuple[ArrivalGroup, ...] = ()
    force: tuple[ArrivalGroup, ...] = ()
    rising: tuple[Rising, ...] = ()
    ban: tuple[Ban, ...] = ()
    line: tuple[RailwayLine, ...] = ()
    victory: AtLeastOne[Condition]
    taken_up: PositionTaken | None = None
    plans: dict[str, Any] | None = None

    def replacements(self, origin: str) -> tuple[str, ...]:
        """Return the places where losses of a force return; '' for all other losses (3.3)."""
        places = [group.replaced_at for group in self.force if group.id == origin]
        return (places[0],) if places and places[0] else self.replaced.at

    def forbidden(self, side: Side) -> frozenset[HexId]:
        """Return the hexes that a side may never enter (2.2)."""
        return frozenset(
            hex_id for ban in self.ban if ban.side is side for hex_id in ban.hexes(self.chart)
        )

    def called(self, force: str) -> ArrivalGroup:
        """Return a force that an event calls. Raise KeyError when there is none."""
        return {group.id: group for group in self.force}[force]

    @property
    def railheads(self) -> dict[str, int]:
        """Return by line how many of its hexes have a working railway at the start (3.4)."""
        built = {line.id: len(line.hexes(self.chart)) for line in self.line if line.built}
        return {**built, **self.taken_up.railheads} if self.taken_up else built

    @property
    def railway_hexes(self) -> frozenset[HexId]:
        """Return the hexes with a working railway at the start."""
        heads = self.railheads
        return frozenset(
            hex_id
            for line in self.line
            for hex_id in line.hexes(self.chart)[: heads.get(line.id, 0)]
        )

    def set_up_hexes(self, stack: StartingStack) -> frozenset[HexId]:
        """Return the hexes for a stack's set-up (2.1).

        One that has a choice keeps out of those of fixed enemy garrisons.
        """
        hexes = stack.hexes(self.chart)
        return hexes if stack.is_fixed else hexes - _fixed_garrisons(self, stack.side.enemy)

    def deployment(self, stack: StartingStack) -> Iterator[tuple[HexId, UnitSpec]]:
        """Yield the stack's units, each with the hex where it stands by default."""
        hexes = self.set_up_hexes(stack)
        for post in stack.posts:
            hex_id = nearest_hex(self.chart, hexes, post.nearest)
            yield from ((hex_id, spec) for spec in post.units)


@lru_cache(maxsize=64)
def _fixed_garrisons(scenario: Scenario, side: Side) -> frozenset[HexId]:
    """Return the hexes of that side's stacks that have only one place to set up in."""
    fixed = [stack for stack in scenario.stack if stack.side is side and stack.is_fixed]
    return frozenset(hex_id for stack in fixed for hex_id in stack.hexes(scenario.chart))
