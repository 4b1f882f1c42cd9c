"""One action through the only writer: written whole, or nothing has changed."""

import threading

import pytest
from django.db import connection

from battles import journal
from battles.core.decoding import encode
from battles.core.game import IllegalAction
from campaign import rules, serialization
from campaign.access import selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import Choose, Done
from campaign.rules.map import HexId
from campaign.services.journal import campaign_session, creation
from tests.patience import PATIENCE
from tests.people import gather, sit_down


def as_it_stands(campaign: Campaign) -> tuple[object, ...]:
    campaign.refresh_from_db()
    return campaign.head_id, campaign.document_hash, campaign.entries.count()


def test_an_action_is_written_with_all_it_led_to(campaign: Campaign) -> None:
    before = selectors.state_now(campaign)
    entry = campaign_session.perform(campaign.pk, "player:egyptian", Done())
    campaign.refresh_from_db()
    assert campaign.head == entry
    assert (entry.number, entry.branch, entry.parent) == (1, 0, "")
    assert (entry.actor, entry.side, entry.month) == (
        "player:egyptian",
        "egyptian",
        campaign.first_month,
    )
    assert serialization.action_of(entry) == Done()
    rules.fold(before, serialization.events_of(entry))
    assert encode(before) == journal.unpack(campaign.document)


def test_the_columns_people_search_follow_the_state(campaign: Campaign) -> None:
    campaign_session.perform(campaign.pk, "player:egyptian", Done())
    campaign.refresh_from_db()
    state = selectors.state_now(campaign)
    assert (campaign.month, campaign.side, campaign.phase) == (state.month, state.side, state.phase)
    assert "Mahdist" in campaign.waiting_for
    assert not campaign.finished


def test_an_illegal_action_changes_nothing(campaign: Campaign) -> None:
    before = as_it_stands(campaign)
    with pytest.raises(IllegalAction):
        campaign_session.perform(campaign.pk, "player:egyptian", Choose(HexId(101)))
    assert as_it_stands(campaign) == before


def test_a_stale_page_gets_a_spoken_answer(campaign: Campaign) -> None:
    campaign_session.perform(campaign.pk, "player:egyptian", Done(), expected_head=0)
    before = as_it_stands(campaign)
    with pytest.raises(journal.Stale, match="has gone on since you looked"):
        campaign_session.perform(campaign.pk, "player:mahdist", Done(), expected_head=0)
    assert as_it_stands(campaign) == before


def test_the_same_key_twice_happens_once(campaign: Campaign) -> None:
    first = campaign_session.perform(campaign.pk, "player:egyptian", Done(), key="k1")
    again = campaign_session.perform(
        campaign.pk, "player:egyptian", Done(), key="k1", expected_head=0
    )
    assert again == first
    assert campaign.entries.count() == 1


def test_a_key_is_not_for_another_action(campaign: Campaign) -> None:
    campaign_session.perform(campaign.pk, "player:egyptian", Done(), key="k1")
    with pytest.raises(journal.Refused, match="Another action"):
        campaign_session.perform(campaign.pk, "player:mahdist", Choose(HexId(101)), key="k1")


def test_two_campaigns_may_use_the_same_key(campaign: Campaign) -> None:
    other = creation.create_campaign(creation.NewCampaignTerms(campaign.scenario))
    campaign_session.perform(campaign.pk, "player:egyptian", Done(), key="k1")
    campaign_session.perform(other.pk, "player:egyptian", Done(), key="k1")
    assert (campaign.entries.count(), other.entries.count()) == (1, 1)


def test_a_finished_campaign_takes_no_action(over: Campaign) -> None:
    with pytest.raises(IllegalAction, match="The campaign is over"):
        campaign_session.perform(over.pk, "player:egyptian", Done())


@pytest.mark.django_db(transaction=True)
def test_of_two_who_act_at_once_one_is_told_that_he_is_stale() -> None:
    campaign = sit_down(gather())
    together = threading.Barrier(2)
    told: list[object] = []

    def go() -> None:
        together.wait(PATIENCE)
        try:
            told.append(
                campaign_session.perform(campaign.pk, "player:egyptian", Done(), expected_head=0)
            )
        except journal.Stale as stale:
            told.append(stale)
        finally:
            connection.close()

    threads = [threading.Thread(target=go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(type(one).__name__ for one in told) == ["Entry", "Stale"]
    assert Entry.objects.filter(campaign=campaign).count() == 1
