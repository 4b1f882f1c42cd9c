"""Answers to what is asked in live play; hexes and units are numbers."""

import msgspec


class Answer(msgspec.Struct, frozen=True, tag=True, tag_field="do"):
    """An answer to a question."""


class Deploy(Answer, frozen=True):
    """Before the first turn: these units stand in this hex instead."""

    units: tuple[int, ...]
    hex: int


class Place(Answer, frozen=True):
    """Arrivals of that group stand in this hex; without `units` the whole group does."""

    group: int
    hex: int
    units: tuple[int, ...] = ()


class Withdraw(Answer, frozen=True):
    """These units leave the map for good."""

    units: tuple[int, ...]


class Dismount(Answer, frozen=True):
    """Two Camel Corps units go on foot for good."""

    units: tuple[int, ...]


class Done(Answer, frozen=True):
    """Set-up, reinforcement or march phase is finished."""


class March(Answer, frozen=True):
    """These units, which stand together, march; `leader` helps them."""

    units: tuple[int, ...]
    leader: int = 0


class Rail(Answer, frozen=True):
    """These units go by rail to this hex."""

    units: tuple[int, ...]
    hex: int


class Sail(Answer, frozen=True):
    """These hulls and passengers go along the river through these hexes."""

    units: tuple[int, ...]
    path: tuple[int, ...]


class Move(Answer, frozen=True):
    """The marching stack goes through these hexes."""

    path: tuple[int, ...]


class Attack(Answer, frozen=True):
    """The marching stack attacks the enemy in this adjacent hex."""

    hex: int


class DropOff(Answer, frozen=True):
    """The marching stack leaves these units where it stands."""

    units: tuple[int, ...]


class Halt(Answer, frozen=True):
    """The marching stack has finished for this turn."""


class Pick(Answer, frozen=True):
    """The units asked for."""

    units: tuple[int, ...]


class Share(Answer, frozen=True):
    """Losses as their owner shares them."""

    eliminated: tuple[int, ...]
    disrupted: tuple[int, ...]


class Lead(Answer, frozen=True):
    """This leader helps in `fire` or in `melee`; leader 0 helps in neither."""

    leader: int
    stage: str = ""


class Retreat(Answer, frozen=True):
    """The beaten stack goes back through these hexes; none: it stands fast."""

    path: tuple[int, ...]


class Supply(Answer, frozen=True):
    """The stack draws on this supply unit; 0: it rolls for attrition."""

    source: int


class Choose(Answer, frozen=True):
    """The hex asked for."""

    hex: int


AnyAnswer = (
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
    | Retreat
    | Supply
    | Choose
)
