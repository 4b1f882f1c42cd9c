"""4.1, 4.2: every way to win, lose and draw."""

import pytest

from battles.contract.brief import Side
from battles.core.dice import ScriptedDice
from battles.core.game import Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import STEPS
from campaign.rules.map import sudan
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables.editions import named_edition
from tests.positions import OPEN, RELIEF, hex_of, position
from tests.rules.helpers import fight, go, happen, ids, march, offered, play, refused

SAFE = (6, 6)
PEACE = ("El Obeid: 3 infantry egyptian L", "Khartoum: 3 infantry egyptian L", f"{OPEN}: spears")
SIEGE_OF_KHARTOUM = (
    "El Obeid: 3 infantry egyptian L",
    "Khartoum: 3 infantry egyptian L",
    "2043: 3 spears",
)


def end_of_turn(state, side):
    """The end of a player turn of that side, and what is judged there."""
    state.question, state.agenda = None, []
    ledger = Ledger(state, ScriptedDice(), evolve)
    name = "Egyptian turn ends" if side == "egyptian" else "Mahdist turn ends"
    ledger.then(Step(name, (side,)))
    while state.agenda and state.result is None and state.agenda[0].name == name:
        ledger.advance({name: STEPS[name]} | {"phase": lambda *_: state.agenda.clear()})
    return state.result


def turns(state, number, *, side="egyptian"):
    """The result after so many Egyptian player turns have ended like this."""
    for _ in range(number):
        end_of_turn(state, side)
    return state.result


# 4.1


@pytest.mark.parametrize(("holder", "counted"), [("egyptian", 0), ("mahdist", 2)])
def test_4_1_in_its_edition_a_siege_of_khartoum_counts_while_el_obeid_is_taken(holder, counted):
    stacks = ("Khartoum: 3 infantry egyptian L", "2043: 3 spears")
    state = position(*stacks, scenario=RELIEF, held={"El Obeid": holder}, phase="recovery")
    turns(state, 2)
    assert state.tallies["turns:mahdist"] == 2
    state = position(*stacks, scenario=RELIEF, held={"El Obeid": holder}, phase="recovery")
    state.edition = named_edition("relief-first").edition.digest
    turns(state, 2)
    assert state.tallies.get("turns:mahdist", 0) == counted


@pytest.mark.parametrize(("holder", "winner"), [("egyptian", None), ("mahdist", Side.MAHDIST)])
def test_4_1_in_its_edition_khartoum_taken_wins_with_el_obeid_alone(holder, winner):
    held = {"El Obeid": holder, "Khartoum": "mahdist"}
    state = position(f"{OPEN}: 3 spears", scenario=RELIEF, held=held, phase="recovery")
    state.edition = named_edition("relief-first").edition.digest
    result = turns(state, 1, side="mahdist")
    assert (result.winner if result else None) is winner


def test_4_1_el_obeid_and_khartoum_free_for_three_egyptian_turns_win():
    state = position(*PEACE, scenario=RELIEF, month="1883-01", phase="recovery")
    assert turns(state, 2) is None
    assert turns(state, 1).winner is Side.EGYPTIAN
    assert state.result.clause == "4.1"


@pytest.mark.parametrize("besieger", ["2043", "0357"])
def test_4_1_a_siege_of_either_breaks_the_count(besieger):
    state = position(*PEACE, scenario=RELIEF, month="1883-01", phase="recovery")
    turns(state, 2)
    state.units[UnitId(7)].hex = hex_of(besieger)
    state.__dict__.pop("board", None)
    assert turns(state, 1) is None
    state.units[UnitId(7)].hex = hex_of(OPEN)
    state.__dict__.pop("board", None)
    assert turns(state, 2) is None
    assert turns(state, 1).winner is Side.EGYPTIAN


def test_4_1_a_town_in_mahdist_hands_is_not_free():
    state = position(
        "El Obeid: spears", "Khartoum: infantry egyptian L", scenario=RELIEF, phase="recovery"
    )
    assert turns(state, 4) is None


def test_4_1_disrupted_besiegers_break_the_count_as_any_do():
    state = position(
        *PEACE[:2], "0357: spears disrupted", scenario=RELIEF, phase="recovery", month="1883-01"
    )
    assert turns(state, 4) is None


def test_4_1_a_siege_of_khartoum_for_three_egyptian_turns_wins_for_the_mahdists():
    state = position(*SIEGE_OF_KHARTOUM, scenario=RELIEF, phase="recovery", month="1883-01")
    assert turns(state, 2) is None
    assert turns(state, 1).winner is Side.MAHDIST


