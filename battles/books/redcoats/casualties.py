"""What units suffer: hits, disorganisation, figures lost, falling back (Disorganisation)."""

from battles.books.redcoats import events as e
from battles.books.redcoats.board import at, company
from battles.books.redcoats.ground import is_water
from battles.books.redcoats.outcomes import Outcome
from battles.books.redcoats.squares import STEPS, Aspect, opposite
from battles.books.redcoats.state import State, Unit
from battles.core.ledger import Ledger


def hit(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """A hit: the unit is disorganised, or was and loses a figure; craft lose a flotation point."""
    if unit.is_craft or unit.disorganised:
        lose_figure(ledger, unit, cause)
    else:
        disorganise(ledger, unit, cause)


def disorganise(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """The unit is disorganised, and not activated any more this turn (Disorganisation 1, 2)."""
    if unit.disorganised:
        return
    ledger.emit(e.Disorganised(unit=unit.id, cause=cause))
    state = ledger.state
    if unit.id in state.cards or unit.id in state.queue:
        ledger.emit(e.CardTaken(unit=unit.id, cause="disorganised"))
    _leave_coordination(ledger, unit)


def lose_figure(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """The unit loses a figure, and is destroyed with the last."""
    if unit.id not in ledger.state.units:
        return
    ledger.emit(e.FigureLost(unit=unit.id, cause=cause))
    if unit.figures <= 0:
        destroy(ledger, unit, "sunk" if unit.is_craft else cause)


def destroy(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """The unit is lost, and with a vessel whatever is aboard."""
    state = ledger.state
    for passenger in [one for one in state.units.values() if one.aboard == unit.id]:
        ledger.emit(e.Lost(unit=passenger.id, cause="drowned"))
    for leader in [one for one in state.leaders.values() if one.aboard == unit.id]:
        ledger.emit(e.LeaderFell(leader=leader.id, cause="drowned"))
    ledger.emit(e.Lost(unit=unit.id, cause=cause))


def fall_back(ledger: Ledger[State], unit: Unit, squares: int, away: tuple[int, int]) -> None:
    """The unit goes so many squares; `away` is the way it goes and the way it faces then.

    What shares its square goes with it. Where others, or water, bar the way it loses a figure
    more; over the edge of the field it has left the battle (ruling).
    """
    state, (way, facing) = ledger.state, away
    if unit.brigade:
        ledger.emit(e.BrigadeLeft(unit=unit.id))
    path: list[int] = []
    here = unit.square
    for _ in range(squares):
        here += STEPS[way]
        if not state.field.holds(here):
            _leave_field(ledger, unit)
            return
        if at(state, here) or is_water(state.field, here):
            break
        path.append(here)
    blocked = len(path) < squares
    ledger.emit(e.FellBack(unit=unit.id, path=tuple(path), facing=facing, blocked=blocked))
    if blocked:
        lose_figure(ledger, unit, "blocked")


def suffer(ledger: Ledger[State], loser: Unit, result: Outcome, away: tuple[int, int]) -> None:
    """What an outcome does to its loser: figures, order and ground, in that order.

    `away` is the way it goes and the way it faces then. What shares its square loses its order
    with it.
    """
    state = ledger.state
    cause = "combat" if result.loser == "lower" else "charge"
    with_it = [piece for piece in company(state, loser) if isinstance(piece, Unit)]
    for _ in range(result.figures):
        lose_figure(ledger, loser, cause)
    for piece in with_it if result.disorganised else ():
        if piece.id in state.units:
            disorganise(ledger, piece, cause)
    if result.back and loser.id in state.units:
        fall_back(ledger, loser, result.back, away)


def driven(unit: Unit, strikes: Aspect, way: int) -> tuple[int, int]:
    """Which way a unit is driven that was struck so by an enemy coming `way`, and faces then.

    Struck in front it goes to its rear as it stands; else straight away from the enemy (ruling).
    """
    if strikes is Aspect.FRONT:
        return opposite(unit.facing), unit.facing
    return way, opposite(way)


def _leave_field(ledger: Ledger[State], unit: Unit) -> None:
    for piece in company(ledger.state, unit):
        ledger.emit(e.Left(unit=piece.id, cause="driven off"))


def _leave_coordination(ledger: Ledger[State], unit: Unit) -> None:
    """A disorganised unit is not among those that a Leader's card will activate."""
    for leader, units in ledger.state.coordinated.items():
        if unit.id in units:
            rest = tuple(number for number in units if number != unit.id)
            ledger.emit(e.Coordinated(leader=leader, units=rest))
            return
