"""The campaign as each person may see it: now, in past months, and since a visit."""

import pytest
from django.contrib.auth.models import AnonymousUser

from battles.core.decoding import encode
from battles.journal import Refused, unpack
from campaign.access import journal_events, permissions, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.actions import Done
from campaign.rules.core.state import Phase
from campaign.services.journal import campaign_session, creation
from campaign.services.turns import advance, advance_jobs
from tests.people import People, sit_down


def test_who_has_a_seat_sees_the_campaign(people: People, campaign: Campaign) -> None:
    for user in people[:4]:
        assert selectors.campaign_for(user, campaign.slug) == campaign
        assert list(selectors.campaigns_for(user)) == [campaign]


def test_strangers_see_nothing_of_a_private_campaign(people: People, campaign: Campaign) -> None:
    for user in (people.stranger, AnonymousUser()):
        assert list(selectors.campaigns_for(user)) == []
        with pytest.raises(selectors.NotVisible):
            selectors.campaign_for(user, campaign.slug)


def test_everybody_sees_a_public_campaign(people: People) -> None:
    public = sit_down(people, public=True)
    for user in (people.stranger, AnonymousUser()):
        assert selectors.campaign_for(user, public.slug) == public
        assert selectors.role_of(user, public) == set()


def test_the_umpire_alone_may_advance(people: People, campaign: Campaign) -> None:
    allowed = [permissions.may_advance(user, campaign) for user in people]
    assert allowed == [True, False, False, False, False]
    assert not permissions.may_advance(AnonymousUser(), campaign)


def test_one_person_may_sit_in_several_seats(people: People, campaign: Campaign) -> None:
    Seat.objects.create(campaign=campaign, user=people.umpire, role=Seat.Role.MAHDIST)
    assert selectors.role_of(people.umpire, campaign) == {"umpire", "mahdist"}
    assert selectors.campaigns_for(people.umpire).count() == 1


def test_jobs_are_seen_by_those_who_see_the_campaign(people: People, campaign: Campaign) -> None:
    job = advance_jobs.book_advance(campaign.pk)
    assert selectors.job_for(people.spectator, str(job.uuid)) == job
    with pytest.raises(selectors.NotVisible):
        selectors.job_for(people.stranger, job.uuid)
    with pytest.raises(selectors.NotVisible):
        selectors.job_for(people.umpire, "no number")


def test_the_months_begin_with_the_set_up_and_end_with_now(played: Campaign) -> None:
    lines = selectors.months(played)
    assert [line.slug for line in lines] == ["set-up", "1884-02", "1884-03", "1884-04"]
    assert [line.current for line in lines] == [False, False, False, True]
    assert sum(line.entries for line in lines) == played.entries.count()


def test_a_month_is_shown_as_it_stood_at_its_end(played: Campaign) -> None:
    february = selectors.state_at(played, played.first_month)
    assert february.month == played.first_month
    assert february.phase is Phase.RECOVERY
    assert encode(selectors.state_at(played, played.month)) == unpack(played.document)


def test_past_months_stay_as_they_were(played: Campaign) -> None:
    before = encode(selectors.state_at(played, played.first_month))
    on = advance.run_month(played.pk, until=played.month + 1)
    assert encode(selectors.state_at(on, on.first_month)) == before


def test_the_set_up_is_shown_as_it_was_when_play_began(played: Campaign) -> None:
    set_up = selectors.state_at(played, played.first_month - 1)
    assert set_up.phase is Phase.SET_UP
    assert len(set_up.units) > 50


def test_while_the_sides_set_up_the_set_up_is_now(campaign: Campaign) -> None:
    campaign_session.perform(campaign.pk, "player:egyptian", Done())
    campaign.refresh_from_db()
    for month in (campaign.first_month - 1, campaign.first_month):
        assert encode(selectors.state_at(campaign, month)) == unpack(campaign.document)


@pytest.mark.parametrize("away", [-2, 3, 500])
def test_a_month_that_never_was_is_not_found(played: Campaign, away: int) -> None:
    with pytest.raises(selectors.NoSuchMonth):
        selectors.state_at(played, played.first_month + away)
    with pytest.raises(selectors.NoSuchMonth):
        selectors.despatches(played, played.first_month + away)


def test_despatches_tell_the_month_and_no_other(played: Campaign) -> None:
    for month in (played.first_month, played.first_month + 1):
        told = selectors.despatches(played, month)
        assert {one.month for one in told} == {month}
        assert [(one.side, one.phase) for one in told[:1]] == [("egyptian", Phase.EVENT)]
        assert all(one.sentences for one in told)
        assert any(sentence.rolls for one in told for sentence in one.sentences)


def test_despatches_of_the_month_under_way_tell_what_has_happened(played: Campaign) -> None:
    told = selectors.despatches(played, played.month)
    assert [one.phase for one in told] == [Phase.EVENT]


def test_a_campaign_that_sets_up_has_no_despatches_of_its_first_month(campaign: Campaign) -> None:
    assert selectors.despatches(campaign, campaign.first_month) == []
    assert selectors.despatches(campaign, campaign.first_month - 1) == []


def test_events_come_in_order_page_by_page_without_gap(played: Campaign) -> None:
    everything, last = journal_events.events_since(played, "", 100_000)
    cursor, found = "", []
    while True:
        page, cursor = journal_events.events_since(played, cursor, 40)
        if not page:
            break
        found += page
    assert found == everything
    assert played.head is not None
    assert cursor == last == journal_events.cursor_of(played.head)
    assert [event["event"]["type"] for event in everything[:2]] == ["PhaseBegan", "EventRolled"]
    assert "AgendaRecorded" not in {event["event"]["type"] for event in everything}
    assert everything[1]["rolls"][0]["dice"]


def test_new_events_come_after_the_cursor(played: Campaign) -> None:
    _, cursor = journal_events.events_since(played, "", 100_000)
    assert journal_events.events_since(played, cursor, 10) == ([], cursor)
    on = advance.run_month(played.pk, until=played.month + 1)
    page, _ = journal_events.events_since(on, cursor, 10)
    assert page[0]["entry"] > (played.head_id or 0)


def test_a_cursor_that_a_rewind_has_cut_off_is_told_where_to_go_on(played: Campaign) -> None:
    _, cursor = journal_events.events_since(played, "", 100_000)
    entry = played.entries.get(number=5)
    creation.branch_from(played.pk, entry, reason="A slip.", by="umpire:umpire")
    advance.run_month(played.pk, until=played.first_month + 1)
    played.refresh_from_db()
    with pytest.raises(journal_events.CursorLost, match="rewound") as lost:
        journal_events.events_since(played, cursor, 10)
    assert lost.value.common == "0.5"
    page, _ = journal_events.events_since(played, lost.value.common, 10)
    branch, number = page[0]["cursor"].split(".")
    assert branch == "1"
    assert int(number) > 5


@pytest.mark.parametrize("cursor", ["x", "1", "0.99999", "-1.3", "0." + "9" * 40, "0.1.2"])
def test_what_is_no_cursor_is_refused(played: Campaign, cursor: str) -> None:
    with pytest.raises(Refused, match="no cursor"):
        journal_events.events_since(played, cursor, 10)
