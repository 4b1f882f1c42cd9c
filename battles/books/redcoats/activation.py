"""The unit that a card activates, and what it declares to do (Action points 5)."""

import msgspec

from battles.books.redcoats import acting as deeds
from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats import movement as points
from battles.books.redcoats.actions import ToAct, ToChooseNext
from battles.books.redcoats.board import leaders_with, squares_fought_in
from battles.books.redcoats.brigades import is_face, members
from battles.books.redcoats.casualties import fire, targets
from battles.books.redcoats.dealing import activation_order
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.leaders import playable
from battles.books.redcoats.offers import Shot, acting_unit, can_act
from battles.books.redcoats.state import Activation, Leader, State, Unit, current_activation
from battles.core.dice import ScriptedDice
from battles.core.game import Event, IllegalAction, Ledger, Step

# Activation: the lowest card, the throw for action points, and the actions (Turn 7, 8).


def activate(ledger: Ledger[State]) -> None:
    """Activate the unit or Leader of the lowest card, and so on until no card is left."""
    state = ledger.state
    if not state.cards:
        return
    orders = [activation_order(card) for card in state.cards.values()]
    number = list(state.cards)[orders.index(min(orders))]
    if number in state.leaders:
        ledger.emit(e.Queued(leader=number, units=led_by(state, state.leaders[number])))
        ledger.then(Step("next"), Step("activate"))
    else:
        ledger.then(Step("begin", (number,)), Step("activate"))


def choose_next(ledger: Ledger[State]) -> None:
    """Begin the activation of a co-ordinated unit; the Leader's side chooses the order."""
    state = ledger.state
    choices = tuple(number for number in state.queue if _is_first(state, number))
    if not choices:
        return
    ledger.then(Step("next"))
    if len(choices) == 1:
        ledger.then(Step("begin", choices))
    else:
        side = (state.units.get(choices[0]) or state.leaders[choices[0]]).side
        ledger.ask(ToChooseNext(side, state.queue_leader, choices))


def begin(ledger: Ledger[State], number: int) -> None:
    """Throw the action points of a unit, of a whole brigade Square, or of a Leader alone."""
    state = ledger.state
    if number in state.leaders:
        thrown = points.thrown_by_leader(ledger, state.leaders[number])
        ledger.emit(e.Activated(units=(number,), points=thrown, leader=number))
        ledger.then(Step("act"))
        return
    unit = state.units[number]
    if unit.square in squares_fought_in(state):
        ledger.emit(e.CardTaken(unit=number, cause="engaged"))
        return
    units = together(state, unit)
    thrown = points.throw_action_points(ledger, next(filter(is_face, units), unit))
    effect = points.formation_effect(units)
    ledger.emit(
        e.Activated(
            units=tuple(member.id for member in units),
            points=thrown,
            bonus=max(effect, 0),
            loss=max(-effect, 0),
            leader=state.queue_leader if number in state.queue else 0,
        )
    )
    ledger.then(Step("act"))


def act(ledger: Ledger[State]) -> None:
    """Ask for a declaration while more can be declared, then have it carried out."""
    state = ledger.state
    if state.acting is None:
        return
    number = state.acting.units[0]
    if is_complete(state):
        carry_out(ledger)
        if state.acting is not None:
            ledger.then(Step("act"))
        return
    ledger.then(Step("act"))
    side = (state.units.get(number) or state.leaders[number]).side
    ledger.ask(ToAct(side, number))


def led_by(state: State, leader: Leader) -> tuple[int, ...]:
    """Return the units that a Leader's card activates, and the Leader if he is with none."""
    units = tuple(
        number for number in state.coordinated.get(leader.id, ()) if number in state.units
    )
    with_troops = any(leader in leaders_with(state, state.units[number]) for number in units)
    return units if with_troops else (*units, leader.id)


def together(state: State, unit: Unit) -> list[Unit]:
    """Return the unit, or its whole brigade Square if one Leader co-ordinates all of it."""
    if not unit.brigade or unit.id not in state.queue:
        return [unit]
    square = members(state, unit.brigade)
    return square if all(member.id in state.queue for member in square) else [unit]


def _is_first(state: State, number: int) -> bool:
    """Return whether the unit is offered: of a brigade Square that acts together only one is."""
    unit = state.units.get(number)
    return unit is None or together(state, unit)[0] is unit


# Declarations: a unit's acts are named before the first of them is done (Action points 5).


LAST = (a.Charge, a.Leave, a.FormBrigade, a.Load)
"""Acts that end an activation: nothing can be declared after them."""


