"""The questions to commanders, and the actions that answer them."""

from typing import Annotated

from battles.books.restless_natives.pieces import Special
from battles.contract import set_up
from battles.core.decoding import rest_name
from battles.core.game import Action
from battles.tabletop import deployment
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

Asked = set_up.Asked
ToSetUp = set_up.ToSetUp
Restore = set_up.Restore
Deploy = deployment.Deploy


class ToCommand(Asked, frozen=True):
    """A card of the side's colour: which unit this commander activates.

    Answers: Activate, Rally, Done, and for the Commander-in-Chief PassOn.
    """

    commander: int


class ToAct(Asked, frozen=True):
    """The activated unit's next deed. Answers: PlayCard, March, Fire, Form, Fight, Done."""

    unit: int


class ToMove(Asked, frozen=True):
    """The unit's move with the dice it has rolled. Answers: Move, Charge, Leave, Done.

    `most` is its reach in hundredths of an inch in the open, `rough` over rough terrain or an
    obstacle; `moves` are the moves rolled for.
    """

    unit: int
    most: Annotated[int, rest_name("open_hundredths")]
    rough: Annotated[int, rest_name("rough_hundredths")]
    moves: int = 1


Question = ToSetUp | ToCommand | ToAct | ToMove


class Allot(Action, frozen=True):
    """Put the unit under this commander, before the battle."""

    unit: int
    commander: int


class Done(Action, frozen=True):
    """Do nothing (more): activate no unit, decline the move, or end the activation."""


class PassOn(Action, frozen=True):
    """Pass the initiative on to this subordinate."""

    commander: int


class Activate(Action, frozen=True):
    """Activate this unit; one that waits off the field comes on to it."""

    unit: int


class Rally(Action, frozen=True):
    """Play Rally Once Again! to bring back this unit, which ran away."""

    unit: int


class PlayCard(Action, frozen=True):
    """Play this Special Event Card for the activated unit."""

    card: Special


class March(Action, frozen=True):
    """Roll for a move, or for two moves in one."""

    moves: int = 1


class Move(Action, frozen=True):
    """Go straight from point to point and end with this facing.

    Without points the unit turns on the spot.
    """

    path: Annotated[tuple[TablePoint, ...], rest_name("waypoints")]
    facing: int


class Charge(Action, frozen=True):
    """Move into contact with this enemy and initiate a close combat."""

    target: int


class Leave(Action, frozen=True):
    """Leave the field by the exit of the scenario."""


class Fire(Action, frozen=True):
    """Fire: each stand at the first of these targets that it can engage.

    `volleys` 2 is firing twice, all dice thrown together.
    """

    targets: tuple[int, ...]
    volleys: Annotated[int, rest_name("volley_count")] = 1


class Form(Action, frozen=True):
    """Change the unit's formation."""

    formation: TableFormation


class Fight(Action, frozen=True):
    """Fight a further round of close combat with this enemy."""

    target: int


AnyAction = (
    Allot
    | Deploy
    | Restore
    | Done
    | PassOn
    | Activate
    | Rally
    | PlayCard
    | March
    | Move
    | Charge
    | Leave
    | Fire
    | Form
    | Fight
)
