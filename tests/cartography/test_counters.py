"""Counters: what is printed on them, and that a shaken unit is known without its colour."""

import pytest

from battles.contract.brief import Nation, Quality, TroopKind
from battles.drawing.pieces import LINES, SOLIDS, pictogram
from campaign.cartography import counter
from campaign.cartography.counters import value
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId
from tests.cartography.reading import of_class, read, words
from tests.positions import position


def unit(kind: TroopKind, nation: Nation = Nation.BRITISH, **fields: object) -> Unit:
    quality, strength = fields.pop("quality", Quality.LINE), fields.pop("strength", 2)
    return Unit(UnitId(1), kind, nation, quality, strength, HexId(2042), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("nation", Nation)
@pytest.mark.parametrize("kind", [kind for kind in TroopKind if kind is not TroopKind.LEADER])
def test_every_arm_of_every_nation_has_its_counter(kind: TroopKind, nation: Nation):
    drawing = read(counter(unit(kind, nation)))
    (card,) = of_class(drawing, "unit")
    assert card.get("class") == f"unit {nation}"
    assert of_class(drawing, "sign") or of_class(drawing, "solid")


def test_no_two_arms_look_alike():
    assert len({pictogram(kind) for kind in TroopKind}) == len(TroopKind)
    assert all(LINES[kind] or SOLIDS[kind] for kind in TroopKind)


def test_strength_and_quality_are_printed_large():
    assert value(unit(TroopKind.INFANTRY, strength=3, quality=Quality.VETERAN)) == "3V"
    drawing = read(counter(unit(TroopKind.SPEARS, strength=1, quality=Quality.FANATIC)))
    assert [words(text) for text in of_class(drawing, "value")] == ["1F"]


@pytest.mark.parametrize(
    "kind", [TroopKind.SUPPLY, TroopKind.CAMEL, TroopKind.BOAT, TroopKind.GUNBOAT, TroopKind.FLEET]
)
def test_what_does_not_fight_hand_to_hand_has_no_figures(kind: TroopKind):
    assert value(unit(kind)) == ""


def test_7_leaders_show_name_and_ratings():
    gordon = next(iter(position("Khartoum: Gordon").units.values()))
    drawing = read(counter(gordon))
    assert [words(text) for text in of_class(drawing, "unit-name")] == ["Gordon"]
    assert [words(text) for text in of_class(drawing, "ratings")] == ["2·1"]


def test_9_7_a_disrupted_unit_is_tilted_and_has_a_second_sign():
    steady = read(counter(unit(TroopKind.CAVALRY)))
    shaken = read(counter(unit(TroopKind.CAVALRY, disrupted=True)))
    assert not of_class(steady, "alarm")
    assert of_class(shaken, "alarm")
    assert of_class(steady, "unit")[0].get("transform") is None
    assert "rotate" in of_class(shaken, "unit")[0].get("transform", "")


def test_indians_and_australians_both_wear_khaki_and_differ_by_a_band():
    bands = {
        nation: [of_class(read(counter(unit(TroopKind.INFANTRY, nation))), f"band-{other}")
                 for other in ("indian", "australian")]
        for nation in Nation
    }  # fmt: skip
    assert bands[Nation.INDIAN][0]
    assert bands[Nation.AUSTRALIAN][1]
    assert not any(bands[Nation.BRITISH])


def test_a_long_name_is_drawn_narrow_enough_for_the_card():
    drawing = read(counter(unit(TroopKind.CAMEL_CORPS, name="Guards <Camel> Corps")))
    (name,) = of_class(drawing, "unit-name")
    assert words(name) == "Guards <Camel> Corps"
    assert int(name.get("textLength", "0")) < 76
