"""Whole battles by the commanders of every book: lawful, alike every time, over in their time."""

from collections import Counter
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest

from battles.books.fuzzy_wuzzy import events as fuzzy_events
from battles.books.fuzzy_wuzzy.pieces import Rate
from battles.books.redcoats import events as redcoats_events
from battles.books.restless_natives.generator import generate_brief
from battles.contract import Brief, Side, conserve
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from battles.tabletop.formations import TableFormation
from campaign.simulations.campaign_runs import play_campaign
from tests.books.shelf import BOOKS
from tests.redcoats_commander.armies import FOLDER, HISTORY, written

BRIEFS = sorted(path.stem for path in FOLDER.glob("*.toml"))
PAIRS = list(product(range(1, 7), range(1, 7)))
ENDINGS = {
    "redcoats": {"broke off", "destroyed", "nightfall", "objective"},
    "restless": {"second joker", "cards", "destroyed"},
    "fuzzy-wuzzy": {"broke off", "destroyed", "nightfall"},
}
DEEDS = {
    "redcoats": "Done Coordinate Activate Enter Move Leave Charge Fire Form PlayCard Pursue",
    "restless": "Done Activate PlayCard March Move Charge Fire Form",
    "fuzzy-wuzzy": "Done Order Move Close Fire Recover",
}
"""The kinds of actions of which the commanders of a book perform each in some battle."""

each = pytest.mark.parametrize("book", BOOKS)
every = pytest.mark.parametrize(("book", "slug"), list(product(BOOKS, BRIEFS)))


class Fought(NamedTuple):
    """A battle that was fought out, every twentieth question in it, and the answer to that."""

    end: Any
    done: Counter[tuple[Side, str]]
    kept: tuple[tuple[bytes, bytes], ...]
    folded: bytes
    """The state to which the events alone have led."""
    events: tuple[tuple[Side, tuple[Any, ...]], ...]
    """The events of each action, with the side that acted."""


def fight_out(book: str, brief: Brief, seed: int) -> Fought:
    """Return the battle with the dice of this seed. `play` raises for what is not lawful."""
    engine: Any = BOOKS[book].engine
    dice = ChainedDice(derive_key(b"commanders", brief.id, seed))
    state, opening = engine.new_game(brief, dice)
    shadow = engine.drawn_up(brief)
    engine.fold(shadow, opening.events)
    done: Counter[tuple[Side, str]] = Counter()
    kept, events = [], []
    while state.question is not None:
        action, side = engine.answer(state), state.question.side
        if not done.total() % 20:
            kept.append((encode(state), encode(action)))
        done[side, type(action).__name__] += 1
        assert done.total() < 20_000, "a battle never ends"
        outcome = engine.play(state, action, dice)
        engine.fold(shadow, outcome.events)
        events.append((side, tuple(outcome.events)))
    conserve(brief, engine.report(state))
    return Fought(state, done, tuple(kept), encode(shadow), tuple(events))


@cache
def fought(book: str, slug: str, seed: int = 1) -> Fought:
    return fight_out(book, written(slug).brief, seed)


def all_done(book: str) -> Counter[tuple[Side, str]]:
    """Return how often each side performed each kind of action in the historical battles."""
    return sum((fought(book, slug).done for slug in HISTORY), Counter())


@every
def test_a_battle_ends_by_the_book(book: str, slug: str) -> None:
    end = fought(book, slug).end
    assert end.result is not None
    assert end.result.how in ENDINGS[book]
    if book == "restless":
        assert (end.result.how == "second joker") <= end.one_off
        assert end.one_off or end.turn <= end.cards
    else:
        assert end.turn <= end.turns


@every
def test_the_events_alone_lead_to_the_end_byte_for_byte(book: str, slug: str) -> None:
    battle = fought(book, slug)
    assert battle.folded == encode(battle.end)


@every
def test_the_same_state_has_the_same_answer_wherever_it_is_asked(book: str, slug: str) -> None:
    engine = BOOKS[book].engine
    kept = fought(book, slug).kept
    again = [encode(engine.answer(decode(document, engine.state))) for document, _ in kept]
    assert again == [given for _, given in kept]


@pytest.mark.parametrize("slug", BRIEFS)
def test_a_commander_of_fuzzy_wuzzy_knows_no_more_than_his_side(slug: str) -> None:
    """The same answer where all that he has not observed has been taken off the field."""
    engine = BOOKS["fuzzy-wuzzy"].engine
    for document, given in fought("fuzzy-wuzzy", slug).kept:
        state = decode(document, engine.state)
        assert state.question is not None
        assert encode(engine.answer(engine.view(state, state.question.side))) == given


@each
def test_every_kind_of_thing_is_done_by_somebody(book: str) -> None:
    done = {kind for slug in BRIEFS for _, kind in fought(book, slug).done}
    assert set(DEEDS[book].split()) <= done


@each
def test_a_battle_that_is_over_has_nothing_to_answer(book: str) -> None:
    with pytest.raises(ValueError, match="over"):
        BOOKS[book].engine.answer(fought(book, "kirbekan").end)


