"""The pages of the workshop: what they refuse is said on a page, and nothing is saved."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.access import selectors
from campaign.models import Campaign, OwnScenario
from campaign.rules.core.actions import Ruled
from campaign.rules.umpire_rulings import end
from campaign.services.journal import own_scenarios
from campaign.services.umpire import rulings
from tests.campaign.test_own_scenarios import golden
from tests.people import People, logged_in

FULL = "You have 1 scenarios already; delete one first."


@pytest.fixture
def own(people: People, monkeypatch: pytest.MonkeyPatch) -> OwnScenario:
    """A scenario of the umpire's, who may have no other."""
    own, _ = own_scenarios.save_scenario(people.umpire, golden())
    monkeypatch.setattr(own_scenarios, "MOST_OF_ONE", 1)
    return own


def refusal(client: Client, address: str, **form: str) -> tuple[str, list[str]]:
    """Return the page to which the form leads, and what it says there."""
    answer: Any = client.post(address, form, follow=True)
    assert answer.status_code == 200
    return answer.redirect_chain[-1][0], [str(one) for one in answer.context["messages"]]


def test_a_copy_too_many_is_refused_on_the_page_of_the_scenario(
    people: People, own: OwnScenario
) -> None:
    address = reverse("copy-scenario", args=[own.pk])
    page = reverse("own-scenario", args=[own.pk])
    assert refusal(logged_in(people.umpire), address) == (page, [FULL])
    assert OwnScenario.objects.count() == 1


def test_a_copy_of_a_shared_scenario_too_many_is_refused_on_its_page(
    people: People, own: OwnScenario
) -> None:
    own_scenarios.share_scenario(people.umpire, own, shared=True)
    own_scenarios.save_scenario(people.egyptian, golden())
    page = reverse("shared-scenario", args=[own.link])
    assert refusal(logged_in(people.egyptian), page) == (page, [FULL])
    assert OwnScenario.objects.count() == 2


def test_a_position_is_not_taken_as_one_scenario_too_many(
    people: People, own: OwnScenario, campaign: Campaign
) -> None:
    address = reverse("what-if", args=[campaign.slug])
    page = reverse("console", args=[campaign.slug])
    assert refusal(logged_in(people.umpire), address) == (page, [FULL])
    assert OwnScenario.objects.get() == own


@pytest.mark.parametrize("fog", [False, True])
@pytest.mark.parametrize("name", ["umpire", "egyptian", "spectator"])
def test_page_and_interface_take_a_position_for_the_same_people(
    people: People, campaign: Campaign, name: str, fog: bool
) -> None:
    Campaign.objects.update(fog=fog)
    client = logged_in(getattr(people, name))
    client.post(reverse("what-if", args=[campaign.slug]))
    by_page = OwnScenario.objects.count()
    body = {"type": "campaign", "campaign": campaign.slug}
    answer = client.post("/api/v1/own-scenarios/", body, "application/json")
    assert answer.status_code == (201 if by_page else 403)
    assert by_page == int(name == "umpire" or not fog)


@pytest.mark.parametrize("fog", [False, True])
@pytest.mark.parametrize("name", ["umpire", "egyptian", "spectator"])
def test_the_position_is_offered_to_those_who_may_take_it(
    people: People, campaign: Campaign, name: str, fog: bool
) -> None:
    Campaign.objects.update(fog=fog)
    page = "console" if name == "umpire" else "campaign"
    client = logged_in(getattr(people, name))
    offered = client.get(reverse(page, args=[campaign.slug])).content.decode()
    assert ("What if from here" in offered) is (name == "umpire" or not fog)
    Campaign.objects.update(public=True)
    anybody = Client().get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert "What if from here" not in anybody


def test_the_position_of_a_campaign_that_has_ended_since_is_not_taken(
    people: People, campaign: Campaign
) -> None:
    ruling = Ruled("Peace.", end(selectors.state_now(campaign), None, "Peace."))
    rulings.rule(campaign.pk, people.umpire, ruling)
    address = reverse("what-if", args=[campaign.slug])
    page = reverse("console", args=[campaign.slug])
    said = ["The campaign is over: rewind it first."]
    assert refusal(logged_in(people.umpire), address) == (page, said)
    assert not OwnScenario.objects.exists()


def test_a_refusal_ends_in_one_full_stop(people: People, own: OwnScenario) -> None:
    client, address = logged_in(people.umpire), reverse("workshop")
    for form, said in (
        ({"from": "blank"}, FULL),
        ({"import": "yes"}, "Choose the file of a scenario first."),
        ({"from": "atlantis"}, "There is no scenario &#x27;atlantis&#x27;; there are "),
    ):
        page = client.post(address, form).content.decode()
        assert said in page
        assert f"{said}." not in page


def test_a_draft_is_drawn_as_far_as_it_can_be_read(people: People) -> None:
    client, address = logged_in(people.umpire), reverse("workshop-drawing")
    document = golden()
    document["scenario"]["map"]["track"].append({"id": "fort_line", "title": 3})
    drawing = client.post(address, document, content_type="application/json")
    assert drawing["Content-Type"] == "image/svg+xml"
    assert "Fort Baker" in drawing.content.decode()
    assert ET.fromstring(drawing.content)[0].get("id") == "standing"  # noqa: S314  our own drawing
    refused = client.post(address, {"format": 99}, content_type="application/json")
    assert (refused.status_code, refused.content) == (422, b"")
