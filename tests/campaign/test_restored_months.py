"""A campaign that was deleted and restored in the middle of a month, which it then finishes."""

import pytest
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import COMBAT_TABLE
from campaign.services import battle_reports
from campaign.services.transfer import deletion
from campaign.services.turns import advance
from tests.campaign.test_solo_battles import (
    filled_in,
    has_gone_on,
    make_ready,
    page_of,
    program_of,
    solo,
)
from tests.people import People, logged_in

pytestmark = pytest.mark.django_db(transaction=True)


def restored(campaign: Campaign, people: People) -> Campaign:
    """Return the campaign of the Egyptian player, deleted and restored."""
    deleted = deletion.delete_campaign(campaign.pk, people.egyptian)
    return deletion.restore_campaign(deleted.pk, people.egyptian)


@pytest.mark.parametrize("way", ["reported", "by the computer"])
def test_the_month_of_a_solo_campaign_goes_on_after_the_battle_it_waited_for(
    people: People, way: str
) -> None:
    campaign, player = solo(people.egyptian), logged_in(people.egyptian)
    make_ready(campaign)
    battle = campaign.battle
    assert battle
    campaign = restored(campaign, people)
    form = filled_in(campaign) if way == "reported" else {"by": "restless"}
    assert player.post(page_of(campaign), form).status_code == 302
    assert has_gone_on(campaign, battle)
    while campaign.battle:
        player.post(page_of(campaign), {"by": COMBAT_TABLE})
        campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 1


def test_the_player_of_a_solo_campaign_plays_the_rest_of_a_month_that_had_stopped(
    people: People,
) -> None:
    campaign, player = solo(people.egyptian), logged_in(people.egyptian)
    button = "Play the rest of the month"
    assert button not in player.get(reverse("campaign", args=[campaign.slug])).content.decode()
    advance.run_phase(campaign.pk)
    campaign = restored(campaign, people)
    assert not campaign.battle
    page = player.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert button in page
    player.post(reverse("advance", args=[campaign.slug]), {"month": campaign.month})
    assert has_gone_on(campaign, "")


def test_a_month_that_was_restored_before_a_battle_of_its_book_is_played_on(
    people: People,
) -> None:
    campaign, player = solo(people.egyptian), logged_in(people.egyptian)
    by_book = HandOver("redcoats", book="redcoats")
    battle_reports.arrange_battles(campaign.pk, people.egyptian, by_book)
    while not campaign.battle:
        campaign = advance.run_phase(campaign.pk)
    battle = campaign.battle
    campaign = restored(campaign, people)
    assert campaign.battle == battle
    page = player.get(reverse("campaign", args=[campaign.slug])).content.decode()
    assert "Play the rest of the month" in page
    player.post(reverse("advance", args=[campaign.slug]), {"month": campaign.month})
    assert campaign.entries.filter(key=f"battle:{battle}", actor="book:redcoats").exists()


def test_a_program_reads_that_it_may_play_the_rest_of_a_month(people: People) -> None:
    campaign, program = solo(people.egyptian), program_of(people.egyptian)
    address = f"/campaigns/{campaign.slug}/"
    running = program.get(address).json()
    assert (running["may_advance"], running["links"]["advance"]) == (False, None)
    advance.run_phase(campaign.pk)
    campaign = restored(campaign, people)
    stopped = program.get(address).json()
    assert stopped["may_advance"] is True
    assert program.post(stopped["links"]["advance"]).status_code == 202
    assert has_gone_on(campaign, "")
    assert program.get(address).json()["may_advance"] is False
