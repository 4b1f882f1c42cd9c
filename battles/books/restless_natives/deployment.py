"""A battle before it begins: the field and everything that stands on it or will come to it."""

import msgspec

from battles.books.restless_natives.goals import Goal, Outline, Remain
from battles.books.restless_natives.state import PACK_ONCE, Commander, Unit
from battles.contract.brief import Brief
from battles.contract.troops import Side
from battles.open_table.field import Field


class Deployment(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What scenarios and briefs are made into; `new_game` makes a battle of it.

    Each side has one Commander-in-Chief among its commanders; every unit names its commander.
    `late` units stand where they will come on to the field when they are first activated.
    `zones`: where a side may set its units up before play. `cards` until the end of a campaign
    battle; of a `one_off` one the second joker ends it. `drawn_from`: whom of the brief.
    """

    title: str
    field: Field
    units: tuple[Unit, ...]
    commanders: tuple[Commander, ...]
    late: tuple[int, ...] = ()
    zones: dict[Side, tuple[Outline, ...]] = {}
    goal: Goal = Remain()
    one_off: bool = False
    cards: int = PACK_ONCE
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}
