"""A whole campaign as one file, out and in again; what is damaged is named and not kept."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from battles.core.decoding import digest, encode
from battles.journal import Refused, unpack
from campaign.access import journal_events, selectors
from campaign.models import Campaign
from campaign.services import battle_reports, errors
from campaign.services.journal import audit, campaign_session, creation
from campaign.services.transfer import bundle
from campaign.services.transfer.archive import Crash, export_campaign, import_campaign, import_crash
from campaign.services.turns import advance
from campaign.staff import answer
from tests.campaign.battlefield import result


def exported(campaign: Campaign, *, with_secret: bool = False) -> io.BytesIO:
    file = io.BytesIO()
    export_campaign(campaign, file, with_secret=with_secret)
    return file


def parts_of(file: io.BytesIO) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: dict[str, bytes]) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file


def changed(file: io.BytesIO, change: Callable[[Any], None]) -> io.BytesIO:
    """Return the file with another manifest, whose hashes fit."""
    parts = parts_of(file)
    manifest = json.loads(parts[bundle.MANIFEST])
    change(manifest)
    return zipped(parts | {bundle.MANIFEST: json.dumps(manifest).encode()})


def with_entries(file: io.BytesIO, change: Callable[[list[Any]], None]) -> io.BytesIO:
    """Return the file with other entries, and the manifest's hash of them put right."""
    parts = parts_of(file)
    entries = [json.loads(line) for line in parts[bundle.ENTRIES].splitlines()]
    change(entries)
    lines = b"".join(json.dumps(entry, separators=(",", ":")).encode() + b"\n" for entry in entries)
    manifest = json.loads(parts[bundle.MANIFEST])
    manifest["sha256"][bundle.ENTRIES] = digest(lines)
    parts |= {bundle.ENTRIES: lines, bundle.MANIFEST: json.dumps(manifest).encode()}
    return zipped(parts)


def journal_of(campaign: Campaign) -> list[tuple[object, ...]]:
    rows = campaign.entries.order_by("branch", "number").values_list(
        "branch", "number", "hash", "actor", "month", "side", "key", "created"
    )
    return list(rows)


@pytest.fixture
def branched(played: Campaign) -> Campaign:
    """Two months, a branch from the middle of the first, and an action with a key on it."""
    entry = played.entries.get(number=6)
    creation.branch_from(played.pk, entry, reason="A slip.", by="umpire:umpire")
    advance.run_month(played.pk, until=played.first_month + 1)
    played.refresh_from_db()
    return played


def test_everything_comes_back_in_an_empty_database(branched: Campaign) -> None:
    action = answer(selectors.state_now(branched))
    campaign_session.perform(branched.pk, "player:egyptian", action, key="once")
    branched.refresh_from_db()
    file = exported(branched, with_secret=True)
    journal, document = journal_of(branched), unpack(branched.document)
    seals, slug = journal_events.seals_of(branched), branched.slug
    branched.delete()
    assert Campaign.objects.count() == 0
    back = import_campaign(file)
    assert back.slug == slug
    assert journal_of(back) == journal
    assert unpack(back.document) == document
    assert journal_events.seals_of(back) == seals
    assert back.branches.get(number=1).reason == "A slip."
    assert audit.replay_check(back).branches == 2
    assert audit.verify_dice(back).sealed_entries == 1


def test_with_its_secret_a_campaign_throws_the_same_dice(played: Campaign) -> None:
    file = exported(played, with_secret=True)
    copy = import_campaign(file, slug="copy")
    one = advance.run_month(played.pk, until=played.month + 1)
    two = advance.run_month(copy.pk, until=played.month + 1)
    assert journal_hashes(one) == journal_hashes(two)


def journal_hashes(campaign: Campaign) -> list[str]:
    return list(campaign.entries.order_by("number").values_list("hash", flat=True))


def test_without_its_secret_it_goes_on_as_a_branch_with_a_chain_of_its_own(
    played: Campaign,
) -> None:
    copy = import_campaign(exported(played), slug="copy")
    branch = copy.branches.get(number=1)
    assert copy.branch == 1
    assert "without its secret" in branch.reason
    assert bytes(copy.secret_seed) != bytes(played.secret_seed)
    assert copy.public_anchor == played.public_anchor
    on = advance.run_month(copy.pk, until=copy.month + 1)
    assert audit.verify_dice(on).months == 3
    assert audit.replay_check(on).branches == 2


