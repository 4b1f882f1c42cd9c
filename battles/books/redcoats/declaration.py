"""Declarations: a unit's acts are named before the first of them is done (Action points 5)."""

import msgspec

from battles.books.redcoats import acting as deeds
from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.firing import targets
from battles.books.redcoats.heroic import playable
from battles.books.redcoats.offers import acting_unit, can_act
from battles.books.redcoats.state import Activation, State, acting
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction
from battles.core.ledger import Ledger

LAST = (a.Charge, a.Leave, a.FormBrigade, a.Load)
"""Acts that end an activation: nothing can be declared after them."""


def foreseen(state: State) -> State:
    """Return the state as it is when the declared acts are done and no shot has any effect.

    It is cached with the state until an event changes that.
    """
    current = state.acting
    if current is None or not current.declared:
        return state
    known: State | None = state.__dict__.get("foreseen")
    if known is None:
        known = state.__dict__["foreseen"] = _foreseen(state, current)
    known.question = state.question
    return known


def _foreseen(state: State, current: Activation) -> State:
    ahead = _copied(state, current)
    ledger = Ledger(ahead, ScriptedDice(), evolve)
    for act in current.declared:
        if isinstance(act, a.Fire):
            shot = deeds.shot_of(ahead, act)
            ledger.emit(
                e.Fired(
                    unit=shot.target.firer,
                    target=shot.target.unit,
                    hit=False,
                    cost=shot.cost,
                    weapon=shot.target.weapon,
                    by_card=shot.by_card,
                )
            )
        elif not isinstance(act, LAST):
            deeds.DEEDS[type(act)].carry_out(ledger, act)
    return ahead


def apply_event(state: State, event: e.AnyEvent) -> None:
    """Apply an event, after which another state is foreseen."""
    if not isinstance(event, e.AgendaRecorded):
        state.__dict__.pop("foreseen", None)
    evolve(state, event)


def _copied(state: State, current: Activation) -> State:
    """Return a copy of the state whose parts the acts of a unit may change.

    Acts change the units that act, those that are carried or stand with them, Leaders, brigades and
    the activation in place; lists only hold what they keep. The other units are shared with the
    state.
    """
    replace = msgspec.structs.replace
    acting_units = [state.units[number] for number in current.units if number in state.units]
    squares = {unit.square for unit in acting_units}
    brigades = {unit.brigade for unit in acting_units if unit.brigade}
    units = {
        number: replace(unit) if unit.square in squares or unit.brigade in brigades else unit
        for number, unit in state.units.items()
    }
    now = replace(
        current, units=[*current.units], fired=[*current.fired], declared=[*current.declared]
    )
    return replace(
        state,
        acting=now,
        units=units,
        leaders={number: replace(leader) for number, leader in state.leaders.items()},
        brigades={number: replace(brigade) for number, brigade in state.brigades.items()},
        entries={**state.entries},
        cards={**state.cards},
        coordinated={leader: [*units] for leader, units in state.coordinated.items()},
        sailed=[*state.sailed],
        moored=[*state.moored],
        queue=[*state.queue],
        fallen=[*state.fallen],
        left=[*state.left],
        departed=[*state.departed],
        agenda=[],
    )


def check(state: State, action: a.Deed) -> None:
    """Raise IllegalAction unless the act can follow those that have been declared."""
    deeds.DEEDS[type(action)].check(foreseen(state), action)


def declare(ledger: Ledger[State], action: a.Deed) -> None:
    """Declare an act; it is done when the declaration is complete."""
    ledger.emit(e.Declared(act=action))


def is_complete(state: State) -> bool:
    """Return whether nothing can follow the declared acts."""
    declared = acting(state).declared
    if declared and isinstance(declared[-1], LAST):
        return True
    return not can_act(foreseen(state))


def check_done(state: State, action: a.Done) -> None:
    """Raise IllegalAction if a unit that breaks off has not declared to move away yet."""
    deeds.check_done(foreseen(state), action)


def carry_out(ledger: Ledger[State]) -> None:
    """Carry out the declared acts in order, without those that have become impossible.

    The activation ends with them, unless a card can let the unit fire again.
    """
    for act in tuple(acting(ledger.state).declared):
        deed = deeds.DEEDS[type(act)]
        try:
            deed.check(ledger.state, act)
        except IllegalAction:
            ledger.emit(e.Forgone(act=act))
            continue
        deed.carry_out(ledger, act)
        if ledger.state.acting is None:
            return
    if _may_fire_again(ledger.state):
        ledger.emit(e.CarriedOut())
    else:
        ledger.emit(e.ActivationEnded())


def _may_fire_again(state: State) -> bool:
    """Return whether a card could let the unit fire again, now that its declared shot has fallen.

    The fourth example of Firing plays the card when the first die is known.
    """
    current, unit = acting(state), acting_unit(state)
    if unit is None or current.carried:
        return False
    after = msgspec.structs.replace(current, carried=True)
    return bool(playable(state, after, unit)) and any(targets(state, unit))


def done(ledger: Ledger[State], action: a.Done) -> None:
    """Carry out the declared acts and end the activation."""
    carry_out(ledger)
