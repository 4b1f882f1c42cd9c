"""Places on their true banks, in the order of the river, on the coast, and apart."""

from itertools import pairwise

import pytest

from campaign.map_compiler.survey import Survey
from campaign.rules.map import GroundClass, Map, PlaceClass, Relief

BOOK = [
    "Wady Halfa",
    "Sarras",
    "Dongola",
    "Old Dongola",
    "Debbeh",
    "Korti",
    "Abou Hamed",
    "Berber",
    "Metemmeh",
    "Khartoum",
    "Omdurman",
    "Duem",
    "El Obeid",
    "Bara",
    "Mesalamieh",
    "Goz Regeb",
    "Sinkat",
    "Tokar",
    "Souakim",
    "Trinkitat",
]


def test_all_twenty_names_of_the_book_stand_in_hexes_of_their_own(the_map: Map) -> None:
    named = {place.name: place.hex for place in the_map.places.values() if place.in_rules}
    assert sorted(named) == sorted(BOOK)
    assert len(set(named.values())) == len(BOOK)


def test_the_book_s_place_is_the_first_of_its_hex(the_map: Map) -> None:
    for name in BOOK:
        assert the_map.hexes[the_map.place(name).hex].place == name


def test_places_follow_each_other_down_their_river(the_map: Map, survey: Survey) -> None:
    for river in survey.river:
        spans = [the_map.ordinals(the_map.place(name).hex, river.id) for name in river.order]
        assert all(above[0] <= below[1] for above, below in pairwise(spans))


def test_khartoum_and_omdurman_face_each_other_across_the_white_nile(the_map: Map) -> None:
    khartoum, omdurman = the_map.place("Khartoum").hex, the_map.place("Omdurman").hex
    side = the_map.sides[khartoum, omdurman]
    assert side.river == "white_nile"
    assert side.hexes == (omdurman, khartoum)


def test_khartoum_stands_in_the_fork_of_both_niles(the_map: Map) -> None:
    khartoum = the_map.place("Khartoum").hex
    assert set(the_map.river_at(khartoum)) == {"white_nile", "blue_nile"}
    blue = {side.hexes[0] for side in the_map.rivers["blue_nile"].sides}
    assert khartoum in blue


def test_omdurman_touches_white_nile_and_nile(the_map: Map) -> None:
    omdurman = the_map.place("Omdurman").hex
    assert set(the_map.river_at(omdurman)) == {"white_nile", "nile"}


def test_shendi_and_metemmeh_face_each_other_across_the_nile(the_map: Map) -> None:
    metemmeh, shendi = the_map.place("Metemmeh").hex, the_map.place("Shendi").hex
    assert the_map.sides[metemmeh, shendi].river == "nile"


@pytest.mark.parametrize("name", ["Souakim", "Trinkitat", "Sheikh Barghut", "Agig"])
def test_ports_lie_on_the_coast(the_map: Map, name: str) -> None:
    place = the_map.place(name)
    around = the_map.neighbours[place.hex]
    assert place.port
    assert the_map.hexes[place.hex].coast
    assert any(the_map.hexes[other].sea for other in around)


def test_no_place_lies_in_the_sea(the_map: Map) -> None:
    assert not any(the_map.hexes[place.hex].sea for place in the_map.places.values())


def test_places_keep_within_a_hex_of_where_they_are(the_map: Map) -> None:
    for place in the_map.places.values():
        x, y = the_map.projection.xy((place.lat, place.lon))
        hex_ = the_map.hexes[place.hex]
        assert (x - hex_.x) ** 2 + (y - hex_.y) ** 2 < 20**2, place.name


def test_every_declared_bank_is_kept(the_map: Map, survey: Survey) -> None:
    for place in survey.place:
        if place.river and place.bank in ("left", "right"):
            hex_id = the_map.place(place.name).hex
            hand = 0 if place.bank == "left" else 1
            sides = [s for s in the_map.rivers[place.river].sides if hex_id in s.hexes]
            assert sides, place.name
            assert all(side.hexes[hand] == hex_id for side in sides), place.name


def test_places_have_the_class_of_1884(the_map: Map) -> None:
    assert the_map.place("Khartoum").kind is PlaceClass.TOWN
    assert the_map.place("Omdurman").kind is PlaceClass.VILLAGE
    assert the_map.place("Gakdul").kind is PlaceClass.OASIS


def test_the_dongola_reach_is_cultivated_and_the_fourth_cataract_hilly(the_map: Map) -> None:
    assert the_map.hexes[the_map.place("Dongola").hex].ground is GroundClass.CULTIVATED
    kirbekan = the_map.hexes[the_map.place("Kirbekan").hex]
    assert (kirbekan.ground, kirbekan.relief) == (GroundClass.DESERT, Relief.HILL)


@pytest.mark.parametrize("typed", ["el obeid", "EL OBEID", "El-Obeid", "elobeid", " El  Obéid "])
def test_a_place_is_known_however_its_name_is_spaced_and_marked(the_map: Map, typed: str) -> None:
    assert the_map.place(typed) is the_map.place("El Obeid")
