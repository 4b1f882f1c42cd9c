"""Actions of an activated unit: a check and an effect for each."""

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import (
    activation,
    charging,
    close_combat,
    firing,
    movement,
    sequence,
)
from battles.books.restless_natives import events as e
from battles.books.restless_natives import movement as ways
from battles.books.restless_natives.actions import ToMove
from battles.books.restless_natives.board import on_field
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.special import playable
from battles.books.restless_natives.state import (
    State,
    acting_unit,
    current_activation,
    open_question,
)
from battles.core.game import IllegalAction, Ledger
from battles.tabletop.formations import TableFormation


def check_done(state: State, action: a.Done) -> None:
    """Raise IllegalAction if the unit is engaged and has to fight first."""
    if activation.must_fight(state):
        raise IllegalAction(
            "Activated unit 8",
            "The unit is in close combat and must fight another round of it.",
            "Say with whom it fights.",
        )


def done(ledger: Ledger[State], action: a.Done) -> None:
    """End the activation."""
    ledger.emit(e.ActivationEnded())


def check_card(state: State, action: a.PlayCard) -> None:
    """Raise IllegalAction unless the unit's commander can play that card now."""
    if action.card not in cards(state):
        raise IllegalAction(
            "Activated unit 9",
            "That card cannot be laid down now.",
            "One card of the unit’s commander, before the unit does anything.",
        )


def play_card(ledger: Ledger[State], action: a.PlayCard) -> None:
    """Play and discard the card; it helps the unit for this activation."""
    unit = acting_unit(ledger.state)
    ledger.emit(e.SpecialPlayed(commander=unit.command, card=action.card, unit=unit.id))


def cards(state: State) -> tuple[Special, ...]:
    """Return the Special Event Cards that can be played for the activated unit."""
    if not activation.may_play(current_activation(state)):
        return ()
    return playable(state.commanders[acting_unit(state).command])


def check_march(state: State, action: a.March) -> None:
    """Raise IllegalAction unless the unit has so many moves left."""
    _check_free(state)
    if not 1 <= action.moves <= activation.moves_left(current_activation(state)):
        raise IllegalAction(
            "Activated unit 4",
            f"The unit cannot move {action.moves} times now.",
            "A unit moves twice, or once with one other thing.",
        )


def march(ledger: Ledger[State], action: a.March) -> None:
    """Roll for the move, and ask where the unit goes."""
    unit = acting_unit(ledger.state)
    most, rough = movement.march(ledger, unit, action.moves)
    ledger.ask(ToMove(unit.side, unit.id, most, rough, action.moves))


def check_fire(state: State, action: a.Fire) -> None:
    """Raise IllegalAction unless the unit can fire so often at these targets."""
    _check_free(state)
    if not 1 <= action.volleys <= activation.volleys_left(current_activation(state)):
        raise IllegalAction(
            "Activated unit 3",
            f"The unit cannot fire {action.volleys} times now.",
            "A unit fires twice, or once with one other thing.",
        )
    firing.check_volleys(state, acting_unit(state), action.targets, action.volleys)


def fire(ledger: Ledger[State], action: a.Fire) -> None:
    """Resolve the fire at once."""
    firing.fire(ledger, acting_unit(ledger.state), action.targets, action.volleys)


def check_form(state: State, action: a.Form) -> None:
    """Raise IllegalAction unless the unit can take that formation here, as its first deed."""
    _check_free(state)
    if action.formation not in changes(state):
        raise IllegalAction(
            "Activated unit 5",
            f"The unit cannot form {action.formation} now.",
            "It changes formation before it moves or fires, where there is room for it.",
        )


def form(ledger: Ledger[State], action: a.Form) -> None:
    """Change the unit's formation."""
    unit = acting_unit(ledger.state)
    ledger.emit(e.Formed(unit=unit.id, formation=action.formation))


def changes(state: State) -> tuple[TableFormation, ...]:
    """Return the formations that the activated unit can change to now."""
    if activation.must_fight(state) or not activation.may_form(current_activation(state)):
        return ()
    return movement.changes(state, acting_unit(state))


