"""Effects of random events: a closed set of types, combined in the event tables (5.2, 5.3).

Units are counters. Where an effect leaves a choice, the owner of the units chooses.
"""

import re
from enum import StrEnum
from typing import Annotated

import msgspec

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import none_is, rest_name
from campaign.rules.core.pieces import Month, month_from_text

Count = Annotated[int, msgspec.Meta(ge=0, le=100)]
"""Number of units, hexes, months or per cent; no table of this game has more than 100."""
CountOrNone = Annotated[Count, none_is(0)]
Some = Annotated[int, msgspec.Meta(ge=1, le=100)]
Change = Annotated[int, msgspec.Meta(ge=-100, le=100)]
"""Modifier to a roll, or a modified roll."""
Dice = Annotated[int, msgspec.Meta(ge=1, le=9)]


class ModifiableRoll(StrEnum):
    """Rolls that an event can modify."""

    MARCH = "march"
    ATTRITION = "attrition"
    MAHDIST_REINFORCEMENT = "mahdist reinforcement"
    GUNBOAT_WRECK = "gunboat wreck"
    BOAT_UPSTREAM = "boat upstream"


class EffectArea(StrEnum):
    """Kinds of hex that an event can name."""

    TOWNS = "towns"
    TOWNS_AND_VILLAGES = "towns and villages"
    RIVER_TOWNS = "river towns"
    OUTSIDE_TOWNS = "outside towns"
    DESERT = "desert"
    RIVER = "beside a river"
    EXTENSION = "souakim extension"


class AffectedHexes(StrEnum):
    """Selection of the affected hexes among those in `where`."""

    ALL = "all"
    EACH_HEX = "each hex"
    MOST_OF_THEM = "the hex with most of them"
    LARGEST_STACK = "the largest stack"


class RailwayStretch(StrEnum):
    """The two railways that can be built (3.4)."""

    SOUAKIM = "souakim"
    SARRAS = "sarras"


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of an effect."""


class Quantity(msgspec.Struct, frozen=True, array_like=True):
    """A number of units: `plus`, and the sum of `dice` dice with `sides` faces."""

    dice: int
    sides: int
    plus: int


def quantity(text: str | int) -> Quantity:
    """Return `3`, `1D3`, `2D6` or `2D6+6` as dice. Raise ValueError for other text."""
    match = re.fullmatch(r"(?:(\d)[Dd](3|6))?(?:(?:^|\+)(\d\d?))?", str(text))
    if match is None or not str(text):
        raise ValueError(f"{text!r} is no number of units: write it like 2, 1D3, 1D6 or 2D6+6")
    return Quantity(int(match[1] or 0), int(match[2] or 0), int(match[3] or 0))


class Where(_Part, frozen=True):
    """Selection of hexes: all given conditions must hold; without any, every hex.

    `places` and `within`: at most so many hexes from one of these places. `north_of` compares
    latitudes. `leaders`: the stack of one of them. `held_by`: places this side was the last in.
    `next_to_towns_of`: hexes adjacent to towns which that side holds. `besieged` as in 9.12.
    """

    area: EffectArea | None = None
    places: tuple[str, ...] = ()
    within: Count = 0
    north_of: str = ""
    leaders: Annotated[tuple[str, ...], rest_name("leader_names")] = ()
    held_by: Side | None = None
    next_to_towns_of: Side | None = None
    besieged: bool | None = None


class Units(_Part, frozen=True):
    """Selection of counters: each list narrows it; without a nation, those of the event's side."""

    kinds: tuple[TroopKind, ...] = ()
    qualities: tuple[Quality, ...] = ()
    nations: tuple[Nation, ...] = ()


class Present(_Part, frozen=True):
    """A leader by name, or a unit of a kind, that stands in a place."""

    place: str
    leader: Annotated[str, rest_name("leader_name")] = ""
    kind: TroopKind | None = None


class When(_Part, frozen=True):
    """Condition of an effect: all given parts must hold.

    `since` and `before` are months ("1884-11"; `before` excluded). `in_play`: this leader is on the
    map. `held`: the event's side holds this place and it is not besieged. `captured`: the Mahdists
    have captured a gun or rifles at least once (9.9).
    """

    since: str = ""
    before: str = ""
    in_play: str = ""
    held: str = ""
    present: tuple[Present, ...] = ()
    captured: bool = False

    def __post_init__(self) -> None:
        for text in filter(None, (self.since, self.before)):
            month_from_text(text)

    @property
    def first_month(self) -> Month | None:
        """Return the first month in which the effect is possible; None for no limit."""
        return month_from_text(self.since) if self.since else None

    @property
    def month_after(self) -> Month | None:
        """Return the month from which the effect is no longer possible; None for no limit."""
        return month_from_text(self.before) if self.before else None


class _Effect(_Part, frozen=True, tag_field="type", kw_only=True):
    """Fields of every effect: its condition `when`, and the effects that replace it.

    `otherwise` takes its place when the condition is not met or nothing can be done.
    """

    when: When = When()
    otherwise: tuple["Effect", ...] = ()


class RollModifier(_Effect, frozen=True, kw_only=True, tag="modifier"):
    """Modifier `value` to one kind of roll for this turn.

    It applies only to stacks in `where` (march: where it starts) that hold a unit of one of
    `nations`, if any is named. `one_stack`: for the stack of a single hex, which its owner chooses.
    """

    roll_kind: ModifiableRoll
    value: Change
    where: Where = Where()
    nations: tuple[Nation, ...] = ()
    one_stack: bool = False


