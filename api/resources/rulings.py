"""Rulings by umpires, with their effects on the position."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from rest_framework.request import Request

from api.documents.umpire import (
    RulingDocument,
    RulingPreviewDocument,
    ruling_document,
    ruling_preview,
)
from api.http.encoding import Reason, RequestBody
from api.http.endpoint import is_true, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import current_head_named, unless_stale
from api.resources.umpire import UmpirePowers
from battles.contract.brief import Nation, Quality, Side, TroopKind
from campaign.access import selectors
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.core.actions import Ruled
from campaign.rules.core.board import chart
from campaign.rules.core.events import AnyEvent, RandomEvent, Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.umpire_rulings import Recruit, after
from campaign.services.errors import UnfitRequest
from campaign.services.umpire import rulings

Units = Annotated[tuple[UnitId, ...], Meta(max_length=400)]
DRY_RUN = frozenset({"dry_run"})


def _tag(name: str) -> str:
    return name.removesuffix("Ruling").lower()


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=_tag):
    """A change that an umpire makes to the position."""


class MoveRuling(Effect, frozen=True):
    """Place the units in this hex."""

    units: Units
    hex: HexId


class RemoveRuling(Effect, frozen=True):
    """Remove the units from the map."""

    units: Units


class DisruptRuling(Effect, frozen=True):
    """Disrupt the units."""

    units: Units


class RecoverRuling(Effect, frozen=True):
    """Restore the units to good order."""

    units: Units


class MakeRuling(Effect, frozen=True):
    """Change the quality of the units: V veteran, L line, R rabble, F fanatic."""

    units: Units
    quality: Quality


class AddRuling(Effect, frozen=True):
    """Place new units in this hex, all alike; a leader is given by name."""

    kind: TroopKind
    nation: Nation
    hex: HexId
    count: Annotated[int, Meta(ge=1, le=20)] = 1
    quality: Quality = Quality.NONE
    name: Annotated[str, Meta(max_length=60)] = ""


class HandRuling(Effect, frozen=True):
    """Give control of the place in this hex to this side."""

    hex: HexId
    side: Side


class RailsRuling(Effect, frozen=True):
    """Set the built length of the railway `track` (the `line` of a railhead), in hexes."""

    track: Annotated[str, Meta(max_length=60)]
    hex_count: Annotated[int, Meta(ge=0, le=999)]


AnyEffect = (
    MoveRuling
    | RemoveRuling
    | DisruptRuling
    | RecoverRuling
    | MakeRuling
    | AddRuling
    | HandRuling
    | RailsRuling
)
Events = tuple[AnyEvent, ...]


def events_of(state: State, effect: AnyEffect) -> Events:
    """Return the events of the effect in this state. Raises UnfitRequest and IllegalAction."""
    _check_units(state, getattr(effect, "units", ()))
    _check_hex(state, getattr(effect, "hex", None))
    return _MEANING[type(effect)](state, effect)


def _check_units(state: State, units: tuple[UnitId, ...]) -> None:
    unknown = [str(unit_id) for unit_id in units if unit_id not in state.units]
    if unknown:
        raise UnfitRequest(f"There is no unit {', '.join(unknown)} on the map.", "unit_ids")


def _check_hex(state: State, hex_id: HexId | None) -> None:
    if hex_id is not None and hex_id not in chart(state).hexes:
        raise UnfitRequest(f"There is no hex {hex_id:04d} on the map.", "hex")


_MEANING: dict[type, Callable[[State, Any], Events]] = {
    MoveRuling: lambda state, it: ruling_events.move(state, it.units, it.hex),
    RemoveRuling: lambda state, it: ruling_events.remove(state, it.units),
    DisruptRuling: lambda state, it: ruling_events.disrupt(state, it.units),
    RecoverRuling: lambda state, it: ruling_events.recover(state, it.units),
    MakeRuling: lambda state, it: ruling_events.make(state, it.units, it.quality),
    AddRuling: lambda state, it: ruling_events.add(
        state, Recruit(it.kind, it.nation, it.count, it.quality, it.name), it.hex
    ),
    HandRuling: lambda state, it: ruling_events.give_place(state, it.hex, it.side),
    RailsRuling: lambda state, it: ruling_events.lay_rails(state, it.track, it.hex_count),
}


MOST_EFFECTS = 60
Face = Annotated[int, Meta(ge=1, le=1000)]


class NewRuling(RequestBody, frozen=True):
    """A ruling: its effects in order, the reason, and the sides that are notified.

    `toss` throws dice that decide nothing by themselves; `faces` are dice that fell on your table.
    `random_event` happens as if it had been rolled.
    """

    reason: Reason
    effects: Annotated[tuple[AnyEffect, ...], Meta(max_length=MOST_EFFECTS)] = ()
    notified_sides: Annotated[tuple[Side, ...], Meta(max_length=2)] = tuple(Side)
    toss: Toss | None = None
    random_event: RandomEvent | None = None
    faces: Annotated[tuple[Face, ...], Meta(max_length=100)] = ()


class UmpireRulings(UmpirePowers):
    """Rulings of the umpire."""

    parameters: ClassVar[frozenset[str]] = DRY_RUN

    @operation(
        RulingDocument,
        status=201,
        also={200: RulingPreviewDocument},
        takes=NewRuling,
        once=True,
        match=True,
        problems=("illegal-action",),
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Make a ruling (umpire).

        It enters the journal with its reason. `If-Match` names the campaign's position. With
        `dry_run=true` the answer is a preview: nothing is thrown and nothing is stored.
        """
        campaign = self.campaign(slug)
        body, seen = NewRuling.read(request), current_head_named(request, campaign)
        events = _events(selectors.state_now(campaign), body.effects)
        ruling = Ruled(body.reason, events, body.notified_sides, body.toss, body.random_event)
        if is_true(request, "dry_run"):
            return WriteResult(200, ruling_preview(rulings.preview(campaign, request.user, ruling)))
        entry = unless_stale(
            lambda: rulings.rule(
                campaign.pk, request.user, ruling, expected_head=seen, faces=body.faces
            )
        )
        return WriteResult(201, ruling_document(campaign, entry))


def _events(state: State, effects: tuple[AnyEffect, ...]) -> Events:
    """Return the events of the effects, each applied after those before it."""
    events: Events = ()
    for place, effect in enumerate(effects):
        try:
            events = (*events, *events_of(after(state, events), effect))
        except UnfitRequest as error:
            raise UnfitRequest(str(error), f"effects/{place}/{error.field}") from error
    return events
