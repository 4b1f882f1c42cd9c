"""Places that a scenario adds to the map: found, suggested, drawn, told and printed by name."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side
from campaign import cartography, serialization
from campaign.access import fog_of_war, month_reports, selectors
from campaign.models import Campaign, OwnScenario, Seat
from campaign.rules.core.actions import Done, March
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.questions import ToMarch
from campaign.rules.map import HexId, play_on, sudan
from campaign.rules.prose.names import describe_hex
from campaign.rules.sight import Onlooker
from campaign.services.journal import campaign_session, creation, own_scenarios
from campaign.services.journal.creation import NewCampaignTerms
from campaign.services.turns import advance
from campaign.services.umpire import invitations
from campaign.staff import answer
from tests.campaign.test_own_scenarios import golden

FORT, SOUAKIM = HexId(5421), sudan().place("Souakim").hex
UMPIRE = Onlooker.UMPIRE


@pytest.fixture
def umpire(db: None) -> User:
    return User.objects.create_user("umpire")


@pytest.fixture
def at_the_fort(umpire: User) -> Campaign:
    own, faults = own_scenarios.save_scenario(umpire, golden())
    assert faults == []
    terms = NewCampaignTerms(own.slug, tables=own.tables, seed=bytes(32), seats={"umpire": umpire})
    return creation.create_campaign(terms)


@pytest.fixture
def page(umpire: User) -> Client:
    client = Client()
    client.force_login(umpire)
    return client


def month_pages(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/{month_slug(Month(campaign.month))}/"


def test_the_finder_knows_its_name_and_what_was_meant(page: Client, at_the_fort: Campaign) -> None:
    finder = f"{month_pages(at_the_fort)}hex/"
    assert page.get(finder, {"place": "fort baker"})["Location"].endswith("/hex/5421/")
    missed = page.get(finder, {"place": "Fort Bakr"}, follow=True).content.decode()
    assert "Fort Baker" in missed
    walked = page.get(f"/campaigns/{at_the_fort.slug}/walk/find/", {"place": "Fort Baker"})
    assert walked["Location"].endswith("/walk/5421/")


def test_pages_name_its_hex(page: Client, at_the_fort: Campaign) -> None:
    for address in ("hex/5421/", "hex/5420/", ""):
        assert "Fort Baker" in page.get(month_pages(at_the_fort) + address).content.decode()
    ruling = page.get(f"/campaigns/{at_the_fort.slug}/console/ruling/", {"hex": "Fort Baker"})
    assert ruling.status_code == 200
    assert ruling.context["title"] == "Fort Baker"


def test_an_order_names_it_and_the_despatches_and_the_gazette_tell_of_it(
    umpire: User, page: Client
) -> None:
    own, _ = own_scenarios.save_scenario(umpire, golden())
    terms = NewCampaignTerms(
        own.slug,
        tables=own.tables,
        seed=bytes(32),
        mode=Campaign.Mode.ORDERS,
        seats={"egyptian": umpire, "umpire": umpire},
        staff=("mahdist",),
    )
    campaign = creation.create_campaign(terms)
    for _ in range(2):
        campaign_session.perform(campaign.pk, "test", Done())
    seat = Seat.objects.get(campaign=campaign, role="egyptian")
    sheet = reverse("plain-orders", args=[campaign.slug, seat.pk])
    given = {"month": campaign.month, "do": "add", "by": "foot", "contact": "stop"}
    wrong = page.post(sheet, {**given, "revision": 0, "stack": FORT, "to": "Fort Bakr"})
    assert "Fort Baker" in wrong.content.decode()
    for revision, (stack, to) in enumerate(((FORT, "Souakim"), (SOUAKIM, "Fort Baker"))):
        order = {**given, "revision": revision, "stack": stack, "to": to}
        assert "Fort Baker" in page.post(sheet, order, follow=True).content.decode()
    page.post(sheet, {"month": campaign.month, "revision": 2, "do": "submit"})
    played = advance.run_month(campaign.pk, until=campaign.month + 1)
    told = fog_of_war.despatches(played, played.first_month, UMPIRE)
    texts = [sentence.text for one in told for sentence in one.sentences]
    assert any("Fort Baker" in text for text in texts), texts
    play_on(None)
    papers = page.get(f"/campaigns/{campaign.slug}/{month_slug(Month(played.first_month))}/")
    assert "Fort Baker" in papers.content.decode()
    assert "Fort Baker" in repr(
        month_reports.gazette_issue(played, played.first_month, Side.EGYPTIAN)
    )


def test_it_is_the_place_of_its_campaign_alone(at_the_fort: Campaign, umpire: User) -> None:
    other = creation.create_campaign(NewCampaignTerms("siege-of-khartoum"))
    selectors.campaign_for(umpire, at_the_fort.slug)
    assert describe_hex(FORT) == "Fort Baker"
    serialization.play_on_map_of(other)
    assert "Fort Baker" not in describe_hex(FORT)
    selectors.state_now(at_the_fort)
    assert describe_hex(FORT) == "Fort Baker"
    Client().get("/help/")
    assert "Fort Baker" not in describe_hex(FORT)


def test_lists_and_guesses_name_what_is_in_play_alone(page: Client, at_the_fort: Campaign) -> None:
    ruling = page.get(f"/campaigns/{at_the_fort.slug}/console/ruling/", {"hex": "Tokar"})
    walk = page.get(f"/campaigns/{at_the_fort.slug}/walk/")
    listed = ruling.context["places"], [name for _, name, _ in walk.context["towns"]]
    for names in listed:
        assert {"Tokar", "Fort Baker"} <= set(names)
        assert not {"Khartoum", "Dongola"} & set(names)
    finder = f"{month_pages(at_the_fort)}hex/"
    missed = page.get(finder, {"place": "Khartoumm"}, follow=True).content.decode()
    assert "no place “Khartoumm” on the map. Write" in missed  # nothing is offered instead


def test_a_shared_scenario_says_its_months_and_forces_in_words(
    page: Client, at_the_fort: Campaign
) -> None:
    own = OwnScenario.objects.get()
    own_scenarios.share_scenario(own.owner, own, shared=True)
    shown = Client().get(f"/workshop/shared/{own.link}/").content.decode()
    assert "February 1884 to April 1884" in shown
    assert "the Egyptian side 13, the Mahdists 9." in shown


def test_forecasts_and_commands_keep_to_the_country_in_play(at_the_fort: Campaign) -> None:
    state = selectors.state_now(at_the_fort)
    stands = {Side.EGYPTIAN: {FORT: 0.5}}
    assert "layer-scenario" in cartography.likely(chart(state), stands, "map.svg")
    assert "layer-scenario" not in cartography.likely(sudan(), stands, "map.svg")
    offered = invitations.regions(at_the_fort)
    assert "souakim_extension" in offered
    assert "kordofan" not in offered


def test_a_place_keeps_its_name_after_another_campaign_was_read(umpire: User) -> None:
    own, _ = own_scenarios.save_scenario(umpire, golden())
    people = [User.objects.create_user(name) for name in ("egyptian", "mahdist")]
    terms = NewCampaignTerms(
        own.slug,
        tables=own.tables,
        seed=bytes(32),
        mode=Campaign.Mode.LIVE,
        seats={"umpire": umpire, "egyptian": people[0], "mahdist": people[1]},
        fog=True,
    )
    campaign = creation.create_campaign(terms)
    other = creation.create_campaign(NewCampaignTerms("siege-of-khartoum"))
    while not isinstance((state := selectors.state_now(campaign)).question, ToMarch):
        campaign_session.perform(campaign.pk, "test", answer(state))
        campaign.refresh_from_db()
    garrison = board(state).land(Side.EGYPTIAN, FORT)
    campaign_session.perform(campaign.pk, "test", March(tuple(unit.id for unit in garrison)))
    campaign.refresh_from_db()
    for _ in range(2):
        told = fog_of_war.waiting_for(campaign, Side.EGYPTIAN)
        assert "the marching stack at Fort Baker" in told
        selectors.state_now(other)
