"""A campaign's battle fought by its players in the browser: it comes back by the one way in."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from battles import access, serialization
from battles import services as books
from battles.access import battle_of
from battles.contract import Side
from battles.models import Battle
from battles.services import NotYours, Refused
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Reported
from campaign.rules.core.state import TABLETOP
from campaign.serialization import action_of
from campaign.services import battle_reports
from campaign.services.battle_reports import battle_key
from campaign.services.journal.dice import key_of_month
from campaign.services.pending_battle import owner_of
from tests.battles_web.fights import advised, asked
from tests.campaign.battlefield import before_battle
from tests.people import People


@pytest.fixture
def campaign(people: People) -> Campaign:
    return before_battle(people, TABLETOP)


def row(campaign: Campaign) -> Battle:
    """Return the battle the campaign waits for, as it stands in the books of battles."""
    awaited = selectors.battle_awaited(campaign)
    assert awaited is not None
    found = battle_of(owner_of(campaign), awaited.brief.id)
    assert found is not None
    return found


def fight_on(people: People, battle: Battle) -> None:
    """One action of whoever is asked."""
    side = asked(battle)
    user = people.egyptian if side is Side.EGYPTIAN else people.mahdist
    place = serialization.cursor_of(Battle.objects.get(pk=battle.pk))
    books.act(battle.pk, user, advised(battle), expected=place)


@pytest.mark.parametrize("book", ["redcoats", "restless", "fuzzy-wuzzy"])
def test_its_players_fight_it_and_the_campaign_goes_on(
    people: People, campaign: Campaign, book: str, django_capture_on_commit_callbacks: object
) -> None:
    battle = row(campaign)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        books.take_up(battle, people.egyptian, book)
        battle.refresh_from_db()
        assert access.is_open(battle)
        for _ in range(4):
            if asked(battle) is not None:
                fight_on(people, battle)
        if not Battle.objects.get(pk=battle.pk).reported:
            books.finish(battle, people.umpire)
    campaign.refresh_from_db()
    entry = campaign.entries.get(actor=f"book:{book}")
    assert isinstance(action_of(entry), Reported)
    key = battle_key(key_of_month(campaign, campaign.first_month), battle.brief_id)
    assert bytes(Battle.objects.get(pk=battle.pk).key) == key
    books.verify_battle(Battle.objects.get(pk=battle.pk))


def test_only_those_of_the_campaign_take_the_field(people: People, campaign: Campaign) -> None:
    battle = row(campaign)
    for user in (people.spectator, people.stranger):
        with pytest.raises(NotYours):
            books.take_up(battle, user, "redcoats")
    books.take_up(battle, people.mahdist, "redcoats")
    battle.refresh_from_db()
    assert access.commands(battle, people.egyptian) == {Side.EGYPTIAN}
    assert access.commands(battle, people.mahdist) == {Side.MAHDIST}
    assert access.is_umpire(battle, people.umpire)
    assert not access.is_umpire(battle, people.egyptian)


def test_a_battle_whose_clock_runs_out_is_fought_out_from_where_it_stands(
    people: People, campaign: Campaign, django_capture_on_commit_callbacks: object
) -> None:
    battle = row(campaign)
    books.take_up(battle, people.egyptian, "redcoats")
    battle.refresh_from_db()
    begun = battle.entries.count()
    Campaign.objects.update(battle_due=timezone.now() - timedelta(minutes=1))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        (due,) = battle_reports.settle_due()
    assert "from where it stood" in due.outcome
    battle.refresh_from_db()
    assert battle.reported
    assert battle.entries.count() > begun
    campaign.refresh_from_db()
    assert campaign.battle != battle.brief_id


def test_the_page_of_the_battle_offers_the_field_and_leads_there(
    people: People, campaign: Campaign
) -> None:
    battle, client = row(campaign), Client()
    client.force_login(people.egyptian)
    page = client.get(f"/battles/{battle.uuid}/")
    assert "Take the field" in page.content.decode()
    begun = client.post(f"/battles/{battle.uuid}/fight/begin/", {"book": "redcoats"}, follow=True)
    assert begun.redirect_chain[-1][0] == f"/battles/{battle.uuid}/fight/"
    assert client.get(f"/battles/{battle.uuid}/").status_code == 302


@pytest.mark.parametrize("chosen", ["redcoats", "restless"])
def test_an_umpire_lets_the_computer_fight_a_battle_that_its_players_have_begun(
    people: People, campaign: Campaign, chosen: str, django_capture_on_commit_callbacks: object
) -> None:
    """By the same book from where it stands, by another from its beginning."""
    battle = row(campaign)
    books.take_up(battle, people.egyptian, "redcoats")
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        battle_reports.choose_method(campaign.pk, people.umpire, battle.brief_id, chosen)
    campaign.refresh_from_db()
    assert campaign.battle != battle.brief_id
    fought = Battle.objects.get(brief_id=battle.brief_id)
    assert fought.reported
    assert (fought.book, fought.pk == battle.pk) == (chosen, chosen == "redcoats")
    books.verify_battle(fought)


def test_a_begun_battle_that_both_decline_is_settled_by_the_book_that_was_agreed(
    people: People, django_capture_on_commit_callbacks: object
) -> None:
    campaign = before_battle(people, TABLETOP, fallback="redcoats")
    battle = row(campaign)
    books.take_up(battle, people.egyptian, "redcoats")
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        battle_reports.decline_table(campaign.pk, people.egyptian, battle.brief_id)
        battle_reports.decline_table(campaign.pk, people.mahdist, battle.brief_id)
    campaign.refresh_from_db()
    assert isinstance(action_of(campaign.entries.get(actor="book:redcoats")), Reported)
    assert Battle.objects.get(brief_id=battle.brief_id).reported


def test_a_battle_that_is_called_off_while_it_is_open_says_why_it_may_be_gone(
    people: People, campaign: Campaign
) -> None:
    battle, client = row(campaign), Client()
    books.take_up(battle, people.egyptian, "redcoats")
    client.force_login(people.egyptian)
    books.call_off(owner_of(campaign), battle.brief_id)
    waiting = client.get(f"/battles/{battle.uuid}/")
    page = client.get(f"/battles/{battle.uuid}/fight/")
    pressed = client.post(f"/battles/{battle.uuid}/fight/act/", {"at": "0.1", "staff": "1"})
    for answer in (waiting, page, pressed):
        assert answer.status_code == 404
        assert access.CALLED_OFF in answer.content.decode()


def test_a_press_while_the_battle_is_called_off_changes_nothing(
    people: People, campaign: Campaign
) -> None:
    """The press waits for the campaign, which settles the battle another way."""
    battle = row(campaign)
    books.take_up(battle, people.egyptian, "redcoats")
    books.call_off(owner_of(campaign), battle.brief_id)
    with pytest.raises(Refused, match=access.CALLED_OFF):
        books.act(battle.pk, people.egyptian, None, expected="0.1")
