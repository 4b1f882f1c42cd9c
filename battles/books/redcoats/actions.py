"""What commanders are asked, and what they may do."""

import msgspec

from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.contract.brief import Side
from battles.core.game import Action


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="asks"):
    """A question to one side."""

    side: Side


class ToSetUp(Asked, frozen=True):
    """Stand units elsewhere within the side's set-up squares, then be ready. Deploy, Done."""


class ToCoordinate(Asked, frozen=True):
    """Whether the Leader's one card shall serve for units near him (Turn 1). Coordinate, Done."""

    leader: int
    units: tuple[int, ...]


class ToMoor(Asked, frozen=True):
    """Whether this vessel lies still for the turn, to load or unload. Moor, Done."""

    craft: int


class ToChooseNext(Asked, frozen=True):
    """Which of those the Leader co-ordinates acts next (Turn 7). Activate."""

    leader: int
    choices: tuple[int, ...]


class ToAct(Asked, frozen=True):
    """The activated unit moves and fires, or stops. `unit` may be a Leader on his own."""

    unit: int


class ToPlayCard(Asked, frozen=True):
    """Whether to play this Heroic Leadership card for this unit. PlayCard, Done.

    Asked where it is not the unit's own activation: hand-to-hand combat, and recovery.
    """

    unit: int
    card: Heroic


class ToPursue(Asked, frozen=True):
    """Whether a unit that has driven another back goes after it (Charging 16). Pursue, Done."""

    unit: int
    pursued: int


Question = ToSetUp | ToCoordinate | ToMoor | ToChooseNext | ToAct | ToPlayCard | ToPursue


class Deploy(Action, frozen=True):
    """Before the battle: the unit or Leader stands in this square, facing so."""

    unit: int
    square: int
    facing: int


class Done(Action, frozen=True):
    """Nothing (more) is done: no co-ordination, no card, no pursuit, the activation over."""


class Coordinate(Action, frozen=True):
    """These units share the Leader's playing card."""

    units: tuple[int, ...]


class Moor(Action, frozen=True):
    """The vessel lies still for the turn."""


class Activate(Action, frozen=True):
    """This unit (or the Leader himself) acts next."""

    unit: int


class Enter(Action, frozen=True):
    """A unit that waits off the field comes on to it."""

    square: int
    facing: int


class Move(Action, frozen=True):
    """The unit goes through these squares and ends with this facing; without squares it turns.

    Turns on the way are made, and paid, as the path demands.
    """

    path: tuple[int, ...]
    facing: int


class Leave(Action, frozen=True):
    """A unit that breaks off leaves the field over the edge it stands at."""


class Charge(Action, frozen=True):
    """The unit charges this enemy unit by the shortest way."""

    target: int


class Fire(Action, frozen=True):
    """The unit fires at this enemy unit.

    `unit` names one of a brigade's; `weapon` one of a gunboat's two armaments.
    """

    target: int
    unit: int = 0
    weapon: Kind | None = None


class Form(Action, frozen=True):
    """The unit changes formation; limbering and unlimbering too."""

    formation: Formation


class FormBrigade(Action, frozen=True):
    """Four co-ordinated battalions around one square become a brigade Square."""


class Mount(Action, frozen=True):
    """Dismounted camelry mounts."""


class Dismount(Action, frozen=True):
    """Mounted camelry dismounts."""


class Load(Action, frozen=True):
    """The unit goes aboard this vessel."""

    craft: int


class Unload(Action, frozen=True):
    """The unit goes ashore on to this square, facing so."""

    square: int
    facing: int


class PlayCard(Action, frozen=True):
    """The Leader plays this Heroic Leadership card for the unit he is with."""

    card: Heroic


class Pursue(Action, frozen=True):
    """The unit goes after the one it has driven back."""


AnyAction = (
    Deploy
    | Done
    | Coordinate
    | Moor
    | Activate
    | Enter
    | Move
    | Leave
    | Charge
    | Fire
    | Form
    | FormBrigade
    | Mount
    | Dismount
    | Load
    | Unload
    | PlayCard
    | Pursue
)
