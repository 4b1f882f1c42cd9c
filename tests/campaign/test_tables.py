"""Sets of tables of one's own: kept word for word, played by, carried from server to server."""

import io
import zipfile
from typing import Any

import pytest

from battles import journal
from battles.core.decoding import digest, encode
from battles.core.tables import TableError
from campaign import serialization
from campaign.access import selectors
from campaign.models import Campaign, OwnTables, TableSet
from campaign.rules.core.board import laws, scenario_of
from campaign.rules.tables import editions
from campaign.rules.tables.editions import shipped_edition
from campaign.services import errors
from campaign.services.journal import audit, creation, rules_edition
from campaign.services.journal.rules_edition import MOST_OF_ONE
from campaign.services.transfer import bundle
from campaign.services.transfer.archive import export_campaign, import_campaign
from campaign.services.turns import advance
from tests.own_tables import NO_MARCH, SIEGE, halted, text
from tests.people import People


def own_set(people: People, **texts: str) -> OwnTables:
    return rules_edition.name_tables(people.umpire, "Halted", texts or {"march": halted()})


def begin(own: OwnTables | None, months: int = 0) -> Campaign:
    tables = own.tables if own else None
    campaign = creation.create_campaign(creation.NewCampaignTerms(SIEGE, tables=tables))
    return advance.run_month(campaign.pk, until=campaign.month + months)


def marches(campaign: Campaign) -> set[str]:
    rolls = [roll for entry in campaign.entries.all() for roll in serialization.rolls_of(entry)]
    return {roll.result for roll in rolls if roll.reason == "March"}


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that forgets all editions but the shipped one, as in a new process."""
    return lambda: monkeypatch.setattr(editions, "_known", {})


def test_8_31_a_month_is_marched_by_the_campaigns_own_table(people: People) -> None:
    assert marches(begin(own_set(people), months=1)) == {NO_MARCH}
    assert marches(begin(None, months=1)) > {"march"}


def test_a_campaign_keeps_its_tables_in_another_process(people: People, forgetful: Any) -> None:
    own = own_set(people)
    campaign = begin(own, months=1)
    forgetful()
    state = selectors.state_now(Campaign.objects.get(pk=campaign.pk))
    assert state.edition == own.tables.digest
    assert laws(state).toml("march") == halted()
    forgetful()
    on = advance.run_month(campaign.pk, until=campaign.month + 1)
    assert marches(on) == {NO_MARCH}
    assert audit.replay_check(on).entries == on.entries.count()
    assert audit.verify_dice(on).months == 2


def test_the_shipped_texts_are_kept_too_and_once(campaign: Campaign) -> None:
    other = begin(None)
    assert campaign.tables == other.tables
    assert campaign.tables is not None
    assert serialization.texts_in(campaign.tables) == shipped_edition().texts
    assert TableSet.objects.count() == 1


def test_an_order_of_battle_of_ones_own(people: People) -> None:
    own = rules_edition.name_tables(
        people.umpire, "Two months", {SIEGE: text(SIEGE, ('end = "1885-10"', 'end = "1884-03"'))}
    )
    over = begin(own, months=6)
    assert over.finished
    assert over.month - over.first_month <= 2
    state = selectors.state_now(over)
    assert scenario_of(state).last_month == over.first_month + 1


def test_tables_that_cannot_be_played_by_are_refused_and_nothing_is_kept(people: People) -> None:
    with pytest.raises(TableError, match=r"march\.toml:27: nothing covers 3"):
        own_set(people, march=text("march", ("low = 3\nhigh = 3", "low = 4\nhigh = 4")))
    assert not TableSet.objects.exists()


@pytest.mark.parametrize(
    ("name", "texts", "told"),
    [
        ("", {"march": halted()}, "a name of 1 to 60"),
        ("x" * 61, {"march": halted()}, "a name of 1 to 60"),
        ("Nothing", {}, "Choose a file"),
        ("The same", {"march": shipped_edition().text("march")}, "Nothing in these files differs"),
        (
            "A remark",
            {"march": shipped_edition().text("march") + "# so\n"},
            "Nothing in these files",
        ),
    ],
)
def test_a_set_that_cannot_be_kept_is_refused(
    people: People, name: str, texts: dict[str, str], told: str
) -> None:
    with pytest.raises(errors.UnfitRequest, match=told):
        rules_edition.name_tables(people.umpire, name, texts)
    assert not OwnTables.objects.exists()


def test_a_name_is_given_once_by_each_owner(people: People) -> None:
    own = own_set(people)
    with pytest.raises(errors.UnfitRequest, match="already; give this one another name"):
        own_set(people)
    theirs = rules_edition.name_tables(people.egyptian, own.name, {"march": halted()})
    assert theirs.tables == own.tables


def test_nobody_keeps_sets_without_end(people: People) -> None:
    row = own_set(people).tables
    OwnTables.objects.bulk_create(
        OwnTables(owner=people.umpire, name=str(n), tables=row) for n in range(MOST_OF_ONE - 1)
    )
    with pytest.raises(errors.UnfitRequest, match="You have 100 sets already"):
        rules_edition.name_tables(people.umpire, "One more", {"march": halted()})


def test_a_set_struck_off_is_kept_by_its_campaigns(people: People, forgetful: Any) -> None:
    own = own_set(people)
    campaign = begin(own, months=1)
    rules_edition.delete_tables(people.umpire, own.pk)
    forgetful()
    assert marches(advance.run_month(campaign.pk, until=campaign.month + 1)) == {NO_MARCH}


def test_only_its_owner_strikes_a_set_off(people: People) -> None:
    own = own_set(people)
    with pytest.raises(errors.NotAllowed, match="no such set of yours"):
        rules_edition.delete_tables(people.egyptian, own.pk)
    assert OwnTables.objects.filter(pk=own.pk).exists()


def test_tables_that_are_lost_are_told(people: People, forgetful: Any) -> None:
    campaign = begin(own_set(people))
    OwnTables.objects.all().delete()
    Campaign.objects.update(tables=None)
    TableSet.objects.all().delete()
    forgetful()
    campaign.refresh_from_db()
    with pytest.raises(journal.Damaged, match="tables this campaign is played by"):
        selectors.state_now(campaign)


def test_tables_that_were_changed_where_they_are_kept_are_told(
    people: People, forgetful: Any
) -> None:
    campaign = begin(own_set(people))
    texts = {
        **serialization.texts_in(TableSet.objects.get()),
        "march": shipped_edition().text("march"),
    }
    TableSet.objects.update(texts=journal.pack(encode(texts)))
    forgetful()
    with pytest.raises(journal.Damaged, match="stored tables have been altered"):
        selectors.state_now(campaign)


def exported(campaign: Campaign) -> io.BytesIO:
    file = io.BytesIO()
    export_campaign(campaign, file)
    return file


def emptied(forgetful: Any) -> None:
    """The database of another server, in another process."""
    Campaign.objects.all().delete()
    OwnTables.objects.all().delete()
    TableSet.objects.all().delete()
    forgetful()


def test_a_campaign_carries_its_tables_with_it(people: People, forgetful: Any) -> None:
    campaign = begin(own_set(people), months=1)
    file, wanted = exported(campaign), campaign.document_hash
    emptied(forgetful)
    copy = import_campaign(file)
    assert copy.document_hash == wanted
    assert copy.tables is not None
    assert serialization.texts_in(copy.tables)["march"] == halted()
    on = advance.run_month(copy.pk, until=copy.month + 1)
    assert marches(on) == {NO_MARCH}
    audit.replay_check(on)


def with_tables(file: io.BytesIO, tables: dict[str, str] | None) -> io.BytesIO:
    """Return the file with other tables, and a manifest that agrees with them."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    old = digest(parts[bundle.TABLES]).encode()
    data = encode(tables)
    parts[bundle.TABLES] = data
    parts[bundle.MANIFEST] = parts[bundle.MANIFEST].replace(old, digest(data).encode())
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return made


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ({}, "tables this campaign is played by"),
        ({"march": shipped_edition().text("march")}, "tables this campaign is played by"),
        ({"march": "low ="}, "A table in the file has an error: march.toml:1"),
        ({"weather": ""}, "there is no table 'weather'"),
        (None, r"tables\.json in the file cannot be read"),
    ],
)
def test_a_file_with_other_tables_is_refused(
    people: People, forgetful: Any, tables: dict[str, str] | None, told: str
) -> None:
    file = exported(begin(own_set(people)))
    emptied(forgetful)
    with pytest.raises(journal.Refused, match=told):
        import_campaign(with_tables(file, tables))
    assert not Campaign.objects.exists()


