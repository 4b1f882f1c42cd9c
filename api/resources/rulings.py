"""Rulings by umpires, rewinds, branches, and the journal entries to go back to.

The effects of a ruling name hexes and units by their numbers, as the journal does.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import msgspec
from django.http import HttpResponse
from msgspec import Meta
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.umpire import (
    BranchDocument,
    BranchPart,
    EntryPart,
    PreviewDocument,
    RulingDocument,
    WayDocument,
    branch_document,
    branch_part,
    entry_part,
    preview_document,
    ruling_document,
    way_document,
)
from api.http.endpoint import Listed, OpenEndpoint, Paged, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input, ReasonInput, StructField, WholeNumber
from api.http.paging import PAGES, Newest
from api.http.problems import Problem
from api.resources.umpire import UmpirePowers
from battles.contract.brief import Nation, Quality, Side, TroopKind
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import Ruled
from campaign.rules.core.board import chart
from campaign.rules.core.events import AnyEvent, RandomEvent, Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.umpire import ruling_events
from campaign.rules.umpire.ruling_events import Recruit
from campaign.rules.umpire.rulings import after
from campaign.services.errors import UnfitRequest
from campaign.services.journal import rewind
from campaign.services.umpire import rulings
from campaign.web.console.rewind import abandoned_branch, describe_steps
from campaign.web.console.rulings import UNSAID

Hex = Annotated[HexId, Meta(ge=0, le=99_999)]
Units = Annotated[tuple[Annotated[UnitId, Meta(ge=1, le=999_999)], ...], Meta(max_length=400)]


def _tag(name: str) -> str:
    return name.removesuffix("Ruling").lower()


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=_tag, tag_field="do"):
    """A change that an umpire makes to the position."""


class MoveRuling(Effect, frozen=True):
    """Place the units in this hex."""

    units: Units
    hex: Hex


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
    hex: Hex
    count: Annotated[int, Meta(ge=1, le=20)] = 1
    quality: Quality = Quality.NONE
    name: Annotated[str, Meta(max_length=60)] = ""


class HandRuling(Effect, frozen=True):
    """Give control of the place in this hex to this side."""

    hex: Hex
    side: Side


class RailsRuling(Effect, frozen=True):
    """Set the built length of the railway `track` (the `line` of a railhead), in hexes."""

    track: Annotated[str, Meta(max_length=60)]
    hexes: Annotated[int, Meta(ge=0, le=999)]


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
    """Return the events of the effect in this state. Raises Unfit and IllegalAction."""
    _check_units(state, getattr(effect, "units", ()))
    _check_hex(state, getattr(effect, "hex", None))
    return _MEANING[type(effect)](state, effect)


def _check_units(state: State, units: tuple[int, ...]) -> None:
    unknown = [str(one) for one in units if UnitId(one) not in state.units]
    if unknown:
        raise UnfitRequest(f"There is no unit {', '.join(unknown)} on the map.")


def _check_hex(state: State, hex_id: int | None) -> None:
    if hex_id is not None and HexId(hex_id) not in chart(state).hexes:
        raise UnfitRequest(f"There is no hex {hex_id:04d} on the map.")


_MEANING: dict[type, Callable[[State, Any], Events]] = {
    MoveRuling: lambda state, it: ruling_events.move(state, it.units, HexId(it.hex)),
    RemoveRuling: lambda state, it: ruling_events.remove(state, it.units),
    DisruptRuling: lambda state, it: ruling_events.disrupt(state, it.units),
    RecoverRuling: lambda state, it: ruling_events.recover(state, it.units),
    MakeRuling: lambda state, it: ruling_events.make(state, it.units, it.quality),
    AddRuling: lambda state, it: ruling_events.add(
        state, Recruit(it.kind, it.nation, it.count, it.quality, it.name), HexId(it.hex)
    ),
    HandRuling: lambda state, it: ruling_events.give_place(state, HexId(it.hex), it.side),
    RailsRuling: lambda state, it: ruling_events.lay_rails(state, it.track, it.hexes),
}


MOST_EFFECTS = 60


class Looked(Input):
    """The effects to preview, in order."""

    effects = serializers.ListField(child=StructField(AnyEffect), max_length=MOST_EFFECTS)


class NewRuling(ReasonInput):
    """A ruling: its effects in order, the reason, and the sides that are notified.

    `toss` throws dice that decide nothing by themselves; `faces` are dice that fell on your table.
    `event` is a random event that happens as if it had been rolled. `head` is that of the preview.
    """

    effects = serializers.ListField(
        child=StructField(AnyEffect), max_length=MOST_EFFECTS, default=list
    )
    to = serializers.ListField(
        child=serializers.ChoiceField([side.value for side in Side]), max_length=2, required=False
    )
    toss = StructField(Toss, required=False)
    event = StructField(RandomEvent, required=False)
    faces = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=1000), max_length=100, default=list
    )
    head = WholeNumber(min_value=0, required=False)


class WayBack(Input):
    """The entry to go back to, by its cursor."""

    entry = serializers.RegexField(r"^[0-9]{1,6}\.[0-9]{1,9}$", max_length=16)


class RewindInput(WayBack, ReasonInput):
    """The entry to go back to, by its cursor, and the reason; `head` is the one you saw."""

    head = WholeNumber(min_value=0, required=False)


class RulingPreview(UmpirePowers):
    """The preview of a ruling."""

    @operation(PreviewDocument, takes=Looked, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Preview a ruling (umpire).

        Nothing is thrown and nothing is stored.
        """
        campaign = self.campaign(slug)
        events = _events(selectors.state_now(campaign), Looked.read(request)["effects"])
        seen = rulings.preview(campaign, request.user, Ruled(UNSAID, events))
        return self.tell(preview_document(campaign, seen))


