"""The computer's commander of Restless Natives: it answers every question, for either side.

`answer` uses only what the side can see and what `options` offers. It has no randomness and no
memory, so the same state always gets the same answer.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import msgspec

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import sequence
from battles.books.restless_natives.board import is_afloat, on_field, stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.moving import act, command, move
from battles.books.restless_natives.commander.plans import keeps
from battles.books.restless_natives.commander.scene import (
    COVERED,
    OPEN,
    Scene,
    fire,
    is_native,
    scene_of,
    shoots,
    volley,
)
from battles.books.restless_natives.firing import weapon_range
from battles.books.restless_natives.layout_zones import band, role
from battles.books.restless_natives.movement import throw_for
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop.deployment_lines import Role
from battles.tabletop.line_ups import COVER_IN_ATTACK, GroundToUse, UnitToPlace, next_deployment

__all__ = ["answer"]

AVERAGE = 3.5
"""The mean inches of a die."""


def answer(state: State) -> a.AnyAction:
    """Return a legal answer to the open question, for the side that is asked.

    Raises ValueError when the battle is over and nothing is asked.
    """
    offered = options(state)
    if offered is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](state, offered)


def _set_up(state: State, offered: Options) -> a.AnyAction:
    """Place the units in the best line-up of the side's zone, one after another."""
    side = offered.side
    action = next_deployment(
        sequence.posts(state, side),
        _ground(state, side),
        tuple(_to_place(state, side)),
        partial(sequence.refusal_of, state),
    )
    return action or a.Done()


def _ground(state: State, side: Side) -> GroundToUse:
    """Return the ground on which a side draws up, with the enemies, who are all in sight."""
    tables = book()
    return GroundToUse(
        field=state.field,
        zones=state.zones.get(side, ()),
        cover=tables.cover,
        rough=tables.rough,
        hiding=tables.hiding,
        barred=tables.water,
        within=tables.number("cover behind"),
        holds=not scene_of(state, side).attacks,
        foes=tuple(stands_of(foe) for foe in on_field(state, side.enemy)),
    )


def _to_place(state: State, side: Side) -> Iterator[UnitToPlace]:
    """Yield the units with their fire, and their losses to the enemy's, in stands.

    A unit that attacks leaves its cover soon, and rough ground costs it a part of its first move.
    British foot and horse keep their line or Square, and foot that the layout puts in an area of
    the goal stays there, wherever units have been placed since.
    """
    scene = scene_of(state, side)
    counts = COVER_IN_ATTACK if scene.attacks else 1.0
    own = {leader.unit: leader.id for leader in state.commanders.values() if leader.side is side}
    for unit in scene.mine:
        post = state.line_up.get(unit.id)
        if post is None:
            continue
        drawn_up = msgspec.structs.replace(
            unit, at=post.at, facing=post.facing, formation=post.formation
        )
        exposed, covered = (counts * _loss(scene, unit, sixes) for sixes in (OPEN, COVERED))
        in_line = role(unit) in (Role.FOOT, Role.HORSE) and not is_native(unit)
        commander = own.get(unit.id, 0)
        led = tuple(
            other.id for other in scene.mine if other.command == commander and other is not unit
        )
        yield UnitToPlace(
            band(unit),
            post,
            fires=weapon_range(unit.weapon),
            volley=_volley(scene, unit),
            exposed=exposed,
            covered=covered,
            slow=_slowed(unit) if scene.attacks else 0.0,
            follows=led if commander and len(own) > 1 else (),
            free=not (in_line or is_afloat(unit) or keeps(scene, drawn_up)),
        )


def _volley(scene: Scene, unit: Unit) -> float:
    """Return the worth of one volley at the furthest range, at the mean of the enemies."""
    if not shoots(unit) or not scene.prey:
        return 0.0
    dice = volley(unit, weapon_range(unit.weapon))
    worth = [fire(dice, OPEN, foe.troops, foe.stands) for foe in scene.prey]
    return sum(worth) / len(worth)


def _loss(scene: Scene, unit: Unit, sixes: int) -> float:
    """Return the loss to the fire of one enemy, of the mean of those who shoot."""
    lost = [
        fire(2 * volley(foe, reach), sixes, unit.troops, unit.stands)
        for foe, reach in scene.shooters
    ]
    return sum(lost) / len(lost) if lost else 0.0


def _slowed(unit: Unit) -> float:
    """Return the share of a move that rough ground costs the unit."""
    throw = throw_for(unit.troops, unit.kind, unit.formation)
    return throw.open_only / max(1, throw.dice + throw.open_only + throw.plus / AVERAGE)


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    a.ToSetUp: _set_up,
    a.ToCommand: command,
    a.ToAct: act,
    a.ToMove: move,
}
