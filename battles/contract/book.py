"""A book of battles as one object, and the installed books: each is an entry point.

    [project.entry-points."sirdar.battles"]
    hussars = "hussars.book:BOOK"

The value names a `Book`: its engine, prose, drawing, turn forms and pages. The name is its slug.
The program's own books and a club's are found alike.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from battles.contract.brief import Brief, Side
from battles.contract.casebook import CaseBook
from battles.contract.engine import A, AnswerSampling, BattleState, E, Engine, S
from battles.core.dice import Dice, Roll
from battles.core.game import Event
from battles.core.tables import Table
from battles.core.trace import Clause, Paragraph, Ruling, Trace
from battles.drawing.scene import DrawnScene, TableScene
from battles.prose import BookTerm, PlaySheetSection, RosterLine, Sentence, play_sheet
from battles.turn_form import QuestionKind, TurnForm

AnyScene = DrawnScene | TableScene
S_contra = TypeVar("S_contra", bound=BattleState, contravariant=True)
E_contra = TypeVar("E_contra", bound=Event, contravariant=True)


class Words(NamedTuple):
    """The words of a book for its sides, its figures, its turns and its places."""

    egyptian: str = "Anglo-Egyptian"
    mahdist: str = "Mahdist"
    figure: str = "figure"
    turn: str = "turn"
    until: str = ""
    """The end of a battle without a last turn, to follow the turn: ", until nightfall"."""
    place: str = "Place"
    shaken: str = "disorganised"
    advice: str = ""
    """The advice on counting units that have left a real table or were driven off it."""

    def side(self, side: Side) -> str:
        """Return the name of a side."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist


class Tale(Protocol[E_contra]):
    """The story of a stretch of a battle. It hears each event just before it is applied."""

    def hear(self, event: E_contra, rolls: Iterable[Roll], /) -> None:
        """Take the event in; `rolls` are the rolls behind it."""

    def note(self, rolls: Iterable[Roll], /) -> None:
        """Take in rolls that led to no event before the end of the turn."""

    def tell(self) -> Iterator[Sentence]:
        """Yield the sentences in the order in which things happened."""


def _no_aim(_state: Any) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Prose(Generic[S_contra, E_contra]):
    """The functions that tell a book's battles.

    `tale` begins the story of a stretch from its first state. `begins_turn` returns the number of
    the turn that an event begins, None for any other event. `aim` says in sentences how a battle
    is won, and when it ends.
    """

    tale: Callable[[S_contra], Tale[E_contra]]
    begins_turn: Callable[[E_contra], int | None]
    muster_roll: Callable[[S_contra], tuple[RosterLine, ...]]
    aim: Callable[[S_contra], tuple[str, ...]] = _no_aim


class Marks(Protocol[E_contra]):
    """The marks of a stretch of a battle on a drawing, beside the units: routes and fire.

    `step` is the number of the entry whose events are heard; `drawing.scene.Trails` keeps it.
    """

    step: int

    def hear(self, event: E_contra, /) -> None:
        """Take in an event that is about to be applied."""


M = TypeVar("M", bound=Marks[Any])


@dataclass(frozen=True)
class Drawing(Generic[S_contra, M]):
    """The functions that draw a book's field:

    `scene` of a state with the marks, and new `marks`; `zones` has the ground on which each side
    may place its units before the battle, as path data of the drawing.
    """

    scene: Callable[[S_contra, M | None], AnyScene]
    marks: Callable[[S_contra], M]
    zones: Callable[[S_contra], Mapping[Side, str]] = lambda state: {}


def _no_sequel(_state: Any, _action: Any, _plan: str) -> Callable[[Any], None]:
    return lambda state: None


def _repeat_nothing(_state: Any, _actions: Iterable[Any]) -> None:
    return None


def _list_no_attempts(_known: Any, _side: Side, _unit: int) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class TurnForms(Generic[S, A, E]):
    """The functions behind a book's turn forms: what a player answers and learns.

    `form(state, side, unit)`: the legal answers of that side, None where it is not asked; `unit` is
    the selected one, 0 for any. `read_action(state, fields)`: the action of a form with more than
    one answer. `read_correction(state, fields)`: the event by which an umpire corrects a unit; both
    raise InvalidForm. `filter_event(state, event, rolls, side)`: the part of an event that a side
    learns. `hand`: the cards a side holds. `sequel(state, action, plan)` begins a plan that a
    choice names: it returns a function of each later state, with the plan's next action, None at
    its end. `repeat_orders(state, actions)`: one action that repeats those of the last turn, as far
    as possible. `list_attempts(known, side, unit)`: what a player would look for with a unit at
    this question, a kind and an action of it, in the state as the side knows it; of one that is not
    offered the engine's refusal says why.
    """

    form: Callable[[S, Side, int], TurnForm | None]
    read_action: Callable[[S, Mapping[str, Any]], A]
    read_correction: Callable[[S, Mapping[str, Any]], E]
    filter_event: Callable[[S, E, Iterable[Roll], Side | None], tuple[E | None, tuple[Roll, ...]]]
    hand: Callable[[S, Side], tuple[str, ...]]
    sequel: Callable[[S, A, str], Callable[[S], A | None]] = _no_sequel
    repeat_orders: Callable[[S, Iterable[A]], A | None] = _repeat_nothing
    list_attempts: Callable[[S, Side, int], Iterable[tuple[QuestionKind, A]]] = _list_no_attempts
    corrects_shaken: bool = True
    """An umpire may mark a unit as shaken."""


class UnitRemainder(NamedTuple):
    """The remainder of a unit on a real table; for a leader, `figures` is 1 if unhurt."""

    figures: int
    shaken: bool = False


