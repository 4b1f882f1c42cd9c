"""Players that measure a commander: what they need to know of a book, and how they choose.

They answer through a sample of the legal answers, so that any book can have them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from battles.contract.engine import A, BattleState, S

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


def waiting(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return the answer that declines or stops; where the rules demand another, any of these."""
    offered = list(sampling.answers(state, chance, FEW))
    idle = [action for action in offered if sampling.done and isinstance(action, sampling.done)]
    return idle[0] if idle else chance.choice(offered)


def rushing(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return the answer that goes straightest at the enemy."""
    offered = list(sampling.answers(state, chance, MANY))
    return max(offered, key=lambda action: sampling.eagerness(state, action))


def standing(sampling: AnswerSampling[S, A], state: S, chance: Chance) -> A:
    """Return the most eager attack; without one, decline or stop."""
    offered = list(sampling.answers(state, chance, FEW))
    attacks = [action for action in offered if isinstance(action, sampling.attacks)]
    if attacks:
        return max(attacks, key=lambda action: sampling.eagerness(state, action))
    return waiting(sampling, state, chance)


RIVALS: Mapping[str, Rival] = {
    "random": at_random,
    "waiting": waiting,
    "rushing": rushing,
    "standing": standing,
}
"""Simple players, by name."""
