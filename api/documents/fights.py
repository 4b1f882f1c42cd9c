"""Battles that players fight, as documents: what one is asked, what one knows, what happened."""

from collections.abc import Iterator
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.battles import SaidPart
from api.documents.events import roll_part
from api.documents.scalars import ChoiceSort, EyeName, Moment, SideName
from api.openapi.battle_actions import BookAction, BookState
from battles.access import selectors
from battles.access.viewers import BattleViewer
from battles.history.log import LogEntry
from battles.models import Command
from battles.turn_form.form import Choice, TurnForm
from battles.web.fight import AwaitedSide, FightPage


class ChoicePart(msgspec.Struct, frozen=True):
    """One lawful answer; `action` is what to send for it, as it is; `chance` what it promises.

    Both `words` and `chance` are to be read. `target` is the number of the unit it is about, 0 for
    none.
    """

    kind: ChoiceSort
    words: str
    chance: str
    target: int
    action: BookAction


class NamedUnitPart(msgspec.Struct, frozen=True):
    """A unit the question is about as well: ask again with its number as `unit`."""

    unit: int
    name: str


class OrderingPart(msgspec.Struct, frozen=True):
    """One sort of order that a unit may be given: `sort` is a field of the order, of `values` one.

    `given` is the one it has already, "" for none.
    """

    sort: str
    values: tuple[str, ...]
    given: str


class AskedPart(msgspec.Struct, frozen=True):
    """What your side is asked now, with everything it may answer.

    `choices` and `orders` are those of `unit`, 0 for none; `units` are others that may be asked
    for. `several` are units that one action may name together (Redcoats: `Coordinate`). Where
    `free`, the unit may go to any place that the book allows, and not to those listed alone;
    `places` are values for the square of an action that puts a unit somewhere (Redcoats).
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
    """A side and who leads it, in words (`by`); `computer`: the book's own commander does."""

    side: SideName
    by: str
    computer: bool
    yours: bool


class FreeSidePart(msgspec.Struct, frozen=True):
    """A side that nobody commands yet, and the invitation by which anybody takes it.

    `secret` is the last part of its links: pass `page` on to a person, `offer` to a program.
    """

    side: SideName
    secret: str
    links: dict[str, str]


class FightOfferDocument(msgspec.Struct, frozen=True):
    """What an invitation to a battle offers: `side`, in a battle by that book. POST takes it.

    One player waits `patience` days for the other, 0 for any time.
    """

    title: str
    book: str
    side: SideName
    patience: int
    links: dict[str, str]


class AwaitedPart(msgspec.Struct, frozen=True):
    """Who is waited for, by the name of his account, and until when.

    `late`: his time is up; `may_stand_in`: you may have his side led by the book's commander.
    """

    who: str
    due: Moment
    late: bool
    may_stand_in: bool


class FightDocument(msgspec.Struct, frozen=True):
    """A battle that is being fought, as you know it.

    `place` (branch and entry) is what If-Match names when you act. `turn` counts from 1, 0 is
    before the battle. `eyes` is whose knowledge this is; `waits_for` the side that is asked, null
    when it is over; `asked` is null unless that is yours. `paused` names whoever has paused it, and
    is empty while it goes on.

    One player waits `patience` days for the other, 0 for any time; `awaited` is null where nobody's
    time runs. `invitations` are those to the sides that are still open; they are told to whoever
    has begun the battle, and to nobody else. `hand` are the cards of the side whose eyes these are,
    in words. `state` is the book's own document, with what you may not know left out: it is that of
    `book`, and what has its usual value is not in it.
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
    """One entry of the journal as you may read it; many say nothing to you.

    `by` is who acted, such as `player:gordon`; `side` is null where it was neither's. `reason` is
    why the umpire has set a unit right, "" for every other entry.
    """

    entry: int
    turn: int
    side: SideName | None
    by: str
    sentences: tuple[SaidPart, ...]
    reason: str


class LogDocument(msgspec.Struct, frozen=True):
    """What has happened, the oldest first; `after` is what to go on reading with."""

    place: str
    entries: tuple[LogPart, ...]
    after: int


def fight_document(page: FightPage) -> FightDocument:
    """Return the battle as whoever asks may know it."""
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
        asked=_asked(page.turn_form) if page.turn_form else None,
        hand=_hand(page),
        state=page.known,
        links={
            "self": reverse("api:fight", args=args),
            "page": reverse("fight", args=args),
            **{name: reverse(f"api:fight-{name}", args=args) for name in names},
        },
    )


def offer_document(offered: Command) -> FightOfferDocument:
    """What the invitation to that side offers."""
    battle, (here, page) = offered.battle, _addresses(offered)
    links = {"self": here, "page": page}
    return FightOfferDocument(battle.title, battle.book, offered.side, battle.patience, links)


def _free_side(offered: Command) -> FreeSidePart:
    offer, page = _addresses(offered)
    return FreeSidePart(offered.side, offered.invitation, {"offer": offer, "page": page})


def _addresses(offered: Command) -> tuple[str, str]:
    """Return where the invitation is taken: by a program, and by a person."""
    args = [offered.battle.uuid, offered.invitation]
    return reverse("api:fight-invitation", args=args), reverse("fight-join", args=args)


def _awaited(awaited: AwaitedSide) -> AwaitedPart:
    return AwaitedPart(awaited.who, awaited.due, awaited.late, awaited.may_stand_in)


def _hand(page: FightPage) -> tuple[str, ...]:
    """Return the cards of the side whose eyes these are; the umpire reads them in the state."""
    return (
        ()
        if page.eye is BattleViewer.UMPIRE
        else tuple(card for _, cards in page.hands for card in cards)
    )


def _asked(form: TurnForm) -> AskedPart:
    ordering, several, placing = form.ordering, form.several, form.placing
    return AskedPart(
        title=form.title,
        hint=form.hint,
        unit=form.unit,
        units=tuple(NamedUnitPart(one.unit, one.name) for one in form.units),
        choices=tuple(map(_choice, form.choices)),
        orders=tuple(OrderingPart(*sort) for sort in ordering.sorts) if ordering else (),
        several=tuple(NamedUnitPart(one.unit, one.name) for one in several.units)
        if several
        else (),
        places=tuple(int(value) for value, _, _ in placing.places) if placing else (),
        free=form.free is not None,
    )


def _choice(choice: Choice) -> ChoicePart:
    return ChoicePart(choice.kind, choice.words, choice.chance, choice.target, choice.action)


def log_document(page: FightPage, after: int) -> LogDocument:
    """What was told after that entry."""
    return LogDocument(page.place, tuple(_log(page, after)), page.number)


def _log(page: FightPage, after: int) -> Iterator[LogPart]:
    for told in page.chronicle.since(after):
        yield entry_part(told)


def entry_part(told: LogEntry) -> LogPart:
    """Return an entry as it was told to somebody."""
    said = tuple(
        SaidPart(one.text, one.weight, tuple(map(roll_part, one.rolls))) for one in told.sentences
    )
    return LogPart(told.number, told.turn, told.side, told.by, said, told.reason)
