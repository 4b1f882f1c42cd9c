"""The goals of a battle, judged at its end (Scenarios)."""

from typing import Annotated

import msgspec

from battles.contract.brief import Side
from battles.core.decoding import rest_name
from battles.tabletop.deployment import Outline


class Hold(msgspec.Struct, frozen=True, tag=True, tag_field="goal"):
    """`side` wins by holding `need` of the areas at the end; otherwise the other side wins.

    The holder of an area is the side that alone has stands in it, else its last holder; when the
    battle begins, it is the other side.
    """

    side: Side
    areas: tuple[Outline, ...]
    need: int = 1


class Exit(msgspec.Struct, frozen=True, tag=True, tag_field="goal"):
    """`side` wins when more than `percent` of its stands have left the field by the area."""

    side: Side
    area: Annotated[Outline, rest_name("corners")]
    percent: int = 50


class Remain(msgspec.Struct, frozen=True, tag=True, tag_field="goal"):
    """A side with `percent` or more of its stands on the field wins when the other has fewer."""

    percent: int = 50


Goal = Hold | Exit | Remain
