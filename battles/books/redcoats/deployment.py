"""A battle before it begins: the field and everything that stands on it or will come to it."""

import msgspec

from battles.books.redcoats.field import Field
from battles.books.redcoats.pieces import Special
from battles.books.redcoats.state import Brigade, Entry, Leader, Objective, Unit
from battles.contract.brief import Brief
from battles.contract.troops import Side


class Deployment(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What scenarios and briefs are made into; `new_game` makes a battle of it.

    Units of a brigade Square name it; `entries` has those that wait off the field; `set_up` the
    squares within which a side may change where its units stand before play; `turns` until
    nightfall, 0 for the usual number. `drawn_from`: for units and Leaders, whom of the brief.
    """

    title: str
    field: Field
    units: tuple[Unit, ...]
    leaders: tuple[Leader, ...] = ()
    brigades: tuple[Brigade, ...] = ()
    entries: dict[int, Entry] = {}
    set_up: dict[Side, tuple[int, ...]] = {}
    special: tuple[Special, ...] = ()
    objective: Objective | None = None
    turns: int = 0
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
