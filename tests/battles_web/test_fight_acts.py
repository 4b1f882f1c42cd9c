"""Battles that players fight: one writer, nothing done twice, restarts, and the umpire's powers."""

import threading
from typing import Any

import pytest
from django.db import connection

from battles import access, journal, replay, serialization, services
from battles.access import person
from battles.books.redcoats.actions import Pursue
from battles.contract import Fate, Side, conserve
from battles.contract.brief_files import find_ready_battle
from battles.contract.report import BattleResult
from battles.core.decoding import encode
from battles.core.game import IllegalAction
from battles.models import Battle, BattleEntry
from battles.services import NewFight, NotYours, Refused, Stale, verify_battle
from battles.services.fights import COMPUTER, ME, OPEN
from battles.turn_form import InvalidForm
from battles.web.fight_view import FightView
from tests.battles_web.fights import (
    BOOKS,
    EL_TEB,
    advised,
    asked,
    begun,
    fight_as_drawn_up,
    player,
    step,
)
from tests.patience import PATIENCE
from tests.people import People, gather


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


@pytest.mark.parametrize("book", BOOKS)
def test_a_battle_is_fought_on_by_the_computer_after_each_action(people: People, book: str) -> None:
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER}
    battle = services.begin_fight(people.umpire, chosen.brief, NewFight(book, sides))
    for _ in range(12):
        assert asked(battle) is Side.EGYPTIAN
        place = serialization.cursor_of(fresh(battle))
        services.act(battle.pk, people.umpire, advised(battle), expected=place)
    acted = {entry.actor for entry in battle.entries.all()}
    assert acted == {"field", "player:umpire", "commander:mahdist"}


@pytest.mark.parametrize("book", BOOKS)
def test_a_battle_fought_to_its_end_is_reported_and_comes_out_the_same_again(
    people: People, book: str
) -> None:
    battle = begun(people, book)
    for _ in range(6):
        step(people, battle)
    services.finish(battle, people.umpire)
    over = fresh(battle)
    report = serialization.report_of(over)
    assert report is not None
    assert over.way == Battle.Way.PLAYERS
    proof = verify_battle(over)
    assert proof.entries == over.entries.count()
    over.entries.filter(number=4).update(rolls=journal.pack(b"[]"), events=journal.pack(b"[]"))
    with pytest.raises(services.Damaged):
        verify_battle(over)


def test_the_journal_folds_to_the_state_that_a_new_server_finds(people: People) -> None:
    battle = begun(people, "redcoats")
    for _ in range(8):
        step(people, battle)
    now = fresh(battle)
    state, engine = serialization.beginning_of(now), serialization.engine_of(now)
    for entry in serialization.entries_of(now):
        engine.fold(state, serialization.events_of(entry, engine))
    assert encode(state) == journal.unpack(now.document)
    assert list(journal.verify(serialization.entries_of(now)))[-1] == serialization.head_of(now)


def test_whoever_names_another_place_does_nothing(people: People) -> None:
    battle = begun(people, "redcoats")
    seen = serialization.cursor_of(battle)
    step(people, battle)
    count = battle.entries.count()
    with pytest.raises(Stale):
        step(people, battle, expected=seen)
    assert battle.entries.count() == count


def test_the_same_action_sent_twice_is_done_once(people: People) -> None:
    battle = begun(people, "redcoats")
    seen, action, side = serialization.cursor_of(battle), advised(battle), asked(battle)
    assert side is not None
    for _ in range(2):
        services.act(battle.pk, player(people, side), action, expected=seen, key="a-key")
    assert battle.entries.filter(key="a-key").count() == 1
    for wrong in ("a\x00key", "k" * 200):
        with pytest.raises(services.Refused, match="printable characters"):
            services.act(battle.pk, player(people, side), action, expected=seen, key=wrong)
    assert battle.entries.count() == 4


@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_at_once_one_acts() -> None:
    people = gather()
    battle = begun(people, "redcoats")
    seen, action, side = serialization.cursor_of(battle), advised(battle), asked(battle)
    assert side is not None
    told: list[Any] = []
    both = threading.Barrier(2)

    def press() -> None:
        both.wait(PATIENCE)
        try:
            told.append(services.act(battle.pk, player(people, side), action, expected=seen))
        except Stale as stale:
            told.append(stale)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(type(one).__name__ for one in told) == ["Battle", "Stale"]
    assert BattleEntry.objects.filter(battle=battle).count() == 4


def test_only_whoever_is_asked_acts(people: People) -> None:
    battle = begun(people, "redcoats")
    side = asked(battle)
    assert side is not None
    for other in (player(people, side.enemy), people.umpire, people.stranger):
        with pytest.raises(NotYours):
            services.act(
                battle.pk, other, advised(battle), expected=serialization.cursor_of(battle)
            )


