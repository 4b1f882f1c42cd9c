"""Battles of several kinds for players at random: in the open, at a zariba, by a river."""

from collections.abc import Callable

from msgspec.structs import replace

from battles.books.fuzzy_wuzzy.set_up import Deployment, lay_out
from battles.contract import Bearing, BriefGround
from battles.contract.brief import Brief
from tests.redcoats_commander.armies import written


def by_a_river() -> Brief:
    """Abu Kru with the Nile beside it."""
    ground = BriefGround(river=(Bearing.NORTH_EAST,), river_class="navigable", settlement="village")
    return replace(written("abu-kru").brief, id="by-a-river", ground=ground)


BATTLES: dict[str, Callable[[], Deployment]] = {
    "tamai": lambda: lay_out(written("tamai").brief),
    "kirbekan": lambda: lay_out(written("kirbekan").brief),
    "tofrek": lambda: lay_out(written("tofrek").brief),
    "river": lambda: lay_out(by_a_river()),
}
