"""The rules engine: check an action, carry it out by its handler, and record the events."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar, overload

from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from battles.core.game import AgendaRecorded, Evolve, IllegalAction, Ledger, Outcome, S, Step

# Registries that choose a function by the type of an event, question or action.


Subject = TypeVar("Subject")
K = TypeVar("K")
K2 = TypeVar("K2")
P = ParamSpec("P")
R = TypeVar("R")


class UnhandledType(LookupError):
    """A value of a type without a registered handler."""


class Handlers(Generic[Subject, P, R]):
    """Functions chosen by the exact type of the value they handle, and called as one function.

    A handler takes a subject, a value of its type, and any further arguments that `P` lists::

        evolve = Handlers[State, [], None]("evolve")

        @evolve.on(Moved)
        def _moved(state: State, event: Moved) -> None: ...

        evolve(state, event)

    `name` is the registry's name in error messages.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._handlers: dict[type, Callable[..., R]] = {}
        self._inherited: frozenset[type] = frozenset()

    @overload
    def on(
        self, kind: type[K], other: type[K2], /
    ) -> Callable[
        [Callable[Concatenate[Subject, K | K2, P], R]], Callable[Concatenate[Subject, K | K2, P], R]
    ]: ...

    @overload
    def on(
        self, *kinds: type[K]
    ) -> Callable[
        [Callable[Concatenate[Subject, K, P], R]], Callable[Concatenate[Subject, K, P], R]
    ]: ...

    def on(self, *kinds: type) -> Callable[[Callable[..., R]], Callable[..., R]]:
        """Return a decorator that registers a function for these types and returns it unchanged.

        Raises ValueError for a type that has a handler already, unless it is inherited.
        """

        def register(handler: Callable[..., R]) -> Callable[..., R]:
            for kind in kinds:
                if kind in self._handlers and kind not in self._inherited:
                    raise ValueError(f"{self.name}: {kind.__name__} is registered twice")
                self._handlers[kind] = handler
            self._inherited -= set(kinds)
            return handler

        return register

    def extended(self) -> "Handlers[Subject, P, R]":
        """Return a copy of the registry whose handlers may be replaced."""
        copy: Handlers[Subject, P, R] = Handlers(self.name)
        copy._handlers = dict(self._handlers)
        copy._inherited = frozenset(self._handlers)
        return copy

    def __call__(self, subject: Subject, value: object, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the handler for the value's type. Raises UnhandledType when there is none."""
        try:
            handler = self._handlers[type(value)]
        except KeyError:
            kind = type(value).__name__
            raise UnhandledType(f"{self.name}: nothing is registered for {kind}") from None
        return handler(subject, value, *args, **kwargs)

    def __contains__(self, kind: object) -> bool:
        """Return whether a handler is registered for that type."""
        return kind in self._handlers

    def __iter__(self) -> Iterator[type]:
        """Yield the types in the order of registration."""
        return iter(self._handlers)


# The rules engine: check an action, carry it out, and record the events.


A = TypeVar("A")
Steps = Mapping[str, Callable[..., Any]]


def accept_any_action(state: Any, action: object) -> None:
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
        check: Callable[[S, A], None] = accept_any_action,
        closes: bool = True,
        then: tuple[Step, ...] = (),
    ) -> Callable[[Callable[[Ledger[S], A], None]], Callable[[Ledger[S], A], None]]:
        """Return a decorator that registers the action as an answer to these questions.

        `check` raises IllegalAction and changes nothing. Raises ValueError for a second
        registration.
        """

        def register(carry_out: Callable[[Ledger[S], A], None]) -> Callable[[Ledger[S], A], None]:
            for question in questions:
                answers = self._by_question.setdefault(question, {})
                _register(answers, action, Answer(check, carry_out, closes, then))
            return carry_out

        return register

    def always(
        self, action: type[A], *, check: Callable[[S, A], None] = accept_any_action
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


def _register(answers: dict[type, Answer], action: type, answer: Answer) -> None:
    if action in answers:
        raise ValueError(f"{action.__name__} is registered twice")
    answers[action] = answer


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
            raise IllegalAction(
                other,
                f"The {game} waits for something else of the {question.side} side.",
                "Choose one of the answers that are offered.",
            )
        return answer