def test_a_file_without_its_tables_is_refused(people: People) -> None:
    file = exported(begin(None))
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name != bundle.TABLES}
    cut = io.BytesIO()
    with zipfile.ZipFile(cut, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(errors.UnfitRequest, match=r"tables\.json is missing"):
        import_campaign(cut, slug="copy")


def test_a_named_edition_is_played_through_months(db: None, forgetful: Any) -> None:
    terms = creation.NewCampaignTerms(SIEGE, edition="harsh-desert")
    campaign = creation.create_campaign(terms)
    harsh = editions.named_edition("harsh-desert").edition
    assert campaign.tables is not None
    assert campaign.tables.digest == harsh.digest
    advance.run_month(campaign.pk, until=campaign.month + 1)
    forgetful()
    on = advance.run_month(campaign.pk, until=campaign.month + 2)
    assert selectors.state_now(on).edition == harsh.digest
    assert audit.replay_check(on).entries == on.entries.count()
    assert audit.verify_dice(on).months == 2


def test_an_edition_that_does_not_exist_is_refused(people: People) -> None:
    with pytest.raises(errors.UnfitRequest, match="no edition 'mild-desert'"):
        creation.create_campaign(creation.NewCampaignTerms(SIEGE, edition="mild-desert"))
    tables = own_set(people).tables
    with pytest.raises(errors.UnfitRequest, match="not both"):
        creation.create_campaign(
            creation.NewCampaignTerms(SIEGE, tables=tables, edition="harsh-desert")
        )
