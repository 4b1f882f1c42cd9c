"""The legal answers to the open question.

The same functions offer answers and check actions, so that the two cannot disagree.
"""

from functools import cached_property
from typing import NamedTuple

import msgspec

from battles.books.restless_natives import acting, activation, close_combat, firing, sequence
from battles.books.restless_natives import actions as q
from battles.books.restless_natives.charging import Attack
from battles.books.restless_natives.firing import possible_targets
from battles.books.restless_natives.movement import Reach
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.sequence import may_leave
from battles.books.restless_natives.state import State, acting_unit, current_activation
from battles.contract.brief import Side
from battles.core.rules_engine import Handlers
from battles.tabletop.formations import TableFormation


class Target(NamedTuple):
    """An enemy in range: the stands that can fire at it, and their D6 in one volley.

    A six each destroys `open` of its stands, two sixes each `covered` ones.
    """

    unit: int
    stands: int
    dice: int
    open: int
    covered: int


class Options(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """The legal answers to the open question; fields that do not belong to it are empty.

    `asks` is "set up", "command", "act" or "move"; `done` is whether Done is legal. `units` can be
    allotted and set up, or activated; `movable` ones can be set up elsewhere within the side's
    zones, and `moved` ones have been. `rallies` are units to rally, `commanders` those to allot to
    or pass the initiative to. `marches` and `volleys` are how often the unit may move or fire,
    `foes` the enemies it has to fight. Costly answers are computed from `state` on first access.
    """

    side: Side
    asks: str
    state: State
    done: bool = True
    commander: int = 0
    unit: int = 0
    units: tuple[int, ...] = ()
    movable: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    rallies: tuple[int, ...] = ()
    commanders: tuple[int, ...] = ()
    cards: tuple[Special, ...] = ()
    marches: int = 0
    volleys: int = 0
    foes: tuple[int, ...] = ()
    leave: bool = False

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Return the enemies that the unit can fire at."""
        if not self.volleys:
            return ()
        unit = acting_unit(self.state)
        aimed = [aim.target for aim in possible_targets(self.state, unit)]
        return tuple(
            Target(
                volley.target,
                volley.stands,
                volley.open_dice + volley.covered_dice,
                volley.open,
                volley.covered,
            )
            for number in aimed
            for volley in firing.plan_volleys(self.state, unit, (number,), 1)
        )

    @cached_property
    def formations(self) -> tuple[TableFormation, ...]:
        """Return the formations that the unit can change to."""
        return acting.changes(self.state) if self.asks == "act" else ()

    @cached_property
    def reach(self) -> Reach | None:
        """Return the moves that are open to the unit."""
        return acting.reach(self.state) if self.asks == "move" else None

    @cached_property
    def charges(self) -> tuple[Attack, ...]:
        """Return the close combats that the unit can initiate."""
        return tuple(acting.attacks(self.state)) if self.asks == "move" else ()

    def charge_at(self, target: int) -> Attack | None:
        """Return the close combat with that enemy among `charges`, without working out the rest."""
        return acting.attack_on(self.state, target) if self.asks == "move" else None


def options(state: State) -> Options | None:
    """Return the legal answers to the open question; None when the battle is over."""
    if state.question is None:
        return None
    return _domain(state, state.question)


_domain = Handlers[State, [], Options]("options")


@_domain.on(q.ToSetUp)
def _to_set_up(state: State, question: q.ToSetUp) -> Options:
    units = sequence.own(state, question.side)
    return Options(
        question.side,
        "set up",
        state,
        units=units,
        movable=tuple(sequence.posts(state, question.side)),
        moved=sequence.SET_UP.moved(state, question.side),
        commanders=sequence.commanders(state, question.side),
    )


@_domain.on(q.ToCommand)
def _to_command(state: State, question: q.ToCommand) -> Options:
    commander = state.commanders[question.commander]
    return Options(
        question.side,
        "command",
        state,
        commander=commander.id,
        units=activation.own_units(state, commander),
        rallies=close_combat.can_rally(state, commander),
        commanders=activation.subordinates(state, commander),
    )


@_domain.on(q.ToAct)
def _to_act(state: State, question: q.ToAct) -> Options:
    current, unit = current_activation(state), acting_unit(state)
    engaged = activation.must_fight(state)
    return Options(
        question.side,
        "act",
        state,
        done=not engaged,
        commander=unit.command,
        unit=unit.id,
        cards=acting.cards(state),
        marches=0 if engaged else activation.moves_left(current),
        volleys=0 if engaged else activation.volleys_left(current),
        foes=activation.enemies(state),
    )


@_domain.on(q.ToMove)
def _to_move(state: State, question: q.ToMove) -> Options:
    unit = state.units[question.unit]
    return Options(
        question.side,
        "move",
        state,
        commander=unit.command,
        unit=unit.id,
        leave=may_leave(state, unit),
    )
