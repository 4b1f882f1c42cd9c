"""The ladder of commanders: intervals, reproducible runs, resuming, and a short form of it."""

import json
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from battles.contract.book import book
from battles.contract.brief import Side
from battles.contract.brief_files import find_ready_battle
from battles.contract.engine import RIVALS
from battles.core.dice import ChainedDice, derive_key
from battles.simulation import (
    Ladder,
    LadderBattle,
    Pairing,
    bradley_terry,
    fight_ladder,
    ladder_ratings,
    ladder_table,
    pairings,
    wilson,
)

BOOKS = ("redcoats", "restless", "fuzzy-wuzzy")


def ladder(slug: str, brief: str, *names: str, battles: int = 1) -> Ladder:
    ready = find_ready_battle(brief)
    assert ready is not None
    return Ladder(slug, (ready.brief,), pairings(names), battles, seed=1)


def test_wilson_gives_the_interval_that_tables_of_it_have() -> None:
    share = wilson(9, 10)
    assert (round(share.low, 3), round(share.high, 3)) == (0.596, 0.982)
    assert wilson(0, 20).low == 0
    assert wilson(20, 20).high == pytest.approx(1)


def test_numbers_go_through_every_brief_pairing_and_repetition_once() -> None:
    brief = find_ready_battle("kirbekan").brief  # type: ignore[union-attr]
    other = find_ready_battle("tofrek").brief  # type: ignore[union-attr]
    run = Ladder("redcoats", (brief, other), pairings(("random",)), 3, seed=1)
    cells = [run.of(number) for number in range(1, run.total + 1)]
    assert run.total == 2 * 3 * 3
    assert len({(one.id, pairing, repetition) for one, pairing, repetition in cells}) == run.total


def test_the_commander_meets_himself_and_every_rival_on_either_side() -> None:
    assert pairings(("random",)) == (
        Pairing("commander", "commander"),
        Pairing("commander", "random"),
        Pairing("random", "commander"),
    )


def test_a_run_is_the_same_every_time() -> None:
    run = ladder("restless", "kirbekan", "random")
    numbers = range(1, run.total + 1)
    assert list(fight_ladder(run, numbers)) == list(fight_ladder(run, numbers))


def test_a_table_counts_who_won_and_who_waited() -> None:
    run = ladder("redcoats", "kirbekan", battles=4)
    fought = [
        LadderBattle(1, Side.EGYPTIAN, "", 5),
        LadderBattle(2, None, "", 20, waited=True),
        LadderBattle(3, None, "", 20),
        LadderBattle(4, Side.MAHDIST, "", 5),
    ]
    (row,) = ladder_table(run, fought)
    assert {name: share.count for name, share in row.won.items()} == {
        "egyptian": 1,
        "mahdist": 1,
        "nobody": 2,
    }
    assert (row.waited.count, row.waited.of) == (1, 4)


def test_ratings_differ_by_the_odds_of_the_games_and_are_surer_with_more() -> None:
    games = [("strong", "weak", 1.0)] * 900 + [("strong", "weak", 0.0)] * 90
    strengths = bradley_terry(games)
    assert strengths["strong"] / strengths["weak"] == pytest.approx(10, rel=0.05)
    run = ladder("redcoats", "kirbekan", "random", battles=20)
    many = [LadderBattle(number, Side.EGYPTIAN, "", 5) for number in range(1, 61)]
    found = {(one.side, one.player): one for one in ladder_ratings(run, many)}
    few = {(one.side, one.player): one for one in ladder_ratings(run, many[::10])}
    best, worst = (Side.EGYPTIAN, "commander"), (Side.MAHDIST, "random")
    assert found[best].rating > found[worst].rating
    assert (found[best].battles, found[worst].battles) == (40, 20)
    assert found[best].within < few[best].within


@pytest.mark.parametrize("slug", BOOKS)
@pytest.mark.parametrize("name", RIVALS)
def test_every_rival_answers_every_question_of_the_rules(slug: str, name: str) -> None:
    run = ladder(slug, "kirbekan", name)
    fought = list(fight_ladder(run, (2, 3)))
    assert [battle.number for battle in fought] == [2, 3]
    assert all(battle.turns for battle in fought)


@pytest.mark.parametrize("slug", BOOKS)
def test_the_commander_who_storms_kirbekan_beats_a_random_player_every_time(slug: str) -> None:
    """The short form of the ladder: its long form is in the docs' figures."""
    run = ladder(slug, "kirbekan", "random", battles=3)
    storms = [number for number in range(1, run.total + 1) if run.of(number)[1][1] == "random"]
    assert [battle.winner for battle in fight_ladder(run, storms)] == [Side.EGYPTIAN] * 3


@pytest.mark.parametrize("brief", ["kirbekan", "abu-klea"])
@pytest.mark.parametrize("slug", BOOKS)
def test_two_commanders_do_not_wait_for_each_other(slug: str, brief: str) -> None:
    run = ladder(slug, brief, battles=10)
    waited = [battle.number for battle in fight_ladder(run, range(1, 11)) if battle.waited]
    assert len(waited) <= 1, waited


@pytest.mark.parametrize("slug", BOOKS)
def test_a_player_who_waits_declines_what_the_rules_let_him_decline(slug: str) -> None:
    brief = find_ready_battle("kirbekan").brief  # type: ignore[union-attr]
    found = book(slug)
    state, _ = found.engine.new_game(brief, ChainedDice(derive_key(b"waits", 1)))
    action = RIVALS["waiting"](found.sampling, state, Random(1))
    assert type(action).__name__ == "Done"


def test_the_command_prints_a_table_writes_it_and_goes_on_after_what_is_kept(
    tmp_path: Path,
) -> None:
    kept, written = tmp_path / "kept.jsonl", tmp_path / "table.json"
    words = ["ladder_battles", "restless", "kirbekan", "--battles", "1", "--rivals", "random"]
    words += ["--resume", str(kept), "--json", str(written)]
    first, again = StringIO(), StringIO()
    call_command(*words, stdout=first)
    lines = kept.read_bytes().splitlines()
    assert len(lines) == 1 + 3
    call_command(*words, stdout=again)
    assert kept.read_bytes().splitlines() == lines
    assert again.getvalue() == first.getvalue()
    table_of = json.loads(written.read_text())
    rows = table_of["rows"]
    assert {(one["side"], one["player"]) for one in table_of["ratings"]} == {
        (side, player) for side in ("egyptian", "mahdist") for player in ("commander", "random")
    }
    assert "Ratings; 400 points are odds of ten to one" in first.getvalue()
    assert [(row["egyptian"], row["mahdist"], row["waited"]["of"]) for row in rows] == [
        ("commander", "commander", 1),
        ("commander", "random", 1),
        ("random", "commander", 1),
    ]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("hannibal",), "hannibal"),
        (("redcoats", "nowhere.toml"), "nowhere.toml cannot be read"),
        (("redcoats", "kirbekan", "--battles", "0"), "--battles 0 cannot be"),
    ],
)
def test_the_command_refuses_what_it_cannot_fight(words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("ladder_battles", *words, stdout=StringIO())
