"""The effect of each event on the state: the one place where a battle changes."""

import msgspec

from battles.books.redcoats import events as e
from battles.books.redcoats.board import company, forget, forget_losses
from battles.books.redcoats.book import book
from battles.books.redcoats.brigades import is_face, members
from battles.books.redcoats.pieces import Formation, Heroic, Special
from battles.books.redcoats.state import (
    Activation,
    Brigade,
    Combat,
    Leader,
    State,
    Unit,
    current_activation,
)
from battles.core.game import record_agenda
from battles.core.rules_engine import Handlers

evolve = Handlers[State, [], None]("evolve")
"""Apply an event to the state; the same events from the same state give the same bytes."""

evolve.on(e.AgendaRecorded)(record_agenda)


@evolve.on(e.HeroicShuffled)
def _heroic_shuffled(state: State, event: e.HeroicShuffled) -> None:
    state.heroic, state.discards = list(event.cards), []


@evolve.on(e.HeroicDealt)
def _heroic_dealt(state: State, event: e.HeroicDealt) -> None:
    state.hands.setdefault(event.side, []).append(state.heroic.pop(0))


@evolve.on(e.HeroicPlayed)
def _heroic_played(state: State, event: e.HeroicPlayed) -> None:
    state.hands[event.side].remove(event.card)
    state.discards.append(event.card)
    adds = book().heroic(event.card).adds
    if event.card is Heroic.FIGHTING:
        state.inspired.append(event.unit)
    if state.acting is not None and event.unit in state.acting.units:
        state.acting.carded = True
        state.acting.bonus += adds if event.card is Heroic.MOVEMENT else 0
        state.acting.again += adds if event.card is Heroic.FIREPOWER else 0


@evolve.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> None:
    _put_down(state, event.unit, event.square, event.facing)
    if event.formation is not None:
        state.units[event.unit].formation = event.formation


@evolve.on(e.TurnBegan)
def _turn_began(state: State, event: e.TurnBegan) -> None:
    state.turn, state.pack = event.turn, list(event.pack)
    state.turned, state.cards, state.coordinated = [], {}, {}
    state.queue, state.moored, state.sailed = [], [], []
    if event.turn == 1:
        _begin_from_here(state)


def _begin_from_here(state: State) -> None:
    """Take the units' posts after the deployment as the line-up, from which they come on."""
    pieces: dict[int, Unit | Leader] = {**state.units, **state.leaders}
    state.line_up = {
        number: msgspec.structs.replace(post, square=pieces[number].square)
        for number, post in state.line_up.items()
        if number in pieces  # an umpire may have taken a unit off the field meanwhile
    }


@evolve.on(e.Repacked)
def _repacked(state: State, event: e.Repacked) -> None:
    state.pack, state.turned = list(event.pack), []


@evolve.on(e.Coordinated)
def _coordinated(state: State, event: e.Coordinated) -> None:
    state.coordinated[event.leader] = list(event.units)


@evolve.on(e.Moored)
def _moored(state: State, event: e.Moored) -> None:
    state.moored.append(event.craft)


@evolve.on(e.Dealt)
def _dealt(state: State, event: e.Dealt) -> None:
    state.cards.update(zip(event.to, event.cards, strict=True))
    del state.pack[: len(event.cards)]


@evolve.on(e.CardTurned)
def _card_turned(state: State, event: e.CardTurned) -> None:
    state.turned.append(state.pack.pop(0))


@evolve.on(e.Woke)
def _woke(state: State, event: e.Woke) -> None:
    state.special = [rule for rule in state.special if rule is not Special.ASLEEP]


@evolve.on(e.BecameImpetuous)
def _became_impetuous(state: State, event: e.BecameImpetuous) -> None:
    state.units[event.unit].impetuous = True
    state.cards.pop(event.unit, None)


@evolve.on(e.Calmed)
def _calmed(state: State, event: e.Calmed) -> None:
    state.units[event.unit].impetuous = False


@evolve.on(e.CardTaken)
def _card_taken(state: State, event: e.CardTaken) -> None:
    state.cards.pop(event.unit, None)
    state.queue = [unit_id for unit_id in state.queue if unit_id != event.unit]


@evolve.on(e.Queued)
def _queued(state: State, event: e.Queued) -> None:
    state.cards.pop(event.leader, None)
    state.queue, state.queue_leader = list(event.units), event.leader


