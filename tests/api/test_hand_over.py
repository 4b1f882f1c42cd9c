"""Battles that a campaign hands over, by REST: what waits, who fights it, and what came of it."""

from typing import Any

import pytest

from api.http.rule_json import identifier
from battles.contract import Report
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.campaign.battlefield import before_battle, brief, result
from tests.people import People


@pytest.fixture
def campaign(people: People) -> Campaign:
    """A campaign that waits for a battle, to be fought at a table."""
    return before_battle(people, TABLETOP)


def at(campaign: Campaign, path: str = "") -> str:
    return f"/campaigns/{campaign.slug}/battles/{brief(campaign).id}/{path}"


def said(report: Report) -> dict[str, Any]:
    """Return the report as a client writes it."""
    fates = {str(unit): identifier(fate) for unit, fate in report.fates.items()}
    return {"fates": fates, "winner": report.winner, "ending": report.ending}


def test_what_waits_is_shown_to_those_who_fight_it(as_: As, campaign: Campaign) -> None:
    for name in ("umpire", "egyptian", "mahdist"):
        listed = as_(name).get(f"/campaigns/{campaign.slug}/battles/").json()
        assert listed["pending_battle"]["brief"]["battle"] == brief(campaign).id
        assert as_(name).get(at(campaign)).json() == listed["pending_battle"]
    problem(as_("stranger").get(at(campaign)), "not-found")


def test_the_umpires_count_at_once_and_the_month_goes_on(umpire: Api, campaign: Campaign) -> None:
    here, body = at(campaign, "report/"), said(result(campaign))
    told = umpire.post(here, body)
    assert (told.status_code, told.json()["pending_battle"]) == (200, None)
    assert told.json()["past_battles"][0]["winner"] == "egyptian"
    problem(umpire.post(here, body), "not-found")


def test_a_player_reports_as_agreed_and_nobody_else_does(as_: As, campaign: Campaign) -> None:
    here, body = at(campaign, "report/"), said(result(campaign))
    problem(as_("stranger").post(here, body), "not-found")
    told = as_("mahdist").post(here, body)
    assert told.status_code == 200, told.json()
    signed = told.json()["pending_battle"]["signatures"]
    assert signed == [{"side": "mahdist", "username": "mahdist", "declined": False}]


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"fates": {}}, "illegal-action"),
        ({"fates": {"9999": "good_order"}}, "illegal-action"),
        ({"fates": {"1": "asleep"}}, "invalid"),
        ({"winner": "nobody"}, "invalid"),
        ({"fates": [1, 2]}, "invalid"),
        ({"fates": {"Gordon": "good_order"}}, "invalid"),
    ],
    ids=["no fates", "no such unit", "no such fate", "no such side", "no fates at all", "no id"],
)
def test_a_result_that_cannot_be_is_refused_and_the_battle_waits(
    wrong: dict[str, Any], kind: str, umpire: Api, campaign: Campaign
) -> None:
    problem(umpire.post(at(campaign, "report/"), {**said(result(campaign)), **wrong}), kind)
    assert umpire.get(at(campaign)).status_code == 200


def test_it_is_left_to_the_table_by_the_umpire(as_: As, campaign: Campaign) -> None:
    here, wanted = at(campaign), {"type": "resolution", "resolution": "combat-table"}
    problem(as_("egyptian").patch(here, wanted), "not-allowed")
    for wrong in ({**wanted, "resolution": "chess"}, {}, {**wanted, "type": "declined"}):
        problem(as_("umpire").patch(here, wrong), "invalid")
    told = as_("umpire").patch(here, wanted).json()
    assert told["pending_battle"] is None
    problem(as_("umpire").patch(here, wanted), "not-found")


def test_its_players_take_the_field_by_a_book(as_: As, campaign: Campaign) -> None:
    here = as_("egyptian").get(at(campaign)).json()["links"]["battle"]
    fight = f"{here}fight/"
    refused = problem(as_("egyptian").put(fight, {"book": "chess"}), "unfit")
    assert "redcoats" in refused["errors"][0]["detail"]
    problem(as_("stranger").put(fight, {"book": "redcoats"}), "not-found")
    begun = as_("egyptian").put(fight, {"book": "redcoats"})
    assert begun.status_code == 200, begun.json()
    assert begun.json()["book"] == "redcoats"
    assert as_("mahdist").get(f"{here}fight/").json()["perspective"] == "mahdist"


def test_battles_are_arranged_by_the_umpire(as_: As, campaign: Campaign) -> None:
    here = f"/campaigns/{campaign.slug}/"
    wanted = {
        "resolution": "tabletop",
        "fallback": "combat-table",
        "timeout_days": 5,
        "signed": True,
    }
    problem(as_("egyptian").patch(here, {"battles": wanted}), "not-allowed")
    changed = as_("umpire").patch(here, {"battles": wanted}).json()["battles"]
    assert changed == {**wanted, "book": None}
    refused = problem(as_("umpire").patch(here, {"battles": {"resolution": "chess"}}), "invalid")
    assert "redcoats" in refused["errors"][0]["detail"]
    problem(as_("umpire").patch(here, {"battles": {"fallback": "tabletop"}}), "invalid")
