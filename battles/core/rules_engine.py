"""The rules engine: check an action, carry it out, and record the events."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from battles.core.game import AgendaRecorded, IllegalAction, Outcome, Step
from battles.core.ledger import Evolve, Ledger, S

A = TypeVar("A")
Steps = Mapping[str, Callable[..., Any]]


def anything(state: Any, action: object) -> None:
    """Accept any action: the default check."""


def do_nothing(ledger: Ledger[Any], action: object) -> None:
    """Do nothing, so that the agenda goes on with the next step."""


class Answer(NamedTuple):
    """The check of one kind of action, the way it is carried out, and the steps after it.

    `closes`: the action closes the open question, unless carrying it out asks another.
    """

    check: Callable[[Any, Any], None]
    carry_out: Callable[[Any, Any], None]
    closes: bool = True
    then: tuple[Step, ...] = ()


class Answers(Generic[S]):
    """The actions that answer each kind of question, registered as on `Handlers`::

        answers = Answers[State]()

        @answers.on(Moor, ToMoor)
        def _moor(ledger: Ledger[State], action: Moor) -> None: ...

    `always` registers an action that answers every question.
    """

    def __init__(self) -> None:
        self._by_question: dict[type, dict[type, Answer]] = {}
        self._always: dict[type, Answer] = {}

    def on(
        self,
        action: type[A],
        *questions: type,
        check: Callable[[S, A], None] = anything,
        closes: bool = True,
        then: tuple[Step, ...] = (),
    ) -> Callable[[Callable[[Ledger[S], A], None]], Callable[[Ledger[S], A], None]]:
        """Return a decorator that registers the action as an answer to these questions.

        `check` raises IllegalAction and changes nothing. Raises ValueError for a second
        registration.
        """

        def register(carry_out: Callable[[Ledger[S], A], None]) -> Callable[[Ledger[S], A], None]:
            for question in questions:
                known = self._by_question.setdefault(question, {})
                _register(known, action, Answer(check, carry_out, closes, then))
            return carry_out

        return register

    def always(
        self, action: type[A], *, check: Callable[[S, A], None] = anything
    ) -> Callable[[Callable[[Ledger[S], A], None]], Callable[[Ledger[S], A], None]]:
        """Return a decorator for an action allowed at any question; it closes none."""

        def register(carry_out: Callable[[Ledger[S], A], None]) -> Callable[[Ledger[S], A], None]:
            _register(self._always, action, Answer(check, carry_out, closes=False))
            return carry_out

        return register

    @property
    def questions(self) -> tuple[type, ...]:
        """Return the kinds of question that have answers."""
        return tuple(self._by_question)

    def to(self, question: object) -> tuple[type, ...]:
        """Return the kinds of action that answer such a question, legal now or not."""
        return tuple(self._by_question[type(question)])

    def of(self, action: object, question: object) -> Answer | None:
        """Return the way the action answers the question; None when it does not."""
        kind = type(action)
        return self._by_question[type(question)].get(kind) or self._always.get(kind)


def _register(known: dict[type, Answer], action: type, answer: Answer) -> None:
    if action in known:
        raise ValueError(f"{action.__name__} is registered twice")
    known[action] = answer


class Play(NamedTuple):
    """The parts that carry play on: events by `evolve`, steps by name, and the closing event."""

    evolve: Callable[[Any, Any], None]
    steps: Steps
    recorded: type[AgendaRecorded]


class Refusals(NamedTuple):
    """The clauses that forbid acting when the game is `over`, or out of turn (`other`)."""

    over: str
    other: str
    game: str = "battle"


class RulesEngine(Generic[S]):
    """A game: check an action, carry it out, or fold stored events.

    A game that checks more than this overrides `copied`, `formed` or `lawful`.
    """

    def __init__(self, answers: Answers[S], play: Play, refusals: Refusals) -> None:
        self.answers = answers
        self._play = play
        self._refusals = refusals

    def apply(self, state: S, action: Any, dice: Dice) -> tuple[S, Outcome]:
        """Return the state after the action and the outcome; `state` itself is unchanged.

        Raises IllegalAction with clause, reason and remedy.
        """
        working = self.copied(state)
        return working, self.play(working, action, dice)

    def copied(self, state: S) -> S:
        """Return a copy of the state, without the indexes cached in its `__dict__`."""
        return decode(encode(state), type(state))

    def play(self, state: S, action: Any, dice: Dice) -> Outcome:
        """Carry the action out on the state itself, which the caller owns.

        Raises IllegalAction before anything has changed.
        """
        answer, action = self.accepted(state, action)
        return self._carry_out(state, answer, action, dice)

    def play_trusted(self, state: S, action: Any, dice: Dice) -> Outcome:
        """Carry out an action that this program has made: its fields have their types already.

        Raises IllegalAction as `play` does when the action is against the rules.
        """
        answer = self._answer(state, action)
        self.lawful(state, answer, action)
        return self._carry_out(state, answer, action, dice)

    def play_chosen(self, state: S, action: Any, dice: Dice) -> Outcome:
        """Carry out an action that a commander has just chosen among the legal ones, unchecked.

        A simulation checks nothing twice; the commanders' legality is the tests' affair.
        """
        return self._carry_out(state, self._answer(state, action), action, dice)

    def _carry_out(self, state: S, answer: Answer, action: Any, dice: Dice) -> Outcome:
        ledger = Ledger(state, dice, self._evolve)
        question = state.question
        answer.carry_out(ledger, action)
        ledger.then(*answer.then)
        # Carrying the action out may have asked another question, which must stay open.
        if answer.closes and state.question is question:
            ledger.answered()
        return self.advance(ledger)

    def advance(self, ledger: Ledger[S]) -> Outcome:
        """Play on to the next question and return the outcome."""
        ledger.advance(self._play.steps)
        return ledger.recorded(self._play.recorded)

    def check(self, state: S, action: Any) -> None:
        """Raise IllegalAction when the action is no legal answer to the open question."""
        self.accepted(state, action)

    def accepted(self, state: S, action: Any) -> tuple[Answer, Any]:
        """Return the way the action answers the open question, and the action to carry out.

        Raises IllegalAction when the action is against the rules.
        """
        answer = self._answer(state, action)
        action = self.formed(action)
        self.lawful(state, answer, action)
        return answer, action

    def lawful(self, state: S, answer: Answer, action: Any) -> None:
        """Raise IllegalAction when the action is against the rules."""
        answer.check(state, action)

    def formed(self, action: Any) -> Any:
        """Return the action with its fields converted to their types; here they are trusted."""
        return action

    def fold(self, state: S, events: Iterable[Any]) -> None:
        """Apply stored events to the state, without dice or rules."""
        for event in events:
            self._evolve(state, event)

    @property
    def _evolve(self) -> Evolve[S]:
        return self._play.evolve

    def _answer(self, state: S, action: Any) -> Answer:
        over, other, game = self._refusals
        question = state.question
        if question is None:
            raise IllegalAction(over, f"The {game} is over.", "Look back through it.")
        answer = self.answers.of(action, question)
        if answer is None:
            kinds = ", ".join(kind.__name__ for kind in self.answers.to(question))
            raise IllegalAction(
                other,
                f"The {game} waits for something else of the {question.side} side.",
                f"It can be answered by: {kinds}.",
            )
        return answer
