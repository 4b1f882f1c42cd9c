"""Seats and invitations: who may invite, links that open once, leaving, registering."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles import journal
from battles.contract.brief import Side
from campaign.access import permissions, selectors
from campaign.models import Campaign, Invitation, OrderSheet, Seat
from campaign.services import errors, order_submission
from campaign.services.journal import creation
from campaign.services.turns.live import staff_sets_up
from campaign.services.umpire import invitations, seat_control
from tests.people import PASSWORD, People, logged_in

WHOLE_SIDE = invitations.SeatOffer("egyptian", "Sirdar")
KORDOFAN = invitations.SeatOffer("mahdist", "Emir", ("kordofan",))


@pytest.fixture
def campaign(people: People) -> Campaign:
    """The siege with its umpire and the Mahdist, and nobody yet who plays the Egyptian side."""
    held = {"umpire": people.umpire, "mahdist": people.mahdist}
    return creation.create_campaign(creation.NewCampaignTerms("siege-of-khartoum", seats=held))


def offer(campaign: Campaign, by: User, wanted: invitations.SeatOffer = WHOLE_SIDE) -> str:
    return invitations.invite(campaign.pk, by, wanted)[1]


def delete_accounts(*users: User) -> str:
    """Delete these accounts as the site's administrator; return the page that asks to confirm."""
    keeper, _ = User.objects.get_or_create(username="keeper", is_staff=True, is_superuser=True)
    client = logged_in(keeper)
    accounts = [str(user.pk) for user in users]
    form = {"action": "delete_selected", "_selected_action": accounts}
    page = client.post("/admin/auth/user/", form).content.decode()
    client.post("/admin/auth/user/", {**form, "post": "yes"})
    return page


def test_the_account_of_an_only_umpire_is_not_deleted_while_others_play(
    campaign: Campaign, people: People
) -> None:
    page = delete_accounts(people.umpire)
    assert f"The campaign “{campaign.title}”, which others play: seat another umpire" in page
    assert permissions.may_advance(people.umpire, campaign)
    seat_control.second_umpire(campaign.pk, people.umpire, people.stranger.username)
    delete_accounts(people.umpire)
    assert not User.objects.filter(pk=people.umpire.pk).exists()
    assert permissions.may_advance(people.stranger, campaign)


@pytest.mark.parametrize("how", ["it is over", "nobody else plays"])
def test_the_account_of_an_only_umpire_is_deleted_when_nobody_waits_for_them(
    campaign: Campaign, people: People, how: str
) -> None:
    gone = [people.umpire]
    if how == "it is over":
        Campaign.objects.update(finished=True)
    else:
        gone.append(people.mahdist)
    delete_accounts(*gone)
    assert not User.objects.filter(pk=people.umpire.pk).exists()


def test_the_administrator_is_warned_who_deactivates_an_only_umpire(
    campaign: Campaign, people: People
) -> None:
    keeper = User.objects.create(username="keeper", is_staff=True, is_superuser=True)
    umpire = people.umpire
    form = {"username": umpire.username, "date_joined_0": "2026-01-01", "date_joined_1": "12:00"}
    page = logged_in(keeper).post(f"/admin/auth/user/{umpire.pk}/change/", form, follow=True)
    assert f"No umpire of the campaign “{campaign.title}”" in page.content.decode()
    umpire.refresh_from_db()
    assert not umpire.is_active
    seat_control.second_umpire(campaign.pk, umpire, people.stranger.username)
    assert "seat another umpire" in delete_accounts(people.stranger)


def test_a_link_admits_one_person_once(campaign: Campaign, people: People) -> None:
    secret = offer(campaign, people.umpire)
    seat = invitations.take_seat(secret, people.stranger)
    assert (seat.user, seat.role, seat.name) == (people.stranger, "egyptian", "Sirdar")
    with pytest.raises(invitations.InvitationSpent, match="has been used"):
        invitations.take_seat(secret, people.spectator)
    assert campaign.seats.filter(user=people.spectator).count() == 0


