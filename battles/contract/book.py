"""A book of battles as one object: its engine, and how its battles are told, drawn and fought.

An entry point of the group `sirdar.battles` names a `Book`. `battles.contract.generic_book` makes
one of an engine alone; a book replaces what it can say or draw better.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from battles.contract.brief import Side
from battles.contract.engine import A, BattleState, E, Engine, S
from battles.core.dice import Roll
from battles.core.game import Event
from battles.core.tables import Table
from battles.core.trace import Clause, Ruling
from battles.drawing.scene import Scene, TableScene
from battles.prose.narrative import Sentence
from battles.prose.roster import PlaySheetSection, RosterLine
from battles.turn_form.form import TurnForm

AnyScene = Scene | TableScene
S_contra = TypeVar("S_contra", bound=BattleState, contravariant=True)
E_contra = TypeVar("E_contra", bound=Event, contravariant=True)


class Words(NamedTuple):
    """What the pages of a book call its sides and what is counted, and what they ask about."""

    egyptian: str = "Anglo-Egyptian"
    mahdist: str = "Mahdist"
    figure: str = "figure"
    turn: str = "turn"
    place: str = "Place"
    shaken: str = "disorganised"
    advice: str = ""
    """How to count on a real table what has left it or been driven off it."""

    def side(self, side: Side) -> str:
        """Return the name of a side."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist


class Tale(Protocol[E_contra]):
    """A stretch of a battle being told. It hears each event just before it happens."""

    def hear(self, event: E_contra, rolls: Iterable[Roll], /) -> None:
        """Take the event in; `rolls` are the throws behind it."""

    def note(self, rolls: Iterable[Roll], /) -> None:
        """Take in throws that led to no event before the turn was over."""

    def tell(self) -> Iterator[Sentence]:
        """Give all there is to say, in the order in which it happened."""


@dataclass(frozen=True)
class Prose(Generic[S_contra, E_contra]):
    """How a book's battles are told.

    `begins_turn` gives the number of the turn that an event begins, None for any other event.
    """

    tale: Callable[[S_contra], Tale[E_contra]]
    begins_turn: Callable[[E_contra], int | None]
    muster_roll: Callable[[S_contra], tuple[RosterLine, ...]]


class Marks(Protocol[E_contra]):
    """What a drawing shows of a stretch of a battle beside the units: ways taken and fire."""

    def hear(self, event: E_contra, /) -> None:
        """Take in the event, which is about to happen."""


M = TypeVar("M", bound=Marks[Any])


@dataclass(frozen=True)
class Drawing(Generic[S_contra, M]):
    """How a book's field is drawn: `scene` of a state, with the marks since the last picture."""

    scene: Callable[[S_contra, M | None], AnyScene]
    marks: Callable[[S_contra], M]


@dataclass(frozen=True)
class TurnForms(Generic[S, A, E]):
    """What a person who commands is asked.

    `form(state, side, unit)`: everything that side may answer, None where it is not asked; `unit`
    is the one looked at, 0 for any. `composed(state, fields)`: the action of a form of more than
    one answer. `corrected(state, fields)`: the event by which an umpire sets a unit right; both
    raise Unclear. `overheard(state, event, rolls, side)`: what a side learns of an event. `hand`:
    the cards a side holds.
    """

    form: Callable[[S, Side, int], TurnForm | None]
    composed: Callable[[S, Mapping[str, Any]], A]
    corrected: Callable[[S, Mapping[str, Any]], E]
    overheard: Callable[[S, E, Iterable[Roll], Side | None], tuple[E | None, tuple[Roll, ...]]]
    hand: Callable[[S, Side], tuple[str, ...]]
    corrects_shaken: bool = True
    """Whether an umpire may say of a unit that it is shaken."""


class Left(NamedTuple):
    """What is left of a unit on a real table; of a leader, `figures` is 1 while he is well."""

    figures: int
    shaken: bool = False


class Ended(NamedTuple):
    """How a battle on a real table ended: who won, why, and after how many turns."""

    winner: Side | None
    ending: str
    turns: int


@dataclass(frozen=True)
class BookPages(Generic[S_contra]):
    """The rules of a book as its pages show them, and what a real table is asked.

    `end(state, left, ended)` makes a state that is drawn up the one at the end, as far as the
    engine's report needs it. None: lines of the muster roll are units of the campaign, and their
    fates are reckoned from what is left of each.
    """

    tables: Callable[[], tuple[Table[Any], ...]] = tuple
    trace: Callable[[], tuple[Clause, ...]] = tuple
    rulings: Callable[[], tuple[Ruling, ...]] = tuple
    play_sheet: Callable[[], tuple[PlaySheetSection, ...]] = tuple
    end: Callable[[S_contra, Mapping[int, Left], Ended], None] | None = None


@dataclass(frozen=True, kw_only=True)
class Book(Generic[S, A, E]):
    """A book of battles.

    `turn` is the heading of a turn, such as "Card"; `measures` says in the API's schema how places
    and lengths are written in its states and actions.
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

    @property
    def slug(self) -> str:
        """Return its name in addresses and commands."""
        return self.engine.slug

    @property
    def title(self) -> str:
        """Return its name in words."""
        return self.engine.title

    def turn_title(self, turn: int, *, before: str) -> str:
        """Return the heading of a turn; `before` is that of what precedes the first."""
        return f"{self.turn} {turn}" if turn else before
