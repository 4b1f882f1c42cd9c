"""The log of a battle in progress, as one viewer may read it.

Each entry is narrated by itself, so the news since the last visit are a tail of the log. A teller
is cached with its state, and narrates only the entries that are new to it.
"""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from battles.access.viewers import BattleViewer
from battles.contract import Side
from battles.contract.registry import book
from battles.history import serialization
from battles.models import Battle, BattleEntry
from battles.prose import Sentence

KEPT = 48
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

    told: tuple[LogEntry, ...]
    marks: Any
    turn_began: int

    def since(self, number: int) -> tuple[LogEntry, ...]:
        """Return the entries after that number that have sentences."""
        return tuple(entry for entry in self.told if entry.number > number and entry.sentences)


class LogTeller:
    """A narrator of one battle for one viewer, entry by entry."""

    def __init__(self, battle: Battle, eye: BattleViewer) -> None:
        self._branch = battle.branch
        self._last = ""
        self._eye = eye
        self._engine = serialization.engine_of(battle)
        self._book = book(battle.book)
        self._state = serialization.beginning_of(battle)
        self._marks = self._book.drawing.marks(self._state)
        self._turn_began = 0
        self._told: list[LogEntry] = []
        self._lock = Lock()

    def knows(self, battle: Battle) -> bool:
        """Return whether the entries narrated so far lie on the battle's current line."""
        if self._branch != battle.branch:
            return False
        return not self._last or serialization.entries_of(battle).filter(hash=self._last).exists()

    def heard(self, battle: Battle) -> BattleLog:
        """Narrate the new entries, and return the whole log."""
        with self._lock:
            after = self._told[-1].number if self._told else 0
            for entry in serialization.entries_of(battle).filter(number__gt=after):
                self._told.append(self._tell(entry))
            return BattleLog(tuple(self._told), self._marks, self._turn_began)

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
        why = serialization.reason_of(entry) if sentences else ""
        return LogEntry(entry.number, self._state.turn, side, entry.actor, sentences, why)

    def _hear(self, tale: Any, event: Any, cited: tuple[Any, ...]) -> None:
        visible = event
        if self._eye is not BattleViewer.UMPIRE:
            visible, cited = self._book.turn_forms.filter_event(
                self._state, event, cited, self._eye.side
            )
        if visible is not None:
            tale.hear(visible, cited)
            self._marks.hear(visible)


_tellers: OrderedDict[tuple[UUID, BattleViewer], LogTeller] = OrderedDict()
_lock_of_tellers = Lock()


def battle_log(battle: Battle, eye: BattleViewer) -> BattleLog:
    """Return the log of the battle as that viewer may read it, the oldest entry first."""
    return _teller_for(battle, eye).heard(battle)


def _teller_for(battle: Battle, eye: BattleViewer) -> LogTeller:
    key = (battle.uuid, eye)
    # This lock covers the look-up only; narration, which is slow, is under the teller's own.
    with _lock_of_tellers:
        teller = _tellers.pop(key, None)
        if teller is None or not teller.knows(battle):
            teller = LogTeller(battle, eye)
        _tellers[key] = teller
        while len(_tellers) > KEPT:
            _tellers.popitem(last=False)
        return teller


class RewindNote(NamedTuple):
    """A rewind: the entry gone back to, the umpire and the reason."""

    number: int
    reason: str
    by: str


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
