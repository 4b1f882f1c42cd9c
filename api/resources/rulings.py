"""Rulings by umpires, rewinds, branches, and the journal entries to go back to."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import msgspec
from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from api.documents.umpire import (
    BranchDocument,
    BranchPart,
    EntryPart,
    RewindPreviewDocument,
    RulingDocument,
    RulingPreviewDocument,
    branch_document,
    branch_part,
    entry_part,
    rewind_preview,
    ruling_document,
    ruling_preview,
)
from api.http.encoding import Reason, RequestBody
from api.http.endpoint import Listed, OpenEndpoint, Paged, is_true, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import head_named, unless_stale
from api.http.problems import Problem, unfit
from api.http.responses import PAGES, Newest
from api.resources.umpire import UmpirePowers
from battles.contract.brief import Nation, Quality, Side, TroopKind
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Entry
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.core.actions import Ruled
from campaign.rules.core.board import chart
from campaign.rules.core.events import AnyEvent, RandomEvent, Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.umpire_rulings import Recruit, after
from campaign.services.errors import UnfitRequest
from campaign.services.journal import rewind
from campaign.services.umpire import rulings
from campaign.web.console.rewind import describe_steps, end_of, visible_branch

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


class RewindBody(RequestBody, frozen=True):
    """The entry to go back to, by its cursor, and the reason."""

    cursor: Annotated[
        str,
        Meta(
            pattern="^[0-9]{1,6}[.][0-9]{1,9}$",
            max_length=16,
            extra={"in_words": "the cursor of an event, such as 0.42"},
        ),
    ]
    reason: Reason


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
        body, seen = NewRuling.read(request), _position(request, campaign)
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


class Branches(OpenEndpoint):
    """The branches of a campaign."""

    @operation(Listed[BranchPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List all branches, the latest first, with their reasons."""
        campaign = selectors.campaign_for(request.user, slug)
        sees_all = fog_of_war.may_see_all(request.user, campaign)
        lines = rewind.branch_summaries(campaign)
        return self.answer_list(branch_part(campaign, line, counted=sees_all) for line in lines)


class OneBranch(OpenEndpoint):
    """A branch of a campaign."""

    @operation(BranchDocument)
    def get(self, request: Request, slug: str, branch: int) -> HttpResponse:
        """Retrieve a branch and the position at its end.

        Only viewers who see the whole campaign may.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        line = visible_branch(campaign, branch, viewer)
        return self.answer(branch_document(campaign, line, end_of(campaign, line)))


class BranchEntries(OpenEndpoint):
    """The journal of a campaign, as a branch continues it."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[EntryPart])
    def get(self, request: Request, slug: str, branch: int) -> HttpResponse:
        """List the entries of a branch, and of those it continues, in words, the latest first.

        Only viewers who see the whole campaign may.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        last = visible_branch(campaign, branch, viewer).last
        entries = campaign.entries.none()
        if last is not None:
            entries = selectors.entries_on(campaign, selectors.line_of(campaign, last))
        pages = Newest()
        pages.ordering = "-number"
        page = pages.paginate_queryset(entries, request)
        page_entries = entries.filter(number__in=[entry.number for entry in page])
        return self.answer(
            pages.document(map(entry_part, [*describe_steps(campaign, page_entries)][::-1]))
        )


class Rewinds(UmpirePowers):
    """Rewinds of a campaign."""

    parameters: ClassVar[frozenset[str]] = DRY_RUN

    @operation(
        BranchPart,
        status=201,
        also={200: RewindPreviewDocument},
        takes=RewindBody,
        once=True,
        match=True,
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Rewind to an entry (umpire).

        Play goes on from it on a new branch with new dice. `If-Match` names the campaign's
        position. With `dry_run=true` the answer is a preview, and nothing is stored.
        """
        campaign = self.campaign(slug)
        body, seen = RewindBody.read(request), _position(request, campaign)
        entry = _entry(campaign, body.cursor)
        if is_true(request, "dry_run"):
            preview = rewind.preview_rewind(campaign, entry)
            return WriteResult(200, rewind_preview(campaign, preview))
        branch = unless_stale(
            lambda: rewind.rewind_to(
                campaign.pk, request.user, entry, reason=body.reason, expected_head=seen
            )
        )
        lines = rewind.branch_summaries(Campaign.objects.get(pk=campaign.pk))
        line = next(summary for summary in lines if summary.branch.pk == branch.pk)
        document = branch_part(campaign, line, counted=True)
        return WriteResult(201, document, document.links.self)


def _position(request: Request, campaign: Campaign) -> int | None:
    """Return the head that If-Match names. Raises `precondition-failed` if it is not the head now.

    The services check it once more, under the lock.
    """
    seen = head_named(request, campaign)
    if seen not in (None, campaign.head_id or 0):
        raise Problem("precondition-failed", "The campaign has gone on since you looked.")
    return seen


def _events(state: State, effects: tuple[AnyEffect, ...]) -> Events:
    """Return the events of the effects, each applied after those before it."""
    events: Events = ()
    for place, effect in enumerate(effects):
        try:
            events = (*events, *events_of(after(state, events), effect))
        except UnfitRequest as error:
            raise UnfitRequest(str(error), f"effects/{place}/{error.field}") from error
    return events


def _entry(campaign: Campaign, cursor: str) -> Entry:
    branch, _, number = cursor.partition(".")
    entry = campaign.entries.filter(branch=int(branch), number=int(number)).first()
    if entry is None:
        raise unfit(cursor=f"This campaign has no entry {cursor}.")
    return entry
