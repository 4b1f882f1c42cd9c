"""A campaign played alone whose battles are fought: the choice, the wait, and the way on."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from accounts import guests
from accounts.models import Scope
from accounts.tokens import create_token
from battles import access
from battles import services as books
from battles.access import battle_of
from battles.contract import Fate, Side
from battles.models import Battle
from campaign.access import fog_of_war, permissions, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.rules.sight import Onlooker
from campaign.services import attendance, battle_reports, order_submission
from campaign.services.errors import NotAllowed
from campaign.services.journal import creation
from campaign.services.journal.creation import BattleChoice
from campaign.services.pending_battle import owner_of
from campaign.services.turns.live import staff_sets_up
from tests.api.conftest import Api
from tests.people import People

pytestmark = pytest.mark.django_db(transaction=True)
COLUMN = "desert-column"


def begin(client: Client, **form: str) -> Campaign:
    """Begin a campaign as a guest, through the door, and return it."""
    answer = client.post(reverse("play-alone"), {"side": "egyptian", **form})
    assert answer.status_code == 302
    return Campaign.objects.get(slug=answer["Location"].split("/")[2])


def the_guest() -> User:
    return guests.guests().get()


def make_ready(campaign: Campaign) -> None:
    """Send the month's orders, which are none; the month runs at once in a test.

    Its dice are the same in every run, as its salt is.
    """
    seat = campaign.seats.get(staff=False)
    assert seat.user is not None
    order_submission.save_sheet(
        campaign.pk, seat.user, seat.pk, {}, salt="5a" * order_submission.SALT
    )
    order_submission.set_ready(campaign.pk, seat.user, seat.pk, ready=True)
    campaign.refresh_from_db()


def before_battle(client: Client, **form: str) -> Campaign:
    """Return a guest's campaign whose first month waits for a battle."""
    campaign = begin(client, battles="tabletop", book="redcoats", **form)
    make_ready(campaign)
    assert campaign.battle
    return campaign


def awaited(campaign: Campaign) -> Battle:
    found = battle_of(owner_of(campaign), campaign.battle)
    assert found is not None
    return found


def has_gone_on(campaign: Campaign, battle: str) -> bool:
    """Return whether the first month was played on after its battle, to its end or the next one."""
    campaign.refresh_from_db()
    return campaign.month > campaign.first_month or campaign.battle not in ("", battle)


def page_of(campaign: Campaign) -> str:
    return reverse("battle-result", args=[campaign.slug, campaign.battle])


def agreed(campaign: Campaign) -> tuple[str, str]:
    campaign.refresh_from_db()
    hand_off = selectors.state_now(campaign).hand_off
    return (hand_off.resolution, hand_off.book) if hand_off else (COMBAT_TABLE, "")


@pytest.mark.parametrize(
    ("form", "settled"),
    [
        ({}, (COMBAT_TABLE, "")),
        ({"battles": "combat-table", "book": "restless"}, (COMBAT_TABLE, "")),
        ({"battles": "tabletop", "book": "restless"}, (TABLETOP, "restless")),
        ({"battles": "computer", "book": "fuzzy-wuzzy"}, ("fuzzy-wuzzy", "fuzzy-wuzzy")),
    ],
)
def test_the_door_asks_how_battles_are_settled(
    form: dict[str, str], settled: tuple[str, str]
) -> None:
    assert agreed(begin(Client(), **form)) == settled


def test_a_book_or_a_way_that_there_is_not_begins_nothing() -> None:
    for wrong in ({"battles": "duel"}, {"battles": "tabletop", "book": "hannibal"}):
        answer = Client().post(reverse("play-alone"), {"side": "egyptian", **wrong})
        assert answer.status_code == 400
    assert not Campaign.objects.exists()


def test_by_the_table_a_month_runs_through() -> None:
    client = Client()
    campaign = begin(client)
    month = campaign.month
    make_ready(campaign)
    assert (campaign.month, campaign.battle) == (month + 1, "")


def test_left_to_the_computer_a_month_runs_through_and_its_battle_can_be_looked_at() -> None:
    client = Client()
    campaign = begin(client, battles="computer", book="redcoats")
    month = campaign.month
    make_ready(campaign)
    assert campaign.month == month + 1
    fought = Battle.objects.filter(owner=owner_of(campaign))[0]
    assert (fought.way, fought.book) == (Battle.Way.COMMANDERS, "redcoats")
    assert client.get(reverse("battle", args=[fought.uuid])).status_code == 200


def test_the_pages_say_what_the_month_waits_for_and_lead_there() -> None:
    """None of them waits for the side that the staff plays, whose turn it is."""
    client = Client()
    campaign = before_battle(client)
    assert campaign.side == "mahdist"
    for name in ("campaign", "order-sheet", "plain-orders"):
        seat = [] if name == "campaign" else [campaign.seats.get(staff=False).pk]
        page = client.get(reverse(name, args=[campaign.slug, *seat])).content.decode()
        assert f"{awaited(campaign).title} is to be fought." in page, name
        assert f'href="{page_of(campaign)}"' in page, name
        assert "Mahdist side has to" not in page, name
    public = fog_of_war.waiting_for(campaign, Onlooker.PUBLIC)
    assert public == "The rest of December 1884: it is being played."
    assert client.get(f"/api/v1/campaigns/{campaign.slug}/").json()["awaited_side"] is None


