"""Rulings written down: previewed without a trace, on record, and part of every proof."""

from io import BytesIO

import pytest

from battles import journal
from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.core.game import IllegalAction
from battles.journal import unpack
from campaign import serialization
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.core.actions import Ruled
from campaign.rules.core.events import Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.map import HexId
from campaign.services import errors
from campaign.services.journal import audit
from campaign.services.transfer import archive
from campaign.services.turns import advance, advance_jobs
from campaign.services.umpire import rulings
from tests.people import People


def removing(campaign: Campaign, *units: int, reason: str = "Counted twice.") -> Ruled:
    state = selectors.state_now(campaign)
    return Ruled(reason, ruling_events.remove(state, [UnitId(one) for one in units]))


def somebody(campaign: Campaign) -> int:
    return min(selectors.state_now(campaign).units)


def test_a_preview_tells_the_difference_and_changes_nothing(
    campaign: Campaign, people: People
) -> None:
    before = unpack(campaign.document)
    seen = rulings.preview(campaign, people.umpire, removing(campaign, somebody(campaign)))
    assert len(seen.after.units) == len(seen.before.units) - 1
    assert len(seen.effects) == 1
    assert "removed from" in seen.effects[0]
    campaign.refresh_from_db()
    assert unpack(campaign.document) == before
    assert campaign.entries.count() == 0


def test_what_is_previewed_is_what_is_ruled(campaign: Campaign, people: People) -> None:
    ruling = removing(campaign, somebody(campaign))
    seen = rulings.preview(campaign, people.umpire, ruling)
    rulings.rule(campaign.pk, people.umpire, ruling)
    campaign.refresh_from_db()
    assert unpack(campaign.document) == encode(seen.after)


def test_a_ruling_stands_in_the_journal_with_its_reason(campaign: Campaign, people: People) -> None:
    entry = rulings.rule(campaign.pk, people.umpire, removing(campaign, somebody(campaign)))
    assert entry.actor == "umpire:umpire"
    action = serialization.action_of(entry)
    assert isinstance(action, Ruled)
    assert action.reason == "Counted twice."


@pytest.mark.parametrize("who", ["egyptian", "mahdist", "spectator", "stranger"])
def test_nobody_but_an_umpire_rules(campaign: Campaign, people: People, who: str) -> None:
    ruling = removing(campaign, somebody(campaign))
    with pytest.raises(errors.NotAllowed):
        rulings.rule(campaign.pk, getattr(people, who), ruling)
    with pytest.raises(errors.NotAllowed):
        rulings.preview(campaign, getattr(people, who), ruling)


def test_an_impossible_result_is_refused_with_its_clause(
    campaign: Campaign, people: People
) -> None:
    state = selectors.state_now(campaign)
    boat = next(unit for unit in state.units.values() if unit.kind == "gunboat")
    ruling = Ruled("On wheels.", ruling_events.move(state, [boat.id], HexId(641)))
    with pytest.raises(IllegalAction, match="dry land") as refused:
        rulings.rule(campaign.pk, people.umpire, ruling)
    assert refused.value.clause == "8.23"
    assert campaign.entries.count() == 0


def test_a_ruling_on_a_position_that_has_gone_is_refused(
    campaign: Campaign, people: People
) -> None:
    first = somebody(campaign)
    rulings.rule(campaign.pk, people.umpire, removing(campaign, first), expected_head=0)
    campaign.refresh_from_db()
    with pytest.raises(journal.Stale, match="nothing was ruled"):
        rulings.rule(
            campaign.pk, people.umpire, removing(campaign, somebody(campaign)), expected_head=0
        )


def test_nothing_is_ruled_under_a_running_job(campaign: Campaign, people: People) -> None:
    advance_jobs.book_advance(campaign.pk)
    with pytest.raises(errors.UnderWay):
        rulings.rule(campaign.pk, people.umpire, removing(campaign, somebody(campaign)))


def test_a_die_for_a_ruling_comes_from_the_sealed_dice(campaign: Campaign, people: People) -> None:
    ruling = Ruled("Does the letter get through?", toss=Toss(1))
    entry = rulings.rule(campaign.pk, people.umpire, ruling)
    (roll,) = serialization.rolls_of(entry)
    assert not roll.by_hand
    assert 1 <= roll.dice[0] <= 6


def test_a_die_for_a_ruling_may_be_thrown_by_hand(campaign: Campaign, people: People) -> None:
    ruling = Ruled("Does the letter get through?", toss=Toss(2))
    entry = rulings.rule(campaign.pk, people.umpire, ruling, faces=(2, 5))
    (roll,) = serialization.rolls_of(entry)
    assert (roll.dice, roll.by_hand) == ((2, 5), True)


@pytest.mark.parametrize("faces", [(2,), (2, 7)])
def test_dice_of_a_ruling_that_cannot_be_are_refused(
    campaign: Campaign, people: People, faces: tuple[int, ...]
) -> None:
    with pytest.raises(errors.UnfitRequest, match="Type in what the dice showed"):
        rulings.rule(campaign.pk, people.umpire, Ruled("Why?", toss=Toss(2)), faces=faces)


def test_the_umpire_ends_a_campaign_and_rules_no_more(campaign: Campaign, people: People) -> None:
    state = selectors.state_now(campaign)
    ruling = Ruled("Conceded.", ruling_events.end(state, Side.MAHDIST, "Conceded."))
    rulings.rule(campaign.pk, people.umpire, ruling)
    campaign.refresh_from_db()
    assert campaign.finished
    assert "Conceded" in campaign.outcome
    with pytest.raises(errors.CampaignOver):
        rulings.preview(campaign, people.umpire, ruling)


def test_replay_proof_and_file_take_rulings(played: Campaign, people: People) -> None:
    rulings.rule(played.pk, people.umpire, removing(played, somebody(played)))
    rulings.rule(played.pk, people.umpire, Ruled("A letter.", toss=Toss(1)))
    rulings.rule(played.pk, people.umpire, Ruled("Another.", toss=Toss(1)), faces=(4,))
    on = advance.run_month(played.pk, until=played.month + 1)
    audit.replay_check(on)
    audit.verify_dice(on)
    file = BytesIO()
    archive.export_campaign(on, file, with_secret=True)
    file.seek(0)
    copy = archive.import_campaign(file, slug="copy", umpire=people.umpire)
    assert audit.replay_check(copy) == audit.replay_check(on)
    assert copy.document_hash == on.document_hash
