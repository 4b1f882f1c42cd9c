"""Battles as documents: offers, briefs, replays and reports."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.battlefield import Field, FieldUnitPart, field_part, unit_parts
from api.documents.events import RollPart, roll_part
from api.documents.scalars import (
    BattleStatus,
    FateName,
    FoughtBy,
    Moment,
    MonthName,
    Resolution,
    ResolutionAtOnce,
    SideName,
)
from api.http.rule_json import identifier, rule_form
from api.openapi.parameters import REFERENCE
from battles import replay, serialization
from battles.access import addresses, is_open, keeper_of, reasons_for_abandoned
from battles.contract import Brief, Report
from battles.contract.book import books, find_book
from battles.contract.brief_files import ready_battles
from battles.core.decoding import convert_to
from battles.models import Battle
from battles.prose import Sentence
from battles.replay import Picture
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import COMBAT_TABLE, HandOff, State
from campaign.services.journal import dice
from campaign.services.pending_battle import OWNER, PendingBattle, owner_of
from campaign.web.battle_forms import ResultForm

BRIEF_FORM = rule_form(Brief)
REPORT_FORM = rule_form(Report)
BriefJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Brief")})]
ReportJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="Report")})]
"""A brief, and a report, in their JSON form."""


class BattleLinks(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of a battle; null where they do not apply.

    `fight` is for players who fight it here, or begin to; `kit`, `count` and `report` while it
    waits for a result from a table; `proof` (its dice verified) and `trace` (the clauses applied)
    once it has been fought here.
    """

    self: str
    page: str
    replay: str
    fight: str | None
    kit: str | None
    count: str | None
    report: str | None
    proof: str | None
    trace: str | None


class BattleLine(msgspec.Struct, frozen=True, kw_only=True):
    """A battle in a list.

    `book` is the book by which it is fought, or `tabletop` if its result was entered without one.
    """

    uuid: UUID
    title: str
    month: MonthName | None
    book: str
    fought_by: FoughtBy
    status: BattleStatus
    winner: SideName | None
    ending: str | None
    turns: int | None
    created_at: Moment
    reported_at: Moment | None
    undone_by: str | None
    links: BattleLinks


class UnitFatesPart(msgspec.Struct, frozen=True):
    """A unit of the battle, and the fates it can suffer."""

    unit_id: int
    name: str
    side: SideName
    possible_fates: tuple[FateName, ...]


class BattleDocument(BattleLine, frozen=True, kw_only=True):
    """A battle with its brief, except while players fight it, and its report if there is one.

    While it waits for a report from a table, `report_form` lists every unit with its possible
    fates. With `waits_for_dice`, it has been reported, and the campaign goes on when the umpire
    types in its dice.
    """

    brief: BriefJson | None
    report_form: tuple[UnitFatesPart, ...]
    report: ReportJson | None
    waits_for_dice: bool


class BattleProofDocument(msgspec.Struct, frozen=True):
    """The result of replaying the battle with its own dice.

    `verified`: every entry was reproduced; it is null for a battle that was not fought here. Every
    die and card derives from the key.
    """

    verified: bool | None
    fault: str | None
    key: str | None
    entry_count: int = 0
    roll_count: int = 0
    die_count: int = 0


class LogSentencePart(msgspec.Struct, frozen=True):
    """A sentence of the log, with the dice behind it."""

    text: str
    weight: int
    rolls: tuple[RollPart, ...]


class ReplayTurnPart(msgspec.Struct, frozen=True):
    """A turn: its events, and the position of every unit at its end."""

    turn: int
    title: str
    sentences: tuple[LogSentencePart, ...]
    field_units: tuple[FieldUnitPart, ...]


class ReplayDocument(msgspec.Struct, frozen=True):
    """The replay of a battle, turn by turn; without a turn if its course is unknown."""

    uuid: UUID
    title: str
    field: Field | None
    replay_turns: tuple[ReplayTurnPart, ...]