class GainEffect(_Effect, frozen=True, kw_only=True, tag="gain"):
    """Gain of `quantity` units, with the usual quality and strength unless given.

    They stand in one legal hex of `where`, which the owner chooses; Mahdists come from the pool.
    `names`: the possible counters; one that is not in play is taken.
    """

    kind: TroopKind
    where: Where
    quantity: str | int = 1
    nation: Nation | None = None
    quality: Quality | None = None
    strength: CountOrNone = 0
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        quantity(self.quantity)


class LoseEffect(_Effect, frozen=True, kw_only=True, tag="lose"):
    """Loss of `quantity` units; the Mahdists' go to the pool; `spare_last` leaves one in a hex."""

    selection: Units
    quantity: str | int = 1
    where: Where = Where()
    affected_hexes: AffectedHexes = AffectedHexes.ALL
    spare_last: bool = False

    def __post_init__(self) -> None:
        quantity(self.quantity)


class DisruptEffect(_Effect, frozen=True, kw_only=True, tag="disrupt"):
    """Disruption of `count` units, or of `percent` of them: fractions down, at least one."""

    selection: Units
    count: CountOrNone = 0
    percent: CountOrNone = 0
    where: Where = Where()
    affected_hexes: AffectedHexes = AffectedHexes.ALL

    def __post_init__(self) -> None:
        if (self.count > 0) == (self.percent > 0):
            raise ValueError("say either how many (`count`) or what share (`percent`)")


class RecoverEffect(_Effect, frozen=True, kw_only=True, tag="recover"):
    """Recovery of every disrupted unit there."""

    selection: Units = Units()
    where: Where = Where()


class ImproveEffect(_Effect, frozen=True, kw_only=True, tag="improve"):
    """Improvement of `count` of the units to `to_quality`."""

    selection: Units
    to_quality: Quality
    count: Some = 1
    where: Where = Where()


class ArmEffect(_Effect, frozen=True, kw_only=True, tag="arm"):
    """Exchange of `count` spears for rifle units, as far as counters are free."""

    count: Some = 1
    where: Where = Where()


class ForceEffect(_Effect, frozen=True, kw_only=True, tag="force"):
    """Arrival of the first of `groups` not called yet; after the last, `afterwards`."""

    groups: tuple[str, ...]
    afterwards: tuple["Effect", ...] = ()


class Reschedule(_Effect, frozen=True, kw_only=True, tag="reschedule"):
    """Delay of the side's next scheduled reinforcement by `months`, or its arrival `now`."""

    months: CountOrNone = 0
    now: bool = False

    def __post_init__(self) -> None:
        if (self.months > 0) == self.now:
            raise ValueError("say either how many `months` later or `now = true`")


class WreckReturn(_Effect, frozen=True, kw_only=True, tag="wreck return"):
    """Return of every wrecked gunboat of the side `sooner` months before its time."""

    sooner: Annotated[Count, rest_name("sooner_months")]


class RerollWreck(_Effect, frozen=True, kw_only=True, tag="reroll wreck"):
    """Rerolls for wrecked hulls of this kind this turn, `times` in all."""

    kind: TroopKind
    nations: tuple[Nation, ...] = ()
    times: Annotated[Some, rest_name("reroll_count")] = 1


class RailsEffect(_Effect, frozen=True, kw_only=True, tag="rails"):
    """Destruction of the last `quantity` hexes built of one stretch, when no unit stands on it."""

    quantity: str | int
    stretches: tuple[RailwayStretch, ...]

    def __post_init__(self) -> None:
        quantity(self.quantity)


class LeaderValue(_Effect, frozen=True, kw_only=True, tag="leader value"):
    """Strategic value of a leader for this turn."""

    leader: Annotated[str, rest_name("leader_name")]
    strategic: Change


class NoMarch(_Effect, frozen=True, kw_only=True, tag="no march"):
    """Halt of the side's largest stack this turn; `without_leader`: of those without a leader."""

    without_leader: bool = True


class DefectEffect(_Effect, frozen=True, kw_only=True, tag="defect"):
    """Defection of `quantity` units of a besieged enemy garrison, as far as counters are free.

    The side of the event chooses the garrison.
    """

    selection: Units
    quantity: str | int

    def __post_init__(self) -> None:
        quantity(self.quantity)


class EndGame(_Effect, frozen=True, kw_only=True, tag="end game"):
    """Roll of one die that ends the campaign on `faces`; a draw without a `winner`."""

    faces: tuple[int, ...]
    reason: str
    winner: Side | None = None


Effect = (
    RollModifier
    | GainEffect
    | LoseEffect
    | DisruptEffect
    | RecoverEffect
    | ImproveEffect
    | ArmEffect
    | ForceEffect
    | Reschedule
    | WreckReturn
    | RerollWreck
    | RailsEffect
    | LeaderValue
    | NoMarch
    | DefectEffect
    | EndGame
)


def within(effects: tuple[Effect, ...]) -> list[Effect]:
    """Return the effects with all effects nested in them."""
    all_effects: list[Effect] = []
    for effect in effects:
        all_effects.append(effect)
        all_effects += within(effect.otherwise)
        if isinstance(effect, ForceEffect):
            all_effects += within(effect.afterwards)
    return all_effects
