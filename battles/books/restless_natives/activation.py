"""The pack of cards, command on a card, and what an activated unit may still do (Turn 2, 4)."""

from collections.abc import Mapping

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import close_combat
from battles.books.restless_natives import events as e
from battles.books.restless_natives.actions import ToAct, ToCommand
from battles.books.restless_natives.board import foes, is_engaged
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Deed
from battles.books.restless_natives.state import (
    Activation,
    Commander,
    State,
    current_activation,
    open_question,
)
from battles.contract.brief import Side
from battles.core.dice import PACK, Card, Suit
from battles.core.game import IllegalAction, Ledger, Step

# The pack of cards, and what an activated unit may still do.


JOKERS = (Card(0, Suit.HEARTS), Card(0, Suit.SPADES))


def whole_pack() -> tuple[Card, ...]:
    """Return the 54 cards, jokers among them."""
    return (*PACK, *JOKERS)


def is_joker(card: Card) -> bool:
    """Return whether the card is a joker."""
    return card.rank == 0


def side_of(card: Card) -> Side | None:
    """Return the card's side: red the British, black the Natives; None for a joker."""
    if is_joker(card):
        return None
    return Side.EGYPTIAN if card.red else Side.MAHDIST


def deals(card: Card) -> Side | None:
    """Return the side whose players get a Special Event Card for it (Turn sequence 3 and 5)."""
    return side_of(card) if card.court else None


MOVE, FIRE, FORM = Deed.MOVED, Deed.FIRED, Deed.FORMED

_AFTER: Mapping[tuple[Deed, ...], frozenset[Deed]] = {
    (): frozenset({MOVE, FIRE, FORM}),
    (MOVE,): frozenset({MOVE, FIRE}),
    (FIRE,): frozenset({MOVE, FIRE}),
    (FORM,): frozenset({MOVE, FIRE}),
}


def may_follow(deeds: tuple[Deed, ...]) -> frozenset[Deed]:
    """Return what a unit may do after these deeds: move, fire or change formation.

    Close combat is checked elsewhere: a unit that fights may only move into contact first.
    """
    return _AFTER.get(deeds, frozenset())


def moves_left(current: Activation) -> int:
    """Return how many moves the unit can still make: 0, 1 or 2."""
    return _times(current, MOVE)


def volleys_left(current: Activation) -> int:
    """Return how often the unit can still fire: 0, 1 or 2."""
    return _times(current, FIRE)


def may_form(current: Activation) -> bool:
    """Return whether the unit can still change formation."""
    return FORM in may_follow(tuple(current.deeds))


def may_initiate(current: Activation, moves: int) -> bool:
    """Return whether the move just rolled for may end in close combat (Activated unit 7).

    It has to be the first deed of the unit, and a single move. `current` has it among its deeds.
    """
    return moves == 1 and current.deeds == [MOVE]


def may_play(current: Activation) -> bool:
    """Return whether a Special Event Card may be played: one, before the unit does anything."""
    return current.card is None and not current.deeds


def must_fight(state: State) -> bool:
    """Return whether the unit has to fight a round of close combat (Activated unit 8)."""
    current = current_activation(state)
    return Deed.FOUGHT not in current.deeds and is_engaged(state, state.units[current.unit])


def act(ledger: Ledger[State]) -> None:
    """Ask for the unit's next deed, or end the activation when it has done all it can."""
    state = ledger.state
    current = current_activation(state)
    if current.unit in state.units and (must_fight(state) or may_follow(tuple(current.deeds))):
        ledger.ask(ToAct(state.units[current.unit].side, current.unit))
    else:
        ledger.emit(e.ActivationEnded())


def enemies(state: State) -> tuple[int, ...]:
    """Return the enemies among which the activated unit has to choose one to fight."""
    if not must_fight(state):
        return ()
    return tuple(foe.id for foe in foes(state, state.units[current_activation(state).unit]))


def _times(current: Activation, deed: Deed) -> int:
    deeds = tuple(current.deeds)
    if deed not in may_follow(deeds):
        return 0
    return book().number("deeds") - len(deeds)


# Command on a card of a side's colour: activating a unit, passing the initiative (Turn 2, 4).


