"""Both campaigns played at random: no dead end, nothing undone across a throw, units conserved.

The short form is a part of every test run; the long one (`make long`) plays hundreds.
"""

import msgspec
import pytest

from battles.core.document import decode, encode
from battles.core.game import Step
from campaign import rules
from campaign.rules.state import State
from tests.conformance import game as g
from tests.conformance.game import Crashed, Game, load, try_again
from tests.positions import RELIEF, SIEGE

SHORT = {SIEGE: 3, RELIEF: 6}
LONG = 200


@pytest.mark.parametrize("seed", range(SHORT[SIEGE]))
def test_a_random_siege_of_khartoum_ends_lawfully(seed: int) -> None:
    Game(SIEGE, seed).play_out()


@pytest.mark.parametrize("seed", range(SHORT[RELIEF]))
def test_a_random_relief_of_el_obeid_ends_lawfully(seed: int) -> None:
    Game(RELIEF, seed).play_out()


@pytest.mark.long
@pytest.mark.parametrize("scenario", [SIEGE, RELIEF])
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