def test_an_observer_who_becomes_an_umpire_has_one_seat(campaign: Campaign, people: People) -> None:
    for role in ("observer", "umpire"):
        secret = offer(campaign, people.umpire, invitations.SeatOffer(role))
        invitations.take_seat(secret, people.stranger)
    assert [seat.role for seat in campaign.seats.filter(user=people.stranger)] == ["umpire"]


def test_an_umpire_is_not_seated_as_an_observer_too(campaign: Campaign, people: People) -> None:
    secret = offer(campaign, people.umpire, invitations.SeatOffer("observer"))
    with pytest.raises(errors.Refused, match="You are an umpire of this campaign"):
        invitations.take_seat(secret, people.umpire)
    assert [seat.role for seat in campaign.seats.filter(user=people.umpire)] == ["umpire"]


def test_in_a_fog_a_player_does_not_observe_too(campaign: Campaign, people: People) -> None:
    secret = offer(campaign, people.umpire, invitations.SeatOffer("observer"))
    Campaign.objects.update(fog=True)
    page = logged_in(people.mahdist).post(reverse("invitation", args=[secret]))
    assert page.status_code == 409
    assert "Leave your seat first to watch." in page.content.decode()
    assert [seat.role for seat in campaign.seats.filter(user=people.mahdist)] == ["mahdist"]
    Campaign.objects.update(fog=False)
    assert invitations.take_seat(secret, people.mahdist).role == "observer"


def test_the_link_itself_is_kept_nowhere(campaign: Campaign, people: People) -> None:
    secret = offer(campaign, people.umpire)
    kept = Invitation.objects.values().get()
    assert secret not in str(kept)
    assert re.fullmatch(r"[0-9a-f]{64}", kept["token_hash"])


def test_a_link_runs_out(campaign: Campaign, people: People) -> None:
    secret = offer(campaign, people.umpire)
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(invitations.InvitationSpent, match="has expired"):
        invitations.take_seat(secret, people.stranger)


def test_a_link_that_is_withdrawn_opens_nothing(campaign: Campaign, people: People) -> None:
    invitation, secret = invitations.invite(campaign.pk, people.umpire, WHOLE_SIDE)
    invitations.revoke(campaign.pk, people.umpire, invitation.pk)
    with pytest.raises(invitations.InvitationSpent, match="withdrawn"):
        invitations.take_seat(secret, people.stranger)


def test_the_whole_of_a_side_is_held_by_one(campaign: Campaign, people: People) -> None:
    with pytest.raises(journal.Refused, match="mahdist holds the whole side"):
        offer(campaign, people.umpire, invitations.SeatOffer("mahdist"))


def test_a_commander_in_chief_invites_to_commands_under_him(
    campaign: Campaign, people: People
) -> None:
    seat = invitations.take_seat(offer(campaign, people.mahdist, KORDOFAN), people.stranger)
    assert seat.command == ["kordofan"]
    with pytest.raises(journal.Refused, match="some of that"):
        offer(campaign, people.mahdist, KORDOFAN)
    with pytest.raises(errors.NotAllowed, match="Only the umpire"):
        offer(campaign, people.mahdist, invitations.SeatOffer("egyptian"))
    with pytest.raises(errors.NotAllowed, match="Only the umpire"):
        offer(campaign, people.stranger, invitations.SeatOffer("mahdist", command=("gezira",)))


def test_a_command_named_twice_or_in_another_order_is_the_same(
    campaign: Campaign, people: People
) -> None:
    both = invitations.SeatOffer("mahdist", command=("kordofan", "gezira", "kordofan"))
    seat = invitations.take_seat(offer(campaign, people.mahdist, both), people.stranger)
    assert seat.command == ["kordofan", "gezira"]
    invitations.leave(campaign.pk, people.stranger, seat.pk)
    again = invitations.SeatOffer("mahdist", command=("gezira", "kordofan"))
    taken = invitations.take_seat(offer(campaign, people.mahdist, again), people.spectator)
    assert taken.pk == seat.pk


