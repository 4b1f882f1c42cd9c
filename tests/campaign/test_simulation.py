"""Campaigns in memory: the same seed, the same table; what goes wrong is told with its number."""

import pytest

from battles.contract.brief import Side, TroopKind
from battles.core.dice import ChainedDice
from campaign import rules
from campaign.rules.core.actions import Halt
from campaign.rules.core.events import Arrived, Removed
from campaign.rules.core.state import CampaignResult
from campaign.simulations import campaign_runs
from campaign.simulations.campaign_runs import (
    CampaignRun,
    LossCounter,
    play_campaign,
    simulate,
    summary,
)

SIEGE, RELIEF = "siege-of-khartoum", "relief-of-el-obeid"


@pytest.fixture(scope="module")
def runs() -> list[CampaignRun]:
    return list(simulate(RELIEF, range(1, 3), seed=5))


def test_every_campaign_ends_by_its_own_rules(runs: list[CampaignRun]) -> None:
    assert [run.number for run in runs] == [1, 2]
    assert [run.error for run in runs] == ["", ""]
    assert all(run.result and run.result.clause for run in runs)


def test_the_same_seed_gives_the_same_campaigns_with_any_number_of_workers(
    runs: list[CampaignRun],
) -> None:
    assert list(simulate(RELIEF, range(1, 3), seed=5, workers=2)) == runs


def test_another_seed_throws_other_dice() -> None:
    runs = ((SIEGE, 1, 1), (SIEGE, 2, 1), (SIEGE, 1, 2), (RELIEF, 1, 1))
    throws = {ChainedDice(campaign_runs.key_of(*run)).throw(40, 6) for run in (*runs, runs[0])}
    assert len(throws) == len(runs)


def test_an_answer_that_is_not_lawful_is_told_with_the_campaigns_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(campaign_runs, "answer", lambda state: Halt())
    run = play_campaign(SIEGE, 7, 3)
    assert run.result is None
    assert run.error.startswith("Campaign 3 of seed 7: The campaign waits for something else")


def test_a_staff_that_goes_round_in_circles_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign_runs, "MOST_ACTIONS", 1)
    assert "comes to no end" in play_campaign(SIEGE, 7, 3).error


def test_losses_are_counted_by_side_and_cause_without_those_who_go_home() -> None:
    state = rules.new_game(SIEGE)
    mine = [unit for unit in state.units.values() if unit.side is Side.EGYPTIAN][:4]
    enemy = next(unit for unit in state.units.values() if unit.side is Side.MAHDIST)
    toll = LossCounter(state)
    toll.count(
        [
            Removed((mine[0].id, enemy.id), "combat"),
            Removed((mine[1].id,), "attrition"),
            Removed((mine[2].id,), "wrecked"),
            Removed((mine[3].id,), "withdrawn"),
        ]
    )
    assert toll.losses() == {
        "egyptian": {"combat": 1, "attrition": 1, "otherwise": 1},
        "mahdist": {"combat": 1, "attrition": 0, "otherwise": 0},
    }


def test_counters_that_came_later_are_counted_when_they_are_lost() -> None:
    state = rules.new_game(SIEGE)
    unit = next(one for due in state.due for one in due.units if one.kind is TroopKind.INFANTRY)
    toll = LossCounter(state)
    toll.count([Arrived((unit,), "reinforcement"), Removed((unit.id,), "combat")])
    assert toll.losses()[unit.side]["combat"] == 1


def test_the_summary_counts_endings_lengths_and_losses() -> None:
    nothing = {side.value: dict.fromkeys(campaign_runs.CAUSES, 0) for side in Side}
    lost = nothing | {"mahdist": {"combat": 3, "attrition": 0, "otherwise": 0}}
    fell = CampaignResult(Side.MAHDIST, "Khartoum has fallen.", "4.1")
    drawn = CampaignResult(None, "Time is up.", "4")
    runs = [
        CampaignRun(1, 10, 900, fell, lost),
        CampaignRun(2, 21, 900, drawn, nothing),
        CampaignRun(3, 14, 900, fell, nothing),
        CampaignRun(4, 2, 50, None, nothing, "Campaign 4 of seed 1: stuck"),
    ]
    told = summary(SIEGE, 1, runs)
    assert [(one.reason, one.count) for one in told.endings] == [
        ("Khartoum has fallen.", 2),
        ("Time is up.", 1),
    ]
    assert told.decided == {"egyptian": 0, "mahdist": 2}
    assert told.months == {"shortest": 10, "median": 14, "mean": 15.0, "longest": 21}
    assert told.losses["mahdist"]["combat"] == 0.8
    assert told.errors == ("Campaign 4 of seed 1: stuck",)


def test_a_failure_of_the_program_tells_in_which_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign_runs, "answer", lambda state: state.there_is_no_such_thing)
    with pytest.raises(AttributeError) as failed:
        play_campaign(SIEGE, 7, 3)
    assert failed.value.__notes__ == ["This happened in campaign 3 of seed 7."]
