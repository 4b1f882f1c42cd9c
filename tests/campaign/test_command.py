"""Seats handed over, players replaced, campaigns adjourned: all on record, all by an umpire."""

import pytest

from battles import journal
from campaign.models import Campaign, OrderSheet, Seat
from campaign.services import errors
from campaign.services.attendance import OrderStatus, attendance, awaited_in_words, late
from campaign.services.journal import creation
from campaign.services.turns import advance_jobs
from campaign.services.umpire import seat_control
from tests.people import People

WHY = "He has moved to Cairo."


@pytest.fixture
def ordered(campaign: Campaign) -> Campaign:
    campaign.mode = Campaign.Mode.ORDERS
    campaign.save()
    return campaign


def seat_of(campaign: Campaign, role: str) -> Seat:
    return campaign.seats.get(role=role)


def sheet_of(campaign: Campaign, role: str, **about: object) -> OrderSheet:
    return OrderSheet.objects.create(
        campaign=campaign,
        seat=seat_of(campaign, role),
        branch=campaign.branch,
        month=campaign.month,
        **about,
    )


def test_a_seat_is_handed_to_the_staff_and_back(ordered: Campaign, people: People) -> None:
    seat = seat_of(ordered, "mahdist")
    seat_control.hand_to_staff(ordered.pk, people.umpire, seat.pk, reason="On holiday.")
    seat.refresh_from_db()
    assert (seat.staff, seat.user) == (True, people.mahdist)
    assert attendance(ordered)[1].standing is OrderStatus.STAFF
    seat_control.take_back_from_staff(ordered.pk, people.umpire, seat.pk)
    seat.refresh_from_db()
    assert not seat.staff


def test_a_player_who_is_replaced_leaves_no_order_behind(ordered: Campaign, people: People) -> None:
    sheet = sheet_of(ordered, "egyptian", submitted="2026-01-01T00:00Z", ready=True)
    seat = seat_of(ordered, "egyptian")
    seat_control.replace_player(ordered.pk, people.umpire, seat.pk, "stranger", reason=WHY)
    sheet.refresh_from_db()
    seat.refresh_from_db()
    assert sheet.withdrawn
    assert (seat.user, seat.vacated) == (people.stranger, None)
    assert attendance(ordered)[0].standing is OrderStatus.NOTHING


def test_a_player_who_is_removed_leaves_a_vacant_seat(ordered: Campaign, people: People) -> None:
    sheet = sheet_of(ordered, "egyptian", submitted="2026-01-01T00:00Z")
    seat = seat_of(ordered, "egyptian")
    seat_control.remove_player(ordered.pk, people.umpire, seat.pk, reason=WHY)
    sheet.refresh_from_db()
    seat.refresh_from_db()
    assert sheet.withdrawn
    assert seat.user is None
    assert seat.vacated is not None
    assert [one.standing for one in late(ordered)] == [OrderStatus.VACANT, OrderStatus.NOTHING]


def test_a_vacant_seat_is_not_called_ready(ordered: Campaign, people: People) -> None:
    seat = seat_of(ordered, "egyptian")
    seat_control.remove_player(ordered.pk, people.umpire, seat.pk, reason=WHY)
    sheet_of(ordered, "mahdist", submitted="2026-01-01T00:00Z", ready=True)
    assert awaited_in_words(ordered) == "Vacant: Egyptian commander-in-chief."
    ordered.sheets.update(ready=False)
    assert awaited_in_words(ordered) == (
        "Not ready yet: Mahdist commander-in-chief. Vacant: Egyptian commander-in-chief."
    )
    seat_control.hand_to_staff(ordered.pk, people.umpire, seat.pk, reason="Nobody free.")
    ordered.sheets.update(ready=True)
    assert awaited_in_words(ordered) == "Everybody is ready."


def test_a_seat_that_has_written_nothing_has_no_draft_when_its_month_has_begun(
    ordered: Campaign,
) -> None:
    sheet_of(ordered, "egyptian", begun="2026-01-01T00:00Z")
    sheet_of(ordered, "mahdist", begun="2026-01-01T00:00Z", revision=1)
    assert [one.standing for one in attendance(ordered)] == [OrderStatus.NOTHING, OrderStatus.DRAFT]


def test_a_removed_player_sees_the_campaign_no_more(ordered: Campaign, people: People) -> None:
    seat = seat_of(ordered, "egyptian")
    seat_control.remove_player(ordered.pk, people.umpire, seat.pk, reason=WHY)
    assert not ordered.seats.filter(user=people.egyptian).exists()


