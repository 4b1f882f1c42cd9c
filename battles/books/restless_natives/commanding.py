"""Command on a card of a side's colour: activating a unit, passing the initiative (Turn 2, 4)."""

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import coming_on
from battles.books.restless_natives import events as e
from battles.books.restless_natives.actions import ToCommand
from battles.books.restless_natives.state import Commander, State, asked
from battles.contract.brief import Side
from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger


def chief(state: State, side: Side) -> Commander:
    """Return the Commander-in-Chief of a side. Raises LookupError for a side without one."""
    for commander in state.commanders.values():
        if commander.side is side and commander.chief:
            return commander
    raise LookupError(f"The {side} side has no Commander-in-Chief.")


def own_units(state: State, commander: Commander) -> tuple[int, ...]:
    """Return the units that the commander may activate directly, those yet to come included."""
    here = [unit.id for unit in state.units.values() if unit.command == commander.id]
    waiting = [
        unit.id
        for unit in state.waiting.values()
        if unit.command == commander.id and coming_on.place(state, unit) is not None
    ]
    return (*here, *waiting)


def subordinates(state: State, commander: Commander) -> tuple[int, ...]:
    """Return the commanders to whom a Commander-in-Chief may pass the initiative."""
    if not commander.chief:
        return ()
    return tuple(
        one.id
        for one in state.commanders.values()
        if one.side is commander.side and one is not commander and can_activate(state, one)
    )


def can_activate(state: State, commander: Commander) -> bool:
    """Return whether the commander has a unit to activate or to rally."""
    return bool(own_units(state, commander) or coming_on.can_rally(state, commander))


def command(ledger: Ledger[State], side: str) -> None:
    """Ask the Commander-in-Chief; nobody is activated if the side has no unit for it."""
    of = Side(side)
    commander = chief(ledger.state, of)
    if can_activate(ledger.state, commander) or subordinates(ledger.state, commander):
        ledger.ask(ToCommand(of, commander.id))
    else:
        ledger.emit(e.NobodyActivated(side=of, cause="nobody left"))


def check_activate(state: State, action: a.Activate) -> None:
    """Raise IllegalAction unless the unit is under the asked commander's direct command."""
    if action.unit not in own_units(state, _asked(state)):
        raise IllegalAction(
            "Turn sequence 2",
            f"Unit {action.unit} is not this commander's to activate.",
            "Choose one under his direct command, or pass the initiative on.",
        )


def activate(ledger: Ledger[State], action: a.Activate) -> None:
    """Activate the unit; one that waits comes on to the field first."""
    state = ledger.state
    commander = _asked(state)
    if action.unit in state.waiting:
        coming_on.come_on(ledger, state.waiting[action.unit], "entered")
    ledger.emit(e.Activated(unit=action.unit, commander=commander.id))
    ledger.then(Step("act"))


def check_rally(state: State, action: a.Rally) -> None:
    """Raise IllegalAction unless the unit ran away, has room, and its commander the card."""
    if action.unit not in coming_on.can_rally(state, _asked(state)):
        raise IllegalAction(
            "Special event cards 6",
            f"Unit {action.unit} cannot be rallied now.",
            "It takes a unit of his that has run away, and Rally Once Again! in his hand.",
        )


def rally(ledger: Ledger[State], action: a.Rally) -> None:
    """Bring the unit back on to the field and activate it."""
    commander = _asked(ledger.state)
    coming_on.rally(ledger, commander, ledger.state.away[action.unit])
    ledger.emit(e.Activated(unit=action.unit, commander=commander.id, rallied=True))
    ledger.then(Step("act"))


def check_pass_on(state: State, action: a.PassOn) -> None:
    """Raise IllegalAction unless a Commander-in-Chief passes to an able subordinate."""
    if action.commander not in subordinates(state, _asked(state)):
        raise IllegalAction(
            "Turn sequence 2",
            "The initiative cannot be passed on to him.",
            "Only the Commander-in-Chief passes it on, to a subordinate who has units.",
        )


def pass_on(ledger: Ledger[State], action: a.PassOn) -> None:
    """Ask the subordinate instead."""
    side = _asked(ledger.state).side
    ledger.emit(e.PassedOn(commander=action.commander))
    ledger.ask(ToCommand(side, action.commander))


def nobody(ledger: Ledger[State], action: a.Done) -> None:
    """Let the card go by without an activation."""
    ledger.emit(e.NobodyActivated(side=_asked(ledger.state).side, cause="choice"))


def _asked(state: State) -> Commander:
    return state.commanders[asked(state, ToCommand).commander]