def test_4_1_the_siege_must_be_of_three_consecutive_turns():
    state = position(*SIEGE_OF_KHARTOUM, scenario=RELIEF, phase="recovery", month="1883-01")
    turns(state, 2)
    besiegers = ids(state, "2043")
    for unit in besiegers:
        state.units[unit].hex = hex_of("2045")
    state.__dict__.pop("board", None)
    assert turns(state, 1) is None
    for unit in besiegers:
        state.units[unit].hex = hex_of("2043")
    state.__dict__.pop("board", None)
    assert turns(state, 2) is None


def test_4_1_a_siege_of_el_obeid_wins_nothing():
    state = position(
        *PEACE[:2], "0357: 3 spears", scenario=RELIEF, phase="recovery", month="1883-01"
    )
    assert turns(state, 5) is None


def test_4_1_the_mahdists_win_by_entering_khartoum():
    state = position(
        "2043: 3 spears",
        scenario=RELIEF,
        side="mahdist",
        held={"Khartoum": "egyptian"},
        month="1883-01",
    )
    march(state, "2043")
    go(state, "Khartoum", dice=[1])
    assert state.result.winner is Side.MAHDIST
    assert state.question is None


def test_4_1_entering_khartoum_does_not_end_the_siege_of_khartoum():
    state = position("2043: 3 spears", side="mahdist", held={"Khartoum": "egyptian"})
    march(state, "2043")
    go(state, "Khartoum", dice=[1])
    assert state.result is None


def test_4_1_the_egyptian_player_wins_at_once_when_the_khalifa_is_eliminated():
    state = position("0640: Khalifa, spears", f"{OPEN}: 8 infantry british", scenario=RELIEF)
    march(state, OPEN)
    play(state, a.Attack(hex_of("0640")))
    play(state, a.Lead(UnitId(0)), [1, 1])
    assert state.result.winner is Side.EGYPTIAN


def test_4_1_the_death_of_the_mahdi_alone_wins_nothing():
    state = position(
        "0640: Mahdi, spears", f"{OPEN}: 8 infantry british", "El Obeid: spears", scenario=RELIEF
    )
    march(state, OPEN)
    play(state, a.Attack(hex_of("0640")))
    play(state, a.Lead(UnitId(0)), [1, 1])
    assert state.result is None


@pytest.mark.parametrize(("month", "over"), [("1884-02", False), ("1884-03", True)])
def test_4_1_after_march_1884_the_game_is_a_draw(month, over):
    state = position(
        "El Obeid: spears",
        "Khartoum: infantry egyptian L",
        scenario=RELIEF,
        month=month,
        side="mahdist",
        phase="recovery",
    )
    result = turns(state, 1, side="mahdist")
    assert (result is not None) is over
    if over:
        assert result.winner is None


# 4.2


def test_4_2_a_british_supply_unit_in_khartoum_at_the_end_of_a_mahdist_turn_wins():
    state = position("Khartoum: supply, infantry egyptian L", side="mahdist", phase="recovery")
    assert turns(state, 1, side="mahdist").winner is Side.EGYPTIAN


def test_4_2_not_at_the_end_of_an_egyptian_turn():
    state = position("Khartoum: supply, infantry egyptian L", phase="recovery")
    assert turns(state, 1) is None


def test_4_2_an_egyptian_supply_unit_wins_nothing():
    state = position(
        "Khartoum: supply egyptian, infantry egyptian L", side="mahdist", phase="recovery"
    )
    assert turns(state, 1, side="mahdist") is None


@pytest.mark.parametrize("refuge", ["Wady Halfa", "Souakim"])
def test_4_2_the_civilians_in_wady_halfa_or_souakim_win(refuge):
    state = position(f"{refuge}: civilians", side="mahdist", phase="recovery")
    assert turns(state, 1, side="mahdist").winner is Side.EGYPTIAN


def test_4_2_the_civilians_anywhere_else_win_nothing():
    state = position("Berber: civilians", side="mahdist", phase="recovery")
    assert turns(state, 1, side="mahdist") is None


