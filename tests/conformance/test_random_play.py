"""Campaigns of every scenario at random: no dead end, no throw undone, units conserved.

The short form is a part of every test run; the long one (`make long`) plays hundreds.
"""

import msgspec
import pytest

from battles.core.decoding import decode, encode
from battles.core.game import IllegalAction, Step
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core.state import State
from tests.conformance import game as g
from tests.conformance.game import Crashed, Game, check_refused, load, try_again
from tests.conformance.soak import SCENARIOS, Played, Soak, Tally, soak
from tests.positions import RELIEF, SIEGE

SHORT = {SIEGE: 3, RELIEF: 6}
"""The campaigns of the printed scenarios in every test run; of the others there are three each."""
CAMPAIGNS = [(slug, seed) for slug in SCENARIOS for seed in range(SHORT.get(slug, 3))]
LONG = 200


@pytest.mark.parametrize(("scenario", "seed"), CAMPAIGNS)
def test_a_random_campaign_ends_lawfully(scenario: str, seed: int) -> None:
    Game(scenario, seed).play_out()


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", range(1000, 1000 + LONG))
def test_many_random_campaigns_end_lawfully(scenario: str, seed: int) -> None:
    Game(scenario, seed).play_out()


def test_the_same_seed_plays_the_same_campaign() -> None:
    one, other = Game(RELIEF, 77), Game(RELIEF, 77)
    one.play_out()
    other.play_out()
    assert one.actions == other.actions
    assert encode(one.state) == encode(other.state)


def test_the_actions_alone_lead_to_the_same_state_again() -> None:
    game = Game(SIEGE, 78)
    game.play_out(most=250)
    state = rules.new_game(SIEGE)
    for number, action in enumerate(game.actions):
        g.carry_out(state, action, g.action_key(78, number))
    assert encode(state) == encode(game.state)


def test_what_breaks_leaves_a_file_that_shows_it_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(g, "FOLDER", tmp_path)
    game = Game(SIEGE, 79)
    game.play_out(most=40)
    game.state.agenda.insert(0, Step("no such step"))
    with pytest.raises(Crashed, match="siege-of-khartoum-79-"):
        game.play_out(most=4000)
    (file,) = tmp_path.iterdir()
    crash = load(file)
    assert crash.before == game.actions
    assert "no such step" in crash.error
    assert decode(bytes(crash.state), State).agenda[0].name == "no such step"
    with pytest.raises(KeyError):
        try_again(crash)
    mended = decode(bytes(crash.state), State)
    mended.agenda = [step for step in mended.agenda if step.name != "no such step"]
    try_again(msgspec.structs.replace(crash, state=msgspec.Raw(encode(mended))))


def test_refused_actions_are_tried_and_campaigns_resumed() -> None:
    game = Game(SIEGE, 82)
    game.play_out(most=200)
    assert game.refused > 150
    assert game.resumed >= 200 // g.LONGEST_LEG


def test_a_refused_action_that_changes_the_state_is_found(monkeypatch) -> None:
    state = rules.new_game(SIEGE)

    def meddles(state: State, action: object, dice: object) -> None:
        state.tallies["meddled"] = 1
        raise IllegalAction("5.0", "No.")

    monkeypatch.setattr(g.rules, "play", meddles)
    with pytest.raises(AssertionError, match="has changed the state"):
        check_refused(state, a.Halt(), encode(state))


def test_a_refused_action_that_is_carried_out_is_found(monkeypatch) -> None:
    state = rules.new_game(SIEGE)
    monkeypatch.setattr(g.rules, "play", lambda *_: None)
    with pytest.raises(AssertionError, match="refused and yet carried out"):
        check_refused(state, a.Halt(), encode(state))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_soak_plays_so_many_campaigns_and_counts_them(workers: int) -> None:
    tally = soak(RELIEF, Soak(3, 60, seed=7, workers=workers), lambda line: None)
    assert (tally.campaigns, tally.crashes) == (3, [])
    assert sum(tally.endings.values()) == 3
    assert min(tally.actions, tally.refused, tally.resumed) > 0


def test_a_soak_ends_with_its_time() -> None:
    assert soak(RELIEF, Soak(1000, 0), lambda line: None).campaigns == 0


def test_a_crash_is_counted_and_said_with_its_file(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(g, "FOLDER", tmp_path)
    monkeypatch.setattr(g, "check_action", lambda *_: 1 / 0)
    said: list[str] = []
    tally = soak(RELIEF, Soak(2, 60), said.append)
    assert (tally.campaigns, len(tally.crashes)) == (0, 2)
    assert "division by zero" in said[0]
    assert len(list(tmp_path.iterdir())) == 2
    assert tally.in_words().endswith("crashes: 2")


def test_a_tally_adds_up() -> None:
    tally = Tally(SIEGE, seconds=2)
    tally.add(Played(100, 90, 3, "draw: over"))
    tally.add(Played(50, 40, 1, "draw: over"))
    assert tally.in_words() == (
        "2 campaigns, 150 actions in 2 s (75 a second), 130 refused actions tried,"
        " 4 resumptions, crashes: 0"
    )