class Ended(NamedTuple):
    """The end of a battle on a real table: the winner, the reason, and the number of turns."""

    winner: Side | None
    ending: str
    turns: int


@dataclass(frozen=True)
class BookPages(Generic[S_contra]):
    """The rules of a book for its pages, and the count of a battle on a real table.

    `count_units(state, left)` takes from a deployed state the units that are not left on the table;
    the engine's report reads their fates there. None: the lines of the muster roll are units of the
    campaign, and `left` decides their fates.
    """

    tables: Callable[[], tuple[Table[Any], ...]] = tuple
    trace: Callable[[], tuple[Clause, ...]] = tuple
    rulings: Callable[[], tuple[Ruling, ...]] = tuple
    cases: CaseBook | None = None
    play_sheet: Callable[[], tuple[PlaySheetSection, ...]] = tuple
    terms: Callable[[], tuple[BookTerm, ...]] = tuple
    count_units: Callable[[S_contra, Mapping[int, UnitRemainder]], None] | None = None


def pages_from_files(
    trace: Trace[Paragraph],
    tables: Callable[[], tuple[Table[Any], ...]],
    cases: CaseBook,
    count_units: Callable[[S, Mapping[int, UnitRemainder]], None],
) -> BookPages[S]:
    """Return the pages of a book that has its trace, rulings, play sheet and terms in files."""
    return BookPages(
        tables=tables,
        trace=trace.trace,
        rulings=trace.rulings,
        cases=cases,
        play_sheet=lambda: play_sheet(trace.package).section,
        terms=lambda: tuple(sorted(play_sheet(trace.package).term, key=lambda term: term.slug)),
        count_units=count_units,
    )


class ThrownBattle(NamedTuple):
    """A battle that dice have decided: its brief, and the throws in words."""

    brief: Brief
    words: str


class BattleGenerator(NamedTuple):
    """The dice that decide a battle by itself.

    `higher_die` throws a die for each Commander-in-Chief until they differ, and returns all
    rounds; `computers_side` is the side that a computer with the higher die chooses; `throw`
    decides armies and scenario.
    """

    higher_die: Callable[[Dice], tuple[tuple[int, int], ...]]
    computers_side: Callable[[Dice], Side]
    throw: Callable[[Dice], ThrownBattle]


@dataclass(frozen=True, kw_only=True)
class Book(Generic[S, A, E]):
    """A book of battles.

    `turn` is the heading of a turn, such as "Card"; `measures` says in the API's schema how places
    and lengths are written in its states and actions. `generator` throws for the sides, the
    armies and the scenario of a battle by itself, in a book that has such tables. `sampling` lets
    simple players fight by the book, to measure its commander.
    """

    engine: Engine[S, A, E]
    author: str
    words: Words
    turn: str
    measures: str
    prose: Prose[S, E]
    # A book's marks are its own affair: only its own `scene` reads them.
    drawing: Drawing[S, Any]
    turn_forms: TurnForms[S, A, E]
    pages: BookPages[S]
    sampling: AnswerSampling[S, A]
    generator: BattleGenerator | None = None

    @property
    def slug(self) -> str:
        """Return the book's name in addresses and commands."""
        return self.engine.slug

    @property
    def title(self) -> str:
        """Return the book's title."""
        return self.engine.title

    def turn_title(self, turn: int, *, before: str) -> str:
        """Return the heading of a turn; `before` is the heading of the time before the first."""
        return f"{self.turn} {turn}" if turn else before


GROUP = "sirdar.battles"
"""The entry point group under which a package offers a book."""
PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"

AnyBook = Book[Any, Any, Any]
"""A book whose types of state, action and event the caller does not need to know."""
AnyEngine = Engine[Any, Any, Any]
"""The engine of such a book."""


class NoSuchBook(LookupError):
    """There is no book of that name; the message lists the existing ones."""


def books() -> tuple[str, ...]:
    """Return the slugs of all books, the program's own first."""
    return tuple(book_entry_points())


def book(slug: str) -> AnyBook:
    """Return the book of that slug. Raises NoSuchBook if it is unknown or cannot be loaded."""
    entry_point = book_entry_points().get(slug)
    if entry_point is None:
        raise NoSuchBook(f"There is no book {slug!r}: choose one of {', '.join(books())}.")
    try:
        loaded_book = entry_point.load()
    except (ImportError, AttributeError) as error:
        raise NoSuchBook(f"The book {slug!r} is there and cannot be loaded: {error}.") from error
    if not isinstance(loaded_book, Book) or loaded_book.slug != slug:
        raise NoSuchBook(
            f"{entry_point.value}, which {slug!r} names, is not the book of that name."
        )
    return loaded_book


def every_book() -> tuple[AnyBook, ...]:
    """Return all books that can be loaded, the program's own first."""
    candidates = map(find_book, books())
    return tuple(book for book in candidates if book is not None)


def find_book(slug: str) -> AnyBook | None:
    """Return the book of that slug; None if it is not installed, or for an empty slug."""
    try:
        return book(slug)
    except NoSuchBook:
        return None


def words_of(slug: str) -> Words:
    """Return a book's words; generic ones if it is not installed."""
    book = find_book(slug)
    return Words() if book is None else book.words


@cache
def book_entry_points() -> dict[str, EntryPoint]:
    """Return the entry points of pyproject.toml, then those of other packages, by slug.

    The program runs from its source tree without being installed, so its own entry points are read
    from there.
    """
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    own = project["entry-points"][GROUP]
    installed = {
        entry_point.name: entry_point
        for entry_point in entry_points(group=GROUP)
        if entry_point.name not in own
    }
    return {name: EntryPoint(name, value, GROUP) for name, value in own.items()} | dict(
        sorted(installed.items())
    )
