"""The built map is what the survey gives, byte for byte, and damage to either is told."""

from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from campaign.map_compiler.build import MapDraft, build, check, draft, faults
from campaign.map_compiler.survey import Survey, survey_of
from campaign.rules.map import MapError, load, sudan

Data = dict[str, Any]


@pytest.fixture(scope="module")
def built() -> bytes:
    return files("campaign.rules.map").joinpath("sudan.json").read_bytes()


def test_the_survey_builds_the_same_bytes(survey: Survey, built: bytes) -> None:
    assert build(survey) == built


def test_digest_is_that_of_the_document(built: bytes) -> None:
    assert sudan().digest == sha256(built).hexdigest()


def test_built_map_is_small(built: bytes) -> None:
    assert len(built) < 700_000


def test_cut_off_document_is_refused(built: bytes) -> None:
    with pytest.raises(MapError, match="built map is damaged"):
        load(built[:1000])


def test_document_with_a_hex_too_few_is_refused(built: bytes) -> None:
    data = msgspec.json.decode(built)
    data["hexes"]["ground"] = data["hexes"]["ground"][1:]
    with pytest.raises(MapError, match="differ in length"):
        load(msgspec.json.encode(data))


def test_document_with_an_unknown_ground_is_refused(built: bytes) -> None:
    data = msgspec.json.decode(built)
    data["hexes"]["ground"] = "?" + data["hexes"]["ground"][1:]
    with pytest.raises(MapError, match="unknown letter"):
        load(msgspec.json.encode(data))


def test_document_with_a_place_off_the_map_is_refused(built: bytes) -> None:
    data = msgspec.json.decode(built)
    data["places"][0]["hex"] = 9999
    with pytest.raises(MapError, match="places name the hex 9999"):
        load(msgspec.json.encode(data))


def test_pointy_grid_has_no_printed_numbers(survey: Survey) -> None:
    frame = msgspec.structs.replace(survey.map, orientation="pointy-top")
    with pytest.raises(MapError, match="flat-top"):
        build(msgspec.structs.replace(survey, map=frame))


def test_place_on_the_wrong_bank_is_found(laid_with: Callable[..., MapDraft]) -> None:
    assert "Dongola does not lie in the land 'west'." in faults(laid_with("Dongola", bank="right"))


def test_place_moved_along_the_river_is_found(laid_with: Callable[..., MapDraft]) -> None:
    upstream = faults(laid_with("Korti", lat=17.29, lon=33.72))
    assert upstream == ["Merawi lies below Korti on the Nile."]
    downstream = faults(laid_with("Korti", lat=19.28, lon=30.44))
    assert downstream == ["Korti lies below Ambukol on the Nile."]


def test_place_moved_across_the_river_is_found(laid_with: Callable[..., MapDraft]) -> None:
    found = faults(laid_with("Gakdul Wells", lat=17.63, lon=34.6))
    assert found == ["Gakdul Wells does not lie in the land 'west'."]


def test_place_moved_from_its_river_cannot_be_set(laid_with: Callable[..., MapDraft]) -> None:
    with pytest.raises(MapError, match="place 'Berber': no hex on the map within two"):
        laid_with("Berber", lon=35.5)


def test_port_moved_inland_cannot_be_set(laid_with: Callable[..., MapDraft]) -> None:
    with pytest.raises(MapError, match="place 'Souakim'"):
        laid_with("Souakim", lon=36.5)


def test_river_that_stops_short_of_the_rim_lets_the_lands_run_together(damaged: Data) -> None:
    blue = next(river for river in damaged["river"] if river["id"] == "blue_nile")
    blue["reach"][0]["points"] = blue["reach"][0]["points"][5:]
    with pytest.raises(MapError, match="part 2 lands instead of 3"):
        check(draft(survey_of(damaged)))
