"""The front door against whatever is thrown at it: refused with a clause, and nothing changed."""

from typing import Any

import pytest

from battles.core.decoding import encode
from battles.core.dice import ChainedDice
from battles.core.game import IllegalAction
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import answers_to
from campaign.rules.core.state import clone
from campaign.rules.map import HexId
from campaign.staff import answer
from tests.positions import position
from tests.rules.helpers import happen, ids, march, refused

STACK = "0641: 4 infantry british"
HERE = HexId(641)


def units(*numbers: int) -> tuple[UnitId, ...]:
    return tuple(map(UnitId, numbers))


def reinforcing() -> Any:
    return position(STACK, phase="reinforcement")


@pytest.mark.parametrize(
    "action",
    [
        a.Withdraw(units(1, 1)),
        a.Withdraw(units(1, 2, 1)),
        a.Withdraw(units(0)),
        a.Withdraw(units(-1)),
        a.Withdraw(units(2**70)),
        a.Place(-1, HERE),
        a.Place(7, HERE, units(1)),
        a.Dismount(units(1, 1)),
    ],
    ids=str,
)
def test_units_that_are_not_there_or_are_named_twice_are_refused(action: Any) -> None:
    state, before = reinforcing(), encode(reinforcing())
    with pytest.raises(IllegalAction) as refusal:
        rules.check(state, action)
    assert refusal.value.clause
    assert refusal.value.remedy or refusal.value.reason
    assert encode(state) == before


def test_a_unit_cannot_be_named_twice_to_fall_out() -> None:
    state = position("0641: 8 infantry egyptian R disrupted", month="1884-12")
    march(state, "0641", dice=(4,))
    assert isinstance(state.question, q.ToDisrupt)
    refused(state, a.Pick(units(1, 1, 2)), "5.0")


def test_a_unit_cannot_die_twice_of_thirst() -> None:
    state = position("0641: 8 infantry egyptian R", phase="attrition", month="1884-12")
    happen(state, "attrition", [3])
    assert state.question.affected == 6
    refused(state, a.Pick(units(1, 1, 2, 3, 4, 5, 6)), "5.0")


def test_a_unit_cannot_be_dropped_off_or_march_twice() -> None:
    state = position(STACK, month="1884-12")
    march(state, "0641")
    refused(state, a.DropOff(units(1, 1)), "5.0")
    refused(state, a.March((*ids(state, "0641"), *units(1))), "5.0")


@pytest.mark.parametrize(
    "action",
    [
        a.Deploy(None, 641),  # type: ignore[arg-type]
        a.Deploy((1,), "Khartoum"),  # type: ignore[arg-type]
        a.Deploy(("Gordon",), 641),  # type: ignore[arg-type]
        a.Deploy((1,), 6.5),  # type: ignore[arg-type]
        a.Deploy((object(),), 641),  # type: ignore[arg-type]
    ],
    ids=["nothing", "name", "leader", "fraction", "object"],
)
def test_what_is_not_well_formed_is_refused(action: Any) -> None:
    refused(rules.new_game("siege-of-khartoum"), action, "5.0")


@pytest.mark.parametrize("nonsense", [None, 5, "Done", a.Done, a.Halt()], ids=str)
def test_what_answers_another_question_is_refused(nonsense: Any) -> None:
    refused(rules.new_game("siege-of-khartoum"), nonsense, "5.0")


def test_lists_do_as_well_as_tuples() -> None:
    state = position(STACK, month="1884-12")
    rules.check(state, a.March([1, 2]))  # type: ignore[arg-type]


def test_an_answer_of_another_kind_is_refused_and_one_of_these_is_looked_at() -> None:
    state = reinforcing()
    known = answers_to(state.question)
    assert known == (a.Place, a.Withdraw, a.Dismount, a.Done)
    refusals = [why_not(state, one) for one in (a.Place(7, HERE), a.Withdraw(units(0)))]
    assert not any("waits for something else" in one for one in refusals)
    assert "waits for something else" in why_not(state, a.Halt())
    assert "Choose one of the answers that are offered." in why_not(state, a.Halt())


def why_not(state: Any, action: Any) -> str:
    with pytest.raises(IllegalAction) as refusal:
        rules.check(state, action)
    return f"{refusal.value.reason} {refusal.value.remedy}"


def test_a_copy_is_the_same_campaign_and_shares_nothing_that_play_changes() -> None:
    """Play a copy on from moments with a march, a combat and units due; the original stays."""
    state, dice = rules.new_game("siege-of-khartoum"), ChainedDice(b"copy")
    compared: set[int] = set()
    last = state.month + 2
    while len(compared) < 4 or state.month < last:
        before, copied = encode(state), clone(state)
        assert encode(copied) == before
        compared |= {state.march is not None, 2 + (state.combat is not None)}
        for _ in range(12):
            rules.play(copied, answer(copied), dice)
        assert encode(state) == before
        for _ in range(7):
            rules.play(state, answer(state), dice)