def test_a_campaign_that_came_without_its_secret_is_exported_with_a_secret_of_its_own(
    played: Campaign,
) -> None:
    """So it is kept when it is deleted, and by a backup."""
    copy = import_campaign(exported(played), slug="copy")
    again = import_campaign(exported(copy, with_secret=True), slug="again")
    assert again.branch == copy.branch
    assert bytes(again.secret_seed) == bytes(copy.secret_seed)
    on = advance.run_month(again.pk, until=again.month + 1)
    assert audit.verify_dice(on).months == 3


def test_so_is_one_that_was_over_when_it_came(played: Campaign) -> None:
    over = advance.run_month(played.pk, until=played.month + 60)
    copy = import_campaign(exported(over), slug="copy")
    again = import_campaign(exported(copy, with_secret=True), slug="again")
    assert (again.finished, again.branch) == (True, 0)
    creation.branch_from(again.pk, again.entries.get(number=6), reason="Once more.", by="umpire:u")
    on = advance.run_month(again.pk, until=again.first_month + 1)
    assert audit.verify_dice(on).months
    assert audit.replay_check(on).branches == 2


def test_a_file_without_secret_tells_neither_seed_nor_open_salts(played: Campaign) -> None:
    text = parts_of(exported(played))[bundle.MANIFEST].decode()
    open_seal = played.seals.get(month=played.month)
    assert bytes(played.secret_seed).hex() not in text
    assert open_seal.commitments["egyptian"] in text
    assert open_seal.salts["egyptian"] not in text


def test_a_finished_campaign_stays_finished(played: Campaign) -> None:
    over = advance.run_month(played.pk, until=played.month + 60)
    copy = import_campaign(exported(over), slug="copy")
    assert (copy.finished, copy.outcome, copy.branch) == (True, over.outcome, 0)


def test_a_campaign_that_has_just_begun_comes_back(campaign: Campaign) -> None:
    copy = import_campaign(exported(campaign), slug="copy")
    assert (copy.head, copy.branch) == (None, 1)
    assert advance.run_month(copy.pk, until=copy.month + 1).month == campaign.month + 1


def test_no_campaign_is_overwritten(played: Campaign) -> None:
    before = journal_of(played)
    with pytest.raises(errors.UnfitRequest, match="already; choose another short name"):
        import_campaign(exported(played), slug=played.slug)
    assert Campaign.objects.count() == 1
    assert import_campaign(exported(played)).slug == f"{played.slug}-2"
    assert journal_of(played) == before


