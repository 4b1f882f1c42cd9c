"""The staff's odds of a combat before it is fought, beside the results of the dice."""

import pytest

from battles.contract.brief import Quality, Side
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import play
from campaign.rules.core import events as e
from campaign.rules.core.actions import Attack, March
from campaign.rules.core.board import board, laws
from campaign.rules.core.questions import OnMarch
from campaign.rules.core.state import State
from campaign.staff import answer
from campaign.staff.columns import guide
from campaign.staff.combat_estimate import (
    AttackEstimate,
    ForceEstimate,
    chances,
    estimate_attack,
    storming,
)
from campaign.staff.host_states import TroopsByQuality
from tests.positions import OPEN, abu_klea, add, besieged_khartoum, hex_of, position

ENEMY = "0640"
TRIALS = 120


def spearmen(count: int) -> ForceEstimate:
    return ForceEstimate((TroopsByQuality(Quality.FANATIC, count, 0, melee=1),))


def british(battalions: int) -> ForceEstimate:
    return ForceEstimate(
        (TroopsByQuality(Quality.VETERAN, battalions, 0, melee=3, fire=3, shooters=1),), tactical=1
    )


def chance(attacker: ForceEstimate, defender: ForceEstimate) -> AttackEstimate:
    return chances(laws(besieged_khartoum()), attacker, defender)


def fought(state: State, trial: int) -> Side | None:
    """Return the winner of the combat when the staff answers every question."""
    copy, dice = decode(encode(state), State), ChainedDice(derive_key(b"odds", trial))
    stack = board(copy).stack(copy.side, hex_of(OPEN))
    play(copy, March(tuple(unit.id for unit in stack), leader=guide(copy, stack)), dice)
    while not isinstance(copy.question, OnMarch):
        play(copy, answer(copy), dice)
    events = [*play(copy, Attack(hex_of(ENEMY)), dice).events]
    while not any(isinstance(event, e.CombatEnded) for event in events):
        events += play(copy, answer(copy), dice).events
    return next(event.winner for event in events if isinstance(event, e.CombatEnded))


@pytest.mark.parametrize(
    ("attackers", "defenders", "side"),
    [
        ("cavalry mahdist, 3 cavalry mahdist", "2 cavalry", "mahdist"),
        ("Wolseley, 3 camel corps british 2V", "6 spears", "egyptian"),
        ("Wolseley, camel corps british 2V, gun british", "3 spears", "egyptian"),
    ],
)
def test_9_6_the_odds_agree_with_the_dice(attackers: str, defenders: str, side: str) -> None:
    state = position(f"{OPEN}: {attackers}", f"{ENEMY}: {defenders}", side=side, month="1884-12")
    units = board(state).stack(Side(side), hex_of(OPEN))
    expected = estimate_attack(state, units, hex_of(OPEN), hex_of(ENEMY))
    won = [fought(state, trial) for trial in range(TRIALS)].count(Side(side))
    assert abs(won / TRIALS - expected.win) < 0.17


def test_9_8_nobody_wins_and_loses_at_once() -> None:
    for attacker in (spearmen(4), spearmen(20), british(3)):
        one = chance(attacker, british(4))
        assert 0 <= one.win + one.lose <= 1
        assert one.wipe <= one.win + one.lose + 1e-9


def test_9_6_ground_and_numbers_help() -> None:
    assert chance(british(4), spearmen(8)).win > chance(british(2), spearmen(8)).win
    walls = spearmen(8)._replace(ground=2)
    assert chance(british(4), walls).win < chance(british(4), spearmen(8)).win


def test_el_teb_and_abu_klea_come_out_as_the_tables_were_made_for() -> None:
    brigade = TroopsByQuality(Quality.VETERAN, 8, 0, melee=2.25, fire=2.5, guns=0.5, shooters=1)
    assert 0.65 < chance(ForceEstimate((brigade,), tactical=1), spearmen(35)).win < 0.95
    square = TroopsByQuality(Quality.VETERAN, 5, 0, melee=1.6, fire=1.8, guns=0.4, shooters=1)
    assert 0.6 < chance(spearmen(25), ForceEstimate((square,), tactical=1)).lose < 0.9


def test_9_1_more_waves_take_a_starved_town_and_none_a_full_one() -> None:
    law = laws(besieged_khartoum())
    starved = ForceEstimate(
        (TroopsByQuality(Quality.LINE, 2, 0, melee=1, fire=1, shooters=1),), ground=2
    )
    taken = [storming(law, spearmen(5), starved).chance(waves) for waves in (1, 3, 5, 8)]
    assert taken == sorted(taken)
    assert taken[0] < 0.1 < taken[-1]
    full = ForceEstimate(
        (TroopsByQuality(Quality.LINE, 8, 0, melee=1, fire=1.5, guns=0.5, shooters=1),), ground=2
    )
    assert storming(law, spearmen(8), full).chance(4) < 0.01


def test_9_4_a_stack_without_fighters_is_no_attacker() -> None:
    state = abu_klea()
    add(state, "2331: 2 supply")
    units = board(state).stack(Side.EGYPTIAN, hex_of("2331"))
    assert estimate_attack(state, units, hex_of("2331"), hex_of("Abu Klea Wells")).win == 0
