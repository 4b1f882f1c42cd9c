"""Set up a battle: turn a deployment into the first state."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats import leaders, movement
from battles.books.redcoats.board import at, is_water
from battles.books.redcoats.book import book
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.field import OFF_FIELD, Field, column, name, row, square_at
from battles.books.redcoats.hand_to_hand import weight
from battles.books.redcoats.movement import may_share
from battles.books.redcoats.pieces import Formation, Special
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.state import (
    VERSION,
    Brigade,
    Leader,
    Objective,
    SquarePost,
    State,
    TableEntry,
    Unit,
)
from battles.contract.brief import Brief, Side
from battles.contract.set_up import SetUp
from battles.core.dice import Dice, shuffle_cards
from battles.core.game import Ledger, Outcome, Step


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
    return state, begin_battle(state, dice)


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
        strengths={
            side: sum((weight(unit) for unit in deployment.units if unit.side is side), 0.0)
            for side in Side
        },
        turns=deployment.turns or book().number("nightfall"),
        brief=deployment.brief,
        drawn_from=dict(deployment.drawn_from),
        brigades={brigade.id: msgspec.structs.replace(brigade) for brigade in deployment.brigades},
        entries=dict(deployment.entries),
        set_up=dict(deployment.set_up),
        line_up=_line_up(deployment),
        special=list(deployment.special),
        objective=deployment.objective,
    )


def _line_up(deployment: Deployment) -> dict[int, SquarePost]:
    """Return the posts of all units and Leaders on the field whose side may place them."""
    pieces: list[Unit | Leader] = [*deployment.units, *deployment.leaders]
    return {
        piece.id: post_of(piece)
        for piece in pieces
        if deployment.set_up.get(piece.side) and piece.square != OFF_FIELD and not piece.aboard
    }


def begin_battle(state: State, dice: Dice) -> Outcome:
    """Shuffle and deal the Heroic Leadership cards and play on to the first question.

    Battle begins 3, 4.
    """
    ledger = Ledger(state, dice, evolve)
    ledger.emit(e.HeroicShuffled(cards=tuple(shuffle_cards(leaders.heroic_pack(), ledger))))
    for side in Side:
        for _ in range(leaders.largest_hand(state, side)):
            leaders.deal_heroic(ledger, side)
    ledger.then(SET_UP.step(state), Step("turn begins"))
    ledger.advance(STEPS)
    return ledger.recorded(e.AgendaRecorded)


def _post_given(state: State, action: a.Deploy) -> SquarePost:
    """Return the post that the action gives: without a formation, in the unit's present one."""
    unit = state.units.get(action.unit)
    formation = action.formation or (unit.formation if unit else None)
    return SquarePost(action.square, action.facing, formation)


def post_of(piece: Unit | Leader) -> SquarePost:
    """Return where and how the unit or Leader stands."""
    if isinstance(piece, Leader):
        return SquarePost(piece.square, 0)
    return SquarePost(piece.square, piece.facing, piece.formation)


def posts(state: State, side: Side) -> dict[int, SquarePost]:
    """Return the units and Leaders on the field that the side may place, with their posts."""
    if not state.set_up.get(side):
        return {}
    pieces: list[Unit | Leader] = [*state.units.values(), *state.leaders.values()]
    return {
        piece.id: post_of(piece)
        for piece in pieces
        if piece.side is side and piece.square != OFF_FIELD and not piece.aboard
    }


def places(state: State, piece: Unit | Leader) -> tuple[int, ...]:
    """Return the squares in which the unit or Leader may be set up as it is."""
    now, zone = post_of(piece), state.set_up.get(piece.side, ())
    if isinstance(piece, Leader) or not piece.brigade:
        return tuple(square for square in zone if _has_room(state, piece, square, (piece.id,)))
    return tuple(
        square
        for square in zone
        if not _refusal(state, piece.id, SquarePost(square, now.facing, now.formation))
    )


