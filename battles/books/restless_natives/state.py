"""The state of a battle: one typed document that holds everything that can change in it.

Lengths and places are in hundredths of an inch, facings in degrees clockwise from north.
"""

from typing import Annotated, TypeVar

import msgspec

from battles.books.restless_natives.actions import Asked, Question
from battles.books.restless_natives.pieces import Deed, Goal, Kind, Remain, Special, Troops, Weapon
from battles.contract.brief import Brief, Side
from battles.contract.report import BattleResult
from battles.core.decoding import NumberOrNone, rest_name
from battles.core.dice import Card
from battles.core.game import IllegalAction, Step
from battles.tabletop.deployment import Outline, Post
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

VERSION = 1
PACK_ONCE = 54

Q = TypeVar("Q", bound=Asked)


class Unit(msgspec.Struct, array_like=True):
    """A unit of `stands`, of `full` at its full strength.

    `at` is the middle of its front rank (of a square, its middle). Of a unit that is off the field
    it is where it left, or will come on. `command` is the number of its commander.
    """

    id: int
    side: Side
    kind: Kind
    troops: Annotated[Troops, rest_name("army")]
    weapon: Weapon
    stands: int
    full: int
    at: TablePoint
    facing: int
    formation: TableFormation
    command: NumberOrNone = 0
    name: str = ""


class Commander(msgspec.Struct, array_like=True):
    """A player: a Commander-in-Chief (`chief`) or a subordinate, and the player's cards.

    `unit` is the commander's stand on the field. Commanders have their own numbers.
    """

    id: int
    side: Side
    name: str = ""
    chief: bool = False
    unit: NumberOrNone = 0
    hand: list[Special] = []


class Contact(msgspec.Struct, frozen=True, array_like=True):
    """Two units whose stands touch: `one` initiated the close combat with `other`."""

    one: int
    other: int


class Activation(msgspec.Struct, omit_defaults=True):
    """The activated unit, its deeds so far, and the card that was played for it."""

    unit: int
    deeds: list[Deed] = []
    card: Special | None = None


class State(msgspec.Struct, dict=True, omit_defaults=True):
    """Everything that can change in a battle, and the field it is fought on.

    `one_off`: the second joker ends the battle; otherwise it is over when `cards` cards have been
    turned over. `units` are on the field, `waiting` have yet to come on, `away` have run away,
    `exited` have left by an exit, `lost` are destroyed. `began` has each side's stands at the
    start, `holders` the holder of each area of the goal. `zones` are where a side may set up,
    `line_up` where the layout drew its units up, and from the first card on where they stood then.
    `drawn_from` has, for each unit, the numbers of the units of the brief that it stands for.
    """

    version: Annotated[int, rest_name("state_version")]
    title: str
    field: OpenField
    units: Annotated[dict[int, Unit], rest_name("units_by_id")]
    commanders: dict[int, Commander]
    began: dict[Side, int]
    one_off: bool = False
    cards: Annotated[int, rest_name("card_count")] = PACK_ONCE
    goal: Goal = Remain()
    holders: list[Side] = []
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
    zones: dict[Side, tuple[Outline, ...]] = {}
    line_up: Annotated[dict[int, Post], rest_name("line_up_by_unit")] = {}
    waiting: dict[int, Unit] = {}
    away: dict[int, Unit] = {}
    exited: dict[int, Unit] = {}
    lost: Annotated[dict[int, Unit], rest_name("lost_by_id")] = {}
    pack: list[Card] = []
    card: Annotated[Card | None, rest_name("open_card")] = None
    turned: list[Card] = []
    turn: int = 0
    jokers: int = 0
    special: list[Special] = []
    discards: list[Special] = []
    contacts: list[Contact] = []
    acting: Activation | None = None
    agenda: list[Step] = []
    question: Question | None = None
    result: BattleResult | None = None

    @property
    def turns(self) -> int:
        """Return the number of the last card; 0 where the second joker ends the battle."""
        return 0 if self.one_off else self.cards


def open_question(state: State, kind: type[Q]) -> Q:
    """Return the open question, if it is of that kind. Raises IllegalAction otherwise."""
    if isinstance(state.question, kind):
        return state.question
    raise IllegalAction("Turn sequence 2", "The battle waits for something else.")


def current_activation(state: State) -> Activation:
    """Return the current activation. Raises IllegalAction when there is none."""
    if state.acting is None:
        raise IllegalAction("Turn sequence 2", "No unit is activated.", "Activate one first.")
    return state.acting


def acting_unit(state: State) -> Unit:
    """Return the activated unit. Raises IllegalAction when there is none."""
    return state.units[current_activation(state).unit]