@pytest.mark.parametrize("slug", ["tamai", "abu-klea", "second-el-teb"])
def test_dervishes_of_redcoats_come_on_and_regulars_fire(slug: str) -> None:
    done = fought("redcoats", slug).done
    assert done[Side.MAHDIST, "Charge"] > done[Side.EGYPTIAN, "Charge"]
    assert done[Side.EGYPTIAN, "Fire"] > done[Side.MAHDIST, "Fire"]
    assert done[Side.EGYPTIAN, "Fire"] > 10


def test_natives_of_restless_go_in_and_the_british_fire() -> None:
    done = all_done("restless")
    assert done[Side.MAHDIST, "Charge"] > done[Side.EGYPTIAN, "Charge"]
    assert done[Side.EGYPTIAN, "Fire"] > done[Side.MAHDIST, "Fire"]


def test_mahdists_of_fuzzy_wuzzy_go_in_and_regulars_fire() -> None:
    done = all_done("fuzzy-wuzzy")
    assert done[Side.MAHDIST, "Close"] > 2 * done[Side.EGYPTIAN, "Close"]
    assert done[Side.EGYPTIAN, "Fire"] > 2 * done[Side.MAHDIST, "Fire"]


def test_regulars_of_fuzzy_wuzzy_go_slowly_and_mahdists_run() -> None:
    rates = Counter(
        (side, event.rate)
        for slug in HISTORY
        for side, events in fought("fuzzy-wuzzy", slug).events
        for event in events
        if isinstance(event, fuzzy_events.Moved) and event.cause == "order"
    )
    hurried = {side: rates[side, Rate.DOUBLE] + rates[side, Rate.CHARGE] for side in Side}
    assert hurried[Side.MAHDIST] > 10 * hurried[Side.EGYPTIAN]
    assert rates[Side.EGYPTIAN, Rate.MARCH] > 100


def test_dervishes_of_redcoats_strike_on_more_than_one_side() -> None:
    """The facing of a charge is that of the move just before it."""
    facings = [
        {
            before.facing
            for side, events in fought("redcoats", slug).events
            for before, event in pairwise(events)
            if side is Side.MAHDIST
            and isinstance(event, redcoats_events.Charged)
            and isinstance(before, redcoats_events.Moved)
        }
        for slug in HISTORY
    ]
    assert max(map(len, facings)) >= 4


def test_mahdists_of_fuzzy_wuzzy_strike_on_more_than_one_side() -> None:
    quarters = [
        {
            event.facing // 90
            for side, events in fought("fuzzy-wuzzy", slug, seed).events
            for event in events
            if side is Side.MAHDIST
            and isinstance(event, fuzzy_events.Moved)
            and event.cause == "order"
            and event.target
        }
        for slug in HISTORY
        for seed in (1, 2)
    ]
    assert max(map(len, quarters)) >= 3


def test_a_square_of_fuzzy_wuzzy_is_formed_by_who_is_beset() -> None:
    squares = {
        unit.formation
        for slug in HISTORY
        for document, _ in fought("fuzzy-wuzzy", slug).kept
        for unit in decode(document, BOOKS["fuzzy-wuzzy"].engine.state).units.values()
        if unit.side is Side.EGYPTIAN
    }
    assert {TableFormation.SQUARE, TableFormation.LINE, TableFormation.UNLIMBERED} <= squares


@pytest.mark.parametrize(("british", "natives"), PAIRS)
def test_scenarios_every_pair_of_armies_is_fought_out(british: int, natives: int) -> None:
    assert fight_out("restless", generate_brief(british, natives), 0).end.result is not None


@pytest.mark.long
@pytest.mark.parametrize(("british", "natives"), PAIRS)
def test_scenarios_every_pair_of_armies_is_fought_out_twenty_times(
    british: int, natives: int
) -> None:
    for seed in range(1, 21):
        assert fight_out("restless", generate_brief(british, natives), seed).end.result is not None


@pytest.mark.long
@pytest.mark.parametrize("slug", BRIEFS)
def test_battles_of_fuzzy_wuzzy_come_to_an_end_twenty_times(slug: str) -> None:
    for seed in range(2, 22):
        assert fight_out("fuzzy-wuzzy", written(slug).brief, seed).end.result is not None


@pytest.mark.parametrize(
    ("book", "scenario", "seed"),
    [
        ("redcoats", "relief-of-el-obeid", 1),
        ("redcoats", "siege-of-khartoum", 1),
        ("restless", "relief-of-el-obeid", 1),
        ("restless", "siege-of-khartoum", 1),
        ("fuzzy-wuzzy", "relief-of-el-obeid", 4),
        ("fuzzy-wuzzy", "siege-of-khartoum", 1),
    ],
)
def test_a_campaign_runs_to_its_end_with_every_battle_fought_by_the_book(
    book: str, scenario: str, seed: int
) -> None:
    run = play_campaign(scenario, seed, 1, battles=book)
    assert run.error == ""
    assert run.result is not None
    assert all(run.losses[side.value]["combat"] for side in Side)
