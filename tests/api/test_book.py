"""Tables with their provenance, scenarios, the types of problem, and the way in."""

import re

import pytest

from api.problems import TYPES
from battles.core.tables import Provenance
from campaign.rules.book import book
from campaign.rules.scenario import scenarios
from tests.api.conftest import Api
from tests.api.problems import problem


def test_every_table_is_listed_and_leads_to_itself(anybody: Api) -> None:
    listed = anybody.get("/tables/").json()
    assert listed["digest"] == book().digest
    assert [line["id"] for line in listed["results"]] == [page.id for page in book().tables()]
    for line in listed["results"]:
        table = anybody.get(line["links"]["self"]).json()
        assert table["title"] == line["title"]
        assert table["provenance"] in set(Provenance)
        assert len(table["data"]) == len(table["rows"])
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}


def test_the_march_table_as_printed_and_as_data(anybody: Api) -> None:
    table = anybody.get("/tables/march/").json()
    assert table["clause"] == "8.31"
    assert table["columns"][0] == "roll"
    assert table["rows"][0][0].endswith("or less")
    assert "low" not in table["data"][0]


def test_scenarios_say_their_months_and_how_they_are_won(anybody: Api) -> None:
    listed = anybody.get("/scenarios/").json()["results"]
    assert [one["slug"] for one in listed] == [one.slug for one in scenarios()]
    siege = anybody.get("/scenarios/siege-of-khartoum/").json()
    assert siege in listed
    assert siege["first"] == {"month": "1884-02", "name": "February 1884"}
    assert all(way["text"] and way["clause"].startswith("4") for way in siege["victory"])


@pytest.mark.parametrize(
    "path",
    ["/tables/", "/tables/march/", "/scenarios/", "/scenarios/siege-of-khartoum/", "/problems/"],
)
def test_the_book_costs_a_304(path: str, anybody: Api) -> None:
    etag = anybody.get(path)["ETag"]
    assert anybody.get(path, If_None_Match=etag).status_code == 304


@pytest.mark.parametrize("path", ["/tables/march-table/", "/scenarios/charge/", "/problems/none/"])
def test_what_the_book_does_not_hold(path: str, anybody: Api) -> None:
    assert path.split("/")[2] in problem(anybody.get(path), "not-found")["detail"]


def test_every_type_of_problem_leads_to_what_it_means(anybody: Api) -> None:
    for name, known in TYPES.items():
        told = anybody.get(f"/problems/{name}/").json()
        assert told == {
            "type": f"/api/v1/problems/{name}/",
            "status": known.status,
            "title": known.title,
            "meaning": known.meaning,
        }


OWN = {
    f"/api/v1/{name}/"
    for name in ("tokens", "own-tables", "benches", "comparisons", "mail", "webhooks")
}
"""What everybody has his own of, so that one has to say who one is."""


def test_the_index_leads_to_everything_that_needs_no_name(db: None, anybody: Api) -> None:
    index = anybody.get("/").json()
    plain = {one["address"]: one for one in index["addresses"] if "{" not in one["address"]}
    assert set(index["links"].values()) == set(plain) - {"/api/v1/"}
    for address, one in plain.items():
        assert one["about"]
        if "GET" in one["methods"]:
            assert anybody.get(address).status_code == (401 if address in OWN else 200)


def test_the_index_names_what_stands_for_something_in_braces(anybody: Api) -> None:
    addresses = [one["address"] for one in anybody.get("/").json()["addresses"]]
    assert "/api/v1/campaigns/{slug}/months/{month}/state/" in addresses
    assert all(re.fullmatch(r"[\w/.{}-]+", address) for address in addresses)
