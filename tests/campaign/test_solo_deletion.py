"""A campaign that a person plays alone: deleted by them, and solo again when it is restored."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from battles import access, serialization, services
from battles.contract.brief import Side
from battles.models import Battle
from campaign.access import fog_of_war, permissions, selectors
from campaign.access.saved_work import KEPT_FOR
from campaign.access.solo import solo_player
from campaign.models import Campaign, DeletedCampaign, Seat
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.services import battle_reports, errors, letters
from campaign.services.journal import audit, creation
from campaign.services.journal.creation import BattleChoice
from campaign.services.pending_battle import owner_of
from campaign.services.transfer import deletion
from campaign.services.turns import advance, advance_jobs
from campaign.services.turns.live import staff_sets_up
from campaign.services.umpire import invitations
from tests.battles_web.fights import advised
from tests.people import People, logged_in

COLUMN = "desert-column"


def solo(user: User, side: Side = Side.EGYPTIAN, battles: str = COMBAT_TABLE) -> Campaign:
    choice = BattleChoice(battles, "redcoats")
    campaign = creation.create_solo_campaign(user, side, COLUMN, battles=choice)
    staff_sets_up(campaign.pk)
    campaign.refresh_from_db()
    return campaign


def is_offered(client: Client, campaign: Campaign) -> bool:
    """Return whether the page of seats has the form that deletes the campaign."""
    page = client.get(reverse("seats", args=[campaign.slug])).content.decode()
    return f'action="{reverse("delete-campaign", args=[campaign.slug])}"' in page


def test_who_plays_alone_deletes_the_campaign_on_the_page_of_seats_and_restores_it(
    people: People,
) -> None:
    campaign, player = solo(people.egyptian), logged_in(people.egyptian)
    before = set(campaign.seats.values_list("role", "user", "staff"))
    where = reverse("delete-campaign", args=[campaign.slug])
    seats = player.get(reverse("seats", args=[campaign.slug])).content.decode()
    (head,) = re.findall(r'name="head" value="(\d+)"', seats.split(f'action="{where}"')[1])
    page = player.post(where, {"head": head}, follow=True).content.decode()
    assert f"{campaign.title} is deleted. For 14 days you can restore it on this page." in page
    assert not Campaign.objects.exists()
    back = reverse("restore-campaign", args=[DeletedCampaign.objects.get().pk])
    assert f'action="{back}"' in page
    assert logged_in(people.stranger).post(back).status_code == 404
    assert not Campaign.objects.exists()
    answer = player.post(back, follow=True)
    assert "is restored, with its players." in answer.content.decode()
    assert answer.redirect_chain[-1][0] == reverse("campaign", args=[campaign.slug])
    restored = Campaign.objects.get()
    assert bytes(restored.secret_seed) == bytes(campaign.secret_seed)
    assert restored.title == campaign.title
    assert set(restored.seats.values_list("role", "user", "staff")) == before
    assert not DeletedCampaign.objects.exists()


@pytest.mark.parametrize("side", list(Side))
def test_a_restored_solo_campaign_has_its_player_no_umpire_and_its_fog(
    people: People, side: Side
) -> None:
    user = people.stranger
    campaign = solo(user, side)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    deleted = deletion.delete_campaign(campaign.pk, user)
    restored = deletion.restore_campaign(deleted.pk, user)
    assert restored.umpire is None
    assert not restored.seats.filter(role=Seat.Role.UMPIRE).exists()
    assert solo_player(restored) == user.pk
    assert restored.document_hash == campaign.document_hash
    view = fog_of_war.view_for(user, restored)
    assert (view.fogged, view.viewer) == (True, side)
    assert logged_in(user).get(reverse("console", args=[restored.slug])).status_code == 403
    if not restored.finished:
        advance.run_month(restored.pk, until=restored.month + 1)
    audit.verify_dice(Campaign.objects.get())
    assert permissions.may_delete(user, restored)


def test_letters_between_players_bring_no_umpire_with_them(people: People) -> None:
    """Of a campaign without an umpire one player is left, whose letters to the other come back."""
    campaign = solo(people.egyptian)
    mahdist = campaign.seats.get(role="mahdist")
    Seat.objects.filter(pk=mahdist.pk).update(user=people.mahdist, staff=False)
    egyptian = campaign.seats.get(role="egyptian")
    draft = letters.LetterDraft(egyptian.pk, [mahdist.pk], "Let us stop for the summer.")
    letters.send_letter(campaign.pk, people.egyptian, draft)
    Seat.objects.filter(pk=mahdist.pk).update(user=None, staff=True)
    before = set(campaign.seats.values_list("role", "user", "staff"))
    deleted = deletion.delete_campaign(campaign.pk, people.egyptian)
    restored = deletion.restore_campaign(deleted.pk, people.egyptian)
    assert restored.letters.get().text == "Let us stop for the summer."
    assert set(restored.seats.values_list("role", "user", "staff")) == before
    assert solo_player(restored) == people.egyptian.pk


def test_the_battle_of_a_restored_solo_campaign_has_no_clock(people: People) -> None:
    campaign = solo(people.egyptian, battles=TABLETOP)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    assert campaign.battle
    deleted = deletion.delete_campaign(campaign.pk, people.egyptian)
    restored = deletion.restore_campaign(deleted.pk, people.egyptian)
    restored.refresh_from_db()
    assert (restored.battle, restored.battle_due) == (campaign.battle, None)


def begun_fight(user: User) -> tuple[Campaign, Battle]:
    """Return a solo campaign that waits for its battle, and that battle, some orders on."""
    campaign = solo(user, battles=TABLETOP)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    waiting = Battle.objects.get(owner=owner_of(campaign), brief_id=campaign.battle)
    fight = services.take_up(waiting, user, "redcoats")
    for _ in range(2):
        step(fight, user)
    fight.refresh_from_db()
    return campaign, fight


def step(fight: Battle, user: User) -> None:
    """Answer the player's question as the book's commander would."""
    cursor = serialization.cursor_of(Battle.objects.get(pk=fight.pk))
    services.act(fight.pk, user, advised(fight), expected=cursor)


@pytest.mark.parametrize("taken", [False, True])
def test_the_battle_that_was_under_way_goes_on_when_the_campaign_is_restored(
    people: People, taken: bool, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    user, player = people.egyptian, logged_in(people.egyptian)
    campaign, fight = begun_fight(user)
    page = reverse("fight", args=[fight.uuid])
    deleted = deletion.delete_campaign(campaign.pk, user)
    assert player.get(page).status_code == 404
    assert fight not in access.battles_for(user)
    if taken:
        other = creation.create_campaign(creation.NewCampaignTerms(COLUMN, slug=campaign.slug))
        assert not Battle.objects.filter(owner=owner_of(other)).exists()
    restored = deletion.restore_campaign(deleted.pk, user)
    kept = Battle.objects.get()
    assert (kept.pk, kept.head_id, kept.owner) == (fight.pk, fight.head_id, owner_of(restored))
    assert access.commands(kept, user) == {Side.EGYPTIAN}
    assert player.get(page).status_code == 200
    with pytest.raises(errors.Refused, match="has begun in the browser"):
        battle_reports.choose_method(restored.pk, user, restored.battle, COMBAT_TABLE)
    with django_capture_on_commit_callbacks(execute=True):
        services.lead(kept, user, Side.EGYPTIAN, computer=True)
    restored.refresh_from_db()
    assert restored.battle != kept.brief_id


def test_the_battles_of_a_deleted_campaign_are_forgotten_with_its_file(people: People) -> None:
    campaign, _ = begun_fight(people.egyptian)
    deletion.delete_campaign(campaign.pk, people.egyptian)
    DeletedCampaign.objects.update(deleted=timezone.now() - KEPT_FOR)
    deletion.forget_deleted()
    assert not Battle.objects.exists()


def test_a_second_one_of_the_same_title_gets_a_number(people: People) -> None:
    campaign = solo(people.egyptian)
    deleted = deletion.delete_campaign(campaign.pk, people.egyptian)
    second = solo(people.egyptian)
    restored = deletion.restore_campaign(deleted.pk, people.egyptian)
    assert (second.title, restored.title) == (campaign.title, f"{campaign.title} (2)")
    assert Campaign.objects.get(pk=restored.pk).title == restored.title


def test_a_solo_campaign_is_deleted_when_it_is_over_too(people: People) -> None:
    campaign = solo(people.egyptian)
    Campaign.objects.filter(pk=campaign.pk).update(finished=True, outcome="It is over.")
    player = logged_in(people.egyptian)
    where = reverse("delete-campaign", args=[campaign.slug])
    assert is_offered(player, campaign)
    player.post(where)
    assert not Campaign.objects.exists()


def test_who_plays_alone_reads_before_leaving_that_the_campaign_is_deleted(
    people: People, campaign: Campaign
) -> None:
    player = logged_in(people.egyptian)
    deleted = "Nobody else plays this campaign, so it is deleted. For 14 days you can restore it"
    given_back = "Its orders are withdrawn, and only an umpire gives it back to you."
    for one, told in ((solo(people.egyptian), deleted), (campaign, given_back)):
        page = player.get(reverse("seats", args=[one.slug])).content.decode()
        assert told in page


def test_a_player_reads_before_leaving_who_gives_it_back(
    people: People, campaign: Campaign
) -> None:
    alone = solo(people.egyptian)
    campaign.seats.create(user=people.stranger, role="egyptian", command=["kordofan"])
    alone.seats.create(user=people.stranger, role="egyptian", command=["kordofan"])
    for one, user, giver in (
        (alone, people.egyptian, "nobody"),
        (alone, people.stranger, "only a commander-in-chief"),
        (campaign, people.stranger, "only an umpire or a commander-in-chief"),
    ):
        page = logged_in(user).get(reverse("seats", args=[one.slug])).content.decode()
        assert f"Its orders are withdrawn, and {giver} gives it back to you." in page
    page = logged_in(people.umpire).get(reverse("seats", args=[campaign.slug])).content.decode()
    assert "Leave this seat: Umpire? Only an umpire gives it back to you." in page


def test_who_leads_subordinates_without_an_umpire_deletes_the_campaign_as_by_rest(
    people: People,
) -> None:
    campaign = solo(people.egyptian)
    campaign.seats.create(user=people.stranger, role="egyptian", command=["kordofan"])
    assert permissions.may_delete(people.egyptian, campaign)
    assert is_offered(logged_in(people.egyptian), campaign)
    assert not is_offered(logged_in(people.stranger), campaign)


def leave_by_page(user: User, campaign: Campaign, seat: Seat) -> None:
    where = reverse("leave-seat", args=[campaign.slug, seat.pk])
    page = logged_in(user).post(where, follow=True)
    assert page.redirect_chain[-1][0] == reverse("import")
    assert "For 14 days you can restore it on this page." in page.content.decode()


def leave_by_rest(user: User, campaign: Campaign, seat: Seat) -> None:
    where = reverse("api:seat", args=[campaign.slug, seat.pk])
    answer = logged_in(user).patch(where, {"holder": None}, content_type="application/json")
    assert (answer.status_code, answer.json()["holder"]) == (200, None)


@pytest.mark.parametrize("leave", [leave_by_page, leave_by_rest])
def test_a_campaign_whose_only_player_leaves_is_kept_where_they_can_restore_it(
    people: People, leave: Callable[[User, Campaign, Seat], None]
) -> None:
    campaign = solo(people.egyptian)
    seat = campaign.seats.get(user=people.egyptian)
    leave(people.egyptian, campaign, seat)
    assert not Campaign.objects.exists()
    restored = deletion.restore_campaign(DeletedCampaign.objects.get().pk, people.egyptian)
    assert solo_player(restored) == people.egyptian.pk


def test_who_leaves_the_campaign_of_two_players_deletes_it_only_as_the_last(
    people: People,
) -> None:
    campaign = solo(people.egyptian)
    other = campaign.seats.create(user=people.mahdist, role="egyptian", command=["kordofan"])
    first = campaign.seats.get(user=people.egyptian)
    invitations.leave(campaign.pk, people.egyptian, first.pk)
    assert Campaign.objects.exists()
    invitations.leave(campaign.pk, people.mahdist, other.pk)
    assert not Campaign.objects.exists()


def test_no_seat_is_left_while_workers_play_a_solo_campaign(people: People) -> None:
    campaign = solo(people.egyptian)
    advance_jobs.book_advance(campaign.pk, None)
    seat = campaign.seats.get(user=people.egyptian)
    where = reverse("leave-seat", args=[campaign.slug, seat.pk])
    page = logged_in(people.egyptian).post(where, follow=True).content.decode()
    assert "Workers are still playing" in page
    assert campaign.seats.get(user=people.egyptian) == seat


def test_a_deleted_account_takes_the_campaigns_that_it_played_alone_with_it(
    people: People, campaign: Campaign
) -> None:
    alone, _ = begun_fight(people.egyptian)
    people.egyptian.delete()
    assert list(Campaign.objects.all()) == [campaign]
    assert not Battle.objects.filter(owner=owner_of(alone)).exists()


def test_nobody_else_deletes_a_solo_campaign(people: People) -> None:
    campaign = solo(people.egyptian)
    where = reverse("delete-campaign", args=[campaign.slug])
    for client in (logged_in(people.stranger), logged_in(people.mahdist)):
        assert client.post(where).status_code == 404
    Campaign.objects.filter(pk=campaign.pk).update(public=True)
    stranger, nobody = logged_in(people.stranger), Client()
    assert not is_offered(stranger, campaign)
    assert not is_offered(nobody, campaign)
    assert stranger.post(where).status_code == 403
    assert nobody.post(where)["Location"].startswith(reverse("login"))
    with pytest.raises(errors.NotAllowed):
        deletion.delete_campaign(campaign.pk, people.stranger)
    assert Campaign.objects.exists()


@pytest.mark.parametrize("role", ["mahdist", "observer"])
def test_of_two_people_without_an_umpire_neither_deletes_the_campaign(
    people: People, role: str
) -> None:
    campaign = solo(people.egyptian)
    campaign.seats.create(user=people.mahdist, role=role)
    where = reverse("delete-campaign", args=[campaign.slug])
    for user in (people.egyptian, people.mahdist):
        assert not permissions.may_delete(user, campaign)
        client = logged_in(user)
        assert not is_offered(client, campaign)
        assert client.post(where).status_code == 403
    assert Campaign.objects.exists()


def test_a_player_of_an_umpires_campaign_is_offered_no_deletion(
    campaign: Campaign, people: People
) -> None:
    assert not is_offered(logged_in(people.egyptian), campaign)


def test_a_solo_campaign_that_has_gone_on_or_is_being_played_is_not_deleted(people: People) -> None:
    campaign, player = solo(people.egyptian), logged_in(people.egyptian)
    where = reverse("delete-campaign", args=[campaign.slug])
    answer = player.post(where, {"head": str((campaign.head_id or 0) + 1)}, follow=True)
    assert "nothing was deleted" in answer.content.decode()
    assert answer.redirect_chain[-1][0] == reverse("seats", args=[campaign.slug])
    advance_jobs.book_advance(campaign.pk, None)
    assert "Workers are still playing" in player.post(where, follow=True).content.decode()
    assert Campaign.objects.exists()


@pytest.mark.django_db
def test_a_guest_registers_before_deleting_a_campaign_that_can_be_restored() -> None:
    guest = Client()
    guest.post(reverse("play-alone"), {"side": "egyptian"})
    campaign = Campaign.objects.get()
    assert not is_offered(guest, campaign)
    answer = guest.post(reverse("delete-campaign", args=[campaign.slug]))
    assert answer["Location"].startswith(reverse("register"))
    assert Campaign.objects.exists()


def test_an_umpire_who_plays_too_is_its_umpire_again(people: People) -> None:
    campaign = solo(people.egyptian)
    campaign.seats.create(user=people.egyptian, role=Seat.Role.UMPIRE)
    deleted = deletion.delete_campaign(campaign.pk, people.egyptian)
    restored = deletion.restore_campaign(deleted.pk, people.egyptian)
    assert selectors.role_of(people.egyptian, restored) == {"egyptian", "umpire"}
