"""Sections 2 and 3: stands and figures, and the ten phases of a move."""

from itertools import pairwise, product

import pytest

from battles.books.fuzzy_wuzzy import board, observing, sequence
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.muster import muster
from battles.books.fuzzy_wuzzy.names import aim
from battles.books.fuzzy_wuzzy.pieces import Arm
from battles.books.fuzzy_wuzzy.set_up import new_game
from battles.core.decoding import encode
from battles.core.game import Step
from battles.tabletop.geometry import corners
from tests.fuzzy_wuzzy.battles import BATTLES
from tests.fuzzy_wuzzy.field import EGYPTIAN, MAHDIST, battle, carried_out, happened, spears, unit
from tests.fuzzy_wuzzy.played import PLAYED, dice_of

PHASES = [
    "orders",
    "movement",
    "reconnaissance",
    "fire combat",
    "fire results",
    "close combat",
    "close results",
    "retreat",
    "rally",
    "recovery",
]


def test_playing_pieces_1_what_stands_there_are() -> None:
    brief = BATTLES["tamai"]()
    assert brief.brief is not None
    army = muster(brief.brief)
    assert {one.arm for one in army.units} >= {Arm.COMMAND, Arm.INFANTRY, Arm.CAVALRY}
    assert all(one.stands == one.full for one in army.units)


def test_playing_pieces_2_stands_of_25_millimetres_with_two_figures() -> None:
    (one, *_) = board.stands_of(unit(1, "british", "infantry", (50, 60)))
    xs, ys = zip(*corners(one), strict=True)
    assert (max(xs) - min(xs), max(ys) - min(ys)) == (250, 250)
    figures = {arm: board.figures_of(unit(1, "british", arm, (50, 60))) for arm in Arm}
    assert figures.pop(Arm.COMMAND) == 1
    assert set(figures.values()) == {2}


@pytest.mark.parametrize(("regulars", "irregulars"), list(product(range(1, 7), repeat=2)))
def test_sequence_1_initiative(regulars: int, irregulars: int) -> None:
    wanted = EGYPTIAN if regulars >= irregulars else MAHDIST
    assert sequence.initiative(regulars, irregulars) is wanted


def test_sequence_1_the_sides_alternate_in_every_phase() -> None:
    state, _ = new_game(BATTLES["tamai"](), dice_of(5))
    asked = []
    for _action, _outcome in PLAYED.moves(state, 7):
        if state.question is not None:
            asked.append((state.turn, state.phase, state.question.side == state.first))
    blocks = [one for one, other in pairwise([*asked, (0, "", True)]) if one != other]
    assert len(blocks) == len(set(blocks)), "a side is asked once in a phase of a move"
    for before, after in pairwise(blocks):
        if before[:2] == after[:2]:
            assert before[2], "the side with the initiative is asked first"


def test_sequence_2_ten_phases_in_order() -> None:
    state = battle(unit(1, "british", "transport", (50, 90)), spears(2, (50, 20)))
    state.units[2].wounded = True
    made = carried_out(state, Step("phase", (0,)), dice=(1,) * 9)
    assert [event.phase for event in happened(made, e.PhaseBegan)][:1] == PHASES[:1]
    assert list(sequence.PHASES) == PHASES


def test_sequence_2_a_whole_move_runs_through_all_phases() -> None:
    state, opening = new_game(BATTLES["tamai"](), dice_of(1))
    events = list(opening.events)
    for _action, outcome in PLAYED.moves(state, 1):
        events += outcome.events
        if state.turn > 2:
            break
    phases = [event.phase for event in events if isinstance(event, e.PhaseBegan)]
    assert phases[:20] == PHASES * 2


def test_a_state_of_a_battle_holds_no_fractions() -> None:
    state = PLAYED.begun("kirbekan", 1)
    for _ in PLAYED.moves(state, 1):
        assert b"." not in encode({**{n: u.at for n, u in state.units.items()}, 0: state.paces})


def test_sequence_2_a_side_breaks_off_after_two_moves_in_disorder() -> None:
    routed = spears(2, (50, 20), retreating=True)
    state = battle(unit(1, "british", "infantry", (50, 90)), routed, spears(3, (80, 20)))
    assert observing.wavers(state, MAHDIST)
    carried_out(state, Step("turn ends"), dice=(1, 1))
    assert (state.wavering, state.result) == ([MAHDIST], None)
    state.question = None
    state.agenda = []
    carried_out(state, Step("turn ends"))
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (EGYPTIAN, "broke off")


def test_sequence_2_a_side_of_which_only_the_commander_stands_breaks_off_at_once() -> None:
    routed = spears(2, (50, 20), retreating=True)
    commander = unit(3, "mahdist", "command", (80, 20))
    state = battle(unit(1, "british", "infantry", (50, 90)), routed, commander)
    carried_out(state, Step("turn ends"))
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (EGYPTIAN, "broke off")
    assert "all of them at the end of one. Commanders and transport do not count" in aim(state)[0]


def test_sequence_2_who_has_nobody_left_is_destroyed() -> None:
    state = battle(unit(1, "british", "infantry", (50, 90)), spears(2, (50, 20)))
    state.lost.append(state.units.pop(2))
    carried_out(state, Step("turn ends"))
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (EGYPTIAN, "destroyed")


def test_sequence_2_night_falls() -> None:
    state = battle(unit(1, "british", "infantry", (50, 90)), spears(2, (50, 20)))
    state.turn = state.turns
    carried_out(state, Step("turn ends"))
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (None, "nightfall")
