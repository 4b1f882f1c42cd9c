"""Events of a campaign. An event records what happened, not its reason or what follows."""

from typing import Annotated

import msgspec

from battles.contract.brief import Quality, Side, TroopKind
from battles.core import game
from battles.core.decoding import NumberOrNone, rest_name
from battles.core.game import Event
from campaign.rules.core.pieces import Month, UnitId, UnitOrNone
from campaign.rules.core.questions import CombatRound, Question
from campaign.rules.core.state import (
    CampaignResult,
    DueUnits,
    InForce,
    MarchUnderWay,
    Phase,
    Score,
    Unit,
)
from campaign.rules.map import HexId


class AgendaRecorded(game.AgendaRecorded):
    """End of every journal entry: the agenda and the open question after it."""

    question: Question | None = None


class Toss(msgspec.Struct, frozen=True, array_like=True):
    """Dice that an umpire throws for a ruling: `count` dice of `sides` faces."""

    count: int
    sides: Annotated[int, rest_name("face_count")] = 6


class RandomEvent(msgspec.Struct, frozen=True, array_like=True):
    """A row of a side's table of random events, by two dice read as tens and units."""

    side: Side
    code: int


class RulingGiven(Event):
    """A ruling of the umpire, and the sides that learn its reason; its effects follow as events."""

    reason: str
    to: Annotated[tuple[Side, ...], rest_name("notified_sides")] = ()
    toss: Toss | None = None


class MonthBegan(Event):
    month: Month


class PhaseBegan(Event):
    side: Side
    phase: Phase


class TurnEnded(Event):
    """End of a player turn; effects that last for the turn lapse."""

    side: Side


class Deployed(Event):
    units: tuple[UnitId, ...]
    hex: HexId


class Arrived(Event):
    """New counters on the map. `cause`: reinforcement, replacement, event, town, draw..."""

    units: tuple[Unit, ...]
    cause: str


class Waited(Event):
    """Counters that come in a later month."""

    due: DueUnits


class Settled(Event):
    """Units of group `group` of the units due that are no longer due."""

    group: int
    units: tuple[UnitId, ...]
    lost: Annotated[bool, rest_name("is_lost")] = False


class Postponed(Event):
    """New month of arrival for group `group` of the units due."""

    group: int
    month: Month


class Removed(Event):
    """Counters that leave the map; those of the Mahdists go to the pool (3.2)."""

    units: tuple[UnitId, ...]
    cause: str


class Disrupted(Event):
    units: tuple[UnitId, ...]
    cause: str


class Recovered(Event):
    units: tuple[UnitId, ...]


class Improved(Event):
    """Change of a unit's quality or weapon."""

    unit: UnitId
    quality: Quality
    kind: TroopKind


class MarchBegan(Event):
    march: MarchUnderWay


class MarchRolled(Event):
    """Result of the march table: points to move with, and the number of units that fall out."""

    result: Annotated[str, rest_name("table_result")]
    points: int
    falls_out: Annotated[int, rest_name("falling_out_count")] = 0


class Moved(Event):
    path: tuple[HexId, ...]
    cost: Annotated[int, rest_name("cost_points")]


class WentByRail(Event):
    """Move by rail; `onward` after a stop, as part of the same march."""

    path: tuple[HexId, ...]
    onward: bool = False


class Sailed(Event):
    """Move of hulls and passengers along the river; the hulls are used for this turn."""

    hulls: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class Boarded(Event):
    """Hulls in the marching stack's hex that join it."""

    units: tuple[UnitId, ...]


class SailedAway(Event):
    """Displacement of a hull by one hex, or its move without a march."""

    units: tuple[UnitId, ...]
    hex: HexId


class DroppedOff(Event):
    units: tuple[UnitId, ...]


class Stopped(Event):
    """End of the marching stack's moves and attacks for this turn."""


class Mustered(Event):
    """Units that came into play during their side's march phase; they march from the next turn."""

    units: tuple[UnitId, ...]


class MarchEnded(Event):
    units: tuple[UnitId, ...]


