"""Narrate a battle: a replay turn by turn, or its log as a viewer may read it.

Each entry of the log is narrated by itself, so the news since the last visit are a tail of the log.
A teller is cached with its state, and narrates only the entries that are new to it.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from battles import access, serialization
from battles.access import BattleViewer
from battles.contract.book import AnyBook, AnyScene, book, find_book
from battles.contract.brief import Brief, Side
from battles.contract.engine import moves
from battles.contract.report import Report, conserve
from battles.core.dice import Dice, Roll
from battles.core.game import Outcome
from battles.models import Battle, BattleEntry
from battles.prose import RosterLine, Sentence

# Narrate a battle turn by turn: the events of each turn, and the field after it.


class Picture(NamedTuple):
    """A turn: its events in sentences, and the field and roster after it."""

    turn: int
    title: str
    scene: AnyScene
    roll: tuple[RosterLine, ...]
    sentences: tuple[Sentence, ...]


class Narrator:
    """A narrator of one battle by its book; begins with the field as drawn up."""

    def __init__(self, book: AnyBook, state: Any) -> None:
        self.state = state
        self._book = book
        self._begin()

    def _begin(self) -> None:
        self._tale = self._book.prose.tale(self.state)
        self._marks = self._book.drawing.marks(self.state)

    def begins_turn(self, event: Any) -> int | None:
        """Return the turn that begins with the event; None when none does."""
        return self._book.prose.begins_turn(event)

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        """Take in an event before it is folded into the state."""
        self._tale.hear(event, rolls)
        self._marks.hear(event)

    def note(self, rolls: Iterable[Roll]) -> None:
        """Take in rolls without effect before the turn was over."""
        self._tale.note(rolls)

    def picture(self, turn: int) -> Picture:
        """Return the events since the last picture, and the field now."""
        scene = self._book.drawing.scene(self.state, self._marks)
        roll = self._book.prose.muster_roll(self.state)
        title = self._book.turn_title(turn, before="The sides are drawn up")
        picture = Picture(turn, title, scene, roll, tuple(self._tale.tell()))
        self._begin()
        return picture


# Replay battles turn by turn, from a brief and dice or from the journal.
#
# A battle by a book that is not installed is shown without a field.


class NarratedBattle:
    """A battle fought while it is read: iterate over `turns`, then ask for `report`."""

    def __init__(self, book: AnyBook, brief: Brief, dice: Dice) -> None:
        self._book = book
        self._engine = book.engine
        self._brief = brief
        self._state, self._opening = book.engine.new_game(brief, dice)
        self._dice = dice

    @property
    def turns(self) -> Iterator[Picture]:
        """Yield every turn when it is over, the drawing up first."""
        played = ((outcome.events, outcome.rolls) for outcome in self._outcomes())
        return _narrate(self._book, self._engine.drawn_up(self._brief), played)

    def report(self) -> Report:
        """Return the report, which adds up. Raises ValueError before the end."""
        report = self._engine.report(self._state)
        conserve(self._brief, report)
        return report

    def _outcomes(self) -> Iterator[Outcome]:
        yield self._opening
        for move in moves(self._engine, self._state, self._dice):
            yield move.outcome


def _narrate(
    book: AnyBook, state: Any, played: Iterable[tuple[Iterable[Any], Sequence[Roll]]]
) -> Iterator[Picture]:
    """Yield the field drawn up, and after every turn, from the events and rolls of each action.

    The events are folded into the state.
    """
    narrator, turn = Narrator(book, state), 0
    for events, rolls in played:
        for event in events:
            cited = [rolls[number] for number in event.rolls]
            begins = narrator.begins_turn(event)
            if begins is not None:
                narrator.note(cited)
                yield narrator.picture(turn)
                turn, cited = begins, []
            narrator.hear(event, cited)
            book.engine.fold(state, (event,))
    yield narrator.picture(turn)


def title_of(slug: str) -> str:
    """Return the title of a book; empty for one that is not installed."""
    installed = find_book(slug)
    return "" if installed is None else installed.title


def pictures(battle: Battle) -> tuple[Picture, ...]:
    """Return the field drawn up and after every turn; empty if the book is not installed.

    Empty too while players are fighting the battle, because it hides something from each of them.
    """
    if find_book(battle.book) is None or access.is_open(battle):
        return ()
    if battle.head_id is None:
        return (laid_out(serialization.brief_of(battle), battle.book),)
    return _pictures(battle.uuid, battle.head_id)


def laid_out(brief: Brief, slug: str) -> Picture:
    """Return the field with the sides drawn up. Raises NoSuchBook."""
    rules = book(slug)
    return Narrator(rules, rules.engine.drawn_up(brief)).picture(0)


@lru_cache(maxsize=16)
def _pictures(number: UUID, head: int) -> tuple[Picture, ...]:
    """Return the pictures, cached by the entry at the head: a fought battle is final."""
    battle = Battle.objects.get(uuid=number, head=head)
    rules = book(battle.book)
    played = (
        (serialization.events_of(entry, rules.engine), serialization.rolls_of(entry))
        for entry in serialization.entries_of(battle)
    )
    return tuple(_narrate(rules, serialization.beginning_of(battle), played))


CACHED_TELLERS = 48
"""Tellers kept in memory."""


class LogEntry(NamedTuple):
    """A journal entry as a viewer may read it; `sentences` may be empty."""

    number: int
    turn: int
    side: Side | None
    by: str
    sentences: tuple[Sentence, ...]
    reason: str = ""
    """The umpire's reason, if the umpire did it."""


