"""A battle told again: nothing that was thrown is left out, and it ends as it ended."""

from collections import Counter

import pytest

from battles import replay, serialization
from battles.contract.brief_files import ready_battles
from battles.models import Battle
from battles.prose import Sentence
from battles.replay import Picture
from battles.services import record
from tests.battles_web.field import BOOK, KEY


@pytest.fixture
def told(battle: Battle) -> tuple[Picture, ...]:
    return replay.pictures(battle)


def sentences(told: tuple[Picture, ...]) -> list[Sentence]:
    return [one for picture in told for one in picture.sentences]


def test_there_is_a_picture_of_every_turn(battle: Battle, told: tuple[Picture, ...]) -> None:
    assert [picture.turn for picture in told] == list(range(battle.turns + 1))
    assert told[0].title == "The sides are drawn up"
    assert told[1].title == "Turn 1"


def test_every_throw_stands_behind_one_sentence(battle: Battle, told: tuple[Picture, ...]) -> None:
    thrown = Counter(roll for one in battle.entries.all() for roll in serialization.rolls_of(one))
    assert Counter(roll for one in sentences(told) for roll in one.rolls) == thrown


def test_every_sentence_says_something(told: tuple[Picture, ...]) -> None:
    for one in sentences(told):
        assert one.text.lstrip("“")[0].isupper()
        assert one.text[-1] in ".!"


def test_the_last_picture_is_the_state_at_the_end(
    battle: Battle, told: tuple[Picture, ...]
) -> None:
    state = serialization.state_of(battle)
    there = {unit.id: unit.figures for unit in state.units.values()}
    shown = {line.number: line.left for line in told[-1].roll if line.fate == "on the field"}
    assert {number: shown[number] for number in there} == there
    pieces = {piece.number for piece in told[-1].scene.pieces}
    assert pieces == {*state.units, *state.leaders}


def test_the_roll_keeps_those_who_are_gone(battle: Battle, told: tuple[Picture, ...]) -> None:
    numbers = [line.number for line in told[0].roll]
    assert all([line.number for line in picture.roll] == numbers for picture in told)
    state = serialization.state_of(battle)
    fates = {line.number: line.fate for line in told[-1].roll}
    assert {fates[unit.id] for unit in state.lost} <= {"destroyed"}
    assert {fates[unit.id] for unit in state.left} <= {"left the field"}


def test_the_first_picture_is_drawn_up_without_dice(told: tuple[Picture, ...]) -> None:
    assert [one.rolls for one in told[0].sentences if one.rolls] == []
    assert told[0].scene.tracks == told[0].scene.shots == ()


@pytest.mark.parametrize("slug", [one.slug for one in ready_battles()])
def test_every_battle_on_offer_can_be_told(db: None, slug: str) -> None:
    brief = next(one.brief for one in ready_battles() if one.slug == slug)
    battle = record("person:0", brief, BOOK, KEY)
    told = replay.pictures(battle)
    assert len(told) == battle.turns + 1
    thrown = sum(len(serialization.rolls_of(one)) for one in battle.entries.all())
    assert sum(len(one.rolls) for one in sentences(told)) == thrown