def test_what_the_book_does_not_allow_changes_nothing(people: People) -> None:
    battle = begun(people, "redcoats")
    side = asked(battle)
    assert side is not None
    with pytest.raises(IllegalAction):
        services.act(
            battle.pk, player(people, side), Pursue(), expected=serialization.cursor_of(battle)
        )
    assert battle.entries.count() == 3


def test_a_paused_battle_waits(people: People) -> None:
    battle = begun(people, "redcoats")
    with pytest.raises(NotYours):
        services.pause(battle, people.egyptian, paused=True)
    services.pause(battle, people.umpire, paused=True)
    with pytest.raises(Refused, match="paused"):
        step(people, battle)
    services.pause(battle, people.umpire, paused=False)
    step(people, battle)
    assert battle.entries.count() == 4


@pytest.mark.parametrize("book", BOOKS)
def test_the_umpire_goes_back_and_other_dice_fall(people: People, book: str) -> None:
    battle = begun(people, book)
    for _ in range(10):
        step(people, battle)
    was = journal.unpack(fresh(battle).document)
    fifth = serialization.entries_of(fresh(battle)).get(number=5)
    with pytest.raises(Refused, match="why"):
        services.rewind(fresh(battle), people.umpire, 4, " ")
    services.rewind(fresh(battle), people.umpire, 4, "A card was misread.")
    now = fresh(battle)
    assert (now.branch, serialization.head_of(now).number, now.paused) == (1, 4, "umpire")
    assert now.entries.count() == 13
    services.pause(now, people.umpire, paused=False)
    side, again = asked(now), serialization.action_of(fifth, serialization.engine_of(now))
    assert side is not None
    services.act(now.pk, player(people, side), again, expected="1.4")
    services.finish(fresh(battle), people.umpire)
    assert journal.unpack(fresh(battle).document) != was
    verify_battle(fresh(battle))


@pytest.mark.parametrize("book", BOOKS)
def test_the_umpire_sets_a_unit_right(people: People, book: str) -> None:
    battle = begun(people, book)
    step(people, battle)
    state = serialization.state_of(fresh(battle))
    unit = next(one for one in state.units.values() if one.side is Side.MAHDIST)
    said = {"unit": str(unit.id), "left": "1"}
    with pytest.raises(NotYours):
        services.correct(battle, people.egyptian, said, "Mine is better.")
    with pytest.raises(Refused, match="why"):
        services.correct(battle, people.umpire, said, "")
    with pytest.raises(InvalidForm):
        services.correct(battle, people.umpire, {**said, "left": "99"}, "More of them.")
    services.correct(battle, people.umpire, said, "Two were never there.")
    now = serialization.state_of(fresh(battle)).units[unit.id]
    assert getattr(now, "figures", getattr(now, "stands", 0)) == 1
    told = replay.battle_log(fresh(battle), access.BattleViewer.UMPIRE).entries[-1]
    assert told.reason == "Two were never there."
    assert "sets" in told.sentences[0].text
    assert serialization.state_of(fresh(battle)).question == state.question
    services.correct(battle, people.umpire, {**said, "left": "0"}, "Nor was the last.")
    assert unit.id not in serialization.state_of(fresh(battle)).units
    services.finish(fresh(battle), people.umpire)
    verify_battle(fresh(battle))


@pytest.mark.parametrize(
    ("book", "field"), [("redcoats", "disorganised"), ("fuzzy-wuzzy", "retreating")]
)
def test_a_correction_of_losses_leaves_a_unit_in_its_order(
    people: People, book: str, field: str
) -> None:
    battle = begun(people, book)
    units = serialization.state_of(fresh(battle)).units
    unit = next(one for one in units.values() if one.side is Side.MAHDIST)
    said = {"unit": str(unit.id), "left": "1"}
    for shaken, expected in (("yes", True), ("", True), ("no", False), ("", False)):
        services.correct(battle, people.umpire, said | {"shaken": shaken}, "A miscount.")
        now = serialization.state_of(fresh(battle)).units[unit.id]
        assert getattr(now, field) is expected, shaken


@pytest.mark.parametrize("book", BOOKS)
def test_a_correction_too_low_is_corrected_again(people: People, book: str) -> None:
    battle = begun(people, book)
    units = serialization.state_of(fresh(battle)).units.values()
    unit = next(one for one in units if one.full > 1 and one.side is Side.MAHDIST)
    for left in (1, unit.full):
        said = {"unit": str(unit.id), "left": str(left)}
        services.correct(battle, people.umpire, said, "A miscount.")
        now = serialization.state_of(fresh(battle)).units[unit.id]
        assert getattr(now, "figures", getattr(now, "stands", 0)) == left


