"""A campaign renamed, shown to everyone, and deleted with everything that belongs to it."""

import pytest
from django.apps import apps

from battles.models import Battle
from campaign.access import selectors
from campaign.models import Campaign, Job
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports, errors
from campaign.services.journal import creation, rewind
from campaign.services.transfer import deletion
from campaign.services.turns import advance, advance_jobs
from campaign.services.umpire import invitations, rulings
from campaign.services.umpire.seat_control import adjourn
from tests.campaign.battlefield import before_battle
from tests.people import People


def said(campaign: Campaign) -> list[str]:
    return list(campaign.umpire_log.values_list("said", flat=True))


def test_a_campaign_is_renamed_and_keeps_its_address(campaign: Campaign, people: People) -> None:
    before = campaign.title
    rulings.rename_campaign(campaign.pk, people.umpire, "  The club's winter ")
    campaign.refresh_from_db()
    assert (campaign.title, campaign.slug) == ("The club's winter", campaign.slug)
    assert said(campaign) == [f"The campaign “{before}” is called “The club's winter” from now on."]
    rulings.rename_campaign(campaign.pk, people.umpire, "The club's winter")
    assert len(said(campaign)) == 1


@pytest.mark.parametrize("title", ["", "  ", "x" * 101, "evil\u202e", "bell\a"])
def test_a_title_that_cannot_be(title: str, campaign: Campaign, people: People) -> None:
    with pytest.raises(errors.UnfitRequest):
        rulings.rename_campaign(campaign.pk, people.umpire, title)
    assert said(campaign) == []


def test_a_campaign_is_shown_to_everyone_and_hidden_again(
    campaign: Campaign, people: People
) -> None:
    for public in (True, True, False):
        rulings.set_public(campaign.pk, people.umpire, public=public)
        seen = selectors.campaigns_for(people.stranger).filter(pk=campaign.pk)
        assert seen.exists() is public
    assert len(said(campaign)) == 2


def test_only_its_umpire_changes_or_deletes_it(campaign: Campaign, people: People) -> None:
    for user in (people.egyptian, people.stranger):
        with pytest.raises(errors.NotAllowed):
            rulings.rename_campaign(campaign.pk, user, "Mine")
        with pytest.raises(errors.NotAllowed):
            rulings.set_public(campaign.pk, user, public=True)
        with pytest.raises(errors.NotAllowed):
            deletion.delete_campaign(campaign.pk, user)
    assert Campaign.objects.filter(pk=campaign.pk).exists()


def belongings() -> dict[str, int]:
    """Return how many rows there are of everything that belongs to a campaign or a battle."""
    models = (
        *apps.get_app_config("campaign").get_models(),
        *apps.get_app_config("battles").get_models(),
    )
    kept = {"TableSet", "OwnTables", "Mailing", "DeletedCampaign", "DeletedCampaign_umpires"}
    return {
        one.__name__: one._default_manager.count() for one in models if one.__name__ not in kept
    }


def test_a_campaign_is_deleted_with_everything_that_belongs_to_it(people: People) -> None:
    alone = belongings()
    campaign = before_battle(people, TABLETOP)
    invitations.invite(campaign.pk, people.umpire, invitations.SeatOffer("observer"))
    adjourn(campaign.pk, people.umpire, reason="Over the holidays.")
    first = campaign.entries.get(number=1)
    rewind.rewind_to(campaign.pk, people.umpire, first, reason="A die was misread.")
    Job.objects.create(campaign=campaign, status="failed", total=1, months=1, until=1)
    Battle.objects.create(owner=f"campaign:{campaign.slug}", brief_id="old", book="redcoats")
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    assert set(belongings().items()) - set(alone.items()) == {("Battle", 1)}
    deleted.delete()
    assert belongings() == alone


def test_its_slug_is_free_again_and_nothing_of_it_comes_back(people: People) -> None:
    seats = {"umpire": people.umpire}
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="again", seats=seats)
    first = creation.create_campaign(wanted)
    advance.run_month(first.pk, until=first.month + 1)
    deletion.delete_campaign(first.pk, people.umpire)
    second = creation.create_campaign(wanted)
    assert (second.slug, second.entries.count()) == ("again", 0)


def test_what_has_gone_on_since_is_not_deleted(campaign: Campaign, people: People) -> None:
    seen = campaign.head_id or 0
    battle_reports.arrange_battles(campaign.pk, people.umpire, HandOver(TABLETOP))
    with pytest.raises(errors.Stale):
        deletion.delete_campaign(campaign.pk, people.umpire, expected_head=seen)
    assert Campaign.objects.filter(pk=campaign.pk).exists()


def test_a_campaign_that_is_being_played_is_not_deleted(campaign: Campaign, people: People) -> None:
    advance_jobs.book_advance(campaign.pk, people.umpire)
    with pytest.raises(errors.UnderWay):
        deletion.delete_campaign(campaign.pk, people.umpire)
