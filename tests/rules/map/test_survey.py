"""A damaged survey is refused with the entry and the reason."""

import tomllib
from typing import Any

import pytest

from campaign.map_compiler.survey import Survey, parse_survey, survey_of
from campaign.rules.map import MapError

Data = dict[str, Any]


def _place(data: Data, name: str) -> Data:
    return next(place for place in data["place"] if place["name"] == name)


def test_the_survey_holds_what_it_should(survey: Survey) -> None:
    assert len(survey.place) == 104
    assert sum(place.rule for place in survey.place) == 20
    assert len(survey.cataract) == 13
    assert sum(len(river.reach) for river in survey.river) == 16


def test_text_that_is_not_toml_is_refused() -> None:
    with pytest.raises(MapError, match="not TOML") as refused:
        parse_survey("name = ")
    assert isinstance(refused.value.__cause__, tomllib.TOMLDecodeError)


def test_missing_field_names_the_place(damaged: Data) -> None:
    del _place(damaged, "Berber")["lat"]
    with pytest.raises(MapError, match=r"place 'Berber'.*`lat`"):
        survey_of(damaged)


def test_field_of_the_wrong_kind_names_the_place(damaged: Data) -> None:
    _place(damaged, "Berber")["lon"] = "33.98"
    with pytest.raises(MapError, match=r"place 'Berber'.*float"):
        survey_of(damaged)


def test_unknown_class_names_the_place(damaged: Data) -> None:
    _place(damaged, "Korti")["class"] = "city"
    with pytest.raises(MapError, match=r"place 'Korti'.*city"):
        survey_of(damaged)


def test_misspelt_field_names_the_place(damaged: Data) -> None:
    _place(damaged, "Korti")["bnak"] = "left"
    with pytest.raises(MapError, match=r"place 'Korti'.*bnak"):
        survey_of(damaged)


def test_nameless_entry_is_counted(damaged: Data) -> None:
    del damaged["place"][4]["name"]
    with pytest.raises(MapError, match="place number 5"):
        survey_of(damaged)


def test_latitude_beyond_the_pole_is_refused(damaged: Data) -> None:
    damaged["cataract"][0]["lat"] = 121.83
    with pytest.raises(MapError, match="cataract 'Second Cataract'"):
        survey_of(damaged)


def test_missing_list_is_named(damaged: Data) -> None:
    del damaged["track"]
    with pytest.raises(MapError, match=r"no \[\[track\]\]"):
        survey_of(damaged)


def test_missing_frame_is_named(damaged: Data) -> None:
    del damaged["map"]
    with pytest.raises(MapError, match=r"\[map\]"):
        survey_of(damaged)


def test_place_named_twice_is_refused(damaged: Data) -> None:
    _place(damaged, "Duem")["aliases"] = ["khartoum"]
    with pytest.raises(MapError, match="'khartoum': it occurs twice"):
        survey_of(damaged)


def test_reaches_that_do_not_meet_are_named(damaged: Data) -> None:
    damaged["river"][0]["reach"][1]["points"][0] = [16.2, 32.6]
    with pytest.raises(MapError, match="'khartoum_shabluka' ends at"):
        survey_of(damaged)


def test_river_that_is_not_there_is_named(damaged: Data) -> None:
    _place(damaged, "Sennar")["river"] = "green_nile"
    with pytest.raises(MapError, match="place 'Sennar': there is no river 'green_nile'"):
        survey_of(damaged)


def test_river_without_a_bank_is_refused(damaged: Data) -> None:
    del _place(damaged, "Sennar")["bank"]
    with pytest.raises(MapError, match="place 'Sennar': a river and a bank"):
        survey_of(damaged)


def test_track_through_an_unknown_place_is_named(damaged: Data) -> None:
    damaged["track"][0]["via"] = ["Wady Halfa", "Assouan"]
    with pytest.raises(MapError, match="track 'wady_halfa_sarras': there is no place 'Assouan'"):
        survey_of(damaged)


def test_outline_of_two_points_is_refused(damaged: Data) -> None:
    damaged["region"][0]["ring"] = [[20.0, 34.4], [20.0, 37.5]]
    with pytest.raises(MapError, match="region 'souakim_extension'"):
        survey_of(damaged)
