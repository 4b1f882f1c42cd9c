"""Battles that players fight, as documents: throws, legal actions, the known state, the log."""

from collections.abc import Iterable
from typing import Literal
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.battles import LogSentencePart, sentence_part
from api.documents.scalars import ChoiceSort, Cursor, Moment, PerspectiveName, SideName
from api.http.rule_json import identifier
from api.openapi.components import BookAction, BookState, action_form, state_form
from battles import access, serialization
from battles.access import BattleViewer
from battles.models import Battle, BattleEntry, Command
from battles.replay import LogEntry
from battles.services import PlayerDecision, SideThrow
from battles.turn_form import PickedAnswer, TurnForm
from battles.web.fight_page import FightPage
from battles.web.fight_view import AwaitedSide

Lead = Literal["player", "computer"]
ThrowOpponent = Literal["computer", "open"]


class ThrowRoundPart(msgspec.Struct, frozen=True):
    """The dice of one round."""

    your_die: int
    opponent_die: int


class ThrowDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A throw for the choice of sides: the higher die chooses.

    `your_choice` is whether you choose. `computer_side` is the side that the computer has chosen,
    null if it does not choose. An invited opponent who may choose tells you the side.
    """

    throw_token: str
    book: str
    opponent: ThrowOpponent
    rounds: tuple[ThrowRoundPart, ...]
    your_choice: bool
    computer_side: SideName | None


def throw_document(thrown: SideThrow) -> ThrowDocument:
    """Return a throw as a document."""
    return ThrowDocument(
        throw_token=thrown.token,
        book=thrown.book,
        opponent="computer" if thrown.opponent == "computer" else "open",
        rounds=tuple(ThrowRoundPart(*throw_round) for throw_round in thrown.rounds),
        your_choice=thrown.won,
        computer_side=thrown.chosen,
    )


class LegalActionPart(msgspec.Struct, frozen=True):
    """A legal action; send `action` unchanged to choose it."""

    choice_kind: ChoiceSort
    label: str
    detail: str | None
    chance: float | None
    target_id: int | None
    action: BookAction


class FightUnitPart(msgspec.Struct, frozen=True):
    """A unit that the options name."""

    id: int
    name: str


class OrderFieldPart(msgspec.Struct, frozen=True):
    """A field of an order to a unit (Fuzzy Wuzzy), with its allowed and its present value."""

    name: str
    allowed_values: tuple[str, ...]
    given: str | None


class FightOptionsPart(msgspec.Struct, frozen=True, kw_only=True):
    """The question put to your side, with every legal action.

    `legal_actions` and `order_fields` are those of the unit `unit_id`; the `other_units` can be
    asked about by the parameter `unit`. `combinable_units` may be named together by one action
    (Redcoats: `redcoats_coordinate`). If the unit `may_go_anywhere`, it may go to any place that
    the book allows, not only to those listed.
    """

    title: str
    hint: str | None
    unit_id: int | None
    other_units: tuple[FightUnitPart, ...]
    legal_actions: tuple[LegalActionPart, ...]
    order_fields: tuple[OrderFieldPart, ...]
    combinable_units: tuple[FightUnitPart, ...]
    place_numbers: tuple[int, ...]
    may_go_anywhere: bool


class CommanderPart(msgspec.Struct, frozen=True):
    """A side and its commander."""

    side: SideName
    name: str
    lead: Lead
    is_yours: bool


class InvitationLinks(msgspec.Struct, frozen=True):
    """The addresses of an invitation: for a program, and for a person."""

    self: str
    page: str


class OpenSidePart(msgspec.Struct, frozen=True):
    """A side without a commander, and the invitation to take it."""

    side: SideName
    secret: str
    links: InvitationLinks


class FightOfferDocument(msgspec.Struct, frozen=True):
    """An invitation to command a side in a battle; POST accepts it."""

    title: str
    book: str
    side: SideName
    timeout_days: int | None
    links: InvitationLinks


class AwaitedPlayerPart(msgspec.Struct, frozen=True):
    """The user for whom the battle waits, and their deadline."""

    username: str
    due_at: Moment
    is_late: bool
    may_stand_in: bool


class FightLinks(msgspec.Struct, frozen=True):
    """The addresses of a battle that players fight."""

    self: str
    page: str
    battle: str
    actions: str
    log: str
    stream: str
    rewinds: str
    corrections: str


class FightDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A battle that players fight, as you know it.

    Send the ETag in If-Match when you act. `awaited_side` is null when the battle is over;
    `options` is null unless that side is yours. `awaited` is null if no deadline runs.
    `invitations` to open sides are shown only to the user who created the battle. `state` is the
    document of the book without what you may not know.
    """

    uuid: UUID
    title: str
    book: str
    version: str
    cursor: Cursor
    turn: int
    perspective: PerspectiveName
    awaited_side: SideName | None
    paused: bool
    paused_by: str | None
    timeout_days: int | None
    awaited: AwaitedPlayerPart | None
    side_commanders: tuple[CommanderPart, ...]
    invitations: tuple[OpenSidePart, ...]
    options: FightOptionsPart | None
    card_names: tuple[str, ...]
    state: BookState
    links: FightLinks


class UndoableActionLinks(msgspec.Struct, frozen=True):
    """The address at which to take a decision back."""

    self: str


class UndoableActionPart(msgspec.Struct, frozen=True):
    """A decision of yours that you may take back; `entry_number` is its first log entry."""

    entry_number: int
    turn: int
    links: UndoableActionLinks


