"""A campaign's feed: events with their dice since a cursor, and the despatches about them."""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Annotated, Any, NamedTuple, get_args

import msgspec
from msgspec import Meta

from api.documents.maps import printed
from api.documents.scalars import (
    Cursor,
    HexName,
    MonthOrSetUp,
    PhaseName,
    SideName,
    SideOrNone,
    TopicName,
)
from api.http.problems import Problem, invalid_parameters
from api.http.rule_json import Naming, rule_form
from api.openapi.parameters import REFERENCE
from battles.contract.brief import Side
from battles.core.decoding import convert_to
from battles.core.dice import Roll
from battles.history.journal import Refused
from campaign.access import fog_of_war, selectors
from campaign.access.selectors import Despatch
from campaign.models import Campaign
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.pieces import month_name, month_slug
from campaign.rules.core.sequence import MONTH
from campaign.rules.core.state import OFF_MAP, Phase
from campaign.rules.prose.names import describe_hex
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.prose.phrases import describe_modifier, describe_roll
from campaign.rules.sight import Viewer


class ModifierPart(msgspec.Struct, frozen=True):
    """A modifier of a roll, with its reason and clause."""

    value: int
    reason: str
    clause: str
    words: str


class RollPart(msgspec.Struct, frozen=True):
    """A roll: the dice as they fell, the modifiers, and the result of the table.

    `sides` is the number of faces of a die, `side` the side that rolled. `table` and `clause` name
    what it was read by, `result` is the outcome, and `words` has all of it in a line.
    """

    reason: str
    clause: str
    table: str
    side: SideOrNone
    sides: int
    dice: tuple[int, ...]
    modifiers: tuple[ModifierPart, ...]
    total: int
    result: str
    words: str


TOLD: Any = reduce(or_, (kind for kind in get_args(AnyEvent) if kind is not AgendaRecorded))
EVENT_FORM = rule_form(TOLD, Naming("Event"))
"""The JSON form of the events that are published, with their dice beside them."""


class EventPart(msgspec.Struct, frozen=True):
    """An event of the journal: `event.type` names its kind.

    `actor` is who acted, such as `player:gordon`.
    """

    cursor: Cursor
    month: MonthOrSetUp
    side: SideName
    actor: str
    event: Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Event")})]
    rolls: tuple[RollPart, ...]


class SentencePart(msgspec.Struct, frozen=True):
    """A sentence; `weight` 3 is a headline, 2 news, 1 routine; `side` is its subject.

    `hex`, and `where` in words, are null for an event without a place.
    """

    text: str
    kind: TopicName
    side: SideName | None
    hex: HexName | None
    where: str | None
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

    `next` is the address of the events after these, now or later.
    """

    campaign: str
    results: tuple[EventPart, ...]
    despatches: tuple[DespatchPart, ...]
    cursor: str
    next: str


class DespatchesDocument(msgspec.Struct, frozen=True):
    """A month's despatches, phase by phase."""

    campaign: str
    month: MonthOrSetUp
    month_name: str
    results: tuple[DespatchPart, ...]
    links: dict[str, str]


def event_part(found: dict[str, Any]) -> EventPart:
    """Return an event of the selector with its dice written out."""
    return EventPart(
        cursor=found["cursor"],
        month=found["month"],
        side=found["side"],
        actor=found["actor"],
        event=EVENT_FORM.write(convert_to(found["event"], TOLD, str_keys=True)),
        rolls=tuple(roll_part(convert_to(roll, Roll)) for roll in found["rolls"]),
    )


def despatch_part(despatch: Despatch) -> DespatchPart:
    return DespatchPart(
        month=month_slug(despatch.month),
        month_name=month_name(despatch.month),
        side=despatch.side,
        phase=despatch.phase,
        sentences=tuple(_sentence(one) for one in despatch.sentences),
    )


def _sentence(sentence: DespatchSentence) -> SentencePart:
    on_map = sentence.hex is not None and sentence.hex != OFF_MAP
    return SentencePart(
        text=sentence.text,
        kind=sentence.kind,
        side=sentence.side,
        hex=printed(sentence.hex) if on_map and sentence.hex is not None else None,
        where=describe_hex(sentence.hex) if on_map and sentence.hex is not None else None,
        weight=sentence.weight,
        rolls=tuple(map(roll_part, sentence.rolls)),
    )


def roll_part(roll: Roll) -> RollPart:
    """Return a roll with every part named, and all of it in words."""
    return RollPart(
        reason=roll.reason,
        clause=roll.clause,
        table=roll.table,
        side=roll.side,
        sides=roll.sides,
        dice=roll.dice,
        modifiers=tuple(
            ModifierPart(one.value, one.reason, one.clause, describe_modifier(one))
            for one in roll.modifiers
        ),
        total=roll.total,
        result=roll.result,
        words=describe_roll(roll),
    )


_PLACES = {(side, phase): place for place, (_, phase, side) in enumerate(MONTH) if phase}
_BEFORE, _AFTER = -1, len(MONTH)


class Time(NamedTuple):
    """A month, and the place of a phase in its sequence of play."""

    month: int
    place: int


def events_since(
    campaign: Campaign, cursor: str, limit: int, viewer: Viewer
) -> tuple[list[dict[str, Any]], str]:
    """Return events and the cursor after them. Problem for a malformed or a lost cursor."""
    try:
        return fog_of_war.events_since(campaign, cursor, limit, viewer)
    except selectors.CursorLost as lost:
        raise Problem("cursor-lost", str(lost), cursor=lost.common) from lost
    except Refused as refused:
        raise invalid_parameters(since=str(refused)) from refused


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
    if not cursor:
        return Time(campaign.first_month, _BEFORE)
    branch, number = map(int, cursor.split("."))
    entry = selectors.entries_on(campaign).get(branch=branch, number=number)
    state = selectors.state_after(campaign, entry)
    return _place(state.month, state.side, state.phase)


def _place(month: int, side: Side, phase: Phase) -> Time:
    """Return the time of a phase: set-up before all phases, the end after them."""
    return Time(month, _PLACES.get((side, phase), _BEFORE if phase is Phase.SET_UP else _AFTER))
