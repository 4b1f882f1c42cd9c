"""The pages of a campaign's battles: arranged, entered, signed, declined, and by whom."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles.contract import Fate, TroopKind
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.services import battle_reports
from campaign.services.journal import creation
from tests.campaign.battlefield import before_battle, brief, waiting
from tests.people import SIEGE, client_of

pytestmark = pytest.mark.usefixtures("duel")


def page_of(campaign: Campaign) -> str:
    return reverse("battle-result", args=[campaign.slug, brief(campaign).id])


def filled_in(campaign: Campaign, winner: str = "egyptian", **changed: str) -> dict[str, Any]:
    fates = {f"fate-{one.id}": Fate.GOOD.value for one in brief(campaign).troops()}
    fates |= {f"fate-{one.id}": "disrupted" for one in brief(campaign).defender.troops}
    return {"enter": "yes", "winner": winner, "ending": "They broke.", **fates, **changed}


def test_the_page_shows_everybody_and_the_clock(by_hand, people):
    page = client_of(people, "umpire").get(page_of(by_hand))
    text = page.content.decode()
    assert page.status_code == 200
    assert text.count('name="fate-') == len(list(brief(by_hand).troops()))
    assert "Mahdist spears 1F" in text
    assert " UTC</time> on it may be fought by the campaign" in text


def test_the_campaigns_page_leads_there(by_hand, people):
    text = client_of(people, "umpire").get(reverse("campaign", args=[by_hand.slug])).content
    assert page_of(by_hand).encode() in text


@pytest.mark.parametrize("name", ["campaign", "console"])
def test_a_month_that_waits_for_a_battle_cannot_be_run(by_hand, people, name):
    """The button would promise that the month runs, and nothing would happen."""
    umpire = client_of(people, "umpire")
    waits = umpire.get(reverse(name, args=[by_hand.slug])).content.decode()
    assert "Run the month" not in waits
    assert f'<a class="button urgent" href="{page_of(by_hand)}">To the battle</a>' in waits
    umpire.post(page_of(by_hand), filled_in(by_hand))
    assert "Run the month" in umpire.get(reverse(name, args=[by_hand.slug])).content.decode()


@pytest.mark.parametrize("name", ["campaign", "console"])
def test_a_month_that_has_come_to_a_battle_of_a_book_can_be_run_on(people, name):
    """A month stops there when it is played by phases, is stopped, or is rewound to."""
    campaign = before_battle(people, "duel")
    umpire = client_of(people, "umpire")
    text = umpire.get(reverse(name, args=[campaign.slug])).content.decode()
    assert "Run the month" in text
    assert page_of(campaign) in text


def test_a_battle_fought_many_times_over_leads_back_to_the_battle_that_waits(by_hand, people):
    address = reverse("odds-of-battle", args=[by_hand.slug, brief(by_hand).id])
    umpire = client_of(people, "umpire")
    page = umpire.post(address, {"way": "redcoats"}, follow=True).content.decode()
    assert "A battle fought many times over" in page
    assert f'<a href="{page_of(by_hand)}">To the battle</a>' in page
    umpire.post(page_of(by_hand), filled_in(by_hand))
    inquiry = by_hand.inquiries.get()
    later = umpire.get(reverse("inquiry", args=[by_hand.slug, inquiry.uuid])).content.decode()
    assert "To the battle" not in later


def test_the_umpires_result_stands_at_once(by_hand, people):
    battle = brief(by_hand).id
    page = client_of(people, "umpire").post(page_of(by_hand), filled_in(by_hand), follow=True)
    assert "The result stands" in page.content.decode()
    entry = by_hand.entries.get(key=f"battle:{battle}")
    assert entry.actor == "umpire:umpire"


def test_players_sign_and_the_second_signature_settles_it(by_hand, people):
    first = client_of(people, "egyptian").post(page_of(by_hand), filled_in(by_hand), follow=True)
    assert "It counts when the other side has signed" in first.content.decode()
    assert "egyptian has signed a result" in first.content.decode()
    second = client_of(people, "mahdist").post(page_of(by_hand), filled_in(by_hand), follow=True)
    assert "The result stands" in second.content.decode()
    by_hand.refresh_from_db()
    assert by_hand.battle == ""


def test_what_one_side_has_signed_lies_before_the_other(by_hand, people):
    client_of(people, "egyptian").post(page_of(by_hand), filled_in(by_hand))
    text = client_of(people, "mahdist").get(page_of(by_hand)).content.decode()
    disrupted = text.count('<option value="disrupted" selected>')
    assert disrupted == len(brief(by_hand).defender.troops)
    won = text.partition('value="egyptian"')[2].partition(">")[0]
    assert "checked" in won


def test_both_players_decline_on_the_page(by_hand, people):
    page = page_of(by_hand)
    one = client_of(people, "egyptian").post(page, {"decline": "yes"}, follow=True)
    assert "The other side decides" in one.content.decode()
    two = client_of(people, "mahdist").post(page, {"decline": "yes"}, follow=True)
    assert "settled as was agreed" in two.content.decode()
    by_hand.refresh_from_db()
    assert by_hand.battle == ""


@pytest.mark.parametrize("by", [COMBAT_TABLE, "duel"])
def test_the_umpire_has_it_fought(by_hand, people, by, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        client_of(people, "umpire").post(page_of(by_hand), {"by": by})
    by_hand.refresh_from_db()
    assert by_hand.battle == ""


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"winner": "mahdist"}, None),
        ({"winner": "the Pasha"}, "Select a valid choice"),
        ({"by": "hannibal"}, "Battles cannot be fought by"),
    ],
)
def test_what_cannot_be_is_said_above_the_form_as_it_was(by_hand, people, wrong, why):
    if why is None:
        dead = {f"fate-{one.id}": "eliminated" for one in brief(by_hand).defender.troops}
        wrong, why = wrong | dead, "nobody of it is left"
    before = by_hand.head_id
    page = client_of(people, "umpire").post(page_of(by_hand), filled_in(by_hand) | wrong)
    assert page.status_code == 400
    assert why in page.content.decode()
    by_hand.refresh_from_db()
    assert by_hand.head_id == before


@pytest.mark.parametrize("name", ["spectator", "stranger"])
def test_nobody_else_reports(by_hand, people, name):
    by_hand.public = True
    by_hand.save()
    client = client_of(people, name)
    for sent in (filled_in(by_hand), {"decline": "yes"}, {"by": COMBAT_TABLE}):
        assert client.post(page_of(by_hand), sent).status_code == 403
    assert "The result stands" not in client.get(page_of(by_hand)).content.decode()
    assert Client().post(page_of(by_hand), filled_in(by_hand)).status_code == 403


def test_a_result_that_comes_too_late_is_told_so(by_hand, people):
    page, sent = page_of(by_hand), filled_in(by_hand)
    battle_reports.choose_method(by_hand.pk, people.umpire, brief(by_hand).id, COMBAT_TABLE)
    late = client_of(people, "umpire").post(page, sent, follow=True)
    assert "no longer waits for that battle" in late.content.decode()
    assert client_of(people, "umpire").get(page).status_code == 404


def test_a_battle_that_has_been_fought_is_shown_on_its_own_page(by_hand, people):
    page = page_of(by_hand)
    client_of(people, "umpire").post(page, filled_in(by_hand))
    assert client_of(people, "umpire").get(page).status_code == 302


def test_a_result_from_the_table_is_shown_by_its_fates_and_by_no_figures(by_hand, people):
    lost = {f"fate-{one.id}": "eliminated" for one in brief(by_hand).defender.troops}
    sent = filled_in(by_hand, **lost)
    page = client_of(people, "umpire").post(page_of(by_hand), sent, follow=True).content.decode()
    assert "The battle was fought on a real table" in page
    assert "eliminated" in page.split('id="went-back"')[1]
    assert "lost none of its" not in page
    assert 'id="losses"' not in page
    assert 'id="return"' not in page


def test_the_umpire_arranges_how_battles_are_fought(people):
    campaign = creation.create_campaign(
        creation.NewCampaignTerms(SIEGE, seats={"umpire": people.umpire})
    )
    page = reverse("campaign-battles", args=[campaign.slug])
    sent = {"way": "duel", "fallback": "combat-table", "days": "3", "signed": "on"}
    sent["book"] = "restless"
    answer = client_of(people, "umpire").post(page, sent, follow=True)
    assert "From now on battles are settled that way." in answer.content.decode()
    campaign.refresh_from_db()
    agreed = selectors.state_now(campaign).hand_off
    assert agreed is not None
    assert (agreed.resolution, agreed.timeout_days, agreed.signed) == ("duel", 3, True)
    assert agreed.book == "restless"


@pytest.mark.parametrize(
    "wrong", [{"days": "99"}, {"way": "hannibal"}, {"fallback": TABLETOP}, {"book": "hannibal"}]
)
def test_an_arrangement_that_cannot_be_is_refused(people, wrong):
    campaign = creation.create_campaign(
        creation.NewCampaignTerms(SIEGE, seats={"umpire": people.umpire})
    )
    page = reverse("campaign-battles", args=[campaign.slug])
    sent = {"way": "duel", "fallback": "combat-table", "days": "3"} | wrong
    assert client_of(people, "umpire").post(page, sent).status_code == 400
    campaign.refresh_from_db()
    assert campaign.head_id is None


def test_a_player_arranges_nothing(by_hand, people):
    page = reverse("campaign-battles", args=[by_hand.slug])
    sent = {"way": COMBAT_TABLE, "fallback": "combat-table", "days": "3"}
    assert client_of(people, "egyptian").post(page, sent).status_code == 403
    assert ">Save</button>" not in client_of(people, "egyptian").get(page).content.decode()


def test_a_new_campaign_is_begun_with_its_battles_handed_over(people):
    sent = {"scenario": SIEGE, "title": "Fought out", "battles": "duel"}
    client_of(people, "umpire").post(reverse("new"), sent)
    agreed = selectors.state_now(Campaign.objects.get(title="Fought out")).hand_off
    assert agreed is not None
    assert agreed.resolution == "duel"


def test_only_what_can_become_of_a_unit_is_offered(by_hand, people):
    text = client_of(people, "umpire").get(page_of(by_hand)).content.decode()
    spears = next(one for one in brief(by_hand).troops() if one.kind is TroopKind.SPEARS)
    field = text.partition(f'id="id_fate-{spears.id}"')[2].partition("</select>")[0]
    assert "eliminated" in field
    assert "captured" not in field
    assert waiting(by_hand).agreed.resolution == TABLETOP


@pytest.mark.parametrize("path", ["", "months/current/state/", "events/", "dice/"])
def test_the_interface_for_programs_tells_of_a_campaign_that_waits_for_a_battle(
    by_hand, people, path
):
    answer = client_of(people, "umpire").get(f"/api/v1/campaigns/{by_hand.slug}/{path}")
    assert answer.status_code == 200
    answer.json()


@pytest.mark.django_db(transaction=True)
def test_who_leaves_it_to_the_tables_is_led_on(by_hand, people):
    answer = client_of(people, "umpire").post(page_of(by_hand), {"by": "combat-table"}, follow=True)
    assert answer.status_code == 200
    assert "The battle is settled that way." in answer.content.decode()
