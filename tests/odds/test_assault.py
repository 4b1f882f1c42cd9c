"""9.1: several stacks that attack the same hex in turn, sampled and played."""

from math import sqrt

from battles.core.dice import ChainedDice, derive_key
from campaign.odds.assault import Sampling, assault
from campaign.odds.combat import combat_odds
from campaign.odds.meeting import combat_setup
from campaign.rules.core.board import laws
from tests.odds.waves import TARGET, played, three_columns, waves


def test_one_wave_is_as_likely_to_win_as_the_exact_odds_have_it():
    state = three_columns()
    (wave,), defence = waves(state, 1)
    exact = combat_odds(
        laws(state), combat_setup(state, wave.units, wave.route, TARGET, (wave.plan, defence.plan))
    )
    sampled = assault(state, [wave], defence)
    assert abs(sampled.falls - exact.win) < 5 * sampled.error
    assert abs(sampled.mean_lost - exact.defender.mean_gone) < 0.2


def test_the_second_wave_meets_what_the_first_has_left():
    state = three_columns()
    both, defence = waves(state, 2)
    odds = assault(state, both, defence)
    runs = 250
    falls = sum(played(state, 2, ChainedDice(derive_key(b"waves", 2)), runs)) / runs
    error = sqrt(odds.falls * (1 - odds.falls) * (1 / runs + 1 / odds.samples))
    assert abs(odds.falls - falls) < 4 * error


def test_the_same_seed_samples_the_same():
    state = three_columns()
    all_three, defence = waves(state)
    first, again = (assault(state, all_three, defence, Sampling(500, seed=7)) for _ in range(2))
    assert first == again
    assert abs(sum(first.lost) - 1) < 1e-9
