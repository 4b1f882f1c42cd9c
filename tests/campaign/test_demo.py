"""The demo: what it is, where its people land when they log in, and that it is made once."""

import io
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.models.signals import post_save
from django.test import Client
from django.urls import reverse

from campaign.management.commands import demo
from campaign.management.commands.demo import make_demo
from campaign.models import Campaign, MonthSeal, OrderSheet, Receipt
from campaign.services.journal import creation
from campaign.services.order_sheets import document_of, sheet_for

pytestmark = pytest.mark.django_db


OPEN, OVER = demo.demos()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: LazySettings) -> None:
    settings.DATA = tmp_path


def made() -> str:
    """Make the demo, and return what is printed."""
    out = io.StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def logged_in(printed: str, name: str) -> tuple[Client, str]:
    """Return the client of that person after the log-in page, and the address to which it was
    sent.
    """
    password = re.search(rf"^  {name} +(\S+)$", printed, re.MULTILINE)
    assert password is not None
    client = Client()
    answer = client.post(reverse("login"), {"username": name, "password": password[1]})
    assert answer.status_code == 302
    return client, answer["Location"]


@pytest.mark.usefixtures("played_before")
def test_every_printed_person_lands_on_what_waits_for_them() -> None:
    printed = made()
    campaign = Campaign.objects.get(slug=OPEN.slug)
    client, landed = logged_in(printed, "umpire")
    assert landed == reverse("console", args=[campaign.slug])
    worklist = client.get(landed).content.decode()
    for name in ("egyptian", "mahdist"):
        assert f"({name}) has a draft, and has submitted nothing." in worklist
    for name in ("egyptian", "mahdist"):
        user = User.objects.get(username=name)
        seat = campaign.seats.get(user=user)
        client, landed = logged_in(printed, name)
        assert landed == reverse("order-sheet", args=[campaign.slug, seat.pk])
        assert client.get(landed).status_code == 200
        sheet = sheet_for(campaign, user, seat.pk)
        assert document_of(sheet).orders
        carried = Receipt.objects.filter(sheet__seat=seat, kind=Receipt.Kind.CARRIED_OUT)
        last = carried.get(sheet__month=campaign.month - 1)
        receipt = reverse("receipt", args=[campaign.slug, seat.pk, last.pk])
        assert client.get(receipt).status_code == 200
        other = campaign.seats.exclude(user=user).exclude(role="umpire").get()
        page = reverse("order-sheet", args=[campaign.slug, other.pk])
        assert client.get(page).status_code == 403


@pytest.mark.usefixtures("played_before")
def test_the_demo_is_a_campaign_by_sheets_in_fog_and_one_that_is_over() -> None:
    made()
    open_, over = (Campaign.objects.get(slug=one.slug) for one in (OPEN, OVER))
    for campaign in (open_, over):
        assert (campaign.mode, campaign.fog, campaign.public) == ("orders", True, True)
        played = set(range(campaign.first_month, campaign.month))
        for side in ("egyptian", "mahdist"):
            sheets = OrderSheet.objects.filter(campaign=campaign, seat__role=side)
            assert set(sheets.exclude(submitted=None).values_list("month", flat=True)) >= played
        told = io.StringIO()
        call_command("replay", campaign.slug, "--check", stdout=told)
        assert "Every hash fits" in told.getvalue()
    assert open_.month == open_.first_month + OPEN.months
    assert not open_.finished
    assert over.finished
    visitor = Client()
    assert over.title in visitor.get(reverse("front")).content.decode()
    for page in ("debrief", "papers", "figures"):
        assert visitor.get(reverse(page, args=[over.slug]), follow=True).status_code == 200


def test_the_demo_made_again_is_left_as_it_is_and_made_elsewhere_comes_out_alike(
    played_before: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = made()
    heads = dict(Campaign.objects.values_list("slug", "head_id"))
    sheets = OrderSheet.objects.count()
    assert made() == printed
    assert dict(Campaign.objects.values_list("slug", "head_id")) == heads
    assert OrderSheet.objects.count() == sheets
    states = dict(Campaign.objects.values_list("slug", "document_hash"))
    Campaign.objects.all().delete()
    monkeypatch.setattr(demo, "make_demo", make_demo)
    made()
    assert dict(Campaign.objects.values_list("slug", "document_hash")) == states


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo be one campaign, which is open after three months."""
    short = msgspec.structs.replace(OPEN, months=3)
    monkeypatch.setattr(demo, "demos", lambda: (short,))


@pytest.mark.usefixtures("short")
def test_a_demo_stopped_half_way_is_made_by_the_next_start() -> None:
    def stop(instance: MonthSeal, **_about: Any) -> None:
        if instance.month == instance.campaign.first_month + 2:
            raise KeyboardInterrupt

    post_save.connect(stop, sender=MonthSeal)
    try:
        with pytest.raises(CommandError, match="Stopped"):
            call_command("demo", stdout=io.StringIO())
    finally:
        post_save.disconnect(stop, sender=MonthSeal)
    assert not Campaign.objects.exists()
    printed = made()
    assert [campaign.slug for campaign in Campaign.objects.all()] == [OPEN.slug]
    for name in demo.PEOPLE:
        logged_in(printed, name)


@pytest.mark.usefixtures("short")
def test_the_demo_of_an_older_program_stays_beside_the_new_one() -> None:
    old = creation.create_campaign(creation.NewCampaignTerms("siege-of-khartoum", slug=OPEN.slug))
    printed = made()
    old.refresh_from_db()
    assert old.mode == Campaign.Mode.STAFF
    _, landed = logged_in(printed, "egyptian")
    assert landed.startswith(f"/campaigns/{OPEN.slug}-2/orders/")
