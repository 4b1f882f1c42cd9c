"""Campaigns that older programs have played: what this one makes of them, and what is chosen."""

from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from battles import journal
from battles.core.decoding import encode
from campaign import serialization
from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services import errors
from campaign.services.journal.rules_edition import OtherRules, is_settled
from campaign.services.transfer import archive
from campaign.services.turns import advance, advance_jobs
from campaign.services.umpire import rules_version
from tests.people import gather

FILES = Path(__file__).parent / "files"
OTHERWISE = "first-day.zip"
"""Played by the program of the first day, whose march table was thrown for in another way."""
THE_SAME = "of-version-0.zip"
"""Played by a program of version 0 of the rules that differed in its number alone."""
OLD = "0"


def brought_in(name: str, **how) -> Campaign:
    with (FILES / name).open("rb") as file:
        return archive.import_campaign(file, **how)


@pytest.mark.django_db
@pytest.mark.parametrize("name", [OTHERWISE, THE_SAME])
def test_documents_of_older_programs_are_read_and_give_the_state_they_gave_then(name):
    campaign = brought_in(name)
    assert campaign.rules == OLD
    assert serialization.state_of(campaign.document, campaign.document_hash).rules == OLD
    assert not is_settled(campaign)


@pytest.mark.django_db
def test_every_campaign_is_replayed_and_the_first_entry_that_differs_is_named():
    brought_in(OTHERWISE, slug="otherwise")
    brought_in(THE_SAME, slug="same")
    said = StringIO()
    with pytest.raises(CommandError, match="program: 1 of 2"):
        call_command("validate_campaigns", stdout=said)
    one, other = said.getvalue().splitlines()
    assert one.startswith("otherwise (rules 0): The first that differs")
    assert "is entry 2 of branch 0" in one
    assert other.startswith("same (rules 0)")
    assert other.endswith("all as written.")


@pytest.mark.django_db(transaction=True)
def test_a_campaign_of_other_rules_waits_for_its_umpire():
    campaign = brought_in(THE_SAME, umpire=gather().umpire)
    with pytest.raises(OtherRules, match="kept on its version, migrated, or pinned"):
        advance_jobs.book_advance(campaign.pk)
    with pytest.raises(OtherRules, match="nothing is lost"):
        advance.run_month(campaign.pk, until=campaign.month + 1)


@pytest.mark.django_db(transaction=True)
def test_a_campaign_that_comes_out_the_same_is_kept_on_its_version_and_goes_on_by_it():
    umpire = gather().umpire
    campaign = brought_in(THE_SAME, umpire=umpire)
    rules_version.choose(
        campaign.pk, umpire, rules_version.MigrationChoice.KEEP, reason="It began by these."
    )
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    assert set(campaign.entries.values_list("rules", flat=True)) == {OLD}
    assert rules_version.check_replay(campaign).same
    assert campaign.umpire_log.filter(said__contains="Kept on version 0").exists()


@pytest.mark.django_db(transaction=True)
def test_a_campaign_that_differs_is_migrated_and_only_what_comes_is_by_the_new_rules():
    umpire = gather().umpire
    campaign = brought_in(OTHERWISE, umpire=umpire)
    assert not rules_version.check_replay(campaign).same
    with pytest.raises(errors.UnfitRequest, match="entry 2 of branch 0"):
        rules_version.choose(
            campaign.pk, umpire, rules_version.MigrationChoice.KEEP, reason="It began by these."
        )
    rules_version.choose(
        campaign.pk, umpire, rules_version.MigrationChoice.MIGRATE, reason="We all agree."
    )
    before = campaign.entries.count()
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    newer = campaign.entries.filter(number__gt=before)
    assert set(newer.values_list("rules", flat=True)) == {RULES}
    assert rules_version.check_replay(campaign).same


