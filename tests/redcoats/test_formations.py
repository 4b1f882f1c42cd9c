"""Unit tactical formations, Squares of battalions and brigades, and what shares a square."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import (
    brigades,
    casualties,
    charging,
    commander,
    form_answers,
    movement,
    offers,
    turn_form,
)
from battles.books.redcoats import events as e
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import fall_back
from battles.books.redcoats.field import Aspect, parse_square
from battles.books.redcoats.hand_to_hand import figures_fighting
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import Brigade, Combat, State, Unit
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction
from battles.turn_form import InvalidForm
from tests.redcoats.field import EGYPTIAN, act, activated, battle, kinds, leader, on, unit

FRONT, FLANK, REAR = Aspect.FRONT, Aspect.FLANK, Aspect.REAR


def square(*more: Unit, cavalry: bool = True) -> State:
    """Return the brigade Square of the book's picture, its front to the north."""
    faces = (("E5", "N"), ("F6", "E"), ("E7", "S"), ("D6", "W"))
    units = [
        unit(place + 1, "british", "infantry", at, looks, formation="square", brigade=1)
        for place, (at, looks) in enumerate(faces)
    ]
    units.append(unit(5, "british", "artillery", "F5", "N", brigade=1))
    units.append(unit(6, "british", "machine gun", "D7", "S", brigade=1))
    if cavalry:
        units.append(unit(7, "british", "cavalry", "E6", "N", brigade=1))
    return battle(*units, *more, leader(40, "british", "E6"), brigades=(Brigade(1, 0),))


def test_formations_1_every_formation_has_its_row() -> None:
    assert all(book().formation(formation).formation is formation for formation in Formation)


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        ("infantry", "line, march column, column, square"),
        ("cavalry", "line, column"),
        ("camelry", "line, column"),
        ("artillery", "deployed, limbered"),
        ("machine gun", "deployed, limbered"),
    ],
)
def test_formations_2_anglo_egyptian_formations(kind: str, allowed: str) -> None:
    one = unit(1, "egyptian", kind, "D5")
    assert ", ".join(form for form in Formation if movement.may_take(one, form)) == allowed


@pytest.mark.parametrize(
    ("kind", "allowed"), [("infantry", "en masse"), ("artillery", "deployed, limbered")]
)
def test_formations_3_dervish_formations(kind: str, allowed: str) -> None:
    one = unit(1, "dervish", kind, "D5")
    assert ", ".join(form for form in Formation if movement.may_take(one, form)) == allowed


@pytest.mark.parametrize(
    ("formation", "moves", "fires"),
    [("line", 0, 4), ("march column", 2, 1), ("column", 1, 2), ("square", -1, 1)],
)
def test_formations_4_movement_and_firing(formation: str, moves: int, fires: int) -> None:
    one = unit(1, "british", "infantry", "D5", formation=formation)
    assert (movement.movement(one), movement.figures_that_fire(one)) == (moves, fires)


def test_formations_4_batteries_and_transport() -> None:
    deployed = unit(1, "british", "artillery", "D5")
    limbered = unit(2, "british", "artillery", "E5", formation="limbered")
    wagons = unit(3, "british", "transport", "F5")
    assert [movement.figures_that_fire(one) for one in (deployed, limbered, wagons)] == [4, 0, 0]
    assert [movement.movement(one) for one in (deployed, limbered, wagons)] == [-1, 0, -1]


def test_formations_4_fewer_figures_than_bases_fire_as_many_as_there_are() -> None:
    one = unit(1, "british", "infantry", "D5", formation="column", figures=1)
    assert movement.figures_that_fire(one) == 1
    assert movement.figures_that_fire(unit(2, "dervish", "infantry", "D5", armed=False)) == 0


def test_formations_5_who_may_charge() -> None:
    allowed = {form for form in Formation if movement.may_charge_in(form)}
    assert allowed == {Formation.LINE, Formation.COLUMN, Formation.EN_MASSE}


