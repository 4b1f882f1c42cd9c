"""Battles as documents: offers, briefs, replays and reports."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.battlefield import Field, FieldUnitPart, field_part, standing_parts
from api.documents.events import RollPart, roll_part
from api.documents.scalars import BattleWay, FateName, Moment, MonthName, MonthOrNone, SideName
from api.http.rule_json import rule_form
from api.openapi.parameters import REFERENCE
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
from campaign.rules.core.state import COMBAT_TABLE, HandOff
from campaign.services.battles.pending_battle import PendingBattle, owner_of
from campaign.web.battles.battle_forms import ResultForm

NOT_ASKED = HandOff(COMBAT_TABLE)
BRIEF_FORM = rule_form(Brief)
REPORT_FORM = rule_form(Report)
BriefJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Brief")})]
ReportJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Report")})]
"""A brief, and a report, in their JSON form."""


class BattleLine(msgspec.Struct, frozen=True):
    """A battle in a list; `reported` is null while it waits.

    `book` is the method by which it is fought, `winner` is null if nobody has won, `ending` says in
    words why it ended, and `turns` after how many turns. Links appear as they apply: `fight` if
    players fight it here; `kit`, `count` and `report` while it waits for a result from a table;
    `beginning` if it may be fought here instead; `proof` (its dice verified) and `trace` (the
    clauses applied) once it has been fought here. `abandoned` says which rewind of its campaign
    undid the battle, and is empty if it counts.
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
    """A unit of the battle, and the fates it can suffer."""

    unit: int
    name: str
    side: SideName
    fates: tuple[FateName, ...]


class BattleDocument(BattleLine, frozen=True):
    """A battle with its brief, except while players fight it, and its report if there is one.

    While it waits for a report from a table, `form` lists every unit with its possible fates.
    """

    brief: BriefJson | None
    form: tuple[FatesPart, ...]
    report: ReportJson | None


class BattleProofDocument(msgspec.Struct, frozen=True):
    """The result of replaying the battle with its own dice.

    `holds`: every entry was reproduced; otherwise `wrong` names the first that was not. It is null
    for a battle that was not fought here. Every die and card derives from `key`, in hexadecimal.
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
    """A turn: its events, and the position of every unit at its end."""

    turn: int
    title: str
    sentences: tuple[SaidPart, ...]
    units: tuple[FieldUnitPart, ...]


class ReplayDocument(msgspec.Struct, frozen=True):
    """The replay of a battle, turn by turn; `turns` is empty if its course is unknown.

    `field` is the ground, null if it is unknown.
    """

    uuid: UUID
    title: str
    field: Field | None
    turns: tuple[TurnPart, ...]


class ArrangementPart(msgspec.Struct, frozen=True):
    """The method by which battles are fought, and the fallback after `days` of waiting.

    `way` and `fallback` are `table` (the campaign's own), `by hand`, or a book such as `redcoats`.
    With `signed`, a result entered by a player counts once both sides have signed it.
    """

    way: str
    fallback: str
    days: int
    signed: bool


class SignaturePart(msgspec.Struct, frozen=True):
    """A side's statement on the waiting battle; without `fought` it declines to fight it out."""

    side: SideName
    by: str
    fought: bool


class AwaitedDocument(msgspec.Struct, frozen=True):
    """The waiting battle of a campaign: its brief, its method and the sides' statements.

    `battle` identifies it in addresses, `by` is `table`, `by hand`, or a book such as `redcoats`.
    `form` lists every unit with the fates that a report may give it.
    """

    battle: str
    by: str
    brief: BriefJson
    form: tuple[FatesPart, ...]
    signatures: tuple[SignaturePart, ...]
    links: dict[str, str]


class CampaignBattlesPart(msgspec.Struct, frozen=True):
    """A campaign's battle method, its waiting battle, and its past battles."""

    arrangement: ArrangementPart
    waiting: AwaitedDocument | None
    fought: tuple[BattleLine, ...]


def battle_lines(battles: Iterable[Battle]) -> tuple[BattleLine, ...]:
    """Return the battles as list entries, each marked if a rewind has undone it."""
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
    report = serialization.report_of(battle)
    return BattleDocument(
        **line,
        brief=BRIEF_FORM.write(brief) if brief else None,
        form=form,
        report=REPORT_FORM.write(report) if report else None,
    )


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
    """Return the routes by which the battle can be fought or reported, by link name.

    A waiting battle of a campaign may be fought here too.
    """
    if battle.way == Battle.Way.PLAYERS:
        return {"fight": "fight"} if battle.head_id is not None else {}
    if battle.reported:
        return {}
    kit = {"kit": "battle-kit", "count": "battle-count"} if find_book(battle.book) else {}
    begin = {"beginning": "fight-beginning"} if keeper_of(battle.owner) else {}
    return {**kit, "report": "battle-report", **begin}


def _records(battle: Battle) -> dict[str, str]:
    """Return the routes to the proof and trace of a battle that was fought here to its end."""
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
    return ArrangementPart(agreed.resolution, agreed.fallback, agreed.timeout_days, agreed.signed)


def awaited_document(campaign: Campaign, waiting: PendingBattle) -> AwaitedDocument:
    """Return the waiting battle, with the sides' statements."""
    args = [campaign.slug, waiting.brief.id]
    names = ("way", "declination", "report")
    links = {name: reverse(f"api:campaign-battle-{name}", args=args) for name in names}
    number = addresses(owner_of(campaign), [waiting.brief.id]).get(waiting.brief.id)
    field = {"battle": reverse("api:battle", args=[number])} if number else {}
    return AwaitedDocument(
        battle=waiting.brief.id,
        by=waiting.resolution,
        brief=BRIEF_FORM.write(waiting.brief),
        form=tuple(_form(waiting.brief)),
        signatures=tuple(
            SignaturePart(one.side, one.by.get_username(), bool(one.report))
            for one in campaign.signatures.filter(battle=waiting.brief.id).select_related("by")
        ),
        links={**links, **field},
    )


def _form(brief: Brief) -> Iterator[FatesPart]:
    """Yield the fields of the result form, unit by unit."""
    for _, rows in ResultForm(brief).parties():
        for row in rows:
            asked: Any = row.field.field
            fates = tuple(str(value) for value, _ in asked.choices)
            yield FatesPart(row.troop.id, row.name, row.troop.nation.side, fates)


class OfferLine(msgspec.Struct, frozen=True):
    """A battle that anyone may have fought, and the books that can fight it."""

    battle: str
    title: str
    month: MonthName
    note: str
    books: tuple[str, ...]


def offer_lines() -> Iterator[OfferLine]:
    """Yield every offer, in the order of time."""
    known = tuple(books())
    for one in ready_battles():
        yield OfferLine(one.slug, one.brief.title, one.brief.month, one.note, known)
