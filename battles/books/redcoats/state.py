"""The state of a battle: one typed document of everything that can change."""

from typing import Annotated, TypeVar

import msgspec

from battles.books.redcoats.actions import Asked, Deed, Question
from battles.books.redcoats.field import OFF_FIELD, Aspect, Field
from battles.books.redcoats.pieces import (
    AFLOAT,
    GUNS,
    MOUNTS,
    UNLIMITED,
    Formation,
    Heroic,
    Kind,
    Special,
    Troops,
)
from battles.contract.brief import Brief, Side
from battles.contract.report import BattleResult
from battles.core.decoding import NumberOrNone, none_is, rest_name
from battles.core.dice import Card
from battles.core.game import IllegalAction, Step

VERSION = 1

Q = TypeVar("Q", bound=Asked)


SquareOrNone = Annotated[int, rest_name("square_index"), none_is(OFF_FIELD)]
"""The square of a piece, or OFF_FIELD, which the REST interface writes as null."""


class Unit(msgspec.Struct, array_like=True):
    """A unit with `figures` left of `full`; for craft, flotation points.

    `square` is none before it enters; aboard a vessel (`aboard`, its number) it is the vessel's.
    `brigade` is the number of its brigade Square. `shots` are a battery's rounds, none if they need
    not be counted.
    """

    id: int
    side: Side
    kind: Kind
    troops: Annotated[Troops, rest_name("army")]
    figures: int
    full: int
    square: SquareOrNone
    facing: int
    formation: Formation
    armed: bool = True
    disorganised: bool = False
    dismounted: bool = False
    impetuous: bool = False
    shots: Annotated[int, none_is(UNLIMITED)] = UNLIMITED
    aboard: NumberOrNone = 0
    brigade: NumberOrNone = 0
    name: str = ""

    @property
    def is_gun(self) -> bool:
        return self.kind in GUNS

    @property
    def is_craft(self) -> bool:
        return self.kind in AFLOAT

    @property
    def can_fight(self) -> bool:
        """Return whether the unit is foot or horse."""
        return self.on_foot or self.mounted

    @property
    def mounted(self) -> bool:
        """Return whether the unit fights as cavalry or camelry."""
        return self.kind in MOUNTS and not self.dismounted

    @property
    def on_foot(self) -> bool:
        """Return whether the unit fights as infantry."""
        return self.kind is Kind.INFANTRY or self.dismounted


class Leader(msgspec.Struct, array_like=True):
    """A Leader; Leaders and units share one series of numbers."""

    id: int
    side: Side
    troops: Annotated[Troops, rest_name("army")]
    square: SquareOrNone
    name: str = ""
    wounded: bool = False
    aboard: NumberOrNone = 0


class Brigade(msgspec.Struct, array_like=True):
    """A brigade Square: its front, and the number of battalions that formed its faces."""

    id: int
    facing: int
    faces: Annotated[int, rest_name("face_battalions")] = 4


class SquarePost(msgspec.Struct, frozen=True, array_like=True):
    """The square, the facing and the formation of a unit before the battle; none of a Leader."""

    square: SquareOrNone
    facing: int
    formation: Formation | None = None


class TableEntry(msgspec.Struct, frozen=True, array_like=True):
    """The turn and the squares in which a unit may enter the field."""

    turn: int
    squares: tuple[int, ...]


class Objective(msgspec.Struct, frozen=True, array_like=True):
    """Squares for one side: it wins if it holds them at the end of a turn, clear of the enemy."""

    side: Side
    squares: tuple[int, ...]


class Activation(msgspec.Struct):
    """The activated units or Leader, and their action points.

    `bonus` is for movement alone; `loss` is taken from movement unless the unit fires. `moved` is
    spent on movement, `spent` on firing. `fired` has the unit (or the armament) of every shot so
    far, `again` the shots that a card has given. `declared` are the acts it will carry out,
    `carried` says that it has: a card may let it fire once more.
    """

    units: Annotated[list[int], rest_name("unit_ids")]
    points: int
    leader: NumberOrNone = 0
    bonus: Annotated[int, rest_name("bonus_points")] = 0
    loss: Annotated[int, rest_name("lost_points")] = 0
    moved: Annotated[int, rest_name("moved_points")] = 0
    spent: Annotated[int, rest_name("spent_points")] = 0
    fired: list[str] = []
    again: Annotated[int, rest_name("extra_shot_count")] = 0
    carded: bool = False
    declared: list[Deed] = []
    carried: bool = False


class Combat(msgspec.Struct, frozen=True):
    """A hand-to-hand combat: the charger, the charged unit, the aspect and the turn it began."""

    charger: int
    charged: int
    aspect: Aspect
    turn: int


class State(msgspec.Struct, dict=True, omit_defaults=True):
    """A battle: everything that can change in it, and the field.

    `drawn_from` has, for each unit and Leader, the numbers of the brief's units it stands for.
    `set_up` are the squares in which a side may place its units before the battle, `line_up` where
    the layout drew them up, and from the first turn on where they stood then.
    `inspired` units have a card for their hand-to-hand combat. `lost` units are destroyed, `left`
    ones have gone from the field, and `departed` Leaders with them.
    """

    version: Annotated[int, rest_name("state_version")]
    title: str
    field: Field
    units: Annotated[dict[int, Unit], rest_name("units_by_id")]
    leaders: Annotated[dict[int, Leader], rest_name("leaders_by_id")]
    strengths: dict[Side, float]
    turns: int
    turn: int = 0
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
    brigades: dict[int, Brigade] = {}
    entries: Annotated[dict[int, TableEntry], rest_name("entries_by_unit")] = {}
    set_up: dict[Side, tuple[int, ...]] = {}
    line_up: Annotated[dict[int, SquarePost], rest_name("line_up_by_unit")] = {}
    special: list[Special] = []
    objective: Objective | None = None
    lost: list[Unit] = []
    left: list[Unit] = []
    fallen: list[Leader] = []
    departed: list[Leader] = []
    pack: list[Card] = []
    turned: list[Card] = []
    cards: Annotated[dict[int, Card], rest_name("cards_by_unit")] = {}
    coordinated: dict[int, list[int]] = {}
    queue: list[int] = []
    queue_leader: NumberOrNone = 0
    moored: list[int] = []
    sailed: Annotated[list[int], rest_name("sailed_ids")] = []
    heroic: list[Heroic] = []
    discards: list[Heroic] = []
    hands: dict[Side, list[Heroic]] = {}
    combats: list[Combat] = []
    inspired: list[int] = []
    acting: Activation | None = None
    breaking_off: list[Side] = []
    agenda: list[Step] = []
    question: Question | None = None
    result: BattleResult | None = None


def open_question(state: State, kind: type[Q]) -> Q:
    """Return the open question if it is of that kind. Raises IllegalAction otherwise."""
    if isinstance(state.question, kind):
        return state.question
    raise IllegalAction("Turn sequence 7", "The battle waits for something else.")


def current_activation(state: State) -> Activation:
    """Return the current activation. Raises IllegalAction when there is none."""
    if state.acting is None:
        raise IllegalAction("Turn sequence 7", "Nobody is activated now.", "Activate a unit first.")
    return state.acting


def is_waiting(unit: Unit) -> bool:
    """Return whether the unit has not entered the field yet."""
    return unit.square == OFF_FIELD
