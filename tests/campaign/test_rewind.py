"""Going back: a branch of its own with dice of its own; nothing is lost."""

import pytest

from battles import journal
from battles.core.decoding import encode
from battles.journal import unpack
from campaign.access import selectors
from campaign.models import Campaign, Entry
from campaign.services import battle_reports, errors, order_submission
from campaign.services.journal import audit, creation, dice, rewind
from campaign.services.turns import advance, advance_jobs
from tests.campaign.battlefield import result
from tests.people import People


def back_to(campaign: Campaign, number: int) -> Entry:
    """Go back to that entry of the first branch."""
    entry = campaign.entries.get(branch=0, number=number)
    creation.branch_from(campaign.pk, entry, reason="Wrong odds were read.", by="umpire:umpire")
    campaign.refresh_from_db()
    return entry


def middle(campaign: Campaign) -> int:
    """Return the number of an entry in the middle of the second month."""
    numbers = list(
        campaign.entries.filter(month=campaign.first_month + 1).values_list("number", flat=True)
    )
    return numbers[len(numbers) // 2]


def test_going_back_moves_the_head_and_deletes_nothing(played: Campaign) -> None:
    written = played.entries.count()
    entry = back_to(played, middle(played))
    assert (played.head, played.branch) == (entry, 1)
    assert played.entries.count() == written
    branch = played.branches.get(number=1)
    assert (branch.reason, branch.parent) == ("Wrong odds were read.", entry)


def test_the_state_is_that_after_the_entry(played: Campaign) -> None:
    number = middle(played)
    entry = played.entries.get(number=number)
    expected = encode(selectors.state_after(played, entry))
    back_to(played, number)
    assert unpack(played.document) == expected
    assert played.month == played.first_month + 1


def test_a_branch_throws_dice_of_a_chain_of_its_own(played: Campaign) -> None:
    back_to(played, middle(played))
    branch = played.branches.get(number=1)
    assert branch.anchor == dice.anchor(played.secret_seed, 1)
    assert branch.anchor != played.public_anchor
    assert played.seals.get(branch=1, month=played.month).link is None


def test_play_goes_on_along_the_branch(played: Campaign) -> None:
    number = middle(played)
    back_to(played, number)
    on = advance.run_month(played.pk, until=played.month + 1)
    assert audit.replay_check(on).branches == 2
    assert audit.verify_dice(on).months == 4
    numbers = list(selectors.entries_on(on).values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert set(selectors.entries_on(on).filter(number__gt=number).values_list("branch")) == {(1,)}


def test_one_may_go_back_to_the_branch_that_was_abandoned(played: Campaign) -> None:
    last = played.head
    assert last is not None
    state = unpack(played.document)
    back_to(played, middle(played))
    advance.run_month(played.pk, until=played.month + 1)
    creation.branch_from(played.pk, last, reason="The first way was right.", by="umpire:umpire")
    played.refresh_from_db()
    assert (played.branch, played.head) == (2, last)
    assert unpack(played.document) == state
    on = advance.run_month(played.pk, until=played.month + 1)
    assert audit.replay_check(on).branches == 3


def test_months_past_show_the_line_the_campaign_is_on(played: Campaign) -> None:
    back_to(played, 3)
    on = advance.run_month(played.pk, until=played.first_month + 2)
    shown = {line.month: line.entries for line in selectors.months(on)}
    assert sum(shown.values()) == selectors.entries_on(on).count()
    second = selectors.state_at(on, on.first_month)
    assert second.month == on.first_month


def test_without_a_reason_nobody_goes_back(played: Campaign) -> None:
    entry = played.entries.get(number=3)
    with pytest.raises(errors.UnfitRequest, match="reason"):
        creation.branch_from(played.pk, entry, reason="  ", by="umpire:umpire")


def test_an_entry_of_another_campaign_is_refused(played: Campaign, campaign: Campaign) -> None:
    entry = played.entries.get(number=3)
    with pytest.raises(errors.UnfitRequest, match="another campaign"):
        creation.branch_from(campaign.pk, entry, reason="A mistake.", by="umpire:umpire")


def test_there_is_no_going_back_to_where_one_stands(played: Campaign) -> None:
    assert played.head is not None
    with pytest.raises(journal.Refused, match="already at that point"):
        creation.branch_from(played.pk, played.head, reason="For nothing.", by="umpire:umpire")


def test_nobody_goes_back_under_a_running_job(played: Campaign) -> None:
    advance_jobs.book_advance(played.pk)
    entry = played.entries.get(number=3)
    with pytest.raises(errors.UnderWay, match="being advanced"):
        creation.branch_from(played.pk, entry, reason="Too late.", by="umpire:umpire")


@pytest.mark.django_db(transaction=True)
def test_the_dice_of_a_battle_that_was_rewound_to_are_proved_after_the_month(
    by_hand: Campaign, people: People
) -> None:
    """The salts of the order sheets come too late for a month whose dice a battle has thrown."""
    Campaign.objects.update(mode=Campaign.Mode.ORDERS)
    asked = by_hand.entries.order_by("number").last()
    assert asked is not None
    battle_reports.enter_result(by_hand.pk, people.umpire, result(by_hand))
    rewind.rewind_to(by_hand.pk, people.umpire, asked, reason="The wrong side won.")
    by_hand.refresh_from_db()
    battle_reports.choose_method(by_hand.pk, people.umpire, by_hand.battle, "redcoats")
    for user in (people.egyptian, people.mahdist):
        seat = by_hand.seats.get(user=user)
        order_submission.set_ready(by_hand.pk, user, seat.pk, ready=True)
    month = by_hand.month
    advance_jobs.request_advance(by_hand.pk, people.umpire)
    by_hand.refresh_from_db()
    assert by_hand.month == month + 1
    assert by_hand.seals.get(branch=1, month=month).salted_by == "server"
    audit.verify_dice(by_hand)
    assert audit.verify_battles(by_hand) == 1