def foreseen(state: State) -> State:
    """Return the state as it is when the declared acts are done and no shot has any effect.

    It is cached with the state, and goes on with each further declaration, until another event
    changes it.
    """
    current = state.acting
    if current is None or not current.declared:
        return state
    preview: State | None = state.__dict__.get("foreseen")
    if preview is None:
        preview = state.__dict__["foreseen"] = _copy_for_trial(state, current)
    _go_on(preview, current.declared)
    preview.question = state.question
    return preview


def _go_on(ahead: State, declared: list[a.Deed]) -> None:
    """Do the declared acts on a state foreseen that has done only the first of them, or none."""
    done = current_activation(ahead).declared
    outcomes = ahead.__dict__.setdefault("outcomes", [])
    for act in declared[len(done) :]:
        done.append(act)
        ledger = Ledger(ahead, ScriptedDice(), evolve)
        if isinstance(act, a.Fire):
            shot = deeds.shot_of(ahead, act)
            outcomes.append(shot)
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
            outcomes.append(ledger.events)


def _outcomes(state: State) -> list[Shot | list[Event]]:
    """Return the shots and events of the declared acts, as far as they are foreseen."""
    preview: State | None = state.__dict__.get("foreseen")
    return [] if preview is None else preview.__dict__["outcomes"]


_KEEPS_FORESEEN = (e.AgendaRecorded, e.Declared)


def apply_event(state: State, event: e.AnyEvent) -> None:
    """Apply an event, and forget the state that was foreseen."""
    if "foreseen" in state.__dict__ and not isinstance(event, _KEEPS_FORESEEN):
        # Its views of the field refer to it: without them it goes at once, not at a collection.
        state.__dict__.pop("foreseen").__dict__.clear()
    evolve(state, event)


def _copy_for_trial(state: State, current: Activation) -> State:
    """Return a copy of the state, without declarations, whose parts the acts of a unit may change.

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
    now = replace(current, units=[*current.units], fired=[*current.fired], declared=[])
    ahead = replace(
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
    # No act without effect on the enemy puts a unit out of action.
    ahead.__dict__["out of action"] = state.__dict__.setdefault("out of action", {})
    return ahead


def check_declaration(state: State, action: a.Deed) -> None:
    """Raise IllegalAction unless the act can follow those that have been declared."""
    deeds.DEEDS[type(action)].check(foreseen(state), action)


def declare(ledger: Ledger[State], action: a.Deed) -> None:
    """Declare an act; it is done when the declaration is complete."""
    ledger.emit(e.Declared(act=action))


def is_complete(state: State) -> bool:
    """Return whether nothing can follow the declared acts."""
    declared = current_activation(state).declared
    if declared and isinstance(declared[-1], LAST):
        return True
    return not can_act(foreseen(state))


def check_done_acting(state: State, action: a.Done) -> None:
    """Raise IllegalAction if a unit that breaks off has not declared to move away yet."""
    deeds.check_done(foreseen(state), action)


def carry_out(ledger: Ledger[State]) -> None:
    """Carry out the declared acts in order, without those that have become impossible.

    The activation ends with them, unless a card can let the unit fire again.
    """
    outcomes = list(_outcomes(ledger.state))
    for place, act in enumerate(tuple(current_activation(ledger.state).declared)):
        deed = deeds.DEEDS[type(act)]
        # The acts have been checked when they were declared, on the state that they now find;
        # only a hit can have made it another.
        if any(isinstance(event, e.Fired) and event.hit for event in ledger.events):
            try:
                deed.check(ledger.state, act)
            except IllegalAction:
                ledger.emit(e.Forgone(act=act))
                continue
            deed.carry_out(ledger, act)
        elif place < len(outcomes):
            _repeat(ledger, outcomes[place])
        else:
            deed.carry_out(ledger, act)
        if ledger.state.acting is None:
            return
    if _may_fire_again(ledger.state):
        ledger.emit(e.CarriedOut())
    else:
        ledger.emit(e.ActivationEnded())


def _repeat(ledger: Ledger[State], outcome: Shot | list[Event]) -> None:
    """Carry out an act as it was foreseen: throw for a shot, let the events of another happen."""
    if isinstance(outcome, Shot):
        fire(ledger, outcome.target, outcome.cost, by_card=outcome.by_card)
        return
    for event in outcome:
        ledger.emit(event)


def _may_fire_again(state: State) -> bool:
    """Return whether a card could let the unit fire again, now that its declared shot has fallen.

    The fourth example of Firing plays the card when the first die is known.
    """
    current, unit = current_activation(state), acting_unit(state)
    if unit is None or current.carried:
        return False
    after = msgspec.structs.replace(current, carried=True)
    return bool(playable(state, after, unit)) and any(targets(state, unit))


def is_done(ledger: Ledger[State], action: a.Done) -> None:
    """Carry out the declared acts and end the activation."""
    carry_out(ledger)
