"""Write battles: handed over or a user's own, fought out by commanders, or counted on a real table.

A battle is identified by its owner and the id of its brief, so every write here is idempotent.
People count figures or stands; the book converts them into the fates of campaign units.
"""

import gc
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles import access, journal, serialization
from battles.access import SignedReport
from battles.contract import Brief, Report, Unfit, conserve, moves
from battles.contract.book import AnyEngine, Ended, UnitRemainder, book
from battles.contract.generic_book import counted_by_troops
from battles.contract.report import BattleResult
from battles.core.decoding import encode
from battles.core.dice import ChainedDice
from battles.core.game import Outcome
from battles.journal import JournalPosition, Refused
from battles.models import Battle, BattleEntry
from battles.prose import RosterLine
from battles.signals import battle_reported

REPORTED = ("report", "winner", "ending", "turns", "reported", "way")
FOUGHT = ("head", "document", "document_hash", "beginning", "key", "book")
DRAWN_UP = b'{"type":"DrawUp"}'
KEY = 32  # bytes


class BattleRequest(NamedTuple):
    """The user who asked for a battle, whether it is public, and what it is called."""

    public: bool = False
    by: User | None = None
    known_as: str = ""
    """The number of the battle with its owner, if not that of its brief."""
    title: str = ""
    """The title of the battle, if not that of its brief."""


NOBODY = BattleRequest()


class DraftEntry(NamedTuple):
    """An entry of a battle before it is written: encoded, and hashed onto the one before."""

    number: int
    parent: str
    hash: str
    turn: int
    side: str
    actor: str
    parts: tuple[bytes, bytes, bytes]
    """Action, events and rolls."""


class FoughtBattle(NamedTuple):
    """A battle fought out in memory."""

    beginning: bytes
    document: bytes
    lines: list[DraftEntry]
    report: Report


def start(user: User, brief: Brief, book_slug: str, way: str, *, public: bool = False) -> Battle:
    """Start a battle of the user's own: fought out at once, or waiting to be fought on a table."""
    owner, battle_request = access.person(user), request_by(user, brief, public=public)
    if way == Battle.Way.TABLETOP:
        return create_waiting_battle(owner, brief, book_slug, battle_request)
    return record(owner, brief, book_slug, new_key(), battle_request=battle_request)


def request_by(user: User, brief: Brief, *, public: bool) -> BattleRequest:
    """Return a request for another battle of that brief, under a number of its own."""
    return BattleRequest(public, user, f"{brief.id}-{secrets.token_hex(6)}")


def new_key() -> bytes:
    """Return a new secret, from which the dice of a user's own battle come."""
    return secrets.token_bytes(KEY)


def create_waiting_battle(
    owner: str, brief: Brief, book_slug: str, battle_request: BattleRequest = NOBODY
) -> Battle:
    """Create the battle of that brief to wait for its fight, or return the existing one.

    Raises NoSuchBook, and Refused when the owner has another battle of that id.
    """
    book(book_slug)
    with transaction.atomic():
        return row_of(owner, brief, book_slug, battle_request)


def record(
    owner: str, brief: Brief, book_slug: str, key: bytes, *, battle_request: BattleRequest = NOBODY
) -> Battle:
    """Fight the battle by the commanders of the book with the dice of that key, and write it.

    A battle that has its report is returned unchanged, and its owner is notified once more. Raises
    NoSuchBook, and Refused when the owner has another battle of that id.
    """
    engine = book(book_slug).engine
    known = Battle.objects.filter(owner=owner, brief_id=battle_request.known_as or brief.id)
    is_reported = known.exclude(reported=None).exists()
    # Fought before the transaction, which would lock the row (on SQLite the database) for seconds.
    # If the battle is reported meanwhile, this result is dropped.
    fought_out = None if is_reported else fight_out(engine, brief, key)
    with transaction.atomic():
        battle = row_of(owner, brief, book_slug, battle_request)
        if fought_out is not None and not battle.reported:
            _write_fought(battle, fought_out, key, book_slug)
            write_report(battle, fought_out.report, Battle.Way.COMMANDERS)
        notify_owner(battle)
    return battle


