"""Battles that players fight, for the tests: begun between two people, and ways through them."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from battles import serialization, services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.contract.set_up import ToSetUp
from battles.core.decoding import convert_to
from battles.models import Battle
from battles.services.fights import OPEN
from tests.people import People

BOOKS = ("redcoats", "restless", "fuzzy-wuzzy")
EL_TEB = "second-el-teb"


def mostly(book: str) -> list[Any]:
    """Return the books as parameters; all but the named one are left to the long tests.

    For tests of what a page does in the same way by every book.
    """
    return [pytest.param(one, marks=() if one == book else pytest.mark.long) for one in BOOKS]


def begun(people: People, book: str, battle: str = EL_TEB, *, as_drawn_up: bool = True) -> Battle:
    """That battle between the two players of the tests; the umpire of the tests is its umpire.

    It is fought `as_drawn_up`, or waits for the first side to place its units.
    """
    chosen = find_ready_battle(battle)
    assert chosen is not None
    sides = dict.fromkeys(Side, OPEN)
    found = services.begin_fight(people.umpire, chosen.brief, services.NewFight(book, sides))
    for side in Side:
        invitation = found.commands.get(side=side).invitation
        services.accept(found, player(people, side), invitation)
    if as_drawn_up:
        fight_as_drawn_up(found, {side: player(people, side) for side in Side})
    return Battle.objects.get(pk=found.pk)


def fight_as_drawn_up(battle: Battle, users: dict[Side, User]) -> None:
    """Let the players of these sides leave their units where the layout drew them up."""
    while True:
        fresh = Battle.objects.get(pk=battle.pk)
        question = serialization.state_of(fresh).question
        if not isinstance(question, ToSetUp):
            return
        done = convert_to({"type": "Done"}, serialization.engine_of(fresh).actions)
        at = serialization.cursor_of(fresh)
        services.act(battle.pk, users[question.side], done, expected=at)


def player(people: People, side: Side) -> User:
    """Return the person who plays that side in the tests."""
    return people.egyptian if side is Side.EGYPTIAN else people.mahdist


def asked(battle: Battle) -> Side | None:
    """Return the side that the battle waits for."""
    question = serialization.state_of(Battle.objects.get(pk=battle.pk)).question
    return Side(question.side) if question else None


def advised(battle: Battle) -> Any:
    """Return the action that the book's commander would take now."""
    fresh = Battle.objects.get(pk=battle.pk)
    return serialization.engine_of(fresh).answer(serialization.state_of(fresh))


def step(people: People, battle: Battle, **more: Any) -> Battle:
    """One action of whoever is asked, as the book's commander would do it."""
    side = asked(battle)
    assert side is not None
    fresh = Battle.objects.get(pk=battle.pk)
    return services.act(
        battle.pk,
        player(people, side),
        advised(battle),
        expected=more.pop("expected", serialization.cursor_of(fresh)),
        **more,
    )