class BattleArrangement(msgspec.Struct, frozen=True):
    """The arrangement of battles: their resolution, and the fallback for one that waits too long.

    With `signed`, a result entered by a player counts once both sides have signed it. People fight
    by `book`, unless they choose another.
    """

    resolution: Resolution
    fallback: ResolutionAtOnce
    timeout_days: int
    signed: bool
    book: str | None


class SignaturePart(msgspec.Struct, frozen=True):
    """A side's statement on the waiting battle: a result, or that it declines to fight it out."""

    side: SideName
    username: str
    declined: bool


class PendingBattleLinks(msgspec.Struct, frozen=True):
    """The addresses of a waiting battle; `battle` is null until it has a page of its own."""

    self: str
    report: str
    odds: str
    campaign: str
    battle: str | None


class PendingBattleDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The battle for which a campaign waits: its brief, its resolution and the sides' statements.

    `report_form` lists every unit with the fates that a report may give it.
    """

    battle: str
    resolution: Resolution
    brief: BriefJson
    report_form: tuple[UnitFatesPart, ...]
    signatures: tuple[SignaturePart, ...]
    waits_for_dice: bool
    due_at: Moment | None
    links: PendingBattleLinks


class CampaignBattlesDocument(msgspec.Struct, frozen=True):
    """The battle for which a campaign waits, and its past battles, the latest first."""

    arrangement: BattleArrangement
    pending_battle: PendingBattleDocument | None
    past_battles: tuple[BattleLine, ...]


def battle_lines(battles: Iterable[Battle]) -> tuple[BattleLine, ...]:
    """Return the battles as list entries, each marked if a rewind has undone it."""
    listed = list(battles)
    by_owner: dict[str, list[str]] = {}
    for battle in listed:
        by_owner.setdefault(battle.owner, []).append(battle.brief_id)
    marks = {owner: reasons_for_abandoned(owner, briefs) for owner, briefs in by_owner.items()}
    return tuple(_line(battle, marks[battle.owner]) for battle in listed)


def battle_document(battle: Battle) -> BattleDocument:
    brief = None if is_open(battle) else serialization.brief_of(battle)
    line = _line(battle, reasons_for_abandoned(battle.owner, [battle.brief_id]))
    report = serialization.report_of(battle)
    return BattleDocument(
        **msgspec.structs.asdict(line),
        brief=BRIEF_FORM.write(brief) if brief else None,
        report_form=tuple(_report_form(brief)) if brief and not battle.reported else (),
        report=REPORT_FORM.write(report) if report else None,
        waits_for_dice=_waits_for_dice(battle),
    )


def _waits_for_dice(battle: Battle) -> bool:
    """Return whether its campaign waits for the dice that follow from its report."""
    slug = battle.owner.removeprefix(f"{OWNER}:")
    campaign = Campaign.objects.filter(slug=slug, battle=battle.brief_id, dice_by_hand=True).first()
    return campaign is not None and dice.waiting_throw(campaign) is not None


def _line(battle: Battle, abandoned: Mapping[str, str]) -> BattleLine:
    return BattleLine(
        uuid=battle.uuid,
        title=battle.title,
        month=battle.month or None,
        book=battle.book,
        fought_by=battle.way,
        status=status_of(battle),
        winner=battle.winner or None,
        ending=battle.ending or None,
        turns=battle.turns or None,
        created_at=battle.created,
        reported_at=battle.reported,
        undone_by=abandoned.get(battle.brief_id),
        links=_links(battle),
    )


def status_of(battle: Battle) -> BattleStatus:
    """Return whether the battle is over, is being fought by players, or waits for its result."""
    if battle.reported:
        return "reported"
    return "fighting" if battle.head_id is not None else "waiting"


def _links(battle: Battle) -> BattleLinks:
    fights = battle.way == Battle.Way.PLAYERS and battle.head_id is not None
    waits = battle.way != Battle.Way.PLAYERS and not battle.reported
    fought = battle.head_id is not None and not is_open(battle)
    installed = find_book(battle.book) is not None
    doors = {
        "self": "battle",
        "replay": "battle-replay",
        "fight": "fight" if fights or (waits and keeper_of(battle.owner)) else None,
        "kit": "battle-kit" if waits and installed else None,
        "count": "battle-count" if waits and installed else None,
        "report": "battle-report" if waits else None,
        "proof": "battle-proof" if fought else None,
        "trace": "battle-trace" if fought and installed else None,
    }
    args = [battle.uuid]
    urls = {
        name: reverse(f"api:{route}", args=args) if route else None for name, route in doors.items()
    }
    return convert_to({**urls, "page": reverse("battle", args=args)}, BattleLinks)


def replay_document(battle: Battle) -> ReplayDocument:
    pictures = replay.pictures(battle)
    field = field_part(pictures[0]) if pictures else None
    return ReplayDocument(battle.uuid, battle.title, field, tuple(map(_turn, pictures)))


def _turn(picture: Picture) -> ReplayTurnPart:
    sentences = tuple(map(sentence_part, picture.sentences))
    return ReplayTurnPart(picture.turn, picture.title, sentences, unit_parts(picture))


def sentence_part(sentence: Sentence) -> LogSentencePart:
    return LogSentencePart(sentence.text, sentence.weight, tuple(map(roll_part, sentence.rolls)))


def battle_arrangement(state: State) -> BattleArrangement:
    agreed = state.hand_off or HandOff(COMBAT_TABLE)
    return BattleArrangement(
        agreed.resolution, agreed.fallback, agreed.timeout_days, agreed.signed, agreed.book or None
    )


def campaign_battles(
    campaign: Campaign, waiting: PendingBattle | None, fought: Iterable[Battle]
) -> CampaignBattlesDocument:
    return CampaignBattlesDocument(
        arrangement=battle_arrangement(selectors.state_now(campaign)),
        pending_battle=pending_battle_document(campaign, waiting) if waiting else None,
        past_battles=battle_lines(fought),
    )


def pending_battle_document(campaign: Campaign, waiting: PendingBattle) -> PendingBattleDocument:
    """Return the waiting battle, with the sides' statements."""
    args = [campaign.slug, waiting.brief.id]
    number = addresses(owner_of(campaign), [waiting.brief.id]).get(waiting.brief.id)
    signatures = campaign.signatures.filter(battle=waiting.brief.id).select_related("by")
    return PendingBattleDocument(
        battle=waiting.brief.id,
        resolution=waiting.resolution,
        brief=BRIEF_FORM.write(waiting.brief),
        report_form=tuple(_report_form(waiting.brief)),
        signatures=tuple(
            SignaturePart(signature.side, signature.by.get_username(), not signature.report)
            for signature in signatures
        ),
        waits_for_dice=dice.waiting_throw(campaign) is not None,
        due_at=campaign.battle_due,
        links=PendingBattleLinks(
            self=reverse("api:campaign-battle", args=args),
            report=reverse("api:campaign-battle-report", args=args),
            odds=reverse("api:campaign-battle-odds", args=args),
            campaign=reverse("api:campaign", args=[campaign.slug]),
            battle=reverse("api:battle", args=[number]) if number else None,
        ),
    )


def _report_form(brief: Brief) -> Iterator[UnitFatesPart]:
    """Yield the fields of the result form, unit by unit."""
    for _, rows in ResultForm(brief).parties():
        for row in rows:
            field: Any = row.field.field
            fates = tuple(identifier(str(value)) for value, _ in field.choices)
            yield UnitFatesPart(row.troop.id, row.name, row.troop.nation.side, fates)


class OfferLine(msgspec.Struct, frozen=True):
    """A battle that anyone may have fought, and the books that can fight it."""

    slug: str
    title: str
    month: MonthName
    description: str
    books: tuple[str, ...]


def offer_lines() -> Iterator[OfferLine]:
    """Yield every offer, in the order of time."""
    book_slugs = tuple(books())
    for offer in ready_battles():
        yield OfferLine(offer.slug, offer.brief.title, offer.brief.month, offer.note, book_slugs)
