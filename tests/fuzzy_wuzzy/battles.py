"""Battles of several kinds for players at random: in the open, at a zariba, by a river."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from battles.books.fuzzy_wuzzy.set_up import Deployment, lay_out
from battles.contract import Bearing, BriefGround
from battles.contract.brief import Brief
from battles.contract.brief_files import read_brief
from battles.core.tables import Source

FOLDER = Path(__file__).parents[2] / "battles" / "briefs"


def written(slug: str) -> Brief:
    """Return a brief of the repository."""
    path = FOLDER / f"{slug}.toml"
    return read_brief(Source(path.name, path.read_text(encoding="utf-8"))).brief


def by_a_river() -> Brief:
    """Abu Kru with the Nile beside it."""
    ground = BriefGround(river=(Bearing.NORTH_EAST,), river_class="navigable", settlement="village")
    return replace(written("abu-kru"), id="by-a-river", ground=ground)


def _laid(brief: Callable[[], Brief]) -> Deployment:
    return lay_out(brief())


BATTLES: dict[str, Callable[[], Deployment]] = {
    **{slug: partial(_laid, partial(written, slug)) for slug in ("tamai", "kirbekan", "tofrek")},
    "river": partial(_laid, by_a_river),
}
