"""Disorganisation, recovery, and breaking off battle."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import casualties, dealing, hand_to_hand, offers
from battles.books.redcoats import events as e
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import disorganise, hit
from battles.books.redcoats.field import N, S, parse_square
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.play import rules
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.state import State
from battles.core.dice import Card, ScriptedDice, Suit
from battles.core.game import IllegalAction
from tests.redcoats.field import EGYPTIAN, MAHDIST, act, activated, battle, kinds, leader, on, unit


def test_disorganisation_example_2() -> None:
    state = battle(
        unit(1, "british", "cavalry", "D5", figures=3, disorganised=True),
        leader(40, "british", "D5"),
    )
    state.hands[EGYPTIAN] = [Heroic.RECOVER]
    ledger = on(state, 6)
    casualties.recover(ledger, 1)
    assert (ledger.rolls[0].sides, ledger.rolls[0].total) == (6, 4)
    assert not casualties.recovers(4, 3)
    assert state.question == q.ToPlayCard(EGYPTIAN, 1, Heroic.RECOVER)
    act(state, a.PlayCard(Heroic.RECOVER))
    assert not state.units[1].disorganised


def test_disorganisation_1_it_lasts_until_the_unit_recovers() -> None:
    state = battle(unit(1, "british", "infantry", "D5"))
    disorganise(on(state), state.units[1], "fire")
    ledger = on(state, 5)
    casualties.recover(ledger, 1)
    assert state.units[1].disorganised
    casualties.recover(on(state, 4), 1)
    assert not state.units[1].disorganised


def test_disorganisation_2_before_its_activation_its_card_is_removed() -> None:
    state = battle(unit(1, "british", "infantry", "D5"), unit(2, "british", "infantry", "F5"))
    state.cards = {1: Card(5, Suit.CLUBS), 2: Card(6, Suit.CLUBS)}
    ledger = on(state)
    disorganise(ledger, state.units[1], "fire")
    assert kinds(ledger.events) == ["Disorganised", "CardTaken"]
    assert set(state.cards) == {2}


def test_disorganisation_2_nor_does_a_leaders_card_serve_it() -> None:
    state = battle(unit(1, "british", "infantry", "D5"), leader(40, "british", "D5"))
    state.coordinated = {40: [1]}
    disorganise(on(state), state.units[1], "fire")
    assert state.coordinated == {40: []}


def test_disorganisation_3_a_further_hit_takes_a_figure() -> None:
    state = battle(unit(1, "british", "infantry", "D5"))
    hit(on(state), state.units[1], "fire")
    hit(on(state), state.units[1], "fire")
    assert (state.units[1].disorganised, state.units[1].figures) == (True, 3)


def test_disorganisation_4_it_may_try_in_the_same_turn() -> None:
    state = battle(unit(1, "british", "infantry", "D5"))
    disorganise(on(state), state.units[1], "fire")
    ledger = on(state, 1)
    STEPS["recovery"](ledger)
    ledger.advance(STEPS)
    assert not state.units[1].disorganised


def test_disorganisation_5_dice() -> None:
    faces = [
        book().faces("recovery", unit(1, troops, "cavalry", "D5"))
        for troops in ("british", "dervish")
    ]
    assert faces == [6, 8]


def test_disorganisation_6_friends_and_leaders_near() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(2, "british", "infantry", "E4"),
        unit(3, "british", "infantry", "C5"),
        unit(4, "british", "infantry", "F5"),
        unit(20, "dervish", "infantry", "D4"),
        leader(40, "british", "E5"),
    )
    one = state.units[1]
    found = casualties.modifiers(
        casualties.friends_near(state, one), casualties.leaders_near(state, one)
    )
    assert [modifier.value for modifier in found] == [-2, -2]


@pytest.mark.parametrize(("score", "figures", "back"), [(3, 3, True), (4, 3, False), (-2, 1, True)])
def test_disorganisation_7_no_more_than_the_figures_left(
    score: int, figures: int, back: bool
) -> None:
    assert casualties.recovers(score, figures) is back


def eleven(disorganised: int) -> State:
    """Eleven rubs, so many of them disorganised, far from a battalion."""
    rubs = [
        unit(20 + place, "dervish", "infantry", f"{'ABCDEFGHIJK'[place]}2", "S")
        for place in range(11)
    ]
    for one in rubs[:disorganised]:
        one.disorganised = True
    return battle(*rubs, unit(1, "british", "infantry", "D8"))


def test_break_off_battle_example() -> None:
    state = eleven(6)
    hand_to_hand.judge(on(state))
    assert state.breaking_off == [MAHDIST]
    state.units[20].disorganised = state.units[21].disorganised = False
    ledger = on(state)
    hand_to_hand.judge(ledger)
    assert ledger.events == []
    assert state.breaking_off == [MAHDIST]


@pytest.mark.parametrize(("out", "of", "must"), [(5, 11, False), (6, 11, True), (5, 10, True)])
def test_break_off_1_half_or_more(out: int, of: int, must: bool) -> None:
    assert hand_to_hand.must_break_off(out, of) is must


def test_break_off_1_the_lost_count() -> None:
    state = eleven(4)
    on(state).emit(e.Lost(unit=30, cause="fire"))
    assert hand_to_hand.out_of_action(state, MAHDIST) == 5


def test_break_off_1_a_small_battalion_counts_in_proportion() -> None:
    company = unit(3, "british", "infantry", "F8", full=1, disorganised=True)
    full = unit(1, "british", "infantry", "D8")
    state = battle(full, company, unit(20, "dervish", "infantry", "D2", "S"))
    assert state.strengths[EGYPTIAN] == 1.25
    assert hand_to_hand.out_of_action(state, EGYPTIAN) == 0.25
    ledger = on(state)
    hand_to_hand.judge(ledger)
    assert ledger.events == []


def test_break_off_1_batteries_trains_and_shrunken_battalions_count_whole() -> None:
    battery = unit(1, "egyptian", "artillery", "D8")
    train = unit(2, "egyptian", "transport", "E8")
    shrunken = unit(3, "british", "infantry", "F8", figures=1)
    assert [hand_to_hand.weight(one) for one in (battery, train, shrunken)] == [1, 1, 1]


def withdrawing(at: str = "D5") -> State:
    state = battle(unit(20, "dervish", "infantry", at, "N"), unit(1, "british", "infantry", "D7"))
    state.breaking_off = [MAHDIST]
    return activated(state, 20, 4)


def test_break_off_2_units_in_good_order_must_move_away() -> None:
    state = withdrawing()
    with pytest.raises(IllegalAction, match="must move away"):
        rules.play(state, a.Done(), ScriptedDice())
    with pytest.raises(IllegalAction, match="must move away"):
        rules.play(state, a.Move((parse_square("D6"),), S), ScriptedDice())
    act(state, a.Move((parse_square("D4"),), N))
    assert state.units[20].square == parse_square("D4")


def test_break_off_2_they_neither_fire_nor_charge() -> None:
    state = withdrawing("D6")
    state.units[20].facing = S
    assert list(offers.shots(state)) == []
    assert offers.attacks(state) == []


def test_break_off_2_at_the_edge_they_leave_the_field() -> None:
    state = withdrawing("D1")
    act(state, a.Leave())
    assert [one.id for one in state.left] == [20]
    ended = hand_to_hand.battle_result(state)
    assert ended is not None
    assert (ended.winner, ended.how) == (EGYPTIAN, "broke off")


def test_break_off_3_the_disorganised_stay_where_they_are() -> None:
    state = eleven(6)
    state.breaking_off = [MAHDIST]
    assert not dealing.is_dealt(state, state.units[20])
    assert dealing.is_dealt(state, state.units[30])


def test_break_off_4_it_goes_on_whatever_recovers() -> None:
    state = eleven(0)
    state.breaking_off = [MAHDIST]
    hand_to_hand.judge(on(state))
    assert state.breaking_off == [MAHDIST]
    assert offers.withdraws(state, state.units[20])
