"""A small battle for the tests of battles: two battalions and a gun against four rubs."""

from battles.contract import (
    Bearing,
    Brief,
    BriefGround,
    Nation,
    Party,
    Quality,
    Side,
    Troop,
    TroopKind,
)
from battles.models import Battle
from battles.services import BattleRequest, record

KEY = b"a key of thirty-two bytes in all"
BOOK = "redcoats"


def troop(number: int, kind: TroopKind, nation: Nation, **more: object) -> Troop:
    return Troop(number, kind, nation, **more)  # type: ignore[arg-type]


def small_brief(number: str = "a-battle", title: str = "The battle of Nowhere") -> Brief:
    british, dervish = Nation.BRITISH, Nation.MAHDIST
    defenders = (
        troop(1, TroopKind.INFANTRY, british, quality=Quality.VETERAN, strength=3, name="Sussex"),
        troop(2, TroopKind.INFANTRY, british, quality=Quality.VETERAN, strength=3),
        troop(3, TroopKind.GUN, british, quality=Quality.VETERAN, strength=1),
        troop(4, TroopKind.LEADER, british, name="Graham", tactical=1),
    )
    attackers = tuple(
        troop(number, TroopKind.SPEARS, dervish, quality=Quality.FANATIC, strength=3)
        for number in range(11, 15)
    )
    return Brief(
        id=number,
        title=title,
        attacker=Party(Side.MAHDIST, attackers, orders="attack"),
        defender=Party(Side.EGYPTIAN, defenders),
        ground=BriefGround(cultivated=True),
        month="1884-02",
        comes_from=Bearing.NORTH,
    )


def fought_out(owner: str = "person:0", *, public: bool = False) -> Battle:
    """That battle, fought out by the commanders and written down."""
    return record(owner, small_brief(), BOOK, KEY, battle_request=BattleRequest(public))
