"""The rules pages of Restless Natives, its words, and a battle of it on a real table."""

from collections.abc import Mapping

from battles.books.restless_natives.book import book
from battles.books.restless_natives.play_sheet import sections
from battles.books.restless_natives.state import State
from battles.books.restless_natives.trace import rulings, trace
from battles.contract.book import BookPages, Ended, Left, Words
from battles.contract.events import BattleResult

WORDS = Words(
    egyptian="British",
    mahdist="Native",
    figure="stand",
    turn="card",
    shaken="ran away",
    advice="A unit that has left the table by its exit keeps its stands; one that fell back "
    "off it, or was removed because it could not fall back, ran away.",
)


def end(state: State, left: Mapping[int, Left], ended: Ended) -> None:
    """Make the state the one at the end, as far as the report needs it."""
    for lot in (state.units, state.waiting):
        for number, unit in list(lot.items()):
            of = left[number]
            unit.stands = of.figures
            if not of.figures:
                state.lost[number] = lot.pop(number)
            elif of.shaken:
                state.away[number] = lot.pop(number)
    state.turn = ended.turns
    state.result = BattleResult(ended.winner, "cards", ended.ending)
    state.question, state.agenda = None, []


PAGES = BookPages(
    tables=lambda: tuple(book().tables.values()),
    trace=trace,
    rulings=rulings,
    play_sheet=sections,
    end=end,
)
