"""Logging in leads to the one thing that waits for you, else to the front page."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, Seat
from campaign.services import order_submission
from campaign.services.journal import creation
from campaign.services.umpire import seat_control
from tests.people import PASSWORD, SIEGE, People

pytestmark = pytest.mark.django_db


def begun(mode: str, *, title: str = "", staff: tuple[str, ...] = (), **seats: User) -> Campaign:
    wanted = creation.NewCampaignTerms(SIEGE, title, mode=mode, staff=staff, seats=seats)
    return creation.create_campaign(wanted)


def landing(user: User, **given: str) -> str:
    who = {"username": user.get_username(), "password": PASSWORD}
    answer = Client().post(reverse("login"), who | given)
    assert answer.status_code == 302
    return str(answer["Location"])


def test_nothing_waits_for_a_stranger_and_an_observer(people: People) -> None:
    begun("orders", observer=people.spectator)
    assert landing(people.stranger) == landing(people.spectator) == "/"


def test_a_player_lands_on_the_sheet_until_it_is_submitted(people: People) -> None:
    campaign = begun("orders", egyptian=people.egyptian)
    seat = campaign.seats.get(role="egyptian")
    sheet = reverse("order-sheet", args=[campaign.slug, seat.pk])
    assert landing(people.egyptian) == sheet
    assert landing(people.egyptian, next="/") == sheet
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {})
    assert landing(people.egyptian) == sheet
    order_submission.submit(campaign.pk, people.egyptian, seat.pk)
    assert landing(people.egyptian) == "/"


def test_whoever_asked_for_a_page_comes_to_that_page(people: People) -> None:
    begun("orders", egyptian=people.egyptian)
    assert landing(people.egyptian, next="/rules/") == "/rules/"


@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("/rules/", "?next=/rules/"),
        ("/accounts/login/", ""),
        ("/accounts/login/?next=/rules/", "?next=/rules/"),
        ("/accounts/register/?next=/rules/", "?next=/rules/"),
        ("/accounts/password/forgotten/", ""),
        ("/accounts/password/MQ/abc-def/", ""),
    ],
)
@pytest.mark.parametrize("is_guest", [False, True])
def test_the_head_of_a_page_leads_back_to_a_page_one_wants(
    page: str, back: str, is_guest: bool
) -> None:
    client = Client()
    if is_guest:
        client.post(reverse("fight-first-battle"))
    text = client.get(page).content.decode()
    head = text[text.index("<header") : text.index("</header>")]
    assert f'href="{reverse("register")}{back}"' in head
    assert f'href="{reverse("login")}{back}"' in head


def test_an_umpire_who_plays_a_side_has_orders_to_give_first(people: People) -> None:
    campaign = begun("orders", umpire=people.umpire, egyptian=people.umpire)
    seat = campaign.seats.get(role="egyptian")
    assert landing(people.umpire) == reverse("order-sheet", args=[campaign.slug, seat.pk])
    order_submission.submit(campaign.pk, people.umpire, seat.pk)
    assert landing(people.umpire) == reverse("console", args=[campaign.slug])


def test_of_two_live_players_the_one_who_is_asked_lands_on_the_question(people: People) -> None:
    campaign = begun("live", egyptian=people.egyptian, mahdist=people.mahdist)
    places = {landing(people.egyptian), landing(people.mahdist)}
    assert places == {"/", reverse("live", args=[campaign.slug])}


def test_a_seat_that_the_staff_holds_waits_for_nobody(people: People) -> None:
    campaign = begun("orders", umpire=people.umpire, egyptian=people.egyptian)
    seat = campaign.seats.get(role="egyptian")
    seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason="A holiday.")
    assert landing(people.egyptian) == "/"


def test_of_several_the_front_page_shows_first_those_that_need_the_visitor(people: People) -> None:
    needs = [begun("orders", title=title, egyptian=people.egyptian) for title in ("One", "Two")]
    begun("orders", title="Looked at", observer=people.egyptian)
    assert landing(people.egyptian) == "/"
    client = Client()
    client.force_login(people.egyptian)
    page = client.get("/").content.decode()
    assert max(page.index(f">{one.title}</a>") for one in needs) < page.index(">Looked at</a>")
    for one in needs:
        seat = one.seats.get(role=Seat.Role.EGYPTIAN)
        link = reverse("order-sheet", args=[one.slug, seat.pk])
        assert f'<a href="{link}">Needs you</a>' in page
    assert page.count("Needs you") == len(needs)


def test_nothing_waits_in_a_campaign_that_is_over_or_adjourned(
    over: Campaign, people: People
) -> None:
    assert over.finished
    assert landing(people.umpire) == "/"
    campaign = begun("orders", umpire=people.umpire, egyptian=people.egyptian)
    seat_control.adjourn(campaign.pk, people.umpire, reason="Until the new year.")
    assert landing(people.egyptian) == landing(people.umpire) == "/"


def test_the_address_of_the_list_of_campaigns_leads_to_the_front_page(client: Client) -> None:
    answer = client.get("/campaigns/")
    assert (answer.status_code, answer["Location"]) == (302, reverse("front"))
