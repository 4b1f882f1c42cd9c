"""The rules pages of Redcoats and Dervishes, its words, and a battle of it on a real table."""

from collections.abc import Mapping

from battles.books.redcoats.book import book
from battles.books.redcoats.play_sheet import sections
from battles.books.redcoats.state import State
from battles.books.redcoats.trace import rulings, trace
from battles.contract.book import BookPages, Ended, Left, Words
from battles.contract.events import BattleResult

WORDS = Words(
    mahdist="Dervish",
    place="Square",
    advice="A unit that has left the table keeps its figures; one that was driven off it is "
    "disorganised.",
)


def end(state: State, left: Mapping[int, Left], ended: Ended) -> None:
    """Make the state the one at the end, as far as the report needs it."""
    for number, unit in list(state.units.items()):
        of = left[number]
        unit.figures, unit.disorganised = of.figures, of.shaken
        if not of.figures:
            state.lost.append(state.units.pop(number))
    for number in list(state.leaders):
        if not left[number].figures:
            state.fallen.append(state.leaders.pop(number))
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
