"""The events of a battle. An event holds only what changes, not the rules behind it."""

from battles.books.restless_natives.actions import Question
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.state import Unit
from battles.contract import report as shared
from battles.contract.brief import Side
from battles.core import game
from battles.core.dice import Card
from battles.core.game import Event
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint


class AgendaRecorded(game.AgendaRecorded, frozen=True):
    """The agenda and the open question at the end of every entry."""

    question: Question | None = None


class PackShuffled(Event, frozen=True):
    """The 54 playing cards are shuffled into this order, top first."""

    cards: tuple[Card, ...]


class SpecialShuffled(Event, frozen=True):
    """The Special Event Cards, with their discards, are shuffled into this order, top first."""

    cards: tuple[Special, ...]


class SpecialDealt(Event, frozen=True):
    """The top Special Event Card goes to a commander."""

    commander: int


class Allotted(Event, frozen=True):
    """A unit has come under a commander."""

    unit: int
    commander: int


class Deployed(Event, frozen=True):
    """A unit has been set up elsewhere before the battle."""

    unit: int
    at: TablePoint
    facing: int
    formation: TableFormation


class CardTurned(Event, frozen=True):
    """The top playing card is turned over; `turn` counts them from 1."""

    card: Card
    turn: int


class CardDiscarded(Event, frozen=True):
    """The playing card that was turned over is added to the discard pile."""


class HandsReturned(Event, frozen=True):
    """All commanders have handed back their Special Event Cards for a joker."""


class PassedOn(Event, frozen=True):
    """The Commander-in-Chief has passed the initiative on to a subordinate."""

    commander: int


class NobodyActivated(Event, frozen=True):
    """A card of this side's colour goes by. `cause`: choice, or nobody left to activate."""

    side: Side
    cause: str


class Activated(Event, frozen=True):
    """A unit may act; `rallied` when a card has brought it back to the field for it."""

    unit: int
    commander: int
    rallied: bool = False


class ActivationEnded(Event, frozen=True):
    pass


class SpecialPlayed(Event, frozen=True):
    """A Special Event Card is played for a unit, and discarded."""

    commander: int
    card: Special
    unit: int


class CameOn(Event, frozen=True):
    """A unit has come on to the field at its edge. `cause`: entered or rallied."""

    unit: int
    at: TablePoint
    facing: int
    cause: str


class MoveThrown(Event, frozen=True):
    """The dice of a move: its reach in hundredths of an inch in the open, and in rough terrain."""

    unit: int
    moves: int
    most: int
    rough: int


class Moved(Event, frozen=True):
    """A unit went by these points, or turned without any; `length` is that of the whole path."""

    unit: int
    path: tuple[TablePoint, ...]
    facing: int
    length: int


class StoodStill(Event, frozen=True):
    """The move that was rolled for was not made."""

    unit: int


class Exited(Event, frozen=True):
    """A unit has left the field by the exit of the scenario."""

    unit: int


class Formed(Event, frozen=True):
    unit: int
    formation: TableFormation


class Fired(Event, frozen=True):
    """A unit has fired at another with `firing` stands and destroyed some of its stands."""

    unit: int
    target: int
    firing: int
    volleys: int
    destroyed: int


class FireOver(Event, frozen=True):
    """All of the unit's fire has been resolved."""

    unit: int
    volleys: int


class Charged(Event, frozen=True):
    """A unit has moved into contact with the enemies `touched`; `target` was its aim."""

    unit: int
    target: int
    at: TablePoint
    facing: int
    length: int
    touched: tuple[int, ...]


class CombatFought(Event, frozen=True):
    """A round of close combat: stands lost by the acting unit and by its enemy."""

    unit: int
    target: int
    first: bool
    lost: int
    destroyed: int


class StandsLost(Event, frozen=True):
    """A unit has lost stands. `cause`: fire, or close combat."""

    unit: int
    stands: int
    cause: str


class ClosedUp(Event, frozen=True):
    """A unit has closed up to the enemy it fights after losses."""

    unit: int
    at: TablePoint


class Destroyed(Event, frozen=True):
    """A unit has lost its last stand."""

    unit: int
    cause: str


class MoraleTested(Event, frozen=True):
    unit: int
    score: int
    needs: int
    passed: bool


class FellBack(Event, frozen=True):
    """A unit has fallen back straight along `bearing`."""

    unit: int
    at: TablePoint
    bearing: int
    length: int


class RanAway(Event, frozen=True):
    """A unit is removed from the field; `at` is where it would come back.

    `cause`: barred (it could not fall back), or off the field.
    """

    unit: int
    at: TablePoint
    cause: str


class CommandTaken(Event, frozen=True):
    """A commander has fallen: the cards are discarded, the units come under another."""

    commander: int
    successor: int


class AreaTaken(Event, frozen=True):
    """An area of the goal has another holder."""

    area: int
    side: Side


class Corrected(shared.Corrected, frozen=True):
    """The umpire has corrected a unit: `now` replaces it, or removes it with no stands left."""

    now: Unit


BattleEnded = shared.BattleEnded

AnyEvent = (
    AgendaRecorded
    | PackShuffled
    | SpecialShuffled
    | SpecialDealt
    | Allotted
    | Deployed
    | CardTurned
    | CardDiscarded
    | HandsReturned
    | PassedOn
    | NobodyActivated
    | Activated
    | ActivationEnded
    | SpecialPlayed
    | CameOn
    | MoveThrown
    | Moved
    | StoodStill
    | Exited
    | Formed
    | Fired
    | FireOver
    | Charged
    | CombatFought
    | StandsLost
    | ClosedUp
    | Destroyed
    | MoraleTested
    | FellBack
    | RanAway
    | CommandTaken
    | AreaTaken
    | Corrected
    | BattleEnded
)
