"""The field as a commander looks at it: who stands near whom, and which way danger lies."""

from collections.abc import Iterable

from battles.books.redcoats.board import board
from battles.books.redcoats.book import book
from battles.books.redcoats.pieces import Troops
from battles.books.redcoats.squares import STEPS, STRIDE, Aspect, aspect, towards
from battles.books.redcoats.state import State, Unit
from battles.contract.troops import Side

FAR = 99


def view_of(state: State, side: Side) -> "Scene":
    """That side's view of the field; the same one until a unit has moved, come or gone."""
    here = board(state)
    known: tuple[object, dict[Side, Scene]] | None = state.__dict__.get("scenes")
    if known is None or known[0] is not here:
        known = state.__dict__["scenes"] = (here, {})
    scenes = known[1]
    if side not in scenes:
        scenes[side] = Scene(state, side)
    return scenes[side]


class Scene:
    """One side's view of the units on the field."""

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        here = [unit for units in board(state).values() for unit in units]
        self.mine = [unit for unit in here if unit.side is side]
        self.foes = [unit for unit in here if unit.side is not side and not unit.is_craft]
        self.foe_squares = [divmod(foe.square, STRIDE) for foe in self.foes]
        self._crowds: dict[int, int] = {}
        self._far: dict[int, int] = {}

    def crowd(self, square: int) -> int:
        """How many of this side's units stand in a square and on its four sides."""
        if square not in self._crowds:
            here = board(self.state)
            self._crowds[square] = sum(
                unit.side is self.side
                for there in (square, *(square + STEPS[way] for way in (0, 2, 4, 6)))
                for unit in here.get(there, ())
            )
        return self._crowds[square]

    def to_foe(self, square: int) -> int:
        """Squares to the nearest enemy on land, counted orthogonally; FAR without one."""
        if square not in self._far:
            row, column = divmod(square, STRIDE)
            self._far[square] = min(
                (abs(row - r) + abs(column - c) for r, c in self.foe_squares), default=FAR
            )
        return self._far[square]

    def nearest(self, square: int, foes: Iterable[Unit] | None = None) -> Unit | None:
        """The nearest enemy on land, a steady one before others as near."""
        row, column = divmod(square, STRIDE)

        def far(foe: Unit) -> tuple[int, bool, int]:
            r, c = divmod(foe.square, STRIDE)
            return abs(row - r) + abs(column - c), foe.disorganised, foe.id

        return min(self.foes if foes is None else foes, key=far, default=None)

    def looking(self, square: int, facing: int) -> int:
        """The facing towards the nearest enemy; as before where there is none."""
        foe = self.nearest(square)
        return facing if foe is None or foe.square == square else towards(square, foe.square)


def reach_of_fire(unit: Unit) -> int:
    """Squares that the unit's weapon carries; 0 for spears and train."""
    if unit.is_gun:
        return book().range(unit.kind.value, unit.troops)
    if not unit.armed or unit.is_craft or not (unit.on_foot or unit.mounted):
        return 0
    return book().range("firearms", unit.troops)


def is_dervish(unit: Unit) -> bool:
    """Whether it comes on as the Dervishes do: not the irregulars of the other side."""
    return unit.troops is Troops.DERVISH


def can_fight(unit: Unit) -> bool:
    """Whether it is foot or horse, with which battles are won."""
    return unit.on_foot or unit.mounted


def exposed(unit: Unit, foe: Unit) -> bool:
    """Whether the enemy stands on the unit's flank or behind it."""
    return aspect(unit.square, unit.facing, foe.square) is not Aspect.FRONT


def attacks(state: State, side: Side) -> bool:
    """Whether that side has to go for the enemy, or for a place he holds."""
    if state.brief is None:
        return state.objective is None or state.objective.side is side
    orders = state.brief.party(side).orders
    return orders == "attack" or (orders != "hold" and state.brief.attacker.side is side)