def test_the_player_of_a_solo_campaign_is_told_that_it_waits_for_them() -> None:
    campaign = begin(Client())
    assert attendance.awaited_in_words(campaign) == "The month runs as soon as you are ready."


def test_no_clock_settles_a_battle_that_nobody_else_waits_for() -> None:
    client = Client()
    campaign = before_battle(client)
    assert campaign.battle_due is None
    page = client.get(page_of(campaign)).content.decode()
    assert "it may be fought" not in page
    assert battle_reports.settle_due() == []


def test_the_battle_is_fought_in_the_browser_and_the_month_goes_on() -> None:
    client = Client()
    campaign = before_battle(client)
    battle, month = awaited(campaign), campaign.month
    page = client.get(page_of(campaign)).content.decode()
    assert '<option value="redcoats" selected>' in page
    begun = client.post(
        reverse("fight-begin", args=[battle.uuid]), {"book": "redcoats"}, follow=True
    )
    field = reverse("fight", args=[battle.uuid])
    assert begun.redirect_chain[-1][0] == field
    battle.refresh_from_db()
    assert access.computer_sides(battle) == {Side.MAHDIST}
    assert begun.context["page"].side is Side.EGYPTIAN
    assert "its players" not in begun.content.decode()
    assert client.get(page_of(campaign))["Location"] == field
    # The rest is handed to the computer, on the field's own page.
    led = {"side": "egyptian", "by": "computer"}
    over = client.post(reverse("fight-lead", args=[battle.uuid]), led, follow=True)
    last = over.redirect_chain[-1][0]
    assert last.startswith(reverse("battle", args=[battle.uuid]) + "turn/")
    assert client.get(last).context["page"].later is None
    assert "On with the campaign" in over.content.decode()
    assert has_gone_on(campaign, battle.brief_id)
    assert campaign.entries.filter(actor="book:redcoats").exists()
    while campaign.battle:
        client.post(page_of(campaign), {"by": COMBAT_TABLE})
        campaign.refresh_from_db()
    assert campaign.month == month + 1
    books.verify_battle(Battle.objects.get(pk=battle.pk))


def test_the_set_up_of_forces_comes_first() -> None:
    client = Client()
    campaign = before_battle(client)
    address = reverse("fight-begin", args=[awaited(campaign).uuid])
    page = client.post(address, {"book": "redcoats"}, follow=True).content.decode()
    assert "Fight as drawn up" in page


def test_a_battle_that_has_begun_is_not_left_for_the_table() -> None:
    client = Client()
    campaign = before_battle(client)
    battle, number = awaited(campaign), campaign.battle
    client.post(reverse("fight-begin", args=[battle.uuid]), {"book": "restless"})
    refused = client.post(page_of(campaign), {"by": COMBAT_TABLE})
    assert refused.status_code == 400
    assert "has begun in the browser" in refused.content.decode()
    report = client.post(page_of(campaign), filled_in(campaign))
    assert report.status_code == 400
    campaign.refresh_from_db()
    assert campaign.battle == number


def test_a_battle_that_has_begun_is_not_declined() -> None:
    client = Client()
    campaign = before_battle(client)
    battle, number = awaited(campaign), campaign.battle
    client.post(reverse("fight-begin", args=[battle.uuid]), {"book": "restless"})
    refused = client.post(page_of(campaign), {"decline": "yes"})
    assert refused.status_code == 400
    assert "has begun in the browser" in refused.content.decode()
    campaign.refresh_from_db()
    assert campaign.battle == number
    assert access.is_open(awaited(campaign))


def filled_in(campaign: Campaign, **changed: str) -> dict[str, str]:
    waiting = selectors.battle_awaited(campaign)
    assert waiting is not None
    fates = {
        f"fate-{one.id}": (Fate.DISRUPTED if one.disrupted else Fate.GOOD).value
        for one in waiting.brief.troops()
    }
    return {"enter": "yes", "winner": "nobody", "ending": "Night fell.", **fates, **changed}


def test_a_result_from_a_real_table_counts_at_once() -> None:
    client = Client()
    campaign = before_battle(client)
    battle = awaited(campaign)
    assert "I played it on my table" in client.get(page_of(campaign)).content.decode()
    assert client.get(reverse("battle-table", args=[battle.uuid])).status_code == 200
    wrong = client.post(page_of(campaign), filled_in(campaign, winner="the Pasha"))
    assert wrong.status_code == 400
    answer = client.post(page_of(campaign), filled_in(campaign), follow=True)
    assert "The result stands" in answer.content.decode()
    assert has_gone_on(campaign, battle.brief_id)


