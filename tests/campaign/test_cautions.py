"""Pages warn that the computer's staff sees through the fog, and of what its plans miss."""

import html
import json

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.journal import creation
from campaign.staff.plans import caution
from tests.people import SIEGE, People
from tests.referred import schema_text

SEES = "The computer sees through the fog"
RELIEF = "relief-of-el-obeid"


@pytest.fixture
def umpire(people: People) -> Client:
    client = Client()
    client.force_login(people.umpire)
    return client


def begun(people: People, *, fog: bool = True, staff: tuple[str, ...] = ("mahdist",)) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    if not staff:
        seats["mahdist"] = people.mahdist
    wanted = creation.NewCampaignTerms(
        SIEGE, mode="orders", fog=fog, seats=seats, staff=list(staff)
    )
    return creation.create_campaign(wanted)


def get(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", ["campaign", "seats", "brief"])
def test_a_player_against_the_computer_is_told_that_it_sees_through_the_fog(
    people: People, name: str
) -> None:
    player = Client()
    player.force_login(people.egyptian)
    for campaign, said in (
        (begun(people), True),
        (begun(people, fog=False), False),
        (begun(people, staff=()), False),
    ):
        args = [campaign.slug, "egyptian"] if name == "brief" else [campaign.slug]
        assert (SEES in get(player, name, *args)) is said


@pytest.mark.parametrize("fog", [True, False])
def test_whoever_hands_a_seat_over_is_told(people: People, umpire: Client, fog: bool) -> None:
    page = get(umpire, "console", begun(people, fog=fog, staff=()).slug)
    assert "Hand to the staff" in page
    assert ("The computer sees through the fog: it would play" in page) is fog


def test_whoever_makes_a_campaign_is_told(umpire: Client) -> None:
    assert SEES in get(umpire, "new")


def test_rest_says_it_where_a_seat_is_handed_over() -> None:
    schema = json.loads(schema_text())
    seat = schema["paths"]["/api/v1/campaigns/{slug}/seats/{id}/"]
    assert SEES in seat["patch"]["description"]


def test_the_relief_says_what_its_figures_leave_out(umpire: Client) -> None:
    told = caution(RELIEF)
    assert "December 1883" in told
    assert caution(SIEGE) == ""
    for page in (get(umpire, "new"), get(umpire, "rules")):
        assert page.count(told) == 1


def test_the_rules_tell_of_every_scenario(client: Client) -> None:
    page = get(client, "rules")
    for scenario in scenarios():
        assert scenario.title in page
        assert html.escape(scenario.description) in page
