"""The level of a campaign's staff: chosen on the page, by REST and by command, kept and obeyed."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side
from campaign import staff
from campaign.access import selectors
from campaign.models import Campaign
from campaign.odds import forecast
from campaign.rules.core.actions import Deploy
from campaign.rules.core.state import State
from campaign.rules.sight import View
from campaign.services.errors import NotAllowed, UnfitRequest
from campaign.services.journal import creation
from campaign.services.turns import advance, month_by_orders
from campaign.services.turns.month_by_orders import CampaignPlans
from campaign.services.umpire import rulings
from campaign.staff import levels
from campaign.staff.levels import TEXTS, Level
from campaign.staff.plans import plans_of, portfolio, under
from tests.people import SIEGE, People

pytestmark = pytest.mark.django_db


def campaign_at(level: str, **terms: object) -> Campaign:
    wanted = creation.NewCampaignTerms(
        SIEGE,
        staff_level=level,
        staff=["egyptian", "mahdist"],
        **terms,  # type: ignore[arg-type]
    )
    return creation.create_campaign(wanted)


def begun(level: str, **terms: object) -> Campaign:
    """Return a campaign of that level, a month old."""
    campaign = campaign_at(level, **terms)
    return advance.run_month(campaign.pk, until=campaign.first_month + 1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the strong staff play little: the time goes into playouts."""
    monkeypatch.setattr(levels, "PLAYOUTS", 4)
    monkeypatch.setattr(levels, "MONTHS", 1)
    month_by_orders._plans.cache_clear()


def test_the_page_offers_every_level_and_keeps_the_choice(people: People) -> None:
    client = Client()
    client.force_login(people.umpire)
    page = client.get(reverse("new")).content.decode()
    for level, text in TEXTS.items():
        assert f'name="staff_level" value="{level}"' in page
        assert text.title in page
    assert 'value="club" checked' in page
    wrong = client.post(
        reverse("new"), {"scenario": SIEGE, "mode": "staff", "staff_level": "grandmaster"}
    )
    assert wrong.status_code == 400
    assert "grandmaster" in wrong.content.decode()
    client.post(reverse("new"), {"scenario": SIEGE, "mode": "staff", "staff_level": "learner"})
    assert Campaign.objects.get().staff_level == "learner"


def test_the_command_begins_a_campaign_at_a_level() -> None:
    call_command("newcampaign", SIEGE, "--level", "strong", stdout=StringIO())
    assert Campaign.objects.get().staff_level == "strong"


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnfitRequest, match="learner, club, strong, not 'expert'"):
        campaign_at("expert")


def test_the_umpire_alone_changes_the_level_and_the_log_tells(people: People) -> None:
    campaign = campaign_at("club", seats={"umpire": people.umpire})
    with pytest.raises(NotAllowed):
        rulings.set_staff_level(campaign.pk, people.egyptian, "learner")
    for _ in range(2):
        rulings.set_staff_level(campaign.pk, people.umpire, "learner")
    campaign.refresh_from_db()
    assert campaign.staff_level == "learner"
    said = [entry.said for entry in campaign.umpire_log.all() if "plays as: learner" in entry.said]
    assert len(said) == 1


def now(campaign: Campaign) -> State:
    return selectors.state_now(campaign)


def test_a_club_player_goes_by_the_usual_plan_in_every_month() -> None:
    campaign = begun("club")
    state = now(campaign)
    assert state.question is not None
    assert CampaignPlans(campaign)(state) is plans_of(state, state.question.side)


@pytest.mark.parametrize("fog", [False, True])
def test_the_plan_of_a_month_stays_while_it_is_played(quick: None, fog: bool) -> None:
    campaign = begun("strong", fog=fog)
    state = now(campaign)
    assert state.question is not None
    side = state.question.side
    mine = CampaignPlans(campaign)(state)
    plans = [under(SIEGE, plan.name) for plan in portfolio(SIEGE, side)]
    assert mine in [levels.as_carried_out(Level.STRONG, plan) for plan in plans]
    month_by_orders._plans.cache_clear()
    state.units.clear()
    assert CampaignPlans(campaign)(state) is mine


def test_a_strong_staff_plans_from_positions_that_its_side_may_believe(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = begun("strong", fog=True)
    true = selectors.state_at(campaign, campaign.month - 1)
    drawn: list[State] = []

    def sample_state(view: View, key: bytes) -> State:
        state = forecast.sample_state(view, key)
        drawn.append(state)
        return state

    monkeypatch.setattr(month_by_orders, "sample_state", sample_state)
    month_by_orders._plans.cache_clear()
    state = now(campaign)
    CampaignPlans(campaign)(state)
    assert len(drawn) == 4
    hidden = {
        unit.id: unit
        for unit in true.units.values()
        if state.question is not None and unit.side is not state.question.side
    }
    assert all(one is not hidden.get(one.id) for two in drawn for one in two.units.values())


def test_people_set_up_before_any_plan_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_plans(*args: object) -> None:
        raise AssertionError("No month has begun.")

    monkeypatch.setattr(month_by_orders, "plans_for", no_plans)
    campaign = campaign_at("strong")
    state = now(campaign)
    plans = CampaignPlans(campaign)(state)
    assert plans is levels.as_carried_out(Level.STRONG, plans_of(state, Side.EGYPTIAN))
    assert isinstance(staff.answer(state, plans), Deploy)
    assert Level(campaign.staff_level) is Level.STRONG
