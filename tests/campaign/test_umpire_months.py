"""Whole months under an umpire: dice typed in one by one, players who have gone, adjournments."""

import pytest

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import journal
from battles.contract.brief import Side
from campaign import serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.actions import Ruled
from campaign.rules.core.board import board
from campaign.rules.core.events import Toss
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.sight import Onlooker
from campaign.services import order_submission
from campaign.services.journal import audit, dice, rewind
from campaign.services.turns import advance_jobs, live
from campaign.services.umpire import rulings, seat_control
from campaign.services.umpire.rulings import throw_by_hand, type_in
from tests.people import People

MOST_THROWS = 400


@pytest.mark.django_db(transaction=True)
def test_a_month_waits_for_every_throw_and_goes_on_by_itself(
    played: Campaign, people: People
) -> None:
    throw_by_hand(played.pk, people.umpire, yes=True)
    advance_jobs.request_advance(played.pk, people.umpire)
    typed = 0
    for _ in range(MOST_THROWS):
        on = Campaign.objects.get(pk=played.pk)
        throw = dice.waiting_throw(on)
        if throw is None:
            break
        faces = [(typed + place) % throw.sides + 1 for place in range(throw.count)]
        typed += throw.count
        type_in(played.pk, people.umpire, faces, expected=len(throw.faces))
    on = Campaign.objects.get(pk=played.pk)
    assert on.month == played.month + 1 or on.finished
    new = on.entries.filter(month=played.month, pk__gt=played.head_id)
    rolls = [roll for entry in new for roll in serialization.rolls_of(entry)]
    assert sum(len(roll.dice) for roll in rolls) == typed
    assert all(roll.by_hand for roll in rolls)
    audit.replay_check(on)
    audit.verify_dice(on)


@pytest.mark.django_db(transaction=True)
def test_adjourned_the_umpire_may_still_rule_and_nothing_runs(
    played: Campaign, people: People
) -> None:
    seat_control.adjourn(played.pk, people.umpire, reason="August.")
    with pytest.raises(journal.Refused, match="adjourned"):
        advance_jobs.request_advance(played.pk, people.umpire)
    rulings.rule(played.pk, people.umpire, rulings_toss())
    seat_control.take_up(played.pk, people.umpire)
    advance_jobs.request_advance(played.pk, people.umpire)
    assert Campaign.objects.get(pk=played.pk).month == played.month + 1


def rulings_toss() -> Ruled:
    return Ruled("Who is late?", toss=Toss(1))


@pytest.mark.django_db(transaction=True)
def test_the_orders_of_a_player_who_is_gone_are_never_carried_out(
    played: Campaign, people: People
) -> None:
    Campaign.objects.update(mode="orders")
    seat = played.seats.get(role="egyptian")
    state = selectors.state_now(played)
    hex_id = board(state).hexes(Side.EGYPTIAN)[0]
    units = [unit.id for unit in board(state).stack(Side.EGYPTIAN, hex_id)]
    leave = {"type": "withdraw", "hex": hex_id, "units": units}
    order_submission.save_sheet(played.pk, people.egyptian, seat.pk, {"orders": [leave]})
    order_submission.submit(played.pk, people.egyptian, seat.pk)
    sheet = played.sheets.get()
    seat_control.replace_player(played.pk, people.umpire, seat.pk, "stranger", reason="Gone.")
    advance_jobs.request_advance(played.pk, people.umpire)
    on = Campaign.objects.get(pk=played.pk)
    assert on.month == played.month + 1
    sheet.refresh_from_db()
    assert (sheet.withdrawn, sheet.begun) == (True, None)
    assert not sheet.receipts.filter(kind="carried out").exists()


def test_a_live_side_that_is_handed_to_the_staff_is_played_by_it(
    played: Campaign, people: People
) -> None:
    Campaign.objects.update(mode="live")
    asked = selectors.state_now(played).question
    assert asked is not None
    seat = played.seats.get(role=asked.side.value)
    played.refresh_from_db()
    assert not live.staff_is_asked(played)
    seat_control.hand_to_staff(played.pk, people.umpire, seat.pk, reason="On holiday.")
    assert live.staff_is_asked(played)
    seat_control.take_back_from_staff(played.pk, people.umpire, seat.pk)
    assert not live.staff_is_asked(played)


@pytest.mark.django_db(transaction=True)
def test_one_phase_at_a_time(played: Campaign, people: People) -> None:
    before = played.side, played.phase
    advance_jobs.request_advance(played.pk, people.umpire, phase=True)
    on = Campaign.objects.get(pk=played.pk)
    assert on.month == played.month
    assert (on.side, on.phase) != before


@pytest.mark.django_db(transaction=True)
def test_a_live_campaign_whose_sides_are_both_the_staffs_waits_for_its_umpire(
    played: Campaign, people: People
) -> None:
    """Nobody waits for an answer: a rewind must not be played over at once, to the very end."""
    Campaign.objects.update(mode="live")
    for seat in played.seats.filter(role__in=Seat.SIDES):
        seat_control.hand_to_staff(played.pk, people.umpire, seat.pk, reason="On holiday.")
    played.refresh_from_db()
    entry = played.entries.get(branch=0, number=5)
    rewind.rewind_to(played.pk, people.umpire, entry, reason="Once more.")
    on = Campaign.objects.get(pk=played.pk)
    assert on.head == entry
    assert not live.staff_is_asked(on)
    assert live.staff_answers(on.pk) == 0
    assert fog_of_war.waiting_for(on, Onlooker.UMPIRE) == (
        f"The computer’s staff plays {month_name(Month(on.month))} when its umpire runs it."
    )
    advance_jobs.request_advance(on.pk, people.umpire)
    later = Campaign.objects.get(pk=on.pk)
    assert later.month == on.month + 1
