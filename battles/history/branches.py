"""Branches and cursors of a battle."""

from django.db.models import QuerySet

from battles.history import journal
from battles.history.journal import JournalPosition
from battles.models import Battle, BattleEntry


def parents_of(battle: Battle) -> dict[int, tuple[int, int] | None]:
    """Return, for each branch, the branch and number of the entry that it sprang from."""
    parents: dict[int, tuple[int, int] | None] = {0: None}
    for branch in battle.branches.select_related("parent"):
        parents[branch.number] = (branch.parent.branch, branch.parent.number)
    return parents


def entries_of(battle: Battle, upto: int | None = None) -> QuerySet[BattleEntry]:
    """Return the entries of the current line, the oldest first; up to that number."""
    line = journal.lineage(parents_of(battle), battle.branch, upto)
    return battle.entries.filter(journal.on_line(line)).order_by("number")


def head_of(battle: Battle) -> JournalPosition:
    """Return the number and hash of the last entry of the line."""
    return journal.position(battle.entries.all(), battle.head_id)


def cursor_of(battle: Battle) -> str:
    """Return the battle's cursor: branch and number, `0.45`."""
    return f"{battle.branch}.{head_of(battle).number}"


def has(battle: Battle, branch: int, number: int) -> bool:
    """Return whether the battle has been at that cursor, on any branch."""
    parents = parents_of(battle)
    if branch not in parents:
        return False
    line = journal.lineage(parents, branch, number)
    return battle.entries.filter(journal.on_line(line), number=number).exists()


def shared(battle: Battle, branch: int, number: int) -> int:
    """Return the number of the last entry that the current line shares with that cursor's."""
    parents = parents_of(battle)
    line, other = journal.lineage(parents, battle.branch), journal.lineage(parents, branch, number)
    last = journal.shared(line, other)
    return last[1] if last else 0
