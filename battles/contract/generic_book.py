"""A complete book from an engine alone, with generic prose, drawing, turn form and count."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NoReturn

from battles.contract.book import (
    Book,
    BookPages,
    Drawing,
    Ended,
    Prose,
    TurnForms,
    UnitRemainder,
    Words,
)
from battles.contract.brief import AFLOAT, Brief, Side, Troop, TroopKind
from battles.contract.engine import A, AnswerSampling, BattleState, E, Engine, S
from battles.contract.muster import fate_as_it_came
from battles.contract.report import Fate, Report
from battles.core.dice import Roll
from battles.core.game import Action, Event
from battles.drawing.scene import Block, OpenTable, TableScene, Trails
from battles.prose import RosterLine, Sentence, capital, throw_in_words, troop_name
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, Stand, TablePoint
from battles.turn_form import Choice, InvalidForm, QuestionKind, TurnForm

WIDTH, DEPTH = 48 * MEASURE, 36 * MEASURE
"""The size of the plain field: a table of four feet by three, in inches."""
FRONT = 2 * MEASURE
"""The width of a unit on the plain field."""
FATES = {
    Fate.GOOD: "good order",
    Fate.DISRUPTED: "disrupted",
    Fate.ELIMINATED: "eliminated",
    Fate.CAPTURED: "captured",
}


def generic_book(engine: Engine[S, A, E]) -> Book[S, A, E]:
    """Return a book made of the engine and generic parts.

    Use `dataclasses.replace` to put in a book's own parts.
    """
    reporter = _Reporter(engine)
    return Book(
        engine=engine,
        author="",
        words=Words(figure="strength point", shaken="disrupted"),
        turn="Turn",
        measures="Units are named by their numbers.",
        prose=Prose(PlainTale, begins_turn, reporter.muster_roll),
        drawing=Drawing(reporter.scene, NoMarks),
        turn_forms=plain_turn_forms(engine),
        pages=BookPages(),
        sampling=AnswerSampling(lambda state, chance, most: iter(plain_answers(engine, state))),
    )


def plain_answers(engine: Engine[S, A, E], state: S) -> Sequence[A]:
    """Return the options if they are a sequence of actions, else the commander's answer."""
    offered = engine.options(state)
    return offered if isinstance(offered, Sequence) and offered else (engine.answer(state),)


# Prose


class PlainTale:
    """A tale that gives every event by its name and fields, and every roll by its reason."""

    def __init__(self, state: BattleState) -> None:
        self._told: list[Sentence] = []

    def hear(self, event: Event, rolls: Iterable[Roll]) -> None:
        """Take the event in, unless it has no simple field to show."""
        cited = tuple(rolls)
        throws = [f"{roll.reason}: {throw_in_words(roll)}" for roll in cited]
        facts = document_in_words(event)
        if facts or throws:
            text = ". ".join(capital(part) for part in (facts, *throws) if part)
            self._told.append(Sentence(f"{text}.", side_of(event), None, cited, (), (), 2))

    def note(self, rolls: Iterable[Roll]) -> None:
        """Take in rolls that led to no event."""
        for roll in rolls:
            text = f"{capital(roll.reason)}: {throw_in_words(roll)}."
            self._told.append(Sentence(text, side_of(roll), None, (roll,), (), (), 1))

    def tell(self) -> Iterator[Sentence]:
        """Yield the sentences in the order in which things happened."""
        yield from self._told


def side_of(record: object) -> Side | None:
    """Return the side that an event or a roll names, if any."""
    side = str(getattr(record, "side", ""))
    return Side(side) if side in list(Side) else None


def begins_turn(event: Event) -> int | None:
    """Return the turn that an event called TurnBegan begins; None for any other."""
    turn = getattr(event, "turn", None)
    return turn if type(event).__name__ == "TurnBegan" and isinstance(turn, int) else None


def document_in_words(document: Action | Event) -> str:
    """Return the name of an action or event and its simple fields: `charge: unit 3, target 7`.

    Return "" for an event without a simple field.
    """
    facts = []
    for name in document.__struct_fields__:
        value = getattr(document, name)
        if isinstance(value, bool) and value:
            facts.append(name.replace("_", " "))
        elif isinstance(value, int | str) and not isinstance(value, bool) and value != "":
            facts.append(f"{name.replace('_', ' ')} {value}")
    called = "".join(
        f" {letter.lower()}" if letter.isupper() else letter for letter in type(document).__name__
    )
    if isinstance(document, Event) and not facts:
        return ""
    return called.strip() + (f": {', '.join(facts)}" if facts else "")


# Drawing and muster roll: the units of the brief, as they came, and at the end as they go back


class NoMarks(Trails):
    """An empty set of marks: no routes and no fire."""

    def hear(self, event: Event) -> None:
        """Ignore the event."""