def record_table_report(
    owner: str, brief: Brief, report: Report, *, battle_request: BattleRequest = NOBODY
) -> Battle:
    """Write a report from a table or entered by hand, and notify the owner.

    The same report may come twice. Raises Unfit when it does not add up, and Refused when there is
    a different report already.
    """
    conserve(brief, report)
    with transaction.atomic():
        battle = row_of(owner, brief, report.book, battle_request)
        if not battle.reported:
            write_report(battle, report, Battle.Way.TABLETOP)
        elif journal.unpack(battle.report) != encode(report):
            raise Refused(f"{battle.title} has already been reported with another result.")
        notify_owner(battle)
    return battle


def call_off(owner: str, brief_id: str) -> bool:
    """Delete a waiting battle; return whether there was one."""
    waiting = Battle.objects.filter(owner=owner, brief_id=brief_id, reported=None)
    return bool(journal.delete_locked(waiting))


def row_of(owner: str, brief: Brief, book_slug: str, battle_request: BattleRequest) -> Battle:
    """Return the row of that battle, locked; a new one if there is none."""
    document = encode(brief)
    row, _ = Battle.objects.get_or_create(
        owner=owner,
        brief_id=battle_request.known_as or brief.id,
        defaults={
            "title": battle_request.title or brief.title,
            "month": brief.month,
            "book": book_slug,
            "way": Battle.Way.TABLETOP,
            "public": battle_request.public,
            "asked_by": battle_request.by,
            "brief": journal.pack(document),
            "document": b"",
        },
    )
    battle = journal.lock_record(Battle.objects.all(), row.pk)
    if journal.unpack(battle.brief) != document:
        raise Refused(f"{owner} has another battle under the number {brief.id}.")
    return battle


