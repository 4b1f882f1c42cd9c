"""Activation: the lowest card, the throw for action points, and the actions (Turn 7, 8)."""

from battles.books.redcoats import action_points as points
from battles.books.redcoats import declaration
from battles.books.redcoats import events as e
from battles.books.redcoats.actions import ToAct, ToChooseNext
from battles.books.redcoats.board import leaders_with, squares_fought_in
from battles.books.redcoats.brigades import is_face, members
from battles.books.redcoats.dealing import activation_order
from battles.books.redcoats.state import Leader, State, Unit
from battles.core.game import Step
from battles.core.ledger import Ledger


def activate(ledger: Ledger[State]) -> None:
    """Activate the unit or Leader of the lowest card, and so on until no card is left."""
    state = ledger.state
    if not state.cards:
        return
    number = min(state.cards, key=lambda one: activation_order(state.cards[one]))
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
    thrown = points.thrown(ledger, next(filter(is_face, units), unit))
    effect = points.formation_effect(units)
    ledger.emit(
        e.Activated(
            units=tuple(one.id for one in units),
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
    if declaration.is_complete(state):
        declaration.carry_out(ledger)
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
    return square if all(one.id in state.queue for one in square) else [unit]


def _is_first(state: State, number: int) -> bool:
    """Return whether a number is a choice of its own: a whole brigade Square is only one choice."""
    unit = state.units.get(number)
    return unit is None or together(state, unit)[0] is unit
