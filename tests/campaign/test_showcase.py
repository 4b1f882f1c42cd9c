"""The showcase: made once, a month at a time, and never more than two campaigns."""

import io

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign
from campaign.services.journal import creation
from campaign.services.turns import showcase

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shown_before")]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The siege in progress has one month behind it."""
    monkeypatch.setattr(showcase, "MONTHS_BEHIND", 1)


def test_a_site_without_a_showcase_stays_without() -> None:
    assert showcase.advance_showcase() is None
    assert not Campaign.objects.exists()
    assert "None has been set up" in Client().get(reverse("front")).content.decode()


def test_it_is_made_once_and_anyone_may_watch_it() -> None:
    out = io.StringIO()
    call_command("showcase", stdout=out)
    call_command("showcase", stdout=io.StringIO())
    assert Campaign.objects.count() == 2
    made = showcase.showcase()
    assert made.in_progress is not None
    assert made.over is not None
    assert made.in_progress.slug in out.getvalue()
    visitor = Client()
    front = visitor.get(reverse("front")).content.decode()
    for name, campaign in (("campaign", made.in_progress), ("debrief", made.over)):
        address = reverse(name, args=[campaign.slug])
        assert f'href="{address}"' in front
        assert visitor.get(address).status_code == 200


def test_the_same_seed_gives_the_same_siege_everywhere() -> None:
    def months() -> str:
        made = showcase._begin("Khartoum", 7, fog=False)
        showcase._play(made, 1)
        digest = Campaign.objects.get(pk=made.pk).document_hash
        made.delete()
        return digest

    assert months() == months()


def test_a_month_is_played_and_when_a_siege_is_over_the_next_begins() -> None:
    made = showcase.make_showcase()
    assert made.in_progress is not None
    month = Campaign.objects.get(pk=made.in_progress.pk).month
    showcase.advance_showcase()
    assert Campaign.objects.get(pk=made.in_progress.pk).month == month + 1
    Campaign.objects.filter(pk=made.in_progress.pk).update(finished=True)
    after = showcase.advance_showcase()
    assert after is not None
    assert after.over is not None
    assert after.over.pk == made.in_progress.pk
    assert after.in_progress is not None
    assert after.in_progress.pk not in (made.in_progress.pk, made.over and made.over.pk)
    assert Campaign.objects.count() == 2


def test_no_one_else_s_campaign_is_shown_or_deleted() -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", "Khartoum today", public=True)
    other = creation.create_campaign(wanted, by="umpire:hicks")
    assert showcase.showcase() == showcase.Showcase(None, None)
    assert showcase.advance_showcase() is None
    assert Campaign.objects.filter(pk=other.pk).exists()