@evolve.on(e.Activated)
def _activated(state: State, event: e.Activated) -> None:
    for unit in event.units:
        state.cards.pop(unit, None)
    state.queue = [unit for unit in state.queue if unit not in event.units]
    state.acting = Activation(
        list(event.units), event.points, event.leader, event.bonus, event.loss
    )


@evolve.on(e.ActivationEnded)
def _activation_ended(state: State, event: e.ActivationEnded) -> None:
    state.acting = None


@evolve.on(e.Declared)
def _declared(state: State, event: e.Declared) -> None:
    current_activation(state).declared.append(event.act)


@evolve.on(e.CarriedOut)
def _carried_out(state: State, event: e.CarriedOut) -> None:
    current = current_activation(state)
    state.acting = Activation(
        current.units, 0, current.leader, fired=current.fired, carded=current.carded, carried=True
    )


@evolve.on(e.Forgone)
def _forgone(state: State, event: e.Forgone) -> None:
    """Change nothing: the act is left out."""


@evolve.on(e.Entered)
def _entered(state: State, event: e.Entered) -> None:
    state.entries.pop(event.unit, None)
    _put_down(state, event.unit, event.square, event.facing)
    current_activation(state).moved += event.cost


@evolve.on(e.Moved)
def _moved(state: State, event: e.Moved) -> None:
    for unit, square in zip(event.units, event.to, strict=True):
        _move(state, unit, square)
    first = state.units.get(event.units[0])
    if first is not None and first.brigade:
        state.brigades[first.brigade].facing = event.facing
    elif first is not None:
        first.facing = event.facing
    if first is not None and first.is_craft and event.path:
        state.sailed.append(first.id)
    if state.acting is not None:
        state.acting.moved += event.cost


@evolve.on(e.Left)
def _left(state: State, event: e.Left) -> None:
    if event.unit in state.leaders:
        state.departed.append(_leader_gone(state, event.unit))
    else:
        state.left.append(_take_off_field(state, event.unit))


@evolve.on(e.Formed)
def _formed(state: State, event: e.Formed) -> None:
    unit = state.units[event.unit]
    unit.formation, unit.dismounted = event.formation, event.dismounted
    current_activation(state).moved += event.cost


@evolve.on(e.BrigadeFormed)
def _brigade_formed(state: State, event: e.BrigadeFormed) -> None:
    state.brigades[event.brigade] = Brigade(event.brigade, event.facing, event.faces)
    for number, square, looks in zip(event.units, event.to, event.facings, strict=True):
        _put_down(state, number, square, looks)
        state.units[number].brigade = event.brigade
    for number in event.units[: event.faces]:
        state.units[number].formation = Formation.SQUARE
    current_activation(state).moved += event.cost


@evolve.on(e.BrigadeLeft)
def _brigade_left(state: State, event: e.BrigadeLeft) -> None:
    unit = state.units[event.unit]
    left, unit.brigade = unit.brigade, 0
    _dissolve_without_faces(state, left)
    forget(state)


@evolve.on(e.Loaded)
def _loaded(state: State, event: e.Loaded) -> None:
    _piece(state, event.unit).aboard = event.craft
    _move(state, event.unit, state.units[event.craft].square)
    current_activation(state).moved += event.cost


@evolve.on(e.Unloaded)
def _unloaded(state: State, event: e.Unloaded) -> None:
    _piece(state, event.unit).aboard = 0
    _put_down(state, event.unit, event.square, event.facing)
    current_activation(state).moved += event.cost


@evolve.on(e.Fired)
def _fired(state: State, event: e.Fired) -> None:
    unit = state.units[event.unit]
    if unit.shots > 0:
        unit.shots -= 1
    current = current_activation(state)
    current.fired.append(event.weapon.value if event.weapon else str(unit.id))
    current.spent += event.cost
    current.again -= event.by_card


@evolve.on(e.Disorganised)
def _disorganised(state: State, event: e.Disorganised) -> None:
    state.units[event.unit].disorganised = True
    forget_losses(state)


@evolve.on(e.Recovered)
def _recovered(state: State, event: e.Recovered) -> None:
    state.units[event.unit].disorganised = False
    forget_losses(state)


@evolve.on(e.RecoveryFailed)
def _recovery_failed(_state: State, _event: e.RecoveryFailed) -> None:
    """The unit stays as it is."""


