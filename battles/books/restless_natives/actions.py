"""What commanders are asked, and what they may do."""

import msgspec

from battles.books.restless_natives.pieces import Formation, Special
from battles.contract.brief import Side
from battles.core.game import Action
from battles.tabletop.geometry import TablePoint


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="asks"):
    """A question to one side."""

    side: Side


class ToSetUp(Asked, frozen=True):
    """Allot units to commanders, stand them elsewhere, then be ready. Allot, Deploy, Done."""


class ToCommand(Asked, frozen=True):
    """A card of the side's colour: this commander activates a unit of his, or nobody; the
    Commander-in-Chief may pass the initiative on. Activate, Rally, PassOn, Done."""

    commander: int


class ToAct(Asked, frozen=True):
    """What the activated unit does next. PlayCard, March, Fire, Form, Fight, Done."""

    unit: int


class ToMove(Asked, frozen=True):
    """Where the unit goes with the dice it has thrown. Move, Charge, Leave, Done.

    `most` hundredths of an inch in the open, `rough` where the way is rough or barred by an
    obstacle; `moves` are the moves thrown for.
    """

    unit: int
    most: int
    rough: int
    moves: int = 1


Question = ToSetUp | ToCommand | ToAct | ToMove


class Allot(Action, frozen=True):
    """Before the battle: the unit comes under this commander."""

    unit: int
    commander: int


class Deploy(Action, frozen=True):
    """Before the battle: the unit stands here, facing so, in this formation."""

    unit: int
    at: TablePoint
    facing: int
    formation: Formation


class Done(Action, frozen=True):
    """Nothing (more) is done: no unit activated, the move not made, the activation over."""


class PassOn(Action, frozen=True):
    """The Commander-in-Chief passes the initiative on to this subordinate."""

    commander: int


class Activate(Action, frozen=True):
    """This unit is activated; one that waits off the field comes on to it."""

    unit: int


class Rally(Action, frozen=True):
    """The commander lays down Rally Once Again! and this unit, which ran away, comes back."""

    unit: int


class PlayCard(Action, frozen=True):
    """The unit's commander lays down this Special Event Card for it."""

    card: Special


class March(Action, frozen=True):
    """Dice are thrown for a move, or for two moves in one."""

    moves: int = 1


class Move(Action, frozen=True):
    """The unit goes straight from point to point and ends with this facing.

    Without points it turns on the spot.
    """

    path: tuple[TablePoint, ...]
    facing: int


class Charge(Action, frozen=True):
    """The unit moves into contact with this enemy and initiates a close combat."""

    target: int


class Leave(Action, frozen=True):
    """The unit leaves the field by the exit of the scenario."""


class Fire(Action, frozen=True):
    """The unit fires: each stand at the first of these targets that it can engage.

    `volleys` 2 is firing twice, all dice thrown together.
    """

    targets: tuple[int, ...]
    volleys: int = 1


class Form(Action, frozen=True):
    """The unit changes formation."""

    formation: Formation


class Fight(Action, frozen=True):
    """The unit fights a further round of close combat with this enemy."""

    target: int


AnyAction = (
    Allot
    | Deploy
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
