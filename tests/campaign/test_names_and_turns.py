"""Display names wherever people are named, and the count of what waits in every title."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.display_names import DisplayNameForm
from campaign.models import Campaign, Seat
from campaign.services import mail, order_submission
from campaign.services.errors import Refused
from campaign.services.journal import creation
from campaign.services.turns import advance
from campaign.services.umpire import invitations, seat_control
from campaign.web.front_page import register
from campaign.web.your_turn import awaited_page, turn_count
from tests.people import PASSWORD, SIEGE, People

pytestmark = pytest.mark.django_db
NAME = "Chinese Gordon"


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def call(user: User, name: str) -> None:
    form = DisplayNameForm(user, {"display_name": name})
    assert form.is_valid(), form.errors
    assert form.save()


def begun(people: People, **given: object) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    terms = creation.NewCampaignTerms(SIEGE, mode="orders", fog=True, seats=seats, **given)  # type: ignore[arg-type]
    return creation.create_campaign(terms, by=f"umpire:{people.umpire.get_username()}")


def text(client: Client, name: str, *args: object) -> str:
    return client.get(reverse(name, args=args)).content.decode()


def test_a_name_is_shown_at_seats_letters_worklist_mails_and_the_log(people: People) -> None:
    campaign = begun(people)
    User.objects.filter(pk=people.egyptian.pk).update(email="gordon@example.org")
    people.egyptian.refresh_from_db()
    for user, name in ((people.egyptian, NAME), (people.umpire, "The Foreign Office")):
        call(user, name)
    seat_control.adjourn(campaign.pk, people.umpire, reason="Supper.")
    seat_control.take_up(campaign.pk, people.umpire)
    umpire, enemy = client_of(people.umpire), client_of(people.mahdist)
    for client in (umpire, enemy):
        for page in ("seats", "letters"):
            assert NAME in text(client, page, campaign.slug), page
    assert NAME in text(umpire, "console", campaign.slug)
    log = text(enemy, "umpire-log", campaign.slug)
    assert "The Foreign Office, umpire" in log
    assert "umpire, umpire" not in log
    assert "The Foreign Office" in text(enemy, "front")
    mail.send_due()
    written = [one.body for one in outbox.outbox if one.to == ["gordon@example.org"]]
    assert written
    assert all(one.startswith(f"{NAME},") for one in written)


def test_no_log_in_name_is_read_in_the_worklist_the_log_and_refusals(people: People) -> None:
    campaign = begun(people)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    call(people.umpire, "The Foreign Office")
    call(people.mahdist, "The Emir")
    call(people.stranger, NAME)
    mahdist = campaign.seats.get(role="mahdist")
    offer = invitations.SeatOffer("mahdist")
    with pytest.raises(Refused, match=r"^The Emir holds the whole side already\."):
        invitations.invite(campaign.pk, people.umpire, offer)
    seat_control.remove_player(campaign.pk, people.umpire, mahdist.pk, reason="Ill.")
    links = [invitations.invite(campaign.pk, people.umpire, offer)[1] for _ in range(2)]
    invitations.take_seat(links[0], people.mahdist)
    with pytest.raises(Refused, match=r"Ask The Foreign Office for a link"):
        invitations.take_seat(links[1], people.spectator)
    seat_control.replace_player(
        campaign.pk, people.umpire, mahdist.pk, "stranger", reason="Away again."
    )
    seat_control.second_umpire(campaign.pk, people.umpire, "spectator")
    assert f"{NAME} sits as the Mahdist commander-in-chief from now on." in text(
        client_of(people.egyptian), "umpire-log", campaign.slug
    )
    console = text(client_of(people.umpire), "console", campaign.slug)
    assert f"The Mahdist commander-in-chief ({NAME}) has written nothing yet." in console


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("MAHDIST", "Somebody else is called that"),
        ("the sirdar of egypt", "Somebody else is called that"),
        ("ＭＡＨＤＩＳＴ", "Somebody else is called that"),
        ("The Umpire", "is reserved"),
        ("the computer’s staff", "is reserved"),
        ("G\u043erdon", "letters of one alphabet"),
        ("Gordon\u202e", "invisible characters"),
        ("<b>Gordon", "but not “&lt;”"),
        ("1885", "needs a letter"),
        ("G" * 41, "at most 40 characters"),
    ],
)
def test_a_name_that_could_pass_for_anothers_is_refused_and_then_a_good_one_is_taken(
    people: People, name: str, said: str
) -> None:
    call(people.mahdist, "The Sirdar of Egypt")
    client = client_of(people.egyptian)
    refused = client.post(reverse("display-name"), {"display_name": name})
    assert refused.status_code == 400
    assert said in refused.content.decode()
    taken = client.post(reverse("display-name"), {"display_name": f"  {NAME} "}, follow=True)
    assert f"Others now see you as {NAME}." in taken.content.decode()
    assert User.objects.get(pk=people.egyptian.pk).first_name == NAME
    given = {"username": "egyptian", "password": PASSWORD}
    assert Client().post(reverse("login"), given).status_code == 302


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("Scope", "\u0405\u0441\u043e\u0440\u0435"),
        ("Hat", "\u041d\u0410\u0422"),
        ("Anna", "\u0391\u039d\u039d\u0391"),
        ("Bill", "Bi11"),
    ],
)
def test_a_name_that_looks_like_anothers_in_another_alphabet_is_refused(
    people: People, name: str, alike: str
) -> None:
    call(people.mahdist, name)
    form = DisplayNameForm(people.egyptian, {"display_name": alike})
    assert "looks the same" in str(form.errors)
    call(people.egyptian, "\u0420\u043e\u0437\u0430")


def test_a_name_is_given_back_and_may_then_be_anothers(people: People) -> None:
    call(people.egyptian, NAME)
    call(people.egyptian, NAME.upper())
    assert not DisplayNameForm(people.mahdist, {"display_name": NAME}).is_valid()
    call(people.egyptian, "")
    call(people.mahdist, NAME)


def test_of_two_who_take_a_name_at_once_one_is_refused(people: People) -> None:
    forms = [DisplayNameForm(user, {"display_name": NAME}) for user in people[1:3]]
    assert all(form.is_valid() for form in forms)
    assert [form.save() for form in forms] == [True, False]
    assert "Somebody else" in str(forms[1].errors)


def test_nobody_registers_under_the_display_name_of_another(people: People) -> None:
    call(people.egyptian, "Gordon")
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    refused = Client().post(reverse("register"), {"username": "gordon", **passwords})
    assert "Somebody else is called that" in refused.content.decode()
    assert Client().post(reverse("register"), {"username": "baker", **passwords}).status_code == 302


@pytest.mark.parametrize("name", ["nobody", "Admin", "SIRDAR", "guest", "\u0443\u043eu"])
def test_nobody_registers_by_a_name_that_pages_use_for_somebody_else(db: None, name: str) -> None:
    given = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    refused = Client().post(reverse("register"), given)
    assert refused.status_code == 400
    assert "is reserved" in refused.content.decode()
    given = {"username": name, "password": PASSWORD}
    answer = Client().post("/api/v1/accounts/", given, content_type="application/json")
    assert [wrong["pointer"] for wrong in answer.json()["errors"]] == ["/username"]
    assert not User.objects.exists()


def in_title(client: Client, address: str) -> str:
    found = re.search(r"<title>(?:\((\d+)\) )?", client.get(address).content.decode())
    assert found
    return found[1] or "0"


def test_the_title_of_every_page_counts_what_waits_by_one_query(people: People) -> None:
    campaign = begun(people)
    seat = Seat.objects.get(campaign=campaign, role="egyptian")
    player = client_of(people.egyptian)
    pages = [reverse("front"), reverse("rules"), reverse("campaign", args=[campaign.slug])]
    pages += [reverse("seats", args=[campaign.slug]), reverse("display-name"), reverse("help")]
    assert {in_title(player, page) for page in pages} == {"1"}
    assert {in_title(Client(), page) for page in pages[:2]} == {"0"}
    with CaptureQueriesContext(connection) as counted:
        assert turn_count(people.egyptian) == 1
    assert len(counted) == 1
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {})
    order_submission.submit(campaign.pk, people.egyptian, seat.pk)
    assert {in_title(player, page) for page in pages} == {"0"}
    assert player.get(reverse("turn-count")).content == b"0"


@pytest.mark.parametrize("mode", ["orders", "live", "staff"])
@pytest.mark.parametrize("battles", ["redcoats", "tabletop"])
def test_the_count_agrees_with_the_front_page(people: People, mode: str, battles: str) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    terms = creation.NewCampaignTerms(
        SIEGE, mode=mode, seats=seats, staff=["mahdist"], battles=battles
    )
    campaign = creation.create_campaign(terms)
    for _ in range(3):
        for user in people:
            pages = [entry.page for entry in register(user) if entry.page]
            assert turn_count(user) == len(pages), (user, pages)
        advance.run_month(campaign.pk, until=campaign.month + 1)
        campaign.refresh_from_db()


def test_nothing_waits_for_somebody_who_takes_a_seat_in_the_middle_of_a_month(
    people: People,
) -> None:
    """The orders of the seat are withdrawn, and new ones cannot be written for this month."""
    campaign = begun(people)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    seat = campaign.seats.get(role="egyptian")
    advance.run_phase(campaign.pk)
    seat_control.replace_player(
        campaign.pk, people.umpire, seat.pk, people.stranger.username, reason="He is ill."
    )
    campaign.refresh_from_db()
    seat.refresh_from_db()
    assert awaited_page(campaign, seat) == ""
    assert turn_count(people.stranger) == 0
