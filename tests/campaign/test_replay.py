"""The journal tells what it should, and the rules at hand still tell the same."""

import pytest
from msgspec.structs import replace

from battles import journal
from battles.core.decoding import digest, encode
from battles.core.game import Step
from battles.journal import Damaged, pack
from campaign import serialization
from campaign.access import selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import Halt
from campaign.rules.core.events import Moved
from campaign.services.journal import audit
from campaign.services.turns import advance


def rewritten(campaign: Campaign, entry: Entry) -> None:
    """Keep the changed entry with hashes that fit, as somebody would who knows the program."""
    at = journal.JournalPosition(entry.number - 1, entry.parent)
    for each in [entry, *campaign.entries.filter(number__gt=entry.number)]:
        journal.follow(at, each).save()
        at = journal.JournalPosition(each.number, each.hash)


def moves(campaign: Campaign) -> Entry:
    """Return an entry of the first month in which a stack moves."""
    return next(
        entry
        for entry in campaign.entries.filter(month=campaign.first_month)
        if any(isinstance(event, Moved) for event in serialization.events_of(entry))
    )


def test_a_campaign_replays_from_its_journal(played: Campaign) -> None:
    found = audit.replay_check(played)
    assert (found.branches, found.entries) == (1, played.entries.count())
    assert found.events > found.entries
    assert found.dice > 0


def test_a_campaign_that_has_just_begun_replays(campaign: Campaign) -> None:
    assert audit.replay_check(campaign).entries == 0


def test_a_campaign_that_goes_on_while_it_is_checked_is_whole(played: Campaign) -> None:
    as_read = Campaign.objects.get(pk=played.pk)
    advance.run_phase(played.pk)
    assert Campaign.objects.get(pk=played.pk).head_id != as_read.head_id
    entries = audit.replay_check(as_read).entries
    assert entries < audit.replay_check(Campaign.objects.get(pk=played.pk)).entries


def test_a_changed_event_is_found_by_its_hash(played: Campaign) -> None:
    entry = moves(played)
    entry.events = pack(encode(serialization.events_of(entry)[:-1]))
    entry.save()
    with pytest.raises(Damaged, match=f"Entry {entry.number} of branch 0 has been altered"):
        audit.replay_check(played)


def test_a_beginning_that_makes_no_sense_is_told_in_words(played: Campaign) -> None:
    first = played.snapshots.get(entry=None)
    state = serialization.state_of(first.document)
    state.agenda = [Step(step.name, ("nobody",)) for step in state.agenda]
    first.document, first.document_hash = pack(encode(state)), digest(encode(state))
    first.save()
    with pytest.raises(audit.ReplayDiffers, match=r"entry 1 of branch 0 .*cannot be carried out"):
        audit.replay_check(played)


def test_a_changed_event_with_new_hashes_is_found_by_what_it_leads_to(played: Campaign) -> None:
    entry = moves(played)
    events = [
        replace(event, cost=event.cost + 1) if isinstance(event, Moved) else event
        for event in serialization.events_of(entry)
    ]
    entry.events = pack(encode(events))
    rewritten(played, entry)
    with pytest.raises(audit.ReplayDiffers, match=f"entry {entry.number} of branch 0 .*event"):
        audit.replay_check(played)


def test_a_changed_action_is_named(played: Campaign) -> None:
    entry = moves(played)
    entry.action = pack(encode(Halt()))
    rewritten(played, entry)
    with pytest.raises(audit.ReplayDiffers, match=f"entry {entry.number} of branch 0"):
        audit.replay_check(played)


@pytest.mark.parametrize("place", [99, -1])
def test_an_event_that_names_dice_its_entry_has_not_is_found(played: Campaign, place: int) -> None:
    entry = moves(played)
    first, *others = serialization.events_of(entry)
    entry.events = pack(encode([replace(first, rolls=(place,)), *others]))
    rewritten(played, entry)
    with pytest.raises(Damaged, match="name dice that it has not"):
        audit.replay_check(played)


def test_a_changed_head_is_found(played: Campaign) -> None:
    state = selectors.state_now(played)
    state.flags.append("a flag nobody raised")
    played.document = pack(encode(state))
    played.document_hash = digest(encode(state))
    played.save()
    with pytest.raises(Damaged, match="do not give the state that is stored as the present one"):
        audit.replay_check(played)


def test_a_head_that_is_not_its_hash_is_found(played: Campaign) -> None:
    played.document_hash = "0" * 64
    played.save()
    with pytest.raises(Damaged, match="its hash does not match"):
        selectors.state_now(played)


def test_a_changed_snapshot_is_found(played: Campaign) -> None:
    kept = played.snapshots.get(month=played.month)
    state = serialization.state_of(kept.document)
    state.flags.append("a flag nobody raised")
    kept.document, kept.document_hash = pack(encode(state)), digest(encode(state))
    kept.save()
    with pytest.raises(Damaged, match="kept for the beginning of April 1884"):
        audit.replay_check(played)


def test_a_missing_entry_is_found(played: Campaign) -> None:
    played.entries.get(number=4).delete()
    with pytest.raises(Damaged, match="Entry 5 of branch 0 stands where entry 4 should"):
        audit.replay_check(played)