def chief(state: State, side: Side) -> Commander:
    """Return the Commander-in-Chief of a side. Raises LookupError for a side without one."""
    for commander in state.commanders.values():
        if commander.side is side and commander.chief:
            return commander
    raise LookupError(f"The {side} side has no Commander-in-Chief.")


def own_units(state: State, commander: Commander) -> tuple[int, ...]:
    """Return the units that the commander may activate directly, those yet to come included."""
    present = [unit.id for unit in state.units.values() if unit.command == commander.id]
    waiting = [
        unit.id
        for unit in state.waiting.values()
        if unit.command == commander.id and close_combat.place(state, unit) is not None
    ]
    return (*present, *waiting)


def subordinates(state: State, commander: Commander) -> tuple[int, ...]:
    """Return the commanders to whom a Commander-in-Chief may pass the initiative."""
    if not commander.chief:
        return ()
    return tuple(
        other.id
        for other in state.commanders.values()
        if other.side is commander.side and other is not commander and can_activate(state, other)
    )


def can_activate(state: State, commander: Commander) -> bool:
    """Return whether the commander has a unit to activate or to rally."""
    return bool(own_units(state, commander) or close_combat.can_rally(state, commander))


def command(ledger: Ledger[State], side: str) -> None:
    """Ask the Commander-in-Chief; nobody is activated if the side has no unit for it."""
    acting_side = Side(side)
    commander = chief(ledger.state, acting_side)
    if can_activate(ledger.state, commander) or subordinates(ledger.state, commander):
        ledger.ask(ToCommand(acting_side, commander.id))
    else:
        ledger.emit(e.NobodyActivated(side=acting_side, cause="nobody left"))


def check_activate(state: State, action: a.Activate) -> None:
    """Raise IllegalAction unless the unit is under the asked commander's direct command."""
    if action.unit not in own_units(state, _asked_commander(state)):
        raise IllegalAction(
            "Turn sequence 2",
            f"Unit {action.unit} is not this commander’s to activate.",
            "Choose one under his direct command, or pass the initiative on.",
        )


def activate(ledger: Ledger[State], action: a.Activate) -> None:
    """Activate the unit; one that waits comes on to the field first."""
    state = ledger.state
    commander = _asked_commander(state)
    if action.unit in state.waiting:
        close_combat.come_on(ledger, state.waiting[action.unit], "entered")
    ledger.emit(e.Activated(unit=action.unit, commander=commander.id))
    ledger.then(Step("act"))


def check_rally(state: State, action: a.Rally) -> None:
    """Raise IllegalAction unless the unit ran away, has room, and its commander the card."""
    if action.unit not in close_combat.can_rally(state, _asked_commander(state)):
        raise IllegalAction(
            "Special event cards 6",
            f"Unit {action.unit} cannot be rallied now.",
            "It takes a unit of his that has run away, and Rally Once Again! in his hand.",
        )


def rally(ledger: Ledger[State], action: a.Rally) -> None:
    """Bring the unit back on to the field and activate it."""
    commander = _asked_commander(ledger.state)
    close_combat.rally(ledger, commander, ledger.state.away[action.unit])
    ledger.emit(e.Activated(unit=action.unit, commander=commander.id, rallied=True))
    ledger.then(Step("act"))


def check_pass_on(state: State, action: a.PassOn) -> None:
    """Raise IllegalAction unless a Commander-in-Chief passes to an able subordinate."""
    if action.commander not in subordinates(state, _asked_commander(state)):
        raise IllegalAction(
            "Turn sequence 2",
            "The initiative cannot be passed on to him.",
            "Only the Commander-in-Chief passes it on, to a subordinate who has units.",
        )


def pass_on(ledger: Ledger[State], action: a.PassOn) -> None:
    """Ask the subordinate instead."""
    side = _asked_commander(ledger.state).side
    ledger.emit(e.PassedOn(commander=action.commander))
    ledger.ask(ToCommand(side, action.commander))


def nobody(ledger: Ledger[State], action: a.Done) -> None:
    """Let the card go by without an activation."""
    ledger.emit(e.NobodyActivated(side=_asked_commander(ledger.state).side, cause="choice"))


def _asked_commander(state: State) -> Commander:
    return state.commanders[open_question(state, ToCommand).commander]
