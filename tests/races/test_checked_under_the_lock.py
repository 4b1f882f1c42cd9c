"""Permissions are checked against the state that holds once the campaign is locked."""

import pytest
from django.utils import timezone

from battles.contract.brief import Side
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.actions import Done
from campaign.rules.core.questions import ToSetUp
from campaign.services import errors
from campaign.services.turns import deadlines, live
from campaign.services.turns.timetable import Policy
from campaign.services.umpire import invitations, seat_control
from tests.campaign.test_deadlines import HOUR, deadline_of, pass_hours, with_policy
from tests.campaign.test_live import begin, to_the_marches
from tests.people import People, sit_down
from tests.races.interruption import meanwhile

WHY = "The post is late."


def test_a_player_whose_set_up_was_ended_in_another_tab_does_not_end_the_enemys(
    people: People,
) -> None:
    campaign = begin(people)

    def be_ready() -> None:
        live.set_up(campaign.pk, people.egyptian, Done(), expected_head=None)

    with pytest.raises(errors.NotAllowed), meanwhile(be_ready):
        be_ready()
    campaign.refresh_from_db()
    assert selectors.state_now(campaign).question == ToSetUp(Side.MAHDIST)
    assert campaign.entries.count() == 1


@pytest.mark.parametrize("change", ["replaced", "handed to the staff", "adjourned"])
def test_no_answer_counts_that_comes_after_the_umpires_decision(
    people: People, change: str
) -> None:
    campaign = to_the_marches(begin(people))
    seat, head = campaign.seats.get(user=people.egyptian).pk, campaign.head_id
    changes = {
        "replaced": lambda: seat_control.replace_player(
            campaign.pk, people.umpire, seat, people.stranger.username, reason=WHY
        ),
        "handed to the staff": lambda: seat_control.hand_to_staff(
            campaign.pk, people.umpire, seat, reason=WHY
        ),
        "adjourned": lambda: seat_control.adjourn(campaign.pk, people.umpire, reason=WHY),
    }
    with pytest.raises(errors.Refused), meanwhile(changes[change]):
        live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=head)
    assert Campaign.objects.get(pk=campaign.pk).head_id == head


THE_CLAIM, THE_LOCK = 'UPDATE "campaign_deadline"', 'SELECT "campaign_campaign"'


@pytest.mark.parametrize("change", ["extended", "paused", "to be held"])
def test_a_month_that_is_given_time_as_its_deadline_fires_does_not_run(
    people: People, change: str
) -> None:
    campaign = with_policy(sit_down(people, months=2), Policy(no_show="staff"))
    pass_hours(campaign, 25)

    def give_time() -> None:
        if change == "extended":
            deadlines.extend(campaign.pk, people.umpire, 72, seen=0, reason=WHY)
        elif change == "paused":
            deadlines.pause(campaign.pk, people.umpire, reason=WHY)
        else:
            deadlines.set_policy(campaign.pk, people.umpire, Policy(no_show="hold"))

    with meanwhile(give_time, before=THE_LOCK, after=THE_CLAIM):
        outcomes = deadlines.keep_deadlines()
    assert outcomes == []
    assert not campaign.jobs.exists()
    deadline = deadline_of(campaign)
    assert deadline.done is None
    assert (deadline.due > timezone.now() + 40 * HOUR) is (change == "extended")


def test_an_invitation_that_is_withdrawn_as_it_is_taken_gives_no_seat(people: People) -> None:
    campaign = sit_down(people)
    offer = invitations.SeatOffer("observer")
    invitation, secret = invitations.invite(campaign.pk, people.umpire, offer)

    def withdraw() -> None:
        invitations.revoke(campaign.pk, people.umpire, invitation.pk)

    with (
        pytest.raises(invitations.InvitationSpent),
        meanwhile(withdraw, before='UPDATE "campaign_invitation"'),
    ):
        invitations.take_seat(secret, people.stranger)
    assert not campaign.seats.filter(user=people.stranger).exists()
