"""Whole battles by the commanders: lawful, alike every time, over before night."""

from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.commander import answer
from battles.books.fuzzy_wuzzy.observing import view
from battles.books.fuzzy_wuzzy.pieces import Rate
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.registration import engine
from battles.books.fuzzy_wuzzy.state import State
from battles.contract import Brief, Side, conserve
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from battles.tabletop.formations import TableFormation
from campaign.simulations.campaign_runs import play_campaign
from tests.redcoats_commander.armies import FOLDER, HISTORY, written

BRIEFS = sorted(path.stem for path in FOLDER.glob("*.toml"))
every = pytest.mark.parametrize("slug", BRIEFS)


class Told(NamedTuple):
    """A battle that was fought out: how it stands, what was done, and answers kept."""

    end: State
    done: Counter[tuple[Side, str]]
    kept: tuple[tuple[bytes, bytes], ...]
    """Every twentieth question, and the answer that was given to it."""
    folded: bytes
    """The state to which the events alone have led."""
    rates: Counter[tuple[Side, Rate]]
    facings: frozenset[int]
    """The quarters in which Mahdists came to close quarters."""


@cache
def fought(slug: str, seed: int = 1) -> Told:
    return fight_out(written(slug).brief, seed)


def fight_out(brief: Brief, seed: int) -> Told:
    """Return the battle with the dice of this seed. `play` raises for what is not lawful."""
    dice = ChainedDice(derive_key(b"commanders", brief.id, seed))
    state, opening = engine.new_game(brief, dice)
    shadow = engine.drawn_up(brief)
    rules.fold(shadow, opening.events)
    done: Counter[tuple[Side, str]] = Counter()
    rates: Counter[tuple[Side, Rate]] = Counter()
    kept, facings = [], set()
    while state.question is not None:
        action, side = answer(state), state.question.side
        if not done.total() % 20:
            kept.append((encode(state), encode(action)))
        done[side, type(action).__name__] += 1
        assert done.total() < 20_000, "a battle never ends"
        outcome = engine.play(state, action, dice)
        for event in outcome.events:
            if isinstance(event, e.Moved) and event.cause == "order":
                rates[side, event.rate] += 1
                if event.target and side is Side.MAHDIST:
                    facings.add(event.facing // 90)
        rules.fold(shadow, outcome.events)
    conserve(brief, engine.report(state))
    return Told(state, done, tuple(kept), encode(shadow), rates, frozenset(facings))


@every
def test_a_battle_ends_by_the_book_and_its_report_adds_up(slug: str) -> None:
    told = fought(slug)
    assert told.end.result is not None
    assert told.end.result.how in {"broke off", "destroyed", "nightfall"}
    assert told.end.turn <= told.end.turns


@every
def test_the_events_alone_lead_to_the_end_byte_for_byte(slug: str) -> None:
    told = fought(slug)
    assert told.folded == encode(told.end)


@every
def test_the_same_state_has_the_same_answer_wherever_it_is_asked(slug: str) -> None:
    kept = fought(slug).kept
    again = [encode(answer(decode(document, State))) for document, _ in kept]
    assert again == [given for _, given in kept]


@every
def test_a_commander_knows_no_more_than_his_side(slug: str) -> None:
    """The same answer where all that he has not observed has been taken off the field."""
    for document, given in fought(slug).kept:
        state = decode(document, State)
        assert state.question is not None
        assert encode(answer(view(state, state.question.side))) == given


def test_mahdists_go_in_and_regulars_fire() -> None:
    done: Counter[tuple[Side, str]] = Counter()
    for slug in HISTORY:
        done += fought(slug).done
    assert done[Side.MAHDIST, "Close"] > 2 * done[Side.EGYPTIAN, "Close"]
    assert done[Side.EGYPTIAN, "Fire"] > 2 * done[Side.MAHDIST, "Fire"]


def test_regulars_go_slowly_and_mahdists_run() -> None:
    rates: Counter[tuple[Side, Rate]] = Counter()
    for slug in HISTORY:
        rates += fought(slug).rates
    hurried = {side: rates[side, Rate.DOUBLE] + rates[side, Rate.CHARGE] for side in Side}
    assert hurried[Side.MAHDIST] > 10 * hurried[Side.EGYPTIAN]
    assert rates[Side.EGYPTIAN, Rate.MARCH] > 100


def test_mahdists_strike_on_more_than_one_side() -> None:
    assert max(len(fought(slug, seed).facings) for slug in HISTORY for seed in (1, 2)) >= 3


def test_a_square_is_formed_by_who_is_beset() -> None:
    squares = {
        unit.formation
        for slug in HISTORY
        for document, _ in fought(slug).kept
        for unit in decode(document, State).units.values()
        if unit.side is Side.EGYPTIAN
    }
    assert {TableFormation.SQUARE, TableFormation.LINE, TableFormation.UNLIMBERED} <= squares


def test_every_kind_of_thing_is_done_by_somebody() -> None:
    done = {kind for slug in BRIEFS for _, kind in fought(slug).done}
    assert {"Done", "Order", "Move", "Close", "Fire", "Recover"} <= done


def test_a_battle_that_is_over_has_nothing_to_answer() -> None:
    with pytest.raises(ValueError, match="over"):
        answer(fought("kirbekan").end)


@pytest.mark.long
@every
def test_battles_come_to_an_end_twenty_times(slug: str) -> None:
    for seed in range(2, 22):
        assert fight_out(written(slug).brief, seed).end.result is not None


@pytest.mark.parametrize(
    ("scenario", "seed"), [("relief-of-el-obeid", 4), ("siege-of-khartoum", 1)]
)
def test_a_campaign_runs_to_its_end_with_every_battle_fought_by_fuzzy_wuzzy(
    scenario: str, seed: int
) -> None:
    run = play_campaign(scenario, seed, 1, battles="fuzzy-wuzzy")
    assert run.error == ""
    assert run.result is not None
    assert all(run.losses[side.value]["combat"] for side in Side)
