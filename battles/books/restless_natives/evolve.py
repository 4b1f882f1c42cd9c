"""The effect of each event on the state, the only place where a battle changes."""

import msgspec

from battles.books.restless_natives import events as e
from battles.books.restless_natives.activation import is_joker
from battles.books.restless_natives.board import clear_caches, post_of
from battles.books.restless_natives.pieces import Deed, Special
from battles.books.restless_natives.state import (
    Activation,
    Contact,
    State,
    Unit,
    current_activation,
)
from battles.core.game import record_agenda
from battles.core.rules_engine import Handlers

evolve = Handlers[State, [], None]("evolve")
"""Apply an event to the state. It is deterministic: a replay gives the same bytes."""

evolve.on(e.AgendaRecorded)(record_agenda)


@evolve.on(e.PackShuffled)
def _pack_shuffled(state: State, event: e.PackShuffled) -> None:
    state.pack, state.turned = list(event.cards), []


@evolve.on(e.SpecialShuffled)
def _special_shuffled(state: State, event: e.SpecialShuffled) -> None:
    state.special, state.discards = list(event.cards), []


@evolve.on(e.SpecialDealt)
def _special_dealt(state: State, event: e.SpecialDealt) -> None:
    commander = state.commanders[event.commander]
    commander.hand = [*commander.hand, state.special.pop(0)]


@evolve.on(e.Allotted)
def _allotted(state: State, event: e.Allotted) -> None:
    units = state.units if event.unit in state.units else state.waiting
    units[event.unit].command = event.commander


@evolve.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing, unit.formation = event.at, event.facing, event.formation
    clear_caches(state)


@evolve.on(e.CardTurned)
def _card_turned(state: State, event: e.CardTurned) -> None:
    state.card = state.pack.pop(0)
    state.turn = event.turn
    state.jokers += is_joker(event.card)
    if state.turn == 1:  # the deployment is over: they come on from where they stand now
        state.line_up = {unit.id: post_of(unit) for unit in state.units.values()}


@evolve.on(e.CardDiscarded)
def _card_discarded(state: State, event: e.CardDiscarded) -> None:
    if state.card is not None:
        state.turned.append(state.card)
    state.card = None


@evolve.on(e.HandsReturned)
def _hands_returned(state: State, event: e.HandsReturned) -> None:
    for commander in state.commanders.values():
        state.discards += commander.hand
        commander.hand = []


@evolve.on(e.Activated)
def _activated(state: State, event: e.Activated) -> None:
    state.acting = Activation(event.unit, card=Special.RALLY if event.rallied else None)


@evolve.on(e.ActivationEnded)
def _activation_ended(state: State, event: e.ActivationEnded) -> None:
    state.acting = None


@evolve.on(e.SpecialPlayed)
def _special_played(state: State, event: e.SpecialPlayed) -> None:
    commander = state.commanders[event.commander]
    place = commander.hand.index(event.card)
    commander.hand = commander.hand[:place] + commander.hand[place + 1 :]
    state.discards.append(event.card)
    if state.acting is not None:
        state.acting.card = event.card


@evolve.on(e.CameOn)
def _came_on(state: State, event: e.CameOn) -> None:
    where = state.waiting if event.unit in state.waiting else state.away
    unit = state.units[event.unit] = where.pop(event.unit)
    unit.at, unit.facing = event.at, event.facing
    clear_caches(state)


@evolve.on(e.MoveThrown)
def _move_thrown(state: State, event: e.MoveThrown) -> None:
    current_activation(state).deeds += [Deed.MOVED] * event.moves


@evolve.on(e.Moved)
def _moved(state: State, event: e.Moved) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing = event.path[-1] if event.path else unit.at, event.facing
    clear_caches(state)


@evolve.on(e.Exited)
def _exited(state: State, event: e.Exited) -> None:
    state.exited[event.unit] = _take_off_field(state, event.unit)


@evolve.on(e.Formed)
def _formed(state: State, event: e.Formed) -> None:
    state.units[event.unit].formation = event.formation
    current_activation(state).deeds.append(Deed.FORMED)
    clear_caches(state)


@evolve.on(e.FireOver)
def _fire_over(state: State, event: e.FireOver) -> None:
    current_activation(state).deeds += [Deed.FIRED] * event.volleys


@evolve.on(e.Charged)
def _charged(state: State, event: e.Charged) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing = event.at, event.facing
    state.contacts += [Contact(event.unit, other) for other in event.touched]
    clear_caches(state)


@evolve.on(e.CombatFought)
def _combat_fought(state: State, event: e.CombatFought) -> None:
    current_activation(state).deeds.append(Deed.FOUGHT)


@evolve.on(e.StandsLost)
def _stands_lost(state: State, event: e.StandsLost) -> None:
    state.units[event.unit].stands -= event.stands
    clear_caches(state)


@evolve.on(e.ClosedUp)
def _closed_up(state: State, event: e.ClosedUp) -> None:
    state.units[event.unit].at = event.at
    clear_caches(state)


@evolve.on(e.Destroyed)
def _destroyed(state: State, event: e.Destroyed) -> None:
    state.lost[event.unit] = _take_off_field(state, event.unit)


@evolve.on(e.FellBack)
def _fell_back(state: State, event: e.FellBack) -> None:
    state.units[event.unit].at = event.at
    _end_contacts(state, event.unit)
    clear_caches(state)


@evolve.on(e.RanAway)
def _ran_away(state: State, event: e.RanAway) -> None:
    state.away[event.unit] = unit = _take_off_field(state, event.unit)
    unit.at = event.at


@evolve.on(e.CommandTaken)
def _command_taken(state: State, event: e.CommandTaken) -> None:
    fallen = state.commanders[event.commander]
    fallen.unit = 0
    if event.successor == event.commander:
        return
    heir = state.commanders[event.successor]
    heir.chief = heir.chief or fallen.chief
    state.discards += state.commanders.pop(event.commander).hand
    for units in (state.units, state.waiting, state.away):
        for unit in units.values():
            if unit.command == event.commander:
                unit.command = event.successor


@evolve.on(e.AreaTaken)
def _area_taken(state: State, event: e.AreaTaken) -> None:
    state.holders[event.area] = event.side


@evolve.on(e.Corrected)
def _corrected(state: State, event: e.Corrected) -> None:
    unit = msgspec.structs.replace(event.now)
    state.units[unit.id] = unit
    if not unit.stands:
        state.lost[unit.id] = _take_off_field(state, unit.id)
    clear_caches(state)


@evolve.on(e.BattleEnded)
def _battle_ended(state: State, event: e.BattleEnded) -> None:
    state.result = event.result
    state.agenda = []


@evolve.on(e.PassedOn, e.NobodyActivated, e.StoodStill, e.Fired, e.MoraleTested)
def _no_state_change(state: State, event: object) -> None:
    """Change nothing: the effects of these events follow as events of their own."""


def _take_off_field(state: State, number: int) -> Unit:
    """Take the unit off the field and return it."""
    _end_contacts(state, number)
    clear_caches(state)
    return state.units.pop(number)


def _end_contacts(state: State, number: int) -> None:
    """End all contacts of the unit."""
    state.contacts = [
        contact for contact in state.contacts if number not in (contact.one, contact.other)
    ]
