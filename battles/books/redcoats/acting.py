"""The actions of an activated unit, each with its check and its procedure (Turn 7)."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from battles.books.redcoats import actions as a
from battles.books.redcoats import brigades, craft, leaders, movement, offers
from battles.books.redcoats import events as e
from battles.books.redcoats import movement as points
from battles.books.redcoats.board import at, leaders_with
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import fire
from battles.books.redcoats.charging import charge
from battles.books.redcoats.field import STEPS, name
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.refusals import no_charge, no_shot
from battles.books.redcoats.state import Leader, State, Unit, current_activation
from battles.core.game import IllegalAction, Ledger


def check_done(state: State, action: a.Done) -> None:
    """Raise IllegalAction if a unit that breaks off has not moved away yet."""
    if offers.must_go_on(state):
        raise IllegalAction(
            "Break off 2", "Your side breaks off: this unit must move away from the enemy."
        )


def check_enter(state: State, action: a.Enter) -> None:
    if action.square not in offers.entry_squares(state) or not 0 <= action.facing < 8:
        raise IllegalAction(
            "Night march 1",
            f"The unit cannot come on to the field at {name(action.square)}.",
            "Choose a free square of those where it may enter.",
        )


def enter(ledger: Ledger[State], action: a.Enter) -> None:
    state = ledger.state
    ledger.emit(
        e.Entered(
            unit=_unit(state).id,
            square=action.square,
            facing=action.facing,
            cost=offers.entry_cost(state, action.square),
        )
    )


def check_move(state: State, action: a.Move) -> None:
    """Raise IllegalAction unless every step is possible and the points suffice."""
    if not 0 <= action.facing < 8:
        raise IllegalAction("Movement 2", "A facing is a number from 0 to 7.")
    cost = move_cost(state, action)
    left = points.movement_left(current_activation(state))
    if cost > left:
        raise IllegalAction(
            "Movement 1", f"That takes {cost} action points: it has {left} left.", "Go less far."
        )
    if action.path and not offers.may_stop(state, action.path[-1]):
        raise IllegalAction("Break off 2", "The unit must move away from the nearest enemy.")


def move_cost(state: State, action: a.Move) -> int:
    """Return the action points of a move. Raises IllegalAction for one that is impossible."""
    unit = offers.acting_unit(state)
    if unit is None:
        return _ride_cost(state, action)
    if not offers.is_on_field(state):
        raise IllegalAction("Movement 2", "The unit is not on the field, or fights hand to hand.")
    if offers.is_brigade(state):
        return brigades.path_cost(state, unit.brigade, action.path, action.facing)
    if unit.is_craft:
        return _voyage_cost(state, unit, action)
    return movement.path_cost(state, unit, action.path, action.facing)


def move(ledger: Ledger[State], action: a.Move) -> None:
    """Move the unit with its Leaders and passengers."""
    state = ledger.state
    cost, pieces = move_cost(state, action), _movers(state)
    shift = action.path[-1] - _origin(state) if action.path else 0
    squares = tuple(piece.square + shift for piece in pieces)
    side = pieces[0].side
    _leave_brigade(ledger)
    ledger.emit(
        e.Moved(
            units=tuple(piece.id for piece in pieces),
            path=action.path,
            to=squares,
            facing=action.facing,
            cost=cost,
        )
    )
    for square in squares if action.path else ():
        leaders.capture_leaders(ledger, square, side)


def check_leave(state: State, action: a.Leave) -> None:
    if not offers.may_leave(state):
        raise IllegalAction(
            "Break off 2",
            "The unit cannot leave the field from here.",
            "Only a side that breaks off does, over an edge away from the enemy.",
        )


def leave(ledger: Ledger[State], action: a.Leave) -> None:
    """Leave the field with the unit and its Leaders, and end the activation."""
    for piece in _movers(ledger.state):
        ledger.emit(e.Left(unit=piece.id, cause="broke off"))
    ledger.emit(e.ActivationEnded())


def check_charge(state: State, action: a.Charge) -> None:
    if all(attack.target != action.target for attack in offers.attacks(state)):
        raise no_charge(state, action.target)


def charges(ledger: Ledger[State], action: a.Charge) -> None:
    """Carry out a charge and end the activation."""
    state = ledger.state
    unit = _unit(state)
    attack = next(attack for attack in offers.attacks(state) if attack.target == action.target)
    charge(ledger, unit, attack)
    ledger.emit(e.ActivationEnded())


def check_fire(state: State, action: a.Fire) -> None:
    shot_of(state, action)


def fires(ledger: Ledger[State], action: a.Fire) -> None:
    shot = shot_of(ledger.state, action)
    fire(ledger, shot.target, shot.cost, by_card=shot.by_card)


def check_form(state: State, action: a.Form) -> None:
    if action.formation not in offers.changes(state):
        raise IllegalAction(
            "Formations 2",
            f"The unit cannot form {action.formation} now.",
            "Its kind, its way of fighting and its action points decide.",
        )


def form(ledger: Ledger[State], action: a.Form) -> None:
    unit = _unit(ledger.state)
    _leave_brigade(ledger)
    _change_formation(ledger, unit, dismounted=unit.dismounted, formation=action.formation)


def check_mount(state: State, action: a.Mount) -> None:
    if not offers.may_mount(state):
        raise IllegalAction(
            "Dismounted camelry 2",
            "The unit cannot mount now.",
            "It must be dismounted camelry in Line or Column.",
        )


def mount(ledger: Ledger[State], action: a.Mount) -> None:
    unit = _unit(ledger.state)
    _change_formation(ledger, unit, dismounted=False, formation=unit.formation)


def check_dismount(state: State, action: a.Dismount) -> None:
    if not offers.may_dismount(state):
        raise IllegalAction(
            "Dismounted camelry 1",
            "The unit cannot dismount now.",
            "Only mounted British and Egyptian camelry does.",
        )


def dismount(ledger: Ledger[State], action: a.Dismount) -> None:
    unit = _unit(ledger.state)
    _change_formation(ledger, unit, dismounted=True, formation=unit.formation)


def check_form_brigade(state: State, action: a.FormBrigade) -> None:
    _chosen_forming(state, action)


def form_brigade(ledger: Ledger[State], action: a.FormBrigade) -> None:
    """March the battalions to their faces and end the activation of all of them.

    Leaders who were with them go to the middle.
    """
    state = ledger.state
    unit, forming = _unit(state), _chosen_forming(state, action)
    faces = [(battalion, forming.middle + STEPS[way], way) for battalion, way in forming.faces]
    joining = brigades.units_that_join(forming, offers.waiting_with(state))
    formed = [*faces, *((member, member.square, looks) for member, looks in joining)]
    led = [leader for battalion, _ in forming.faces for leader in leaders_with(state, battalion)]
    ledger.emit(
        e.BrigadeFormed(
            brigade=max(state.brigades, default=0) + 1,
            facing=unit.facing - unit.facing % 2,
            faces=len(faces),
            units=tuple(member.id for member, _, _ in formed),
            to=tuple(square for _, square, _ in formed),
            facings=tuple(looks for _, _, looks in formed),
            cost=forming.cost,
        )
    )
    for leader in led:
        if leader.square != forming.middle:
            way = (forming.middle,)
            ledger.emit(e.Moved(units=(leader.id,), path=way, to=way, facing=0, cost=0))
    for member, _, _ in formed:
        if member.id in state.queue:
            ledger.emit(e.CardTaken(unit=member.id, cause="brigade"))
    ledger.emit(e.ActivationEnded())


def _chosen_forming(state: State, action: a.FormBrigade) -> brigades.Forming:
    for forming in offers.brigade_formings(state):
        if action.middle in (0, forming.middle):
            return forming
    raise IllegalAction(
        "Formations 8",
        "No brigade Square can be formed there.",
        "A Leader must co-ordinate three or four battalions, which reach its faces in this move.",
    )


def check_load(state: State, action: a.Load) -> None:
    if action.craft not in offers.loading_vessels(state):
        raise IllegalAction(
            "Gunboats 23",
            "The unit cannot go aboard that vessel.",
            "It must lie moored alongside, empty, and be fit for such troops.",
        )


def load(ledger: Ledger[State], action: a.Load) -> None:
    """Load the unit with its Leader, or a Leader alone, and end the activation."""
    state = ledger.state
    _leave_brigade(ledger)
    cost = book().points("formation")
    for piece in _movers(state):
        ledger.emit(e.Loaded(unit=piece.id, craft=action.craft, cost=cost))
        cost = 0
    ledger.emit(e.ActivationEnded())


def check_unload(state: State, action: a.Unload) -> None:
    if action.square not in offers.landing_squares(state) or not 0 <= action.facing < 8:
        raise IllegalAction(
            "Gunboats 23",
            f"The unit cannot land at {name(action.square)}.",
            "The vessel must lie moored all turn, beside a free square of the bank.",
        )


def unload(ledger: Ledger[State], action: a.Unload) -> None:
    """Land the unit with every Leader aboard, or a Leader alone."""
    state = ledger.state
    vessel = offers.acting_piece(state).aboard
    unit = offers.acting_unit(state)
    aboard = [leader.id for leader in state.leaders.values() if leader.aboard == vessel]
    cost = book().points("formation")
    for number in [unit.id, *aboard] if unit is not None else list(current_activation(state).units):
        ledger.emit(e.Unloaded(unit=number, square=action.square, facing=action.facing, cost=cost))
        cost = 0


def check_card(state: State, action: a.PlayCard) -> None:
    if action.card not in offers.cards(state):
        raise IllegalAction(
            "Heroic Leadership 1",
            f"'{action.card}' cannot be played for this unit now.",
            "A Leader must share its square, hold the card, and have played none for it yet.",
        )


def play_card(ledger: Ledger[State], action: a.PlayCard) -> None:
    unit = _unit(ledger.state)
    ledger.emit(e.HeroicPlayed(side=unit.side, card=action.card, unit=unit.id))


def _unit(state: State) -> Unit:
    unit = offers.acting_unit(state)
    if unit is None:
        raise IllegalAction("Turn sequence 7", "A Leader on his own can only move.")
    return unit


def shot_of(state: State, action: a.Fire) -> offers.Shot:
    """Return the shot that the action describes. Raises IllegalAction when it is not possible."""
    number = action.unit or current_activation(state).units[0]
    enemy = state.units.get(action.target)
    if enemy is not None and number in current_activation(state).units:
        for shot in offers.shots_of(state, number, within=(enemy.square,)):
            if (shot.target.unit, shot.target.weapon) == (action.target, action.weapon):
                return shot
    raise no_shot(state, number, action.target)


class DeedRules(NamedTuple):
    """The check of an act, which changes nothing, and the procedure that carries it out."""

    check: Callable[[State, Any], None]
    carry_out: Callable[[Ledger[State], Any], None]


DEEDS: Mapping[type, DeedRules] = {
    a.Enter: DeedRules(check_enter, enter),
    a.Move: DeedRules(check_move, move),
    a.Leave: DeedRules(check_leave, leave),
    a.Charge: DeedRules(check_charge, charges),
    a.Fire: DeedRules(check_fire, fires),
    a.Form: DeedRules(check_form, form),
    a.FormBrigade: DeedRules(check_form_brigade, form_brigade),
    a.Mount: DeedRules(check_mount, mount),
    a.Dismount: DeedRules(check_dismount, dismount),
    a.Load: DeedRules(check_load, load),
    a.Unload: DeedRules(check_unload, unload),
}


def _change_formation(
    ledger: Ledger[State], unit: Unit, *, dismounted: bool, formation: Formation
) -> None:
    cost = offers.formation_cost(unit)
    ledger.emit(e.Formed(unit=unit.id, formation=formation, dismounted=dismounted, cost=cost))


def _movers(state: State) -> list[Unit | Leader]:
    """Return all that move together: Leaders with a unit, a whole Square, a vessel's passengers."""
    unit = offers.acting_unit(state)
    if unit is None:
        return [offers.acting_leader(state)]
    if offers.is_brigade(state):
        units = brigades.members(state, unit.brigade)
        return [*units, *brigades.inside(state, unit.brigade)]
    with_it = leaders_with(state, unit) if _is_foremost(state, unit) else []
    aboard = craft.passenger(state, unit) if unit.is_craft else None
    return [unit, *with_it, *([aboard] if aboard is not None else [])]


