"""The questions to a side, and the actions that answer them."""

from typing import Annotated

from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.contract import set_up
from battles.core.decoding import NumberOrNone, none_is, rest_name
from battles.core.game import Action

Asked = set_up.Asked
ToSetUp = set_up.ToSetUp
Restore = set_up.Restore


class ToCoordinate(Asked, frozen=True):
    """Choose the units that share the Leader's card (Turn 1). Answers: Coordinate, Done."""

    leader: int
    units: Annotated[tuple[int, ...], rest_name("unit_ids")]


class ToMoor(Asked, frozen=True):
    """Choose whether this vessel moors for the turn, to load or unload. Answers: Moor, Done."""

    craft: int


class ToChooseNext(Asked, frozen=True):
    """Choose the next of the Leader's co-ordinated units to act (Turn 7). Answers: Activate."""

    leader: int
    choices: Annotated[tuple[int, ...], rest_name("unit_ids")]


class ToAct(Asked, frozen=True):
    """Declare what the activated unit will do, act by act (Action points 5).

    Done, or an act after which nothing can follow, has the declared acts carried out. PlayCard
    takes effect at once. `unit` may be a Leader on his own.
    """

    unit: int


class ToPlayCard(Asked, frozen=True):
    """Choose whether to play this Heroic Leadership card for this unit. Answers: PlayCard, Done.

    Asked outside the unit's own activation: for hand-to-hand combat and recovery.
    """

    unit: int
    card: Heroic


class ToPursue(Asked, frozen=True):
    """Choose whether a unit pursues the one it drove back (Charging 16). Answers: Pursue, Done."""

    unit: int
    pursued: int


Question = ToSetUp | ToCoordinate | ToMoor | ToChooseNext | ToAct | ToPlayCard | ToPursue


class Deploy(Action, frozen=True):
    """Set up the unit or Leader in this square with this facing, before the battle.

    `formation` changes the unit's formation too. A brigade Square moves as a whole.
    """

    unit: int
    square: Annotated[int, rest_name("square_index")]
    facing: int
    formation: Formation | None = None


class Done(Action, frozen=True):
    """Decline or stop: no co-ordination, no card, no pursuit, or the end of the activation."""


class Coordinate(Action, frozen=True):
    """Let these units share the Leader's playing card."""

    units: Annotated[tuple[int, ...], rest_name("unit_ids")]


class Moor(Action, frozen=True):
    """Moor the vessel for the turn."""


class Activate(Action, frozen=True):
    """Activate this unit (or the Leader himself) next."""

    unit: int


class Enter(Action, frozen=True):
    """Enter the field with a unit that waits off it."""

    square: Annotated[int, rest_name("square_index")]
    facing: int


class Move(Action, frozen=True):
    """Move through these squares and end with this facing; without squares, turn.

    Turns on the way are made, and paid for, as the path demands.
    """

    path: Annotated[tuple[int, ...], rest_name("squares")]
    facing: int


class Leave(Action, frozen=True):
    """Leave the field over the edge the unit stands at, as part of breaking off."""


class Charge(Action, frozen=True):
    """Charge this enemy unit by the shortest way."""

    target: int


class Fire(Action, frozen=True):
    """Fire at this enemy unit.

    `unit` selects one of a brigade's units; `weapon` one of a gunboat's two armaments.
    """

    target: int
    unit: NumberOrNone = 0
    weapon: Kind | None = None


class Form(Action, frozen=True):
    """Change formation; limbering and unlimbering are such changes."""

    formation: Formation


class FormBrigade(Action, frozen=True):
    """Form a brigade Square with co-ordinated battalions round this middle, or the best."""

    middle: Annotated[int, rest_name("square_index"), none_is(0)] = 0


class Mount(Action, frozen=True):
    """Mount dismounted camelry."""


class Dismount(Action, frozen=True):
    """Dismount mounted camelry."""


class Load(Action, frozen=True):
    """Load the unit aboard this vessel."""

    craft: int


class Unload(Action, frozen=True):
    """Land the unit on this square with this facing."""

    square: Annotated[int, rest_name("square_index")]
    facing: int


class PlayCard(Action, frozen=True):
    """Play this Leader's Heroic Leadership card for the unit with him."""

    card: Heroic


class Pursue(Action, frozen=True):
    """Pursue the unit that was driven back."""


Deed = Enter | Move | Leave | Charge | Fire | Form | FormBrigade | Mount | Dismount | Load | Unload
"""The acts that a unit declares before it does the first of them (Action points 5)."""

AnyAction = Deploy | Restore | Done | Coordinate | Moor | Activate | Deed | PlayCard | Pursue
