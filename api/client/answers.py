"""The answers to questions in live play; hexes and units are numbers."""

import msgspec


class Answer(msgspec.Struct, frozen=True, tag=True, tag_field="do"):
    """An answer to a question."""


class Deploy(Answer, frozen=True):
    """Before the first month, place these units in this hex instead."""

    units: tuple[int, ...]
    hex: int


class Place(Answer, frozen=True):
    """Place arrivals of this group in this hex; without `units`, the whole group."""

    group: int
    hex: int
    units: tuple[int, ...] = ()


class Withdraw(Answer, frozen=True):
    """Remove these units from the map for good."""

    units: tuple[int, ...]


class Dismount(Answer, frozen=True):
    """Dismount two Camel Corps units for good."""

    units: tuple[int, ...]


class Done(Answer, frozen=True):
    """Finish the set-up, reinforcement or march phase."""


class March(Answer, frozen=True):
    """March these units, which stand together; `leader` helps them."""

    units: tuple[int, ...]
    leader: int = 0


class Rail(Answer, frozen=True):
    """Move these units by rail to this hex."""

    units: tuple[int, ...]
    hex: int


class Sail(Answer, frozen=True):
    """Move these craft and passengers along the river through these hexes."""

    units: tuple[int, ...]
    path: tuple[int, ...]


class Move(Answer, frozen=True):
    """Move the marching stack through these hexes."""

    path: tuple[int, ...]


class Attack(Answer, frozen=True):
    """Attack the enemy in this adjacent hex with the marching stack."""

    hex: int


class DropOff(Answer, frozen=True):
    """Leave these units of the marching stack where it stands."""

    units: tuple[int, ...]


class Halt(Answer, frozen=True):
    """Finish the stack's march for this turn."""


class Pick(Answer, frozen=True):
    """Name the units asked for."""

    units: tuple[int, ...]


class Share(Answer, frozen=True):
    """Share the losses among the units."""

    eliminated: tuple[int, ...]
    disrupted: tuple[int, ...]


class Lead(Answer, frozen=True):
    """Use this leader in `fire` or in `melee`; leader 0 helps in neither."""

    leader: int
    stage: str = ""


class Retreat(Answer, frozen=True):
    """Retreat the beaten stack through these hexes; with none, it stands fast."""

    path: tuple[int, ...]


class Supply(Answer, frozen=True):
    """Draw on this supply unit; with 0, roll for attrition."""

    source: int


class Choose(Answer, frozen=True):
    """Name the hex asked for."""

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