@pytest.mark.parametrize("book", BOOKS)
def test_a_correction_too_high_is_refused_with_the_most(people: People, book: str) -> None:
    battle = begun(people, book)
    units = serialization.state_of(fresh(battle)).units.values()
    unit = next(one for one in units if one.full == 1)
    with pytest.raises(InvalidForm, match=r"^It has 1 (figure|stand) at most\.$"):
        services.correct(battle, people.umpire, {"unit": str(unit.id), "left": "2"}, "A miscount.")


@pytest.mark.parametrize("book", BOOKS)
def test_a_battle_begins_without_a_unit_that_the_umpire_took_off(people: People, book: str) -> None:
    battle = begun(people, book, as_drawn_up=False)
    state = serialization.state_of(fresh(battle))
    unit = next(one for one in state.units.values() if one.side is Side.MAHDIST)
    services.correct(battle, people.umpire, {"unit": str(unit.id), "left": "0"}, "It stayed away.")
    fight_as_drawn_up(battle, {side: player(people, side) for side in Side})
    step(people, battle)
    services.finish(fresh(battle), people.umpire)
    verify_battle(fresh(battle))


def test_a_weakened_unit_that_the_umpire_fills_up_has_lost_nothing(people: People) -> None:
    """Disrupted units come with half their stands in Restless Natives (Shekan)."""
    battle = begun(people, "restless", "shekan")
    state = serialization.state_of(fresh(battle))
    unit = next(one for one in state.units.values() if one.stands < one.full)
    said = {"unit": str(unit.id), "left": str(unit.full), "x": "4", "y": "4"}
    services.correct(battle, people.umpire, said, "It has recovered, and lies in wait.")
    engine, brief = serialization.engine_of(battle), serialization.brief_of(battle)
    ended = serialization.state_of(fresh(battle))
    ended.result = BattleResult(None, "broke off", "It grew dark.")
    report = engine.report(ended)
    assert set(report.fates.values()) <= {Fate.GOOD, Fate.DISRUPTED}
    conserve(brief, report)


def test_a_side_is_left_to_the_computer_and_taken_over_again(people: People) -> None:
    battle = begun(people, "redcoats")
    side = asked(battle)
    assert side is not None
    mine = player(people, side)
    with pytest.raises(NotYours):
        services.lead(battle, player(people, side.enemy), side, computer=True)
    services.lead(battle, mine, side, computer=True)
    assert asked(battle) is side.enemy
    services.lead(battle, mine, side, computer=False)
    while asked(battle) is side.enemy:
        step(people, battle)
    assert asked(battle) is side
    step(people, battle)


def test_when_both_leave_it_to_the_computer_it_is_fought_out(people: People) -> None:
    battle = begun(people, "redcoats")
    for side in Side:
        services.lead(battle, player(people, side), side, computer=True)
    assert fresh(battle).reported


def test_an_invitation_is_good_for_one(people: People) -> None:
    battle = begun(people, "redcoats")
    taken = battle.commands.get(side="egyptian")
    with pytest.raises(Refused):
        services.accept(battle, people.stranger, taken.invitation)
    with pytest.raises(Refused):
        services.accept(battle, people.stranger, "")


def test_nobody_takes_the_other_side_by_his_own_invitation(people: People) -> None:
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: OPEN}
    battle = services.begin_fight(people.umpire, chosen.brief, NewFight("redcoats", sides))
    link = battle.commands.get(side="mahdist").invitation
    with pytest.raises(Refused, match="somebody else"):
        services.accept(battle, people.umpire, link)
    assert services.accept(battle, people.stranger, link).user == people.stranger


def test_who_fights_against_somebody_else_is_no_umpire(people: People) -> None:
    battle = begun(people, "redcoats")
    assert access.is_umpire(battle, people.umpire)
    battle.commands.filter(side="egyptian").update(user=people.umpire)
    assert not access.is_umpire(battle, people.umpire)
    battle.commands.filter(side="mahdist").update(user=None, computer=True)
    assert access.is_umpire(battle, people.umpire)
    assert battle.owner == person(people.umpire)


def test_an_umpire_may_go_back_to_any_turn_and_finds_the_latest_entry_first(people: People) -> None:
    battle = begun(people, "redcoats")
    while serialization.state_of(fresh(battle)).turn < 4:
        step(people, battle)
    page = FightView(fresh(battle), people.umpire, {})
    numbers = [number for number, _ in page.earlier_entries]
    assert numbers == sorted(numbers, reverse=True)
    turns = {entry.number: entry.turn for entry in page.battle_log.entries}
    assert {turns[number] for number in numbers} >= {1, 2, 3}
    assert len(numbers) < len(turns)