@evolve.on(e.FigureLost)
def _figure_lost(state: State, event: e.FigureLost) -> None:
    state.units[event.unit].figures -= 1


@evolve.on(e.Refloated)
def _refloated(state: State, event: e.Refloated) -> None:
    state.units[event.unit].figures += 1


@evolve.on(e.Lost)
def _lost(state: State, event: e.Lost) -> None:
    state.lost.append(_take_off_field(state, event.unit))


@evolve.on(e.WentIn)
def _went_in(state: State, event: e.WentIn) -> None:
    _move(state, event.unit, event.square)


@evolve.on(e.FellBack)
def _fell_back(state: State, event: e.FellBack) -> None:
    unit = state.units[event.unit]
    unit.facing = event.facing
    if event.path:
        for piece in company(state, unit):
            _move(state, piece.id, event.path[-1])


@evolve.on(e.CombatJudged)
def _combat_judged(state: State, event: e.CombatJudged) -> None:
    fighters = (event.charger, event.charged)
    state.inspired = [unit for unit in state.inspired if unit not in fighters]


@evolve.on(e.CombatBegan)
def _combat_began(state: State, event: e.CombatBegan) -> None:
    state.combats.append(Combat(event.charger, event.charged, event.aspect, state.turn))


@evolve.on(e.CombatEnded)
def _combat_ended(state: State, event: e.CombatEnded) -> None:
    _end_combats(state, event.charger, event.charged)


@evolve.on(e.Pursued)
def _pursued(state: State, event: e.Pursued) -> None:
    _put_down(state, event.unit, event.square, event.facing)


@evolve.on(e.LeaderWounded)
def _leader_wounded(state: State, event: e.LeaderWounded) -> None:
    state.leaders[event.leader].wounded = True


@evolve.on(e.LeaderFell)
def _leader_fell(state: State, event: e.LeaderFell) -> None:
    leader = _leader_gone(state, event.leader)
    leader.wounded = leader.wounded or event.cause == "wounded"
    state.fallen.append(leader)


@evolve.on(e.BrokeOff)
def _broke_off(state: State, event: e.BrokeOff) -> None:
    state.breaking_off.append(event.side)


@evolve.on(e.Corrected)
def _corrected(state: State, event: e.Corrected) -> None:
    unit = msgspec.structs.replace(event.now)
    state.units[unit.id] = unit
    if not unit.figures:
        state.lost.append(_take_off_field(state, unit.id))
    forget(state)
    forget_losses(state)


@evolve.on(e.BattleEnded)
def _battle_ended(state: State, event: e.BattleEnded) -> None:
    state.result = event.result
    state.acting = None


@evolve.on(e.Charged, e.ChargeJudged)
def _no_state_change(state: State, event: object) -> None:
    """Change nothing: the effects of these events follow as events of their own."""


def _put_down(state: State, number: int, square: int, looks: int) -> None:
    _move(state, number, square)
    if number in state.units:
        state.units[number].facing = looks


def _move(state: State, number: int, square: int) -> None:
    _piece(state, number).square = square
    forget(state)


def _piece(state: State, number: int) -> Unit | Leader:
    return state.units.get(number) or state.leaders[number]


def _take_off_field(state: State, number: int) -> Unit:
    unit = state.units.pop(number)
    _dissolve_without_faces(state, unit.brigade)
    state.cards.pop(number, None)
    state.entries.pop(number, None)
    state.queue = [unit_id for unit_id in state.queue if unit_id != number]
    _end_combats(state, number)
    forget(state)
    forget_losses(state)
    return msgspec.structs.replace(unit, brigade=0)


def _dissolve_without_faces(state: State, brigade: int) -> None:
    """Take the units of a brigade Square out of it when its last battalion has gone."""
    left = members(state, brigade) if brigade else []
    if not any(map(is_face, left)):
        for unit in left:
            unit.brigade = 0


def _leader_gone(state: State, number: int) -> Leader:
    state.cards.pop(number, None)
    state.queue = [unit_id for unit_id in state.queue if unit_id != number]
    return state.leaders.pop(number)


def _end_combats(state: State, *numbers: int) -> None:
    state.combats = [
        combat
        for combat in state.combats
        if combat.charger not in numbers and combat.charged not in numbers
    ]
