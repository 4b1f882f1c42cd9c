"""The trace of 'Eres to You Fuzzy Wuzzy: its paragraphs, where they are carried out, its rulings.

Clauses are named by section and paragraph: "Fire results 3".
"""

from functools import cache
from importlib.resources import files
from typing import get_args

from battles.core import trace as core
from battles.core.tables import Source
from battles.core.trace import Ruling
from battles.engines.fuzzy_wuzzy import events as e

_KINDS = frozenset(kind.__name__ for kind in get_args(e.AnyEvent))


class Clause(core.Clause, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A paragraph of the book."""

    @property
    def chapter(self) -> str:
        """The section it stands in."""
        return self.number.rpartition(" ")[0]


@cache
def trace() -> tuple[Clause, ...]:
    """The clauses in the order of the book. TableError with the line when the file is wrong."""
    return core.read_clauses(_file("trace.toml"), Clause, rulings(), _KINDS)


@cache
def rulings() -> tuple[Ruling, ...]:
    """The rulings by number. TableError with the line when their file is wrong."""
    return core.read_rulings(_file("rulings.toml"))


def clause_of_test(name: str) -> Clause | None:
    """The clause that a test such as `test_fire_results_3_...` holds; None when it names none."""
    return core.clause_of_test(trace(), name)


def _file(name: str) -> Source:
    path = files("battles.engines.fuzzy_wuzzy") / name
    return Source(name, path.read_text(encoding="utf-8"))
