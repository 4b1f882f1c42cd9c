"""The sequence of a battle: deployment, then its turns and their phases."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.books.fuzzy_wuzzy import (
    aftermath,
    board,
    close_combat,
    firing,
    movement,
    observing,
    orders,
    phases,
)
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToFire
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Arm, Combat
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.contract.set_up import SetUp
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger, Step
from battles.tabletop.deployment import Post, reason_for_no_room, refusal
from battles.tabletop.field import Lying
from battles.tabletop.formations import MovingUnit, Obstacles, TableFormation, free_place, places

# Deployment before the first move: units placed out of the enemy's sight.


def posts(state: State, side: Side) -> dict[int, Post]:
    """Return the units that the side may place, with their posts."""
    if not state.zones.get(side):
        return {}
    return {unit.id: post_of(unit) for unit in board.on_field(state, side)}


def post_of(unit: Unit) -> Post:
    """Return where and how the unit stands."""
    return Post(unit.at, unit.facing, unit.formation)


def formations(unit: Unit) -> tuple[TableFormation, ...]:
    """Return the formations in which the unit may be placed, its present one first."""
    ordered = (change for change in orders.changes(unit) if change in orders.FORMATIONS)
    after = (orders.formation_after(change, unit) for change in ordered)
    return tuple(dict.fromkeys((unit.formation, *after)))


def refusal_of(state: State, number: int, post: Post) -> str:
    """Return why the unit cannot take that post, "" when it can; it tells nothing of enemies."""
    unit = state.units[number]
    if not 0 <= post.facing < 360 or post.formation not in formations(unit):
        return "The unit cannot stand in that formation with that facing."
    stands = places(post.formation, unit.stands, post.at, post.facing, board.STAND)
    friends = [
        board.stands_of(friend) for friend in board.on_field(state, unit.side) if friend is not unit
    ]
    if post == state.line_up.get(number):
        return reason_for_no_room(stands, friends, ())
    # Enemies are hidden: the zones keep the sides apart, and a refusal tells nothing of them.
    return refusal(
        state.field,
        state.zones.get(unit.side, ()),
        stands,
        (friends, ()),
        (book().barred, Lying.NONE),
    )


SET_UP: SetUp[State, Post] = SetUp(
    clause="Sequence 1",
    posts=posts,
    post_given=lambda state, action: action.post,
    refusal=refusal_of,
    deployed=lambda unit, post: e.Deployed(
        unit=unit, at=post.at, facing=post.facing, formation=post.formation
    ),
    has_choice=lambda state, side: bool(posts(state, side)),
)


# The sequence of a move: ten phases, the sides alternating in each (section 3).


PHASES = (
    "orders",
    "movement",
    "reconnaissance",
    "fire combat",
    "fire results",
    "close combat",
    "close results",
    "retreat",
    "rally",
    "recovery",
)
"""The phases in order; each is the first side's, then the other's."""
_BEFORE: Mapping[str, tuple[Step, ...]] = {
    "fire combat": (Step("combat", (Combat.FIRE,)),),
    "close combat": (Step("combat", (Combat.CLOSE,)),),
}
_AFTER: Mapping[str, tuple[Step, ...]] = {
    "movement": (Step("movement ends"),),
    "fire combat": (Step("casualties"),),
    "close combat": (Step("casualties"),),
}
_SECOND_TURN = 2


def turn_begins(ledger: Ledger[State]) -> None:
    """Roll for the initiative, and bring late units on."""
    state = ledger.state
    first = initiative(*(_throw_initiative(ledger, side) for side in Side))
    engaged = tuple(
        unit.id
        for side in Side
        for unit in board.on_field(state, side)
        if board.in_contact(state, unit)
    )
    ledger.emit(e.TurnBegan(turn=state.turn + 1, first=first, engaged=engaged))
    if state.turn >= _SECOND_TURN:
        _arrive(ledger)
    ledger.then(Step("phase", (0,)))


def _throw_initiative(ledger: Ledger[State], side: Side) -> int:
    """Throw for the initiative of a side, with the tactical value of its Commander."""
    value = tactical(ledger.state, side)
    plus = (Modifier(value, "the Commander leads", "Sequence 1"),) if value else ()
    return ledger.roll(Roll("initiative", "Sequence 1", (0,), modifiers=plus, side=side)).total


def tactical(state: State, side: Side) -> int:
    """Return the tactical value of one Commander on the field who obeys orders (ruling)."""
    if state.brief is None:
        return 0
    able = (
        unit.id
        for unit in board.on_field(state, side)
        if unit.arm is Arm.COMMAND and not unit.retreating and not board.is_spent(unit)
    )
    return state.brief.tactical(
        number for unit_id in able for number in state.drawn_from.get(unit_id, ())
    )


def initiative(regulars: int, irregulars: int) -> Side:
    """Return the side that acts first in every phase: the higher die, the regulars if even."""
    return Side.EGYPTIAN if regulars >= irregulars else Side.MAHDIST


def phase(ledger: Ledger[State], number: int) -> None:
    """Run one phase, the side with the initiative first; then the next phase."""
    if number == len(PHASES):
        ledger.then(Step("turn ends"))
        return
    name = PHASES[number]
    ledger.emit(e.PhaseBegan(phase=name))
    first = ledger.state.first
    sides = [Step(name, (side,)) for side in (first, first.enemy)]
    if name == "close results":
        sides += [Step(name, (side, "winners")) for side in (first, first.enemy)]
    after = _AFTER.get(name, ())
    ledger.then(*_BEFORE.get(name, ()), *sides, *after, Step("phase", (number + 1,)))


def combat(ledger: Ledger[State], kind: str) -> None:
    """Begin a combat phase: casualties are counted from nothing."""
    ledger.emit(e.CombatBegan(combat=Combat(kind)))


def fire_combat(ledger: Ledger[State], side: str) -> None:
    """Ask the side for its targets, if it has any."""
    units = tuple(unit.id for unit in firing.firers(ledger.state, Side(side)))
    if units:
        ledger.ask(ToFire(Side(side), units))


def reconnaissance(ledger: Ledger[State], side: str) -> None:
    """Reveal the side's units in contact, then roll for reconnaissance."""
    observing.by_contact(ledger, side)
    observing.reconnoitre(ledger, side)


