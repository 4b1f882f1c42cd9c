"""Dice thrown by hand: what has to wait for them is kept, and happens with them."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from api.http.rule_json import identifier
from battles.contract.brief import Side
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from campaign.services.journal import creation, dice
from campaign.services.umpire.rulings import throw_by_hand
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.campaign.battlefield import before_battle, brief, result
from tests.people import People

DONE = {"type": "done"}
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
    as_(first).post(ANSWERS, DONE, If_Match="*")
    return "mahdist" if first == "egyptian" else "egyptian"


@pytest.fixture
def battle(people: People) -> Campaign:
    """A campaign that waits for a battle, whose dice are thrown by hand."""
    return dice_on_the_table(before_battle(people, TABLETOP))


def at(campaign: Campaign, path: str = "") -> str:
    return f"/campaigns/{campaign.slug}/battles/{brief(campaign).id}/{path}"


def lost(campaign: Campaign) -> dict[str, Any]:
    """Return how the Egyptian side has lost the battle: whoever is captured is thrown for."""
    report = result(campaign, Side.MAHDIST)
    fates = {str(unit): identifier(fate) for unit, fate in report.fates.items()}
    return {"fates": fates, "winner": report.winner}


def waits(response: Any, campaign: Campaign) -> dict[str, Any]:
    """Assert that an action waits for dice and is kept, and return its document."""
    told: dict[str, Any] = response.json()
    assert response.status_code in (200, 201), told
    assert told.get("pending_battle", told)["waits_for_dice"]
    campaign.refresh_from_db()
    assert dice.waiting_throw(campaign) is not None
    return told


def type_in(umpire: Api, campaign: Campaign) -> None:
    """All dice that are wanted have fallen with a three."""
    address = f"/campaigns/{campaign.slug}/dice-by-hand/"
    while (seen := umpire.get(address)).json()["throw"]:
        faces = [3] * seen.json()["throw"]["count"]
        typed = umpire.post(address, {"faces": faces}, If_Match=seen["ETag"])
        assert typed.status_code == 200, typed.json()


def test_the_last_word_of_the_set_up_waits_and_happens_with_its_dice(
    as_: As, secret: Campaign
) -> None:
    dice_on_the_table(secret)
    umpire, address = as_("umpire"), "/campaigns/secret/decision/"
    first = umpire.post(f"{address}answers/", DONE, If_Match="*")
    waits(umpire.post(f"{address}answers/", DONE, If_Match=first["ETag"]), secret)
    told = umpire.get(address).json()
    assert (told["phase"], told["waits_for_dice"]) == ("set_up", True)
    type_in(umpire, secret)
    assert umpire.get(address).json()["phase"] != "set_up"


def test_the_way_of_a_battle_waits_and_happens_with_its_dice(umpire: Api, battle: Campaign) -> None:
    waits(umpire.patch(at(battle), {"type": "resolution", "resolution": "combat-table"}), battle)
    type_in(umpire, battle)
    battle.refresh_from_db()
    assert battle.battle == ""


def test_the_report_of_a_battle_waits_and_happens_with_its_dice(
    umpire: Api, battle: Campaign
) -> None:
    waits(umpire.post(at(battle, "report/"), lost(battle)), battle)
    type_in(umpire, battle)
    battle.refresh_from_db()
    assert battle.battle == ""


def test_a_report_to_the_battle_itself_waits_and_happens_with_its_dice(
    umpire: Api, battle: Campaign
) -> None:
    waiting = umpire.get(f"/campaigns/{battle.slug}/battles/").json()["pending_battle"]
    waits(umpire.post(f"{waiting['links']['battle']}report/", lost(battle)), battle)
    type_in(umpire, battle)
    assert umpire.get(waiting["links"]["battle"]).json()["winner"] == "mahdist"
    battle.refresh_from_db()
    assert battle.battle == ""


def test_a_battle_that_both_sides_decline_waits_and_happens_with_its_dice(
    as_: As, battle: Campaign
) -> None:
    here, declined = at(battle), {"type": "declined"}
    assert as_("egyptian").patch(here, declined).status_code == 200
    waits(as_("mahdist").patch(here, declined), battle)
    type_in(as_("umpire"), battle)
    battle.refresh_from_db()
    assert battle.battle == ""


def test_another_act_on_the_battle_is_refused_while_the_first_waits(
    as_: As, battle: Campaign
) -> None:
    umpire, here = as_("umpire"), at(battle)
    waits(umpire.patch(here, {"type": "resolution", "resolution": "combat-table"}), battle)
    problem(umpire.patch(here, {"type": "resolution", "resolution": "redcoats"}), "under-way")
    whole = f"/campaigns/{battle.slug}/"
    problem(umpire.patch(whole, {"battles": {"timeout_days": 3}}), "under-way")
    problem(umpire.post(at(battle, "report/"), lost(battle)), "under-way")
    assert umpire.get(f"/campaigns/{battle.slug}/battles/").json()["past_battles"] == []


def test_only_the_answer_that_waits_may_be_given_again(as_: As, live: Campaign, last: str) -> None:
    waits(as_(last).post(ANSWERS, DONE, If_Match="*"), live)
    waits(as_(last).post(ANSWERS, DONE, If_Match="*"), live)
    others = (
        {"type": "march", "unit_ids": [1]},
        {"type": "deploy", "unit_ids": [1], "hex": "0101"},
    )
    for other in others:
        refused = problem(as_(last).post(ANSWERS, other, If_Match="*"), "under-way")
        assert "Nothing else was done" in refused["detail"]
    type_in(as_("umpire"), live)
    assert as_(last).get(DECISION).json()["phase"] != "set_up"


def test_the_decision_says_that_it_waits_for_dice(as_: As, live: Campaign, last: str) -> None:
    assert as_(last).get(DECISION).json()["waits_for_dice"] is False
    waits(as_(last).post(ANSWERS, DONE, If_Match="*"), live)
    purpose = "2 dice of 6 faces for random event"  # of the enemy: hidden from the side in the fog
    for name, wanted in ((last, "they must be typed in"), ("umpire", purpose)):
        told = as_(name).get(DECISION).json()
        assert (told["waits_for_dice"], told["is_yours"], told["choices"]) == (True, False, None)
        assert wanted in told["waiting_for"]
    type_in(as_("umpire"), live)
    assert as_("umpire").get(DECISION).json()["waits_for_dice"] is False


def test_in_the_fog_the_enemy_is_not_told_that_an_answer_waits(
    as_: As, live: Campaign, last: str
) -> None:
    enemy = as_("mahdist" if last == "egyptian" else "egyptian")
    before = enemy.get(DECISION).json()
    waits(as_(last).post(ANSWERS, DONE, If_Match="*"), live)
    assert enemy.get(DECISION).json() == before


def test_the_staff_whose_answer_waits_is_not_asked_again(
    as_: As, live: Campaign, last: str
) -> None:
    live.seats.filter(role=last).update(staff=True)
    umpire = as_("umpire")
    assert umpire.get(DECISION).json()["staff_is_asked"] is True
    umpire.post(ANSWERS, {"type": "staff"}, If_Match="*")
    told = umpire.get(DECISION).json()
    assert (told["staff_is_asked"], told["waits_for_dice"]) == (False, True)
    type_in(umpire, live)
    assert umpire.get(DECISION).json()["phase"] != "set_up"
