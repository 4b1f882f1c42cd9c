"""What can be said of a part of an order sheet while it is written."""

from enum import StrEnum

import msgspec

from campaign.rules.map import HexId


class Verdict(StrEnum):
    """How bad it is."""

    IMPOSSIBLE = "impossible"
    POINTLESS = "pointless"
    RISKY = "risky"


class Part(StrEnum):
    """What part of the sheet is spoken of."""

    ORDER = "order"
    REINFORCEMENT = "reinforcement"
    SHEET = "sheet"


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is to be said of a part of a sheet: of its order `number`, counted from 0."""

    part: Part
    number: int
    verdict: Verdict
    said: str
    clause: str = ""
    remedy: str = ""
    hex: HexId = HexId(0)
