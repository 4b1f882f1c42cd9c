"""How a scenario can be won, as data: a closed set of conditions (4.1, 4.2)."""

from typing import Annotated

import msgspec

from campaign.rules.effects import Some
from campaign.rules.pieces import Kind, Nation, Side


class _Condition(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True
):
    """What every condition says: who wins by it, its clause, and itself in a sentence."""

    clause: str
    text: str


class Unbesieged(_Condition, frozen=True, tag="unbesieged"):
    """Held and free of siege, all of `places`, at the end of `turns` Egyptian turns running."""

    winner: Side
    places: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    turns: Some


class LeaderEliminated(_Condition, frozen=True, tag="leader eliminated"):
    """This leader is eliminated, at once."""

    winner: Side
    leader: str


class PlaceCaptured(_Condition, frozen=True, tag="place captured"):
    """The winner's units enter this place."""

    winner: Side
    place: str


class SiegeMaintained(_Condition, frozen=True, tag="siege"):
    """This place is under siege at the end of `turns` Egyptian turns running."""

    winner: Side
    place: str
    turns: Some


class UnitArrived(_Condition, frozen=True, tag="unit at place"):
    """At the end of a Mahdist turn a unit of this kind (and nation) stands in one of `places`."""

    winner: Side
    unit: Kind
    nation: Nation
    places: tuple[str, ...]


class StackDestroyed(_Condition, frozen=True, tag="stack destroyed"):
    """A stack with a leader of this nation is wholly eliminated in combat."""

    winner: Side
    leader_nation: Nation


class OnlyADraw(_Condition, frozen=True, tag="only a draw"):
    """Once attrition has eliminated a unit of this nation, `side` can win no longer."""

    side: Side
    nation: Nation
    not_counted: tuple[Kind, ...]


Condition = (
    Unbesieged
    | LeaderEliminated
    | PlaceCaptured
    | SiegeMaintained
    | UnitArrived
    | StackDestroyed
    | OnlyADraw
)
