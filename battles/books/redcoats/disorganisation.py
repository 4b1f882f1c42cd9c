"""Recovery from disorganisation at the end of a turn (Disorganisation 4 to 7)."""

from battles.books.redcoats import events as e
from battles.books.redcoats.board import at
from battles.books.redcoats.book import book
from battles.books.redcoats.heroic import can_be_led
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.questions import ToPlayCard
from battles.books.redcoats.squares import adjacent, around
from battles.books.redcoats.state import State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.game import Step
from battles.core.ledger import Ledger


def recovers(score: int, figures: int) -> bool:
    """Whether a modified score brings a unit with so many figures back to order."""
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
    """The side's Leaders in the unit's square and in those adjacent."""
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
