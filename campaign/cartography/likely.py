"""Where both sides are likely to stand: a disc to a hex, the larger the likelier."""

from collections.abc import Iterator, Mapping

from battles.drawing.pen import element
from campaign.cartography.sheet import COLUMN, Sheet
from campaign.rules.map import HexId
from campaign.rules.pieces import Side

FULL = COLUMN * 0.42
"""The radius of the disc of a hex that is held for certain."""
FAINTEST = 0.02
"""Below this chance nothing is drawn."""
Presence = Mapping[Side, Mapping[HexId, float]]


def discs(sheet: Sheet, presence: Presence) -> Iterator[str]:
    """The discs of both sides, their areas as the chances; the two of one hex side by side."""
    for side, hexes in presence.items():
        aside = FULL * (0.25 if side is Side.MAHDIST else -0.25)
        for hex_id, chance in hexes.items():
            if chance < FAINTEST or hex_id not in sheet.map.hexes:
                continue
            x, y = sheet.centre(hex_id)
            shared = any(hex_id in held for other, held in presence.items() if other is not side)
            yield element(
                "circle",
                class_=f"likely {side}",
                cx=round(x + aside * shared),
                cy=y,
                r=round(FULL * chance**0.5),
            )
