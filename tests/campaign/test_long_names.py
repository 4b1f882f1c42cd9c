"""Users, campaigns and offices with the longest names: what they do fits into the database.

SQLite stores a text of any length in a column; PostgreSQL refuses one that is too long.
"""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import CharField
from django.urls import reverse

from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Done, Ruled
from campaign.rules.core.events import Toss
from campaign.services import letters
from campaign.services.journal import creation, own_scenarios, rewind
from campaign.services.transfer import deletion
from campaign.services.turns import live
from campaign.services.umpire import rulings, seat_control
from tests.campaign.test_own_scenarios import golden
from tests.people import logged_in

pytestmark = pytest.mark.django_db
WHY = "w" * 300


def named(word: str) -> User:
    """Return a user with the longest name that the form for registration takes."""
    return User.objects.create(username=word.ljust(150, "x"))


def too_long() -> Iterator[str]:
    """Yield every column that holds a longer text than PostgreSQL takes."""
    for model in apps.get_models():
        columns = [one for one in model._meta.concrete_fields if isinstance(one, CharField)]
        for row in model._default_manager.all():
            for column in columns:
                value = str(getattr(row, column.attname) or "")
                if column.max_length is not None and len(value) > column.max_length:
                    yield f"{model.__name__}.{column.name}: {len(value)}"


@pytest.fixture
def cast() -> dict[str, User]:
    return {role: named(role) for role in ("umpire", "egyptian", "mahdist", "heir")}


def live_campaign(cast: dict[str, User]) -> Campaign:
    """Return a live campaign whose first side has set up and whose umpire has done everything."""
    seats = {role: cast[role] for role in ("umpire", "egyptian", "mahdist")}
    terms = creation.NewCampaignTerms("desert-column", "T" * 100, seats=seats, mode="live")
    campaign = creation.create_campaign(terms)
    umpire = cast["umpire"]
    question = selectors.state_now(campaign).question
    assert question is not None
    live.set_up(campaign.pk, cast[question.side.value], Done(), expected_head=None)
    rulings.rule(campaign.pk, umpire, Ruled(WHY, toss=Toss(1)))
    rulings.rename_campaign(campaign.pk, umpire, "N" * 100)
    letters.set_letter_post(campaign.pk, umpire, Campaign.LetterPost.BY_COURIER)
    seat = campaign.seats.get(role="mahdist")
    seat.name = "O" * 60
    seat.save()
    seat_control.hand_to_staff(campaign.pk, umpire, seat.pk, reason=WHY)
    seat_control.take_back_from_staff(campaign.pk, umpire, seat.pk)
    seat_control.replace_player(campaign.pk, umpire, seat.pk, cast["heir"].username, reason=WHY)
    seat_control.adjourn(campaign.pk, umpire, reason=WHY)
    seat_control.take_up(campaign.pk, umpire)
    first = campaign.entries.order_by("number")[0]
    rewind.rewind_to(campaign.pk, umpire, first, reason=WHY)
    return Campaign.objects.get(pk=campaign.pk)


def test_what_an_umpire_and_players_with_long_names_do_fits(cast: dict[str, User]) -> None:
    live_campaign(cast)
    assert list(too_long()) == []


def test_a_campaign_of_people_with_long_names_is_restored(cast: dict[str, User]) -> None:
    campaign = live_campaign(cast)
    logged = list(campaign.umpire_log.values_list("by", "said"))
    deleted = deletion.delete_campaign(campaign.pk, cast["umpire"])
    restored = deletion.restore_campaign(deleted.pk, cast["umpire"])
    assert list(restored.umpire_log.values_list("by", "said")) == logged
    assert list(too_long()) == []


def test_a_campaign_alone_begins_for_somebody_with_a_long_name(cast: dict[str, User]) -> None:
    answer = logged_in(cast["heir"]).post(reverse("play-alone"), {"side": "mahdist"})
    assert answer.status_code == 302
    assert Campaign.objects.exists()
    assert list(too_long()) == []


def test_campaigns_by_a_scenario_with_a_long_title_fit(cast: dict[str, User]) -> None:
    document = golden()
    document["scenario"]["title"] = "T" * 150
    own, _ = own_scenarios.save_scenario(cast["umpire"], document)
    seats = {"umpire": cast["umpire"]}
    terms = creation.NewCampaignTerms(own.slug, tables=own.tables, seats=seats)
    titles = [creation.create_campaign(terms).title for _ in range(2)]
    assert titles == ["T" * 100, f"{'T' * 93} (2)"]
    assert list(too_long()) == []