@pytest.mark.django_db(transaction=True)
def test_a_pinned_campaign_is_left_to_programs_of_its_version():
    umpire = gather().umpire
    campaign = brought_in(OTHERWISE, umpire=umpire)
    campaign = rules_version.choose(
        campaign.pk, umpire, rules_version.MigrationChoice.PIN, reason="Until its end."
    )
    assert is_settled(campaign)
    with pytest.raises(OtherRules, match="pinned"):
        advance.run_month(campaign.pk, until=campaign.month + 1)


@pytest.mark.django_db(transaction=True)
def test_who_is_no_umpire_chooses_nothing():
    people = gather()
    campaign = brought_in(OTHERWISE, umpire=people.umpire)
    with pytest.raises(errors.NotAllowed):
        rules_version.choose(
            campaign.pk, people.egyptian, rules_version.MigrationChoice.MIGRATE, reason="I like it."
        )


@pytest.mark.django_db
def test_the_umpire_sees_the_difference_on_a_page_and_chooses_there():
    umpire = gather().umpire
    campaign = brought_in(OTHERWISE, umpire=umpire)
    asked = Client()
    asked.force_login(umpire)
    console = asked.get(f"/campaigns/{campaign.slug}/console/").text
    assert "choose how it goes on" in console
    address = f"/campaigns/{campaign.slug}/console/version/"
    page = asked.get(address).text
    assert "entry 2 of branch 0" in page
    assert 'value="keep"' not in page
    refused = asked.post(address, {"way": "keep", "reason": "It began by these."})
    assert "cannot be kept on its version here" in refused.text
    assert asked.post(address, {"way": "migrate", "reason": "Agreed."}).status_code == 302
    campaign.refresh_from_db()
    assert campaign.rules == RULES
    assert "choose how it goes on" not in asked.get(f"/campaigns/{campaign.slug}/console/").text


@pytest.mark.django_db
def test_the_keeper_chooses_from_the_command_line():
    campaign = brought_in(OTHERWISE, slug="war")
    said = StringIO()
    call_command("rules", "war", "pin", stdout=said)
    assert "is played by version 0 of the rules, pinned" in said.getvalue()
    campaign.refresh_from_db()
    assert campaign.rules_pinned


@pytest.mark.django_db
def test_states_of_an_older_version_are_brought_up_to_date_and_fit_their_journal(monkeypatch):
    """As the next program will find them, whose documents count one further."""
    campaign = brought_in(THE_SAME)
    monkeypatch.setattr(serialization, "VERSION", 2)
    monkeypatch.setattr(
        serialization, "UPGRADES", {1: lambda fields: fields | {"called": ["a levy"]}}
    )
    state = serialization.state_of(campaign.document, campaign.document_hash)
    assert (state.version, state.called) == (2, ["a levy"])


@pytest.mark.django_db
def test_a_state_of_an_older_version_is_upgraded_even_if_this_program_cannot_read_it(monkeypatch):
    """As the next program will find it that has renamed a field."""
    campaign = brought_in(THE_SAME)
    fields = msgspec.json.decode(journal.unpack(campaign.document))
    fields["holders"] = fields.pop("control")

    def renamed(older: dict[str, Any]) -> dict[str, Any]:
        return {**older, "control": older["holders"]}

    monkeypatch.setattr(serialization, "VERSION", 2)
    monkeypatch.setattr(serialization, "UPGRADES", {1: renamed})
    state = serialization.state_in(encode(fields))
    assert state.version == 2
    assert state.control


@pytest.mark.django_db
def test_a_state_of_a_newer_version_is_refused_as_newer_whatever_is_in_it():
    campaign = brought_in(THE_SAME)
    fields = msgspec.json.decode(journal.unpack(campaign.document))
    newer = encode({**fields, "version": 2, "phase": "forage"})
    with pytest.raises(errors.Damaged, match="version 2 is newer than this program’s 1: update it"):
        serialization.state_in(newer)


@pytest.mark.django_db
def test_a_wrong_field_of_a_state_is_named():
    campaign = brought_in(THE_SAME)
    fields = msgspec.json.decode(journal.unpack(campaign.document))
    with pytest.raises(errors.Damaged, match=r"'forage' - at `\$.phase`"):
        serialization.state_in(encode({**fields, "phase": "forage"}))
