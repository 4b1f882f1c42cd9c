"""The ready battles that ship with the program: those of history and the books' scenarios."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from battles.contract import Brief
from battles.contract.brief_files import WrittenBrief, read_brief
from battles.core.tables import Source


class ReadyBattle(NamedTuple):
    """A battle that ships with the program."""

    slug: str
    written: WrittenBrief

    @property
    def brief(self) -> Brief:
        return self.written.brief

    @property
    def note(self) -> str:
        return self.written.note


@cache
def ready_battles() -> tuple[ReadyBattle, ...]:
    """Return the ready battles in order of date. Raises TableError when a file is damaged."""
    return tuple(sorted(_shipped_battles(), key=lambda one: (one.brief.month, one.slug)))


def find_ready_battle(slug: str) -> ReadyBattle | None:
    """Return the battle of that slug, if there is one."""
    return next((one for one in ready_battles() if one.slug == slug), None)


def _shipped_battles() -> Iterator[ReadyBattle]:
    for file in (files("battles") / "briefs").iterdir():
        slug, _, kind = file.name.rpartition(".")
        if kind == "toml":
            yield ReadyBattle(slug, read_brief(Source(file.name, file.read_text(encoding="utf-8"))))