def fight_out(engine: AnyEngine, brief: Brief, key: bytes) -> FoughtBattle:
    """Fight the battle by its commanders with the dice of that key; write nothing."""
    dice = ChainedDice(key)
    beginning = encode(engine.drawn_up(brief))
    with _collector_at_rest():
        state, opening = engine.new_game(brief, dice)
        lines = list(_lines(engine, state, dice, opening))
    report = engine.report(state)
    conserve(brief, report)
    return FoughtBattle(beginning, encode(state), lines, report)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Switch off garbage collection: a battle leaves no cycles, and the search costs 20%."""
    awake = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if awake:
            gc.enable()


def _lines(
    engine: AnyEngine, state: Any, dice: ChainedDice, opening: Outcome
) -> Iterator[DraftEntry]:
    """Yield an entry for the drawing up and for every action, each hashed onto the one before."""
    turn = _turn(state)
    yield (last := _line(engine, journal.START, (0, ""), (DRAWN_UP, opening)))
    for move in moves(engine, state, dice):
        content = encode(move.action), move.outcome
        yield (last := _line(engine, last, (turn, str(move.side)), content))
        turn = _turn(state)


def _turn(state: Any) -> int:
    turn: int = state.turn
    return turn


def _line(
    engine: AnyEngine,
    last: DraftEntry | JournalPosition,
    by: tuple[int, str],
    content: tuple[bytes, Outcome],
) -> DraftEntry:
    """Return the entry after `last`: turn and side, action and outcome."""
    (turn, side), (action, outcome) = by, content
    actor = f"commander:{side}" if side else "field"
    number = last.number + 1
    parts = action, encode(outcome.events), encode(outcome.rolls)
    sealed = journal.digest([last.hash, 0, number, actor, engine.slug, turn, side], parts)
    return DraftEntry(number, last.hash, sealed, turn, side, actor, parts)


def _write_fought(battle: Battle, fought_out: FoughtBattle, key: bytes, book_slug: str) -> None:
    now = timezone.now()
    entries = [_entry(battle, line, book_slug, now) for line in fought_out.lines]
    journal.append(battle, entries, fought_out.document, expected=None)
    battle.beginning = journal.pack(fought_out.beginning)
    battle.key, battle.book = key, book_slug
    battle.save(update_fields=FOUGHT)


def _entry(battle: Battle, line: DraftEntry, book_slug: str, now: datetime) -> BattleEntry:
    action, events, rolls = map(journal.pack, line.parts)
    return BattleEntry(
        battle=battle,
        branch=0,
        number=line.number,
        parent=line.parent,
        hash=line.hash,
        turn=line.turn,
        side=line.side,
        actor=line.actor,
        rules=book_slug,
        action=action,
        events=events,
        rolls=rolls,
        created=now,
    )


def write_report(battle: Battle, report: Report, way: Battle.Way) -> None:
    """Save the report in the row of the battle."""
    battle.report = journal.pack(encode(report))
    battle.winner = report.winner or ""
    battle.ending = report.ending
    battle.turns = report.turns
    battle.reported, battle.way = timezone.now(), way
    battle.save(update_fields=REPORTED)


def notify_owner(battle: Battle) -> None:
    """Notify the owner of the report on commit."""
    transaction.on_commit(partial(battle_reported.send, sender=Battle, battle=battle))


AFLOAT = "afloat"
"""The formation of a vessel on a roster, in every book that has vessels."""
MODEL_SCALES = (1, 2, 3, 4, 6)
"""The numbers of models that may stand on a table for each figure or stand of the book."""


class ModelScale(NamedTuple):
    """The number of models on the table for each figure of the book.

    The book's rules count figures, so a figure that is hit comes off with all its models, and the
    models that are left are whole figures. Leaders and vessels are always one model.
    """

    models: int = 1

    def for_each(self, line: RosterLine) -> int:
        """Return how many models stand for each figure of a line of the roster."""
        return 1 if line.formation in ("", AFLOAT) else self.models

    def came(self, line: RosterLine) -> int:
        """Return how many models of a line, as it is drawn up, came to the battle.

        A unit that comes weakened (Restless Natives) has fewer figures than its full strength.
        """
        return line.left * self.for_each(line)

    def figures(self, line: RosterLine, models: int, figure: str) -> int:
        """Return how many figures so many models are. Raises Unfit unless they are whole figures.

        `figure` is the book's word for a figure.
        """
        per_figure, total = self.for_each(line), self.came(line)
        if not 0 <= models <= total:
            came = f"{total} model{'s' if total != 1 else ''}"
            raise Unfit(f"{line.name} came with {came}: 0 to {total} can be left.")
        count, over = divmod(models, per_figure)
        if over:
            raise Unfit(
                f"{models} is no whole number of {figure}s, of {per_figure} models each: "
                f"{line.name} has {count * per_figure} or {(count + 1) * per_figure} left."
            )
        return count


def check_remainders(lines: Iterable[RosterLine], left: Mapping[int, UnitRemainder]) -> None:
    """Raise Unfit unless every line, as it is drawn up, has a count no larger than what came."""
    known = {line.number: line for line in lines}
    unknown = sorted(set(left) - set(known))
    if unknown:
        raise Unfit(f"Nobody on the roster has number {unknown[0]}.")
    for number, line in known.items():
        if number not in left:
            raise Unfit(f"There is no count for number {number}, {line.name}.")
        if not 0 <= left[number].figures <= line.left:
            raise Unfit(f"Of number {number}, {line.name}, 0 to {line.left} can be left.")


def report_from_table(
    brief: Brief, slug: str, left: Mapping[int, UnitRemainder], ended: Ended
) -> Report:
    """Return the report of a battle from what is left on the table. Raises Unfit."""
    rules = book(slug)
    if rules.pages.count_units is None:
        report = counted_by_troops(brief, slug, left, ended)
    else:
        state = rules.engine.drawn_up(brief)
        rules.pages.count_units(state, left)
        state.result = BattleResult(ended.winner, "broke off", ended.ending)
        report = msgspec.structs.replace(
            rules.engine.report(state), winner=ended.winner, ending=ended.ending, turns=ended.turns
        )
    conserve(brief, report)
    return report


TAKEN = "The result stands."


def signed_by_others(battle: Battle, user: User) -> tuple[SignedReport, ...]:
    """Return the reports that others have signed and the user may agree to."""
    keeper = access.keeper_of(battle.owner)
    return keeper.signed(battle.owner, battle.brief_id, user) if keeper else ()


def take_report(battle: Battle, user: User, report: Report) -> str:
    """Bring the report to the battle's owner; return a message about it.

    Raises Refused for a user who may not report it, or when it does not count.
    """
    if not access.may_report(battle, user):
        raise Refused("You may not report this battle, or it is over already.")
    keeper = access.keeper_of(battle.owner)
    if keeper is not None:
        return keeper.report(battle.owner, user, report)
    battle_request = BattleRequest(battle.public, battle.asked_by, battle.brief_id)
    record_table_report(
        battle.owner, serialization.brief_of(battle), report, battle_request=battle_request
    )
    return TAKEN
