"""Expected results of dice, against dice counted out."""

from itertools import product
from math import isclose

import pytest

from battles.books.restless_natives.commander import scene
from battles.books.restless_natives.firing import destroyed_stands
from battles.books.restless_natives.pieces import Troops

DICE = range(1, 7)


@pytest.mark.parametrize(("dice", "score"), [(1, 4), (2, 7), (3, 10), (3, 18)])
def test_the_chance_of_a_sum_is_the_share_of_throws_that_come_to_it(dice: int, score: int) -> None:
    throws = [sum(throw) for throw in product(DICE, repeat=dice)]
    share = sum(total >= score for total in throws) / len(throws)
    assert isclose(scene.at_least(dice, score), share)


def test_a_die_for_rough_terrain_is_taken_off() -> None:
    throws = [one + other - less for one, other, less in product(DICE, repeat=3)]
    share = sum(total >= 6 for total in throws) / len(throws)
    assert isclose(scene.at_least(2, 6, less=1), share)


def test_morale_the_british_pass_more_often_than_natives() -> None:
    assert scene.passes(Troops.BRITISH, 3) > scene.passes(Troops.SUDANESE, 3)
    assert scene.passes(Troops.NATIVE, 2) == 0


def test_fire_is_worth_the_stands_it_destroys_at_least() -> None:
    throws = list(product(DICE, repeat=4))
    mean = sum(destroyed_stands(throw) for throw in throws) / len(throws)
    assert scene.fire(4, scene.OPEN, Troops.BRITISH, 6) > mean
    assert scene.fire(4, scene.COVERED, Troops.BRITISH, 6) < mean


def test_more_dice_are_worth_more() -> None:
    worth = [scene.combat(dice, Troops.BRITISH, 4) for dice in range(13)]
    assert worth == sorted(worth)
    assert worth[0] == 0
