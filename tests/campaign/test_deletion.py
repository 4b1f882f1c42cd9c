"""A campaign deleted by mistake: restored as it was, by its umpires, while its file is kept."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import tokens
from campaign.access import saved_work, selectors
from campaign.models import Campaign, DeletedCampaign, OwnScenario
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports, order_submission
from campaign.services.errors import UnfitRequest
from campaign.services.journal import audit, creation, own_scenarios
from campaign.services.transfer import archive, bundle, deletion
from campaign.services.turns import advance
from campaign.services.umpire import rulings
from campaign.tasks import forget_deleted
from tests.campaign.battlefield import before_battle, result
from tests.campaign.test_own_scenarios import golden
from tests.people import SIEGE, People, logged_in


def delete(client: Client, campaign: Campaign) -> str:
    """Press the button of the console; the page that comes."""
    console = client.get(reverse("console", args=[campaign.slug])).content.decode()
    form = console.split(f'action="{reverse("delete-campaign", args=[campaign.slug])}"')[1]
    (head,) = re.findall(r'name="head" value="(\d+)"', form)
    where = reverse("delete-campaign", args=[campaign.slug])
    return client.post(where, {"head": head}, follow=True).content.decode()


def restore(client: Client, deleted: DeletedCampaign) -> str:
    where = reverse("restore-campaign", args=[deleted.pk])
    return client.post(where, follow=True).content.decode()


def sitting(campaign: Campaign) -> set[tuple[str, str, str | None]]:
    return set(campaign.seats.values_list("role", "name", "user__username"))


def test_a_campaign_deleted_by_mistake_is_restored_with_its_players_and_its_dice(
    played: Campaign, people: People, umpire: Client
) -> None:
    played.seats.create(user=people.stranger, role="umpire", name="Deputy")
    before, seed = sitting(played), bytes(played.secret_seed)
    page = delete(umpire, played)
    assert f"{played.title} is deleted. For 14 days you can restore it on this page." in page
    assert not Campaign.objects.exists()
    deleted = DeletedCampaign.objects.get()
    assert f'action="{reverse("restore-campaign", args=[deleted.pk])}"' in page
    page = restore(umpire, deleted)
    assert "is restored, with its players." in page
    assert "Its invitations, channels, webhooks and tokens for it alone did not come back" in page
    restored = Campaign.objects.get()
    assert (restored.slug, restored.document_hash) == (played.slug, played.document_hash)
    assert restored.created == played.created
    assert bytes(restored.secret_seed) == seed
    assert sitting(restored) == before
    advance.run_month(restored.pk, until=restored.month + 1)
    audit.verify_dice(Campaign.objects.get())
    assert not DeletedCampaign.objects.exists()


def test_every_umpire_restores_it_and_nobody_else(
    played: Campaign, people: People, umpire: Client
) -> None:
    played.seats.create(user=people.stranger, role="umpire")
    delete(umpire, played)
    deleted = DeletedCampaign.objects.get()
    assert "You have no such deleted campaign" in restore(logged_in(people.egyptian), deleted)
    assert not Campaign.objects.exists()
    assert "is restored" in restore(logged_in(people.stranger), deleted)
    assert "You have no such deleted campaign" in restore(umpire, deleted)
    assert Campaign.objects.count() == 1


def test_the_umpire_who_restores_it_keeps_the_name_of_the_office(
    played: Campaign, people: People
) -> None:
    played.seats.create(user=people.stranger, role="umpire", name="Deputy")
    before = sitting(played)
    deleted = deletion.delete_campaign(played.pk, people.stranger)
    assert sitting(deletion.restore_campaign(deleted.pk, people.stranger)) == before


def test_it_has_another_address_where_its_own_is_taken(
    played: Campaign, people: People, umpire: Client
) -> None:
    delete(umpire, played)
    creation.create_campaign(creation.NewCampaignTerms(SIEGE, slug=played.slug))
    campaign = deletion.restore_campaign(DeletedCampaign.objects.get().pk, people.umpire)
    assert campaign.slug == f"{played.slug}-2"


def test_a_long_title_leaves_a_slug_by_which_it_can_be_restored(people: People) -> None:
    """Its slug ends where a word does, and has room for the number of a second one."""
    title = "The very hot winter of the club on the upper Nile and beyond it"
    terms = creation.NewCampaignTerms(SIEGE, title=title, seats={"umpire": people.umpire})
    for number in ("", "-2"):
        slug = creation.create_campaign(terms).slug
        assert slug.endswith(number)
        assert not slug.endswith("-")
        campaign = Campaign.objects.get(slug=slug)
        deleted = deletion.delete_campaign(campaign.pk, people.umpire)
        assert deletion.restore_campaign(deleted.pk, people.umpire).slug == slug


def test_a_deleted_campaign_is_forgotten_when_its_days_are_over(
    campaign: Campaign, people: People
) -> None:
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    forget_deleted()
    assert DeletedCampaign.objects.exists()
    DeletedCampaign.objects.update(deleted=timezone.now() - saved_work.KEPT_FOR - timedelta(1))
    with pytest.raises(selectors.NotVisible):
        deletion.restore_campaign(deleted.pk, people.umpire)
    forget_deleted()
    assert not DeletedCampaign.objects.exists()


def test_a_token_for_the_campaign_alone_is_gone_with_it_as_the_page_says(
    campaign: Campaign, people: People, umpire: Client
) -> None:
    page = umpire.get(reverse("console", args=[campaign.slug])).content.decode()
    assert "webhooks and tokens for this campaign alone do not come back" in page
    tokens.create_token(people.umpire, "A map", ["read"], campaign=campaign)
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    deletion.restore_campaign(deleted.pk, people.umpire)
    assert not tokens.tokens_of(people.umpire).exists()


def test_a_player_whose_account_is_gone_leaves_a_vacant_seat(
    campaign: Campaign, people: People
) -> None:
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    people.mahdist.delete()
    restored = deletion.restore_campaign(deleted.pk, people.umpire)
    assert restored.seats.get(role="mahdist").user is None
    assert restored.seats.get(role="egyptian").user == people.egyptian


def test_a_result_that_one_player_has_signed_is_signed_when_it_is_restored(people: People) -> None:
    campaign = before_battle(people, TABLETOP)
    report = result(campaign)
    assert battle_reports.enter_result(campaign.pk, people.egyptian, report) is None
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    restored = deletion.restore_campaign(deleted.pk, people.umpire)
    assert battle_reports.enter_result(restored.pk, people.mahdist, report) is not None


def test_a_signature_of_an_account_that_is_gone_is_not_restored(people: People) -> None:
    campaign = before_battle(people, TABLETOP)
    assert battle_reports.enter_result(campaign.pk, people.egyptian, result(campaign)) is None
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    people.egyptian.delete()
    restored = deletion.restore_campaign(deleted.pk, people.umpire)
    assert not restored.signatures.exists()


def test_what_has_gone_on_since_the_page_was_shown_is_not_deleted(
    played: Campaign, umpire: Client
) -> None:
    where = reverse("delete-campaign", args=[played.slug])
    page = umpire.post(where, {"head": "1"}, follow=True).content.decode()
    assert "nothing was deleted" in page
    assert Campaign.objects.exists()


def test_a_scenario_deleted_by_mistake_is_restored_by_its_owner_alone(
    people: People, umpire: Client
) -> None:
    own, _ = own_scenarios.save_scenario(people.umpire, golden())
    own_scenarios.share_scenario(people.umpire, own, shared=True)
    where = reverse("own-scenario", args=[own.pk])
    page = umpire.post(reverse("delete-scenario", args=[own.pk]), follow=True).content.decode()
    assert f'name="restore" value="{own.pk}"' in page
    assert umpire.get(where).status_code == 404
    assert umpire.get(reverse("shared-scenario", args=[own.link])).status_code == 404
    stranger, sent = logged_in(people.stranger), {"restore": str(own.pk)}
    assert stranger.post(reverse("workshop"), sent).status_code == 404
    page = umpire.post(reverse("workshop"), sent, follow=True).content.decode()
    assert f"{own.title} is restored." in page
    assert umpire.get(where).status_code == 200
    assert umpire.post(reverse("workshop"), sent).status_code == 404


def test_a_deleted_scenario_is_forgotten_when_its_days_are_over(people: People) -> None:
    own, _ = own_scenarios.save_scenario(people.umpire, golden())
    own_scenarios.delete_scenario(people.umpire, own)
    forget_deleted()
    assert OwnScenario.objects.exists()
    OwnScenario.objects.update(deleted=timezone.now() - saved_work.KEPT_FOR - timedelta(1))
    with pytest.raises(selectors.NotVisible):
        own_scenarios.restore_scenario(people.umpire, own.pk)
    forget_deleted()
    assert not OwnScenario.objects.exists()


def test_a_campaign_of_any_length_is_restored(
    campaign: Campaign, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits of a file are for those that somebody sends."""
    campaign.mode = Campaign.Mode.ORDERS
    campaign.save(update_fields=["mode"])
    seat = campaign.seats.get(role="egyptian")
    for number in range(4):
        order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {})
        rulings.rename_campaign(campaign.pk, people.umpire, f"The siege, part {number}")
    monkeypatch.setattr(bundle, "MOST_RECEIPTS", 3)
    monkeypatch.setattr(bundle, "MOST_LINES", dict.fromkeys(bundle.MOST_LINES, 0))
    monkeypatch.setattr(bundle, "LARGEST_PARTS", dict.fromkeys(bundle.LARGEST_PARTS, 0))
    file = BytesIO()
    archive.export_campaign(campaign, file, with_secret=True)
    with pytest.raises(UnfitRequest, match="larger than any campaign"):
        archive.import_campaign(BytesIO(file.getvalue()))
    deleted = deletion.delete_campaign(campaign.pk, people.umpire)
    restored = deletion.restore_campaign(deleted.pk, people.umpire)
    assert restored.sheets.get().receipts.count() == 4
    assert restored.umpire_log.count() == 4
