"""The tactical value of a leader of the campaign (Dervish 7.3), in the means of each book."""

from typing import Any

import msgspec
import pytest

from battles.books.fuzzy_wuzzy.sequence import STEPS
from battles.books.fuzzy_wuzzy.sequence import tactical as on_field
from battles.books.redcoats import leaders
from battles.books.restless_natives import special
from battles.contract.book import book
from battles.contract.brief import Brief, Party, Side, TroopKind
from battles.contract.brief_files import ready_battles
from battles.contract.set_up import ToSetUp
from battles.core.dice import ChainedDice, ScriptedDice, derive_key
from battles.core.game import Ledger

TAMAI = next(one.brief for one in ready_battles() if one.slug == "tamai")


def led_by(british: int, mahdist: int) -> Brief:
    """Return Tamai with leaders of these tactical values."""
    values = {Side.EGYPTIAN: british, Side.MAHDIST: mahdist}

    def party(old: Party) -> Party:
        troops = tuple(
            msgspec.structs.replace(one, tactical=values[old.side])
            if one.kind is TroopKind.LEADER
            else one
            for one in old.troops
        )
        return msgspec.structs.replace(old, troops=troops)

    return msgspec.structs.replace(
        TAMAI, attacker=party(TAMAI.attacker), defender=party(TAMAI.defender)
    )


def begun(slug: str, brief: Brief) -> Any:
    """Return the battle once both sides have let the layout stand."""
    engine, dice = book(slug).engine, ChainedDice(derive_key(b"tactical"))
    state, _ = engine.new_game(brief, dice)
    while isinstance(state.question, ToSetUp):
        engine.play(state, engine.answer(state), dice)
    return state


def test_a_brief_counts_the_best_of_the_leaders_and_never_one_who_hinders() -> None:
    numbers = [one.id for one in TAMAI.troops()]
    assert led_by(2, 1).tactical(numbers) == 2
    assert led_by(-1, -2).tactical(numbers) == 0
    assert led_by(1, 1).tactical(()) == 0


@pytest.mark.parametrize("value", [0, 1, 2])
def test_heroic_leadership_5_it_is_added_to_the_hand_of_redcoats(value: int) -> None:
    state = begun("redcoats", led_by(value, 0))
    assert leaders.largest_hand(state, Side.EGYPTIAN) == 3 + value
    assert len(state.hands[Side.EGYPTIAN]) == 3 + value
    assert len(state.hands[Side.MAHDIST]) == 3


def test_heroic_leadership_5_a_wounded_leader_adds_nothing() -> None:
    state = begun("redcoats", led_by(1, 0))
    for leader in state.leaders.values():
        leader.wounded = True
    assert leaders.largest_hand(state, Side.EGYPTIAN) == 3


@pytest.mark.parametrize("value", [0, 1, 2])
def test_campaign_battles_5_it_gives_the_commander_in_chief_more_cards(value: int) -> None:
    state = begun("restless", led_by(value, 0))
    hands = {one.side: len(one.hand) for one in state.commanders.values() if one.chief}
    assert hands == {Side.EGYPTIAN: 1 + value, Side.MAHDIST: 1}


def test_campaign_battles_5_a_fallen_commander_in_chief_gets_one_like_all_players() -> None:
    state = begun("restless", led_by(2, 0))
    chief = next(one for one in state.commanders.values() if one.side is Side.EGYPTIAN)
    del state.units[chief.unit]
    assert special.tactical(state, chief) == 0


@pytest.mark.parametrize(("british", "mahdist", "first"), [(3, 4, 0), (3, 4, 1), (3, 5, 1)])
def test_sequence_1_it_is_added_to_the_die_for_the_initiative(
    british: int, mahdist: int, first: int
) -> None:
    state = begun("fuzzy-wuzzy", led_by(first, 0))
    engine = book("fuzzy-wuzzy").engine
    ledger = Ledger(
        state, ScriptedDice(british, mahdist), lambda now, event: engine.fold(now, (event,))
    )
    STEPS["turn begins"](ledger)
    wanted = Side.EGYPTIAN if british + first >= mahdist else Side.MAHDIST
    assert state.first is wanted
    assert [roll.total for roll in ledger.rolls[:2]] == [british + first, mahdist]


def test_sequence_1_a_commander_in_retreat_adds_nothing() -> None:
    state = begun("fuzzy-wuzzy", led_by(1, 1))
    assert on_field(state, Side.MAHDIST) == 1
    for unit in state.units.values():
        unit.retreating = unit.side is Side.MAHDIST
    assert on_field(state, Side.MAHDIST) == 0
    assert on_field(state, Side.EGYPTIAN) == 1
