"""Guests: made at a door, kept by the session, limited, deleted in time, and turned into users."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import guests
from accounts.models import Token
from accounts.tasks import forget_guests
from battles.access import is_guest, person
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from campaign.access import selectors
from campaign.models import Campaign, Job, Seat
from campaign.rules.tables.editions import named_edition, named_editions
from campaign.services import order_submission
from campaign.services.errors import UnfitRequest
from campaign.services.inquiries import try_battle
from campaign.services.job_lease import is_of_guest
from campaign.services.turns import advance_jobs
from campaign.services.umpire import seat_control
from campaign.web.visitor import PageThrottle
from tests.people import SIEGE, gather, sit_down

pytestmark = pytest.mark.django_db
PASSWORD = "a long way from Berber"


def fight(client: Client, **form: str) -> Any:
    return client.post(reverse("fight-first-battle"), form)


def play(client: Client, side: str = "egyptian", **form: str) -> Campaign:
    """Begin a campaign through the door, and return it."""
    answer = client.post(reverse("play-alone"), {"side": side, **form})
    assert answer.status_code == 302
    return Campaign.objects.get(slug=answer["Location"].split("/")[2])


def the_guest() -> User:
    return guests.guests().get()


def register(client: Client, name: str, **form: str) -> Any:
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("register"), {"username": name, **passwords, **form})


def test_one_click_makes_a_guest_who_stands_before_the_first_decision() -> None:
    client = Client()
    answer = fight(client)
    page = client.get(answer["Location"])
    assert page.status_code == 200
    assert 'id="turn-form"' in page.content.decode()
    assert page.content.decode().count("</span> (you)") == 1  # in the tally: the side they lead
    assert is_guest(the_guest())
    assert not the_guest().has_usable_password()


def test_one_door_stands_out_to_a_visitor_and_none_to_who_has_a_game() -> None:
    client, foremost = Client(), re.compile(r"<button class=\"urgent\"[^>]*>([^<]+)")
    page = client.get(reverse("front")).content.decode()
    assert foremost.findall(page) == ["As the Egyptians"]
    fight(client)
    assert foremost.findall(client.get(reverse("front")).content.decode()) == []


def test_the_first_month_is_shown_from_both_doors_unless_refused() -> None:
    for name in ("front", "play-alone"):
        page = Client().get(reverse(name)).content.decode()
        (tick,) = re.findall(r"<input[^>]*name=\"guided\"[^>]*>", page)
        assert " checked" in tick


def test_a_guest_alone_is_offered_no_umpire_log_no_e_mails_and_no_railways() -> None:
    client = Client()
    campaign = play(client)
    page = client.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert "Umpire log" not in page
    assert "<h3>Towns</h3>" in page
    assert "<h3>Railways</h3>" not in page  # the Desert Column has none
    papers = client.get(reverse("papers", args=[campaign.slug])).content.decode()
    assert "Which e-mails" not in papers


def test_the_umpire_of_a_siege_is_offered_its_log_e_mails_and_railways() -> None:
    people = gather()
    siege = sit_down(people)
    client = Client()
    client.force_login(people.umpire)
    page = client.get(reverse("campaign", args=[siege.slug])).content.decode()
    assert "Umpire log" in page
    assert "<h3>Railways</h3>" in page
    papers = client.get(reverse("papers", args=[siege.slug])).content.decode()
    assert "Which e-mails" in papers


def test_looking_makes_no_guest() -> None:
    for name in ("front", "battles", "play-alone", "help", "register"):
        assert Client().get(reverse(name)).status_code == 200
    assert not guests.guests().exists()


def test_a_battle_or_a_side_that_is_not_offered_is_refused_without_a_guest() -> None:
    client = Client()
    for wrong in ({"battle": "waterloo"}, {"side": "french"}):
        answer = client.post(reverse("fight-first-battle"), wrong, follow=True)
        assert "There is no such battle" in answer.content.decode()
    assert client.post(reverse("play-alone"), {"side": "french"}).status_code == 400
    assert not guests.guests().exists()
    assert fight(client, battle="tamai", side="mahdist").status_code == 302


@pytest.mark.parametrize("side", ["egyptian", "mahdist"])
def test_a_solo_player_sees_their_own_side_alone_until_the_end(side: str) -> None:
    client = Client()
    campaign = play(client, side)
    other = "mahdist" if side == "egyptian" else "egyptian"
    assert (campaign.fog, campaign.public, campaign.umpire) == (True, False, None)
    assert campaign.seats.get(role=other).staff
    assert not campaign.seats.filter(role=Seat.Role.UMPIRE).exists()
    for name in ("console", "debrief", "rewind", "export"):
        assert client.get(reverse(name, args=[campaign.slug])).status_code in (403, 404), name
    assert client.get(reverse("brief", args=[campaign.slug, other])).status_code in (403, 404)
    assert Client().get(reverse("campaign", args=[campaign.slug])).status_code == 404
    Campaign.objects.filter(pk=campaign.pk).update(finished=True, outcome="It is over.")
    assert client.get(reverse("debrief", args=[campaign.slug])).status_code == 200


def test_a_month_runs_as_soon_as_the_solo_player_is_ready() -> None:
    client = Client()
    campaign = play(client)
    seat = campaign.seats.get(user=the_guest())
    order_submission.set_ready(campaign.pk, the_guest(), seat.pk, ready=True)
    job = advance_jobs.book_advance(campaign.pk, None, expected_month=campaign.month)
    advance_jobs.run_job(job.uuid)
    month = campaign.month
    campaign.refresh_from_db()
    assert campaign.month == month + 1
    assert client.get(reverse("campaign", args=[campaign.slug])).status_code == 200


def test_months_of_guests_wait_in_a_queue_of_their_own(settings: LazySettings) -> None:
    people = gather()
    ours = sit_down(people)
    theirs = play(Client())
    about: dict[str, Any] = {"months": 1, "until": 1, "total": 1}
    assert is_of_guest(Job.objects.create(campaign=theirs, **about))
    assert not is_of_guest(Job.objects.create(campaign=ours, **about))
    names = {queue.name for queue in settings.CELERY_TASK_QUEUES}
    assert settings.GUESTS_QUEUE in names
    assert settings.GUESTS_QUEUE not in (settings.INTERACTIVE, settings.SIMULATION)


def test_registering_keeps_everything_of_the_guest() -> None:
    client = Client()
    campaign = play(client)
    fight(client)
    guest = the_guest().pk
    refused = register(client, "guest of honour")
    assert refused.status_code == 400
    assert is_guest(User.objects.get(pk=guest))
    assert register(client, "slatin", next="/battles/").headers["Location"] == "/battles/"
    user = User.objects.get(username="slatin")
    assert user.pk == guest
    assert user.check_password(PASSWORD)
    assert campaign.seats.filter(user=user).exists()
    assert Battle.objects.filter(owner=person(user)).count() == 1
    assert client.get(reverse("account")).status_code == 200
    User.objects.filter(pk=guest).update(date_joined=timezone.now() - timedelta(days=400))
    forget_guests()
    assert User.objects.filter(username="slatin").exists()


def test_nobody_can_register_a_name_like_a_guest_s() -> None:
    assert register(Client(), "guest 1234").status_code == 400
    assert not guests.guests().exists()


def test_the_oldest_things_of_a_guest_give_way() -> None:
    client = Client()
    begun = [play(client) for _ in range(guests.MOST_CAMPAIGNS + 1)]
    for _ in range(guests.MOST_BATTLES + 1):
        assert fight(client).status_code == 302
    mine = Campaign.objects.filter(seats__user=the_guest())
    assert set(mine) == set(begun[1:])
    assert Battle.objects.filter(owner=person(the_guest())).count() == guests.MOST_BATTLES


def test_a_guest_who_has_had_their_time_is_deleted_with_all_that_is_theirs() -> None:
    old, young = Client(), Client()
    gone, kept = play(old), play(young)
    fight(old)
    first = Seat.objects.get(campaign=gone, staff=False).user
    assert first is not None
    User.objects.filter(pk=first.pk).update(date_joined=timezone.now() - timedelta(days=15))
    forget_guests()
    assert not User.objects.filter(pk=first.pk).exists()
    assert set(Campaign.objects.values_list("pk", flat=True)) == {kept.pk}
    assert not Battle.objects.exists()
    assert "Log in" in old.get(reverse("front")).content.decode()


def test_a_site_admits_so_many_guests_and_no_more(settings: LazySettings) -> None:
    settings.MOST_GUESTS = 1
    assert "/fight/" in fight(Client())["Location"]
    late = Client()
    assert fight(late)["Location"] == reverse("register")
    assert "As many guests are playing" in late.get(reverse("register")).content.decode()
    User.objects.update(date_joined=timezone.now() - timedelta(days=15))
    assert "/fight/" in fight(late)["Location"]


def test_an_umpire_s_site_may_admit_no_guests(settings: LazySettings) -> None:
    settings.MOST_GUESTS = 0
    client = Client()
    assert fight(client)["Location"] == reverse("register")
    assert "admits no guests" in client.get(reverse("register")).content.decode()
    assert not guests.guests().exists()
    assert "need no account" not in client.get(reverse("front")).content.decode()


def test_guests_come_at_a_limited_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {**PageThrottle.THROTTLE_RATES, "guest": "1/hour"}
    monkeypatch.setattr(PageThrottle, "THROTTLE_RATES", rates)
    assert fight(Client()).status_code == 302
    answer = fight(Client())
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert guests.guests().count() == 1


def test_what_needs_an_account_leads_a_guest_to_register_and_back() -> None:
    client = Client()
    fight(client)
    answer = client.get(reverse("new"))
    assert answer["Location"] == f"{reverse('register')}?next=%2Fnew-campaign%2F"
    page = client.get(answer["Location"]).content.decode()
    assert "you keep everything" in page
    assert client.post(reverse("account"), {"name": "x"}).status_code == 302
    body = {"name": "x", "scopes": ["read"]}
    asked = client.post("/api/v1/campaigns/", body, content_type="application/json")
    assert asked.status_code == 403
    assert "Register" in asked.json()["detail"]
    assert not Token.objects.exists()
    assert not Campaign.objects.exists()


def test_a_guest_pauses_and_ends_their_own_battle() -> None:
    client = Client()
    battle_page = fight(client)["Location"]
    battle = Battle.objects.get()
    powers = reverse("fight-umpire", args=[battle.uuid])
    assert client.post(powers, {"do": "pause"})["Location"] == battle_page
    battle.refresh_from_db()
    assert battle.paused == "Guest"
    over = client.post(powers, {"do": "finish"}, follow=True)
    battle.refresh_from_db()
    assert battle.reported
    page = over.content.decode()
    # To begin the same battle again needs an account, and the page says so beforehand.
    assert reverse("fight-again", args=[battle.uuid]) not in page
    assert "Register to fight this one again" in page
    assert f'href="{reverse("battles")}">Fight another battle' in page


def test_a_guest_reads_before_the_press_that_a_rehearsal_needs_an_account() -> None:
    client = Client()
    shown = client.get(reverse("odds", args=[play(client).slug])).content.decode()
    assert "Register to rehearse 200 times" in shown
    assert "<button" not in shown.partition("<main")[2].partition("</main>")[0]


@pytest.mark.parametrize(("scenario", "chooses"), [("desert-column", False), (SIEGE, True)])
def test_a_set_up_is_offered_where_the_scenario_leaves_a_choice(
    scenario: str, chooses: bool
) -> None:
    client = Client()
    campaign = play(client, scenario=scenario)
    page = client.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert ("Arrange the set-up" in page) is chooses
    assert ("has to set up its units" in page) is chooses
    seat = campaign.seats.get(role="egyptian")
    sheet = client.get(reverse("order-sheet", args=[campaign.slug, seat.pk])).content.decode()
    assert ('"set_up": true' in sheet) is chooses


def test_a_campaign_alone_is_played_by_the_edition_that_is_chosen() -> None:
    """The door advises an edition for the relief of El Obeid."""
    client = Client()
    door = client.get(reverse("play-alone")).content.decode()
    assert all(edition.title in door for edition in named_editions())
    campaign = play(client, scenario="relief-of-el-obeid", edition="relief-first")
    assert selectors.state_now(campaign).edition == named_edition("relief-first").edition.digest
    assert (
        client.post(reverse("play-alone"), {"side": "egyptian", "edition": "x"}).status_code == 400
    )


def test_no_umpire_can_seat_a_guest() -> None:
    people = gather()
    campaign = sit_down(people)
    fight(Client())
    seat = campaign.seats.get(role=Seat.Role.EGYPTIAN)
    name = the_guest().get_username()
    with pytest.raises(UnfitRequest, match="There is no account"):
        seat_control.replace_player(campaign.pk, people.umpire, seat.pk, name, reason="Ill.")


def log_in(client: Client, name: str) -> Any:
    given = {"username": name, "password": PASSWORD}
    return client.post(reverse("login"), given, follow=True)


def test_the_games_of_a_guest_pass_to_the_account_they_log_in_to() -> None:
    User.objects.create_user("gordon", password=PASSWORD)
    client = Client()
    campaign = play(client, guided="on")
    fight(client)
    seat = Seat.objects.get(campaign=campaign, role="egyptian")
    order_submission.save_sheet(campaign.pk, the_guest(), seat.pk, {})
    assert "you began as a guest" not in log_in(client, "gordno").content.decode()
    assert guests.guests().count() == 1
    said = log_in(client, "gordon").content.decode()
    assert "The 2 games that you began as a guest are now yours." in said
    gordon = User.objects.get(username="gordon")
    assert not guests.guests().exists()
    seat.refresh_from_db()
    assert seat.user == gordon
    battle = Battle.objects.get()
    assert battle.owner == person(gordon)
    for address in (
        reverse("order-sheet", args=[campaign.slug, seat.pk]),
        reverse("fight", args=[battle.uuid]),
    ):
        assert client.get(address).status_code == 200
    assert client.session["guides"]


@pytest.mark.parametrize("is_asking", [False, True])
def test_the_odds_that_a_guest_asked_for_pass_too_unless_the_account_is_asking(
    is_asking: bool,
) -> None:
    gordon = User.objects.create_user("gordon", password=PASSWORD)
    client = Client()
    campaign = play(client)
    chosen = find_ready_battle("abu-klea")
    assert chosen is not None
    inquiry = try_battle(campaign, the_guest(), chosen.brief, way="redcoats")
    if is_asking:
        try_battle(campaign, gordon, chosen.brief, way="redcoats")
    page = reverse("inquiry", args=[campaign.slug, inquiry.uuid])
    assert client.get(page).status_code == 200
    assert "you began as a guest" in log_in(client, "gordon").content.decode()
    assert client.get(page).status_code == (404 if is_asking else 200)


def test_a_campaign_that_a_guest_leaves_is_not_kept_where_nobody_sees_it() -> None:
    client = Client()
    first, second = play(client), play(client)
    (seat,) = first.seats.filter(user=the_guest())
    answer = client.post(reverse("leave-seat", args=[first.slug, seat.pk]), follow=True)
    told = f"You have left your seat: Egyptian commander-in-chief. {first.title} is deleted."
    assert told in answer.content.decode()
    assert list(Campaign.objects.all()) == [second]


def test_a_guest_without_a_game_logs_in_and_leaves_nothing() -> None:
    User.objects.create_user("gordon", password=PASSWORD)
    client = Client()
    play(client)
    Campaign.objects.all().delete()
    assert "you began as a guest" not in log_in(client, "gordon").content.decode()
    assert not guests.guests().exists()


def test_the_door_asks_for_the_level_of_the_staff() -> None:
    client = Client()
    page = client.get(reverse("front")).content.decode()
    for level in ("learner", "club", "strong"):
        assert f'<option value="{level}"' in page
        assert play(client, level=level).staff_level == level
    assert play(client).staff_level == "club"
    refused = client.post(reverse("play-alone"), {"side": "egyptian", "level": "hopeless"})
    assert refused.status_code == 400


def test_a_guest_starts_a_month_again_whose_job_has_failed() -> None:
    client = Client()
    campaign = play(client)
    again = {"month": str(campaign.month), "months": "1"}
    address = reverse("advance", args=[campaign.slug])
    seat = Seat.objects.get(campaign=campaign, role="egyptian")
    button = "Play the rest of the month"
    assert button not in client.get(reverse("campaign", args=[campaign.slug])).content.decode()
    client.post(address, again)
    assert not campaign.jobs.exists()
    order_submission.submit(campaign.pk, the_guest(), seat.pk)
    job = advance_jobs.book_advance(campaign.pk)
    Job.objects.filter(pk=job.pk).update(status=Job.Status.FAILED, message="secret: Berber")
    page = client.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert button in page
    assert "secret" not in page
    watched = client.get(reverse("job", args=[campaign.slug, job.uuid]), follow=True)
    assert "could not be played to its end" in watched.content.decode()
    stranger = Client()
    play(stranger)
    assert stranger.post(address, again).status_code == 404
    assert client.post(address, again).status_code == 302
    started = campaign.jobs.order_by("pk").last()
    assert started is not None
    assert started.pk != job.pk
    advance_jobs.run_job(started.uuid)
    before = campaign.month
    campaign.refresh_from_db()
    assert campaign.month == before + 1
    assert button not in client.get(reverse("campaign", args=[campaign.slug])).content.decode()