def test_nobody_plays_both_sides(campaign: Campaign, people: People) -> None:
    secret = offer(campaign, people.umpire)
    with pytest.raises(journal.Refused, match=r"You have another seat .* nobody plays two"):
        invitations.take_seat(secret, people.mahdist)
    assert invitations.invitation_of(secret).used is None


def test_a_link_makes_no_umpire_of_a_player_and_no_player_of_an_umpire(
    campaign: Campaign, people: People
) -> None:
    to_umpire = offer(campaign, people.umpire, invitations.SeatOffer("umpire"))
    with pytest.raises(journal.Refused, match=r"You play a side .* nobody umpires a game"):
        invitations.take_seat(to_umpire, people.mahdist)
    to_play = offer(campaign, people.umpire)
    with pytest.raises(journal.Refused, match=r"You have another seat .* nobody plays two"):
        invitations.take_seat(to_play, people.umpire)
    for secret in (to_umpire, to_play):
        assert invitations.invitation_of(secret).used is None
    assert campaign.seats.filter(user__in=[people.umpire, people.mahdist]).count() == 2


def test_who_leaves_makes_room_and_his_orders_are_void(campaign: Campaign, people: People) -> None:
    mine = Seat.objects.get(user=people.mahdist)
    sheet = OrderSheet.objects.create(campaign=campaign, seat=mine, branch=0, month=campaign.month)
    invitations.leave(campaign.pk, people.mahdist, mine.pk)
    mine.refresh_from_db()
    sheet.refresh_from_db()
    assert mine.user is None
    assert mine.vacated
    assert sheet.withdrawn
    again = invitations.take_seat(
        offer(campaign, people.umpire, invitations.SeatOffer("mahdist")), people.stranger
    )
    assert again.pk == mine.pk


def test_the_only_umpire_cannot_leave(campaign: Campaign, people: People) -> None:
    mine = Seat.objects.get(user=people.umpire)
    with pytest.raises(errors.UnfitRequest, match="needs an umpire"):
        invitations.leave(campaign.pk, people.umpire, mine.pk)
    invitations.take_seat(
        offer(campaign, people.umpire, invitations.SeatOffer("umpire")), people.spectator
    )
    invitations.leave(campaign.pk, people.umpire, mine.pk)
    campaign.refresh_from_db()
    assert campaign.umpire == people.spectator


def test_a_deleted_account_leaves_its_seats_vacant_and_the_campaign_to_others(
    campaign: Campaign, people: People
) -> None:
    mine = Seat.objects.get(user=people.mahdist)
    sheet = OrderSheet.objects.create(campaign=campaign, seat=mine, branch=0, month=campaign.month)
    people.mahdist.delete()
    people.spectator.delete()
    mine.refresh_from_db()
    sheet.refresh_from_db()
    assert (mine.user, mine.role, sheet.withdrawn) == (None, "mahdist", True)
    assert mine.vacated
    assert not campaign.seats.filter(role="observer").exists()
    campaign.seats.create(user=people.stranger, role="umpire")
    people.umpire.delete()
    campaign.refresh_from_db()
    assert campaign.umpire == people.stranger
    assert campaign.seats.filter(role="umpire").count() == 1
    people.stranger.delete()
    assert campaign.seats.get(role="umpire").user is None
    campaign.seats.create(user=people.egyptian, role="egyptian")
    page = logged_in(people.egyptian).get(reverse("seats", args=[campaign.slug]))
    assert page.status_code == 200


def test_from_the_roster_to_a_seat_by_way_of_registering(
    campaign: Campaign, people: People
) -> None:
    page = reverse("seats", args=[campaign.slug])
    sent = {"role": "egyptian", "name": "Sirdar", "days": 14}
    answer = logged_in(people.umpire).post(page, sent).content.decode()
    link = re.search(r'value="http://testserver(/invitations/[^"]+)"', answer)
    assert link
    newcomer = Client()
    assert "Register" in newcomer.get(link[1]).content.decode()
    given = {"username": "Wood", "password1": PASSWORD, "password2": PASSWORD, "next": link[1]}
    registered = newcomer.post(reverse("register"), given)
    assert registered.headers["Location"] == link[1]
    newcomer.post(link[1])
    assert Seat.objects.get(role="egyptian").user == User.objects.get(username="Wood")
    assert newcomer.get(link[1]).status_code == 410


