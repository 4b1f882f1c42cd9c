"""The protocol of a book's rules engine, and players that answer by a sample of its options."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from battles.contract.brief import Brief, Side
from battles.contract.muster import explain_winner
from battles.contract.report import BattleResult, Fate, Report, conserve
from battles.core.dice import Dice
from battles.core.game import Action, Event, Outcome, Playable
from battles.core.rules_engine import RulesEngine

# The engine of a book: the protocol that every book implements, and its common form.


MOST_ACTIONS = 20_000
"""More actions than any battle has. A battle that goes beyond it never ends."""


class OpenQuestion(Protocol):
    """The open question of a battle; `side` must answer it."""

    @property
    def side(self) -> Side: ...


class BattleState(Protocol):
    """The fields that the program reads from any book's state.

    `question` is None when the battle is over, so that a battle can be stored and resumed anywhere.
    `turn` is 0 until the first begins.
    """

    @property
    def turn(self) -> int: ...

    @property
    def question(self) -> OpenQuestion | None: ...

    @property
    def brief(self) -> Brief | None: ...


class ReportableState(BattleState, Playable, Protocol):
    """A state that holds the result of its battle; `result` is None until it is over."""

    @property
    def result(self) -> BattleResult | None: ...


S = TypeVar("S", bound=BattleState)
R = TypeVar("R", bound=ReportableState)
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
D = TypeVar("D")


class Engine(Protocol[S, A, E]):
    """The rules of a book, with its own types of state, action and event."""

    @property
    def slug(self) -> str:
        """Return the book's name in addresses and commands."""

    @property
    def title(self) -> str:
        """Return the book's title."""

    @property
    def state(self) -> type[S]:
        """Return the type of the book's states."""

    @property
    def actions(self) -> type[A] | UnionType:
        """Return the type of the book's actions, or the union of them."""

    @property
    def events(self) -> type[E] | UnionType:
        """Return the type of the book's events, or the union of them."""

    def drawn_up(self, brief: Brief) -> S:
        """Lay the field out and draw up the sides, before a die is thrown or a card dealt."""

    def new_game(self, brief: Brief, dice: Dice) -> tuple[S, Outcome]:
        """Begin the battle; return the state at the first question, and the outcome so far."""

    def options(self, state: S) -> object:
        """Return the legal answers to the open question; None when the battle is over.

        The type is the book's own. If it is a sequence of actions, the generic turn form can offer
        them.
        """

    def check(self, state: S, action: A) -> None:
        """Raise IllegalAction when the action is no legal answer to the open question."""

    def play(self, state: S, action: A, dice: Dice) -> Outcome:
        """Carry the action out on the state itself and return the outcome. Raises IllegalAction."""

    def fold(self, state: S, events: Iterable[E]) -> None:
        """Apply stored events to the state, without dice or rules."""

    def view(self, state: S, side: Side | None) -> S:
        """Return the state as that side may see it; as the public may for None."""

    def answer(self, state: S) -> A:
        """Return the commander's answer to the open question, for either side."""

    def report(self, state: S) -> Report:
        """Report how the battle ended. Raises ValueError while it goes on."""


@dataclass(frozen=True, kw_only=True)
class ChapterEngine(Generic[D, R, A, E]):
    """An engine made of functions from a book's chapters.

    A field is laid out for a brief (`D` is the deployment), the armies are set out on it, and the
    battle begins.
    """

    slug: str
    title: str
    state: type[R]
    actions: type[A] | UnionType
    events: type[E] | UnionType
    lay_out: Callable[[Brief], D]
    set_out: Callable[[D], R]
    begin: Callable[[D, Dice], tuple[R, Outcome]]
    rules: RulesEngine[R]
    options: Callable[[R], object]
    view: Callable[[R, Side | None], R]
    answer: Callable[[R], A]
    fates: Callable[[R, Brief], dict[int, Fate]]
    winner: Callable[[R, dict[int, Fate]], Side | None]

    def drawn_up(self, brief: Brief) -> R:
        """Lay the field out and draw up the sides, before a die is thrown or a card dealt."""
        return self.set_out(self.lay_out(brief))

    def new_game(self, brief: Brief, dice: Dice) -> tuple[R, Outcome]:
        """Lay the field out, draw up the sides, and go on to the first question.

        Raises ValueError for a brief whose armies cannot be set out.
        """
        return self.begin(self.lay_out(brief), dice)

    def check(self, state: R, action: A) -> None:
        """Raise IllegalAction when the action is no legal answer to the open question."""
        self.rules.check(state, action)

    def play(self, state: R, action: A, dice: Dice) -> Outcome:
        """Carry the action out on the state itself and return the outcome. Raises IllegalAction."""
        return self.rules.play(state, action, dice)

    def fold(self, state: R, events: Iterable[E]) -> None:
        """Apply stored events to the state, without dice or rules."""
        self.rules.fold(state, events)

    def report(self, state: R) -> Report:
        """Report the fate of every unit of the brief at the end of the battle.

        Raises ValueError while the battle goes on, and for a battle without a brief.
        """
        if state.result is None:
            raise ValueError("The battle is not over: there is nothing to report yet.")
        if state.brief is None:
            raise ValueError("This battle has no brief: nobody waits for a report of it.")
        fates = self.fates(state, state.brief)
        winner = self.winner(state, fates)
        because = explain_winner(state.brief, fates, winner, state.result.winner)
        return Report(
            battle=state.brief.id,
            book=self.slug,
            fates=fates,
            winner=winner,
            ending=f"{state.result.reason} {because}".strip(),
            turns=state.turn,
        )


