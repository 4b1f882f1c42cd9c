"""Battles that players fight, as documents: the question, the known state and the log."""

from collections.abc import Iterator
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.battles import SaidPart
from api.documents.events import roll_part
from api.documents.scalars import ChoiceSort, EyeName, Moment, SideName
from api.openapi.battle_actions import BookAction, BookState, action_form, state_form
from battles.access import selectors
from battles.access.viewers import BattleViewer
from battles.history.log import LogEntry
from battles.models import Command
from battles.turn_form.form import TurnForm
from battles.web.fight import AwaitedSide, FightPage


class ChoicePart(msgspec.Struct, frozen=True):
    """A legal answer; send `action` unchanged to choose it. `chance` is its odds.

    `words` and `chance` are for people. `target` is the number of the unit it is about, 0 for none.
    """

    kind: ChoiceSort
    words: str
    chance: str
    target: int
    action: BookAction


class NamedUnitPart(msgspec.Struct, frozen=True):
    """Another unit of the question: ask again with its number as `unit`."""

    unit: int
    name: str


class OrderingPart(msgspec.Struct, frozen=True):
    """A sort of order for a unit: `sort` is a field of the order, and `values` its options.

    `given` is the current value, "" for none.
    """

    sort: str
    values: tuple[str, ...]
    given: str


class AskedPart(msgspec.Struct, frozen=True):
    """The question put to your side, with every legal answer.

    `choices` and `orders` are those of `unit`, 0 for none; `units` are others to ask about.
    `several` are units that one action may name together (Redcoats: `Coordinate`). With `free`, the
    unit may go to any place that the book allows, not only to those listed; `places` are values for
    the square of an action that places a unit (Redcoats).
    """

    title: str
    hint: str
    unit: int
    units: tuple[NamedUnitPart, ...]
    choices: tuple[ChoicePart, ...]
    orders: tuple[OrderingPart, ...]
    several: tuple[NamedUnitPart, ...]
    places: tuple[int, ...]
    free: bool


class LedPart(msgspec.Struct, frozen=True):
    """A side and its commander in words (`by`); with `computer`, the book's own."""

    side: SideName
    by: str
    computer: bool
    yours: bool


class FreeSidePart(msgspec.Struct, frozen=True):
    """A side without a commander, and the invitation to take it.

    `secret` is the last part of its links: give `page` to a person, `offer` to a program.
    """

    side: SideName
    secret: str
    links: dict[str, str]


class FightOfferDocument(msgspec.Struct, frozen=True):
    """An invitation to command `side` in a battle; POST accepts it.

    One player waits up to `patience` days for the other; 0 is without limit.
    """

    title: str
    book: str
    side: SideName
    patience: int
    links: dict[str, str]


class AwaitedPart(msgspec.Struct, frozen=True):
    """The user for whom the battle waits, and their deadline.

    `late`: the deadline has passed; `may_stand_in`: you may let the computer play their side.
    """

    who: str
    due: Moment
    late: bool
    may_stand_in: bool


class FightDocument(msgspec.Struct, frozen=True):
    """A battle that players fight, as you know it.

    Send the ETag in If-Match when you act; `place` (branch and entry) is its first part. `turn`
    counts from 1, 0 is before the battle. `eyes` is the viewer; `waits_for` the side that is asked,
    null when it is over; `asked` is null unless that side is yours. `paused` names who paused it,
    and is empty while it runs.

    One player waits up to `patience` days for the other, 0 is without limit; `awaited` is null if
    no deadline runs. `invitations` to open sides are shown only to the user who created the battle.
    `hand` has the cards of the viewer's side, in words. `state` is the document of the book `book`
    without what you may not know; fields with their default value are left out.
    """

    uuid: UUID
    title: str
    book: str
    place: str
    turn: int
    eyes: EyeName
    waits_for: SideName | None
    paused: str
    patience: int
    awaited: AwaitedPart | None
    led: tuple[LedPart, ...]
    invitations: tuple[FreeSidePart, ...]
    asked: AskedPart | None
    hand: tuple[str, ...]
    state: BookState
    links: dict[str, str]


