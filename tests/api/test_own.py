"""One's own things by REST: sets of tables, and trials of them on the bench."""

import pytest

from api.documents.rulebook import table_set_address
from api.documents.scenarios import scenario_address
from api.openapi.examples import EXAMPLES
from campaign.models import Campaign, TableSet
from campaign.services.journal import creation
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.own_tables import SIEGE, brief, halted
from tests.people import People


@pytest.fixture
def halting(umpire: Api) -> int:
    """The id of a set of the umpire's: nobody marches, and the siege lasts a month."""
    files = {"march": halted(), "siege-of-khartoum": brief()}
    kept = umpire.post("/table-sets/", {"name": "Halted", "files": files})
    assert kept.status_code == 201, kept.json()
    assert set(kept.json()["files"]) == set(files)
    return int(kept.json()["id"])


def test_a_set_is_read_back_by_its_owner_alone(as_: As, umpire: Api, halting: int) -> None:
    here = f"/table-sets/{halting}/"
    told = umpire.get(here).json()
    assert told["files"]["march"] == halted()
    assert {one["slug"] for one in told["differences"]} == {"march", "siege-of-khartoum"}
    listed = umpire.get("/table-sets/").json()["results"]
    assert [one["name"] for one in listed] == [
        "As shipped",
        "Harsh desert",
        "El Obeid before Khartoum",
        "Halted",
    ]
    assert [one["id"] for one in listed] == [None, None, None, halting]
    assert [one["edition"] for one in listed] == ["shipped", "harsh-desert", "relief-first", None]
    others = as_("egyptian").get("/table-sets/").json()["results"]
    assert others == as_("anonymous").get("/table-sets/").json()["results"] == listed[:3]
    problem(as_("egyptian").get(here), "not-found")
    problem(as_("egyptian").ask("delete", here), "not-found")
    assert umpire.ask("delete", here).status_code == 204
    problem(umpire.get(here), "not-found")


def test_a_set_is_begun_from_the_files_that_are_shipped(umpire: Api) -> None:
    listed = umpire.get("/table-sets/shipped/").json()["tables"]
    line = next(one for one in listed if one["slug"] == "march")
    file = umpire.get(line["links"]["self"]).json()["toml"]
    slower = file.replace('"march, 25%"', '"no march"')
    kept = umpire.post("/table-sets/", {"name": "Slower", "files": {"march.toml": slower}})
    assert kept.status_code == 201
    (changed,) = kept.json()["differences"]
    assert {one["row_change"] for one in changed["changed_rows"]} == {"changed"}
    for row in changed["changed_rows"]:
        values = {one["name"]: one for one in row["column_values"]}
        assert values["result"]["shipped_value"] == "march, 25%" if "result" in values else values


@pytest.fixture
def halted_campaign(people: People, halting: int) -> Campaign:
    """A campaign of the umpire's that is played by that set, and that nobody else may see."""
    tables = TableSet.objects.get(pk=halting)
    seats = {"umpire": people.umpire}
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="halted", tables=tables, seats=seats
    )
    return creation.create_campaign(wanted)


def test_the_set_of_a_campaign_is_read_by_those_who_see_the_campaign(
    as_: As, umpire: Api, halted_campaign: Campaign
) -> None:
    set_, scenario = (
        table_set_address(halted_campaign.tables_id),
        scenario_address(halted_campaign.scenario, halted_campaign.tables_id),
    )
    links = umpire.get("/campaigns/halted/").json()["links"]
    assert (links["table_set"], links["scenario"]) == (set_, scenario)
    told = umpire.get(set_).json()
    assert {one["slug"] for one in told["differences"]} == {"march", "siege-of-khartoum"}
    assert told["digest"] != umpire.get("/table-sets/shipped/").json()["digest"]
    march = next(one for one in told["tables"] if one["slug"] == "march")
    assert (march["provenance"], march["links"]["toml_file"]) == ("umpire", None)
    table = umpire.get(march["links"]["self"]).json()
    assert (table["toml"], table["provenance"]) == (halted(), "umpire")
    assert umpire.get(scenario).json()["toml"] == brief()
    (listed,) = (
        one
        for one in umpire.get(told["links"]["scenarios"]).json()["results"]
        if one["slug"] == "siege-of-khartoum"
    )
    assert listed["links"]["self"] == scenario
    problem(umpire.get(f"{set_}tables/none/"), "not-found")
    for link in (set_, march["links"]["self"], scenario):
        problem(as_("egyptian").get(link), "not-found")
    Campaign.objects.update(public=True)
    seen = as_("anonymous").get(set_).json()
    assert (seen["name"], seen["created_at"]) == (None, None)
    assert seen["files"] == told["files"]
    problem(as_("egyptian").ask("delete", set_), "not-found")


