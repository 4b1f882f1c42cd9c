"""Prose, drawing and forms of Hold or Charge, and the book that its entry point names."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from battles.contract import Side
from battles.contract.book import BookPages, Drawing, Prose, TurnForms, Words
from battles.contract.generic_book import generic_book, no_cards, no_form, pass_event
from battles.core.trace import Paragraph, Trace
from battles.drawing.scene import Block, OpenTable, TableScene, Trails
from battles.prose import Hearing, Narrative, RosterLine, play_sheet
from battles.tabletop.field import OpenField, TableTerrain, TerrainFeature
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, Stand, TablePoint
from battles.turn_form import (
    OPEN_TABLE,
    Choice,
    InvalidForm,
    QuestionKind,
    TurnForm,
    length,
    number,
    spot,
)
from tests.own_book import rules
from tests.own_book.rules import AnyEvent, Charge, Hold, OwnEngine, State, Unit

ENGINE = OwnEngine()
HILL = tuple(
    TablePoint(x * MEASURE, y * MEASURE) for x, y in ((14, 10), (22, 10), (22, 14), (14, 14))
)
FIELD = OpenField(
    rules.WIDTH, rules.DEPTH, "inch", (TerrainFeature(TableTerrain.HILL, HILL, "Signal Hill"),)
)
FRONT = 2 * MEASURE
OUT = "destroyed"


class Tale(Narrative[State]):
    """The log in sentences."""

    hears: ClassVar[Hearing] = Hearing("the tale of Hold or Charge")

    def _name(self, number: int) -> str:
        return self.state.units[number].name

    def _side(self, number: int) -> Side | None:
        return self.state.units[number].side

    @hears.on(rules.Fired)
    def _fired(self, event: rules.Fired) -> None:
        loss = f"and hits it {event.lost} times" if event.lost else "to no effect"
        self._does(event.unit, f"fires at {self._name(event.target)} {loss}").citing(self._cited)
        self._cited = []

    @hears.on(rules.Charged)
    def _charged(self, event: rules.Charged) -> None:
        deed = f"charges {self._name(event.target)}, taking {event.own} for {event.lost}"
        self._does(event.unit, deed).weigh(3).citing(self._cited)
        self._cited = []

    @hears.on(rules.Over)
    def _over(self, event: rules.Over) -> None:
        self._aside().say(event.result.reason)

    @hears.on(rules.SetRight)
    def _set_right(self, event: rules.SetRight) -> None:
        self._say(event.unit, f"now has a strength of {event.strength}")


def begins_turn(event: AnyEvent) -> int | None:
    return event.turn if isinstance(event, rules.TurnBegan) else None


def muster_roll(state: State) -> tuple[RosterLine, ...]:
    return tuple(map(_line, state.units.values()))


def _line(unit: Unit) -> RosterLine:
    condition = "good order" if 2 * unit.strength > unit.full else "hard hit"
    return RosterLine(
        number=unit.id,
        side=unit.side,
        name=unit.name,
        what=f"{unit.nation} {unit.kind}",
        where=f"{unit.at.x / MEASURE:g} by {unit.at.y / MEASURE:g}",
        facing="",
        formation="line",
        came=unit.full,
        left=unit.strength,
        state=condition if unit.strength else OUT,
        fate="on the field" if unit.strength else OUT,
    )


class Marks(Trails):
    """Charges and fire since the last picture."""

    state: State

    def hear(self, event: AnyEvent) -> None:
        units = self.state.units
        if isinstance(event, rules.Fired):
            one, other = units[event.unit], units[event.target]
            self.fired(one.side, one.at, other.at, hit=event.lost > 0)
        elif isinstance(event, rules.Charged):
            one = units[event.unit]
            self.went(one.id, one.side, (one.at, event.at))


def scene(state: State, since: Marks | None = None) -> TableScene:
    blocks = tuple(_block(one) for one in state.units.values() if one.strength)
    tracks, shots = (since.tracks, since.shots) if since else ((), ())
    return TableScene(OpenTable(FIELD), blocks, tracks, shots)


def _block(unit: Unit) -> Block:
    return Block(
        number=unit.id,
        side=unit.side,
        nation=unit.nation,
        kind=unit.kind,
        words=f"{unit.name}, {unit.strength} of {unit.full}",
        at=unit.at,
        facing=unit.facing,
        formation=TableFormation.LINE,
        stands=(Stand(unit.at.x, unit.at.y, unit.facing, FRONT, FRONT // 2),),
        full=1,
    )


def turn_form(state: State, side: Side, unit: int) -> TurnForm | None:
    if state.question is None or state.question.side is not side:
        return None
    choices = [Choice(Hold(), "Hold and fire", QuestionKind.FIRE)]
    for action in ENGINE.options(state):
        if isinstance(action, Charge):
            by, target = state.units[action.unit], state.units[action.target]
            words, place = f"{by.name} charges {target.name}", f"unit {target.id}"
            at = spot(FIELD, target.at)
            choices.append(
                Choice(action, words, QuestionKind.CHARGE, "hits with 4+", at, place, target.id)
            )
    return TurnForm(side, "Hold or charge?", tuple(choices), hint="One unit may charge.")


def read_correction(state: State, fields: Mapping[str, Any]) -> rules.SetRight:
    unit = state.units.get(number(fields, "unit"))
    if unit is None:
        raise InvalidForm("Choose a unit of the battle.")
    strength = number(fields, "left")
    if not 0 <= strength <= unit.full:
        raise InvalidForm(f"It has {unit.full} strength points at most.")
    x = length(fields, "x") if fields.get("x") else unit.at.x
    y = length(fields, "y") if fields.get("y") else unit.at.y
    return rules.SetRight(unit=unit.id, strength=strength, at=TablePoint(x, y))


TRACE = Trace("tests.own_book", Paragraph, AnyEvent)

BOOK = replace(
    generic_book(ENGINE),
    author="The Camel Club",
    words=Words(figure="strength point", shaken="shaken"),
    measures=OPEN_TABLE.format(measure="an inch"),
    prose=Prose(Tale, begins_turn, muster_roll),
    drawing=Drawing(scene, Marks),
    turn_forms=TurnForms(
        turn_form, no_form, read_correction, pass_event, no_cards, corrects_shaken=False
    ),
    pages=BookPages(
        tables=lambda: (rules.hits(),),
        trace=TRACE.trace,
        rulings=TRACE.rulings,
        play_sheet=lambda: play_sheet("tests.own_book").section,
    ),
)
