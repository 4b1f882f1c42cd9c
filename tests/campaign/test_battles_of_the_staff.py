"""Battles of a side that the computer's staff plays: it signs nothing, and nobody waits for it."""

import pytest
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import access
from battles.contract import Fate, Side
from campaign.access import selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.state import TABLETOP
from campaign.services import order_submission
from campaign.services.journal import creation
from campaign.services.pending_battle import owner_of
from campaign.services.turns import advance_jobs
from campaign.services.turns.live import staff_sets_up
from tests.known_dice import fix_dice
from tests.people import People, logged_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def at_battle(people: People, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Return an umpire's campaign of one player against the staff, before a battle by people."""
    fix_dice(monkeypatch)
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    terms = creation.NewCampaignTerms(
        "desert-column", seats=seats, staff=["mahdist"], mode="orders", battles=TABLETOP
    )
    begun = creation.create_campaign(terms)
    staff_sets_up(begun.pk)
    seat = begun.seats.get(role="egyptian")
    order_submission.save_sheet(
        begun.pk, people.egyptian, seat.pk, {}, salt="5a" * order_submission.SALT
    )
    advance_jobs.request_advance(begun.pk, people.umpire)
    begun.refresh_from_db()
    assert begun.battle
    return begun


def test_the_player_signs_alone(at_battle: Campaign, people: People) -> None:
    number, waiting = at_battle.battle, selectors.battle_awaited(at_battle)
    assert waiting is not None
    fates = {
        f"fate-{one.id}": (Fate.DISRUPTED if one.disrupted else Fate.GOOD).value
        for one in waiting.brief.troops()
    }
    signed = {"enter": "yes", "winner": "nobody", "ending": "Night fell.", **fates}
    page = reverse("battle-result", args=[at_battle.slug, number])
    answer = logged_in(people.egyptian).post(page, signed, follow=True)
    assert "The result stands" in answer.content.decode()
    at_battle.refresh_from_db()
    assert at_battle.battle != number


def test_the_player_declines_alone(at_battle: Campaign, people: People) -> None:
    number = at_battle.battle
    page = reverse("battle-result", args=[at_battle.slug, number])
    answer = logged_in(people.egyptian).post(page, {"decline": "yes"}, follow=True)
    assert "settled as was agreed" in answer.content.decode()
    at_battle.refresh_from_db()
    assert at_battle.battle != number


def test_the_computer_leads_the_side(at_battle: Campaign, people: People) -> None:
    """Also where its holder keeps the seat while the staff plays it."""
    Seat.objects.filter(campaign=at_battle, role="mahdist").update(user=people.mahdist)
    keeper = access.keeper_of(owner_of(at_battle))
    assert keeper is not None
    assert keeper.commanded(owner_of(at_battle)) == {Side.EGYPTIAN}
