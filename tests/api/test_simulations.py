"""Simulations by REST: five kinds in one list, each shown to its owner, stopped and filtered."""

from typing import Any

import pytest

from api.http.rule_json import rule_form
from battles.contract import Brief
from battles.contract.brief_files import find_ready_battle, ready_battles
from battles.core.tables import Source
from campaign.models import Campaign, Comparison
from campaign.rules.tables.editions import texts_by_name
from campaign.services.comparisons import FEWEST_CAMPAIGNS
from campaign.services.journal import rules_edition
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.campaign.test_own_scenarios import golden
from tests.own_tables import halted
from tests.people import People

BENCH = {"type": "bench", "scenario": "siege-of-khartoum", "campaigns": FEWEST_CAMPAIGNS}


@pytest.fixture
def halting(people: People) -> int:
    """The id of a set of tables of the umpire's, by which nobody gets far."""
    texts = texts_by_name([Source("march.toml", halted())])
    return rules_edition.name_tables(people.umpire, "Halted", texts).tables_id


def test_a_bench_plays_a_scenario_by_two_sets_of_tables(as_: As, umpire: Api, halting: int) -> None:
    asked = umpire.post("/simulations/", {**BENCH, "after_table_set_id": halting, "seed": 7})
    assert asked.status_code == 202, asked.json()
    (listed,) = umpire.get("/simulations/").json()["results"]
    here = asked["Location"]
    document = umpire.get(here).json()
    assert document["uuid"] == listed["uuid"] == asked.json()["uuid"]
    assert (document["type"], document["status"]) == ("bench", "pending")
    assert document["title"].endswith("Halted")
    problem(as_("egyptian").get(here), "not-found")
    assert umpire.ask("delete", here).json()["message"].startswith("Stopped")


def test_a_bench_by_tables_of_another_or_of_no_scenario_is_refused(
    as_: As, umpire: Api, halting: int
) -> None:
    player = as_("egyptian")
    problem(player.post("/simulations/", {**BENCH, "after_table_set_id": halting}), "not-found")
    few = problem(player.post("/simulations/", {**BENCH, "campaigns": 0}), "invalid")
    assert few["errors"][0]["pointer"] == "/campaigns"
    problem(player.post("/simulations/", {**BENCH, "scenario": "atlantis"}), "unfit")


def test_a_scenario_of_ones_own_is_played_by_its_own_slug_alone(
    umpire: Api, no_worker: None
) -> None:
    saved = umpire.post("/own-scenarios/", {"type": "document", "document": golden()}).json()
    for body in ({**BENCH}, {"type": "ladder", "games_each": 1}):
        wrong = {**body, "scenario": "siege-of-khartoum", "own_scenario_id": saved["id"]}
        refused = problem(umpire.post("/simulations/", wrong), "unfit")
        assert [one["pointer"] for one in refused["errors"]] == ["/scenario"]
        right = umpire.post("/simulations/", {**wrong, "scenario": saved["slug"]})
        assert right.status_code == 202
        umpire.ask("delete", right["Location"])


def test_the_books_are_compared_on_a_battle_of_history(
    as_: As, people: Any, django_capture_on_commit_callbacks: Any
) -> None:
    offered = as_("egyptian").get("/battles/historical/").json()["results"]
    assert {one["winner"] for one in offered} <= {"egyptian", "mahdist"}
    assert [force["side"] for force in offered[0]["forces"]] == ["egyptian", "mahdist"]
    body = {"type": "comparison", "offer": offered[0]["offer"], "battles_each": 2}
    asked = as_("egyptian").post("/simulations/", body)
    assert asked.status_code == 202, asked.json()
    address = asked.json()["links"]["self"]
    assert as_("anonymous").get(address).json()["title"] == offered[0]["title"]
    assert as_("mahdist").ask("delete", address).status_code == 403
    assert as_("egyptian").ask("delete", address).json()["status"] == Comparison.Status.FAILED
    wrong = problem(as_("egyptian").post("/simulations/", {**body, "offer": "atlantis"}), "unfit")
    assert wrong["errors"] == [{"pointer": "/offer", "detail": "There is no such battle on offer."}]


