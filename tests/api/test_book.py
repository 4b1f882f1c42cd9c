"""Tables with their provenance, scenarios, the types of problem, and the way in."""

import re

import pytest
from django.test import Client

from api.http.problems import TYPES, problem_address
from api.http.rule_json import identifier
from battles.core.tables import Provenance
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_loader import scenarios
from campaign.web.tables.rule_book import not_yet, rulings
from tests.api.conftest import Api
from tests.api.problems import problem


def test_every_table_is_listed_and_leads_to_itself(db: None, anybody: Api) -> None:
    listed = anybody.get("/table-sets/shipped/").json()
    assert (listed["id"], listed["digest"]) == (None, shipped_edition().digest)
    assert [line["slug"] for line in listed["tables"]] == [page.id for page in book().tables()]
    for line in listed["tables"]:
        table = anybody.get(line["links"]["self"]).json()
        assert table["title"] == line["title"]
        assert table["provenance"] in set(map(identifier, Provenance))
        assert len(table["data_rows"]) == len(table["printed_rows"])
        assert {len(row) for row in table["printed_rows"]} == {len(table["column_names"])}


def test_the_march_table_as_printed_and_as_data(db: None, anybody: Api) -> None:
    table = anybody.get("/table-sets/shipped/tables/march/").json()
    assert table["clause"] == "8.31"
    assert table["column_names"][0] == "roll"
    assert table["printed_rows"][0][0].endswith("or less")
    assert "low" not in table["data_rows"][0]


def test_every_shipped_table_and_scenario_comes_with_its_file(db: None, anybody: Api) -> None:
    listed = [*anybody.get("/table-sets/shipped/").json()["tables"]]
    listed += anybody.get("/scenarios/").json()["results"]
    for line in listed:
        told = anybody.get(line["links"]["self"]).json()
        assert told["toml"] == shipped_edition().text(told["slug"])
        assert Client().get(line["links"]["toml_file"]).content.decode() == told["toml"]


def test_rulings_are_told_with_what_is_not_there_yet_and_the_case_book(
    db: None, anybody: Api
) -> None:
    told = anybody.get("/rulings/").json()
    assert [one["number"] for one in told["results"]] == [one.number for one in rulings()]
    assert {one["clause"] for one in told["not_implemented"]} == {one.clause for one in not_yet()}
    assert Client().get(told["links"]["case_book"]).json()["case"]


def test_scenarios_say_their_months_and_how_they_are_won(db: None, anybody: Api) -> None:
    listed = anybody.get("/scenarios/").json()["results"]
    assert [one["slug"] for one in listed] == [one.slug for one in scenarios()]
    siege = anybody.get("/scenarios/siege-of-khartoum/").json()
    assert {**siege, "toml": ""} in [{**one, "toml": ""} for one in listed]
    assert siege["first_month"] == "1884-02" < siege["last_month"]
    assert all(way["text"] and way["clause"].startswith("4") for way in siege["victory_conditions"])
    kinds = {way["condition"] for way in siege["victory_conditions"]}
    assert all(kind.replace("_", "").isalpha() for kind in kinds)


@pytest.mark.parametrize(
    "path",
    [
        "/table-sets/",
        "/table-sets/shipped/",
        "/table-sets/shipped/tables/march/",
        "/rulings/",
        "/books/",
        "/scenarios/",
        "/scenarios/siege-of-khartoum/",
        "/problems/",
    ],
)
def test_the_book_costs_a_304(path: str, db: None, anybody: Api) -> None:
    etag = anybody.get(path)["ETag"]
    assert anybody.get(path, If_None_Match=etag).status_code == 304


@pytest.mark.parametrize(
    "path", ["/table-sets/shipped/tables/march-table/", "/scenarios/charge/", "/problems/none/"]
)
def test_what_the_book_does_not_hold(path: str, db: None, anybody: Api) -> None:
    assert path.split("/")[-2] in problem(anybody.get(path), "not-found")["detail"]


def test_every_type_of_problem_leads_to_what_it_means(anybody: Api) -> None:
    for name, known in TYPES.items():
        told = anybody.get(f"/problems/{name}/").json()
        assert told == {
            "type": problem_address(name),
            "name": name,
            "http_status": known.status,
            "title": known.title,
            "description": known.meaning,
        }


OWN = {
    f"/api/v1/{name}/"
    for name in (
        "account",
        "account/notifications",
        "account/push-subscriptions",
        "deleted-campaigns",
        "deleted-own-scenarios",
        "own-scenarios",
        "simulations",
        "tokens",
        "webhooks",
    )
}
"""What everybody has his own of, so that one has to say who one is."""


def test_the_index_leads_to_everything_that_needs_no_name(db: None, anybody: Api) -> None:
    index = anybody.get("/").json()
    plain = {one["address"]: one for one in index["addresses"] if "{" not in one["address"]}
    assert set(index["links"].values()) == set(plain)
    for address, one in plain.items():
        assert one["description"]
        if "GET" in one["methods"]:
            assert anybody.get(address).status_code == (401 if address in OWN else 200)


def test_the_index_names_what_stands_for_something_in_braces(anybody: Api) -> None:
    addresses = [one["address"] for one in anybody.get("/").json()["addresses"]]
    assert "/api/v1/campaigns/{slug}/months/{month}/state/" in addresses
    assert all(re.fullmatch(r"[\w/.{}-]+", address) for address in addresses)