class UmpireRulings(UmpirePowers):
    """Rulings of the umpire."""

    @operation(RulingDocument, status=201, takes=NewRuling, once=True, problems=("illegal-action",))
    def post(self, request: Request, slug: str) -> WriteResult:
        """Make a ruling (umpire).

        It enters the journal with its reason.
        """
        given = NewRuling.read(request)
        campaign = self.campaign(slug)
        entry = rulings.rule(
            campaign.pk,
            request.user,
            _ruling(selectors.state_now(campaign), given),
            expected_head=given.get("head"),
            faces=tuple(given["faces"]),
        )
        return WriteResult(201, ruling_document(campaign, entry))


class Branches(OpenEndpoint):
    """The branches of a campaign."""

    @operation(Listed[BranchPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List all branches, the latest first, with their reasons."""
        campaign = selectors.campaign_for(request.user, slug)
        whole = fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign))
        told = [branch_part(line, counted=whole) for line in rewind.branch_summaries(campaign)]
        return self.tell({"results": told})


class OneBranch(OpenEndpoint):
    """A branch of a campaign."""

    @operation(BranchDocument)
    def get(self, request: Request, slug: str, branch: int) -> HttpResponse:
        """Retrieve an abandoned branch.

        Only viewers who see the whole campaign may.
        """
        campaign = selectors.campaign_for(request.user, slug)
        left = abandoned_branch(campaign, branch, fog_of_war.viewer_of(request.user, campaign))
        return self.tell(branch_document(left))


class WaysBack(UmpirePowers):
    """The preview of a rewind."""

    @operation(WayDocument, takes=WayBack)
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Preview a rewind to an entry (umpire).

        Nothing is stored.
        """
        campaign = self.campaign(slug)
        entry = _entry(campaign, WayBack.read(request)["entry"])
        return self.tell(way_document(campaign, rewind.preview_rewind(campaign, entry)))


class Rewinds(UmpirePowers):
    """Rewinds of a campaign."""

    @operation(BranchPart, status=201, takes=RewindInput, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Rewind to an entry (umpire).

        Play goes on from it on a new branch with new dice.
        """
        given = RewindInput.read(request)
        campaign = self.campaign(slug)
        made = rewind.rewind_to(
            campaign.pk,
            request.user,
            _entry(campaign, given["entry"]),
            reason=given["reason"],
            expected_head=given.get("head"),
        )
        lines = rewind.branch_summaries(Campaign.objects.get(pk=campaign.pk))
        line = next(one for one in lines if one.branch.pk == made.pk)
        return WriteResult(201, branch_part(line, counted=True))


class Entries(UmpirePowers):
    """The journal of a campaign."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[EntryPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the entries of the current branch in words, the latest first (umpire)."""
        campaign = self.campaign(slug)
        pages = Newest()
        pages.ordering = "-number"
        page = pages.paginate_queryset(selectors.entries_on(campaign), request)
        numbers = [entry.number for entry in page]
        found = selectors.entries_on(campaign).filter(number__in=numbers)
        return self.tell(pages.document(map(entry_part, [*describe_steps(campaign, found)][::-1])))


def _ruling(state: State, given: dict[str, Any]) -> Ruled:
    told = tuple(Side(one) for one in given.get("to", Side))
    events = _events(state, given["effects"])
    return Ruled(given["reason"], events, told, given.get("toss"), given.get("event"))


def _events(state: State, effects: list[AnyEffect]) -> Events:
    """Return the events of the effects, each in the state that the ones before it leave."""
    events: Events = ()
    for effect in effects:
        events = (*events, *events_of(after(state, events), effect))
    return events


def _entry(campaign: Campaign, cursor: str) -> Entry:
    branch, _, number = cursor.partition(".")
    found = campaign.entries.filter(branch=int(branch), number=int(number)).first()
    if found is None:
        raise Problem("unfit", f"This campaign has no entry {cursor}.")
    return found
