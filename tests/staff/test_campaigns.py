"""The staff plays whole campaigns: always lawfully, always to an end, always alike."""

from collections import Counter

import pytest

from campaign.rules.tables.scenario_loader import scenario
from campaign.staff import answer
from tests.positions import RELIEF, SIEGE
from tests.staff.campaigns import again, play_out

SLUGS = (SIEGE, RELIEF)
SEEDS = (1, 2, 3)

both = pytest.mark.parametrize("slug", SLUGS)


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_4_a_campaign_by_the_staff_ends_by_its_own_rules(slug: str, seed: int) -> None:
    told = play_out(slug, seed)
    assert told.end.result is not None
    assert told.end.result.clause in {"4", "4.1", "4.2", "5.2 I"}
    assert told.end.month <= scenario(slug).last_month


@both
def test_the_staff_answers_the_same_state_alike_wherever_it_is_asked(slug: str) -> None:
    told = play_out(slug, 1)
    assert [again(state) for state, _ in told.kept] == [answer for _, answer in told.kept]


def test_the_staff_has_been_asked_every_kind_of_question() -> None:
    asked = {kind for slug in SLUGS for seed in SEEDS for kind in play_out(slug, seed).asked}
    assert asked == {
        "ToSetUp",
        "ToReinforce",
        "ToMarch",
        "OnMarch",
        "ToDisrupt",
        "ToShareLosses",
        "ToLead",
        "ToRetreat",
        "ToSupply",
        "ToShareAttrition",
        "ToChooseHex",
        "ToChooseUnits",
    }


@both
def test_both_sides_march_and_fight(slug: str) -> None:
    asked = sum((play_out(slug, seed).asked for seed in SEEDS), Counter[str]())
    assert asked["OnMarch"] > 200
    assert asked["ToShareLosses"] > 40


def test_a_campaign_that_is_over_has_nothing_to_answer() -> None:
    with pytest.raises(ValueError, match="over"):
        answer(play_out(SIEGE, 1).end)
