"""The facts about each book for the tests of all books."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from battles.contract.engine import MOST_ACTIONS, ChapterEngine
from battles.core.dice import ChainedDice
from battles.core.game import Outcome
from battles.core.trace import Trace


class Offers(NamedTuple):
    """The sampling of offers: after how many actions, and how many of each domain."""

    each: int
    most: int
    at_least: int


class Named(NamedTuple):
    """A test's name that holds a clause, the clause and its chapter; and one that holds none."""

    test: str
    number: str
    chapter: str
    nothing: str


def at_random(_state: Any, offered: list[Any], chance: Random) -> Any:
    """Return one of the answers."""
    return chance.choice(offered)


class Played(NamedTuple):
    """A book as it is played at random.

    `battles`: armies drawn up on a field; `random`: those and the seeds they are played by;
    `other`: a battle, an answer to another question than its first, and the classes of those to it;
    `choose`: one of the answers offered in a state.
    """

    engine: ChapterEngine[Any, Any, Any, Any]
    trace: Trace[Any]
    named: Named
    battles: Mapping[str, Callable[[], Any]]
    random: tuple[tuple[str, int], ...]
    dice_of: Callable[[int], ChainedDice]
    answers: Callable[[Any, Random, int], Iterator[Any]]
    checked: Callable[[Any], None]
    checked_each: int
    offers: Offers
    wrong: tuple[Any, ...]
    over: tuple[str, Any]
    other: tuple[str, Any, str]
    choose: Callable[[Any, list[Any], Random], Any] = at_random

    @property
    def clauses(self) -> set[str]:
        """Return the numbers of its clauses."""
        return {clause.number for clause in self.trace.trace()}

    def begun(self, name: str, seed: int) -> Any:
        """One of its battles at the first question."""
        return self.engine.begin(self.battles[name](), self.dice_of(seed))[0]

    def moves(self, state: Any, seed: int) -> Iterator[tuple[Any, Outcome]]:
        """Yield each answer at random with its outcome; AssertionError when there is no end."""
        chance, thrown = Random(seed), self.dice_of(seed)
        for _ in range(MOST_ACTIONS):
            offered = list(self.answers(state, chance, 4))
            if not offered:
                return
            action = self.choose(state, offered, chance)
            yield action, self.engine.play(state, action, thrown)
        raise AssertionError("the battle comes to no end")


_OUTCOMES: dict[tuple[str, str, int], tuple[Outcome, ...]] = {}


def keep_outcomes(book: Played, name: str, seed: int, outcomes: tuple[Outcome, ...]) -> None:
    """Keep the outcomes of a battle that was played at random, for the tests that only read them.

    Events never change, so they can be shared.
    """
    _OUTCOMES[book.engine.slug, name, seed] = outcomes


def outcomes_of(book: Played, name: str, seed: int) -> tuple[Outcome, ...]:
    """Return the outcomes of a battle at random, the drawing up first; it is played if need be."""
    key = (book.engine.slug, name, seed)
    if key not in _OUTCOMES:
        state, opening = book.engine.begin(book.battles[name](), book.dice_of(seed))
        moves = (outcome for _, outcome in book.moves(state, seed))
        keep_outcomes(book, name, seed, (opening, *moves))
    return _OUTCOMES[key]
