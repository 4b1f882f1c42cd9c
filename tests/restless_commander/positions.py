"""Positions that ask for one judgement: a bare table, a few units, one question open."""

from typing import Any

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import actions as q
from battles.books.restless_natives.board import post_of
from battles.books.restless_natives.commander import answer
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.play import rules
from battles.books.restless_natives.state import State, Unit
from battles.contract import Brief, Nation, Party, Side, TroopKind
from battles.core.decoding import decode, encode
from tests.redcoats_commander.armies import troop
from tests.restless.field import BRITISH_CHIEF, EGYPTIAN, NATIVE_CHIEF, act, activated, battle


def position(*units: Unit, attacker: Side = Side.MAHDIST, **more: Any) -> State:
    """Return a battle of these in which that side attacks; nobody holds a Special Event Card."""
    parties = {
        Side.EGYPTIAN: Party(Side.EGYPTIAN, (troop(1, TroopKind.INFANTRY),)),
        Side.MAHDIST: Party(Side.MAHDIST, (troop(2, TroopKind.SPEARS, Nation.MAHDIST),)),
    }
    brief = Brief("position", "A position", parties[attacker], parties[attacker.enemy])
    return battle(*units, brief=brief, **more)


def lined_up(state: State) -> State:
    """Return the state of a battle whose units were drawn up where they stand."""
    state.line_up = {unit.id: post_of(unit) for unit in state.units.values()}
    return state


def commanded(state: State, side: Side) -> Any:
    """Return the action of the side's Commander-in-Chief on a card of its colour."""
    chief = BRITISH_CHIEF if side is EGYPTIAN else NATIVE_CHIEF
    state.question = q.ToCommand(side, chief)
    return answered(state)


def asked(state: State, unit: int, card: Special | None = None) -> Any:
    """Return the first action of the activated unit."""
    return answered(activated(state, unit, card))


def answered(state: State) -> Any:
    """Return the answer to what is open: lawful, and the same when the state comes from a store."""
    action = answer(state)
    rules.check(state, action)
    assert encode(answer(decode(encode(state), State))) == encode(action)
    return action


def thrown(state: State, unit: int, *faces: int) -> Any:
    """Return where the unit goes when it has been activated to move and its dice have fallen so."""
    march = asked(state, unit)
    assert isinstance(march, a.March), march
    act(state, march, *faces)
    return answered(state)