DAMAGES: dict[str, tuple[Callable[[Any], None], str]] = {
    "another format": (lambda m: m.update(format=99), "format 99"),
    "a format before": (lambda m: m.update(format=3), "of format 3, this program reads 4"),
    "a field too many": (lambda m: m.update(more=1), "unknown field"),
    "a field of another type": (lambda m: m.update(first_month="May"), "first_month"),
    "another scenario": (lambda m: m.update(scenario="omdurman"), "no scenario 'omdurman'"),
    "the other scenario": (
        lambda m: m.update(scenario="relief-of-el-obeid"),
        "beginning of another campaign",
    ),
    "another head": (lambda m: m.update(head=[0, 3]), "not the last entry"),
    "a head that is not there": (lambda m: m.update(head=[0, 9999]), "Entry 9999 of branch 0"),
    "another state": (lambda m: m.update(document_hash="0" * 64), "do not give the state"),
    "another anchor": (lambda m: m.update(anchor="0" * 64), "anchor"),
    "no branch": (lambda m: m.update(branches=[]), "branch"),
    "an unknown branch": (lambda m: m.update(branch=7), "Branch 7, where"),
    "another secret": (lambda m: m.update(seed="0" * 64), "does not belong"),
    "no seals": (lambda m: m.update(seals=[]), "never sealed"),
    "a link changed": (lambda m: m["seals"][0].update(link="0" * 64), "does not lead"),
    "a salt changed": (lambda m: m["seals"][0]["salts"].update(mahdist="00"), "mahdist salt"),
    "a seal of no branch": (lambda m: m["seals"][0].update(branch=1000), "no such branch"),
    "salts lost": (lambda m: m["seals"][0].update(salts={}), "not whole"),
    "a month no chain reaches": (lambda m: m["seals"][0].update(month=999_999), "be checked"),
    "a link lost": (lambda m: m["seals"][0].update(link=None), "cannot be checked"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_manifest_is_refused_by_name(played: Campaign, name: str) -> None:
    change, told = DAMAGES[name]
    refused(changed(exported(played, with_secret=True), change), told)


def refused(file: io.BytesIO, told: str) -> None:
    there = Campaign.objects.count()
    with pytest.raises(Refused, match=told):
        import_campaign(file, slug="copy")
    assert Campaign.objects.count() == there


def _cut(entries: list[Any]) -> None:
    del entries[4]


def _lie(entries: list[Any]) -> None:
    entries[4]["actor"] = "umpire:another"


def _elsewhere(entries: list[Any]) -> None:
    entries[-1]["branch"] = 5


def _twice(entries: list[Any]) -> None:
    entries.append(entries[-1])


def _unreadable(entries: list[Any]) -> None:
    entries[4]["number"] = -1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_cut, "Entry 6 of branch 0 stands where entry 5 should"),
        (_lie, "Entry 5 of branch 0 has been altered"),
        (_elsewhere, "on a branch that is not in it"),
        (_twice, "do not fit together"),
        (_unreadable, "entries.jsonl, line 5"),
    ],
)
def test_damaged_entries_are_refused_by_number(
    played: Campaign, change: Callable[[list[Any]], None], told: str
) -> None:
    refused(with_entries(exported(played), change), told)


@pytest.mark.parametrize("name", [bundle.MANIFEST, bundle.START, bundle.ENTRIES])
def test_a_missing_part_is_named(played: Campaign, name: str) -> None:
    parts = parts_of(exported(played))
    del parts[name]
    refused(zipped(parts), f"{name} is missing")


@pytest.mark.parametrize("name", [bundle.START, bundle.ENTRIES])
def test_a_part_that_was_changed_is_named(played: Campaign, name: str) -> None:
    parts = parts_of(exported(played))
    refused(zipped(parts | {name: parts[name] + b" "}), f"{name} in the file has been altered")


@pytest.mark.parametrize("name", [bundle.MANIFEST, bundle.START])
def test_a_bomb_is_not_unpacked(played: Campaign, name: str) -> None:
    parts = parts_of(exported(played))
    huge = b" " * (bundle.LARGEST_PARTS[name] + 1)
    file = zipped(parts | {name: huge})
    assert len(file.getvalue()) < 100_000
    refused(file, f"{name} in the file is larger")


def test_a_file_cut_short_is_refused(played: Campaign) -> None:
    data = exported(played).getvalue()
    refused(io.BytesIO(data[: len(data) // 2]), "not whole")


def test_a_byte_changed_anywhere_is_refused_or_harmless(played: Campaign) -> None:
    """A zip has bytes that mean nothing (dates); what comes in is right, or refused in words."""
    data = exported(played).getvalue()
    for place in range(0, len(data), max(1, len(data) // 40)):
        hurt = bytearray(data)
        hurt[place] ^= 0xFF
        try:
            copy = import_campaign(io.BytesIO(hurt), slug=f"copy-{place}")
        except Refused:
            continue
        assert journal_hashes(copy) == journal_hashes(played)


def test_what_is_no_zip_is_refused(campaign: Campaign) -> None:
    refused(io.BytesIO(b"no zip at all"), "no campaign file")


def test_a_crash_at_a_battle_is_taken_in_with_its_battle(by_hand: Campaign) -> None:
    """The campaign has no journal in which the attacks of the month could be counted."""
    state = encode(selectors.state_now(by_hand))
    crash = Crash(by_hand.scenario, 81, 60, "boom", msgspec.Raw(state), msgspec.Raw(b"null"))
    taken_in = import_crash(encode(crash))
    assert taken_in.battle == by_hand.battle
    assert taken_in.battle_title == by_hand.battle_title
    battle_reports.report_battle(taken_in.pk, "tabletop", result(taken_in))
    taken_in.refresh_from_db()
    assert taken_in.battle == ""