def placed_formations(unit: Unit) -> tuple[Formation, ...]:
    """Return the formations in which the unit may be set up, its present one first."""
    return (unit.formation,) if unit.brigade else (unit.formation, *movement.changes(unit))


def _together(state: State, number: int, post: SquarePost) -> dict[int, SquarePost]:
    """Return the posts of the unit and, for a brigade Square, of all that belongs to it."""
    unit = state.units.get(number)
    if unit is None or not unit.brigade:
        return {number: post}
    step = post.square - unit.square
    parts = [part for part in state.units.values() if part.brigade == unit.brigade]
    inside = {part.square for part in parts} | _middle(parts)
    led = [leader for leader in state.leaders.values() if leader.side is unit.side]
    pieces: list[Unit | Leader] = [*parts, *(leader for leader in led if leader.square in inside)]
    return {
        piece.id: msgspec.structs.replace(post_of(piece), square=piece.square + step)
        for piece in pieces
    }


def _middle(parts: Iterable[Unit]) -> set[int]:
    """Return the square within the faces of a brigade Square."""
    faces = [part.square for part in parts if part.formation is Formation.SQUARE]
    rows, columns = [row(square) for square in faces], [column(square) for square in faces]
    return {square_at(sum(columns) // len(faces), sum(rows) // len(faces))} if faces else set()


def _refusal(state: State, number: int, post: SquarePost) -> str:
    moving = _together(state, number, post)
    unit = state.units.get(number)
    # Most places are tried in the present formation, which needs no list of the others.
    wrong = unit is not None and (
        post.formation is None
        or (post.formation is not unit.formation and post.formation not in placed_formations(unit))
    )
    if wrong or not 0 <= post.facing < 8:
        return "The unit cannot stand in that formation with that facing."
    pieces = [state.units.get(piece_id) or state.leaders[piece_id] for piece_id in moving]
    if all(_fits(state, piece, moving[piece.id].square, moving) for piece in pieces):
        return ""
    place = f"at {name(post.square)}" if state.field.holds(post.square) else "off the field"
    return f"It cannot be set up {place}."


def _fits(state: State, piece: Unit | Leader, square: int, moving: Collection[int]) -> bool:
    """Return whether the piece may stand in the square, beside those that move with it."""
    zone = state.set_up.get(piece.side, ())
    return square in zone and _has_room(state, piece, square, moving)


def _has_room(state: State, piece: Unit | Leader, square: int, moving: Collection[int]) -> bool:
    """Return whether the square of the zone is land, or water for craft, and has room."""
    afloat = isinstance(piece, Unit) and piece.is_craft
    if is_water(state.field, square) is not afloat:
        return False
    others = [unit for unit in at(state, square) if unit.id not in moving]
    if any(unit.side is not piece.side for unit in others):
        return False
    return isinstance(piece, Leader) or may_share(piece, others)


SET_UP: SetUp[State, SquarePost] = SetUp(
    clause="Battle begins 2",
    posts=posts,
    post_given=_post_given,
    refusal=_refusal,
    deployed=lambda unit, post: e.Deployed(
        unit=unit, square=post.square, facing=post.facing, formation=post.formation
    ),
    has_choice=lambda state, side: bool(posts(state, side)),
    together=_together,
)


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
    label = f"Unit {unit.id} ({unit.name or unit.kind})"
    field = deployment.field
    if unit.square == OFF_FIELD:
        if unit.id not in deployment.entries:
            yield f"{label} is off the field and has no entry."
    elif not field.holds(unit.square):
        yield f"{label} stands outside the field."
    elif is_water(field, unit.square) is not (unit.is_craft or bool(unit.aboard)):
        yield f"{label} cannot be in {name(unit.square)}: water is for vessels."
    if not movement.may_take(unit, unit.formation):
        yield f"{label} cannot be in {unit.formation}."
    if not 1 <= unit.figures <= unit.full:
        yield f"{label} has {unit.figures} of {unit.full} figures."
    if unit.brigade and unit.brigade not in {brigade.id for brigade in deployment.brigades}:
        yield f"{label} belongs to a brigade Square that is not there."
