"""Whole battles by the commanders: lawful, alike every time, over before the day is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.commander import answer
from battles.books.redcoats.registration import engine
from battles.books.redcoats.state import State
from battles.contract import Side, conserve
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from tests.redcoats_commander.armies import HISTORY, SCENARIOS, written

every = pytest.mark.parametrize("slug", [*HISTORY, *SCENARIOS])


class Told(NamedTuple):
    """A battle that was fought out: how it stands, what was done, and answers kept."""

    end: State
    done: Counter[tuple[Side, str]]
    kept: tuple[tuple[bytes, bytes], ...]
    """Every fiftieth question, and the answer that was given to it."""
    sides: frozenset[int]
    """The facings in which Dervishes have charged."""


def _charged(events: Sequence[e.AnyEvent]) -> Iterator[int]:
    """Yield the way of every charge: whoever charges has come up just before."""
    for before, event in pairwise(events):
        if isinstance(event, e.Charged) and isinstance(before, e.Moved):
            yield before.facing


@cache
def fought(slug: str, seed: int) -> Told:
    """Return the battle with the dice of this seed. `play` raises for what is not lawful."""
    dice = ChainedDice(derive_key(b"commanders", slug, seed))
    state, _ = engine.new_game(written(slug).brief, dice)
    done: Counter[tuple[Side, str]] = Counter()
    kept, ways = [], set()
    while state.question is not None:
        action, side = answer(state), state.question.side
        if not done.total() % 50:
            kept.append((encode(state), encode(action)))
        done[side, type(action).__name__] += 1
        assert done.total() < 20_000, "a battle never ends"
        outcome = engine.play(state, action, dice)
        if side is Side.MAHDIST:
            ways |= set(_charged(outcome.events))
    return Told(state, done, tuple(kept), frozenset(ways))


@every
def test_a_battle_ends_by_the_book_and_its_report_adds_up(slug: str) -> None:
    state = fought(slug, 1).end
    assert state.result is not None
    assert state.result.how in {"broke off", "destroyed", "nightfall", "objective"}
    assert state.turn <= state.turns
    conserve(written(slug).brief, engine.report(state))


@every
def test_the_same_state_has_the_same_answer_wherever_it_is_asked(slug: str) -> None:
    kept = fought(slug, 1).kept
    again = [encode(answer(decode(document, State))) for document, _ in kept]
    assert again == [given for _, given in kept]


def test_dervishes_come_on_and_regulars_fire() -> None:
    for slug in ("tamai", "abu-klea", "second-el-teb"):
        done = fought(slug, 1).done
        assert done[Side.MAHDIST, "Charge"] > done[Side.EGYPTIAN, "Charge"]
        assert done[Side.EGYPTIAN, "Fire"] > done[Side.MAHDIST, "Fire"]
        assert done[Side.EGYPTIAN, "Fire"] > 10


def test_dervishes_strike_on_more_than_one_side() -> None:
    assert max(len(fought(slug, 1).sides) for slug in HISTORY) >= 4


def test_every_kind_of_thing_is_done_by_somebody() -> None:
    done = {kind for slug in (*HISTORY, *SCENARIOS) for _, kind in fought(slug, 1).done}
    wanted = (a.Done, a.Coordinate, a.Activate, a.Enter, a.Move, a.Leave, a.Charge, a.Fire)
    assert {kind.__name__ for kind in (*wanted, a.Form, a.PlayCard, a.Pursue)} <= done


def test_a_battle_that_is_over_has_nothing_to_answer() -> None:
    with pytest.raises(ValueError, match="over"):
        answer(fought("kirbekan", 1).end)
