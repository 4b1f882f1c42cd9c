"""A battle that waits in the fog: its brief, its pages and its odds tell a side nothing hidden."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles.access import battle_of
from battles.contract import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from campaign.rules.prose.names import leader_name
from campaign.services import order_submission
from campaign.services.journal import creation
from campaign.services.pending_battle import owner_of
from campaign.services.turns import advance_jobs
from campaign.services.turns.live import staff_sets_up
from tests.fog.test_routes import put
from tests.people import gather, logged_in
from tests.played_once import play_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=list(Side))
def side(request: pytest.FixtureRequest) -> Side:
    chosen: Side = request.param
    return chosen


@pytest.fixture
def player() -> User:
    return gather().egyptian


@pytest.fixture
def at_battle(player: User, side: Side) -> Campaign:
    """Return a campaign of that side against the staff whose first month waits for a battle."""
    return play_once(("at battle", side), lambda: play_to_battle(player, side))


def play_to_battle(player: User, side: Side) -> Campaign:
    (other,) = set(Side) - {side}
    terms = creation.NewCampaignTerms(
        "desert-column",
        seats={side.value: player},
        staff=[other.value],
        mode="orders",
        fog=True,
        battles=TABLETOP,
    )
    begun = creation.create_campaign(terms)
    staff_sets_up(begun.pk)
    seat = begun.seats.get(user=player)
    order_submission.save_sheet(begun.pk, player, seat.pk, {}, salt="5a" * order_submission.SALT)
    advance_jobs.request_advance(begun.pk, None)
    begun.refresh_from_db()
    assert begun.battle
    return begun


@pytest.fixture
def client(player: User) -> Client:
    return logged_in(player)


def test_the_brief_and_its_pages_tell_nothing_that_is_hidden(
    at_battle: Campaign, side: Side, client: Client
) -> None:
    truth, waiting = selectors.state_now(at_battle), selectors.battle_awaited(at_battle)
    assert waiting is not None
    known = fog_of_war.view_now(at_battle, side).state.units
    assert {one.id for one in waiting.brief.troops()} <= known.keys()
    hidden = [unit for unit in truth.units.values() if unit.id not in known]
    leaders = [leader_name(unit.name) for unit in hidden if unit.kind == "leader"]
    assert leaders
    named = re.compile(rf"\b({'|'.join(map(re.escape, leaders))})\b")
    battle = battle_of(owner_of(at_battle), at_battle.battle)
    assert battle is not None
    number = battle.uuid
    listed = f"/api/v1/campaigns/{at_battle.slug}/battles/"
    for address in (
        reverse("battle-result", args=[at_battle.slug, at_battle.battle]),
        reverse("campaign-battles", args=[at_battle.slug]),
        reverse("battle", args=[number]),
        reverse("battle-kit", args=[number]),
        reverse("battle-table", args=[number]),
        listed,
        f"{listed}{at_battle.battle}/",
        f"/api/v1/battles/{number}/",
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert named.findall(answer.content.decode()) == [], address


def test_the_odds_depend_on_nothing_that_is_hidden(
    at_battle: Campaign, side: Side, client: Client
) -> None:
    """The same odds are shown whatever stands where the side cannot look."""
    address = f"/api/v1/campaigns/{at_battle.slug}/battles/{at_battle.battle}/odds/"
    page = reverse("battle-result", args=[at_battle.slug, at_battle.battle])
    one, shown = client.get(address), odds_on(client.get(page).content.decode())
    assert one.status_code == 200
    state, known = selectors.state_now(at_battle), fog_of_war.view_now(at_battle, side).state.units
    for unit in list(state.units.values()):
        if unit.id not in known:
            del state.units[unit.id]
    if side is Side.EGYPTIAN:  # who may not count the Mahdists' counters off the map
        state.pool, state.box = {}, {}
    put(at_battle, state)
    assert client.get(address).json() == one.json()
    assert odds_on(client.get(page).content.decode()) == shown


def odds_on(page: str) -> str:
    """Return the part of the page with the odds."""
    _, found, odds = page.partition('id="odds-title"')
    assert found
    return odds.partition("</section>")[0].partition("<form")[0]