def test_the_set_of_a_campaign_by_the_shipped_tables_is_the_shipped_one(
    as_: As, umpire: Api, shown: Campaign
) -> None:
    told = as_("anonymous").get(table_set_address(shown.tables_id)).json()
    assert told == umpire.get("/table-sets/shipped/").json()
    assert (told["id"], told["differences"], told["files"]) == (None, [], {})


@pytest.mark.parametrize("wrong", ["none", "0", "99999", "9" * 30])
def test_a_set_that_there_is_not(wrong: str, umpire: Api) -> None:
    problem(umpire.get(f"/table-sets/{wrong}/"), "not-found")
    problem(umpire.ask("delete", f"/table-sets/{wrong}/"), "not-found")


def test_the_shipped_set_is_nobodys_to_delete(umpire: Api) -> None:
    problem(umpire.ask("delete", "/table-sets/shipped/"), "not-found")


def test_the_same_tables_are_named_once(umpire: Api, halting: int) -> None:
    files = {"march": halted(), "siege-of-khartoum": brief()}
    refused = problem(umpire.post("/table-sets/", {"name": "Again", "files": files}), "unfit")
    assert "Halted" in refused["detail"]


def test_the_set_that_the_schema_shows_is_taken(umpire: Api) -> None:
    (body,) = EXAMPLES["post-table-sets"].values()
    assert list(umpire.post("/table-sets/", body).json()["files"]) == ["town_entry"]


def test_a_wrong_row_is_named(umpire: Api) -> None:
    holed = halted().replace("low = 3\nhigh = 3", "low = 4\nhigh = 4", 1)
    refused = umpire.post("/table-sets/", {"name": "Holed", "files": {"march": holed}})
    said = problem(refused, "table-wrong")
    assert (said["file"], said["detail"]) == ("march.toml", "nothing covers 3")
    assert said["line_number"]
    assert said["remedy"]
    assert len(umpire.get("/table-sets/").json()["results"]) == 3


def test_a_campaign_is_begun_by_an_edition_that_comes_with_the_program(umpire: Api) -> None:
    made = umpire.post("/campaigns/", {"scenario": SIEGE, "edition": "harsh-desert"})
    assert made.status_code == 201, made.json()
    played = umpire.get(made.json()["links"]["table_set"]).json()
    named = umpire.get("/table-sets/harsh-desert/").json()
    assert played == named
    assert named["edition"] == "harsh-desert"
    assert {one["slug"] for one in named["differences"]} == {"pieces", "attrition"}
    pieces = next(one for one in named["tables"] if one["slug"] == "pieces")
    assert pieces["provenance"] == "reconstructed"
    assert umpire.get(pieces["links"]["self"]).json()["toml"] == named["files"]["pieces"]
    listed = umpire.get("/scenarios/?table_set=harsh-desert").json()["results"]
    assert umpire.get(listed[0]["links"]["self"]).status_code == 200
    problem(umpire.get("/scenarios/?table_set=mild-desert"), "not-found")
    unknown = umpire.post("/campaigns/", {"scenario": SIEGE, "edition": "mild-desert"})
    assert "no edition 'mild-desert'" in str(unknown.json())
