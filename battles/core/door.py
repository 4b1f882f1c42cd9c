"""The front door of a game: one action in, events out, and nothing changed when it is refused."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple

from battles.core.dice import Dice
from battles.core.game import IllegalAction, Outcome, Step
from battles.core.ledger import Evolve, Ledger, S

Steps = Mapping[str, Any]


class Answer(NamedTuple):
    """How one kind of action answers one kind of question, and the steps that come after it.

    `closes`: the question is answered by it, unless it has led to another.
    """

    check: Callable[[Any, Any], None]
    carry_out: Callable[[Any, Any], None]
    closes: bool = True
    then: tuple[Step, ...] = ()


class Play(NamedTuple):
    """How a game goes on: what events do, the steps by name, and the event that it stands so."""

    evolve: Callable[[Any, Any], None]
    steps: Steps
    stands: Callable[..., Any]


class Clauses(NamedTuple):
    """What forbids an action when the game is over, and one that answers something else."""

    over: str
    other: str


class Door(Generic[S]):
    """What a game is asked from outside, by how its kinds of action answer its questions."""

    def __init__(
        self, answers: Mapping[type, Mapping[type, Answer]], play: Play, clauses: Clauses
    ) -> None:
        self._answers = answers
        self._play = play
        self._clauses = clauses

    def play(self, state: S, action: Any, dice: Dice) -> Outcome:
        """What the action leads to, carried out on the state itself, which the caller owns.

        Raises IllegalAction before anything has changed.
        """
        answer = self._answer(state, action)
        answer.check(state, action)
        ledger = Ledger(state, dice, self._evolve)
        question = state.question
        answer.carry_out(ledger, action)
        ledger.then(*answer.then)
        if answer.closes and state.question is question:
            ledger.answered()
        return self.advanced(ledger)

    def advanced(self, ledger: Ledger[S]) -> Outcome:
        """The sequence of play as far as the next question; all that has happened."""
        ledger.advance(self._play.steps)
        state = ledger.state
        stands = self._play.stands(agenda=tuple(state.agenda), question=state.question)
        return ledger.outcome(stands)

    def check(self, state: S, action: Any) -> None:
        """IllegalAction when the action does not answer what the game waits for."""
        self._answer(state, action).check(state, action)

    def fold(self, state: S, events: Iterable[Any]) -> None:
        """The events happen to the state again, without dice and without rules."""
        for event in events:
            self._evolve(state, event)

    @property
    def _evolve(self) -> Evolve[S]:
        return self._play.evolve

    def _answer(self, state: S, action: Any) -> Answer:
        question = state.question
        if question is None:
            raise IllegalAction(self._clauses.over, "The battle is over.", "Look back through it.")
        answers = self._answers[type(question)]
        if type(action) not in answers:
            wanted = ", ".join(kind.__name__ for kind in answers)
            raise IllegalAction(
                self._clauses.other,
                f"The battle waits for something else of the {question.side} side.",
                f"It can be answered by: {wanted}.",
            )
        return answers[type(action)]


def anything(state: Any, action: object) -> None:
    """There is nothing about this action that could be wrong."""


def nothing(ledger: Ledger[Any], action: object) -> None:
    """The agenda goes on with what comes next."""


DONE = Answer(anything, nothing)
"""Nothing more is wanted: what is asked is closed, and the agenda goes on."""