def test_a_guest_comes_to_a_seat_by_way_of_registering_or_logging_in(
    campaign: Campaign, people: People
) -> None:
    guest = Client()
    guest.post(reverse("fight-first-battle"))
    here = reverse("invitation", args=[offer(campaign, people.umpire)])
    page = guest.get(here).content.decode()
    assert "Take the seat" not in page
    main = page[page.index("<main") :]
    assert f'href="{reverse("register")}?next={here}"' in main
    assert f'href="{reverse("login")}?next={here}"' in main


def test_registering_leads_nowhere_but_here(db: None) -> None:
    given = {"username": "Wood", "password1": PASSWORD, "password2": PASSWORD}
    answer = Client().post(reverse("register"), {**given, "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"


def test_a_bad_registration_is_told_what_is_wrong(people: People) -> None:
    given = {"username": "umpire", "password1": PASSWORD, "password2": PASSWORD}
    answer = Client().post(reverse("register"), given)
    assert answer.status_code == 400
    assert "already exists" in answer.content.decode()


def test_the_roster_shows_its_form_to_those_who_may_invite(
    campaign: Campaign, people: People
) -> None:
    invitations.take_seat(
        offer(campaign, people.umpire, invitations.SeatOffer("observer")), people.spectator
    )
    page = reverse("seats", args=[campaign.slug])
    assert "Make a link" in logged_in(people.mahdist).get(page).content.decode()
    assert "Make a link" not in logged_in(people.spectator).get(page).content.decode()
    assert logged_in(people.stranger).get(page).status_code == 404


def test_in_the_fog_the_enemy_does_not_read_who_commands_what(
    campaign: Campaign, people: People
) -> None:
    Campaign.objects.update(fog=True)
    invitations.take_seat(offer(campaign, people.mahdist, KORDOFAN), people.stranger)
    invitations.take_seat(offer(campaign, people.umpire), people.egyptian)
    page = reverse("seats", args=[campaign.slug])
    own = logged_in(people.mahdist).get(page).content.decode()
    assert "<td>Kordofan</td>" in own
    enemy = logged_in(people.egyptian).get(page).content.decode()
    assert "<td>Kordofan</td>" not in enemy
    assert "part of the side" in enemy


def leader(campaign: Campaign, name: str) -> int:
    units = selectors.state_now(campaign).units.values()
    return next(unit.id for unit in units if unit.name == name)


def roster_of(campaign: Campaign) -> str:
    return reverse("seats", args=[campaign.slug])


def ask(client: Client, campaign: Campaign, **given: Any) -> str:
    sent = {"role": "egyptian", "name": "", "days": 14, **given}
    return client.post(roster_of(campaign), sent).content.decode()


def test_the_form_stands_on_the_first_vacant_commander(campaign: Campaign, people: People) -> None:
    def chosen() -> str:
        page = logged_in(people.umpire).get(roster_of(campaign)).content.decode()
        found = re.search(r'<option value="(\w+)" selected', page)
        assert found
        return found[1]

    assert chosen() == "egyptian"
    invitations.take_seat(offer(campaign, people.umpire), people.egyptian)
    assert chosen() == "observer"
    invitations.leave(campaign.pk, people.mahdist, Seat.objects.get(user=people.mahdist).pk)
    assert chosen() == "mahdist"


def test_an_umpires_seat_is_offered_last_and_with_a_warning(
    campaign: Campaign, people: People
) -> None:
    page = logged_in(people.umpire).get(roster_of(campaign)).content.decode()
    listed = re.findall(r'<option value="(\w+)"', page)
    assert listed == ["egyptian", "mahdist", "observer", "umpire"]
    assert "An umpire sees everything" in page
    made = ask(logged_in(people.umpire), campaign, role="umpire")
    assert "Do not give this link to a player" in made
    assert (
        "An umpire sees" not in logged_in(people.mahdist).get(roster_of(campaign)).content.decode()
    )


def test_a_link_is_labelled_with_its_seat_and_side(campaign: Campaign, people: People) -> None:
    made = ask(logged_in(people.umpire), campaign, name="Sirdar", command=["kordofan"])
    box = made[made.index("The link to pass on") : made.index('The link"')]
    assert "<strong>Sirdar</strong>" in box
    assert "Egyptian</span> side, commanding Kordofan" in box
    later = logged_in(people.umpire).get(roster_of(campaign)).content.decode()
    row = later[later.index("Invitations not taken yet") :]
    assert re.search(r'Sirdar</th><td><span class="side egyptian">Egyptian</span></td>', row)


def test_nobody_is_offered_a_leader_of_the_other_side(campaign: Campaign, people: People) -> None:
    mahdi, gordon = leader(campaign, "Mahdi"), leader(campaign, "Gordon")
    wrong = invitations.SeatOffer("egyptian", "Fool", (mahdi, "souakim"))
    with pytest.raises(errors.UnfitRequest, match="Egyptian side commands the Mahdi"):
        offer(campaign, people.umpire, wrong)
    page = ask(logged_in(people.umpire), campaign, command=[str(mahdi)])
    assert "Nobody on the Egyptian side commands the Mahdi." in page
    assert not Invitation.objects.exists()
    with pytest.raises(errors.UnfitRequest) as refused:
        offer(campaign, people.mahdist, invitations.SeatOffer("mahdist", command=(gordon,)))
    assert "Gordon" not in str(refused.value)
    assert f"commands {gordon}." in str(refused.value)


def test_without_a_script_the_commands_stand_by_side(campaign: Campaign, people: People) -> None:
    page = logged_in(people.umpire).get(roster_of(campaign)).content.decode()
    egyptian = page.index("<legend>Egyptian leaders</legend>")
    mahdist = page.index("<legend>Mahdist leaders</legend>")
    assert egyptian < page.index("General Gordon") < mahdist < page.index("The Mahdi<")
    own = logged_in(people.mahdist).get(roster_of(campaign)).content.decode()
    assert "Egyptian leaders" not in own


def test_a_side_without_a_leader_has_no_heading_for_leaders(people: People) -> None:
    """Baker and Graham come to Souakim later."""
    terms = creation.NewCampaignTerms("tokar-and-souakim", seats={"umpire": people.umpire})
    page = logged_in(people.umpire).get(roster_of(creation.create_campaign(terms)))
    assert "Egyptian leaders" not in page.content.decode()
    assert "<legend>Mahdist leaders</legend>" in page.content.decode()


def test_whoever_makes_a_second_link_to_a_seat_is_told(campaign: Campaign, people: People) -> None:
    umpire, warning = logged_in(people.umpire), "Another open link offers this seat too"
    assert warning not in ask(umpire, campaign)
    assert warning not in ask(umpire, campaign, command=["kordofan"])
    assert warning in ask(umpire, campaign)
    assert warning in ask(umpire, campaign, command=["kordofan", "gezira"])
    assert warning not in ask(umpire, campaign, role="observer")
    assert warning not in ask(umpire, campaign, role="observer")


def test_a_guest_who_comes_too_late_reads_a_sentence_meant_for_him(
    campaign: Campaign, people: People
) -> None:
    first, second = offer(campaign, people.umpire), offer(campaign, people.umpire)
    invitations.take_seat(first, people.stranger)
    answer = logged_in(people.spectator).post(reverse("invitation", args=[second]))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else has taken this seat since you were invited. Ask umpire" in page
    assert "Free that seat" not in page


def offered_roles(page: str) -> dict[str, str]:
    """Return the labels of the seats on offer by role."""
    (select,) = re.findall(r'<select name="role".*?</select>', page, re.DOTALL)
    return dict(re.findall(r'<option value="(\w+)"[^>]*>([^<]+)<', select))


def test_a_player_alone_is_offered_subordinates_and_not_his_own_seat(people: People) -> None:
    alone = creation.create_solo_campaign(people.stranger, Side.EGYPTIAN, "siege-of-khartoum")
    client = logged_in(people.stranger)
    page = client.get(roster_of(alone)).content.decode()
    assert offered_roles(page) == {"egyptian": "Subordinate on the Egyptian side"}
    assert "commands under the commander-in-chief" in page
    assert "Nothing ticked" not in page
    refused = ask(client, alone)
    assert "The side has its commander-in-chief. Tick a part of it." in refused
    assert not alone.invitations.exists()
    assert "The link to pass on" in ask(client, alone, command=["kordofan"])


def test_an_umpire_reads_which_sides_are_led(campaign: Campaign, people: People) -> None:
    page = logged_in(people.umpire).get(roster_of(campaign)).content.decode()
    roles = offered_roles(page)
    assert roles["egyptian"] == "Egyptian commander-in-chief"
    assert roles["mahdist"] == "Subordinate on the Mahdist side"


def test_what_a_subordinate_commands_is_not_offered_again(
    campaign: Campaign, people: People
) -> None:
    invitations.take_seat(offer(campaign, people.mahdist, KORDOFAN), people.stranger)
    page = logged_in(people.mahdist).get(roster_of(campaign)).content.decode()
    assert 'value="kordofan"' not in page
    assert 'value="gezira"' in page
    assert 'value="kordofan"' in logged_in(people.umpire).get(roster_of(campaign)).content.decode()


@pytest.mark.parametrize(
    ("scenario", "regions"),
    [
        ("siege-of-khartoum", {"souakim_extension", "bayuda", "gezira", "kordofan"}),
        ("desert-column", {"bayuda", "gezira"}),
        ("hicks-in-kordofan", {"kordofan", "gezira"}),
        ("tokar-and-souakim", {"souakim_extension"}),
    ],
)
def test_the_regions_on_offer_have_land_in_play(
    people: People, scenario: str, regions: set[str]
) -> None:
    """The Red Sea is open in every scenario, and no stack stands on it."""
    terms = creation.NewCampaignTerms(scenario, seats={"umpire": people.umpire})
    assert set(invitations.regions(creation.create_campaign(terms))) == regions


@pytest.mark.django_db(transaction=True)
def test_a_subordinate_who_stays_away_stops_no_campaign_without_an_umpire(people: People) -> None:
    """Nobody could hand over their seat, or let the month run without them."""
    commander, stranger = people.egyptian, people.stranger
    alone = creation.create_solo_campaign(commander, Side.EGYPTIAN, "desert-column")
    staff_sets_up(alone.pk)
    part = next(iter(invitations.regions(alone)))
    seat_offer = invitations.SeatOffer("egyptian", command=(part,))
    invitations.take_seat(offer(alone, commander, seat_offer), stranger)
    for may in (permissions.may_settle_battles, permissions.may_stop, permissions.may_delete):
        assert may(commander, alone)
        assert not may(stranger, alone)
    under, in_chief = alone.seats.get(user=stranger), alone.seats.get(user=commander)
    order_submission.set_ready(alone.pk, stranger, under.pk, ready=True)
    alone.refresh_from_db()
    assert alone.month == alone.first_month
    order_submission.set_ready(alone.pk, stranger, under.pk, ready=False)
    order_submission.set_ready(alone.pk, commander, in_chief.pk, ready=True)
    alone.refresh_from_db()
    assert alone.month == alone.first_month + 1


def test_a_guest_is_led_to_register_before_inviting(people: People) -> None:
    guest = Client()
    page = guest.post(reverse("play-alone"), {"side": "egyptian"}, follow=True)
    alone = page.context["campaign"]
    shown = guest.get(roster_of(alone)).content.decode()
    assert "to invite somebody to command under you" in shown
    assert "Make a link" not in shown
