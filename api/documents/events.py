"""A campaign's feed: events with their dice since a cursor, and the despatches about them."""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Annotated, Any, NamedTuple, get_args

import msgspec
from msgspec import Meta

from api.documents.maps import LocationPart, location_part
from api.documents.scalars import Cursor, MonthOrSetUp, PhaseName, SideName, TopicName
from api.documents.state import MonthLinks
from api.http.problems import Problem, unfit_parameters
from api.http.rule_json import Naming, identifier, rule_form
from api.openapi.parameters import REFERENCE
from battles.contract.brief import Side
from battles.core.decoding import convert_to
from battles.core.dice import Modifier, Roll
from battles.journal import Refused
from campaign.access import fog_of_war, journal_events, selectors
from campaign.access.selectors import Despatch
from campaign.models import Campaign
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.pieces import month_name, month_slug
from campaign.rules.core.play import MONTH
from campaign.rules.core.state import OFF_MAP, Phase
from campaign.rules.map import map_in_play
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.prose.phrases import describe_modifier, describe_roll
from campaign.rules.sight import Viewer


class ModifierPart(msgspec.Struct, frozen=True):
    """A modifier of a roll, with its reason and clause."""

    value: int
    reason: str
    clause: str | None
    text: str


class RollPart(msgspec.Struct, frozen=True):
    """A roll: the dice as they fell, the modifiers, and the result of the table.

    `table` and `clause` name what it was read by, `text` has all of it in a line.
    """

    reason: str
    clause: str | None
    table: str | None
    side: SideName | None
    face_count: int
    dice: tuple[int, ...]
    modifiers: tuple[ModifierPart, ...]
    modified_total: int
    table_result: str | None
    text: str


TOLD: Any = reduce(or_, (kind for kind in get_args(AnyEvent) if kind is not AgendaRecorded))
EVENT_FORM = rule_form(TOLD, Naming("Event"))
"""The JSON form of the events that are published, with their dice beside them."""


class EventPart(msgspec.Struct, frozen=True):
    """An event of the journal, and the dice behind it: `event.type` names its kind."""

    cursor: Cursor
    month: MonthOrSetUp
    side: SideName
    actor: str
    event: Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Event")})]
    rolls: tuple[RollPart, ...]


class SentencePart(msgspec.Struct, frozen=True):
    """A sentence about an event: its subject, its place, its weight, and the dice behind it."""

    text: str
    topic: TopicName
    side: SideName | None
    location: LocationPart | None
    weight: int
    rolls: tuple[RollPart, ...]


class DespatchPart(msgspec.Struct, frozen=True):
    """The events of one phase of one side's turn, in sentences."""

    month: MonthOrSetUp
    month_name: str
    side: SideName
    phase: PhaseName
    sentences: tuple[SentencePart, ...]


class EventsDocument(msgspec.Struct, frozen=True):
    """Events in order, and the despatches of the phases that ended with them.

    `next` is the address of the events after these, now or later; `cursor` is the last that has
    been read. Despatches are of the current branch only.
    """

    campaign: str
    results: tuple[EventPart, ...]
    despatches: tuple[DespatchPart, ...]
    cursor: Cursor
    next: str


class DespatchesDocument(msgspec.Struct, frozen=True):
    """A month's despatches, phase by phase."""

    campaign: str
    month: MonthOrSetUp
    month_name: str
    results: tuple[DespatchPart, ...]
    links: MonthLinks


def event_part(event: dict[str, Any]) -> EventPart:
    """Return an event of the selector with its dice written out."""
    return EventPart(
        cursor=event["cursor"],
        month=event["month"],
        side=event["side"],
        actor=event["actor"],
        event=EVENT_FORM.write(convert_to(event["event"], TOLD, str_keys=True)),
        rolls=tuple(roll_part(convert_to(roll, Roll)) for roll in event["rolls"]),
    )


def despatch_part(despatch: Despatch) -> DespatchPart:
    return DespatchPart(
        month=month_slug(despatch.month),
        month_name=month_name(despatch.month),
        side=despatch.side,
        phase=identifier(despatch.phase),
        sentences=tuple(_sentence(sentence) for sentence in despatch.sentences),
    )


def _sentence(sentence: DespatchSentence) -> SentencePart:
    return SentencePart(
        text=sentence.text,
        topic=sentence.kind,
        side=sentence.side,
        location=None
        if sentence.hex in (None, OFF_MAP)
        else location_part(map_in_play(), sentence.hex),
        weight=sentence.weight,
        rolls=tuple(map(roll_part, sentence.rolls)),
    )


def roll_part(roll: Roll) -> RollPart:
    """Return a roll with every part named, and all of it in words."""
    return RollPart(
        reason=roll.reason,
        clause=roll.clause or None,
        table=roll.table or None,
        side=roll.side or None,
        face_count=roll.sides,
        dice=roll.dice,
        modifiers=tuple(map(modifier_part, roll.modifiers)),
        modified_total=roll.total,
        table_result=roll.result or None,
        text=describe_roll(roll),
    )


def modifier_part(modifier: Modifier) -> ModifierPart:
    text = describe_modifier(modifier)
    return ModifierPart(modifier.value, modifier.reason, modifier.clause or None, text)


_PLACES = {(side, phase): place for place, (_, phase, side) in enumerate(MONTH) if phase}
_BEFORE, _AFTER = -1, len(MONTH)


class Time(NamedTuple):
    """A month, and the place of a phase in its sequence of play."""

    month: int
    place: int


def events_since(
    campaign: Campaign, cursor: str, limit: int, viewer: Viewer, branch: int | None
) -> tuple[list[dict[str, Any]], str]:
    """Return events and the cursor after them. Problem for an unknown or a lost cursor."""
    try:
        return journal_events.visible_events_since(campaign, cursor, limit, viewer, branch)
    except journal_events.CursorLost as lost:
        raise Problem("cursor-lost", str(lost), cursor=lost.common) from lost
    except Refused as refused:
        raise unfit_parameters(since=str(refused)) from refused


def despatches_between(
    campaign: Campaign, since: str, upto: str, viewer: Viewer
) -> Iterator[selectors.Despatch]:
    """Yield the despatches of the phases that ended between two cursors, each once."""
    if since == upto:
        return
    start, end = _time(campaign, since), _time(campaign, upto)
    for month in range(start.month - (start.place == _BEFORE), end.month + 1):
        for despatch in fog_of_war.despatches(campaign, month, viewer):
            if start <= _place(despatch.month, despatch.side, despatch.phase) < end:
                yield despatch


def _time(campaign: Campaign, cursor: str) -> Time:
    """Return the time at which the cursor's entry had been written."""
    if cursor in ("", journal_events.BEGINNING):
        return Time(campaign.first_month, _BEFORE)
    branch, number = map(int, cursor.split("."))
    entry = selectors.entries_on(campaign).get(branch=branch, number=number)
    state = selectors.state_after(campaign, entry)
    return _place(state.month, state.side, state.phase)


def _place(month: int, side: Side, phase: Phase) -> Time:
    """Return the time of a phase: set-up before all phases, the end after them."""
    return Time(month, _PLACES.get((side, phase), _BEFORE if phase is Phase.SET_UP else _AFTER))
