"""Restless Natives."""

from collections.abc import Mapping

from battles.books.restless_natives import drawing
from battles.books.restless_natives import prose as english
from battles.books.restless_natives.book import book
from battles.books.restless_natives.play_sheet import sections
from battles.books.restless_natives.state import State
from battles.books.restless_natives.trace import rulings, trace
from battles.contract.events import BattleResult
from battles.narrator import Teller
from battles.shelves import Ended, Left, Shelf, Words


def end(state: State, left: Mapping[int, Left], ended: Ended) -> None:
    """The state as it stands at the end, as far as the report needs it."""
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


SHELF = Shelf(
    "restless",
    "Restless Natives",
    "Bob Cordery",
    Words(
        egyptian="British",
        mahdist="Native",
        figure="stand",
        turn="card",
        shaken="ran away",
        advice="A unit that has left the table by its exit keeps its stands; one that fell back "
        "off it, or was removed because it could not fall back, ran away.",
    ),
    Teller(english, drawing, "Card"),
    lambda: tuple(book().tables.values()),
    trace,
    rulings,
    sections,
    end,
)
