"""A side's knowledge is written as it is gained, and stays as it was for past months."""

from django.contrib.auth.models import AnonymousUser

from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign import rules
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign, Knowledge
from campaign.rules import sight
from campaign.rules.core.board import board
from campaign.rules.sight import Onlooker
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.fog.walking import Played


def test_every_month_has_a_row_for_each_side(played: Played) -> None:
    rows = Knowledge.objects.filter(campaign=played.campaign).values_list("month", "side")
    months = range(played.campaign.first_month - 1, played.campaign.month + 1)
    assert sorted(rows) == [(month, side) for month in months for side in sorted(Side)]


def test_what_is_written_is_what_the_journal_tells(played: Played) -> None:
    for side in Side:
        for month in range(played.campaign.first_month - 1, played.campaign.month + 1):
            written = fog_of_war.knowledge_of(played.campaign, side, month)
            assert encode(
                fog_of_war.knowledge_from_journal(played.campaign, side, month)
            ) == encode(written)


def test_an_open_campaign_writes_nothing_down(played: Played) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", title="Open")
    advance.run_month(creation.create_campaign(wanted).pk, until=played.campaign.first_month + 1)
    assert not Knowledge.objects.exclude(campaign=played.campaign).exists()


def test_after_a_rewind_nobody_knows_what_never_was(played: Played) -> None:
    campaign = played.campaign
    middle = selectors.entries_on(campaign).filter(month=campaign.first_month + 1)[12]
    creation.branch_from(campaign.pk, middle, reason="A slip of the pen", by="umpire")
    campaign.refresh_from_db()
    for side in Side:
        state, entries = selectors.since_beginning(campaign, campaign.month)
        known = fog_of_war.known_at_beginning(campaign, side, campaign.month)
        for _, events in entries:
            for event in events:
                rules.fold(state, [event])
                sight.learn(known, state, event)
        assert encode(fog_of_war.knowledge_of(campaign, side, campaign.month)) == encode(known)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    campaign.refresh_from_db()
    for side in Side:
        month = campaign.month - 1
        written = fog_of_war.knowledge_of(campaign, side, month)
        assert encode(written) == encode(fog_of_war.knowledge_from_journal(campaign, side, month))


def test_a_past_month_is_shown_as_it_was_known_then(played: Played) -> None:
    campaign = played.campaign
    view = fog_of_war.view_at(campaign, campaign.first_month, Side.EGYPTIAN)
    truth = selectors.state_at(campaign, campaign.first_month)
    assert view.fogged
    assert all(seen.month <= campaign.first_month for seen in view.markers)
    assert set(board(view.state).hexes(Side.MAHDIST)) < set(board(truth).hexes(Side.MAHDIST))


def test_the_end_lifts_the_fog(played: Played) -> None:
    campaign = played.campaign
    assert fog_of_war.view_now(campaign, Side.EGYPTIAN).fogged
    Campaign.objects.filter(pk=campaign.pk).update(finished=True)
    campaign.refresh_from_db()
    for viewer in (*Side, Onlooker.PUBLIC):
        shown = fog_of_war.view_now(campaign, viewer)
        assert not shown.fogged
        assert encode(shown.state) == encode(selectors.state_now(campaign))


def test_who_plays_both_sides_has_no_secrets_from_himself(played: Played) -> None:
    played.campaign.seats.create(user=played.people.egyptian, role="mahdist")
    assert fog_of_war.viewer_of(played.people.egyptian, played.campaign) is Onlooker.UMPIRE


def test_a_vacant_seat_gives_a_stranger_no_eyes(played: Played) -> None:
    played.campaign.seats.filter(role="egyptian").update(user=None)
    assert fog_of_war.viewer_of(AnonymousUser(), played.campaign) is Onlooker.PUBLIC
    assert fog_of_war.viewer_of(played.people.egyptian, played.campaign) is Onlooker.PUBLIC


def test_despatches_differ_by_side_and_the_public_waits(played: Played) -> None:
    campaign = played.campaign
    month = campaign.month - 1
    told = {
        side: [
            one.text
            for each in fog_of_war.despatches(campaign, month, side)
            for one in each.sentences
        ]
        for side in Side
    }
    whole = [one.text for each in selectors.despatches(campaign, month) for one in each.sentences]
    assert told[Side.EGYPTIAN] != told[Side.MAHDIST]
    assert fog_of_war.despatches(campaign, month, Onlooker.PUBLIC) == []
    campaign.public_delay = 1
    public = [
        one.text
        for each in fog_of_war.despatches(campaign, month, Onlooker.PUBLIC)
        for one in each.sentences
    ]
    assert public == whole
    assert fog_of_war.despatches(campaign, campaign.month, Onlooker.PUBLIC) == []


def test_the_feed_read_in_pieces_is_the_feed_read_at_once(played: Played) -> None:
    campaign = played.campaign
    whole, last = journal_events.visible_events_since(campaign, "", 100_000, Side.EGYPTIAN)
    pieces, cursor = [], ""
    while cursor != last:
        found, cursor = journal_events.visible_events_since(campaign, cursor, 25, Side.EGYPTIAN)
        pieces += found
    assert pieces == whole
    everything, _ = journal_events.visible_events_since(campaign, "", 100_000, Onlooker.UMPIRE)
    assert len(whole) < len(everything)
