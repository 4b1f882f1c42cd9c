"""The printed sheet: what is on it, that it is small, and that it stays the same."""

import gzip
import subprocess
import sys
from collections import Counter
from itertools import combinations
from xml.etree.ElementTree import Element

import pytest

from campaign.cartography import base_digest, base_map
from campaign.cartography.base_map import HIGH, REFERENCE_OFF, REFERENCE_WIDE, TITLE_AT, WIDE
from campaign.cartography.lettering import Lettering, rank
from campaign.cartography.sheet import MapSheet
from campaign.rules.map import Map, Nav
from tests.cartography.reading import moved, of_class, strokes, words

DIGEST = (
    "from campaign.cartography import base_digest as d; "
    "from campaign.rules.map import sudan as s; print(d(s()))"
)


def test_it_is_small_enough_for_a_slow_line(the_map: Map):
    drawing = base_map(the_map).encode()
    assert len(drawing) <= 120_000
    assert len(gzip.compress(drawing)) <= 40_000


@pytest.mark.parametrize("seed", ["1", "2"])
def test_its_name_is_the_same_in_every_process(the_map: Map, seed: str):
    command = [sys.executable, "-c", DIGEST]
    told = subprocess.run(
        command, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == base_digest(the_map)


def test_every_place_is_there_by_name(the_map: Map, printed: Element):
    names = Counter(words(place) for place in of_class(printed, "place"))
    assert names == Counter(name.upper() for name in the_map.places)


def test_places_of_the_book_stand_out(the_map: Map, printed: Element):
    bold = {words(name) for name in of_class(printed, "book")}
    assert bold == {p.name.upper() for p in the_map.places.values() if p.in_rules}


def test_the_towns_of_the_book_are_read_from_furthest_off(the_map: Map, printed: Element):
    first = {words(p) for p in of_class(printed, "place") if "rank-1" in p.get("class", "")}
    assert {"KHARTOUM", "BERBER", "SOUAKIM", "DONGOLA", "EL OBEID"} <= first
    assert all(rank(p) <= 2 for p in the_map.places.values() if p.in_rules)


def test_a_place_is_drawn_within_its_hex(the_map: Map, sheet: MapSheet, printed: Element):
    by_name = {name.upper(): place for name, place in the_map.places.items()}
    for element in of_class(printed, "place"):
        place = by_name[words(element)]
        (x, y), (left, top) = moved(element), sheet.centre(place.hex)
        assert element.get("data-hex") == f"{place.hex:04d}"
        assert (x - left) ** 2 + (y - top) ** 2 <= 33**2


@pytest.mark.parametrize("scale", [3.0, 1.7])
def test_names_shown_small_keep_clear_of_each_other(sheet: MapSheet, scale: float):
    rooms = Lettering(sheet).rooms(scale)
    names = rooms[: len(rooms) // 2]
    touching = [(a, b) for a, b in combinations(names, 2) if a.overlap(b) > 0]
    assert len(touching) <= 1


def test_names_of_the_book_are_never_covered_by_other_names(sheet: MapSheet):
    rooms = Lettering(sheet).rooms(1.0)
    names = rooms[: len(rooms) // 2]
    book = sum(place.in_rules for place in sheet.map.places.values())
    for number, room in enumerate(names[:book]):
        others = [other for place, other in enumerate(names) if place != number]
        assert all(room.overlap(other) == 0 for other in others)


@pytest.mark.parametrize("nav", Nav)
def test_rivers_are_drawn_by_class_from_end_to_end(the_map: Map, printed: Element, nav: Nav):
    drawn = next(r for r in of_class(printed, nav) if r.get("d") != "M0 0h140")
    sides = [s for river in the_map.rivers.values() for s in river.sides if s.nav is nav]
    data = drawn.get("d", "")
    ends = 2 * data.count("M")
    assert len(list(strokes(data))) == len(sides) + ends


def test_every_cataract_has_two_bars_and_every_rapid_one(the_map: Map, printed: Element):
    bars = next(c for c in of_class(printed, "cataract") if c.get("d", "").startswith("m"))
    assert bars.get("d", "").count("m") == 5 * 2 + 8


def test_rivers_are_named_along_their_course(the_map: Map, printed: Element):
    names = Counter(words(name) for name in of_class(printed, "river-name"))
    assert names.keys() == {river.title for river in the_map.rivers.values()}
    assert names["Nile"] >= 3


def test_the_grid_has_every_column(the_map: Map, sheet: MapSheet, printed: Element):
    (grid,) = of_class(printed, "layer-grid")
    uses = [one for one in grid if one.get("href") == "#s-column"]
    assert len(uses) == sheet.columns
    assert sheet.columns * sheet.rows == len(the_map.hexes)


def test_title_and_reference_cover_no_hex_open_to_play(
    the_map: Map, sheet: MapSheet, printed: Element
):
    title, reference = of_class(printed, "cartouche")
    x, y = moved(reference)
    assert x + REFERENCE_WIDE + REFERENCE_OFF == sheet.width
    panels = [(*moved(title), WIDE, HIGH), (x, y, REFERENCE_WIDE, sheet.height - y)]
    assert moved(title) == sheet.at(*TITLE_AT)
    for hex_ in the_map.hexes.values():
        east, south = sheet.centre(hex_.id)
        under = any(x <= east <= x + wide and y <= south <= y + high for x, y, wide, high in panels)
        assert not under or hex_.closed or hex_.sea


def test_what_is_used_is_there_and_has_one_name(printed: Element):
    ids = Counter(one.get("id") for one in printed.iter() if one.get("id"))
    assert set(ids.values()) == {1}
    used = [one.get("href", "") for one in printed.iter() if one.get("href")]
    filled = [one.get("fill", "") for one in printed.iter() if "url(#" in one.get("fill", "")]
    wanted = {name[1:] for name in used} | {name[5:-1] for name in filled}
    assert wanted <= ids.keys()


def test_it_holds_no_script_and_asks_nothing_of_the_network(the_map: Map):
    drawing = base_map(the_map).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "<script" not in drawing
    assert "http" not in drawing
    assert " style=" not in drawing
