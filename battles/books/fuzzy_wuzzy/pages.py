"""The rules pages of ’Eres to You Fuzzy Wuzzy, its words, and a battle of it on a real table."""

from collections.abc import Mapping

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.play_sheet import sections
from battles.books.fuzzy_wuzzy.state import State
from battles.books.fuzzy_wuzzy.trace import rulings, trace
from battles.contract.book import BookPages, Ended, Left, Words
from battles.contract.events import BattleResult

WORDS = Words(
    figure="stand",
    shaken="in retreat",
    advice="A stand whose figures are wounded counts; one whose unit was overrun does not. A "
    "unit that has retreated off the table is in retreat.",
)


def end(state: State, left: Mapping[int, Left], ended: Ended) -> None:
    """Make the state the one at the end, as far as the report needs it."""
    for number, unit in list(state.units.items()):
        of = left[number]
        unit.markers, unit.retreating = unit.markers[: of.figures], of.shaken
        if not of.figures:
            state.lost.append(state.units.pop(number))
    state.turn = ended.turns
    state.result = BattleResult(ended.winner, "broke off", ended.ending)
    state.question, state.agenda = None, []


PAGES = BookPages(
    tables=lambda: tuple(book().tables.values()),
    trace=trace,
    rulings=rulings,
    play_sheet=sections,
    end=end,
)