@pytest.mark.parametrize(
    ("troops", "kind", "formation", "fight"),
    [
        ("british", "infantry", "line", (4, 1, 0)),
        ("british", "infantry", "march column", (1, 0, 0)),
        ("british", "infantry", "column", (2, 2, 2)),
        ("british", "infantry", "square", (4, 4, 4)),
        ("dervish", "infantry", "en masse", (4, 2, 2)),
        ("british", "artillery", "deployed", (2, 2, 2)),
        ("british", "artillery", "limbered", (0, 0, 0)),
        ("british", "transport", "transport", (0, 0, 0)),
    ],
)
def test_formations_6_bases_that_fight(
    troops: str, kind: str, formation: str, fight: tuple[int, int, int]
) -> None:
    one = unit(1, troops, kind, "D5", formation=formation)
    assert tuple(movement.figures_that_fight(one, side) for side in (FRONT, FLANK, REAR)) == fight


def test_formations_7_a_square_fires_one_figure_anywhere_and_meets_charges_with_all() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5", "N", formation="square"),
        unit(20, "dervish", "infantry", "D7"),
        leader(40, "british", "D5"),
    )
    one = state.units[1]
    assert [(shot.unit, shot.needs) for shot in casualties.targets(state, one)] == [(20, 1)]
    assert charging.facing_charge(state, one, REAR) == 4 + 1


def test_formations_8_a_face_fires_all_its_figures_and_that_way_alone() -> None:
    state = square(unit(20, "dervish", "infantry", "E3"), unit(21, "dervish", "infantry", "E8"))
    assert [(shot.unit, shot.needs) for shot in casualties.targets(state, state.units[1])] == [
        (20, 4)
    ]


def test_formations_8_example_of_a_brigade_square_its_top_face_charged() -> None:
    state = square()
    assert charging.facing_charge(state, state.units[1], FRONT) == 4 + 2


def test_formations_8_example_of_a_brigade_square_its_right_face_charged() -> None:
    state = square()
    assert charging.facing_charge(state, state.units[2], FRONT) == 4


def test_formations_8_a_square_without_a_battery_is_fully_formed_without_a_battalion_not() -> None:
    state = square(unit(20, "dervish", "infantry", "D4", "S"))
    on(state).emit(e.Lost(unit=5, cause="combat"))
    assert charging.struck_aspect(state, state.units[1], parse_square("F5")) is FRONT
    assert brigades.is_shut(state, state.units[1], parse_square("E4"))
    fall_back(on(state), state.units[3], 2, (4, 4))
    assert not brigades.is_shut(state, state.units[1], parse_square("E4"))
    assert charging.struck_aspect(state, state.units[1], parse_square("F6")) is REAR


def test_formations_8_moves_as_one_along_its_front() -> None:
    state = square()
    activated(state, 1, 4, also=[2, 3, 4, 5, 6, 7], loss=1, leader=40)
    found = offers.reach(state)
    assert found is not None
    assert [(end.square, end.facing) for end in found.ends() if end.facing == 0] == [
        (parse_square("D4"), 0)
    ]
    act(state, a.Move((parse_square("D4"),), 0))
    assert [one.square for one in state.units.values()][:2] == [
        parse_square("E4"),
        parse_square("F5"),
    ]
    assert state.leaders[40].square == parse_square("E5")
    assert brigades.fully_formed(state, 1)


def test_formations_8_another_front_is_a_turn_and_diagonally_it_does_not_go() -> None:
    state = square()
    assert brigades.path_cost(state, 1, (parse_square("E5"),), 2) == 1 + 2
    with pytest.raises(IllegalAction, match="barred"):
        brigades.path_cost(state, 1, (parse_square("E4"),), 0)
    with pytest.raises(IllegalAction, match="fronts north, east, south or west"):
        brigades.path_cost(state, 1, (), 1)


def test_formations_8_a_unit_that_moves_for_itself_leaves_the_square() -> None:
    state = activated(square(), 1, 4, loss=1)
    outcome = act(state, a.Move((parse_square("E4"),), 0))
    assert kinds(outcome)[:2] == ["BrigadeLeft", "Moved"]
    assert not brigades.fully_formed(state, 1)


