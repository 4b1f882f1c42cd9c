"""Sections 12 and 13: close combat."""

from itertools import product
from typing import Any

import pytest

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, close_combat, firing, movement
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToAdvance, ToMove
from battles.books.fuzzy_wuzzy.pieces import Combat, Grading, Rate, Style
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.state import State, Volley
from battles.books.fuzzy_wuzzy.turn_form import turn_form
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction, Step
from battles.turn_form import QuestionKind
from tests.fuzzy_wuzzy.field import (
    EGYPTIAN,
    MAHDIST,
    battle,
    carried_out,
    happened,
    line,
    order,
    point,
    spears,
    unit,
)

CASUALTIES = ("1--", "11-", "211")
LOWEST = {Style.REGULAR: 4, Style.IRREGULAR: 3}


@pytest.mark.parametrize(
    ("where", "grading"),
    [
        ("open", Grading.LIGHT),
        ("field fortifications", Grading.MEDIUM),
        ("permanent fortifications", Grading.HEAVY),
    ],
)
def test_close_gradings_1_of_the_defender(where: str, grading: Grading) -> None:
    assert firing.defence_grading(where) is grading


def test_close_gradings_1_works_help_who_holds_them_not_who_has_come_over() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 57.5)),
        features=(line("zariba", (30, 55), (70, 55)),),
        moved={2: Rate.CHARGE},
    )
    assert close_combat.grading_of(state, state.units[2], state.units[1]) == "field fortifications"
    assert close_combat.grading_of(state, state.units[1], state.units[2]) == "open"


def test_close_combat_1_stands_in_base_to_base_contact() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), spears(2, (50, 57.5)))
    assert close_combat.bouts(state, state.units[1]) == ((2, 8),)
    assert close_combat.bouts(state, state.units[2]) == ((1, 6),)
    state.units[2].at = point(50, 57.3)
    assert close_combat.bouts(state, state.units[1]) == ()


def test_close_combat_1_a_flank_is_narrow() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), spears(2, (58.75, 60), 270))
    assert close_combat.bouts(state, state.units[1]) == ((2, 2),)
    assert close_combat.bouts(state, state.units[2]) == ((1, 2),)


def test_close_combat_1_each_stand_fights_the_first_enemy_it_touches() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (46.25, 57.5), stands=6),
        spears(3, (53.75, 57.5), stands=6),
    )
    found = close_combat.bouts(state, state.units[1])
    assert sum(bout.figures for bout in found) == 12
    assert {bout.target for bout in found} == {2, 3}


def charging(distance: float, pace: int, **more: Any) -> tuple[State, Any]:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 57.5 - distance)),
        orders=order(2, "charge", combat="close combat"),
        paces={2: pace},
        question=ToMove(MAHDIST),
        **more,
    )
    return state, movement.contact_at(state, state.units[2], state.units[1])


def test_close_combat_1_the_odds_count_the_stands_that_will_be_in_contact() -> None:
    """Stands that touch only at their corners do not fight."""
    state = battle(
        unit(1, "british", "infantry", (50, 60), stands=3, seen=True),
        spears(2, (50, 45), stands=1),
        orders=order(2, "charge", combat="close combat"),
        paces={2: 1600},
        question=ToMove(MAHDIST),
    )
    form = turn_form(state, MAHDIST)
    assert form is not None
    [charge] = [choice for choice in form.choices if choice.kind is QuestionKind.CHARGE]
    found = movement.contact_at(state, state.units[2], state.units[1])
    assert found is not None
    state.units[2].at = found.at
    assert close_combat.bouts(state, state.units[2]) == ((1, 2),)
    assert close_combat.bouts(state, state.units[1]) == ((2, 2),)
    assert charge.detail.endswith("average 2.0 against 1.3")


