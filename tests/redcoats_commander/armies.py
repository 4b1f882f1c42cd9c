"""Briefs for the tests: those of the repository, small ones by hand, and any number at random."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

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
from battles.contract.brief import UNCOUNTED
from battles.contract.brief_files import WrittenBrief, read_brief
from battles.core.tables import Source

FOLDER = Path(__file__).parents[2] / "battles" / "briefs"
SCENARIOS = ("form-square", "marching-across-the-sudan", "night-march-to-the-canal")
_NATIONS = {
    Side.EGYPTIAN: (Nation.EGYPTIAN, Nation.BRITISH, Nation.INDIAN, Nation.AUSTRALIAN),
    Side.MAHDIST: (Nation.MAHDIST,),
}


@cache
def written(slug: str) -> WrittenBrief:
    """Return a brief of the repository."""
    path = FOLDER / f"{slug}.toml"
    return read_brief(Source(path.name, path.read_text(encoding="utf-8")))


HISTORY = tuple(
    sorted(path.stem for path in FOLDER.glob("*.toml") if written(path.stem).history is not None)
)


def troop(
    number: int, kind: TroopKind, nation: Nation = Nation.BRITISH, strength: int = 1, **more: object
) -> Troop:
    """Return a unit of the campaign: Mahdists fanatic, Egyptians rabble, the others veterans."""
    usual = {Nation.MAHDIST: Quality.FANATIC, Nation.EGYPTIAN: Quality.RABBLE}
    quality = more.pop("quality", usual.get(nation, Quality.VETERAN))
    return Troop(number, kind, nation, quality, strength, **more)  # type: ignore[arg-type]


def meeting(
    egyptians: Sequence[Troop], mahdists: Sequence[Troop], *, attacker: Side, **more: object
) -> Brief:
    """Return a battle between these."""
    sides = {
        Side.EGYPTIAN: Party(Side.EGYPTIAN, tuple(egyptians)),
        Side.MAHDIST: Party(Side.MAHDIST, tuple(mahdists)),
    }
    name = str(more.pop("id", "a-meeting"))
    parties = sides[attacker], sides[attacker.enemy]
    return Brief(name, "A meeting", *parties, **more)  # type: ignore[arg-type]


def random_brief(seed: int, most: int = 12) -> Brief:
    """Any troops on any ground, whether anybody would bring them or not."""
    chance = Random(seed)
    numbers = iter(range(1, 1000))
    parties = [_random_party(chance, side, numbers, most) for side in Side]
    chance.shuffle(parties)
    bearings = list(Bearing)
    chance.shuffle(bearings)
    return Brief(
        id=f"random-{seed}",
        title="A battle at random",
        attacker=parties[0],
        defender=parties[1],
        ground=_random_ground(chance, bearings[3:]),
        comes_from=bearings[0],
        and_from=tuple(bearings[1 : 1 + chance.choice((0, 0, 1, 2))]),
        zariba=chance.random() < 0.3,
        turns=chance.choice((2, 4, 6)),
    )


def _random_party(chance: Random, side: Side, numbers: "object", most: int) -> Party:
    kinds = list(TroopKind)
    troops = []
    for _ in range(chance.randint(1, most)):
        kind = chance.choice(kinds)
        troops.append(
            Troop(
                next(numbers),  # type: ignore[call-overload]
                kind,
                chance.choice(_NATIONS[side]),
                chance.choice(list(Quality)),
                chance.choice((0, 1, 1, 2, 3, 3, 7)),
                disrupted=kind not in UNCOUNTED and chance.random() < 0.2,
                name=chance.choice(("", "", "Machine guns", "Black Watch")),
            )
        )
    return Party(side, tuple(troops), chance.choice(("", "attack", "hold")))


def _random_ground(chance: Random, bearings: Sequence[Bearing]) -> BriefGround:
    wet = chance.random()
    return BriefGround(
        relief=chance.choice(("flat", "hill", "mountain")),
        cultivated=chance.random() < 0.3,
        settlement=chance.choice(("", "", "town", "village", "oasis")),
        river=tuple(bearings[: chance.choice((1, 2))]) if wet < 0.5 else (),
        river_class=chance.choice(("navigable", "seasonal", "unnavigable")) if wet < 0.5 else "",
        sea=tuple(bearings[:1]) if wet > 0.9 else (),
    )
