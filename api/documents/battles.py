"""Battles as documents: what is handed over, how it was fought, what came back.

Battles that are there to be fought, as documents.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.battlefield import Field, FieldUnitPart, field_part, standing_parts
from api.documents.events import RollPart, roll_part
from api.documents.scalars import BattleWay, FateName, Moment, MonthName, MonthOrNone, SideName
from battles.access.owners import abandoned, keeper_of
from battles.access.selectors import addresses
from battles.access.viewers import is_open
from battles.contract import Brief, Report
from battles.contract.ready_battles import ready_battles
from battles.contract.registry import books, find_book
from battles.history import replay, serialization
from battles.history.narrator import Picture
from battles.models import Battle
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import TABLE, HandOff
from campaign.services.battles.pending_battle import PendingBattle, owner_of
from campaign.web.battles.battle_forms import ResultForm

NOT_ASKED = HandOff(TABLE)


class BattleLine(msgspec.Struct, frozen=True):
    """A battle in a list; `reported` is null while it waits.

    `book` is by what it is fought, `winner` null while nobody has won, `ending` why it was over, in
    words, and `turns` after how many. Of the `links` `fight` is there where players fight it, or
    have; while it waits for somebody to say how it went at a table, `kit` has all it takes to fight
    it there, `count` makes a report of what is left, and `report` takes it; `beginning` is there
    where it may be fought here instead. Once it has been fought here, `proof` throws its dice
    again, and `trace` has the clauses used. `abandoned` says by which rewind of its campaign the
    battle no longer counts, and is empty where it counts.
    """

    uuid: UUID
    title: str
    month: MonthOrNone
    book: str
    way: BattleWay
    winner: SideName | None
    ending: str
    turns: int
    created: Moment
    reported: Moment | None
    abandoned: str
    links: dict[str, str]


class FatesPart(msgspec.Struct, frozen=True):
    """A unit of the battle, as it came, and what can have become of it."""

    unit: int
    name: str
    side: SideName
    fates: tuple[FateName, ...]


class BattleDocument(BattleLine, frozen=True):
    """A battle: its report once there is one, and its brief, but not while players fight it.

    While it waits for a report from a table `form` lists every unit with the fates that the report
    may give it.
    """

    brief: Brief | None
    form: tuple[FatesPart, ...]
    report: Report | None


class BattleProofDocument(msgspec.Struct, frozen=True):
    """What came of fighting the battle again with its own dice.

    `holds`: every entry came out as it is written; else `wrong` says which did not. It is null
    where the battle was not fought here. Every die and card comes from `key`, in hexadecimal.
    """

    holds: bool | None
    wrong: str
    key: str
    entries: int = 0
    rolls: int = 0
    dice: int = 0


class SaidPart(msgspec.Struct, frozen=True):
    """A sentence of the log, with the dice behind it; `weight` 3 is a headline, 1 routine."""

    text: str
    weight: int
    rolls: tuple[RollPart, ...]


class TurnPart(msgspec.Struct, frozen=True):
    """A turn: what had happened in it, and how everybody stood when it ended."""

    turn: int
    title: str
    sentences: tuple[SaidPart, ...]
    units: tuple[FieldUnitPart, ...]


class ReplayDocument(msgspec.Struct, frozen=True):
    """A battle told again, turn by turn; nothing where its course is not known here.

    `field` is the ground it was fought on, null where nobody knows.
    """

    uuid: UUID
    title: str
    field: Field | None
    turns: tuple[TurnPart, ...]


class ArrangementPart(msgspec.Struct, frozen=True):
    """By what battles are fought, and what becomes of one that waits longer than `days`.

    `way` and `fallback` are `table` (the campaign's own), `by hand`, or a book such as `redcoats`.
    `signed`: a result that players enter counts when both have signed it.
    """

    way: str
    fallback: str
    days: int
    signed: bool


class SignaturePart(msgspec.Struct, frozen=True):
    """What a side has said of the battle that waits; not `fought`: it will not fight it out."""

    side: SideName
    by: str
    fought: bool


class AwaitedDocument(msgspec.Struct, frozen=True):
    """The battle a campaign waits for: its brief, by what it is to be fought, what was said.

    `battle` is its number in addresses, `by` is `table`, `by hand`, or a book such as `redcoats`.
    `form` lists every unit with the fates a report may give it.
    """

    battle: str
    by: str
    brief: Brief
    form: tuple[FatesPart, ...]
    signatures: tuple[SignaturePart, ...]
    links: dict[str, str]


class CampaignBattles(msgspec.Struct, frozen=True):
    """By what a campaign's battles are fought, the one it waits for, and those there have been."""

    arrangement: ArrangementPart
    waiting: AwaitedDocument | None
    fought: tuple[BattleLine, ...]


def battle_lines(battles: Iterable[Battle]) -> tuple[BattleLine, ...]:
    """Return the battles as a list has them, each marked where a rewind has undone it."""
    listed = list(battles)
    by_owner: dict[str, list[str]] = {}
    for battle in listed:
        by_owner.setdefault(battle.owner, []).append(battle.brief_id)
    marks = {owner: abandoned(owner, briefs) for owner, briefs in by_owner.items()}
    return tuple(BattleLine(**_line(one, marks[one.owner])) for one in listed)


def battle_document(battle: Battle) -> BattleDocument:
    brief = None if is_open(battle) else serialization.brief_of(battle)
    form = tuple(_form(brief)) if brief and not battle.reported else ()
    line = _line(battle, abandoned(battle.owner, [battle.brief_id]))
    return BattleDocument(**line, brief=brief, form=form, report=serialization.report_of(battle))


def _line(battle: Battle, abandoned: Mapping[str, str]) -> dict[str, Any]:
    names = ("uuid", "title", "month", "book", "way", "ending", "turns", "created", "reported")
    doors = {"self": "battle", "replay": "battle-replay", **_doors(battle), **_records(battle)}
    links = {name: reverse(f"api:{route}", args=[battle.uuid]) for name, route in doors.items()}
    return {
        **{name: getattr(battle, name) for name in names},
        "winner": battle.winner or None,
        "abandoned": abandoned.get(battle.brief_id, ""),
        "links": {**links, "page": reverse("battle", args=[battle.uuid])},
    }


def _doors(battle: Battle) -> dict[str, str]:
    """Return where the battle is fought or reported, as far as it is: the routes, by the names of
    links.

    A battle that waits with an owner such as a campaign may be fought here too.
    """
    if battle.way == Battle.Way.PLAYERS:
        return {"fight": "fight"} if battle.head_id is not None else {}
    if battle.reported:
        return {}
    kit = {"kit": "battle-kit", "count": "battle-count"} if find_book(battle.book) else {}
    begin = {"beginning": "fight-beginning"} if keeper_of(battle.owner) else {}
    return {**kit, "report": "battle-report", **begin}


def _records(battle: Battle) -> dict[str, str]:
    """What can be read of a battle that was fought here, to the end."""
    if battle.head_id is None or is_open(battle):
        return {}
    trace = {"trace": "battle-trace"} if find_book(battle.book) else {}
    return {"proof": "battle-proof", **trace}


def replay_document(battle: Battle) -> ReplayDocument:
    pictures = replay.pictures(battle)
    field = field_part(pictures[0]) if pictures else None
    return ReplayDocument(battle.uuid, battle.title, field, tuple(map(_turn, pictures)))


def _turn(picture: Picture) -> TurnPart:
    said = tuple(
        SaidPart(one.text, one.weight, tuple(map(roll_part, one.rolls)))
        for one in picture.sentences
    )
    return TurnPart(picture.turn, picture.title, said, standing_parts(picture))


def arrangement_part(campaign: Campaign) -> ArrangementPart:
    agreed = selectors.state_now(campaign).hand_off or NOT_ASKED
    return ArrangementPart(agreed.way, agreed.fallback, agreed.days, agreed.signed)


def awaited_document(campaign: Campaign, waiting: PendingBattle) -> AwaitedDocument:
    """Return the battle that waits, with whatever has been said of it."""
    args = [campaign.slug, waiting.brief.id]
    names = ("way", "declination", "report")
    links = {name: reverse(f"api:campaign-battle-{name}", args=args) for name in names}
    number = addresses(owner_of(campaign), [waiting.brief.id]).get(waiting.brief.id)
    field = {"battle": reverse("api:battle", args=[number])} if number else {}
    return AwaitedDocument(
        battle=waiting.brief.id,
        by=waiting.by,
        brief=waiting.brief,
        form=tuple(_form(waiting.brief)),
        signatures=tuple(
            SignaturePart(one.side, one.by.get_username(), bool(one.report))
            for one in campaign.signatures.filter(battle=waiting.brief.id).select_related("by")
        ),
        links={**links, **field},
    )


def _form(brief: Brief) -> Iterator[FatesPart]:
    """What the form for a result asks, unit by unit."""
    for _, rows in ResultForm(brief).parties():
        for row in rows:
            asked: Any = row.field.field
            fates = tuple(str(value) for value, _ in asked.choices)
            yield FatesPart(row.troop.id, row.name, row.troop.nation.side, fates)


class OfferLine(msgspec.Struct, frozen=True):
    """A battle that anybody may have fought, and the books it can be fought by."""

    battle: str
    title: str
    month: MonthName
    note: str
    books: tuple[str, ...]


def offer_lines() -> Iterator[OfferLine]:
    """Yield every one, in the order of time."""
    known = tuple(books())
    for one in ready_battles():
        yield OfferLine(one.slug, one.brief.title, one.brief.month, one.note, known)