def test_close_combat_1_front_against_the_nearest_side() -> None:
    state, found = charging(15, 1600)
    assert found is not None
    assert found.facing == 180
    outcome = rules.play(state, a.Close(2, 1), ScriptedDice(*[1] * 40))
    (moved,) = [event for event in outcome.events if isinstance(event, e.Moved)]
    assert (moved.target, moved.rate) == (1, Rate.CHARGE)
    assert board.contacts(state.units[1], state.units[2])


def test_close_combat_1_not_further_than_the_dice_allow_and_not_without_the_order() -> None:
    state, found = charging(15, 1200)
    assert found is None
    with pytest.raises(IllegalAction, match="cannot come into contact"):
        rules.check(state, a.Close(2, 1))
    state, _ = charging(15, 1600)
    state.orders = order(2, "charge")
    with pytest.raises(IllegalAction, match="no order to close"):
        rules.check(state, a.Close(2, 1))


def test_close_combat_1_there_is_room_for_so_many_only() -> None:
    friends = [spears(10 + nth, (42.5 + 7.5 * nth, 57.5)) for nth in range(3)]
    state = battle(
        unit(1, "british", "infantry", (50, 60), stands=4),
        spears(2, (50, 42)),
        *friends,
        orders=order(2, "charge", combat="close combat"),
        paces={2: 1800},
        question=ToMove(MAHDIST),
    )
    assert movement.contact_at(state, state.units[2], state.units[1]) is None


def test_close_combat_1_an_advance_at_once_needs_no_order() -> None:
    state, _ = charging(10, 1500)
    state.orders, state.question = {}, ToAdvance(MAHDIST, 2, "impulse")
    rules.check(state, a.Close(2, 1))


@pytest.mark.parametrize(("style", "faces"), [("british", (4, 5, 6)), ("egyptian", (3, 4, 6))])
def test_close_combat_2_a_die_for_each_unwounded_figure(style: str, faces: tuple[int, ...]) -> None:
    """Faces of 3, 4 and 6 are a 3, a 4 and a 5 of average dice: as good as 4, 5 and 6."""
    state = battle(
        unit(1, style, "infantry", (50, 60), markers=(1, 0)), spears(2, (50, 57.5), stands=12)
    )
    made = carried_out(state, Step("close combat", (EGYPTIAN,)), dice=faces)
    assert happened(made, e.Fought)[0].casualties == 4


def test_close_combat_2_commanders_and_guns_defend_themselves() -> None:
    for arm, figures in (("command", 1), ("artillery", 2), ("transport", 2)):
        state = battle(
            unit(1, "british", arm, (50, 60), stands=1), spears(2, (50, 57.5), stands=12)
        )
        assert close_combat.bouts(state, state.units[1]) == ((2, figures),)


@pytest.mark.parametrize(("style", "nth", "against"), list(product(Style, range(3), range(3))))
def test_close_combat_3_casualties(style: Style, nth: int, against: int) -> None:
    wanted = int(CASUALTIES[nth][against].replace("-", "0"))
    defender = list(Grading)[against]
    assert close_combat.casualties(style, defender, LOWEST[style] + nth) == wanted


@pytest.mark.parametrize(("style", "defender"), list(product(Style, Grading)))
def test_close_combat_3_lower_scores_do_nothing(style: Style, defender: Grading) -> None:
    scores = range(1, LOWEST[style])
    assert not any(close_combat.casualties(style, defender, score) for score in scores)


def test_close_combat_3_all_the_dice_of_a_unit() -> None:
    assert close_combat.casualties_of(Style.REGULAR, (1, 3, 4, 5, 6)) == 4
    assert close_combat.casualties_of(Style.IRREGULAR, (2, 3, 4, 5), Grading.MEDIUM) == 2


def test_close_combat_4_markers_are_placed_when_both_have_thrown() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 57.5)),
        combat=Combat.CLOSE,
        volleys=[Volley(1, 2, 3), Volley(2, 1, 4)],
    )
    carried_out(state, Step("casualties"))
    assert (state.units[1].casualties, state.units[2].casualties) == (4, 3)
