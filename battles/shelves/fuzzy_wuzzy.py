"""'Eres to You Fuzzy Wuzzy."""

from collections.abc import Mapping

from battles.contract.events import BattleResult
from battles.drawing import fuzzy_wuzzy as drawing
from battles.engines.fuzzy_wuzzy.book import book
from battles.engines.fuzzy_wuzzy.state import State
from battles.engines.fuzzy_wuzzy.trace import rulings, trace
from battles.english import fuzzy_wuzzy as english
from battles.english.fuzzy_wuzzy.play_sheet import sections
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
