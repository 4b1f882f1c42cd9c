"""A battle before it begins: the field and everything that stands on it or will come to it."""

import msgspec

from battles.books.fuzzy_wuzzy.state import Unit
from battles.contract.brief import Brief
from battles.contract.troops import Side
from battles.open_table.field import Field


class Deployment(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What briefs are made into; `new_game` makes a battle of it.

    `late` are the numbers of units that wait off the field; `homes` the bearings of the sides' own
    edges; `plans` say who is to "attack" and who to "hold"; `turns` until nightfall,
    0 for the usual number.
    """

    title: str
    field: Field
    units: tuple[Unit, ...]
    homes: dict[Side, int]
    plans: dict[Side, str] = {}
    late: tuple[int, ...] = ()
    turns: int = 0
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
