"""Actions of a campaign: one class for each kind of answer to a question."""

import msgspec

from battles.contract.brief import Side
from battles.contract.report import Report
from battles.core.game import Action
from campaign.rules.core.events import AnyEvent, RandomEvent, Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound
from campaign.rules.map import HexId


class Deploy(Action):
    """Set-up of these units in this hex before the first turn (2.1)."""

    units: tuple[UnitId, ...]
    hex: HexId


class Place(Action):
    """Placement in this hex of arrivals of group `group` of the units due (3.1).

    Without `units` the whole group is placed.
    """

    group: int
    hex: HexId
    units: tuple[UnitId, ...] = ()


class Withdraw(Action):
    """Withdrawal of these units from the map for good (3.1)."""

    units: tuple[UnitId, ...]


class Dismount(Action):
    """Exchange of two Camel Corps units for two infantry units and a camel (8.24)."""

    units: tuple[UnitId, ...]


class Done(Action):
    """End of the set-up, reinforcement or march phase."""


class March(Action):
    """Roll on the march table for these units, which stand together (8.3)."""

    units: tuple[UnitId, ...]
    leader: UnitId = UnitId(0)


class Landing(msgspec.Struct, frozen=True):
    """Units that are dropped off in a hex on the way, by rail or river (8.3)."""

    units: tuple[UnitId, ...]
    hex: HexId


class Rail(Action):
    """Move by rail of these units to this hex, with landings on the way (8.22)."""

    units: tuple[UnitId, ...]
    hex: HexId
    landings: tuple[Landing, ...] = ()


class Sail(Action):
    """Voyage of hulls and passengers along the river, with landings on the way (8.23)."""

    units: tuple[UnitId, ...]
    path: tuple[HexId, ...]
    landings: tuple[Landing, ...] = ()


class Move(Action):
    """Move of the marching stack through these hexes (8.2)."""

    path: tuple[HexId, ...]


class Attack(Action):
    """Attack of the marching stack on the enemy in this adjacent hex (9.1)."""

    hex: HexId


class DropOff(Action):
    """Dropping off of these units where the marching stack is (8.3)."""

    units: tuple[UnitId, ...]


class Halt(Action):
    """End of the marching stack's marches for this turn."""


class Pick(Action):
    """Choice of the units asked for."""

    units: tuple[UnitId, ...]


class Share(Action):
    """Distribution of losses by the owner: units eliminated, units disrupted (9.4)."""

    eliminated: tuple[UnitId, ...]
    disrupted: tuple[UnitId, ...]


class Lead(Action):
    """Choice of the leader who helps, in fire or in melee; without one nobody does (7.3)."""

    leader: UnitId = UnitId(0)
    combat_round: CombatRound | None = None


class Fight(Action):
    """Choice of how the battle is fought: the combat table, a book, or at a real table (9.4)."""

    resolution: str


class Reported(Action):
    """Report of a battle that has been fought: the fate of every unit (9.4)."""

    report: Report


class HandOver(Action):
    """Setting for later battles: their `resolution`, unless a battle is set otherwise.

    A battle that waits longer than `timeout_days` is fought by `fallback`. `signed`: a result that
    the players enter counts when both have signed it. `book`: people fight by this one, unless they
    choose another. This answers no question; the open one stays open.
    """

    resolution: str
    fallback: str = "combat-table"
    timeout_days: int = 7
    signed: bool = True
    book: str = ""


class Ruled(Action):
    """Ruling of the umpire: these events happen, for this reason, which the sides `to` learn.

    `toss`: dice that decide nothing by themselves are thrown for it. `random_event`: this event
    happens as if its dice had been rolled. This answers no question; the open one stays open.
    """

    reason: str
    events: tuple[AnyEvent, ...] = ()
    to: tuple[Side, ...] = tuple(Side)
    toss: Toss | None = None
    random_event: RandomEvent | None = None


class Retreat(Action):
    """Retreat of the beaten stack through these hexes (9.8); without any it stands fast."""

    path: tuple[HexId, ...]


class Supply(Action):
    """Choice of a supply unit to use up; without one all others roll for attrition (10.1)."""

    source: UnitId = UnitId(0)


class Choose(Action):
    """Choice of the hex asked for."""

    hex: HexId


AnyAction = (
    Deploy
    | Place
    | Withdraw
    | Dismount
    | Done
    | March
    | Rail
    | Sail
    | Move
    | Attack
    | DropOff
    | Halt
    | Pick
    | Share
    | Lead
    | Fight
    | Reported
    | HandOver
    | Ruled
    | Retreat
    | Supply
    | Choose
)
