"""What can be said of a part of an order sheet while it is written."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from campaign.rules.map import HexId


class Verdict(StrEnum):
    """How bad it is."""

    IMPOSSIBLE = "impossible"
    POINTLESS = "pointless"
    RISKY = "risky"
    NOTE = "note"


_WORST_FIRST = (Verdict.IMPOSSIBLE, Verdict.RISKY, Verdict.POINTLESS, Verdict.NOTE)


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


def judgement(found: Iterable[Finding]) -> Verdict | None:
    """Return the worst verdict of the findings, which stands for all of them; None without any."""
    worst = next(iter(worst_first(found)), None)
    return worst.verdict if worst else None


def worst_first(found: Iterable[Finding]) -> list[Finding]:
    """Return the findings with the worst first, else in their order."""
    return sorted(found, key=lambda one: _WORST_FIRST.index(one.verdict))
