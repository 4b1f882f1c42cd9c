"""Hold what an adjourned campaign does, and what it does once it is resumed."""

from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Done, Ruled
from campaign.rules.core.events import Toss
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.services import battle_reports, errors, order_submission
from campaign.services.journal import creation, dice, rewind
from campaign.services.turns import advance_jobs, live
from campaign.services.turns.deadlines import keep_deadlines
from campaign.services.umpire import rulings, seat_control
from tests.campaign.battlefield import result
from tests.campaign.test_battles import late
from tests.people import People, logged_in

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "The hall is let in August."


def by_orders(people: People, **terms: object) -> Campaign:
    """Return a short campaign by order sheets, its forces set up."""
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    asked = creation.NewCampaignTerms("desert-column", seats=seats, mode="orders", **terms)  # type: ignore[arg-type]
    campaign = creation.create_campaign(asked)
    while isinstance(selectors.state_now(campaign).question, ToSetUp):
        live.set_up(campaign.pk, people.umpire, Done(), expected_head=None)
        campaign.refresh_from_db()
    return campaign


def run_by_staff(campaign: Campaign, people: People) -> None:
    """Let the umpire run the month, in which the staff plays both sides."""
    for seat in campaign.seats.filter(role__in=("egyptian", "mahdist")):
        seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason=WHY)
    advance_jobs.request_advance(campaign.pk, people.umpire)
    campaign.refresh_from_db()


def due(campaign: Campaign) -> datetime | None:
    """Return when the battle that the campaign waits for is settled without its players."""
    return Campaign.objects.get(pk=campaign.pk).battle_due


def resume(campaign: Campaign, people: People) -> None:
    seat_control.take_up(campaign.pk, people.umpire)
    campaign.refresh_from_db()


def test_no_clock_settles_a_battle_while_its_campaign_is_adjourned(
    by_hand: Campaign, people: People
) -> None:
    late(by_hand)
    seat_control.adjourn(by_hand.pk, people.umpire, reason=WHY)
    assert due(by_hand) is None
    assert battle_reports.settle_due() == []
    resume(by_hand, people)
    again = due(by_hand)
    assert again is not None
    assert again > timezone.now()
    assert battle_reports.settle_due() == []


@pytest.mark.parametrize("way", ["reported", COMBAT_TABLE, "redcoats"])
def test_a_month_goes_on_after_a_battle_that_was_settled_during_the_adjournment(
    people: People, way: str
) -> None:
    campaign = by_orders(people, battles=TABLETOP, battle_book="redcoats")
    run_by_staff(campaign, people)
    battle = campaign.battle
    assert battle
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    if way == "reported":
        battle_reports.enter_result(campaign.pk, people.umpire, result(campaign))
    else:
        battle_reports.choose_method(campaign.pk, people.umpire, battle, way)
    keep_deadlines()
    campaign.refresh_from_db()
    assert campaign.jobs.count() == 1
    resume(campaign, people)
    assert campaign.month > campaign.first_month or campaign.battle not in ("", battle)


def test_a_battle_of_a_live_campaign_that_was_left_to_a_book_is_fought_when_it_is_resumed(
    by_hand: Campaign, people: People
) -> None:
    Campaign.objects.update(mode=Campaign.Mode.LIVE)
    battle = by_hand.battle
    seat_control.adjourn(by_hand.pk, people.umpire, reason=WHY)
    battle_reports.choose_method(by_hand.pk, people.umpire, battle, "redcoats")
    assert not by_hand.jobs.exists()
    resume(by_hand, people)
    assert by_hand.entries.filter(key=f"battle:{battle}", actor="book:redcoats").exists()


def test_a_battle_that_is_still_to_be_fought_at_a_table_is_waited_for(
    people: People,
) -> None:
    campaign = by_orders(people, battles=TABLETOP, battle_book="redcoats")
    run_by_staff(campaign, people)
    battle = campaign.battle
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    resume(campaign, people)
    assert (campaign.battle, campaign.jobs.count()) == (battle, 1)


def test_dice_are_typed_in_once_the_campaign_is_resumed(people: People) -> None:
    """Typed in before, they would be kept and asked for a second time."""
    campaign = by_orders(people)
    rulings.throw_by_hand(campaign.pk, people.umpire, yes=True)
    run_by_staff(campaign, people)
    throw = dice.waiting_throw(campaign)
    assert throw is not None
    faces, entries = [3] * throw.count, campaign.entries.count()
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    with pytest.raises(errors.Refused, match="adjourned: resume it, then type the dice in"):
        rulings.type_in(campaign.pk, people.umpire, faces)
    throw.refresh_from_db()
    assert throw.faces == []
    resume(campaign, people)
    rulings.type_in(campaign.pk, people.umpire, faces)
    assert campaign.entries.count() > entries


