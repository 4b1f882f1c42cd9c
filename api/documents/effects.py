"""What an umpire may rule to happen, as it is sent: each effect with the units or hex it is about.

Hexes and units are named by their numbers, as in the journal.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from battles.contract.troops import Kind, Nation, Quality, Side
from campaign.rules.core.board import chart
from campaign.rules.core.events import AnyEvent
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.umpire import ruling_events
from campaign.rules.umpire.ruling_events import Recruit
from campaign.services.errors import Unfit

Hex = Annotated[HexId, Meta(ge=0, le=99_999)]
Units = Annotated[tuple[Annotated[UnitId, Meta(ge=1, le=999_999)], ...], Meta(max_length=400)]


class Effect(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=str.lower, tag_field="do"
):
    """Something that happens because the umpire says so."""


class Move(Effect, frozen=True):
    """The units stand in that hex."""

    units: Units
    hex: Hex


class Remove(Effect, frozen=True):
    """The units leave the map."""

    units: Units


class Disrupt(Effect, frozen=True):
    """The units are disrupted."""

    units: Units


class Recover(Effect, frozen=True):
    """The units are in good order again."""

    units: Units


class Make(Effect, frozen=True):
    """The units are of that quality from now on: V veteran, L line, R rabble, F fanatic."""

    units: Units
    quality: Quality


class Add(Effect, frozen=True):
    """So many new units, all alike, stand in that hex; a leader by his name."""

    kind: Kind
    nation: Nation
    hex: Hex
    count: Annotated[int, Meta(ge=1, le=20)] = 1
    quality: Quality = Quality.NONE
    name: Annotated[str, Meta(max_length=60)] = ""


class Hand(Effect, frozen=True):
    """The place in that hex counts as that side's."""

    hex: Hex
    side: Side


class Rails(Effect, frozen=True):
    """The railway (`line` of a railhead) runs for so many hexes."""

    track: Annotated[str, Meta(max_length=60)]
    hexes: Annotated[int, Meta(ge=0, le=999)]


AnyEffect = Move | Remove | Disrupt | Recover | Make | Add | Hand | Rails
Events = tuple[AnyEvent, ...]


def events_of(state: State, effect: AnyEffect) -> Events:
    """The events that the effect means as the state stands. Raises Unfit and IllegalAction."""
    _check_units(state, getattr(effect, "units", ()))
    _check_hex(state, getattr(effect, "hex", None))
    return _MEANING[type(effect)](state, effect)


def _check_units(state: State, units: tuple[int, ...]) -> None:
    unknown = [str(one) for one in units if UnitId(one) not in state.units]
    if unknown:
        raise Unfit(f"There is no unit {', '.join(unknown)} on the map.")


def _check_hex(state: State, hex_id: int | None) -> None:
    if hex_id is not None and HexId(hex_id) not in chart(state).hexes:
        raise Unfit(f"There is no hex {hex_id:04d} on the map.")


_MEANING: dict[type, Callable[[State, Any], Events]] = {
    Move: lambda state, it: ruling_events.move(state, it.units, HexId(it.hex)),
    Remove: lambda state, it: ruling_events.remove(state, it.units),
    Disrupt: lambda state, it: ruling_events.disrupt(state, it.units),
    Recover: lambda state, it: ruling_events.recover(state, it.units),
    Make: lambda state, it: ruling_events.make(state, it.units, it.quality),
    Add: lambda state, it: ruling_events.add(
        state, Recruit(it.kind, it.nation, it.count, it.quality, it.name), HexId(it.hex)
    ),
    Hand: lambda state, it: ruling_events.hand(state, HexId(it.hex), it.side),
    Rails: lambda state, it: ruling_events.lay_rails(state, it.track, it.hexes),
}