def test_an_empty_seat_is_not_handed_back_to_nobody(ordered: Campaign, people: People) -> None:
    seat = seat_of(ordered, "egyptian")
    seat_control.remove_player(ordered.pk, people.umpire, seat.pk, reason=WHY)
    seat_control.hand_to_staff(ordered.pk, people.umpire, seat.pk, reason="Until one is found.")
    with pytest.raises(errors.UnfitRequest, match="give the seat to somebody"):
        seat_control.take_back_from_staff(ordered.pk, people.umpire, seat.pk)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", "no account"),
        ("egyptian", "on that side already"),
        ("mahdist", "nobody plays two"),
        ("umpire", "nobody plays two"),
    ],
)
def test_who_cannot_take_a_seat_is_told_why(
    ordered: Campaign, people: People, name: str, said: str
) -> None:
    seat = seat_of(ordered, "egyptian")
    with pytest.raises(journal.Refused, match=said):
        seat_control.replace_player(ordered.pk, people.umpire, seat.pk, name, reason=WHY)
    seat.refresh_from_db()
    assert seat.user == people.egyptian


def test_under_fog_an_observer_takes_no_side(ordered: Campaign, people: People) -> None:
    ordered.fog = True
    ordered.save()
    seat = seat_of(ordered, "egyptian")
    with pytest.raises(journal.Refused, match="seen both sides"):
        seat_control.replace_player(ordered.pk, people.umpire, seat.pk, "spectator", reason=WHY)


def test_a_second_umpire_has_the_same_powers(ordered: Campaign, people: People) -> None:
    seat_control.second_umpire(ordered.pk, people.umpire, "stranger")
    seat_control.adjourn(ordered.pk, people.stranger, reason="Both umpires are away.")
    ordered.refresh_from_db()
    assert ordered.adjourned


@pytest.mark.parametrize(
    ("name", "said"),
    [("umpire", "already"), ("egyptian", "they play in"), ("nobody", "no account")],
)
def test_who_cannot_judge_is_told_why(
    ordered: Campaign, people: People, name: str, said: str
) -> None:
    with pytest.raises(journal.Refused, match=said):
        seat_control.second_umpire(ordered.pk, people.umpire, name)


def test_an_adjourned_campaign_is_taken_up_again(ordered: Campaign, people: People) -> None:
    seat_control.adjourn(ordered.pk, people.umpire, reason="August.")
    seat_control.adjourn(ordered.pk, people.umpire, reason="August, again.")
    seat_control.take_up(ordered.pk, people.umpire)
    ordered.refresh_from_db()
    assert not ordered.adjourned
    said = [one.said for one in ordered.umpire_log.all()]
    assert said == ["The campaign is resumed.", "The campaign is adjourned. August."]


def test_whatever_is_done_stands_in_the_umpire_log_with_its_reason(
    ordered: Campaign, people: People
) -> None:
    seat = seat_of(ordered, "mahdist")
    seat_control.hand_to_staff(ordered.pk, people.umpire, seat.pk, reason="On  holiday. ")
    entry = ordered.umpire_log.get()
    assert entry.said == "The staff plays the Mahdist commander-in-chief from now on. On holiday."
    assert entry.by == "umpire:umpire"


def test_a_seat_that_the_staff_plays_already_is_handed_over_once(
    ordered: Campaign, people: People
) -> None:
    seat = seat_of(ordered, "mahdist")
    for reason in ("On holiday.", "On holiday, again."):
        seat_control.hand_to_staff(ordered.pk, people.umpire, seat.pk, reason=reason)
    entry = ordered.umpire_log.get()
    assert entry.said == "The staff plays the Mahdist commander-in-chief from now on. On holiday."


@pytest.mark.parametrize("reason", ["", "  ", "x" * 301])
def test_without_a_reason_nothing_is_done(ordered: Campaign, people: People, reason: str) -> None:
    seat = seat_of(ordered, "mahdist")
    with pytest.raises(errors.UnfitRequest, match="reason"):
        seat_control.remove_player(ordered.pk, people.umpire, seat.pk, reason=reason)


@pytest.mark.parametrize("who", ["egyptian", "spectator", "stranger"])
def test_nobody_but_an_umpire_commands(ordered: Campaign, people: People, who: str) -> None:
    user, seat = getattr(people, who), seat_of(ordered, "mahdist")
    with pytest.raises(errors.NotAllowed):
        seat_control.remove_player(ordered.pk, user, seat.pk, reason=WHY)
    with pytest.raises(errors.NotAllowed):
        seat_control.adjourn(ordered.pk, user, reason=WHY)
    with pytest.raises(errors.NotAllowed):
        seat_control.second_umpire(ordered.pk, user, "stranger")


def test_while_the_month_runs_nobody_is_moved(ordered: Campaign, people: People) -> None:
    advance_jobs.book_advance(ordered.pk)
    seat = seat_of(ordered, "mahdist")
    with pytest.raises(errors.UnderWay):
        seat_control.remove_player(ordered.pk, people.umpire, seat.pk, reason=WHY)


def test_a_seat_of_another_campaign_is_none_of_this_one(ordered: Campaign, people: People) -> None:
    other = creation.create_campaign(
        creation.NewCampaignTerms("relief-of-el-obeid", seats={"mahdist": people.mahdist})
    )
    with pytest.raises(errors.UnfitRequest, match="no such seat"):
        seat_control.remove_player(
            ordered.pk, people.umpire, seat_of(other, "mahdist").pk, reason=WHY
        )