def _origin(state: State) -> int:
    unit = offers.acting_unit(state)
    if unit is not None and offers.is_brigade(state):
        return brigades.corner(state, unit.brigade)
    return _movers(state)[0].square


def _is_foremost(state: State, unit: Unit) -> bool:
    """Return whether the unit is the first in its square: Leaders go with it, not with gunners."""
    units = at(state, unit.square)
    return not units or units[0] is unit


def _leave_brigade(ledger: Ledger[State]) -> None:
    """Take a unit of a brigade Square out of it when it acts for itself (ruling)."""
    unit = offers.acting_unit(ledger.state)
    if unit is not None and unit.brigade and not offers.is_brigade(ledger.state):
        ledger.emit(e.BrigadeLeft(unit=unit.id))


def _ride_cost(state: State, action: a.Move) -> int:
    leader = offers.acting_leader(state)
    position, spent = leader.square, 0
    for square in action.path:
        cost = leaders.step_cost(state, leader, position, movement.way_to(position, square))
        if cost is None:
            raise IllegalAction("Movement 2", f"The Leader cannot ride into {name(square)}.")
        position, spent = square, spent + cost
    return spent


def _voyage_cost(state: State, unit: Unit, action: a.Move) -> int:
    if action.path and (unit.id in state.sailed or unit.id in state.moored):
        raise IllegalAction("Gunboats 23", "The vessel makes one move a turn, none when moored.")
    return craft.move_cost(state, unit, action.path, action.facing)
