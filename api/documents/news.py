"""What happened: events with their dice, and despatches in sentences."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta

from api.components import Family
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
from battles.core.dice import Roll
from battles.core.reading import shaped
from campaign.access.selectors import Despatch
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.pieces import month_name, month_slug
from campaign.rules.core.state import OFF_MAP
from campaign.rules.prose.names import describe_hex
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.prose.phrases import describe_modifier, describe_roll


class ModifierPart(msgspec.Struct, frozen=True):
    """What a throw is changed by, why, and by which clause."""

    value: int
    reason: str
    clause: str
    words: str


class RollPart(msgspec.Struct, frozen=True):
    """One throw: the dice as they fell, what changed them, and what the table gave.

    `sides` are the faces of a die, `side` whose throw it was. `table` and `clause` say by what it
    was read, `result` what came out, and `words` all of it in a line.
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
EVENTS = Family(
    "Event", {"": ("What has happened, by its kind `is`.", TOLD)}, unsaid=frozenset({"by"})
)
"""The events as they are told: their dice stand beside them."""


class EventPart(msgspec.Struct, frozen=True):
    """One event as the journal keeps it: `event.is` names its kind.

    In it hexes, units and months are numbers. `actor` is who acted, such as `player:gordon`.
    """

    cursor: Cursor
    month: MonthOrSetUp
    side: SideName
    actor: str
    event: Annotated[Any, Meta(extra_json_schema=EVENTS.schema(""))]
    rolls: tuple[RollPart, ...]


class SentencePart(msgspec.Struct, frozen=True):
    """A sentence; `weight` 3 is a headline, 2 news, 1 routine; `side` is the one it is about.

    `hex` and `where`, the same in words, are null for what happened nowhere in particular.
    """

    text: str
    kind: TopicName
    side: SideName | None
    hex: HexName | None
    where: str | None
    weight: int
    rolls: tuple[RollPart, ...]


class DespatchPart(msgspec.Struct, frozen=True):
    """What happened in one phase of one side's turn."""

    month: MonthOrSetUp
    month_name: str
    side: SideName
    phase: PhaseName
    sentences: tuple[SentencePart, ...]


class EventsDocument(msgspec.Struct, frozen=True):
    """Events in order, and the despatches of the phases that ended with them.

    `next` is the address to ask for what comes after them, now or later.
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
    """An event as the selector finds it, with its dice spelt out."""
    return EventPart(
        cursor=found["cursor"],
        month=found["month"],
        side=found["side"],
        actor=found["actor"],
        event={name: value for name, value in found["event"].items() if name != "by"},
        rolls=tuple(roll_part(shaped(roll, Roll)) for roll in found["rolls"]),
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
    """A throw with every part named, and the whole of it in words."""
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
