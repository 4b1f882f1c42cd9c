"""Battles are written once, whole, and known by their brief."""

from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles import journal, serialization, services
from battles.contract import Fate, Report, Side, Unfit
from battles.core.decoding import encode
from battles.models import Battle, BattleEntry
from battles.services import Damaged, Refused
from battles.signals import battle_reported
from tests.battles_web.field import BOOK, KEY, fought_out, small_brief

OWNER = "person:0"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The battles of which their owner has been told, in order."""
    heard: list[Battle] = []

    def hear(battle: Battle, **_more: object) -> None:
        heard.append(battle)

    battle_reported.connect(hear, weak=False)
    yield heard
    battle_reported.disconnect(hear)


def good(winner: Side | None = None) -> Report:
    brief = small_brief()
    fates = {one.id: Fate.GOOD for one in brief.troops()}
    return Report(brief.id, "tabletop", fates, winner, "It was decided.", 4)


def test_a_battle_fought_out_has_report_state_key_and_entries(battle: Battle) -> None:
    report = serialization.report_of(battle)
    assert report is not None
    assert battle.reported
    assert (battle.winner, battle.turns) == (report.winner or "", report.turns)
    assert bytes(battle.key) == KEY
    assert serialization.state_of(battle).result is not None
    assert battle.entries.count() > report.turns


def test_its_entries_follow_one_another(battle: Battle) -> None:
    entries = list(battle.entries.all())
    last = [*journal.verify(entries)][-1]
    assert battle.head is not None
    assert last == (battle.head.number, battle.head.hash)
    assert entries[0].turn == 0
    assert [one.turn for one in entries] == sorted(one.turn for one in entries)


def test_its_events_alone_lead_from_the_beginning_to_the_end(battle: Battle) -> None:
    engine = serialization.engine_of(battle)
    state = serialization.beginning_of(battle)
    for entry in battle.entries.all():
        engine.fold(state, serialization.events_of(entry, engine))
    assert encode(state) == journal.unpack(battle.document)


def test_the_same_battle_asked_for_twice_is_one(db: None) -> None:
    first, again = fought_out(), fought_out()
    assert first.pk == again.pk
    assert Battle.objects.count() == 1
    assert BattleEntry.objects.count() == first.entries.count()


def test_the_entries_are_written_in_few_statements(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        battle = fought_out()
    written = [one for one in queries if "INSERT INTO" in one["sql"].upper()]
    assert len(written) < battle.entries.count() / 4


def test_its_owner_is_told_once_it_is_written(
    db: None, told: list[Battle], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks() as waiting:
        battle = fought_out()
    assert told == []
    for callback in waiting:
        callback()
    assert told == [battle]


def test_its_owner_is_told_again_when_it_is_asked_for_again(
    db: None, told: list[Battle], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        fought_out()
        fought_out()
    assert len(told) == 2


def test_another_battle_cannot_take_the_number_of_one(battle: Battle) -> None:
    other = msgspec.structs.replace(small_brief(), title="Another battle")
    with pytest.raises(Refused, match="another battle under the number a-battle"):
        services.record(battle.owner, other, BOOK, KEY)


def test_two_owners_may_have_battles_of_one_number(battle: Battle) -> None:
    other = fought_out("person:99")
    assert other.pk != battle.pk


def test_a_battle_that_waits_is_fought_out_later(db: None) -> None:
    waiting = services.create_waiting_battle(OWNER, small_brief(), BOOK)
    assert serialization.report_of(waiting) is None
    fought = services.record(OWNER, small_brief(), BOOK, KEY)
    assert fought.pk == waiting.pk
    assert fought.way == Battle.Way.COMMANDERS
    assert serialization.report_of(fought) is not None


def test_a_report_from_a_table_stands_without_entries(db: None) -> None:
    battle = services.record_table_report(OWNER, small_brief(), good(Side.EGYPTIAN))
    assert battle.way == Battle.Way.TABLETOP
    assert battle.winner == "egyptian"
    assert battle.entries.count() == 0
    assert services.record_table_report(OWNER, small_brief(), good(Side.EGYPTIAN)).pk == battle.pk


def test_another_report_of_the_same_battle_is_refused(db: None) -> None:
    services.record_table_report(OWNER, small_brief(), good(Side.EGYPTIAN))
    with pytest.raises(Refused, match="already been reported with another result"):
        services.record_table_report(OWNER, small_brief(), good(Side.MAHDIST))


def test_a_report_that_does_not_add_up_is_not_written(db: None) -> None:
    short = msgspec.structs.replace(good(), fates={1: Fate.GOOD})
    with pytest.raises(Unfit, match="Nothing is said of"):
        services.record_table_report(OWNER, small_brief(), short)
    assert not Battle.objects.exists()


def test_a_battle_that_was_fought_at_a_table_is_not_fought_out_again(db: None) -> None:
    services.record_table_report(OWNER, small_brief(), good(Side.EGYPTIAN))
    battle = services.record(OWNER, small_brief(), BOOK, KEY)
    assert battle.way == Battle.Way.TABLETOP
    assert battle.head_id is None


def test_only_a_battle_that_waits_is_called_off(battle: Battle) -> None:
    services.create_waiting_battle(OWNER, small_brief("another"), BOOK)
    assert services.call_off(OWNER, "another")
    assert not services.call_off(OWNER, "another")
    assert not services.call_off(battle.owner, battle.brief_id)
    assert Battle.objects.get() == battle


def test_a_battle_fought_again_from_its_key_is_the_same(battle: Battle) -> None:
    proof = services.verify_battle(battle)
    rolls = [roll for entry in battle.entries.all() for roll in serialization.rolls_of(entry)]
    assert proof == (battle.entries.count(), len(rolls), sum(len(roll.dice) for roll in rolls))


def test_a_die_that_was_changed_is_found(battle: Battle) -> None:
    entry = next(one for one in battle.entries.all() if serialization.rolls_of(one))
    roll, *rest = serialization.rolls_of(entry)
    forged = msgspec.structs.replace(roll, dice=tuple(7 - face for face in roll.dice))
    entry.rolls = journal.pack(encode((forged, *rest)))
    entry.hash = journal.hash_of(entry)
    entry.save()
    with pytest.raises(Damaged, match=f"Entry {entry.number}"):
        services.verify_battle(battle)


def test_a_document_that_was_changed_is_not_read(battle: Battle) -> None:
    battle.document = journal.pack(journal.unpack(battle.document).replace(b"Nowhere", b"Anywhere"))
    with pytest.raises(Damaged, match="its hash does not match"):
        serialization.state_of(battle)
