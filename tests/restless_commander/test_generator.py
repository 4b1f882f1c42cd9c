"""The scenario and army generator: what two dice give."""

from collections import Counter
from itertools import product

import msgspec
import pytest

from battles.books.restless_natives.generator import (
    SCENARIOS,
    army,
    baseline,
    generate_brief,
    roll_brief,
    scenario,
)
from battles.contract import Side
from battles.core.dice import ScriptedDice
from tests.redcoats_commander.armies import written

SCORES = range(1, 7)


def units(side: Side, score: int) -> list[str]:
    return [unit.unit for unit in army(side, score)]


def test_scenarios_every_army_holds_the_basic_army_of_its_side() -> None:
    basic = {
        Side.EGYPTIAN: [
            "british infantry battalion",
            "sudanese infantry battalion",
            "egyptian artillery battery",
            "egyptian supply column",
        ],
        Side.MAHDIST: [
            "warband of jiadia riflemen",
            "large warband of hadendowah spearmen",
            "warband of baggara cavalry",
        ],
    }
    for side, score in product(Side, SCORES):
        assert units(side, score)[: len(basic[side])] == basic[side]


@pytest.mark.parametrize("side", list(Side))
def test_scenarios_a_six_brings_the_whole_baseline_army_and_no_score_more(side: Side) -> None:
    there = {name: row.baseline for name, row in baseline(side).items()}
    assert Counter(units(side, 6)) == there
    for score in SCORES:
        assert Counter(units(side, score)) <= Counter(there)


@pytest.mark.parametrize(
    ("side", "score", "stands"),
    [
        (Side.EGYPTIAN, 1, 18),
        (Side.EGYPTIAN, 5, 21),
        (Side.EGYPTIAN, 6, 33),
        (Side.MAHDIST, 1, 28),
        (Side.MAHDIST, 5, 23),
        (Side.MAHDIST, 6, 43),
    ],
)
def test_scenarios_the_stands_of_an_army(side: Side, score: int, stands: int) -> None:
    assert sum(unit.stands for unit in army(side, score)) == stands


def test_scenarios_both_scores_together_say_which_is_fought() -> None:
    by_sum: dict[int, set[str]] = {}
    for british, natives in product(SCORES, SCORES):
        by_sum.setdefault(british + natives, set()).add(scenario(british, natives))
    letters = [by_sum[both] for both in range(2, 13)]
    assert letters == [{letter} for letter in "FEDCBAFEDCB"]


def test_scenarios_two_dice_make_a_battle_of_the_british_score_and_the_native_one() -> None:
    brief = roll_brief(ScriptedDice(3, 4)).brief
    assert brief == generate_brief(3, 4)
    assert brief.title == SCENARIOS["A"].title
    assert brief.attacker.side is Side.EGYPTIAN
    assert len(brief.attacker.troops) == 7
    assert len({troop.id for troop in brief.troops()}) == len(list(brief.troops()))


def test_a_scenario_may_be_chosen_instead() -> None:
    assert generate_brief(3, 4, "B").attacker.side is Side.MAHDIST


@pytest.mark.parametrize("score", [0, 7])
def test_a_score_that_no_die_shows_is_refused(score: int) -> None:
    with pytest.raises(ValueError, match="score from 1 to 6"):
        generate_brief(score, 1)
    with pytest.raises(ValueError, match="score from 1 to 6"):
        army(Side.MAHDIST, score)


def test_a_scenario_that_the_book_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match="letter from A to F"):
        generate_brief(1, 1, "G")


@pytest.mark.parametrize(
    ("letter", "british", "natives"),
    [("A", 3, 4), ("B", 3, 3), ("C", 2, 3), ("D", 2, 2), ("E", 5, 4), ("F", 4, 4)],
)
def test_scenarios_each_lies_ready_as_a_brief(letter: str, british: int, natives: int) -> None:
    found = written(SCENARIOS[letter].slug).brief
    assert scenario(british, natives) == letter
    assert msgspec.structs.replace(found, id=f"{found.id}-{british}-{natives}") == generate_brief(
        british, natives
    )
