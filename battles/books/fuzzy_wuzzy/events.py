"""The events of a battle. An event holds only what changes, not the rules behind it."""

from battles.books.fuzzy_wuzzy.actions import Question, UnitOrder
from battles.books.fuzzy_wuzzy.pieces import Band, Combat, Does, Rate
from battles.books.fuzzy_wuzzy.state import Unit
from battles.contract import report as shared
from battles.contract.brief import Side
from battles.core import game
from battles.core.game import Event
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint


class AgendaRecorded(game.AgendaRecorded, frozen=True):
    """The agenda and the open question at the end of every entry."""

    question: Question | None = None


class Deployed(Event, frozen=True):
    """A unit has been placed elsewhere before the battle."""

    unit: int
    at: TablePoint
    facing: int
    formation: TableFormation


class TurnBegan(Event, frozen=True):
    """A move begins; `first` has the initiative, `engaged` are in contact with the enemy."""

    turn: int
    first: Side
    engaged: tuple[int, ...] = ()


class PhaseBegan(Event, frozen=True):
    """A phase of the sequence begins for both sides."""

    phase: str


class Entered(Event, frozen=True):
    """A unit that was late is on the field."""

    unit: int
    at: TablePoint


class Ordered(Event, frozen=True):
    """Units have new orders."""

    orders: tuple[UnitOrder, ...]


class Formed(Event, frozen=True):
    """A unit has changed its formation, or has mounted or dismounted. `cause` as ordered."""

    unit: int
    formation: TableFormation
    cause: str
    dismounted: bool = False


class Reorganised(Event, frozen=True):
    """A unit has gathered its casualties on as few stands as possible."""

    unit: int
    markers: tuple[int, ...]


class Paced(Event, frozen=True):
    """The dice allow these units so many hundredths of a centimetre."""

    units: tuple[int, ...]
    lengths: tuple[int, ...]


class Moved(Event, frozen=True):
    """A unit went straight to a place, at a `cost` in distance.

    `cause` is "order", "impulse", "pursuit" or "retreat"; `target` the enemy it closes with.
    """

    unit: int
    to: TablePoint
    facing: int
    rate: Rate
    cost: int
    cause: str = "order"
    target: int = 0


class MovementEnded(Event, frozen=True):
    """Both sides have moved: duties and permissions left from the last move are over."""


class Observed(Event, frozen=True):
    """Units are observed. `cause`: reconnaissance, fire or contact."""

    units: tuple[int, ...]
    observer: int
    cause: str


class CombatBegan(Event, frozen=True):
    """Fire or close combat begins; casualties are counted from nothing."""

    combat: Combat


class Fired(Event, frozen=True):
    """Stands of a unit, by their indices, have fired at a target."""

    unit: int
    target: int
    stands: tuple[int, ...]
    band: Band
    casualties: int


class Fought(Event, frozen=True):
    """A unit has fought an enemy in contact."""

    unit: int
    target: int
    casualties: int


class CasualtiesTaken(Event, frozen=True):
    """The casualty markers on a unit's stands; `lost` stands are removed."""

    unit: int
    markers: tuple[int, ...]
    casualties: int
    lost: int = 0


class Judged(Event, frozen=True):
    """The result of a combat for a unit: its duty or its choice."""

    unit: int
    combat: Combat
    caused: int
    suffered: int
    does: Does
    rate: Rate | None = None
    until_rallied: bool = False
    threat: TablePoint | None = None


class Rallied(Event, frozen=True):
    """Stands of a retreating unit have rallied, or none.

    `whole`: the unit obeys orders from now on.
    """

    unit: int
    stands: int
    whole: bool


class Recovered(Event, frozen=True):
    """Casualty markers have been removed."""

    unit: int
    removed: int
    markers: tuple[int, ...]


class Parted(Event, frozen=True):
    """The stands with casualties leave their unit, as one of their own that faces the rear."""

    unit: int
    part: int
    markers: tuple[int, ...]
    at: TablePoint


class Lost(Event, frozen=True):
    """A unit is destroyed. `cause`: casualties, overrun, hemmed in or captured."""

    unit: int
    cause: str


class Left(Event, frozen=True):
    """A unit has left the field. `cause`: retreat or wounded."""

    unit: int
    cause: str


class TurnEnded(Event, frozen=True):
    """The move is over and remembered; `wavering` sides have too few stands in hand."""

    wavering: tuple[Side, ...] = ()


class Corrected(shared.Corrected, frozen=True):
    """The umpire has corrected a unit: `now` replaces it, or removes it with no stands left."""

    now: Unit


BattleEnded = shared.BattleEnded

AnyEvent = (
    AgendaRecorded
    | Deployed
    | TurnBegan
    | PhaseBegan
    | Entered
    | Ordered
    | Formed
    | Reorganised
    | Paced
    | Moved
    | MovementEnded
    | Observed
    | CombatBegan
    | Fired
    | Fought
    | CasualtiesTaken
    | Judged
    | Rallied
    | Recovered
    | Parted
    | Lost
    | Left
    | TurnEnded
    | Corrected
    | BattleEnded
)