class ChosenMove(NamedTuple, Generic[A]):
    """One action of a battle and its outcome."""

    side: Side
    action: A
    outcome: Outcome


def fight(engine: Engine[S, A, E], brief: Brief, dice: Dice) -> Report:
    """Fight the battle out between the book's commanders and return a checked report."""
    state, _ = engine.new_game(brief, dice)
    for _ in moves(engine, state, dice):
        pass
    report = engine.report(state)
    conserve(brief, report)
    return report


def moves(engine: Engine[S, A, E], state: S, dice: Dice) -> Iterator[ChosenMove[A]]:
    """Carry out the commanders' actions on the state itself, and yield each.

    Raises RuntimeError when the battle comes to no end.
    """
    play = engine.rules.play_chosen if isinstance(engine, ChapterEngine) else engine.play
    for _ in range(MOST_ACTIONS):
        if state.question is None:
            return
        side = state.question.side
        action = engine.answer(state)
        yield ChosenMove(side, action, play(state, action, dice))
    raise RuntimeError(f"A battle by {engine.title} has come to no end.")


# Players that measure a commander: what they need to know of a book, and how they choose.
#
# They answer through a sample of the legal answers, so that any book can have them.


T = TypeVar("T")
FEW, MANY = 4, 12
"""Samples of a long domain for players that do not compare answers, and for those that do."""


class Chance(Protocol):
    """A source of choices that are no dice of the game; `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 to 1."""

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 to less than `stop`."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of the items."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return `k` different items."""


def some_of(domain: Sequence[T], chance: Chance, most: int) -> list[T]:
    """Return at most that many different items of a domain."""
    return chance.sample(domain, min(most, len(domain)))


@dataclass(frozen=True)
class AnswerSampling(Generic[S, A]):
    """The knowledge that simple players have of a book.

    `answers(state, chance, most)` yields legal answers of every kind, `most` of long domains.
    `attacks` are the kinds of action that fire at or strike the enemy. `eagerness` ranks answers
    for a player who goes straight at the enemy; an answer that changes nothing has 0. `done` is the
    action that declines or stops.
    """

    answers: Callable[[S, Chance, int], Iterator[A]]
    attacks: tuple[type, ...] = ()
    eagerness: Callable[[S, A], float] = lambda state, action: 0.0
    done: type | None = None


Rival = Callable[[AnswerSampling[Any, Any], BattleState, Chance], Any]


def at_random(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return any answer."""
    return chance.choice(list(sampling.answers(state, chance, FEW)))


def choose_waiting(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return the answer that declines or stops; where the rules demand another, any of these."""
    offered = list(sampling.answers(state, chance, FEW))
    idle = [action for action in offered if sampling.done and isinstance(action, sampling.done)]
    return idle[0] if idle else chance.choice(offered)


def choose_rushing(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return the answer that goes straightest at the enemy."""
    offered = list(sampling.answers(state, chance, MANY))
    return max(offered, key=lambda action: sampling.eagerness(state, action))


def choose_standing(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return the most eager attack; without one, decline or stop."""
    offered = list(sampling.answers(state, chance, FEW))
    attacks = [action for action in offered if isinstance(action, sampling.attacks)]
    if attacks:
        return max(attacks, key=lambda action: sampling.eagerness(state, action))
    return choose_waiting(sampling, state, chance)


RIVALS: Mapping[str, Rival] = {
    "random": at_random,
    "waiting": choose_waiting,
    "rushing": choose_rushing,
    "standing": choose_standing,
}
"""Simple players, by name."""
