"""The state of a battle: one typed document that holds everything that can change in it."""

from typing import TypeVar

import msgspec

from battles.books.redcoats.actions import Asked, Question
from battles.books.redcoats.field import Field
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
from battles.books.redcoats.squares import OFF_FIELD, Aspect
from battles.contract.brief import Brief, Side
from battles.contract.events import BattleResult
from battles.core.cards import Card
from battles.core.game import IllegalAction, Step

VERSION = 1

Q = TypeVar("Q", bound=Asked)


class Unit(msgspec.Struct, array_like=True):
    """A unit on, above or below full strength: `figures` of `full`; of craft, flotation points.

    `square` is OFF_FIELD before it enters; aboard a vessel (`aboard`, its number) it is the
    vessel's. `brigade` is the number of the brigade Square it forms a part of, 0 for none.
    `shots` are a battery's rounds, UNLIMITED for enough.
    """

    id: int
    side: Side
    kind: Kind
    troops: Troops
    figures: int
    full: int
    square: int
    facing: int
    formation: Formation
    armed: bool = True
    disorganised: bool = False
    dismounted: bool = False
    impetuous: bool = False
    shots: int = UNLIMITED
    aboard: int = 0
    brigade: int = 0
    name: str = ""

    @property
    def is_gun(self) -> bool:
        return self.kind in GUNS

    @property
    def is_craft(self) -> bool:
        return self.kind in AFLOAT

    @property
    def mounted(self) -> bool:
        """Return whether it fights as cavalry or camelry."""
        return self.kind in MOUNTS and not self.dismounted

    @property
    def on_foot(self) -> bool:
        """Return whether it fights as infantry."""
        return self.kind is Kind.INFANTRY or self.dismounted


class Leader(msgspec.Struct, array_like=True):
    """A Leader; his number is in one series with the units'."""

    id: int
    side: Side
    troops: Troops
    square: int
    name: str = ""
    wounded: bool = False
    aboard: int = 0


class Brigade(msgspec.Struct, array_like=True):
    """A brigade Square: the way it marches, and how many battalions formed its faces."""

    id: int
    facing: int
    faces: int = 4


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """Where and when a unit may come on to the field."""

    turn: int
    squares: tuple[int, ...]


class Objective(msgspec.Struct, frozen=True, array_like=True):
    """Squares that a side wins by holding at the end of a turn, with no enemy in any of them."""

    side: Side
    squares: tuple[int, ...]


class Activation(msgspec.Struct):
    """A unit, a brigade Square or a Leader acting, and the action points it has.

    `bonus` moves only; `loss` is taken from movement unless the unit fires. `moved` is spent on
    movement, `spent` on firing. `fired` has the unit (or the armament) of every shot so far,
    `again` the shots that a card has given.
    """

    units: list[int]
    points: int
    leader: int = 0
    bonus: int = 0
    loss: int = 0
    moved: int = 0
    spent: int = 0
    fired: list[str] = []
    again: int = 0
    carded: bool = False


class Combat(msgspec.Struct, frozen=True):
    """Two units in one square: who charged, who was charged, and where on it."""

    charger: int
    charged: int
    aspect: Aspect
    turn: int


class State(msgspec.Struct, dict=True, omit_defaults=True):
    """Everything that can change in a battle, and the field it is fought on.

    `drawn_from` has, for each unit and Leader, the numbers of the units of the brief it stands
    for. `inspired` units have a card for their hand-to-hand combat. `lost` units are destroyed,
    `left` ones have gone from the field.
    """

    version: int
    title: str
    field: Field
    units: dict[int, Unit]
    leaders: dict[int, Leader]
    strengths: dict[Side, int]
    turns: int
    turn: int = 0
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
    brigades: dict[int, Brigade] = {}
    entries: dict[int, Entry] = {}
    set_up: dict[Side, tuple[int, ...]] = {}
    special: list[Special] = []
    objective: Objective | None = None
    lost: list[Unit] = []
    left: list[Unit] = []
    fallen: list[Leader] = []
    pack: list[Card] = []
    turned: list[Card] = []
    cards: dict[int, Card] = {}
    coordinated: dict[int, list[int]] = {}
    queue: list[int] = []
    queue_leader: int = 0
    moored: list[int] = []
    sailed: list[int] = []
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


def asked(state: State, kind: type[Q]) -> Q:
    """Return the open question, which is of that kind. IllegalAction otherwise."""
    if isinstance(state.question, kind):
        return state.question
    raise IllegalAction("Turn sequence 7", "The battle waits for something else.")


def acting(state: State) -> Activation:
    """Return the activation that is going on. IllegalAction when there is none."""
    if state.acting is None:
        raise IllegalAction("Turn sequence 7", "Nobody is activated now.", "Activate a unit first.")
    return state.acting


def is_waiting(unit: Unit) -> bool:
    """Return whether it has yet to come on to the field."""
    return unit.square == OFF_FIELD
