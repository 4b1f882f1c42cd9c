"""A battle fought on a real table: the report of what is left on it.

People count figures; the book's own reckoning makes the fates of campaign units of them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from battles.contract import Brief, Report, Side, book, conserve
from battles.engines.redcoats.state import Result, State


class Left(NamedTuple):
    """What is left of a unit at the end; of a Leader, `figures` is 1 while he is well."""

    figures: int
    disorganised: bool = False


class Ended(NamedTuple):
    """How the battle ended: who won, why it was over, after how many turns."""

    winner: Side | None
    ending: str
    turns: int


def counted(brief: Brief, slug: str, left: Mapping[int, Left], ended: Ended) -> Report:
    """The report of a battle of which that is left, by number. Raises Unfit."""
    engine = book(slug)
    state = engine.drawn_up(brief)
    _ENDINGS[slug](state, left, ended)
    report = msgspec.structs.replace(
        engine.report(state), winner=ended.winner, ending=ended.ending, turns=ended.turns
    )
    conserve(brief, report)
    return report


def _end_redcoats(state: State, left: Mapping[int, Left], ended: Ended) -> None:
    """The state as it stands at the end, as far as the report needs it."""
    for number, unit in list(state.units.items()):
        of = left[number]
        unit.figures, unit.disorganised = of.figures, of.disorganised
        if not of.figures:
            state.lost.append(state.units.pop(number))
    for number in list(state.leaders):
        if not left[number].figures:
            state.fallen.append(state.leaders.pop(number))
    state.turn = ended.turns
    state.result = Result(ended.winner, "broke off", ended.ending)
    state.question, state.agenda = None, []


_ENDINGS: Mapping[str, Any] = {"redcoats": _end_redcoats}
