"""Dice thrown by hand: what has to wait for them is kept, answered with 202, and happens then."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.contract.brief import Side
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from campaign.services.journal import creation, pending_dice
from campaign.services.umpire.manual_dice import throw_by_hand
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.campaign.battlefield import before_battle, brief, result
from tests.people import People

DONE = {"answer": {"do": "Done"}}
DECISION = "/campaigns/live/decision/"
ANSWERS = f"{DECISION}answers/"


def dice_on_the_table(campaign: Campaign) -> Campaign:
    umpire = campaign.umpire
    assert umpire is not None
    return throw_by_hand(campaign.pk, umpire, yes=True)


@pytest.fixture
def live(seats: dict[str, User]) -> Campaign:
    """A live campaign in the fog; the last word of the set-up wants the first dice."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="live", seats=seats, mode="live", fog=True
    )
    campaign = creation.create_campaign(wanted)
    return dice_on_the_table(campaign)


@pytest.fixture
def last(as_: As, live: Campaign) -> str:
    """Finish the set-up of the first side, and return the side that has the last word."""
    first = as_("umpire").get(DECISION).json()["side"]
    as_(first).post(ANSWERS, DONE)
    return "mahdist" if first == "egyptian" else "egyptian"


@pytest.fixture
def battle(people: dict[str, User]) -> Campaign:
    """A campaign that waits for a battle, whose dice are thrown by hand."""
    return dice_on_the_table(before_battle(People(**people), TABLETOP))


def at(campaign: Campaign, path: str) -> str:
    return f"/campaigns/{campaign.slug}/battles/waiting/{brief(campaign).id}/{path}/"


def lost(campaign: Campaign) -> dict[str, Any]:
    """Return how the Egyptian side has lost the battle: whoever is captured is thrown for."""
    report = result(campaign, Side.MAHDIST)
    fates = {str(unit): fate.value for unit, fate in report.fates.items()}
    return {"fates": fates, "winner": report.winner}


def waits(response: Any, campaign: Campaign) -> dict[str, Any]:
    """Assert that an action waits for dice and is kept, and return its document."""
    told: dict[str, Any] = response.json()
    assert (response.status_code, told["waits_for_dice"]) == (202, True), told
    assert "must be typed in by the umpire first" in told["said"]
    campaign.refresh_from_db()
    assert told["head"] == (campaign.head_id or 0)
    assert pending_dice.waiting(campaign) is not None
    return told


def type_in(umpire: Api, campaign: Campaign) -> None:
    """All dice that are wanted have fallen with a three."""
    address = f"/campaigns/{campaign.slug}/dice-by-hand/"
    while (wanted := umpire.get(address).json())["waiting"]:
        typed = umpire.post(f"{address}throws/", {"faces": [3] * wanted["count"]})
        assert typed.status_code == 200, typed.json()


def test_the_last_word_of_the_set_up_waits_and_happens_with_its_dice(
    as_: As, secret: Campaign
) -> None:
    dice_on_the_table(secret)
    umpire, address = as_("umpire"), "/campaigns/secret/set-up/"
    head = umpire.put(f"{address}readiness/", {"head": 0}).json()["head"]
    waits(umpire.put(f"{address}readiness/", {"head": head}), secret)
    assert umpire.get(address).json()["side"] is not None
    type_in(umpire, secret)
    assert umpire.get(address).json()["side"] is None


def test_the_way_of_a_battle_waits_and_happens_with_its_dice(umpire: Api, battle: Campaign) -> None:
    waits(umpire.put(at(battle, "way"), {"by": "table"}), battle)
    type_in(umpire, battle)
    battle.refresh_from_db()
    assert battle.battle == ""


def test_the_report_of_a_battle_waits_and_happens_with_its_dice(
    umpire: Api, battle: Campaign
) -> None:
    waits(umpire.post(at(battle, "report"), lost(battle)), battle)
    type_in(umpire, battle)
    battle.refresh_from_db()
    assert battle.battle == ""


def test_a_report_to_the_battle_itself_waits_and_happens_with_its_dice(
    umpire: Api, battle: Campaign
) -> None:
    waiting = umpire.get(f"/campaigns/{battle.slug}/battles/").json()["waiting"]
    waits(umpire.post(f"{waiting['links']['battle']}report/", lost(battle)), battle)
    type_in(umpire, battle)
    assert umpire.get(waiting["links"]["battle"]).json()["winner"] == "mahdist"
    battle.refresh_from_db()
    assert battle.battle == ""


def test_a_battle_that_both_sides_decline_waits_and_happens_with_its_dice(
    as_: As, battle: Campaign
) -> None:
    here = at(battle, "declination")
    assert as_("egyptian").put(here).status_code == 200
    waits(as_("mahdist").put(here), battle)
    type_in(as_("umpire"), battle)
    battle.refresh_from_db()
    assert battle.battle == ""


def test_another_act_on_the_battle_is_refused_while_the_first_waits(
    as_: As, battle: Campaign
) -> None:
    umpire, here = as_("umpire"), at(battle, "way")
    waits(umpire.put(here, {"by": "table"}), battle)
    problem(umpire.put(here, {"by": "redcoats"}), "under-way")
    arrangement = f"/campaigns/{battle.slug}/battles/arrangement/"
    problem(umpire.put(arrangement, {"way": "table"}), "under-way")
    problem(umpire.post(at(battle, "report"), lost(battle)), "under-way")
    assert umpire.get(f"/campaigns/{battle.slug}/battles/").json()["fought"] == []


def test_only_the_answer_that_waits_may_be_given_again(as_: As, live: Campaign, last: str) -> None:
    waits(as_(last).post(ANSWERS, DONE), live)
    waits(as_(last).post(ANSWERS, DONE), live)
    others = ({"do": "March", "units": [1]}, {"do": "Deploy", "units": [1], "hex": 101})
    for other in others:
        refused = problem(as_(last).post(ANSWERS, {"answer": other}), "under-way")
        assert "Nothing else was done" in refused["detail"]
    type_in(as_("umpire"), live)
    assert as_(last).get(DECISION).json()["phase"] != "set-up"


def test_the_decision_says_that_it_waits_for_dice(as_: As, live: Campaign, last: str) -> None:
    assert as_(last).get(DECISION).json()["waits_for_dice"] is False
    waits(as_(last).post(ANSWERS, DONE), live)
    for name in (last, "umpire"):
        told = as_(name).get(DECISION).json()
        assert (told["waits_for_dice"], told["yours"], told["choices"]) == (True, False, None)
        assert "2 dice of 6 faces for random event" in told["waiting_for"]
    type_in(as_("umpire"), live)
    assert as_("umpire").get(DECISION).json()["waits_for_dice"] is False


def test_in_the_fog_the_enemy_is_not_told_that_an_answer_waits(
    as_: As, live: Campaign, last: str
) -> None:
    enemy = as_("mahdist" if last == "egyptian" else "egyptian")
    before = enemy.get(DECISION).json()
    waits(as_(last).post(ANSWERS, DONE), live)
    assert enemy.get(DECISION).json() == before


def test_the_staff_whose_answer_waits_is_not_asked_again(
    as_: As, live: Campaign, last: str
) -> None:
    live.seats.filter(role=last).update(staff=True)
    umpire = as_("umpire")
    assert umpire.get(DECISION).json()["staff"] is True
    told = umpire.post(f"{DECISION}staff-answers/").json()
    assert (told["staff"], told["waits_for_dice"]) == (False, True)
    type_in(umpire, live)
    assert umpire.get(DECISION).json()["phase"] != "set-up"