def test_formations_8_without_a_battalion_a_square_is_dissolved_and_its_batteries_fire_twice() -> (
    None
):
    state = square()
    assert offers.times(state.units[5]) == 1
    for battalion in (1, 2, 3):
        fall_back(on(state), state.units[battalion], 1, (4, 4))
    assert [one.id for one in brigades.members(state, 1)] == [4, 5, 6, 7]
    on(state).emit(e.Lost(unit=4, cause="combat"))
    assert not brigades.members(state, 1)
    assert offers.times(state.units[5]) == 2


def brigade_of(*at: str, points: int, beset: tuple[str, ...] = ()) -> State:
    """Return co-ordinated battalions in those squares, the first activated, a Leader with it."""
    units = [unit(place, "british", "infantry", name) for place, name in enumerate(at, start=1)]
    gun = unit(9, "british", "artillery", "F5", "N")
    foes = [unit(number, "dervish", "infantry", at, "S") for number, at in enumerate(beset, 20)]
    state = battle(*units, gun, *foes, leader(40, "british", at[0]))
    state.queue, state.queue_leader = [*range(2, len(at) + 1), 9], 40
    return activated(state, 1, points, leader=40)


def test_formations_8_four_battalions_round_a_square_turn_outwards() -> None:
    state = brigade_of("E5", "F6", "E7", "D6", points=2)
    act(state, a.FormBrigade())
    assert [one.facing for one in state.units.values()] == [0, 2, 4, 6, 0]
    assert [one.formation for one in state.units.values()] == ["square"] * 4 + ["deployed"]
    assert brigades.fully_formed(state, 1)
    assert state.leaders[40].square == parse_square("E6")
    assert state.queue == []


def test_formations_8_three_in_line_form_a_square_on_the_march() -> None:
    state = brigade_of("E7", "D7", "F7", points=4)
    best = offers.brigade_formings(state)[0]
    assert (best.middle, best.cost) == (parse_square("E7"), 2 + 2)
    act(state, a.FormBrigade())
    places = {one.square: one.facing for one in state.units.values() if one.brigade}
    assert places == {parse_square("E6"): 0, parse_square("D7"): 6, parse_square("F7"): 2}
    assert brigades.fully_formed(state, 1)
    assert state.leaders[40].square == parse_square("E7")


def test_formations_8_a_column_of_four_needs_the_points_for_its_way() -> None:
    state = brigade_of("E5", "E6", "E7", "D6", points=3)
    assert not offers.brigade_formings(state)
    with pytest.raises(IllegalAction, match="No brigade Square can be formed there"):
        act(state, a.FormBrigade())
    state = brigade_of("E5", "E6", "E7", "D6", points=5)
    act(state, a.FormBrigade(parse_square("E6")))
    assert {one.square for one in state.units.values() if one.brigade} == {
        parse_square(at) for at in ("E5", "F6", "E7", "D6", "F5")
    }


def test_formations_8_two_battalions_and_dervishes_form_no_square() -> None:
    assert not offers.brigade_formings(brigade_of("E5", "F6", points=6))
    rubs = [unit(n, "dervish", "infantry", at) for n, at in enumerate(("E5", "F6", "D6"), start=1)]
    state = battle(*rubs, leader(40, "dervish", "E6"))
    state.queue, state.queue_leader = [2, 3], 40
    assert not offers.brigade_formings(activated(state, 1, 6, leader=40))


def test_formations_8_a_square_of_three_is_struck_in_rear_from_its_open_side_alone() -> None:
    state = brigade_of("E5", "D6", "F6", points=2)
    act(state, a.FormBrigade())
    assert brigades.open_side(state, 1) == 4
    struck = [
        charging.struck_aspect(state, state.units[1], parse_square(at)) for at in ("E4", "F5", "E6")
    ]
    assert struck == [FRONT, FRONT, REAR]
    fall_back(on(state), state.units[2], 2, (4, 4))
    assert charging.struck_aspect(state, state.units[1], parse_square("D5")) is FLANK


