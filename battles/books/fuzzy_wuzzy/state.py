"""The state of a battle: one typed document that holds everything that can change in it."""

from typing import Annotated, TypeVar

import msgspec

from battles.books.fuzzy_wuzzy.actions import Asked, Question, UnitOrder
from battles.books.fuzzy_wuzzy.pieces import GUNS, Arm, Combat, Rate, Troops, Weapon
from battles.contract.brief import Brief, Side
from battles.contract.report import BattleResult
from battles.core.decoding import NumberOrNone, rest_name
from battles.core.game import IllegalAction, Step
from battles.tabletop.deployment import Outline, Post
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

VERSION = 1

Q = TypeVar("Q", bound=Asked)


class Unit(msgspec.Struct, array_like=True):
    """A unit of one or more stands.

    `markers` has the casualty markers of each stand in the order of its formation, `at` is the
    middle of its front rank, in hundredths of a centimetre, `full` the stands it came with,
    less those that parted. `before` are the rates of its last moves, the latest last. `seen`:
    observed by the enemy. A unit is `retreating` until rallied, and `rallied` counts its stands
    that are; `threat` is the point it retreats from. `owes` is the rate of a forced retreat in
    its next move, `leave` the rate at which it may close in that move whatever went before; a
    `halted` unit may not move in it. `wounded` units are stands on their way to the rear with
    casualties; they cannot rally. `of` is the unit they left.
    """

    id: int
    side: Side
    arm: Arm
    troops: Annotated[Troops, rest_name("army")]
    weapon: Weapon
    markers: tuple[int, ...]
    full: int
    at: TablePoint
    facing: int
    formation: TableFormation
    name: str = ""
    camels: bool = False
    dismounted: bool = False
    before: Annotated[tuple[Rate, ...], rest_name("last_rates")] = ()
    seen: bool = False
    retreating: bool = False
    rallied: Annotated[int, rest_name("rallied_stands")] = 0
    threat: TablePoint | None = None
    owes: Rate | None = None
    leave: Rate | None = None
    halted: bool = False
    wounded: bool = False
    of: NumberOrNone = 0

    @property
    def stands(self) -> int:
        """Return the number of stands left."""
        return len(self.markers)

    @property
    def casualties(self) -> int:
        """Return the casualty markers on all its stands."""
        return sum(self.markers)

    @property
    def is_gun(self) -> bool:
        return self.arm in GUNS

    @property
    def mounted(self) -> bool:
        """Return whether it fights on horses or camels."""
        return self.arm is Arm.CAVALRY and not self.dismounted

    @property
    def moves_as(self) -> Arm:
        """Return the arm it moves as: infantry if dismounted."""
        return Arm.INFANTRY if self.dismounted else self.arm


class Volley(msgspec.Struct, frozen=True, array_like=True):
    """Casualties that one unit caused another, by fire or in close combat."""

    unit: int
    target: int
    casualties: int


class State(msgspec.Struct, omit_defaults=True):
    """Everything that can change in a battle, and the field it is fought on.

    `homes`: the bearing of each side's own edge. `strengths`: the stands of each side that count.
    `plans`: whether a side is to "attack" or to "hold". `wavering` sides had too few of them in
    hand when the last move ended. `zones` are where a side may place its units before the battle,
    `line_up` where the layout drew them up. `waiting` units have not come yet. `lost` units are
    destroyed, `left` ones have left the field.

    Of this move: `first` is the side with the initiative; `orders`; the distance left to each unit
    (`paces`) and the rate at which it has moved (`moved`); units in contact when the move began
    (`engaged`), in contact since (`closed`), and revealed by contact (`surprises`); the stands that
    have fired (`fired`), the casualties of the current combat (`volleys`), units that have fought
    (`fought`) and units that have retreated (`retreated`).
    """

    version: Annotated[int, rest_name("state_version")]
    title: str
    field: OpenField
    units: Annotated[dict[int, Unit], rest_name("units_by_id")]
    homes: dict[Side, int]
    strengths: dict[Side, int]
    turns: int
    turn: int = 0
    first: Side = Side.EGYPTIAN
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
    plans: dict[Side, str] = {}
    zones: dict[Side, tuple[Outline, ...]] = {}
    line_up: Annotated[dict[int, Post], rest_name("line_up_by_unit")] = {}
    waiting: dict[int, Post] = {}
    wavering: list[Side] = []
    lost: list[Unit] = []
    left: list[Unit] = []
    next_id: int = 0
    phase: str = ""
    orders: Annotated[dict[int, UnitOrder], rest_name("orders_by_unit")] = {}
    paces: Annotated[dict[int, int], rest_name("left_hundredths")] = {}
    moved: Annotated[dict[int, Rate], rest_name("rates_moved")] = {}
    engaged: list[int] = []
    closed: list[int] = []
    surprises: list[int] = []
    fired: Annotated[dict[int, tuple[int, ...]], rest_name("fired_by_unit")] = {}
    combat: Combat | None = None
    volleys: list[Volley] = []
    fought: list[int] = []
    retreated: list[int] = []
    agenda: list[Step] = []
    question: Question | None = None
    result: BattleResult | None = None


def open_question(state: State, kind: type[Q]) -> Q:
    """Return the open question, if it is of that kind. Raises IllegalAction otherwise."""
    if isinstance(state.question, kind):
        return state.question
    raise IllegalAction("Sequence 1", "The battle waits for something else.")


def own(state: State, number: int) -> Unit:
    """Return that unit of the asked side. Raises IllegalAction if it has none such on the field."""
    unit = state.units.get(number)
    if state.question is None or unit is None or unit.side is not state.question.side:
        raise IllegalAction("Orders 1", f"Unit {number} is none of yours.", "Choose one of yours.")
    return unit


def tally(state: State, number: int) -> tuple[int, int]:
    """Return a unit's casualties caused and suffered in the current combat."""
    caused = sum(volley.casualties for volley in state.volleys if volley.unit == number)
    return caused, sum(volley.casualties for volley in state.volleys if volley.target == number)
