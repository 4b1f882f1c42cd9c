"""What can happen in a battle. An event says what happened, never why it may or what next."""

from battles.books.redcoats.actions import Question
from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.books.redcoats.squares import Aspect
from battles.books.redcoats.state import Unit
from battles.contract import events as shared
from battles.contract.brief import Side
from battles.core import game
from battles.core.cards import Card
from battles.core.game import Event


class AgendaRecorded(game.AgendaRecorded, frozen=True):
    """The end of every entry: the agenda and the open question after it."""

    question: Question | None = None


class HeroicShuffled(Event, frozen=True):
    """The Heroic Leadership cards, discards among them, lie shuffled in this order, top first."""

    cards: tuple[Heroic, ...]


class HeroicDealt(Event, frozen=True):
    """The top Heroic Leadership card goes to a side; `leader` is 0 before the battle."""

    side: Side
    leader: int = 0


class Deployed(Event, frozen=True):
    unit: int
    square: int
    facing: int


class TurnBegan(Event, frozen=True):
    """A turn begins with this pack, top card first."""

    turn: int
    pack: tuple[Card, ...]


class Repacked(Event, frozen=True):
    """The pack has run out: the cards turned over lie shuffled in this order."""

    pack: tuple[Card, ...]


class Coordinated(Event, frozen=True):
    """One card will serve for the Leader and these units (Turn sequence 1)."""

    leader: int
    units: tuple[int, ...]


class Moored(Event, frozen=True):
    craft: int


class Dealt(Event, frozen=True):
    """The top cards of the pack lie before units and Leaders, one each in this order."""

    to: tuple[int, ...]
    cards: tuple[Card, ...]


class CardTurned(Event, frozen=True):
    """The top card of the undealt pack is turned over. `purpose`: cover, leader or joker."""

    card: Card
    purpose: str
    unit: int
    result: str


class Woke(Event, frozen=True):
    """Those who were dealt no cards know of the attack. `cause`: joker or rampart."""

    cause: str


class BecameImpetuous(Event, frozen=True):
    unit: int


class Calmed(Event, frozen=True):
    """An impetuous unit has come into contact with the enemy (Turn sequence 5)."""

    unit: int


class CardTaken(Event, frozen=True):
    """A unit's card is removed: it will not be activated. `cause`: disorganised, engaged..."""

    unit: int
    cause: str


class Queued(Event, frozen=True):
    """A Leader's card has come up: these may act, one after the other."""

    leader: int
    units: tuple[int, ...]


class Activated(Event, frozen=True):
    """Units, or a Leader, may act with so many points.

    `bonus` is for moving alone, `loss` is taken from movement unless they fire.
    """

    units: tuple[int, ...]
    points: int
    bonus: int = 0
    loss: int = 0
    leader: int = 0


class ActivationEnded(Event, frozen=True):
    pass


class Entered(Event, frozen=True):
    """A unit has come on to the field."""

    unit: int
    square: int
    facing: int
    cost: int


class Moved(Event, frozen=True):
    """Units, which go together, went to these squares; `cost` in action points.

    `path` are the squares that the first of them went through.
    """

    units: tuple[int, ...]
    path: tuple[int, ...]
    to: tuple[int, ...]
    facing: int
    cost: int


class Left(Event, frozen=True):
    """A unit or Leader has gone from the field. `cause`: broke off, driven off, or with a unit."""

    unit: int
    cause: str


class Formed(Event, frozen=True):
    """A unit has changed its formation; mounting and dismounting are such changes."""

    unit: int
    formation: Formation
    dismounted: bool
    cost: int


class BrigadeFormed(Event, frozen=True):
    """A brigade Square is formed: who faces where."""

    brigade: int
    facing: int
    units: tuple[int, ...]
    facings: tuple[int, ...]
    cost: int


class BrigadeLeft(Event, frozen=True):
    """A unit is no longer part of its brigade Square."""

    unit: int


class Loaded(Event, frozen=True):
    unit: int
    craft: int
    cost: int


class Unloaded(Event, frozen=True):
    unit: int
    square: int
    facing: int
    cost: int


class HeroicPlayed(Event, frozen=True):
    """A Heroic Leadership card is used for a unit, and discarded."""

    side: Side
    card: Heroic
    unit: int


class Fired(Event, frozen=True):
    """A unit has fired. `weapon` is a gunboat's armament; `by_card` when a card let it."""

    unit: int
    target: int
    hit: bool
    cost: int
    weapon: Kind | None = None
    by_card: bool = False


class Disorganised(Event, frozen=True):
    """`cause`: fire, charge, or combat."""

    unit: int
    cause: str


class Recovered(Event, frozen=True):
    """`cause`: dice, or the card of a Leader."""

    unit: int
    cause: str


class FigureLost(Event, frozen=True):
    """A figure, or a vessel's flotation point. `cause`: fire, charge, combat, or blocked."""

    unit: int
    cause: str


class Refloated(Event, frozen=True):
    """A vessel has recovered a flotation point."""

    unit: int


class Lost(Event, frozen=True):
    """A unit is destroyed, sunk, or killed pleading for mercy."""

    unit: int
    cause: str


class Charged(Event, frozen=True):
    """A unit has come up to the enemy it charges. `aspect`: where it strikes him."""

    unit: int
    target: int
    aspect: Aspect
    obstacles: bool = False


class ChargeJudged(Event, frozen=True):
    """What the two throws have given: the difference, and what it means in words."""

    unit: int
    target: int
    difference: int
    result: str


class WentIn(Event, frozen=True):
    """A charging unit stands in the square of the unit it has charged."""

    unit: int
    square: int


class FellBack(Event, frozen=True):
    """A unit and all with it go back through these squares, and face so."""

    unit: int
    path: tuple[int, ...]
    facing: int
    blocked: bool = False


class CombatBegan(Event, frozen=True):
    """Two units are in one square."""

    charger: int
    charged: int
    aspect: Aspect


class CombatJudged(Event, frozen=True):
    """What the two throws have given: `loser` is 0 when the combat goes on."""

    charger: int
    charged: int
    loser: int
    difference: int


class CombatEnded(Event, frozen=True):
    charger: int
    charged: int


class Pursued(Event, frozen=True):
    """A unit follows the one it has driven back."""

    unit: int
    square: int
    facing: int


class LeaderWounded(Event, frozen=True):
    """A Leader is wounded, and continues."""

    leader: int


class LeaderFell(Event, frozen=True):
    """A Leader is removed. `cause`: killed, wounded, drowned, or taken."""

    leader: int
    cause: str


class BrokeOff(Event, frozen=True):
    """A side has half or more of its units disorganised or lost."""

    side: Side
    out: int
    of: int


class Corrected(shared.Corrected, frozen=True):
    """The umpire has set a unit right: it is `now` as this says, or no more with nothing left."""

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