class UndoableActionsDocument(msgspec.Struct, frozen=True):
    """Your decisions that you may take back, the latest first."""

    cursor: Cursor
    results: tuple[UndoableActionPart, ...]


def undoable_actions_document(
    battle: Battle, decisions: Iterable[PlayerDecision]
) -> UndoableActionsDocument:
    """Return the decisions of a battle that their player may take back."""
    return UndoableActionsDocument(
        serialization.cursor_of(battle),
        tuple(_undoable_action(battle, decision.first) for decision in decisions),
    )


def _undoable_action(battle: Battle, first: BattleEntry) -> UndoableActionPart:
    address = reverse("api:fight-action", args=[battle.uuid, first.number])
    return UndoableActionPart(first.number, first.turn, UndoableActionLinks(address))


class LogPart(msgspec.Struct, frozen=True):
    """An entry of the journal as you may read it; many are empty for you."""

    entry_number: int
    turn: int
    side: SideName | None
    actor: str
    sentences: tuple[LogSentencePart, ...]
    reason: str | None


class LogDocument(msgspec.Struct, frozen=True):
    """Log entries, the oldest first."""

    cursor: Cursor
    entries: tuple[LogPart, ...]
    last_entry_number: int


def fight_document(page: FightPage) -> FightDocument:
    """Return the battle as the caller may know it."""
    battle = page.battle
    return FightDocument(
        uuid=battle.uuid,
        title=battle.title,
        book=battle.book,
        version=page.version,
        cursor=page.place,
        turn=page.state.turn,
        perspective=page.viewer,
        awaited_side=page.side,
        paused=bool(battle.paused),
        paused_by=battle.paused or None,
        timeout_days=battle.patience or None,
        awaited=_awaited_player_part(page.awaited) if page.awaited else None,
        side_commanders=tuple(
            CommanderPart(
                commander.side,
                commander.by,
                "computer" if commander.command.computer else "player",
                commander.is_own,
            )
            for commander in page.led
        ),
        invitations=tuple(map(_open_side, access.free_sides(battle, page.user))),
        options=_options(page.turn_form, battle.book) if page.turn_form else None,
        card_names=_hand(page),
        state=state_form(battle.book).write(page.known),
        links=_links(battle.uuid),
    )


def _links(number: UUID) -> FightLinks:
    return FightLinks(
        self=reverse("api:fight", args=[number]),
        page=reverse("fight", args=[number]),
        battle=reverse("api:battle", args=[number]),
        actions=reverse("api:fight-actions", args=[number]),
        log=reverse("api:fight-log", args=[number]),
        stream=reverse("api:fight-stream", args=[number]),
        rewinds=reverse("api:fight-rewinds", args=[number]),
        corrections=reverse("api:fight-corrections", args=[number]),
    )


def offer_document(offered: Command) -> FightOfferDocument:
    """Return the offer of an invitation."""
    battle = offered.battle
    return FightOfferDocument(
        battle.title, battle.book, offered.side, battle.patience or None, _addresses(offered)
    )


def _open_side(offered: Command) -> OpenSidePart:
    return OpenSidePart(offered.side, offered.invitation, _addresses(offered))


def _addresses(offered: Command) -> InvitationLinks:
    """Return the addresses that accept the invitation: for a program, and for a person."""
    args = [offered.battle.uuid, offered.invitation]
    address = reverse("api:fight-invitation", args=args)
    return InvitationLinks(address, reverse("fight-join", args=args))


def _awaited_player_part(awaited: AwaitedSide) -> AwaitedPlayerPart:
    return AwaitedPlayerPart(awaited.who, awaited.due, awaited.late, awaited.may_stand_in)


def _hand(page: FightPage) -> tuple[str, ...]:
    """Return the cards of the viewer's side; the umpire reads them in the state."""
    if page.viewer is BattleViewer.UMPIRE:
        return ()
    return tuple(card for _, cards in page.hands for card in cards)


def _options(form: TurnForm, book: str) -> FightOptionsPart:
    write = action_form(book).write
    ordering, several, placing = form.ordering, form.several, form.placing
    return FightOptionsPart(
        title=form.title,
        hint=form.hint or None,
        unit_id=form.unit or None,
        other_units=_units(form.units),
        legal_actions=tuple(
            LegalActionPart(
                choice_kind=choice.kind,
                label=choice.label,
                detail=choice.detail or None,
                chance=choice.chance,
                target_id=choice.target or None,
                action=write(choice.action),
            )
            for choice in form.choices
            # A plan of the page repeats an action that stands in the list by itself.
            if choice.more or not choice.then
        ),
        order_fields=tuple(
            OrderFieldPart(name, tuple(map(identifier, values)), identifier(current) or None)
            for name, values, current in ordering.sorts
        )
        if ordering
        else (),
        combinable_units=_units(several.units) if several else (),
        place_numbers=tuple(int(value) for value, _, _ in placing.places) if placing else (),
        may_go_anywhere=form.free is not None,
    )


def _units(picks: tuple[PickedAnswer, ...]) -> tuple[FightUnitPart, ...]:
    return tuple(FightUnitPart(pick.unit, pick.name) for pick in picks)


def log_document(page: FightPage, after: int) -> LogDocument:
    """Return the log after that entry."""
    entries = tuple(map(entry_part, page.battle_log.since(after)))
    return LogDocument(page.place, entries, page.number)


def entry_part(entry: LogEntry) -> LogPart:
    """Return an entry of the log."""
    return LogPart(
        entry_number=entry.number,
        turn=entry.turn,
        side=entry.side,
        actor=entry.by,
        sentences=tuple(map(sentence_part, entry.sentences)),
        reason=entry.reason or None,
    )
