"""Casualties and disorganisation."""

from typing import NamedTuple

from battles.books.redcoats import events as e
from battles.books.redcoats.actions import ToPlayCard
from battles.books.redcoats.board import at, company
from battles.books.redcoats.book import book
from battles.books.redcoats.ground import is_water
from battles.books.redcoats.heroic import can_be_led
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.squares import STEPS, Aspect, adjacent, around, opposite
from battles.books.redcoats.state import State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.game import Step
from battles.core.ledger import Ledger


class Outcome(NamedTuple):
    """What is to happen. `loser`: "charger", "charged", "lower" or nobody.

    `back`: squares it falls back; `figures`: it loses; `enters`: the charger stands in the
    charged unit's square.
    """

    difference: int
    loser: str
    back: int
    figures: int
    disorganised: bool
    enters: bool

    @property
    def words(self) -> str:
        """Return the outcome as the record of the throws keeps it."""
        parts = [
            "goes in" if self.enters else "",
            f"{self.loser} falls back {self.back}" if self.back else "",
            f"loses {self.figures}" if self.figures else "",
            "disorganised" if self.disorganised else "",
        ]
        return ", ".join(part for part in parts if part) or "stands"


def looked_up(table: str, difference: int, *, further: bool) -> Outcome:
    """Return the row of a table for a difference; `further`: the loser was disorganised before."""
    row = book().outcome(table, difference)
    lost = row.figures + _further(table, difference, further=further)
    return Outcome(difference, row.loser, row.back, lost, row.disorganised, row.enters)


def _further(table: str, difference: int, *, further: bool) -> int:
    return int(further and difference >= book().number(f"{table} further loss"))


def recovers(score: int, figures: int) -> bool:
    """Return whether a modified score brings a unit with so many figures back to order."""
    return score <= figures


def modifiers(friends: int, leaders: int) -> tuple[Modifier, ...]:
    """What friends in adjacent squares and Leaders in or beside the square take off the score."""
    number = book().number
    found = []
    if friends:
        taken_off = friends * number("recovery friend")
        found.append(Modifier(taken_off, "friends near", "Disorganisation 6"))
    if leaders:
        taken_off = leaders * number("recovery leader")
        found.append(Modifier(taken_off, "Leader near", "Disorganisation 6"))
    return tuple(found)


def friends_near(state: State, unit: Unit) -> int:
    """Friendly units in adjacent squares."""
    return sum(
        other.side is unit.side for square in around(unit.square) for other in at(state, square)
    )


def leaders_near(state: State, unit: Unit) -> int:
    """Return the side's Leaders in the unit's square and in those adjacent."""
    return sum(
        leader.side is unit.side
        and (leader.square == unit.square or adjacent(leader.square, unit.square))
        for leader in state.leaders.values()
    )


def recovery(ledger: Ledger[State]) -> None:
    """Every disorganised unit tries, and Leaders may refloat the vessel they are on (Turn 9)."""
    state = ledger.state
    ledger.then(
        *(
            Step("recover", (unit.id,))
            for unit in state.units.values()
            if unit.disorganised or (unit.is_craft and unit.figures < unit.full)
        )
    )


def recover(ledger: Ledger[State], number: int) -> None:
    """A unit throws; where it fails, its Leader may play his card. Vessels need the card."""
    state = ledger.state
    unit = state.units[number]
    if not unit.is_craft and _throws(ledger, unit):
        ledger.emit(e.Recovered(unit=number, cause="dice"))
    elif can_be_led(state, unit, Heroic.RECOVER):
        ledger.ask(ToPlayCard(unit.side, number, Heroic.RECOVER))


def recovered_by_card(ledger: Ledger[State], number: int) -> None:
    """The card brings the unit back to order, or mends the vessel by one flotation point."""
    if ledger.state.units[number].is_craft:
        ledger.emit(e.Refloated(unit=number))
    else:
        ledger.emit(e.Recovered(unit=number, cause="leader"))


def _throws(ledger: Ledger[State], unit: Unit) -> bool:
    state = ledger.state
    roll = ledger.roll(
        Roll(
            "recovery",
            "Disorganisation 7",
            (0,),
            book().faces("recovery", unit),
            modifiers=modifiers(friends_near(state, unit), leaders_near(state, unit)),
            side=unit.side,
        )
    )
    fits = recovers(roll.total, unit.figures)
    ledger.amend(roll, result="recovers" if fits else "stays", table=f"{unit.figures} or less")
    return fits


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