def test_formations_8_the_commander_forms_one_when_beset() -> None:
    state = brigade_of("E5", "D6", "F6", points=4, beset=("E3", "E7", "D4"))
    rules.play(state, commander.answer(state), ScriptedDice())
    assert commander.answer(state) == a.FormBrigade(parse_square("E6"))
    forms = turn_form.turn_form(state, EGYPTIAN, 1)
    assert forms is not None
    assert "Form a brigade Square of 3 round E6" in [one.label for one in forms.choices]


def test_restrictions_1_a_leader_stops_with_any_friend() -> None:
    state = battle(unit(1, "british", "infantry", "D5"), leader(40, "british", "D7"))
    activated(state, 40, 4)
    act(state, a.Move((parse_square("D6"), parse_square("D5")), 0))
    assert state.leaders[40].square == state.units[1].square


def test_restrictions_2_gunners_share_with_one_friend_and_count_beside_it() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(2, "british", "machine gun", "D5"),
        unit(3, "british", "artillery", "D7"),
    )
    one = state.units[1]
    assert charging.facing_charge(state, one, FRONT) == figures_fighting(state, one, FRONT) == 6
    assert not movement.may_share(state.units[3], [one, state.units[2]])
    assert movement.may_share(state.units[3], [one])


def test_restrictions_2_gunners_join_a_disorganised_friend_and_do_not_pass_him() -> None:
    shaken = unit(1, "british", "infantry", "D6", disorganised=True)
    state = battle(shaken, unit(2, "british", "artillery", "D7", formation="limbered"))
    battery = state.units[2]
    assert movement.path_cost(state, battery, [parse_square("D6")], battery.facing) == 2
    with pytest.raises(IllegalAction, match="cannot go from D6 to D5"):
        movement.path_cost(state, battery, [parse_square("D6"), parse_square("D5")], battery.facing)


def test_restrictions_2_gunners_go_with_the_unit_they_stand_behind() -> None:
    state = battle(unit(1, "british", "infantry", "D5"), unit(2, "british", "machine gun", "D5"))
    fall_back(on(state), state.units[1], 2, (4, 0))
    assert state.units[2].square == state.units[1].square == parse_square("D7")


def test_restrictions_3_opponents_share_a_square_only_in_combat() -> None:
    state = battle(unit(1, "british", "infantry", "D5"), unit(20, "dervish", "infantry", "D4"))
    assert movement.step_cost(state, state.units[1], parse_square("D5"), 0) is None
    state.units[20].square = parse_square("D5")
    state.combats.append(Combat(20, 1, FRONT, 1))
    third = unit(3, "british", "cavalry", "D6")
    assert charging.charges(state, third, 6) == []


def test_restrictions_4_passing_a_friend_costs_two_more_and_not_when_disorganised() -> None:
    state = battle(unit(1, "british", "infantry", "D6"), unit(2, "british", "infantry", "D5"))
    path = (parse_square("D5"), parse_square("D4"))
    assert movement.path_cost(state, state.units[1], path, 0) == 2 + 2 + 2
    with pytest.raises(IllegalAction, match="may not stop in D5"):
        movement.path_cost(state, state.units[1], path[:1], 0)
    state.units[2].disorganised = True
    with pytest.raises(IllegalAction, match="cannot go from D5 to D4"):
        movement.path_cost(state, state.units[1], path, 0)


def test_restrictions_4_nobody_charges_through_a_friend() -> None:
    state = battle(
        unit(20, "dervish", "infantry", "D6"),
        unit(21, "dervish", "infantry", "D5"),
        unit(1, "british", "infantry", "D4"),
    )
    straight = [attack.path for attack in charging.charges(state, state.units[20], 8)]
    assert all(parse_square("D5") not in path for path in straight)


def test_an_umpire_corrects_the_losses_of_a_unit_in_a_brigade_square_and_not_its_place() -> None:
    state = square()
    corrected = form_answers.read_correction(state, {"unit": "1", "left": "2"})
    rules.fold(state, (corrected,))
    assert state.units[1].figures == 2
    assert state.units[1].brigade == 1
    for elsewhere in ({"place": "A1"}, {"facing": "90"}):
        with pytest.raises(InvalidForm, match="keeps its place in the brigade square"):
            form_answers.read_correction(state, {"unit": "1", "left": "2"} | elsewhere)
