"""The part of the map that a campaign changes."""

from collections import Counter
from xml.etree.ElementTree import Element

import pytest

from battles.contract.brief import Side
from campaign.cartography import chart, overlay, whole
from campaign.cartography.base_map import month_at
from campaign.cartography.sheet import MapSheet
from campaign.rules.core.state import OFF_MAP, State
from campaign.rules.map import Map
from campaign.rules.set_up import new_game
from tests.cartography.reading import moved, of_class, read, strokes, words
from tests.positions import SIEGE, besieged_khartoum, el_teb, hex_of, position


def drawn(the_map: Map, state: State) -> Element:
    return read(overlay(the_map, state))


def stack_at(root: Element, where: str, side: str) -> Element:
    number = f"{hex_of(where):04d}"
    found = [
        one
        for one in of_class(root, "stack")
        if one.get("data-hex") == number and one.get("data-side") == side
    ]
    (stack,) = found
    return stack


@pytest.mark.parametrize("state", [new_game(SIEGE), besieged_khartoum(), el_teb()])
def test_every_stack_is_drawn_once(the_map: Map, state: State):
    found = Counter(
        (one.get("data-hex"), one.get("data-side"))
        for one in of_class(drawn(the_map, state), "stack")
    )
    wanted = {(f"{u.hex:04d}", u.side) for u in state.units.values() if u.hex != OFF_MAP}
    assert found == Counter(dict.fromkeys(wanted, 1))


def test_a_stack_stands_in_its_hex(the_map: Map, sheet: MapSheet):
    root = drawn(the_map, besieged_khartoum())
    assert moved(stack_at(root, "Khartoum", "egyptian")) == sheet.centre(hex_of("Khartoum"))


def test_a_stack_can_be_reached_by_key_and_says_what_it_is(the_map: Map):
    stack = stack_at(drawn(the_map, besieged_khartoum()), "Khartoum", "egyptian")
    assert (stack.get("tabindex"), stack.get("role")) == ("0", "button")
    assert stack.get("aria-label") == (
        "Khartoum: seven Egyptian battalions, two guns, five gunboats, General Gordon, "
        "Colonel J. Stewart and the civilians; besieged"
    )


def test_a_stack_in_the_desert_is_named_from_the_nearest_place(the_map: Map):
    stack = stack_at(drawn(the_map, position("2332: 2 camel corps")), "2332", "egyptian")
    assert (
        stack.get("aria-label")
        == "2 hexes NW of Abu Klea Wells: two companies of British camel corps"
    )


def test_the_strongest_fighting_unit_lies_on_top(the_map: Map):
    state = position("Korti: Wolseley, supply, camel corps british 1V, infantry british 3V")
    stack = stack_at(drawn(the_map, state), "Korti", "egyptian")
    assert words(of_class(stack, "value")[0]) == "3V"


def test_a_stack_shows_how_many_counters_it_holds_and_holds_them(the_map: Map):
    stack = stack_at(drawn(the_map, besieged_khartoum()), "Khartoum", "egyptian")
    (count,), (fan,) = of_class(stack, "count"), of_class(stack, "fan")
    assert words(count) == "17"
    assert len(of_class(fan, "unit")) == 17
    assert stack.get("aria-expanded") == "false"


def test_a_single_unit_has_no_count_and_nothing_to_open(the_map: Map):
    stack = stack_at(drawn(the_map, position("Berber: infantry")), "Berber", "egyptian")
    assert not of_class(stack, "count") + of_class(stack, "fan")
    assert stack.get("aria-expanded") is None


def test_a_leader_in_a_stack_shows_his_flag(the_map: Map):
    root = drawn(the_map, position("Korti: Wolseley, infantry british", "Berber: infantry"))
    flags = {
        where: [
            one for one in stack_at(root, where, "egyptian").iter() if one.get("href") == "#u-flag"
        ]
        for where in ("Korti", "Berber")
    }
    assert (len(flags["Korti"]), len(flags["Berber"])) == (1, 0)


@pytest.mark.parametrize(
    ("units", "signs"),
    [("2 infantry", 0), ("infantry disrupted", 1), ("infantry 2L, infantry 1R disrupted", 2)],
)
def test_9_7_disruption_is_signed_on_the_stack_and_on_the_unit(
    the_map: Map, units: str, signs: int
):
    stack = stack_at(drawn(the_map, position(f"Berber: {units}")), "Berber", "egyptian")
    assert sum(one.get("href") == "#u-disrupted" for one in stack.iter()) == signs
    assert ("disrupted" in stack.get("aria-label", "")) is bool(signs)


