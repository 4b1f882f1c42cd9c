"""The survey as plain data and as a checked value, its draft, and the finished map."""

import copy
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from campaign.map_compiler import build
from campaign.map_compiler.build import MapDraft, draft
from campaign.map_compiler.geometry import Grid
from campaign.map_compiler.rivers_and_places import Waters, lay_rivers
from campaign.map_compiler.survey import Survey, read_survey, survey_of
from campaign.rules.map import Map, sudan
from campaign.rules.map.grid import Projection

Data = dict[str, Any]


@pytest.fixture(scope="session", autouse=True)
def rivers_laid_once() -> Iterator[None]:
    """Lay the same rivers on the same grid once: that is most of the work of a draft."""
    kept: dict[bytes, Waters] = {}

    def lay(survey: Survey, grid: Grid, projection: Projection) -> Waters:
        key = msgspec.json.encode(msgspec.structs.replace(survey, place=()))  # all but the places
        if key not in kept:
            kept[key] = lay_rivers(survey, grid, projection)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "lay_rivers", lay)
        yield


@pytest.fixture(scope="session")
def the_map() -> Map:
    return sudan()


@pytest.fixture(scope="session")
def survey() -> Survey:
    return read_survey()


@pytest.fixture(scope="session")
def laid(survey: Survey) -> MapDraft:
    return draft(survey)


@pytest.fixture(scope="session")
def plain_survey() -> Data:
    text = files("campaign.map_compiler").joinpath("survey.toml").read_text("utf-8")
    return tomllib.loads(text)


@pytest.fixture
def damaged(plain_survey: Data) -> Data:
    """A copy of the survey that a test may spoil."""
    return copy.deepcopy(plain_survey)


@pytest.fixture
def laid_with(damaged: Data) -> Callable[..., MapDraft]:
    """Lay the survey with some fields of one place changed."""

    def lay(name: str, **fields: Any) -> MapDraft:
        place = next(place for place in damaged["place"] if place["name"] == name)
        place.update(fields)
        return draft(survey_of(damaged))

    return lay


@pytest.fixture
def laid_on(survey: Survey) -> Callable[..., MapDraft]:
    """Lay the survey on another grid."""

    def lay(orientation: str, x: float, y: float) -> MapDraft:
        frame = msgspec.structs.replace(survey.map, orientation=orientation, origin_x=x, origin_y=y)
        return draft(msgspec.structs.replace(survey, map=frame))

    return lay
