"""Undo: a decision is taken back while nothing has become of it that both sides must live with."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from battles import access, serialization, services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.core.decoding import convert_to
from battles.models import Battle
from battles.replay import rewinds_of
from battles.services.fights import COMPUTER, ME
from tests.battles_web.fights import BOOKS, EL_TEB, advised, asked, begun, player, step
from tests.people import People

pytestmark = pytest.mark.django_db


def alone(people: People, book: str) -> Battle:
    """Return a battle that the umpire of the tests fights against the computer."""
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER}
    return services.begin_fight(people.umpire, chosen.brief, services.NewFight(book, sides))


def now(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def decide(people: People, battle: Battle) -> Battle:
    cursor = serialization.cursor_of(now(battle))
    return services.act(battle.pk, people.umpire, advised(battle), expected=cursor)


def undo(battle: Battle, user: Any) -> Battle:
    return services.undo(battle.pk, user, expected=serialization.cursor_of(now(battle)))


@pytest.mark.parametrize("book", BOOKS)
def test_alone_every_decision_is_taken_back_one_after_another(people: People, book: str) -> None:
    battle = alone(people, book)
    first = bytes(battle.document)
    for _ in range(4):
        decide(people, battle)
    for _ in range(4):
        assert services.may_undo(now(battle), people.umpire)
        undo(battle, people.umpire)
    assert bytes(now(battle).document) == first
    assert not services.may_undo(now(battle), people.umpire)
    with pytest.raises(services.Refused, match="nothing to undo"):
        undo(battle, people.umpire)
    decide(people, battle)
    services.verify_battle(services.finish(now(battle), people.umpire))


def test_against_a_player_an_order_is_taken_back_and_both_read_it(people: People) -> None:
    battle = begun(people, "fuzzy-wuzzy")
    before = bytes(now(battle).document)
    side = asked(battle)
    assert side is not None
    step(people, battle)
    undo(battle, player(people, side))
    assert bytes(now(battle).document) == before
    reason = now(battle).branches.get().reason
    assert reason == f"{player(people, side).username} took the last move back."
    assert [note.words for note in rewinds_of(now(battle))] == [reason]


def test_against_a_player_a_throw_of_dice_stands(people: People) -> None:
    battle = begun(people, "redcoats")
    while True:
        side = asked(battle)
        assert side is not None
        head = step(people, battle).head
        assert head is not None
        if serialization.rolls_of(head):
            break
    assert not services.may_undo(now(battle), player(people, side))
    with pytest.raises(services.Refused, match="Dice were thrown"):
        undo(battle, player(people, side))


def test_nobody_takes_back_what_the_other_side_has_answered(people: People) -> None:
    battle = begun(people, "redcoats")
    first = asked(battle)
    assert first is not None
    step(people, battle)
    while asked(battle) is first:
        step(people, battle)
    step(people, battle)
    assert not services.may_undo(now(battle), player(people, first))


def test_a_stale_undo_changes_nothing(people: People) -> None:
    battle = alone(people, "redcoats")
    cursor = serialization.cursor_of(decide(people, battle))
    decide(people, battle)
    with pytest.raises(services.Stale):
        services.undo(battle.pk, people.umpire, expected=cursor)


def test_taking_a_move_back_after_the_others_time_is_up_leaves_time_to_decide(
    people: People,
) -> None:
    """The clock of the side that had not answered ran out; it was not the reader's."""
    battle = begun(people, "fuzzy-wuzzy", as_drawn_up=False)
    side = asked(battle)
    assert side is not None
    done = convert_to({"type": "Done"}, serialization.engine_of(battle).actions)
    mine = player(people, side)
    services.act(battle.pk, mine, done, expected=serialization.cursor_of(now(battle)))
    assert asked(battle) is side.enemy
    Battle.objects.update(due=timezone.now() - timedelta(days=1))
    undo(battle, mine)
    assert asked(battle) is side
    assert not access.is_late(now(battle))
    with pytest.raises(services.Refused, match="still has time"):
        services.stand_in(now(battle), player(people, side.enemy))
