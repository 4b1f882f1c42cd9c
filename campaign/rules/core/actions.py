"""What may be asked of the campaign: one kind of action for every answer to a question."""

from battles.contract.brief import Side
from battles.contract.report import Report
from battles.core.game import Action
from campaign.rules.core.events import AnyEvent, RandomEvent, Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.map import HexId


class Deploy(Action):
    """Before the first turn: these units stand in this hex instead (2.1)."""

    units: tuple[UnitId, ...]
    hex: HexId


class Place(Action):
    """Arrivals of the group at place `group` of what is due stand in this hex (3.1).

    Without `units` the whole group does.
    """

    group: int
    hex: HexId
    units: tuple[UnitId, ...] = ()


class Withdraw(Action):
    """These units leave the map for good (3.1)."""

    units: tuple[UnitId, ...]


class Dismount(Action):
    """Two Camel Corps units become two infantry units and a camel (8.24)."""

    units: tuple[UnitId, ...]


class Done(Action):
    """Set-up, reinforcement or march phase is finished."""


class March(Action):
    """These units, which stand together, roll on the march table (8.3)."""

    units: tuple[UnitId, ...]
    leader: UnitId = UnitId(0)


class Rail(Action):
    """These units go by rail to this hex (8.22)."""

    units: tuple[UnitId, ...]
    hex: HexId


class Sail(Action):
    """These hulls and passengers go along the river through these hexes (8.23)."""

    units: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class Move(Action):
    """The marching stack goes through these hexes (8.2)."""

    path: tuple[HexId, ...]


class Attack(Action):
    """The marching stack attacks the enemy in this adjacent hex (9.1)."""

    hex: HexId


class DropOff(Action):
    """The marching stack leaves these units where it stands (8.3)."""

    units: tuple[UnitId, ...]


class Halt(Action):
    """The marching stack has finished for this turn."""


class Pick(Action):
    """The units asked for."""

    units: tuple[UnitId, ...]


class Share(Action):
    """Losses as the owner shares them: eliminated, and disrupted (9.4)."""

    eliminated: tuple[UnitId, ...]
    disrupted: tuple[UnitId, ...]


class Lead(Action):
    """This leader helps in `fire` or in `melee`; leader 0 helps in neither (7.3)."""

    leader: UnitId
    stage: str = ""


class Fight(Action):
    """The battle is fought by the campaign's own table, by a book of battles, or by hand (9.4)."""

    by: str


class Reported(Action):
    """The battle has been fought; this is what has become of everybody (9.4)."""

    report: Report


class HandOver(Action):
    """From now on battles are fought by `way`, unless chosen otherwise at the battle.

    One that waits longer than `days` is fought by `fallback`. `signed`: a result that the players
    enter counts when both have signed it. This answers no question; the open one stays open.
    """

    way: str
    fallback: str = "table"
    days: int = 7
    signed: bool = True


class Ruled(Action):
    """The umpire rules: these events happen, for this reason, and `to` these sides it is told.

    `toss`: dice that decide nothing by themselves are thrown for it. `random_event`: this one
    happens as if its dice had fallen. This answers no question; the open one stays open.
    """

    reason: str
    events: tuple[AnyEvent, ...] = ()
    to: tuple[Side, ...] = tuple(Side)
    toss: Toss | None = None
    random_event: RandomEvent | None = None


class Retreat(Action):
    """The beaten stack goes back through these hexes (9.8); none: it stands fast."""

    path: tuple[HexId, ...]


class Supply(Action):
    """The stack draws on this supply unit; 0: it rolls for attrition (10.1)."""

    source: UnitId


class Choose(Action):
    """The hex asked for."""

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