def turn_ends(ledger: Ledger[State]) -> None:
    """End the move; begin the next one, unless the battle is over."""
    observing.turn_ends(ledger)
    if ledger.state.result is None:
        ledger.then(Step("turn begins"))


def _arrive(ledger: Ledger[State]) -> None:
    """Bring late units on, as near to their posts as there is room."""
    state = ledger.state
    for number, post in tuple(state.waiting.items()):
        unit = state.units[number]
        place = post.at if movement.stands_freely(state, unit, post.at, post.facing) else None
        if place is None:
            others = board.stands_of_units(
                other for side in Side for other in board.on_field(state, side)
            )
            placed = MovingUnit(post.formation, unit.stands, board.STAND)
            place = free_place(placed, post.at, post.facing, Obstacles(state.field, others))
        if place is not None:
            ledger.emit(e.Entered(unit=number, at=place))


STEPS: Mapping[str, Callable[..., Any]] = {
    "set up": SET_UP.ask,
    "turn begins": turn_begins,
    "phase": phase,
    "orders": phases.ask_orders,
    "movement": phases.movement,
    "movement ends": phases.movement_ends,
    "reconnaissance": reconnaissance,
    "combat": combat,
    "fire combat": fire_combat,
    "casualties": aftermath.casualties,
    "fire results": aftermath.fire_results,
    "close combat": close_combat.fight,
    "close results": aftermath.close_results,
    "judge": aftermath.judge,
    "advance": aftermath.advance,
    "retreat": aftermath.retreats,
    "rally": phases.rally,
    "recovery": phases.recover,
    "turn ends": turn_ends,
}
