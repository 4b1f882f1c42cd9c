"""What a stack is to do: the place it is meant for, and where it is to stand."""

from typing import NamedTuple

from campaign.rules.map import HexId


class Task(NamedTuple):
    """`place` is what it is about; `goals` are the hexes to stand in.

    `hold`: the stack may attack what is beside it, but does not leave its hex.
    """

    place: HexId
    goals: tuple[HexId, ...]
    hold: bool = False
