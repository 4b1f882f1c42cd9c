"""The log of a battle that goes on, as each who takes part may read it.

Every entry is told by itself, so that what has happened since one last looked is a tail of the
log. A teller keeps where he has got to, and hears only what came since.
"""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from battles.access.viewers import BattleViewer
from battles.contract import Side
from battles.contract.registry import book
from battles.history import branches, serialization
from battles.models import Battle, BattleEntry
from battles.prose.narrative import Sentence

KEPT = 48
"""Tellers kept in memory."""


class LogEntry(NamedTuple):
    """An entry of the journal as somebody may read it; most say something, some nothing."""

    number: int
    turn: int
    side: Side | None
    by: str
    sentences: tuple[Sentence, ...]
    reason: str = ""
    """Why the umpire did it, where he did."""


class BattleLog(NamedTuple):
    """All that was told of a battle, and the ways and shots of the turn that goes on."""

    told: tuple[LogEntry, ...]
    marks: Any

    def since(self, number: int) -> tuple[LogEntry, ...]:
        """What was told of entries after that one, and says something."""
        return tuple(one for one in self.told if one.number > number and one.sentences)


class LogTeller:
    """Tells of one battle to one pair of eyes, entry by entry."""

    def __init__(self, battle: Battle, eye: BattleViewer) -> None:
        self._branch = battle.branch
        self._last = ""
        self._eye = eye
        self._engine = serialization.engine_of(battle)
        self._book = book(battle.book)
        self._state = serialization.beginning_of(battle)
        self._marks = self._book.drawing.marks(self._state)
        self._told: list[LogEntry] = []
        self._lock = Lock()

    def knows(self, battle: Battle) -> bool:
        """Return whether what he has told lies on the line on which the battle is now."""
        if self._branch != battle.branch:
            return False
        return not self._last or branches.entries_of(battle).filter(hash=self._last).exists()

    def heard(self, battle: Battle) -> BattleLog:
        """Return everything up to where the battle stands now."""
        with self._lock:
            after = self._told[-1].number if self._told else 0
            for entry in branches.entries_of(battle).filter(number__gt=after):
                self._told.append(self._tell(entry))
            return BattleLog(tuple(self._told), self._marks)

    def _tell(self, entry: BattleEntry) -> LogEntry:
        tale = self._book.prose.tale(self._state)
        rolls = serialization.rolls_of(entry)
        for event in serialization.events_of(entry, self._engine):
            cited = tuple(rolls[number] for number in event.rolls)
            self._hear(tale, event, cited)
            self._engine.fold(self._state, (event,))
        self._last = entry.hash
        side = Side(entry.side) if entry.side else None
        said = tuple(tale.tell())
        why = serialization.reason_of(entry) if said else ""
        return LogEntry(entry.number, self._state.turn, side, entry.actor, said, why)

    def _hear(self, tale: Any, event: Any, cited: tuple[Any, ...]) -> None:
        if self._book.prose.begins_turn(event) is not None:
            self._marks = self._book.drawing.marks(self._state)
        seen = event
        if self._eye is not BattleViewer.UMPIRE:
            seen, cited = self._book.turn_forms.overheard(self._state, event, cited, self._eye.side)
        if seen is not None:
            tale.hear(seen, cited)
            self._marks.hear(seen)


_tellers: OrderedDict[tuple[UUID, BattleViewer], LogTeller] = OrderedDict()
_lock_of_tellers = Lock()


def battle_log(battle: Battle, eye: BattleViewer) -> BattleLog:
    """What those eyes may read of the battle, the oldest first."""
    return _teller_for(battle, eye).heard(battle)


def _teller_for(battle: Battle, eye: BattleViewer) -> LogTeller:
    key = (battle.uuid, eye)
    with _lock_of_tellers:
        found = _tellers.pop(key, None)
        if found is None or not found.knows(battle):
            found = LogTeller(battle, eye)
        _tellers[key] = found
        while len(_tellers) > KEPT:
            _tellers.popitem(last=False)
        return found


class RewindNote(NamedTuple):
    """The umpire has gone back to after that entry, and why."""

    number: int
    reason: str
    by: str


def rewinds_of(battle: Battle) -> Iterator[RewindNote]:
    """Yield every time that the battle was gone back over, on the line that led here."""
    line = {0} | {battle.branch}
    parents = branches.parents_of(battle)
    here = parents[battle.branch]
    while here is not None:
        line.add(here[0])
        here = parents[here[0]]
    for branch in battle.branches.select_related("parent"):
        if branch.number in line:
            yield RewindNote(branch.parent.number, branch.reason, branch.by)
