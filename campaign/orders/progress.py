"""How far the sheets of a month have been carried out: written with every entry."""

from enum import StrEnum

import msgspec

from campaign.rules.map import HexId


class Outcome(StrEnum):
    """What became of an order."""

    DONE = "done"
    PARTLY = "partly"
    NOT = "not"


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of an order, in words; the clause that stood in its way, and what to do."""

    outcome: Outcome
    said: str
    clause: str = ""
    remedy: str = ""


class Account(msgspec.Struct, omit_defaults=True):
    """What became of the orders of a seat, and of its orders for arrivals, by their numbers."""

    orders: dict[int, Told] = {}
    arrivals: dict[int, Told] = {}


class Marching(msgspec.Struct, omit_defaults=True):
    """The order that the stack on the march obeys: whose, which, and what has been seen to.

    `way` is what it has planned of its way; `round`: it goes round the enemy and has left its
    route. `fought` is the hex attacked last, `began` the march it was attacked in, and `fighting`
    says that what came of it has not been seen yet. `threw`: what it did last was to throw for a
    march. `reason`, `clause` and `remedy` tell why it halts.
    """

    seat: int
    order: int
    leg: int = 0
    fought: HexId = HexId(0)
    began: int = 0
    fighting: bool = False
    wins: int = 0
    round: bool = False
    way: tuple[HexId, ...] = ()
    threw: bool = True
    reason: str = ""
    clause: str = ""
    remedy: str = ""


class Progress(msgspec.Struct, omit_defaults=True):
    """How far the sheets have been carried out."""

    seats: dict[int, Account] = {}
    marching: Marching | None = None

    def copy(self) -> "Progress":
        """Return a copy that may be written in; what is frozen is shared."""
        return Progress(
            {seat: Account({**one.orders}, {**one.arrivals}) for seat, one in self.seats.items()},
            None if self.marching is None else msgspec.structs.replace(self.marching),
        )

    def account(self, seat: int) -> Account:
        """The account of that seat, opened if there was none."""
        return self.seats.setdefault(seat, Account())
