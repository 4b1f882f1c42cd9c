"""What one keeps oneself, by REST: sets of tables, and trials of them on the bench."""

import pytest

from api.openapi.examples import EXAMPLES
from campaign.models import Campaign
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.own_tables import brief, halted


@pytest.fixture
def halting(umpire: Api) -> int:
    """The number of a set of the umpire's: nobody marches, and the siege lasts a month."""
    files = {"march": halted(), "siege-of-khartoum": brief()}
    kept = umpire.post("/own-tables/", {"name": "Halted", "files": files})
    assert kept.status_code == 201, kept.json()
    assert set(kept.json()["files"]) == set(files)
    return int(kept.json()["number"])


def test_a_set_is_read_back_by_its_owner_alone(as_: As, umpire: Api, halting: int) -> None:
    here = f"/own-tables/{halting}/"
    told = umpire.get(here).json()
    assert told["files"]["march"] == halted()
    assert {one["name"] for one in told["changes"]} == {"march", "siege-of-khartoum"}
    assert umpire.get(told["links"]["tables"]).json()["results"]
    assert [one["name"] for one in umpire.get("/own-tables/").json()["results"]] == ["Halted"]
    problem(as_("egyptian").get(here), "not-found")
    problem(as_("egyptian").ask("delete", here), "not-found")
    assert umpire.ask("delete", here).status_code == 204
    problem(umpire.get(here), "not-found")


def test_a_set_is_begun_from_the_files_that_are_shipped(umpire: Api) -> None:
    listed = umpire.get("/tables/").json()["results"]
    line = next(one for one in listed if one["id"] == "march")
    file = umpire.get(line["links"]["self"]).json()["toml"]
    slower = file.replace('"march, 25%"', '"no march"')
    kept = umpire.post("/own-tables/", {"name": "Slower", "files": {"march.toml": slower}})
    assert kept.status_code == 201
    (changed,) = kept.json()["changes"]
    assert {one["kind"] for one in changed["rows"]} == {"changed"}


def test_a_campaign_tells_the_tables_it_is_played_by(as_: As, umpire: Api, halting: int) -> None:
    wanted = {"scenario": "siege-of-khartoum", "slug": "halted", "tables": halting}
    made = umpire.post("/campaigns/", wanted).json()
    told = umpire.get(made["links"]["tables"]).json()
    assert {one["name"] for one in told["changes"]} == {"march", "siege-of-khartoum"}
    assert told["digest"] != umpire.get("/tables/").json()["digest"]
    march = next(one for one in told["results"] if one["id"] == "march")
    assert march["provenance"] == "umpire"
    table = umpire.get(march["links"]["self"]).json()
    assert (table["toml"], table["provenance"]) == (halted(), "umpire")
    assert umpire.get(made["links"]["scenario"]).json()["toml"] == brief()
    problem(umpire.get("/campaigns/halted/tables/none/"), "not-found")
    for link in (made["links"]["tables"], march["links"]["self"], made["links"]["scenario"]):
        problem(as_("egyptian").get(link), "not-found")


def test_a_campaign_by_the_shipped_tables_changes_nothing(
    as_: As, umpire: Api, shown: Campaign
) -> None:
    told = as_("anonymous").get("/campaigns/shown/tables/").json()
    shipped = umpire.get("/tables/").json()
    assert (told["changes"], told["digest"]) == ([], shipped["digest"])
    assert [one["provenance"] for one in told["results"]] == [
        one["provenance"] for one in shipped["results"]
    ]


def test_the_set_that_the_schema_shows_is_taken(umpire: Api) -> None:
    (body,) = EXAMPLES["post-own-tables"].values()
    assert list(umpire.post("/own-tables/", body).json()["files"]) == ["town_entry"]


def test_a_wrong_row_is_named(umpire: Api) -> None:
    holed = halted().replace("low = 3\nhigh = 3", "low = 4\nhigh = 4", 1)
    refused = umpire.post("/own-tables/", {"name": "Holed", "files": {"march": holed}})
    said = problem(refused, "table-wrong")
    assert (said["file"], said["detail"]) == ("march.toml", "nothing covers 3")
    assert said["line"]
    assert said["remedy"]
    assert umpire.get("/own-tables/").json()["results"] == []
