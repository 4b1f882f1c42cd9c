"""Whole battles by the commanders: lawful, alike every time, over when the cards are."""

from collections import Counter
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander import answer
from battles.books.restless_natives.generator import generate_brief
from battles.books.restless_natives.registration import engine
from battles.books.restless_natives.state import State
from battles.contract import Brief, Side, conserve
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from campaign.simulations.campaign_runs import play_campaign
from tests.redcoats_commander.armies import FOLDER, HISTORY, written

BRIEFS = sorted(path.stem for path in FOLDER.glob("*.toml"))
every = pytest.mark.parametrize("slug", BRIEFS)
PAIRS = list(product(range(1, 7), range(1, 7)))


class Told(NamedTuple):
    """A battle that was fought out: how it stands, what was done, and answers kept."""

    end: State
    done: Counter[tuple[Side, str]]
    kept: tuple[tuple[bytes, bytes], ...]
    """Every twentieth question, and the answer that was given to it."""


def fight_out(brief: Brief, seed: int) -> Told:
    """Return the battle with the dice of this seed. `play` raises for what is not lawful."""
    dice = ChainedDice(derive_key(b"commanders", brief.id, seed))
    state, _ = engine.new_game(brief, dice)
    done: Counter[tuple[Side, str]] = Counter()
    kept = []
    while state.question is not None:
        action, side = answer(state), state.question.side
        if not done.total() % 20:
            kept.append((encode(state), encode(action)))
        done[side, type(action).__name__] += 1
        assert done.total() < 20_000, "a battle never ends"
        engine.play(state, action, dice)
    conserve(brief, engine.report(state))
    return Told(state, done, tuple(kept))


@cache
def fought(slug: str, seed: int) -> Told:
    return fight_out(written(slug).brief, seed)


@every
def test_a_battle_ends_by_the_book_and_its_report_adds_up(slug: str) -> None:
    state = fought(slug, 1).end
    assert state.result is not None
    assert state.result.how in {"second joker", "cards", "destroyed"}
    assert (state.result.how == "second joker") <= state.one_off
    assert state.one_off or state.turn <= state.cards


@every
def test_the_same_state_has_the_same_answer_wherever_it_is_asked(slug: str) -> None:
    kept = fought(slug, 1).kept
    again = [encode(answer(decode(document, State))) for document, _ in kept]
    assert again == [given for _, given in kept]


def test_natives_go_in_and_the_british_fire() -> None:
    done: Counter[tuple[Side, str]] = Counter()
    for slug in HISTORY:
        done += fought(slug, 1).done
    assert done[Side.MAHDIST, "Charge"] > done[Side.EGYPTIAN, "Charge"]
    assert done[Side.EGYPTIAN, "Fire"] > done[Side.MAHDIST, "Fire"]


def test_every_kind_of_thing_is_done_by_somebody() -> None:
    done = {kind for slug in BRIEFS for _, kind in fought(slug, 1).done}
    wanted = (a.Done, a.Activate, a.PlayCard, a.March, a.Move, a.Charge, a.Fire, a.Form)
    assert {kind.__name__ for kind in wanted} <= done


def test_a_battle_that_is_over_has_nothing_to_answer() -> None:
    with pytest.raises(ValueError, match="over"):
        answer(fought("kirbekan", 1).end)


@pytest.mark.parametrize(("british", "natives"), PAIRS)
def test_scenarios_every_pair_of_armies_is_fought_out(british: int, natives: int) -> None:
    assert fight_out(generate_brief(british, natives), 0).end.result is not None


@pytest.mark.long
@pytest.mark.parametrize(("british", "natives"), PAIRS)
def test_scenarios_every_pair_of_armies_is_fought_out_twenty_times(
    british: int, natives: int
) -> None:
    for seed in range(1, 21):
        assert fight_out(generate_brief(british, natives), seed).end.result is not None


@pytest.mark.parametrize("scenario", ["relief-of-el-obeid", "siege-of-khartoum"])
def test_a_campaign_runs_to_its_end_with_every_battle_fought_by_restless(scenario: str) -> None:
    run = play_campaign(scenario, 1, 1, battles="restless")
    assert run.error == ""
    assert run.result is not None
    assert all(run.losses[side.value]["combat"] for side in Side)
