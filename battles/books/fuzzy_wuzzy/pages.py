"""'Eres to You Fuzzy Wuzzy."""

from collections.abc import Mapping

from battles.books.fuzzy_wuzzy import drawing
from battles.books.fuzzy_wuzzy import prose as english
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.play_sheet import sections
from battles.books.fuzzy_wuzzy.state import State
from battles.books.fuzzy_wuzzy.trace import rulings, trace
from battles.contract.events import BattleResult
from battles.narrator import Teller
from battles.shelves import Ended, Left, Shelf, Words


def end(state: State, left: Mapping[int, Left], ended: Ended) -> None:
    """The state as it stands at the end, as far as the report needs it."""
    for number, unit in list(state.units.items()):
        of = left[number]
        unit.markers, unit.retreating = unit.markers[: of.figures], of.shaken
        if not of.figures:
            state.lost.append(state.units.pop(number))
    state.turn = ended.turns
    state.result = BattleResult(ended.winner, "broke off", ended.ending)
    state.question, state.agenda = None, []


SHELF = Shelf(
    "fuzzy-wuzzy",
    "’Eres to You Fuzzy Wuzzy",
    "Bob Cordery",
    Words(
        figure="stand",
        shaken="in retreat",
        advice="A stand whose figures are wounded counts; one whose unit was overrun does not. A "
        "unit that has retreated off the table is in retreat.",
    ),
    Teller(english, drawing),
    lambda: tuple(book().tables.values()),
    trace,
    rulings,
    sections,
    end,
)
