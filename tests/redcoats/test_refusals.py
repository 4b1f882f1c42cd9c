"""Why a unit cannot fire at an enemy or charge it: the condition that fails, in words."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import refusals
from battles.books.redcoats.field import Terrain, parse_square
from battles.books.redcoats.pieces import Formation, Kind
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import State, Unit
from battles.core.game import IllegalAction
from tests.redcoats.field import EGYPTIAN, activated, battle, unit


def refused(state: State, action: Any, points: int = 12) -> str:
    """Return the words that refuse the action to unit 1."""
    activated(state, 1, points)
    with pytest.raises(IllegalAction) as refusal:
        rules.check(state, action)
    return str(refusal.value)


def meeting(enemy: str, *others: Unit, **more: Any) -> State:
    """Return a battle of a British battalion at D5, facing north, against a rub."""
    british = unit(1, "british", "infantry", "D5", **more)
    return battle(british, unit(20, "dervish", "infantry", enemy, "S"), *others)


RUB = "the Dervish rifle rub (20)"


@pytest.mark.parametrize(
    ("state", "points", "reason"),
    [
        (meeting("D1"), 6, f"fires 3 squares far: {RUB} is 4 away."),
        (meeting("D7"), 6, f"does not face {RUB}."),
        (meeting("D3"), 1, "A shot costs 2 action points: it has 1 left."),
        (meeting("D3", unit(2, "british", "infantry", "D4")), 6, f"Friends stand before {RUB}."),
    ],
)
def test_a_refused_shot_names_what_bars_it(state: State, points: int, reason: str) -> None:
    assert reason in refused(state, a.Fire(20), points)


def test_a_shot_through_cover_is_refused_for_want_of_sight() -> None:
    state = meeting("D3")
    state.field.ground[parse_square("D4")] = Terrain.SCRUB
    assert f"does not see {RUB}." in refused(state, a.Fire(20))


def test_a_train_has_no_firearms() -> None:
    state = meeting("D3")
    state.units[1].kind, state.units[1].armed = Kind.TRANSPORT, False
    assert refused(state, a.Fire(20)).endswith("has no firearms.")


def test_a_vessel_says_why_it_does_not_fire() -> None:
    state = meeting("D3")
    state.units[1].kind, state.units[1].formation = Kind.RIVER_BOAT, Formation.AFLOAT
    assert refused(state, a.Fire(20)).endswith("has no guns.")
    state.units[1].kind = Kind.GUNBOAT
    activated(state, 1, 6, fired=[Kind.ARTILLERY.value, Kind.MACHINE_GUN.value])
    assert "has fired its guns and its machine gun" in str(refusals.no_shot(state, 1, 20))
    activated(state, 1, 6, fired=[Kind.ARTILLERY.value])
    assert f"can still fire bears on {RUB}" in str(refusals.no_shot(state, 1, 20))


def test_a_side_that_breaks_off_neither_fires_nor_charges() -> None:
    state = meeting("D4")
    state.breaking_off = [EGYPTIAN]
    assert "breaks off neither fires nor charges" in refused(state, a.Fire(20))
    state.question = None
    assert "breaks off neither fires nor charges" in refused(state, a.Charge(20))


def test_a_refused_charge_names_the_points_the_front_or_the_way() -> None:
    far = refused(meeting("D1"), a.Charge(20), 6)
    assert f"The way to {RUB} costs 8 action points at least: it has 6 left." in far
    front = refused(meeting("D4"), a.Charge(20), 6)
    assert f"may charge {RUB} only in flank or rear, or once it is disorganised." in front
    barred = meeting(
        "D2", *(unit(n, "british", "infantry", s) for n, s in enumerate(("C4", "D4", "E4"), 2))
    )
    assert "No open way" in refused(barred, a.Charge(20), 6)
