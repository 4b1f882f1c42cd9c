"""The events of a battle: each is one change of state, without its reason or its consequences."""

from battles.books.redcoats.actions import Deed, Question
from battles.books.redcoats.field import Aspect
from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.books.redcoats.state import Unit
from battles.contract import report as shared
from battles.contract.brief import Side
from battles.core import game
from battles.core.dice import Card
from battles.core.game import Event


class AgendaRecorded(game.AgendaRecorded, frozen=True):
    """The event that closes every entry: the agenda and the open question after it."""

    question: Question | None = None


class UnitEvent(Event, frozen=True):
    """An event of one unit or Leader."""

    unit: int


class UnitCaused(UnitEvent, frozen=True):
    """An event of one unit, and its cause in a word."""

    cause: str


class HeroicShuffled(Event, frozen=True):
    """The Heroic Leadership cards, discards included, are shuffled into this order, top first."""

    cards: tuple[Heroic, ...]


class HeroicDealt(Event, frozen=True):
    """The top Heroic Leadership card is dealt to a side; `leader` is 0 before the battle."""

    side: Side
    leader: int = 0


class Deployed(UnitEvent, frozen=True):
    """A unit or Leader has been set up elsewhere before the battle."""

    square: int
    facing: int
    formation: Formation | None = None


class TurnBegan(Event, frozen=True):
    """A turn begins with this pack, top card first."""

    turn: int
    pack: tuple[Card, ...]


class Repacked(Event, frozen=True):
    """The pack is used up: the cards turned over are shuffled into this order."""

    pack: tuple[Card, ...]


class Coordinated(Event, frozen=True):
    """One card will activate the Leader and these units (Turn sequence 1)."""

    leader: int
    units: tuple[int, ...]


class Moored(Event, frozen=True):
    craft: int


class Dealt(Event, frozen=True):
    """The top cards of the pack are dealt to units and Leaders, one each in this order."""

    to: tuple[int, ...]
    cards: tuple[Card, ...]


class CardTurned(Event, frozen=True):
    """The top card of the undealt pack is turned over. `purpose`: cover, leader or joker."""

    card: Card
    purpose: str
    unit: int
    result: str


class Woke(Event, frozen=True):
    """The sleeping side wakes and will be dealt cards. `cause`: joker or rampart."""

    cause: str


class BecameImpetuous(UnitEvent, frozen=True):
    pass


class Calmed(UnitEvent, frozen=True):
    """An impetuous unit has made contact with the enemy (Turn sequence 5)."""


class CardTaken(UnitCaused, frozen=True):
    """A unit's card is removed: it will not be activated. `cause`: disorganised, engaged..."""


class Queued(Event, frozen=True):
    """A Leader's card has come up: these units may act, one after the other."""

    leader: int
    units: tuple[int, ...]


class Activated(Event, frozen=True):
    """Units, or a Leader, may act with `points` action points.

    `bonus` is for movement alone, `loss` is taken from movement unless they fire.
    """

    units: tuple[int, ...]
    points: int
    bonus: int = 0
    loss: int = 0
    leader: int = 0


class ActivationEnded(Event, frozen=True):
    pass


class Declared(Event, frozen=True):
    """An act of the activated unit is declared (Action points 5)."""

    act: Deed


class CarriedOut(Event, frozen=True):
    """The declared acts are done; the unit's points are gone, but a card may let it fire again."""


class Forgone(Event, frozen=True):
    """A declared act has become impossible and is left out."""

    act: Deed


class Entered(UnitEvent, frozen=True):
    """A unit has entered the field."""

    square: int
    facing: int
    cost: int


class Moved(Event, frozen=True):
    """Units that move together have moved to these squares; `cost` in action points.

    `path` has the squares that the first of them passed.
    """

    units: tuple[int, ...]
    path: tuple[int, ...]
    to: tuple[int, ...]
    facing: int
    cost: int


class Left(UnitCaused, frozen=True):
    """A unit or Leader has left the field. `cause`: broke off, driven off, or with a unit."""


class Formed(UnitEvent, frozen=True):
    """A unit has changed its formation, mounted or dismounted."""

    formation: Formation
    dismounted: bool
    cost: int


class BrigadeFormed(Event, frozen=True):
    """A brigade Square is formed, with the place of each unit; the first `faces` are its faces."""

    brigade: int
    facing: int
    faces: int
    units: tuple[int, ...]
    to: tuple[int, ...]
    facings: tuple[int, ...]
    cost: int