class _Reporter(Generic[S, A, E]):
    def __init__(self, engine: Engine[S, A, E]) -> None:
        self._engine = engine

    def _fates(self, state: S) -> Mapping[int, Fate]:
        """Return the fate of every unit: as it came, or as reported once the battle is over."""
        if state.brief is None:
            return {}
        try:
            return self._engine.report(state).fates
        except (ValueError, KeyError):
            return {troop.id: fate_as_it_came(troop) for troop in state.brief.troops()}

    def muster_roll(self, state: S) -> tuple[RosterLine, ...]:
        """Return a line for each unit of the brief; strength points are its figures."""
        fates = self._fates(state)
        if state.brief is None:
            return ()
        return tuple(_line(troop, fates[troop.id]) for troop in state.brief.troops())

    def scene(self, state: S, since: NoMarks | None = None) -> TableScene:
        """Return a bare table on which the remaining units face each other in two lines."""
        table = OpenTable(OpenField(WIDTH, DEPTH, "inch"))
        if state.brief is None:
            return TableScene(table, ())
        fates, blocks = self._fates(state), []
        for party, y, facing in (
            (state.brief.defender, DEPTH // 3, 180),
            (state.brief.attacker, 2 * DEPTH // 3, 0),
        ):
            left = [
                troop for troop in party.troops if fates[troop.id] in (Fate.GOOD, Fate.DISRUPTED)
            ]
            step = WIDTH // (len(left) + 1)
            for place, troop in enumerate(left, 1):
                point = TablePoint(place * step, y)
                blocks.append(_block(troop, point, facing, fates[troop.id]))
        return TableScene(table, tuple(blocks))


def _line(troop: Troop, fate: Fate) -> RosterLine:
    strength = max(troop.strength, 1)
    is_present = fate in (Fate.GOOD, Fate.DISRUPTED)
    return RosterLine(
        number=troop.id,
        side=troop.nation.side,
        name=troop.name or troop_name(troop),
        what=troop_name(troop),
        where="",
        facing="",
        formation="" if troop.kind is TroopKind.LEADER else "line",
        came=strength,
        left=strength if is_present else 0,
        state=FATES[fate],
        fate="on the field" if is_present else FATES[fate],
    )


def _block(troop: Troop, at: TablePoint, facing: int, fate: Fate) -> Block:
    return Block(
        number=troop.id,
        side=troop.nation.side,
        nation=troop.nation,
        kind=troop.kind,
        words=f"{troop_name(troop)}, {FATES[fate]}",
        at=at,
        facing=facing,
        formation=TableFormation.LINE,
        stands=(Stand(at.x, at.y, facing, FRONT, FRONT // 2),),
        full=1,
        shaken=fate is Fate.DISRUPTED,
    )


# Turn form


def plain_turn_forms(engine: Engine[S, A, E]) -> TurnForms[S, A, E]:
    """Return a turn form that lists the engine's options, or else its commander's answer.

    Both sides learn of every event: a book with hidden information brings its own turn form.
    """

    def form(state: S, side: Side, unit: int) -> TurnForm | None:
        if state.question is None or state.question.side is not side:
            return None
        choices = tuple(
            Choice(answer, capital(document_in_words(answer)), QuestionKind.OTHER)
            for answer in plain_answers(engine, state)
        )
        name = type(state.question).__name__
        title = "".join(
            f" {letter.lower()}" if letter.isupper() else letter for letter in name
        ).strip()
        return TurnForm(side, capital(title), choices)

    return TurnForms(form, no_form, no_correction, pass_event, no_cards)


def no_form(state: BattleState, fields: Mapping[str, Any]) -> NoReturn:
    """Raise InvalidForm: every answer is one of the choices."""
    raise InvalidForm("Choose one of the answers that are offered.")


def no_correction(state: BattleState, fields: Mapping[str, Any]) -> NoReturn:
    """Raise InvalidForm: the book has no event for corrections."""
    raise InvalidForm("This book cannot correct units: go back to an earlier entry instead.")


def pass_event(
    state: BattleState, event: E, rolls: Iterable[Roll], side: Side | None
) -> tuple[E | None, tuple[Roll, ...]]:
    """Return the event and its rolls unchanged, for a book without hidden information."""
    return event, tuple(rolls)


def no_cards(state: BattleState, side: Side) -> tuple[str, ...]:
    """Return nothing, for a book without cards."""
    return ()


# A real table


def counted_by_troops(
    brief: Brief, book: str, left: Mapping[int, UnitRemainder], ended: Ended
) -> Report:
    """Report a battle on a real table whose muster roll has a line for each unit of the brief.

    A unit with nothing left is eliminated. One that is shaken or has lost half its strength or more
    is disrupted, or eliminated if it was disrupted before.
    """
    fates = {troop.id: _fate(troop, left.get(troop.id)) for troop in brief.troops()}
    return Report(brief.id, book, fates, ended.winner, ended.ending, ended.turns)


def _fate(troop: Troop, left: UnitRemainder | None) -> Fate:
    if left is None or troop.kind is TroopKind.FLEET:
        return fate_as_it_came(troop)
    if not left.figures:
        return Fate.ELIMINATED
    hurt = left.shaken or 2 * left.figures <= troop.strength
    if not hurt or troop.kind is TroopKind.LEADER or troop.kind in AFLOAT:
        return fate_as_it_came(troop)
    return Fate.ELIMINATED if troop.disrupted else Fate.DISRUPTED
