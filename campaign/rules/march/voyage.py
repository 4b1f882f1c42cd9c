"""A voyage under way: allowances by class of water, cataracts, wrecks, passengers (8.23).

It is a step of the agenda, so that its owner can be asked who is left ashore where hulls are
lost: course, hexes left on navigable and on other water, whether rough water was sailed, the way.
"""

from collections.abc import Sequence
from typing import NamedTuple

from battles.core.dice import Modifier, Roll
from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board, chart, laws
from campaign.rules.effects import Throw
from campaign.rules.in_force import modifiers
from campaign.rules.map import HexId, Nav
from campaign.rules.march.rivers import NOT_ROLLED, river_step, water_of
from campaign.rules.march.wrecks import roll_for_wreck
from campaign.rules.pieces import RIVER_CRAFT, UNCOUNTED, Kind, UnitId
from campaign.rules.questions import ToChooseUnits
from campaign.rules.stacking import ids
from campaign.rules.state import State, Unit, on_march

UNLIMITED = 10_000


class Course(NamedTuple):
    """Which way, and the hexes left of each class of water; NOT_ROLLED until it is entered."""

    direction: int
    navigable: int
    unnavigable: int
    rough: int

    def left(self, water: Nav) -> int:
        return self.navigable if water is Nav.NAVIGABLE else self.unnavigable

    def rolled(self, water: Nav, hexes: int) -> "Course":
        """The same with the allowance of this water known."""
        if water is Nav.NAVIGABLE:
            return self._replace(navigable=hexes)
        return self._replace(unnavigable=hexes)

    def after_a_hex(self, water: Nav) -> "Course":
        """Every allowance counts from the first hex of its class, whatever comes after (8.23 V)."""
        return Course(
            self.direction,
            _one_less(self.navigable),
            _one_less(self.unnavigable),
            self.rough or int(water is Nav.UNNAVIGABLE),
        )


def _one_less(hexes: int) -> int:
    return hexes if hexes == NOT_ROLLED else hexes - 1


def voyage(ledger: Ledger[State], *args: int) -> None:
    """The stack sails on until its way, its allowance or a cataract ends the leg (8.23)."""
    state = ledger.state
    course, path = Course(*args[:4]), [HexId(there) for there in args[4:]]
    here, leg = on_march(state).route[-1], []
    while path and (step := river_step(state, here, path[0], course.direction)):
        water = water_of(state, step)
        if course.left(water) == NOT_ROLLED:
            course = course.rolled(water, _hexes_allowed(ledger, water, course.direction))
        if course.left(water) <= 0:
            break
        leg.append(path.pop(0))
        course = course.after_a_hex(water)
        cataract = chart(state).cataract_at(step.to)
        if cataract and cataract != chart(state).cataract_at(here):
            _pass_cataract(ledger, leg, Step("voyage", (*course, *path)), cataract)
            return
        here = step.to
    _arrive(ledger, leg)
    if course.rough:
        _roll_for_wrecks(ledger, "an unnavigable reach")


def _pass_cataract(ledger: Ledger[State], leg: list[HexId], onward: Step, name: str) -> None:
    """All stop and roll; who is not wrecked goes on, with whom the hulls left can carry."""
    _arrive(ledger, leg)
    _roll_for_wrecks(ledger, name)
    hulls, passengers = _hulls(ledger.state), _passengers(ledger.state)
    if not hulls:
        return
    ledger.then(onward)
    room = len(hulls) * laws(ledger.state).number("river.capacity")
    if len(passengers) > room:
        side, count = ledger.state.side, len(passengers) - room
        ledger.ask(ToChooseUnits(side, "left ashore", "8.23", ids(passengers), count))


def left_ashore(ledger: Ledger[State], *units: UnitId) -> None:
    """These passengers stay beside the cataract; they march no more this turn (8.23)."""
    ledger.emit(e.DroppedOff(units))


def _hulls(state: State) -> list[Unit]:
    units = board(state).named(on_march(state).units)
    return [unit for unit in units if unit.kind in RIVER_CRAFT]


def _passengers(state: State) -> list[Unit]:
    units = board(state).named(on_march(state).units)
    return [unit for unit in units if unit.kind not in UNCOUNTED]


def _arrive(ledger: Ledger[State], leg: Sequence[HexId]) -> None:
    ledger.emit(e.Sailed(ids(_hulls(ledger.state)), tuple(leg)))


def _roll_for_wrecks(ledger: Ledger[State], where: str) -> None:
    for hull in _hulls(ledger.state):
        roll_for_wreck(ledger, hull, where)


def _hexes_allowed(ledger: Ledger[State], water: Nav, direction: int) -> int:
    """The least of what the hulls of each kind and nation are allowed (8.23)."""
    hulls = one_of_each(_hulls(ledger.state))
    return min(_allowance(ledger, hull, water, direction) for hull in hulls)


def one_of_each(hulls: Sequence[Unit]) -> list[Unit]:
    """Return a hull of each kind and nation, in the order in which they throw (8.23)."""
    alike = {(hull.kind, hull.nation): hull for hull in hulls}
    return [hull for _, hull in sorted(alike.items())]


def _allowance(ledger: Ledger[State], hull: Unit, water: Nav, direction: int) -> int:
    state = ledger.state
    allowed = allowance_of(state, hull, water, direction)
    if not allowed.dice:
        return allowed.hexes(())
    roll = ledger.roll(
        Roll(
            f"{hull.kind.capitalize()} upstream on {water} water",
            "8.23",
            (0,) * allowed.dice,
            modifiers=allowed.modifiers,
            table="rivers",
            side=state.side,
        )
    )
    ledger.amend(roll, result=f"{roll.total} hexes")
    return roll.total


class HexesAllowed(NamedTuple):
    """How many hexes of a class of water a hull may make: so many dice, and what is added."""

    dice: int
    modifiers: tuple[Modifier, ...]

    def hexes(self, thrown: Sequence[int]) -> int:
        """The hexes allowed when the dice have fallen so."""
        return sum(thrown) + sum(one.value for one in self.modifiers)


def allowance_of(state: State, hull: Unit, water: Nav, direction: int) -> HexesAllowed:
    """Return what the hull is allowed on that water, upstream where `direction` is -1 (8.23)."""
    table = laws(state).upstream if direction < 0 else laws(state).downstream
    allowed = table(hull.kind, water, hull.nation)
    add = UNLIMITED if allowed.unlimited else allowed.add
    certain = Modifier(add, "hexes that need no dice", "8.23")
    if allowed.unlimited or not allowed.dice:
        return HexesAllowed(0, (certain,))
    extra = modifiers(state, Throw.BOAT_UPSTREAM, [hull]) if hull.kind is Kind.BOAT else ()
    return HexesAllowed(allowed.dice, (*extra, certain))
