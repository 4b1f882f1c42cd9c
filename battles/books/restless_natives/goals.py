"""What a battle is fought for; judged when it is over (Scenarios)."""

import msgspec

from battles.contract.brief import Side
from battles.tabletop.geometry import TablePoint

Outline = tuple[TablePoint, ...]


class Hold(msgspec.Struct, frozen=True, tag=True, tag_field="goal"):
    """`side` wins by holding `need` of the areas at the end, the other side by denying it that.

    An area is held by the side that alone has stands in it, else by whoever held it before;
    when the battle begins, by the other side.
    """

    side: Side
    areas: tuple[Outline, ...]
    need: int = 1


class Exit(msgspec.Struct, frozen=True, tag=True, tag_field="goal"):
    """`side` wins when more than `percent` of its stands have left the field by the area."""

    side: Side
    area: Outline
    percent: int = 50


class Remain(msgspec.Struct, frozen=True, tag=True, tag_field="goal"):
    """A side with `percent` or more of its stands on the field wins when the other has not."""

    percent: int = 50


Goal = Hold | Exit | Remain
