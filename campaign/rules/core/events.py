"""What can happen in a campaign. An event says what happened, never why it may or what next."""

import msgspec

from battles.contract.brief import Kind, Quality, Side
from battles.core import game
from battles.core.game import Event
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.questions import Question
from campaign.rules.core.state import (
    CampaignResult,
    DueUnits,
    InForce,
    MarchUnderWay,
    Phase,
    Unit,
)
from campaign.rules.map import HexId


class AgendaRecorded(game.AgendaRecorded):
    """The end of every entry: the agenda and the open question after it."""

    question: Question | None = None


class Toss(msgspec.Struct, frozen=True, array_like=True):
    """Dice that an umpire throws for a ruling: so many, of so many faces."""

    count: int
    sides: int = 6


class RandomEvent(msgspec.Struct, frozen=True, array_like=True):
    """A row of a side's table of random events, by two dice read as tens and units."""

    side: Side
    code: int


class RulingGiven(Event):
    """The umpire has ruled, and told these sides why; what happens by it follows."""

    reason: str
    to: tuple[Side, ...] = ()
    toss: Toss | None = None


class MonthBegan(Event):
    month: Month


class PhaseBegan(Event):
    side: Side
    phase: Phase


class TurnEnded(Event):
    """A player turn is over: what lasted for it lapses."""

    side: Side


class Deployed(Event):
    units: tuple[UnitId, ...]
    hex: HexId


class Arrived(Event):
    """New counters stand on the map. `cause`: reinforcement, replacement, event, town, draw..."""

    units: tuple[Unit, ...]
    cause: str


class Waited(Event):
    """Counters will come in a later month."""

    due: DueUnits


class Settled(Event):
    """These units of the group at this place in the list of what is due wait no longer."""

    group: int
    units: tuple[UnitId, ...]
    lost: bool = False


class Postponed(Event):
    """The group at this place in the list comes in another month than announced."""

    group: int
    month: Month


class Removed(Event):
    """Counters leave the map; the Mahdists' go to the pool (3.2)."""

    units: tuple[UnitId, ...]
    cause: str


class Disrupted(Event):
    units: tuple[UnitId, ...]
    cause: str


class Recovered(Event):
    units: tuple[UnitId, ...]


class Improved(Event):
    """A unit changes its quality, or its weapon."""

    unit: UnitId
    quality: Quality
    kind: Kind


class MarchBegan(Event):
    march: MarchUnderWay


class MarchRolled(Event):
    """What the march table gave: points to move with, and how many fall out."""

    result: str
    points: int
    falls_out: int = 0


class Moved(Event):
    path: tuple[HexId, ...]
    cost: int


class WentByRail(Event):
    path: tuple[HexId, ...]


class Sailed(Event):
    """Hulls and passengers went along the river; the hulls are used for this turn."""

    hulls: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class Boarded(Event):
    """Hulls that lay where the marching stack is are part of it now."""

    units: tuple[UnitId, ...]


class SailedAway(Event):
    """A hull is displaced one hex, or moved without a march."""

    units: tuple[UnitId, ...]
    hex: HexId


class DroppedOff(Event):
    units: tuple[UnitId, ...]


class Stopped(Event):
    """The marching stack may neither move nor attack again this turn."""


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
    """A leader will help his stack in one round of the combat."""

    side: Side
    leader: UnitId
    stage: str


class Tested(Event):
    """A round of fire or melee: what one side's stack suffers."""

    side: Side
    stage: str
    eliminated: int
    disrupted: int


class HandedOver(Event):
    """The combat is a battle of this number, to be fought by a book or by hand."""

    battle: str


class Fought(Event):
    """A battle that was handed over has been reported; `book` is what it was fought by."""

    battle: str
    book: str
    winner: Side | None
    ending: str = ""
    turns: int = 0


class BattlesArranged(Event):
    """By what the battles of the campaign are fought from now on."""

    way: str
    fallback: str
    days: int
    signed: bool


class CombatEnded(Event):
    """`winner` is None when the combat is drawn."""

    winner: Side | None
    attacker: HexId
    defender: HexId


class Retreated(Event):
    units: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class Captured(Event):
    """Counters fall to the enemy, who replaces them by his own where he has them (9.9)."""

    names: tuple[str, ...]
    hex: HexId


class ControlChanged(Event):
    place: HexId
    side: Side


class Supplied(Event):
    """A stack is in supply by this unit, or because of where it stands (0)."""

    hex: HexId
    source: UnitId


class DrawnOn(Event):
    """Supply units used in this phase; they are eliminated when it ends (10.1)."""

    source: UnitId


class Thirsted(Event):
    """A stack has rolled for attrition: `spared` units are not affected, -1 for all."""

    hex: HexId
    side: Side
    line: str
    spared: int
    affected: int


class EventRolled(Event):
    """The random event of a player turn."""

    side: Side
    roll: int
    title: str


class CameIntoForce(Event):
    effect: InForce


class Lapsed(Event):
    """An effect in force has been used up."""

    place: int


class ForceCalled(Event):
    name: str


class RailBuilt(Event):
    track: str
    hexes: int


class RailLost(Event):
    track: str
    hexes: int


class Tallied(Event):
    """A count that victory or a special rule looks at."""

    name: str
    count: int


class Flagged(Event):
    """Something that can happen once has happened."""

    flag: str


class CampaignEnded(Event):
    result: CampaignResult


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
