"""Set up a battle: turn a deployment into the first state."""

from collections.abc import Iterator

import msgspec

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats import formations, heroic
from battles.books.redcoats.actions import ToSetUp
from battles.books.redcoats.board import at
from battles.books.redcoats.book import book
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.field import Field
from battles.books.redcoats.ground import is_water
from battles.books.redcoats.movement import may_share
from battles.books.redcoats.pieces import Special
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.squares import OFF_FIELD, name
from battles.books.redcoats.state import (
    VERSION,
    Brigade,
    Leader,
    Objective,
    State,
    TableEntry,
    Unit,
    asked,
)
from battles.contract.brief import Brief, Side
from battles.core.cards import shuffled
from battles.core.dice import Dice
from battles.core.game import IllegalAction, Outcome, Step
from battles.core.ledger import Ledger


class Deployment(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle ready to begin, made from a scenario or a brief.

    Units of a brigade Square name it; `entries` has the units that wait off the field; `set_up` the
    squares within which a side may move its units before play; `turns` until nightfall, 0 for the
    usual number. `drawn_from`: the units of the brief that each unit or Leader stands for.
    """

    title: str
    field: Field
    units: tuple[Unit, ...]
    leaders: tuple[Leader, ...] = ()
    brigades: tuple[Brigade, ...] = ()
    entries: dict[int, TableEntry] = {}
    set_up: dict[Side, tuple[int, ...]] = {}
    special: tuple[Special, ...] = ()
    objective: Objective | None = None
    turns: int = 0
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}


def new_game(deployment: Deployment, dice: Dice) -> tuple[State, Outcome]:
    """Return the battle at its first question, and the outcome so far: cards shuffled, hands dealt.

    Raises ValueError for an impossible deployment.
    """
    state = drawn_up(deployment)
    return state, begun(state, dice)


def drawn_up(deployment: Deployment) -> State:
    """Return the state before anything has happened, which a journal stores first."""
    faults = list(_faults(deployment))
    if faults:
        raise ValueError(" ".join(faults))
    return State(
        version=VERSION,
        title=deployment.title,
        field=deployment.field,
        units={unit.id: msgspec.structs.replace(unit) for unit in deployment.units},
        leaders={leader.id: msgspec.structs.replace(leader) for leader in deployment.leaders},
        strengths={side: sum(unit.side is side for unit in deployment.units) for side in Side},
        turns=deployment.turns or book().number("nightfall"),
        brief=deployment.brief,
        drawn_from=dict(deployment.drawn_from),
        brigades={one.id: msgspec.structs.replace(one) for one in deployment.brigades},
        entries=dict(deployment.entries),
        set_up=dict(deployment.set_up),
        special=list(deployment.special),
        objective=deployment.objective,
    )


def begun(state: State, dice: Dice) -> Outcome:
    """Shuffle and deal the Heroic Leadership cards and play on to the first question.

    Battle begins 3, 4.
    """
    ledger = Ledger(state, dice, evolve)
    ledger.emit(e.HeroicShuffled(cards=tuple(shuffled(heroic.whole_pack(), ledger))))
    for side in Side:
        for _ in range(book().number("hand")):
            heroic.deal(ledger, side)
    ledger.then(Step("set up", tuple(side for side in Side if state.set_up.get(side))))
    ledger.advance(STEPS)
    return ledger.recorded(e.AgendaRecorded)


def check_deploy(state: State, action: a.Deploy) -> None:
    """Raise IllegalAction unless the square is free and within the side's set-up squares."""
    side = asked(state, ToSetUp).side
    piece = state.units.get(action.unit) or state.leaders.get(action.unit)
    if piece is None or piece.side is not side or piece.square == OFF_FIELD or piece.aboard:
        raise IllegalAction(
            "Battle begins 2", f"{action.unit} is no unit of yours on the field.", "Choose another."
        )
    if action.square not in places(state, piece) or not 0 <= action.facing < 8:
        raise IllegalAction(
            "Battle begins 2",
            f"It cannot be set up at {name(action.square)}.",
            "Choose a free square of your side's.",
        )


def deploy(ledger: Ledger[State], action: a.Deploy) -> None:
    """Put the unit or Leader on the square."""
    ledger.emit(e.Deployed(unit=action.unit, square=action.square, facing=action.facing))


def places(state: State, piece: Unit | Leader) -> tuple[int, ...]:
    """Return the squares in which the unit or Leader may be set up."""
    return tuple(
        square
        for square in state.set_up.get(piece.side, ())
        if is_water(state.field, square) is (isinstance(piece, Unit) and piece.is_craft)
        and _fits(state, piece, square)
    )


def movable(state: State, side: Side) -> tuple[int, ...]:
    """Return the units and Leaders that the side may move before play; brigade Squares stay."""
    pieces: list[Unit | Leader] = [*state.units.values(), *state.leaders.values()]
    return tuple(
        piece.id
        for piece in pieces
        if piece.side is side
        and piece.square != OFF_FIELD
        and not piece.aboard
        and not (isinstance(piece, Unit) and piece.brigade)
    )


def _fits(state: State, piece: Unit | Leader, square: int) -> bool:
    others = [unit for unit in at(state, square) if unit is not piece]
    if any(unit.side is not piece.side for unit in others):
        return False
    return isinstance(piece, Leader) or may_share(piece, others)


def _faults(deployment: Deployment) -> Iterator[str]:
    pieces: list[Unit | Leader] = [*deployment.units, *deployment.leaders]
    numbers = [piece.id for piece in pieces]
    if len(set(numbers)) != len(numbers) or min(numbers, default=1) < 1:
        yield "Units and Leaders need numbers of their own, from 1 on."
    crowds: dict[int, list[Unit]] = {}
    for unit in deployment.units:
        yield from _faults_of(deployment, unit)
        if unit.square != OFF_FIELD and not unit.aboard:
            crowds.setdefault(unit.square, []).append(unit)
    for square, units in crowds.items():
        if len(units) > 1 and not may_share(units[0], units[1:]):
            yield f"{len(units)} units cannot share {name(square)}."


def _faults_of(deployment: Deployment, unit: Unit) -> Iterator[str]:
    what = f"Unit {unit.id} ({unit.name or unit.kind})"
    field = deployment.field
    if unit.square == OFF_FIELD:
        if unit.id not in deployment.entries:
            yield f"{what} is off the field and has no entry."
    elif not field.holds(unit.square):
        yield f"{what} stands outside the field."
    elif is_water(field, unit.square) is not (unit.is_craft or bool(unit.aboard)):
        yield f"{what} cannot be in {name(unit.square)}: water is for vessels."
    if not formations.may_take(unit, unit.formation):
        yield f"{what} cannot be in {unit.formation}."
    if not 1 <= unit.figures <= unit.full:
        yield f"{what} has {unit.figures} of {unit.full} figures."
    if unit.brigade and unit.brigade not in {one.id for one in deployment.brigades}:
        yield f"{what} belongs to a brigade Square that is not there."
