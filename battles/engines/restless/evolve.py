"""What each event does to the state: the one place where a battle changes."""

from collections.abc import Callable
from typing import Any

import msgspec

from battles.core.ledger import record_agenda
from battles.engines.restless import events as e
from battles.engines.restless.board import forget
from battles.engines.restless.pack import is_joker
from battles.engines.restless.pieces import Deed, Special
from battles.engines.restless.state import Activation, Contact, State, Unit, acting


def evolve(state: State, event: e.AnyEvent) -> None:
    """The state after the event; the same events from the same state give the same bytes."""
    _EFFECTS[type(event)](state, event)


def _pack_shuffled(state: State, event: e.PackShuffled) -> None:
    state.pack, state.turned = list(event.cards), []


def _special_shuffled(state: State, event: e.SpecialShuffled) -> None:
    state.special, state.discards = list(event.cards), []


def _special_dealt(state: State, event: e.SpecialDealt) -> None:
    commander = state.commanders[event.commander]
    commander.hand = [*commander.hand, state.special.pop(0)]


def _allotted(state: State, event: e.Allotted) -> None:
    there = state.units if event.unit in state.units else state.waiting
    there[event.unit].command = event.commander


def _deployed(state: State, event: e.Deployed) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing, unit.formation = event.at, event.facing, event.formation
    forget(state)


def _card_turned(state: State, event: e.CardTurned) -> None:
    state.card = state.pack.pop(0)
    state.turn = event.turn
    state.jokers += is_joker(event.card)


def _card_discarded(state: State, event: e.CardDiscarded) -> None:
    if state.card is not None:
        state.turned.append(state.card)
    state.card = None


def _hands_returned(state: State, event: e.HandsReturned) -> None:
    for commander in state.commanders.values():
        state.discards += commander.hand
        commander.hand = []


def _activated(state: State, event: e.Activated) -> None:
    state.acting = Activation(event.unit, card=Special.RALLY if event.rallied else None)


def _activation_ended(state: State, event: e.ActivationEnded) -> None:
    state.acting = None


def _special_played(state: State, event: e.SpecialPlayed) -> None:
    commander = state.commanders[event.commander]
    place = commander.hand.index(event.card)
    commander.hand = commander.hand[:place] + commander.hand[place + 1 :]
    state.discards.append(event.card)
    if state.acting is not None:
        state.acting.card = event.card


def _came_on(state: State, event: e.CameOn) -> None:
    where = state.waiting if event.unit in state.waiting else state.away
    unit = state.units[event.unit] = where.pop(event.unit)
    unit.at, unit.facing = event.at, event.facing
    forget(state)


def _move_thrown(state: State, event: e.MoveThrown) -> None:
    acting(state).deeds += [Deed.MOVED] * event.moves


def _moved(state: State, event: e.Moved) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing = event.path[-1] if event.path else unit.at, event.facing
    forget(state)


def _exited(state: State, event: e.Exited) -> None:
    state.exited[event.unit] = _gone(state, event.unit)


def _formed(state: State, event: e.Formed) -> None:
    state.units[event.unit].formation = event.formation
    acting(state).deeds.append(Deed.FORMED)
    forget(state)


def _fire_over(state: State, event: e.FireOver) -> None:
    acting(state).deeds += [Deed.FIRED] * event.volleys


def _charged(state: State, event: e.Charged) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing = event.at, event.facing
    state.contacts += [Contact(event.unit, other) for other in event.touched]
    forget(state)


def _combat_fought(state: State, event: e.CombatFought) -> None:
    acting(state).deeds.append(Deed.FOUGHT)


def _stands_lost(state: State, event: e.StandsLost) -> None:
    state.units[event.unit].stands -= event.stands
    forget(state)


def _closed_up(state: State, event: e.ClosedUp) -> None:
    state.units[event.unit].at = event.at
    forget(state)


def _destroyed(state: State, event: e.Destroyed) -> None:
    state.lost[event.unit] = _gone(state, event.unit)


def _fell_back(state: State, event: e.FellBack) -> None:
    state.units[event.unit].at = event.at
    _parted(state, event.unit)
    forget(state)


def _ran_away(state: State, event: e.RanAway) -> None:
    state.away[event.unit] = unit = _gone(state, event.unit)
    unit.at = event.at


def _command_taken(state: State, event: e.CommandTaken) -> None:
    fallen = state.commanders[event.commander]
    fallen.unit = 0
    if event.successor == event.commander:
        return
    heir = state.commanders[event.successor]
    heir.chief = heir.chief or fallen.chief
    state.discards += state.commanders.pop(event.commander).hand
    for there in (state.units, state.waiting, state.away):
        for unit in there.values():
            if unit.command == event.commander:
                unit.command = event.successor


def _area_taken(state: State, event: e.AreaTaken) -> None:
    state.holders[event.area] = event.side


def _corrected(state: State, event: e.Corrected) -> None:
    unit = msgspec.structs.replace(event.now)
    state.units[unit.id] = unit
    if not unit.stands:
        state.lost[unit.id] = _gone(state, unit.id)
    forget(state)


def _battle_ended(state: State, event: e.BattleEnded) -> None:
    state.result = event.result
    state.agenda = []


def _nothing(state: State, event: e.AnyEvent) -> None:
    """These are told for those who look on; what they lead to follows."""


def _gone(state: State, number: int) -> Unit:
    """The unit, which is no longer on the field."""
    _parted(state, number)
    forget(state)
    return state.units.pop(number)


def _parted(state: State, number: int) -> None:
    """The unit is in contact with nobody any more."""
    state.contacts = [one for one in state.contacts if number not in (one.one, one.other)]


_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.AgendaRecorded: record_agenda,
    e.PackShuffled: _pack_shuffled,
    e.SpecialShuffled: _special_shuffled,
    e.SpecialDealt: _special_dealt,
    e.Allotted: _allotted,
    e.Deployed: _deployed,
    e.CardTurned: _card_turned,
    e.CardDiscarded: _card_discarded,
    e.HandsReturned: _hands_returned,
    e.PassedOn: _nothing,
    e.NobodyActivated: _nothing,
    e.Activated: _activated,
    e.ActivationEnded: _activation_ended,
    e.SpecialPlayed: _special_played,
    e.CameOn: _came_on,
    e.MoveThrown: _move_thrown,
    e.Moved: _moved,
    e.StoodStill: _nothing,
    e.Exited: _exited,
    e.Formed: _formed,
    e.Fired: _nothing,
    e.FireOver: _fire_over,
    e.Charged: _charged,
    e.CombatFought: _combat_fought,
    e.StandsLost: _stands_lost,
    e.ClosedUp: _closed_up,
    e.Destroyed: _destroyed,
    e.MoraleTested: _nothing,
    e.FellBack: _fell_back,
    e.RanAway: _ran_away,
    e.CommandTaken: _command_taken,
    e.AreaTaken: _area_taken,
    e.Corrected: _corrected,
    e.BattleEnded: _battle_ended,
}