@pytest.mark.parametrize(
    ("unit", "barred"),
    [
        ("infantry british", True),
        ("gun british", True),
        ("camel", False),
        ("supply", False),
        ("infantry egyptian L", False),
        ("infantry indian", False),
    ],
)
def test_4_2_after_a_british_loss_to_attrition_only_a_draw_is_left(unit, barred):
    state = position(f"{OPEN}: {unit}", "Khartoum: supply, infantry egyptian L", phase="attrition")
    asks = unit == "supply"
    happen(state, "attrition", [] if asks else [1])
    if asks:
        play(state, a.Supply(UnitId(0)), [1])
    assert (DRAW_ONLY in state.flags) is barred
    result = turns(state, 1, side="mahdist")
    assert result.winner == (None if barred else Side.EGYPTIAN)


def test_4_2_losses_from_marching_or_recovery_do_not_bar_the_victory():
    state = position(f"{OPEN}: infantry british disrupted", "1943: spears")
    march(state, OPEN, dice=[2])
    assert len(state.units) == 1
    assert DRAW_ONLY not in state.flags
    state = position(f"{OPEN}: infantry british disrupted", "0640: spears", phase="recovery")
    happen(state, "recovery", [1])
    assert len(state.units) == 1
    assert DRAW_ONLY not in state.flags


@pytest.mark.parametrize("leader", ["Gordon", "H. Stewart", "Baker", "Graham"])
def test_4_2_a_stack_with_a_british_leader_wiped_out_in_combat_wins_for_the_mahdists(leader):
    state = position(
        f"{OPEN}: 9 spears", f"0640: {leader}, spears egyptian disrupted", side="mahdist"
    )
    march(state, OPEN)
    fight(state, "0640", [*SAFE, 1, 1])
    assert state.result.winner is Side.MAHDIST
    assert state.result.clause == "4.2"


def test_4_2_a_stack_without_a_british_leader_wins_nothing():
    state = position(f"{OPEN}: 9 spears", "0640: spears egyptian disrupted", side="mahdist")
    march(state, OPEN)
    fight(state, "0640", [*SAFE, 1, 1])
    assert state.result is None


def test_4_2_civilians_and_gunboats_do_not_save_the_stack():
    state = position(
        "2043: 9 spears",
        "Khartoum: Gordon, spears egyptian disrupted, civilians, 2 gunboats",
        side="mahdist",
    )
    march(state, "2043")
    fight(state, "Khartoum", [*SAFE, 2, 2], guides={"egyptian": ""})
    assert state.result.winner is Side.MAHDIST


def test_4_2_a_leaders_stack_that_is_wiped_out_at_bay_is_lost_in_combat_too():
    """Both battalions are disrupted and surrounded: once more, and nobody is left."""
    ring = [
        f"{near}: spears" for near in sudan().neighbours[hex_of(OPEN)] if near != hex_of("0640")
    ]
    state = position(
        f"{OPEN}: H. Stewart, 2 infantry egyptian L disrupted", "0640: 9 spears", *ring
    )
    march(state, OPEN)
    fight(state, "0640", [*SAFE, *SAFE, *SAFE], guides={"egyptian": ""})
    assert state.result.winner is Side.MAHDIST


def test_4_2_the_leaders_stack_counts_when_it_is_the_marching_one_too():
    state = position(f"{OPEN}: H. Stewart, spears egyptian disrupted", "0640: 9 spears")
    march(state, OPEN)
    fight(state, "0640", [1, 1, *SAFE])
    assert state.result.winner is Side.MAHDIST


def test_4_2_a_leader_lost_otherwise_than_in_combat_wins_nothing():
    state = position(f"{OPEN}: H. Stewart, infantry egyptian R", phase="attrition")
    happen(state, "attrition", [1])
    assert not state.units
    assert state.result is None


@pytest.mark.parametrize(("month", "over"), [("1885-09", False), ("1885-10", True)])
def test_4_2_after_october_1885_the_game_is_a_draw(month, over):
    state = position("Khartoum: infantry egyptian L", month=month, side="mahdist", phase="recovery")
    result = turns(state, 1, side="mahdist")
    assert (result is not None) is over


def test_4_2_in_the_last_month_a_victory_comes_before_the_draw():
    state = position(
        "Khartoum: supply, infantry egyptian L", month="1885-10", side="mahdist", phase="recovery"
    )
    assert turns(state, 1, side="mahdist").winner is Side.EGYPTIAN


def test_4_2_when_the_campaign_is_over_nothing_more_is_played():
    state = position(
        "2043: 3 spears", scenario=RELIEF, side="mahdist", held={"Khartoum": "egyptian"}
    )
    march(state, "2043")
    outcome = go(state, "Khartoum", dice=[1])
    assert isinstance(outcome.events[-2], e.CampaignEnded)
    assert offered(state) is None
    refused(state, a.Halt(), "4")