class Wrecked(Event):
    units: tuple[UnitId, ...]
    at: HexId


class CombatBegan(Event):
    attacker: HexId
    defender: HexId
    attacking: tuple[UnitId, ...]
    defending: tuple[UnitId, ...]
    side: Side
    sortie: bool = False


class Guided(Event):
    """Choice of the leader who helps a stack in one round of the combat."""

    side: Side
    leader: UnitId
    combat_round: CombatRound


class Tested(Event):
    """Losses of one side's stack in a round of fire or melee."""

    side: Side
    combat_round: CombatRound
    eliminated: Annotated[int, rest_name("eliminated_count")]
    disrupted: Annotated[int, rest_name("disrupted_count")]


class HandedOver(Event):
    """Hand-off of the combat as the battle of this number, to a book or to the players."""

    battle: str


class Fought(Event):
    """Report of a battle that was handed over, fought by `book`."""

    battle: str
    book: str
    winner: Side | None
    ending: str = ""
    turns: NumberOrNone = 0


class BattlesArranged(Event):
    """Setting for how the battles of the campaign are fought from now on."""

    resolution: str
    fallback: str
    timeout_days: int
    signed: bool
    book: str = ""


class CombatEnded(Event):
    """End of a combat; `winner` is None for a draw."""

    winner: Side | None
    attacker: HexId
    defender: HexId


class Retreated(Event):
    units: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class Captured(Event):
    """Counters captured by the enemy, who replaces them by counters of the same kind (9.9)."""

    names: tuple[str, ...]
    hex: HexId


class ControlChanged(Event):
    place: HexId
    side: Side


class Supplied(Event):
    """Supply of a stack by a unit, or by its place (no unit)."""

    hex: HexId
    source: UnitOrNone


class DrawnOn(Event):
    """A supply unit used in this phase; it is eliminated when the phase ends (10.1)."""

    source: UnitId


class Thirsted(Event):
    """Attrition roll of a stack: `spared` units are not affected, or all without a number."""

    hex: HexId
    side: Side
    line: str
    spared: Annotated[int | None, rest_name("spared_count")]
    affected: Annotated[int, rest_name("affected_count")]


class EventRolled(Event):
    """Random event of a player turn."""

    side: Side
    roll: int
    title: str


class CameIntoForce(Event):
    effect: InForce


class Lapsed(Event):
    """An effect in force that has been used up."""

    place: Annotated[int, rest_name("effect_index")]


class ForceCalled(Event):
    name: str


class RailBuilt(Event):
    track: str
    hexes: Annotated[int, rest_name("hex_count")]


class RailLost(Event):
    track: str
    hexes: Annotated[int, rest_name("hex_count")]


class Tallied(Event):
    """A count that victory or a special rule looks at."""

    name: str
    count: int


class Flagged(Event):
    """Record that something that can happen only once has happened."""

    flag: str


class CampaignEnded(Event):
    """End of the campaign; `score` is None where points did not decide it."""

    result: CampaignResult
    score: Annotated[Score | None, rest_name("final_score")] = None


AnyEvent = (
    AgendaRecorded
    | RulingGiven
    | MonthBegan
    | PhaseBegan
    | TurnEnded
    | Deployed
    | Arrived
    | Waited
    | Settled
    | Postponed
    | Removed
    | Disrupted
    | Recovered
    | Improved
    | MarchBegan
    | MarchRolled
    | Moved
    | WentByRail
    | Sailed
    | Boarded
    | SailedAway
    | DroppedOff
    | Stopped
    | Mustered
    | MarchEnded
    | Wrecked
    | CombatBegan
    | Guided
    | Tested
    | HandedOver
    | Fought
    | BattlesArranged
    | CombatEnded
    | Retreated
    | Captured
    | ControlChanged
    | Supplied
    | DrawnOn
    | Thirsted
    | EventRolled
    | CameIntoForce
    | Lapsed
    | ForceCalled
    | RailBuilt
    | RailLost
    | Tallied
    | Flagged
    | CampaignEnded
)
