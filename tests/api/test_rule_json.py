"""The JSON form of the rules' types: written and read back, in words a client knows."""

from typing import Annotated, Any

import msgspec
import pytest

from api.http.encoding import read_as
from api.http.problems import Problem
from api.http.rule_json import Naming, rule_form
from api.openapi.components import action_form, state_form
from battles.contract.book import book, books
from battles.contract.brief_files import ready_battles
from battles.core.decoding import NumberOrNone, none_is, rest_name
from battles.core.dice import ChainedDice
from campaign.orders.order_sheet import (
    FootLeg,
    MarchOrder,
    MonthOrders,
    RetreatInstruction,
    StandingInstructions,
)
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.map import HexId


class Late(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """A question with everything that a form changes; `to` may be missing."""

    units: tuple[UnitId, ...]
    month: Month
    to: HexId = HexId(0)
    leader: UnitId = UnitId(0)
    reason: str = ""


FORM = rule_form(Late)


class Rider(msgspec.Struct):
    """A piece that may be off the field, and aboard nothing."""

    square: Annotated[int, rest_name("square_index"), none_is(-1)]
    aboard: NumberOrNone = 0


def test_names_and_values_say_what_they_are() -> None:
    value = Late((UnitId(7),), Month(12 * 1884 + 2), HexId(358), UnitId(3), "late")
    written = {
        "type": "late",
        "unit_ids": [7],
        "month": "1884-03",
        "to_hex": "0358",
        "leader_id": 3,
        "reason": "late",
    }
    assert FORM.write(value) == written
    assert FORM.decode(written) == value


def test_none_is_null_and_may_be_left_out() -> None:
    value = Late((), Month(12 * 1884))
    written = FORM.write(value)
    assert (written["to_hex"], written["leader_id"], written["reason"]) == (None, None, None)
    assert FORM.decode(written) == value
    assert FORM.decode({"type": "late", "unit_ids": [], "month": "1884-01"}) == value


def test_a_number_that_means_none_is_null() -> None:
    form = rule_form(Rider)
    assert form.write(Rider(-1)) == {"square_index": None, "aboard": None}
    assert form.write(Rider(0, 3)) == {"square_index": 0, "aboard": 3}
    assert form.decode({"square_index": None, "aboard": 3}) == Rider(-1, 3)


@pytest.mark.parametrize("wrong", ["358", "35a8", 358, "03580", ""])
def test_a_hex_is_four_digits_and_nothing_else(wrong: object) -> None:
    with pytest.raises(msgspec.ValidationError, match="to_hex"):
        FORM.decode({"type": "late", "unit_ids": [], "month": "1884-01", "to_hex": wrong})


def test_every_wrong_field_is_named_by_its_pointer() -> None:
    sheet = {"order": 1, "orders": [{"type": "march", "hex": 358, "unit_ids": [1]}], "standing": 5}
    with pytest.raises(Problem) as found:
        read_as(MonthOrders, sheet)
    errors = {one["pointer"]: one["detail"] for one in found.value.members["errors"]}
    assert errors.keys() == {"/order", "/orders/0/hex", "/standing"}
    assert errors["/orders/0/hex"] == (
        'Expected the four digits of a hex, such as "0358", got a whole number.'
    )
    assert errors["/order"].startswith("No such field; known here: orders,")


def test_an_order_sheet_is_written_with_its_defaults_and_read_back() -> None:
    orders = MonthOrders(
        (MarchOrder(HexId(358), (UnitId(1),), (FootLeg(HexId(1734)),)),),
        standing=StandingInstructions(retreat=RetreatInstruction(HexId(2042))),
    )
    form = rule_form(MonthOrders)
    written = form.write(orders)
    march = written["orders"][0]
    assert (march["type"], march["contact"], march["if_battle"]) == ("march", "stop", None)
    leg = {"type": "foot", "to_hex": "1734", "route": [], "attack_only": False}
    assert march["legs"] == [leg]
    assert form.decode(msgspec.to_builtins(written)) == orders


@pytest.mark.parametrize("slug", sorted(books()))
def test_a_battle_and_its_answers_are_written_and_read_back(slug: str) -> None:
    engine: Any = book(slug).engine
    dice = ChainedDice(bytes(32))
    state, _ = engine.new_game(ready_battles()[0].brief, dice)
    states, actions = state_form(slug), action_form(slug)
    for _ in range(40):
        written = msgspec.json.decode(msgspec.json.encode(states.write(state)))
        assert written["type"] == slug.replace("-", "_")
        assert states.decode(written) == state
        action = engine.answer(state)
        sent = msgspec.json.decode(msgspec.json.encode(actions.write(action)))
        assert sent["type"].startswith(written["type"])
        assert actions.decode(sent) == action
        engine.play(state, action, dice)


def test_a_prefix_and_a_tag_keep_types_of_one_name_apart() -> None:
    form = rule_form(Late, Naming("Own", "own"))
    assert form.write(Late((), Month(12 * 1884)))["type"] == "own_late"
    assert form.type.__name__ == "OwnLate"