class BrigadeLeft(UnitEvent, frozen=True):
    """A unit is no longer part of its brigade Square."""


class Loaded(UnitEvent, frozen=True):
    craft: int
    cost: int


class Unloaded(UnitEvent, frozen=True):
    square: int
    facing: int
    cost: int


class HeroicPlayed(Event, frozen=True):
    """A Heroic Leadership card is played for a unit and discarded."""

    side: Side
    card: Heroic
    unit: int


class Fired(UnitEvent, frozen=True):
    """A unit has fired. `weapon` is a gunboat's armament; `by_card`: a card allowed the shot."""

    target: int
    hit: bool
    cost: int
    weapon: Kind | None = None
    by_card: bool = False


class Disorganised(UnitCaused, frozen=True):
    """A unit is disorganised. `cause`: fire, charge, or combat."""


class Recovered(UnitCaused, frozen=True):
    """A unit has recovered. `cause`: dice, or the card of a Leader."""


class RecoveryFailed(UnitEvent, frozen=True):
    """A unit has thrown for its recovery, and stays disorganised."""


class FigureLost(UnitCaused, frozen=True):
    """A figure or a flotation point is lost. `cause`: fire, charge, combat, or blocked."""


class Refloated(UnitEvent, frozen=True):
    """A vessel has regained a flotation point."""


class Lost(UnitCaused, frozen=True):
    """A unit is destroyed, sunk, or killed while pleading for mercy."""


class Charged(UnitEvent, frozen=True):
    """A unit has reached the enemy it charges. `aspect`: the side on which it strikes."""

    target: int
    aspect: Aspect
    obstacles: bool = False


class ChargeJudged(UnitEvent, frozen=True):
    """The result of a charge: the difference of the two throws, and its effect in words."""

    target: int
    difference: int
    result: str


class WentIn(UnitEvent, frozen=True):
    """A charging unit has entered the square of the unit it charged."""

    square: int


class FellBack(UnitEvent, frozen=True):
    """A unit and its company fall back through these squares and take this facing."""

    path: tuple[int, ...]
    facing: int
    blocked: bool = False


class CombatBegan(Event, frozen=True):
    """A hand-to-hand combat begins between two units in one square."""

    charger: int
    charged: int
    aspect: Aspect


class CombatJudged(Event, frozen=True):
    """The result of a round of combat: `loser` is 0 when the combat goes on."""

    charger: int
    charged: int
    loser: int
    difference: int


class CombatEnded(Event, frozen=True):
    charger: int
    charged: int


class Pursued(UnitEvent, frozen=True):
    """A unit pursues the one it has driven back."""

    square: int
    facing: int


class LeaderWounded(Event, frozen=True):
    """A Leader is wounded but stays in command."""

    leader: int


class LeaderFell(Event, frozen=True):
    """A Leader is removed. `cause`: killed, wounded, drowned, or taken."""

    leader: int
    cause: str


class BrokeOff(Event, frozen=True):
    """A side breaks off: `out` of its `of` units, half or more, are disorganised or lost.

    Small units count in proportion to their figures.
    """

    side: Side
    out: float
    of: float


class Corrected(shared.Corrected, frozen=True):
    """The umpire has corrected a unit:

    `now` is its new value, or it is removed with nothing left.
    """

    now: Unit


BattleEnded = shared.BattleEnded

AnyEvent = (
    AgendaRecorded
    | HeroicShuffled
    | HeroicDealt
    | Deployed
    | TurnBegan
    | Repacked
    | Coordinated
    | Moored
    | Dealt
    | CardTurned
    | Woke
    | BecameImpetuous
    | Calmed
    | CardTaken
    | Queued
    | Activated
    | ActivationEnded
    | Declared
    | CarriedOut
    | Forgone
    | Entered
    | Moved
    | Left
    | Formed
    | BrigadeFormed
    | BrigadeLeft
    | Loaded
    | Unloaded
    | HeroicPlayed
    | Fired
    | Disorganised
    | Recovered
    | RecoveryFailed
    | FigureLost
    | Refloated
    | Lost
    | Charged
    | ChargeJudged
    | WentIn
    | FellBack
    | CombatBegan
    | CombatJudged
    | CombatEnded
    | Pursued
    | LeaderWounded
    | LeaderFell
    | BrokeOff
    | Corrected
    | BattleEnded
)