def check_fight(state: State, action: a.Fight) -> None:
    """Raise IllegalAction unless the unit is in contact with that enemy."""
    if action.target not in activation.enemies(state):
        raise IllegalAction(
            "Close combat 6", "The unit is not in contact with that enemy.", "Choose one it fights."
        )


def fight(ledger: Ledger[State], action: a.Fight) -> None:
    """Fight a further round of close combat."""
    state = ledger.state
    close_combat.fight(ledger, acting_unit(state), state.units[action.target], first=False)


def reach(state: State) -> ways.Reach:
    """Return the moves that are open to the unit with the dice it has rolled."""
    question = open_question(state, ToMove)
    return ways.Reach(state, state.units[question.unit], question.most, question.rough)


def check_move(state: State, action: a.Move) -> None:
    """Raise IllegalAction if the path is blocked or longer than the dice allow."""
    ways.check_move(reach(state), action.path, action.facing)


def move(ledger: Ledger[State], action: a.Move) -> None:
    """Move the unit."""
    unit = acting_unit(ledger.state)
    far = movement.way_length(unit, action.path)
    ledger.emit(e.Moved(unit=unit.id, path=action.path, facing=action.facing, length=far))


def stand_still(ledger: Ledger[State], action: a.Done) -> None:
    """Decline the move that was rolled for."""
    ledger.emit(e.StoodStill(unit=acting_unit(ledger.state).id))


def attacks(state: State) -> list[charging.Attack]:
    """Return the close combats that the unit can initiate with the dice it has rolled."""
    foes = on_field(state, open_question(state, ToMove).side.enemy)
    candidates = [attack_on(state, foe.id) for foe in foes]
    return [attack for attack in candidates if attack is not None]


def attack_on(state: State, target: int) -> charging.Attack | None:
    """Return the close combat with one enemy that the unit can initiate with its dice, if any.

    It is cached until a unit moves: options, checks and the computer ask for it.
    """
    question = open_question(state, ToMove)
    if (
        not activation.may_initiate(current_activation(state), question.moves)
        or target not in state.units
    ):
        return None
    cache: dict[object, charging.Attack | None] = state.__dict__.setdefault("attacks", {})
    if (question, target) not in cache:
        cache[question, target] = charging.attack_if_near(
            state, acting_unit(state), state.units[target], most=question.most, rough=question.rough
        )
    return cache[question, target]


def check_charge(state: State, action: a.Charge) -> None:
    """Raise IllegalAction unless the unit's first and single move can reach the enemy."""
    if attack_on(state, action.target) is None:
        raise IllegalAction(
            "Activated unit 7",
            "The unit cannot come into contact with that enemy.",
            "It takes a single move, made first, that reaches him, with nobody in the way.",
        )


def charge(ledger: Ledger[State], action: a.Charge) -> None:
    """Move the unit into contact and fight the first round."""
    state = ledger.state
    unit, foe = acting_unit(state), state.units[action.target]
    attack = attack_on(state, foe.id)
    if attack is None:
        raise LookupError(f"Unit {unit.id} cannot reach unit {foe.id}.")
    ledger.emit(
        e.Charged(
            unit=unit.id,
            target=foe.id,
            at=attack.at,
            facing=attack.facing,
            length=attack.length,
            touched=attack.touched,
        )
    )
    close_combat.fight(ledger, unit, foe, first=True)


def check_leave(state: State, action: a.Leave) -> None:
    """Raise IllegalAction unless the unit has reached the exit."""
    if not sequence.may_leave(state, acting_unit(state)):
        raise IllegalAction("Scenarios 6", "The unit is not at an exit.", "Move there first.")


def leave(ledger: Ledger[State], action: a.Leave) -> None:
    """Take the unit off the field by the exit."""
    ledger.emit(e.Exited(unit=acting_unit(ledger.state).id))


def _check_free(state: State) -> None:
    if activation.must_fight(state):
        raise IllegalAction(
            "Activated unit 8",
            "The unit is in close combat and can do nothing else.",
            "Fight another round.",
        )