@pytest.mark.parametrize("by", [COMBAT_TABLE, "restless"])
def test_a_battle_is_left_from_its_page(by: str) -> None:
    client = Client()
    campaign = before_battle(client)
    number = campaign.battle
    answer = client.post(page_of(campaign), {"by": by}, follow=True)
    assert answer.status_code == 200
    assert has_gone_on(campaign, number)


def test_the_choice_is_changed_later() -> None:
    client = Client()
    campaign = begin(client)
    address = reverse("campaign-battles", args=[campaign.slug])
    assert 'name="battles"' in client.get(address).content.decode()
    changed = {"battles": "tabletop", "book": "fuzzy-wuzzy"}
    said = client.post(address, changed, follow=True).content.decode()
    assert "by you, in the browser or on your own table" in said
    assert agreed(campaign) == (TABLETOP, "fuzzy-wuzzy")
    make_ready(campaign)
    assert awaited(campaign).book == "fuzzy-wuzzy"
    assert client.post(address, {"battles": "duel"}).status_code == 400
    assert agreed(campaign) == (TABLETOP, "fuzzy-wuzzy")


def test_nobody_but_its_player_settles_the_battles_of_a_solo_campaign() -> None:
    campaign = before_battle(Client())
    other = Client()
    begin(other)
    choice = reverse("campaign-battles", args=[campaign.slug])
    for address, sent in (
        (page_of(campaign), {"by": COMBAT_TABLE}),
        (page_of(campaign), filled_in(campaign)),
        (choice, {"battles": "computer"}),
        (reverse("fight-begin", args=[awaited(campaign).uuid]), {"book": "redcoats"}),
    ):
        assert other.post(address, sent).status_code == 404
        assert Client().post(address, sent).status_code in (302, 404)
    number = campaign.battle
    campaign.refresh_from_db()
    assert campaign.battle == number
    assert agreed(campaign) == (TABLETOP, "redcoats")


def solo(user: User, side: Side = Side.EGYPTIAN) -> Campaign:
    campaign = creation.create_solo_campaign(
        user, side, COLUMN, battles=BattleChoice(TABLETOP, "redcoats")
    )
    staff_sets_up(campaign.pk)
    return campaign


def test_a_player_among_others_settles_nothing_without_the_umpire(people: People) -> None:
    campaign = solo(people.egyptian)
    assert permissions.may_settle_battles(people.egyptian, campaign)
    Seat.objects.filter(campaign=campaign, role="mahdist").update(user=people.mahdist, staff=False)
    with pytest.raises(NotAllowed):
        battle_reports.choose_method(campaign.pk, people.egyptian, campaign.battle, COMBAT_TABLE)


def program_of(user: User) -> Api:
    """Return a client with a token of that user's."""
    _, secret = create_token(user, "solo", [Scope.READ, Scope.ORDERS, Scope.UMPIRE])
    return Api(secret)


def test_a_program_changes_how_the_battles_of_its_solo_campaign_are_fought(people: People) -> None:
    campaign, program = solo(people.egyptian), program_of(people.egyptian)
    address = f"/campaigns/{campaign.slug}/"
    assert program.get(address).json()["battles"]["book"] == "redcoats"
    changed = program.patch(address, {"battles": {"resolution": "tabletop", "book": "restless"}})
    assert changed.status_code == 200
    assert changed.json()["battles"]["book"] == "restless"
    assert agreed(campaign) == (TABLETOP, "restless")
    for wrong, status in (
        ({"battles": {"book": "hannibal"}}, 400),
        ({"title": "Mine"}, 403),
        ({"battles": {"resolution": COMBAT_TABLE}, "staff_level": "learner"}, 403),
    ):
        assert program.patch(address, wrong).status_code == status, wrong
    assert program_of(people.mahdist).patch(address, {"battles": {}}).status_code == 404
    assert agreed(campaign) == (TABLETOP, "restless")


def test_a_program_fights_the_battle_of_its_solo_campaign(people: People) -> None:
    campaign, program = solo(people.egyptian), program_of(people.egyptian)
    seat = campaign.seats.get(staff=False)
    sheet = f"/campaigns/{campaign.slug}/seats/{seat.pk}/sheets/1884-12/"
    make_ready(campaign)
    waits = program.get(sheet).json()
    assert waits["awaited_battle"] == campaign.battle
    assert waits["awaited_text"] == f"{awaited(campaign).title} is to be fought."
    pending = program.get(f"/campaigns/{campaign.slug}/battles/{campaign.battle}/").json()
    assert pending["due_at"] is None
    fight = f"/battles/{awaited(campaign).uuid}/fight/"
    begun = program.put(fight, {"book": "fuzzy-wuzzy"}).json()
    assert (begun["perspective"], begun["book"]) == ("egyptian", "fuzzy-wuzzy")
    late = program.patch(
        f"/campaigns/{campaign.slug}/battles/{campaign.battle}/",
        {"type": "resolution", "resolution": COMBAT_TABLE},
    )
    assert late.status_code == 409
    assert program.patch(fight, {"finished": True}).status_code == 403
    number = campaign.battle
    assert program.patch(fight, {"egyptian_lead": "computer"}).status_code == 200
    assert has_gone_on(campaign, number)