def stopped_at_dice(people: People) -> Campaign:
    """Return a campaign whose month has stopped at dice, adjourned."""
    campaign = by_orders(people)
    rulings.throw_by_hand(campaign.pk, people.umpire, yes=True)
    run_by_staff(campaign, people)
    assert dice.waiting_throw(campaign) is not None
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    return campaign


def test_a_month_that_stopped_at_dice_goes_on_after_a_ruling_during_the_adjournment(
    people: People,
) -> None:
    campaign = stopped_at_dice(people)
    lots = Ruled("Lots.", (), toss=Toss(1, 6))
    rulings.rule(campaign.pk, people.umpire, lots, faces=(3,))
    keep_deadlines()
    assert campaign.jobs.count() == 1
    resume(campaign, people)
    assert campaign.jobs.count() == 2
    assert dice.waiting_throw(campaign) is not None


def test_a_month_that_stopped_at_dice_goes_on_with_the_campaigns_own_once_it_is_resumed(
    people: People,
) -> None:
    campaign = stopped_at_dice(people)
    rulings.throw_by_hand(campaign.pk, people.umpire, yes=False)
    resume(campaign, people)
    assert campaign.month == campaign.first_month + 1


def test_a_month_that_stopped_at_dice_and_was_rewound_does_not_run_when_it_is_resumed(
    people: People,
) -> None:
    campaign = stopped_at_dice(people)
    first = campaign.entries.order_by("number").first()
    assert first is not None
    rewind.rewind_to(campaign.pk, people.umpire, first, reason=WHY)
    resume(campaign, people)
    keep_deadlines()
    assert campaign.jobs.count() == 1


def test_a_month_for_which_everybody_is_ready_runs_when_the_campaign_is_resumed(
    people: People,
) -> None:
    campaign = by_orders(people, when_ready=True)
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    for user in (people.egyptian, people.mahdist):
        seat = campaign.seats.get(user=user)
        order_submission.set_ready(campaign.pk, user, seat.pk, ready=True)
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month
    resume(campaign, people)
    assert campaign.month == campaign.first_month + 1


def asked_to_set_up(campaign: Campaign) -> str | None:
    """Return the side that is asked to set up; None once both have."""
    question = selectors.state_now(Campaign.objects.get(pk=campaign.pk)).question
    return question.side.value if isinstance(question, ToSetUp) else None


def test_the_staff_sets_up_when_it_is_handed_the_seat_that_is_asked(people: People) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    wanted = creation.NewCampaignTerms("desert-column", seats=seats, mode="orders")
    campaign = creation.create_campaign(wanted)
    side = asked_to_set_up(campaign)
    seat = campaign.seats.get(role=side)
    seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason=WHY)
    assert asked_to_set_up(campaign) not in (side, None)


def test_the_staff_sets_up_after_an_adjournment_in_which_it_was_asked(people: People) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    wanted = creation.NewCampaignTerms("siege-of-khartoum", seats=seats, mode="orders")
    campaign = creation.create_campaign(wanted)
    live.set_up(campaign.pk, people.egyptian, Done(), expected_head=None)
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    seat = campaign.seats.get(role="mahdist")
    seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason=WHY)
    assert asked_to_set_up(campaign) == "mahdist"
    resume(campaign, people)
    assert asked_to_set_up(campaign) is None


def test_nobody_sets_up_while_the_campaign_is_adjourned(people: People) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    wanted = creation.NewCampaignTerms("siege-of-khartoum", seats=seats, mode="orders")
    campaign = creation.create_campaign(wanted)
    seat_control.adjourn(campaign.pk, people.umpire, reason=WHY)
    adjourned = "The campaign is adjourned: wait until the umpire resumes it."
    page = reverse("arrange", args=[campaign.slug])
    decision = f"/api/v1/campaigns/{campaign.slug}/decision/"
    for user in (people.umpire, people.egyptian):
        client = logged_in(user)
        shown = client.get(page).content.decode()
        assert adjourned in shown
        assert "This side is ready" not in shown
        sent = client.post(page, {"ready": "yes", "head": campaign.head_id or 0})
        assert sent.status_code == 400
        assert adjourned in sent.content.decode()
        question = client.get(decision)
        assert question.json()["is_yours"] is False
        answer = client.post(
            f"{decision}answers/",
            {"type": "done"},
            content_type="application/json",
            headers={"If-Match": question["ETag"]},
        )
        assert (answer.status_code, answer.json()["detail"]) == (409, adjourned)
    assert asked_to_set_up(campaign) == "egyptian"
    resume(campaign, people)
    live.set_up(campaign.pk, people.egyptian, Done(), expected_head=None)
    assert asked_to_set_up(campaign) == "mahdist"
