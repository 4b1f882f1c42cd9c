"""Which units a side would rather lose: the order in which it gives them up."""

from collections.abc import Sequence

from campaign.rules.pieces import TRAIN, Kind, Nation, Quality
from campaign.rules.state import Unit

_BY_KIND = {
    Kind.CAMEL: 1.0,
    Kind.SPEARS: 1.0,
    Kind.BOAT: 1.2,
    Kind.CAVALRY: 1.4,
    Kind.INFANTRY: 2.0,
    Kind.ENGINEERS: 2.0,
    Kind.NAVAL: 2.0,
    Kind.CAMEL_CORPS: 2.2,
    Kind.GUN: 2.5,
    Kind.GUNBOAT: 3.0,
    Kind.SUPPLY: 6.0,
}
_BY_QUALITY = {
    Quality.VETERAN: 1.5,
    Quality.LINE: 1.2,
    Quality.FANATIC: 1.0,
    Quality.RABBLE: 0.8,
    Quality.NONE: 1.0,
}


def worth(unit: Unit) -> float:
    """How dear the unit is; a British unit comes back after two months (3.3)."""
    dear = _BY_KIND.get(unit.kind, 3.0) * _BY_QUALITY[unit.quality] * max(1, unit.strength)
    return dear if unit.nation is not Nation.BRITISH else dear * 1.1


def cheapest(
    units: Sequence[Unit], count: int, *, steady_first: bool = False, mourn: bool = False
) -> list[Unit]:
    """The `count` units to give up, civilians last.

    `steady_first` where what befalls them disrupts the steady and destroys the disrupted;
    `mourn` where the loss of British troops costs the victory (4.2).
    """
    order = sorted(
        units,
        key=lambda unit: (
            unit.kind is Kind.CIVILIANS,
            mourn and unit.nation is Nation.BRITISH and unit.kind not in TRAIN,
            unit.disrupted is steady_first,
            worth(unit),
            unit.id,
        ),
    )
    return order[:count]