def test_9_12_siege_works_stand_round_a_besieged_place_alone(the_map: Map):
    root = drawn(the_map, position("Khartoum: infantry", "2143: 3 spears", "Berber: infantry"))
    ringed = {
        one.get("data-hex")
        for one in of_class(root, "stack")
        if any(part.get("href") == "#u-siege" for part in one.iter())
    }
    assert ringed == {f"{hex_of('Khartoum'):04d}"}


def test_enemies_in_one_hex_stand_side_by_side(the_map: Map, sheet: MapSheet):
    root = drawn(the_map, position("Berber: infantry", "Berber: 2 spears"))
    left, right = (moved(stack_at(root, "Berber", side)) for side in Side)
    assert left[0] < sheet.centre(hex_of("Berber"))[0] < right[0]


def test_units_off_the_map_are_not_drawn(the_map: Map):
    state = position("Berber: infantry", "Khartoum: 2 infantry")
    state.units[next(iter(state.units))].hex = OFF_MAP
    assert len(of_class(drawn(the_map, state), "stack")) == 1


def test_3_2_every_place_flies_the_flag_of_who_holds_it(the_map: Map):
    state = position("Berber: infantry", held={"Shendi": "mahdist"})
    root = drawn(the_map, state)
    flags = Counter(one.get("class", "").split()[1] for one in of_class(root, "flag"))
    held = Counter(f"flag-{state.control[place.hex]}" for place in _chief_places(the_map))
    assert flags == held


def _chief_places(the_map: Map):
    return [p for p in the_map.places.values() if the_map.hexes[p.hex].place == p.name]


def test_3_4_a_railway_is_drawn_as_far_as_it_runs(the_map: Map, sheet: MapSheet):
    state = position()
    state.railheads = {"wady-halfa": 4, "souakim": 7}
    root = drawn(the_map, state)
    halfa, souakim = (list(strokes(line.get("d", ""))) for line in of_class(root, "rail"))
    begins, ends = sheet.centre(hex_of("Wady Halfa")), sheet.centre(hex_of("Sarras"))
    assert (halfa[0], halfa[-1]) == (begins, ends)
    railhead = the_map.tracks["souakim_berber"].hexes[6]
    assert souakim[-1] == sheet.centre(railhead)


def test_3_41_only_a_line_being_built_has_a_railhead(the_map: Map, sheet: MapSheet):
    state = position()
    state.railheads = {"wady-halfa": 4, "souakim": 1}
    marks = [one for one in drawn(the_map, state).iter() if one.get("href") == "#u-railhead"]
    assert [(int(one.get("x", "")), int(one.get("y", ""))) for one in marks] == [
        sheet.centre(hex_of("Souakim"))
    ]


def test_the_month_stands_in_the_title(the_map: Map, sheet: MapSheet):
    (month,) = of_class(drawn(the_map, position(month="1885-01")), "month")
    assert words(month) == "JANUARY 1885"
    assert (int(month.get("x", "")), int(month.get("y", ""))) == month_at(sheet)


def test_what_is_used_is_there(the_map: Map):
    root = drawn(the_map, new_game(SIEGE))
    ids = {one.get("id") for one in root.iter()}
    assert {one.get("href", "")[1:] for one in root.iter() if one.get("href")} <= ids


def test_the_page_gets_the_sheet_by_its_address_and_the_measures_of_the_grid(the_map: Map):
    svg = read(chart(the_map, position(), "/map-0123.svg", "/hex/0000/"))
    picture = next(one for one in svg if one.tag.endswith("image"))
    assert picture.get("href") == svg.get("data-sheet") == "/map-0123.svg"
    measures = ("columns", "rows", "column", "row")
    assert [svg.get(f"data-{name}") for name in measures] == ["62", "64", "90", "104"]
    standing = next(one for one in svg if one.get("id") == "standing")
    assert standing.get("data-hex-url") == "/hex/0000/"


def test_a_whole_document_moves_names_clear_of_the_counters(the_map: Map):
    bare, held = (read(whole(the_map, state)) for state in (None, position("Berber: infantry")))
    names = []
    for root in (bare, held):
        place = next(p for p in of_class(root, "place") if words(p) == "BERBER")
        names.append(next(one for one in place if one.tag.endswith("text")))
    assert abs(int(names[1].get("x", "0"))) > 38 > abs(int(names[0].get("x", "0")))


def test_without_a_campaign_the_railway_of_the_map_runs(the_map: Map):
    assert len(of_class(read(whole(the_map)), "rail")) == 2
