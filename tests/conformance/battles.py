"""Random battles of the books: units and strength are conserved, and every state is resumed.

Every second battle is fought by the commanders, the others by players who answer at random. After
each action the state is stored, decoded, and the battle goes on from what was stored.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from random import Random
from time import monotonic
from typing import NamedTuple

from battles.contract import conserve
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from tests.books.shelf import BOOKS
from tests.redcoats_commander.armies import random_brief

MOST_UNITS = 8
MOST_ACTIONS = 20_000
BATCH = 20


class Fought(NamedTuple):
    """One battle: its actions, and the error that broke it."""

    seed: int
    actions: int
    fault: str = ""


@dataclass
class BattleTally:
    """The result of many battles by one book."""

    book: str
    battles: int = 0
    actions: int = 0
    seconds: float = 0
    faults: list[str] = field(default_factory=list)

    def add(self, fought: Fought) -> None:
        """Count one battle more."""
        self.battles += 1
        self.actions += fought.actions
        if fought.fault:
            self.faults.append(f"seed {fought.seed}: {fought.fault}")

    def in_words(self) -> str:
        """Return the count in one sentence."""
        return (
            f"{self.battles} battles, {self.actions} actions and as many states resumed, "
            f"{len(self.faults)} broken, in {self.seconds:.0f} s"
        )


def fight_out(slug: str, seed: int) -> int:
    """Fight one battle, check every state of it, and return the number of its actions.

    Raises AssertionError, or whatever the engine raises, when it breaks.
    """
    book, brief = BOOKS[slug], random_brief(seed, MOST_UNITS)
    engine, chance = book.engine, Random(seed)
    dice = ChainedDice(derive_key(b"conformance", seed))
    state, opening = engine.new_game(brief, dice)
    folded = engine.drawn_up(brief)
    engine.fold(folded, opening.events)
    for actions in range(MOST_ACTIONS):
        if state.question is None:
            assert encode(folded) == encode(state), "the events do not fold to the state"
            conserve(brief, engine.report(state))
            return actions
        if actions % book.checked_each == 0:
            book.checked(state)
        if seed % 2:
            action = chance.choice(list(book.answers(state, chance, 4)))
        else:
            action = engine.answer(state)
        outcome = engine.play(state, action, dice)
        stored = encode(state)
        state = decode(stored, engine.state)
        assert encode(state) == stored, f"{action} leaves a state that is not resumed as it was"
        engine.fold(folded, outcome.events)
    raise AssertionError("the battle comes to no end")


def fight_many(slug: str, battles: int, seed: int, workers: int) -> BattleTally:
    """Fight so many battles by a book and return the tally."""
    tally, began = BattleTally(slug), monotonic()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for fought in pool.map(
            partial(_fought, slug), range(seed, seed + battles), chunksize=BATCH
        ):
            tally.add(fought)
    tally.seconds = monotonic() - began
    return tally


def _fought(slug: str, seed: int) -> Fought:
    try:
        return Fought(seed, fight_out(slug, seed))
    except Exception as error:
        return Fought(seed, 0, f"{type(error).__name__}: {error}")