class LogPart(msgspec.Struct, frozen=True):
    """An entry of the journal as you may read it; many are empty for you.

    `by` is who acted, such as `player:gordon`; `side` is null if it was neither. `reason` explains
    a correction by the umpire, and is "" for every other entry.
    """

    entry: int
    turn: int
    side: SideName | None
    by: str
    sentences: tuple[SaidPart, ...]
    reason: str


class LogDocument(msgspec.Struct, frozen=True):
    """Log entries, the oldest first; send `after` to read on."""

    place: str
    entries: tuple[LogPart, ...]
    after: int


def fight_document(page: FightPage) -> FightDocument:
    """Return the battle as the caller may know it."""
    args = [page.battle.uuid]
    names = (
        "actions",
        "log",
        "stream",
        "lead",
        "stand-in",
        "pause",
        "finish",
        "rewinds",
        "corrections",
    )
    return FightDocument(
        uuid=page.battle.uuid,
        title=page.battle.title,
        book=page.battle.book,
        place=page.place,
        turn=page.state.turn,
        eyes=page.eye,
        waits_for=page.side,
        paused=page.battle.paused,
        patience=page.battle.patience,
        awaited=_awaited(page.awaited) if page.awaited else None,
        led=tuple(LedPart(one.side, one.by, one.command.computer, one.mine) for one in page.led),
        invitations=tuple(map(_free_side, selectors.free_sides(page.battle, page.user))),
        asked=_asked(page.turn_form, page.battle.book) if page.turn_form else None,
        hand=_hand(page),
        state=state_form(page.battle.book).write(page.known),
        links={
            "self": reverse("api:fight", args=args),
            "page": reverse("fight", args=args),
            **{name: reverse(f"api:fight-{name}", args=args) for name in names},
        },
    )


def offer_document(offered: Command) -> FightOfferDocument:
    """Return the offer of an invitation."""
    battle, (here, page) = offered.battle, _addresses(offered)
    links = {"self": here, "page": page}
    return FightOfferDocument(battle.title, battle.book, offered.side, battle.patience, links)


def _free_side(offered: Command) -> FreeSidePart:
    offer, page = _addresses(offered)
    return FreeSidePart(offered.side, offered.invitation, {"offer": offer, "page": page})


def _addresses(offered: Command) -> tuple[str, str]:
    """Return the addresses that accept the invitation: for a program, and for a person."""
    args = [offered.battle.uuid, offered.invitation]
    return reverse("api:fight-invitation", args=args), reverse("fight-join", args=args)


def _awaited(awaited: AwaitedSide) -> AwaitedPart:
    return AwaitedPart(awaited.who, awaited.due, awaited.late, awaited.may_stand_in)


def _hand(page: FightPage) -> tuple[str, ...]:
    """Return the cards of the viewer's side; the umpire reads them in the state."""
    return (
        ()
        if page.eye is BattleViewer.UMPIRE
        else tuple(card for _, cards in page.hands for card in cards)
    )


def _asked(form: TurnForm, book: str) -> AskedPart:
    write = action_form(book).write
    ordering, several, placing = form.ordering, form.several, form.placing
    return AskedPart(
        title=form.title,
        hint=form.hint,
        unit=form.unit,
        units=tuple(NamedUnitPart(one.unit, one.name) for one in form.units),
        choices=tuple(
            ChoicePart(one.kind, one.words, one.chance, one.target, write(one.action))
            for one in form.choices
        ),
        orders=tuple(OrderingPart(*sort) for sort in ordering.sorts) if ordering else (),
        several=tuple(NamedUnitPart(one.unit, one.name) for one in several.units)
        if several
        else (),
        places=tuple(int(value) for value, _, _ in placing.places) if placing else (),
        free=form.free is not None,
    )


def log_document(page: FightPage, after: int) -> LogDocument:
    """Return the log after that entry."""
    return LogDocument(page.place, tuple(_log(page, after)), page.number)


def _log(page: FightPage, after: int) -> Iterator[LogPart]:
    for told in page.chronicle.since(after):
        yield entry_part(told)


def entry_part(told: LogEntry) -> LogPart:
    """Return an entry of the log."""
    said = tuple(
        SaidPart(one.text, one.weight, tuple(map(roll_part, one.rolls))) for one in told.sentences
    )
    return LogPart(told.number, told.turn, told.side, told.by, said, told.reason)