def test_a_battle_of_ones_own_is_compared(
    as_: As, people: Any, django_capture_on_commit_callbacks: Any
) -> None:
    brief = rule_form(Brief).write(ready_battles()[0].brief)
    asked = as_("egyptian").post("/simulations/", {"type": "brief", "brief": brief})
    assert asked.status_code == 202, asked.json()
    assert asked.json()["type"] == "comparison"
    brief["attacker"]["troops"][0]["strength"] = "many"
    wrong = problem(
        as_("egyptian").post("/simulations/", {"type": "brief", "brief": brief}), "invalid"
    )
    assert [one["pointer"] for one in wrong["errors"]] == ["/brief/attacker/troops/0/strength"]


FIRST = ("attacker", "troops", 0)


@pytest.mark.parametrize(
    ("place", "value", "pointer"),
    [
        ((*FIRST, "strength"), 41, "attacker/troops/0/strength"),
        ((*FIRST, "id"), 0, "attacker/troops/0/id"),
        ((*FIRST, "tactical"), 6, "attacker/troops/0/tactical"),
        ((*FIRST, "nation"), "mahdist", "attacker/troops/0"),
        (("defender", "troops"), [], "defender/troops"),
        (("defender", "side"), "egyptian", "defender/side"),
        (("title",), "A" * 201, "title"),
        (("battle",), "a" * 101, "battle"),
        (("month",), "1884-13", "month"),
        (("turns",), -1, "turns"),
    ],
)
def test_a_brief_that_no_file_could_hold_is_refused_with_its_part(
    as_: As, place: tuple[str | int, ...], value: object, pointer: str
) -> None:
    """A worker would fail at it, or set out very many figures."""
    brief = rule_form(Brief).write(find_brief("kirbekan"))
    part: Any = brief
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    asked = as_("egyptian").post("/simulations/", {"type": "brief", "brief": brief})
    wrong = problem(asked, "unfit")
    assert f"/brief/{pointer}" in [one["pointer"] for one in wrong["errors"]]
    assert not Comparison.objects.exists()


def test_a_brief_of_units_with_one_number_or_too_many_units_is_refused(as_: As) -> None:
    brief = rule_form(Brief).write(find_brief("kirbekan"))
    one = brief["attacker"]["troops"][0]
    brief["attacker"]["troops"] = [one] * 601
    asked = as_("egyptian").post("/simulations/", {"type": "brief", "brief": brief})
    wrong = problem(asked, "unfit")
    assert "There is a unit 1 already; number each but once." in wrong["errors"][0]["detail"]
    brief["attacker"]["troops"] = [{**one, "id": number} for number in range(1000, 1601)]
    asked = as_("egyptian").post("/simulations/", {"type": "brief", "brief": brief})
    wrong = problem(asked, "unfit")
    assert [one["pointer"] for one in wrong["errors"]] == ["/brief/attacker"]


def find_brief(slug: str) -> Brief:
    found = find_ready_battle(slug)
    assert found is not None
    return found.brief


def test_the_list_has_every_type_and_is_filtered_and_paged(
    umpire: Api, secret: Campaign, halting: int, django_capture_on_commit_callbacks: Any
) -> None:
    for body in (
        {**BENCH, "after_table_set_id": halting},
        {"type": "comparison", "offer": ready_battles()[0].slug, "battles_each": 2},
        {"type": "forecast", "campaign": secret.slug, "runs": 2},
    ):
        assert umpire.post("/simulations/", body).status_code == 202

    def types(query: str) -> list[str]:
        return [one["type"] for one in umpire.get(f"/simulations/{query}").json()["results"]]

    assert types("") == ["forecast", "comparison", "bench"]
    assert types("?type=bench") == ["bench"]
    assert types(f"?campaign={secret.slug}") == ["forecast"]
    first = umpire.get("/simulations/?limit=2").json()
    assert [one["type"] for one in first["results"]] == ["forecast", "comparison"]
    second = umpire.get(first["next"]).json()
    assert [one["type"] for one in second["results"]] == ["bench"]
    assert second["next"] is None
    problem(umpire.get("/simulations/?type=dream"), "invalid")
    problem(umpire.get("/simulations/?page=yesterday"), "unfit")


def test_what_is_asked_for_by_no_known_type_names_those_known(umpire: Api) -> None:
    wrong = problem(umpire.post("/simulations/", {"type": "dream"}), "invalid")
    assert "rehearsal" in wrong["errors"][0]["detail"]
