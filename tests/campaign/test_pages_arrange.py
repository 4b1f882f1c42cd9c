"""The set-up page: who may change a set-up, what is refused, and how play begins (2.1)."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side, TroopKind
from campaign.access import selectors
from campaign.models import Campaign, Entry, Seat
from campaign.rules.core.actions import Deploy, Done
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import Phase
from campaign.rules.map import HexId, sudan
from campaign.rules.set_up import set_up_choices
from campaign.services.journal import campaign_session, creation
from tests.people import People, client_of

KHARTOUM, OMDURMAN, BERBER = (
    sudan().place(name).hex for name in ("Khartoum", "Omdurman", "Berber")
)
READY = {"ready": "yes"}


@pytest.fixture
def campaign(people: People) -> Campaign:
    """The siege of Khartoum before anybody has set up."""
    seats = {
        "umpire": people.umpire,
        "egyptian": people.egyptian,
        "mahdist": people.mahdist,
        "observer": people.spectator,
    }
    return creation.create_campaign(creation.NewCampaignTerms("siege-of-khartoum", seats=seats))


def page_of(campaign: Campaign) -> str:
    return reverse("arrange", args=[campaign.slug])


def send(client: Client, campaign: Campaign, **given: object) -> tuple[int, str]:
    """Status and text of the page that a form of the present page leads to."""
    head = Campaign.objects.get(pk=campaign.pk).head_id or 0
    answer = client.post(page_of(campaign), {"head": head, **given}, follow=True)
    return answer.status_code, answer.content.decode()


def gordon(campaign: Campaign) -> UnitId:
    units = selectors.state_now(campaign).units.values()
    return next(unit.id for unit in units if unit.name == "Gordon")


def now_at(campaign: Campaign, unit: UnitId) -> HexId:
    return selectors.state_now(Campaign.objects.get(pk=campaign.pk)).units[unit].hex


@pytest.mark.parametrize("name", ["umpire", "egyptian"])
def test_umpire_and_the_sides_own_player_may_change_its_set_up(
    campaign: Campaign, people: People, name: str
) -> None:
    page = client_of(people, name).get(page_of(campaign)).content.decode()
    assert "This side is ready" in page
    assert '<optgroup label="Places">' in page
    assert f'name="unit" value="{gordon(campaign)}"' in page


@pytest.mark.parametrize("name", ["mahdist", "spectator"])
def test_others_with_a_seat_read_it_only(campaign: Campaign, people: People, name: str) -> None:
    client = client_of(people, name)
    page = client.get(page_of(campaign)).content.decode()
    assert "Khartoum" in page
    assert "General Gordon" in page
    assert "This side is ready" not in page
    assert 'name="unit"' not in page
    assert ("Your side sets up after it." in page) is (name == "mahdist")
    assert send(client, campaign, **READY)[0] == 403
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("name", "arranges"),
    [("umpire", True), ("egyptian", True), ("mahdist", False), ("spectator", False)],
)
def test_the_campaign_leads_to_the_page_those_who_may_change_the_set_up(
    campaign: Campaign, people: People, name: str, arranges: bool
) -> None:
    page = client_of(people, name).get(reverse("campaign", args=[campaign.slug]))
    assert ("Arrange the set-up" in page.content.decode()) is arranges


def test_whoever_only_looks_on_changes_nothing(campaign: Campaign) -> None:
    Campaign.objects.update(public=True)
    assert Client().get(page_of(campaign)).status_code == 200
    assert send(Client(), campaign, **READY)[0] == 403


def test_2_1_a_unit_is_moved_within_its_area(campaign: Campaign, people: People) -> None:
    unit = gordon(campaign)
    sent = {"unit": unit, "hex": f"{OMDURMAN:04d}", "number": ""}
    status, page = send(client_of(people, "egyptian"), campaign, **sent)
    assert status == 200
    assert "General Gordon is set up at Omdurman." in page
    assert now_at(campaign, unit) == OMDURMAN
    assert Entry.objects.get().actor == "player:egyptian"


def test_a_hex_may_be_given_by_its_number(campaign: Campaign, people: People) -> None:
    unit = gordon(campaign)
    send(client_of(people, "umpire"), campaign, unit=unit, hex="", number=f" {OMDURMAN:04d} ")
    assert now_at(campaign, unit) == OMDURMAN
    assert Entry.objects.get().actor == "umpire:umpire"


def test_2_1_an_unlawful_hex_is_refused_and_the_form_kept(
    campaign: Campaign, people: People
) -> None:
    unit = gordon(campaign)
    sent = {"unit": unit, "number": f"{BERBER:04d}", "party": f"{KHARTOUM:04d}-land"}
    status, page = send(client_of(people, "egyptian"), campaign, **sent)
    assert status == 400
    assert "may not set up in hex" in page
    assert ">2.1</a>)" in page
    assert "Keep within the area" in page
    assert f'value="{unit}" checked' in page
    assert f'value="{BERBER:04d}">' in page
    assert now_at(campaign, unit) == KHARTOUM


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"hex": "1942"}, "No units are ticked"),
        ({"unit": "x", "hex": "1942"}, "No units are ticked"),
        ({"unit": "1"}, "No hex is given"),
        ({"unit": "1", "number": "9999"}, "no hex 9999"),
        ({"unit": "1", "number": "Kaffa"}, "is no hex"),
        ({"unit": "999999999", "hex": "1942"}, "Only units of your own"),
        ({"unit": "1", "hex": "1942", "head": "x"}, "load the page again"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    campaign: Campaign, people: People, sent: dict[str, str], said: str
) -> None:
    status, page = send(client_of(people, "umpire"), campaign, **sent)
    assert (status, said in page) == (400, True)
    assert not Entry.objects.exists()


def test_a_page_that_somebody_has_overtaken_changes_nothing(
    campaign: Campaign, people: People
) -> None:
    unit = gordon(campaign)
    campaign_session.perform(campaign.pk, "umpire:umpire", Deploy((unit,), OMDURMAN))
    sent = {"unit": unit, "hex": f"{KHARTOUM:04d}", "head": 0}
    status, page = send(client_of(people, "egyptian"), campaign, **sent)
    assert status == 409
    assert "has gone on since you looked" in page
    assert now_at(campaign, unit) == OMDURMAN
    assert re.search(r'name="head" value="0"', page) is None


def test_an_old_page_of_the_other_sides_set_up_is_told_so(
    campaign: Campaign, people: People
) -> None:
    campaign_session.perform(campaign.pk, "umpire:umpire", Done())
    status, page = send(client_of(people, "egyptian"), campaign, head=0, **READY)
    assert status == 409
    assert "Set-up of the Mahdist side" in page
    assert "This side is ready" not in page


def test_play_begins_when_both_sides_are_ready(campaign: Campaign, people: People) -> None:
    egyptian, mahdist = client_of(people, "egyptian"), client_of(people, "mahdist")
    assert "now the Mahdist side sets up" in send(egyptian, campaign, **READY)[1]
    assert "This side is ready" in mahdist.get(page_of(campaign)).content.decode()
    assert send(egyptian, campaign, **READY)[0] == 403
    page = send(mahdist, campaign, **READY)[1]
    assert "Both sides are ready: February 1884 has begun." in page
    assert Campaign.objects.get().phase != Phase.SET_UP


def test_after_the_set_up_the_address_leads_to_the_campaign(
    campaign: Campaign, people: People
) -> None:
    for _ in Side:
        campaign_session.perform(campaign.pk, "umpire:umpire", Done())
    client = client_of(people, "umpire")
    before = Entry.objects.count()
    looked = client.get(page_of(campaign))
    assert looked["Location"] == reverse("campaign", args=[campaign.slug])
    assert "The set-up is over" in send(client, campaign, **READY)[1]
    assert Entry.objects.count() == before


def test_every_hex_offered_for_a_whole_stack_may_be_taken_by_each_of_its_units(
    campaign: Campaign, people: People
) -> None:
    campaign_session.perform(campaign.pk, "umpire:umpire", Done())
    campaign.refresh_from_db()
    page = client_of(people, "mahdist").get(page_of(campaign)).content.decode()
    choices = set_up_choices(selectors.state_now(campaign), Side.MAHDIST)
    forms = re.findall(r'<form method="post" id="at-.*?</form>', page, re.DOTALL)
    assert forms
    ticked = set()
    for form in forms:
        units = {UnitId(int(unit)) for unit in re.findall(r'name="unit" value="(\d+)"', form)}
        offered = {int(hex_id) for hex_id in re.findall(r'<option value="(\d{4})"', form)}
        assert offered == set.intersection(*(set(choices[unit]) for unit in units))
        ticked |= units
    assert ticked == set(choices)


def test_boats_have_a_form_of_their_own(campaign: Campaign, people: People) -> None:
    campaign_session.perform(campaign.pk, "umpire:umpire", Done())
    campaign.refresh_from_db()
    boats = [u for u in selectors.state_now(campaign).units.values() if u.kind is TroopKind.BOAT]
    ours = next(boat for boat in boats if boat.side is Side.MAHDIST)
    page = client_of(people, "mahdist").get(page_of(campaign)).content.decode()
    assert f'id="at-{ours.hex:04d}-afloat"' in page


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_not_allowed(campaign: Campaign, people: People, method: str) -> None:
    client = client_of(people, "umpire")
    assert getattr(client, method)(page_of(campaign)).status_code == 405


def test_a_form_from_elsewhere_is_refused(campaign: Campaign, people: People) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.umpire)
    assert send(client, campaign, **READY)[0] == 403
    assert not Entry.objects.exists()


def test_the_campaign_page_leads_to_it_while_it_is_set_up(
    campaign: Campaign, people: People
) -> None:
    client = client_of(people, "egyptian")
    there = reverse("campaign", args=[campaign.slug])
    assert page_of(campaign) in client.get(there).content.decode()
    for _ in Side:
        campaign_session.perform(campaign.pk, "umpire:umpire", Done())
    assert page_of(campaign) not in client.get(there).content.decode()


def against_the_staff(people: People, role: str) -> Campaign:
    """Begin a campaign by the form, with the umpire on that side and the staff on the other."""
    other = "mahdist" if role == "egyptian" else "egyptian"
    given = {"scenario": "siege-of-khartoum", "mode": "orders", role: "me", other: "staff"}
    answer = client_of(people, "umpire").post(reverse("new"), given)
    assert answer.status_code == 302
    return Campaign.objects.latest("pk")


def test_the_staff_sets_its_side_up_as_soon_as_it_is_asked(people: People) -> None:
    campaign = against_the_staff(people, "mahdist")
    assert selectors.state_now(campaign).question == ToSetUp(Side.MAHDIST)
    status, text = send(client_of(people, "umpire"), campaign, **READY)
    assert status == 200
    assert "Both sides are ready: February 1884 has begun." in text


def test_nor_has_anybody_to_set_up_for_it_afterwards(people: People) -> None:
    campaign = against_the_staff(people, "egyptian")
    assert selectors.state_now(campaign).question == ToSetUp(Side.EGYPTIAN)
    _, text = send(client_of(people, "umpire"), campaign, **READY)
    assert "Both sides are ready: February 1884 has begun." in text


def stewart(campaign: Campaign, people: People) -> Client:
    """Return a subordinate on the Egyptian side: the leaders in Khartoum and who stands with
    them.
    """
    Seat.objects.create(
        campaign=campaign, role="egyptian", user=people.stranger, command=[gordon(campaign)]
    )
    return client_of(people, "stranger")


def test_a_subordinate_sets_up_his_own_stacks_and_no_others(
    campaign: Campaign, people: People
) -> None:
    client, mine = stewart(campaign, people), gordon(campaign)
    assert send(client, campaign, unit=mine, hex=f"{OMDURMAN:04d}")[0] == 200
    assert now_at(campaign, mine) == OMDURMAN
    state = selectors.state_now(Campaign.objects.get(pk=campaign.pk))
    choices = set_up_choices(state, Side.EGYPTIAN)
    other = next(one for one in choices if state.units[one].hex == KHARTOUM)
    status, page = send(client, campaign, unit=other, hex=f"{OMDURMAN:04d}")
    assert status == 403
    assert "not under your command" in page
    assert now_at(campaign, other) == KHARTOUM


def test_that_a_side_is_ready_is_not_for_a_subordinate_to_say(
    campaign: Campaign, people: People
) -> None:
    client = stewart(campaign, people)
    assert "This side is ready" not in client.get(page_of(campaign)).content.decode()
    status, page = send(client, campaign, **READY)
    assert status == 403
    assert "commander-in-chief" in page
    assert not Entry.objects.exists()
