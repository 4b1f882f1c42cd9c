"""The months of a campaign as features for a time slider, opened by a GIS library."""

from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import pytest
import shapely
from django.contrib.auth.models import User

from campaign.models import Campaign
from campaign.rules.map import sudan
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.played_once import begin_once

TIMELINE = "/campaigns/dark/timeline.geojson"
LAST = "1884-04"


@pytest.fixture
def dark(seats: dict[str, User]) -> Campaign:
    """A campaign in the fog, after two months."""
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="dark", seats=seats, fog=True)
    return begin_once(wanted, 2)


def at(features: list[Any], month: str) -> list[Any]:
    """Return the features of a month, without the time they are valid."""
    found = []
    for feature in features:
        properties = dict(feature["properties"])
        begun, over = properties.pop("valid_from"), properties.pop("valid_to")
        if begun <= f"{month}-01" and (over is None or over > f"{month}-01"):
            found.append({**feature, "properties": properties})
    return found


def by_words(features: list[Any]) -> list[str]:
    return sorted(map(str, features))


def test_at_each_month_it_holds_what_the_map_of_that_month_holds(dark: Campaign, as_: As) -> None:
    for who in ("umpire", "egyptian", "mahdist", "spectator"):
        over_time = as_(who).get(TIMELINE).json()["features"]
        for month in ("1884-02", "1884-03", LAST):
            then = as_(who).get(f"/campaigns/dark/months/{month}/map.geojson").json()["features"]
            assert by_words(at(over_time, month)) == by_words(then)


def test_what_did_not_change_is_told_once(dark: Campaign, umpire: Api) -> None:
    features = umpire.get(TIMELINE).json()["features"]
    assert len({str(feature) for feature in features}) == len(features)
    held = [one for one in features if one["properties"]["type"] == "control"]
    khartoum = [one for one in held if one["properties"]["place"] == "Khartoum"]
    assert len(khartoum) == 1
    assert khartoum[0]["properties"]["valid_from"] == "1884-02-01"
    assert khartoum[0]["properties"]["valid_to"] is None


def test_in_the_fog_each_side_slides_through_what_it_knew(dark: Campaign, as_: As) -> None:
    told = {who: as_(who).get(TIMELINE).content for who in ("umpire", "egyptian", "mahdist")}
    assert len(set(told.values())) == 3
    kinds = {
        who: {one["properties"]["type"] for one in as_(who).get(TIMELINE).json()["features"]}
        for who in ("umpire", "egyptian")
    }
    assert "sighting" in kinds["egyptian"] - kinds["umpire"]


def test_a_gis_library_reads_it_with_its_dates(dark: Campaign, umpire: Api, tmp_path: Path) -> None:
    file = tmp_path / "timeline.geojson"
    file.write_bytes(umpire.get(TIMELINE).content)
    about, _, shapes, columns = pyogrio.raw.read(file)
    assert about["crs"] == "EPSG:4326"
    fields = dict(zip(about["fields"], columns, strict=True))
    begun, over = fields["valid_from"], fields["valid_to"]
    assert np.issubdtype(begun.dtype, np.datetime64)
    assert np.issubdtype(over.dtype, np.datetime64)
    assert begun.min() == np.datetime64("1884-02-01")
    closed = ~np.isnat(over)
    assert closed.any()
    assert (begun[closed] < over[closed]).all()
    west, south, east, north = shapely.total_bounds(shapely.from_wkb(shapes))
    khartoum = sudan().hexes[sudan().place("Khartoum").hex]
    assert west < khartoum.lon < east
    assert south < khartoum.lat < north


def test_it_costs_a_304_until_the_campaign_goes_on(dark: Campaign, umpire: Api) -> None:
    tag = umpire.get(TIMELINE)["ETag"]
    assert umpire.get(TIMELINE, If_None_Match=tag).status_code == 304
    advance.run_month(dark.pk, until=dark.month + 1)
    assert umpire.get(TIMELINE, If_None_Match=tag).status_code == 200