class BattleLog(NamedTuple):
    """The narrated entries of a battle, with the moves, shots and losses of all of them.

    `turn_began` is the number of the entry in which the current turn began.
    """

    entries: tuple[LogEntry, ...]
    marks: Any
    turn_began: int

    def since(self, number: int) -> tuple[LogEntry, ...]:
        """Return the entries after that number that have sentences."""
        return tuple(entry for entry in self.entries if entry.number > number and entry.sentences)


class LogTeller:
    """A narrator of one battle for one viewer, entry by entry."""

    def __init__(self, battle: Battle, viewer: BattleViewer) -> None:
        self._branch = battle.branch
        self._last = ""
        self._viewer = viewer
        self._engine = serialization.engine_of(battle)
        self._book = book(battle.book)
        self._state = serialization.beginning_of(battle)
        self._marks = self._book.drawing.marks(self._state)
        self._turn_began = 0
        self._entries: list[LogEntry] = []
        self._lock = Lock()

    def is_on_current_line(self, battle: Battle) -> bool:
        """Return whether the entries narrated so far lie on the battle's current line."""
        if self._branch != battle.branch:
            return False
        return not self._last or serialization.entries_of(battle).filter(hash=self._last).exists()

    def narrate_new_entries(self, battle: Battle) -> BattleLog:
        """Narrate the new entries, and return the whole log."""
        with self._lock:
            after = self._entries[-1].number if self._entries else 0
            for entry in serialization.entries_of(battle).filter(number__gt=after):
                self._entries.append(self._tell(entry))
            return BattleLog(tuple(self._entries), self._marks, self._turn_began)

    def _tell(self, entry: BattleEntry) -> LogEntry:
        tale = self._book.prose.tale(self._state)
        rolls = serialization.rolls_of(entry)
        self._marks.step = entry.number
        for event in serialization.events_of(entry, self._engine):
            if self._book.prose.begins_turn(event) is not None:
                self._turn_began = entry.number
            cited = tuple(rolls[number] for number in event.rolls)
            self._hear(tale, event, cited)
            self._engine.fold(self._state, (event,))
        self._last = entry.hash
        side = Side(entry.side) if entry.side else None
        sentences = tuple(tale.tell())
        reason = serialization.reason_of(entry) if sentences else ""
        return LogEntry(entry.number, self._state.turn, side, entry.actor, sentences, reason)

    def _hear(self, tale: Any, event: Any, cited: tuple[Any, ...]) -> None:
        visible = event
        if self._viewer is not BattleViewer.UMPIRE:
            visible, cited = self._book.turn_forms.filter_event(
                self._state, event, cited, self._viewer.side
            )
        if visible is not None:
            tale.hear(visible, cited)
            self._marks.hear(visible)


_tellers: OrderedDict[tuple[UUID, BattleViewer], LogTeller] = OrderedDict()
_lock_of_tellers = Lock()


def battle_log(battle: Battle, viewer: BattleViewer) -> BattleLog:
    """Return the log of the battle as that viewer may read it, the oldest entry first."""
    return _teller_for(battle, viewer).narrate_new_entries(battle)


def _teller_for(battle: Battle, viewer: BattleViewer) -> LogTeller:
    key = (battle.uuid, viewer)
    # This lock covers the look-up only; narration, which is slow, is under the teller's own.
    with _lock_of_tellers:
        teller = _tellers.pop(key, None)
        if teller is None or not teller.is_on_current_line(battle):
            teller = LogTeller(battle, viewer)
        _tellers[key] = teller
        while len(_tellers) > CACHED_TELLERS:
            _tellers.popitem(last=False)
        return teller


class RewindNote(NamedTuple):
    """A rewind: the entry gone back to, the umpire and the reason."""

    number: int
    reason: str
    by: str

    @property
    def words(self) -> str:
        """Return the rewind as a sentence; the reason of an undone move is one already."""
        if self.reason.startswith(f"{self.by} "):
            return self.reason
        return f"{self.by} went back to entry {self.number}: {self.reason}"


def rewinds_of(battle: Battle) -> Iterator[RewindNote]:
    """Yield every rewind with a reason on the branches that led to the current one."""
    line = {0} | {battle.branch}
    parents = serialization.parents_of(battle)
    parent = parents[battle.branch]
    while parent is not None:
        line.add(parent[0])
        parent = parents[parent[0]]
    for branch in serialization.branches_of(battle):
        if branch.number in line and branch.reason:
            yield RewindNote(branch.parent.number, branch.reason, branch.by)
