"""Dice: scripts that run out, chains that are the same everywhere, keys that differ."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.core.dice import (
    ChainedDice,
    DiceExhausted,
    DiceWanted,
    HandDice,
    ScriptedDice,
    chain_link,
    derive_key,
    month_key,
)

KEYS = st.binary(min_size=1, max_size=64)


def test_scripted_dice_fall_in_their_order() -> None:
    dice = ScriptedDice(1, 2, 3)
    assert dice.throw(2, 6) == (1, 2)
    assert dice.left == 1
    assert dice.throw(1, 6) == (3,)
    assert dice.left == 0


def test_dice_thrown_by_hand_fall_as_they_were_typed_in() -> None:
    dice = HandDice(4, 2)
    assert dice.throw(2, 6) == (4, 2)


def test_dice_thrown_by_hand_are_asked_for_when_they_are_wanted() -> None:
    dice = HandDice(4)
    dice.throw(1, 6)
    with pytest.raises(DiceWanted) as wanted:
        dice.throw(3, 10)
    assert (wanted.value.count, wanted.value.sides) == (3, 10)


def test_no_die_falls_as_none_of_its_faces() -> None:
    with pytest.raises(ValueError, match="cannot have fallen"):
        HandDice(7).throw(1, 6)


def test_scripted_dice_say_when_they_run_out() -> None:
    dice = ScriptedDice(4)
    with pytest.raises(DiceExhausted, match=r"2 dice are wanted and the script holds \[4\]"):
        dice.throw(2, 6)
    assert dice.left == 1


@pytest.mark.parametrize("face", [0, 7])
def test_scripted_dice_refuse_a_face_that_no_die_has(face: int) -> None:
    with pytest.raises(DiceExhausted, match="dice of 6 faces"):
        ScriptedDice(face).throw(1, 6)


def test_a_chain_gives_the_same_dice_on_every_machine() -> None:
    dice = ChainedDice(b"sirdar")
    assert dice.throw(10, 6) == (3, 1, 3, 1, 6, 1, 2, 4, 3, 6)


@given(KEYS, st.integers(1, 200), st.sampled_from([2, 3, 6, 20, 70, 100, 256]))
def test_every_die_falls_within_its_faces(key: bytes, count: int, sides: int) -> None:
    thrown = ChainedDice(key).throw(count, sides)
    assert len(thrown) == count
    assert all(1 <= face <= sides for face in thrown)


@given(KEYS, st.lists(st.integers(1, 40), min_size=1, max_size=8))
def test_dice_fall_alike_one_by_one_or_together(key: bytes, throws: list[int]) -> None:
    apart = ChainedDice(key)
    together = ChainedDice(key).throw(sum(throws), 6)
    assert tuple(face for count in throws for face in apart.throw(count, 6)) == together


@pytest.mark.parametrize("sides", [0, -6, 257])
def test_there_are_no_dice_of_so_many_faces(sides: int) -> None:
    with pytest.raises(ValueError, match="no dice of"):
        ChainedDice(b"key").throw(1, sides)


def test_the_faces_are_equally_likely() -> None:
    thrown = Counter(ChainedDice(b"fair").throw(60_000, 6))
    assert set(thrown) == {1, 2, 3, 4, 5, 6}
    assert all(abs(times - 10_000) < 400 for times in thrown.values())


def test_two_dice_in_a_row_do_not_know_of_each_other() -> None:
    dice = ChainedDice(b"pairs")
    pairs = Counter(dice.throw(2, 6) for _ in range(36_000))
    assert len(pairs) == 36
    assert all(abs(times - 1_000) < 150 for times in pairs.values())


@given(KEYS, KEYS)
def test_other_keys_give_other_dice(one: bytes, other: bytes) -> None:
    alike = ChainedDice(one).throw(40, 6) == ChainedDice(other).throw(40, 6)
    assert alike is (one.ljust(64, b"\0") == other.ljust(64, b"\0"))


def test_derived_keys_differ_by_parent_and_by_every_part() -> None:
    keys = [
        derive_key(b"parent", "branch", 1),
        derive_key(b"parent", "branch", 2),
        derive_key(b"parent", "branch", 1, 1),
        derive_key(b"other", "branch", 1),
        derive_key(b"parent", "branch1"),
    ]
    assert all(len(key) == 32 for key in keys)
    assert all(one != other for one, other in combinations(keys, 2))
    assert derive_key(b"parent", "branch", 1) == keys[0]


def test_each_link_of_a_chain_is_the_hash_of_the_one_before() -> None:
    seed = b"seed"
    assert chain_link(seed, 0) == seed
    assert chain_link(chain_link(seed, 3), 4) == chain_link(seed, 7)


def test_a_months_key_takes_every_salt_in_its_order() -> None:
    link = chain_link(b"seed", 5)
    keys = {
        month_key(link, [b"one", b"two"]),
        month_key(link, [b"two", b"one"]),
        month_key(link, [b"onetwo"]),
        month_key(link, [b"onet", b"wo"]),
        month_key(link, []),
        month_key(chain_link(b"seed", 6), [b"one", b"two"]),
    }
    assert len(keys) == 6
