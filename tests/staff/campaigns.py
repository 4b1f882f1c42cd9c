"""Whole campaigns by the computer's staff on both sides, as the tests of the staff look at them."""

from collections import Counter
from functools import cache
from typing import NamedTuple

from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import new_game, play
from campaign.rules.core.state import State
from campaign.staff import answer


class Told(NamedTuple):
    """A campaign that was played out: how it stands, what was asked, and questions kept."""

    end: State
    asked: Counter[str]
    busiest: int
    kept: tuple[tuple[bytes, bytes], ...]
    """Every fiftieth question, and the answer that was given to it."""


@cache
def play_out(slug: str, seed: int) -> Told:
    """Return the campaign that the staff of both sides plays with the dice of this seed.

    `play` carries out what `check` allows and nothing else, so every answer was lawful.
    """
    state, dice = new_game(slug), ChainedDice(derive_key(b"the staff", slug, seed))
    asked: Counter[str] = Counter()
    months: Counter[int] = Counter()
    kept = []
    while state.question is not None:
        action = answer(state)
        if not months.total() % 50:
            kept.append((encode(state), encode(action)))
        asked[type(state.question).__name__] += 1
        months[state.month] += 1
        assert months[state.month] < 1500, "a month of the staff never ends"
        play(state, action, dice)
    return Told(state, asked, max(months.values()), tuple(kept))


def again(document: bytes) -> bytes:
    """Return the staff's answer to a state that was stored and read back."""
    return encode(answer(decode(document, State)))
