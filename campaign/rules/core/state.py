"""State of a campaign: one typed document, without the map and the tables."""

from copy import copy
from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec.structs import replace

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import none_is, rest_name
from battles.core.game import IllegalAction, Step
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.questions import BaseQuestion, CombatRound, Question
from campaign.rules.map import HexId
from campaign.rules.tables.event_effects import Effect

VERSION = 1
RULES = "1"
OFF_MAP = HexId(-1)
COMBAT_TABLE = "combat-table"
TABLETOP = "tabletop"

Q = TypeVar("Q", bound=BaseQuestion)


class Phase(StrEnum):
    """The phases of a player turn (5.2, 5.3)."""

    SET_UP = "set-up"
    EVENT = "random event"
    REINFORCEMENT = "reinforcement"
    MARCH = "march"
    ATTRITION = "attrition"
    RECOVERY = "recovery"
    OVER = "over"


HexOrNone = Annotated[HexId, none_is(OFF_MAP)]
"""A hex, or OFF_MAP, which the REST interface writes as null."""


class Unit(msgspec.Struct, array_like=True):
    """A counter. `origin` names the force it came with, for its replacement (3.3)."""

    id: UnitId
    kind: TroopKind
    nation: Nation
    quality: Quality
    strength: int
    hex: HexOrNone
    disrupted: bool = False
    name: str = ""
    origin: str = ""

    @property
    def side(self) -> Side:
        return self.nation.side

    def as_new_counter(self, number: UnitId, hex_id: HexId = OFF_MAP) -> "Unit":
        """Return the same counter as it comes into play: in good order, under this number."""
        return msgspec.structs.replace(self, id=number, hex=hex_id, disrupted=False)


class DueUnits(msgspec.Struct, frozen=True, array_like=True):
    """Counters that come in a later month; `at` are the places their owner may choose from."""

    month: Month
    reason: str
    at: tuple[HexId, ...]
    units: tuple[Unit, ...]


class MarchUnderWay(msgspec.Struct):
    """A stack on its march: its units, the marches it has begun, the points it has left.

    `rolled`: the current march was rolled for on the march table.
    """

    units: list[UnitId]
    route: list[HexId]
    marches: int = 0
    points: int = 0
    sailed: bool = False
    may_go_on: bool = True
    rolled: bool = False


class CombatForce(msgspec.Struct):
    """One side of a combat: its hex, its units at the start, and the leader who guides it."""

    side: Side
    hex: HexId
    units: list[UnitId]
    leader: UnitId = UnitId(0)
    helps: CombatRound | None = None
    destroyed: list[Unit] = []


class Combat(msgspec.Struct):
    """A combat being fought (9.4): the marching force and its enemy."""

    attacker: CombatForce
    defender: CombatForce
    sortie: bool = False

    def force(self, side: Side) -> CombatForce:
        return self.attacker if self.attacker.side is side else self.defender


class HandOff(msgspec.Struct):
    """The way a campaign's battles are fought, and the data that a hand-off needs.

    `resolution`, and `fallback` for a battle that waits longer than `timeout_days`, are a book,
    "combat-table" (the campaign's own) or "tabletop" (people, at a real table or in the browser).
    `battles` counts the battles handed over; `moved` has the player turn in which a unit last
    changed its hex, if that was in turn `since` or later. `book` is the one by which people fight,
    unless they choose another; empty for the first there is.
    """

    resolution: str
    fallback: str = COMBAT_TABLE
    timeout_days: int = 7
    signed: bool = True
    since: int = 0
    battles: int = 0
    moved: dict[UnitId, int] = {}
    book: str = ""


class InForce(msgspec.Struct, frozen=True):
    """An effect of a random event that lasts until the end of its side's player turn."""

    side: Side
    effect: Effect
    title: str
    hex: HexId = OFF_MAP


class CampaignResult(msgspec.Struct, frozen=True):
    """Result of the campaign; `winner` is None for a draw."""

    winner: Side | None
    reason: str
    clause: str


class Score(msgspec.Struct, frozen=True):
    """The points of both sides, in a campaign that they have decided."""

    egyptian: Annotated[int, rest_name("egyptian_points")]
    mahdist: Annotated[int, rest_name("mahdist_points")]


class State(msgspec.Struct, dict=True, omit_defaults=True):
    """All that can change in a campaign.

    `vacant` are towns that no unit of their holder has been in yet (3.2).
    """

    version: int
    rules: str
    scenario: str
    map: str
    edition: str
    month: Month
    side: Side
    phase: Phase
    units: dict[UnitId, Unit]
    next_unit: int
    pool: dict[TroopKind, int]
    box: dict[TroopKind, int]
    control: dict[HexId, Side]
    railheads: dict[str, int]
    vacant: list[HexId] = []
    due: list[DueUnits] = []
    called: list[str] = []
    in_force: list[InForce] = []
    marched: list[UnitId] = []
    hulls_used: list[UnitId] = []
    drawn_on: list[UnitId] = []
    march: MarchUnderWay | None = None
    combat: Combat | None = None
    hand_off: HandOff | None = None
    tallies: dict[str, int] = {}
    flags: list[str] = []
    agenda: list[Step] = []
    question: Question | None = None
    result: CampaignResult | None = None
    score: Score | None = None


def clone(state: State) -> State:
    """Return a copy to play on, several times as fast as by its document."""
    copied = copy(state)
    copied.units = {unit_id: copy(unit) for unit_id, unit in state.units.items()}
    for name in State.__struct_fields__:
        value = getattr(state, name)
        if name != "units" and isinstance(value, list | dict):
            setattr(copied, name, value.copy())
    if state.march is not None:
        march = state.march
        copied.march = replace(march, units=list(march.units), route=list(march.route))
    if state.combat is not None:
        attacker, defender = state.combat.attacker, state.combat.defender
        copied.combat = replace(
            state.combat, attacker=_clone_force(attacker), defender=_clone_force(defender)
        )
    if state.hand_off is not None:
        copied.hand_off = replace(state.hand_off, moved=dict(state.hand_off.moved))
    return copied


def _clone_force(force: CombatForce) -> CombatForce:
    return replace(force, units=list(force.units), destroyed=list(map(copy, force.destroyed)))


def fallen_flag(place: str) -> str:
    """Return the flag for a place that the Mahdists have taken once."""
    return f"fallen:{place}"


def open_question(state: State, kind: type[Q]) -> Q:
    """Return the open question. Raise IllegalAction when it is not of this kind."""
    question = state.question
    if not isinstance(question, kind):
        raise IllegalAction("5.0", "The campaign waits for something else.", "Look again.")
    return question


def current_march(state: State) -> MarchUnderWay:
    """Return the stack on the march. Raise IllegalAction when there is none."""
    if state.march is None:
        raise IllegalAction("8.3", "No stack is on the march.", "Roll for one first.")
    return state.march


def player_turn(state: State) -> int:
    """Return the number of the player turn, two to a month."""
    return state.month * 2 + (state.side is Side.MAHDIST)


def hands_over(state: State) -> bool:
    """Return whether battles are fought by anything other than the campaign's own table."""
    return state.hand_off is not None and state.hand_off.resolution != COMBAT_TABLE


def current_combat(state: State) -> Combat:
    """Return the combat being fought. Raise IllegalAction when there is none."""
    if state.combat is None:
        raise IllegalAction("9.1", "No combat is being fought.")
    return state.combat
