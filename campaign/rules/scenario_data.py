"""What a scenario of chapter 2 is: who stands where, who comes when, who wins by what."""

from collections.abc import Iterator
from typing import Annotated, TypeVar

import msgspec

from campaign.rules.book import Book
from campaign.rules.effects import Count, Some, quantity
from campaign.rules.map import HexId, sudan
from campaign.rules.pieces import Kind, Month, Nation, Quality, Side, month_from_text
from campaign.rules.set_up_areas import Area, area_hexes, nearest_hex
from campaign.rules.victory_data import Condition

T = TypeVar("T")
AtLeastOne = Annotated[tuple[T, ...], msgspec.Meta(min_length=1)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a scenario."""


class Counter(msgspec.Struct, frozen=True):
    """One counter as it comes: places it may not come to, and who keeps it away while in play."""

    kind: Kind
    nation: Nation
    quality: Quality
    strength: int
    name: str = ""
    not_at: tuple[str, ...] = ()
    unless_in_play: str = ""


class UnitSpec(_Part, frozen=True, kw_only=True):
    """`count` counters alike; quality and strength from the book's defaults unless given."""

    unit: Kind
    nation: Nation
    count: Some = 1
    quality: Quality | None = None
    strength: Count = 0
    name: str = ""
    not_at: tuple[str, ...] = ()
    unless_in_play: str = ""

    def counters(self, book: Book) -> tuple[Counter, ...]:
        """The counters, each with its quality and strength."""
        standard = book.default(self.unit, self.nation)
        counter = Counter(
            self.unit,
            self.nation,
            standard.quality if self.quality is None else self.quality,
            self.strength or (standard.strength if self.quality is None else 1),
            self.name,
            self.not_at,
            self.unless_in_play,
        )
        return (counter,) * self.count


class Post(_Part, frozen=True, kw_only=True):
    """Units that stand, unless their side wishes otherwise, in the lawful hex nearest a place."""

    nearest: str
    units: AtLeastOne[UnitSpec]


class Stack(_Part, frozen=True, kw_only=True):
    """Units that set up in one of some places, or in an area, each hex as their side chooses."""

    id: str
    posts: AtLeastOne[Post]
    at: tuple[str, ...] = ()
    area: Area = Area()

    @property
    def units(self) -> tuple[UnitSpec, ...]:
        """All the units of the stack."""
        return tuple(spec for post in self.posts for spec in post.units)

    @property
    def side(self) -> Side:
        """The side the units are of."""
        return self.units[0].nation.side

    @property
    def hexes(self) -> frozenset[HexId]:
        """Where the stack may set up, whoever stands there."""
        return area_hexes(Area(also=self.at) if self.at else self.area)


class Group(_Part, frozen=True, kw_only=True):
    """Units that come together to one of some places. `month` is empty when an event calls them.

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
        """The month they are due; None for a force that an event calls."""
        return month_from_text(self.month) if self.month else None


class Rising(_Part, frozen=True, kw_only=True):
    """When a place falls, a leader and `count` spears appear in an area in the next such phase."""

    place: str
    leader: str
    count: str
    area: Area
    clause: str

    def __post_init__(self) -> None:
        quantity(self.count)


class Ban(_Part, frozen=True, kw_only=True):
    """A side may not enter hexes beside a river from a place down to its mouth."""

    side: Side
    river: str
    down_from: str
    clause: str

    @property
    def hexes(self) -> frozenset[HexId]:
        """The hexes that are barred."""
        chart = sudan()
        first = chart.ordinals(chart.place(self.down_from).hex, self.river)[0]
        beside = chart.river_hexes[self.river]
        return frozenset(h for h in beside if chart.ordinals(h, self.river)[1] >= first)


class Replacements(_Part, frozen=True, kw_only=True):
    """Where replacements may stand; in those of `unless_besieged` only without a siege (3.3)."""

    at: AtLeastOne[str]
    unless_besieged: tuple[str, ...] = ()


class MonthlySupply(_Part, frozen=True, kw_only=True):
    """From this month a supply unit comes each month to one of these places (3.3)."""

    since: str
    at: AtLeastOne[str]

    @property
    def first_month(self) -> Month:
        """The first month in which one comes."""
        return month_from_text(self.since)


class Line(_Part, frozen=True, kw_only=True):
    """A railway from a railhead along the map's tracks in order (3.4, 3.41)."""

    id: str
    begins_at: str
    tracks: AtLeastOne[str]
    built: bool = False

    @property
    def hexes(self) -> tuple[HexId, ...]:
        """The hexes of the line from its start."""
        chart = sudan()
        found = [hex_id for track in self.tracks for hex_id in chart.tracks[track].hexes]
        return tuple(dict.fromkeys(found))


class EventTables(_Part, frozen=True, kw_only=True):
    """Each side's tables of random events by id; a later one takes the place of rows before it."""

    egyptian: AtLeastOne[str]
    mahdist: AtLeastOne[str]

    def of(self, side: Side) -> tuple[str, ...]:
        """Return the ids of a side's tables."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist


class Scenario(_Part, frozen=True, kw_only=True, eq=False):
    """A scenario: everything of it that is not in the tables. Equal to itself alone.

    `drawn`: of how many Mahdist counters of a kind, on the map or not, new ones are drawn (3.2).
    """

    slug: str
    title: str
    clause: str
    start: str
    end: str
    description: str
    mahdist_places: Area
    events: EventTables
    drawn: dict[Kind, Count] = {}
    replaced: Replacements
    monthly_supply: MonthlySupply | None = None
    stack: AtLeastOne[Stack]
    reinforcement: tuple[Group, ...] = ()
    force: tuple[Group, ...] = ()
    rising: tuple[Rising, ...] = ()
    ban: tuple[Ban, ...] = ()
    line: tuple[Line, ...] = ()
    victory: AtLeastOne[Condition]

    @property
    def first_month(self) -> Month:
        return month_from_text(self.start)

    @property
    def last_month(self) -> Month:
        """After this month the campaign is a draw (4.1, 4.2)."""
        return month_from_text(self.end)

    def replacements(self, origin: str) -> tuple[str, ...]:
        """The places where losses that came with a force return; '' for all others (3.3)."""
        places = [group.replaced_at for group in self.force if group.id == origin]
        return (places[0],) if places and places[0] else self.replaced.at

    def forbidden(self, side: Side) -> frozenset[HexId]:
        """The hexes that a side may never enter (2.2)."""
        return frozenset(hex_id for ban in self.ban if ban.side is side for hex_id in ban.hexes)

    def called(self, force: str) -> Group:
        """A force that an event calls. KeyError when there is none."""
        return {group.id: group for group in self.force}[force]

    def set_up_hexes(self, stack: Stack) -> frozenset[HexId]:
        """Where a stack may set up: not where a garrison of the enemy must stand (2.1)."""
        taken = {
            hex_id
            for other in self.stack
            if other.side is not stack.side and len(other.at) == 1
            for hex_id in other.hexes
        }
        return stack.hexes - taken

    def deployment(self, stack: Stack) -> Iterator[tuple[HexId, UnitSpec]]:
        """Where the stack's units stand until their side changes it."""
        hexes = self.set_up_hexes(stack)
        for post in stack.posts:
            hex_id = nearest_hex(hexes, post.nearest)
            yield from ((hex_id, spec) for spec in post.units)
