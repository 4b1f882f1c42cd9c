"""The key to a field: a sample of everything that is drawn, with its meaning."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from battles.contract.brief import Nation, Side, TroopKind
from battles.drawing import ClickTarget, draw_click_targets
from battles.drawing.pieces import draw_losses, flag, tab, unit_drawn
from battles.drawing.scene import (
    Barrier,
    Cover,
    DrawnLoss,
    DrawnShot,
    DrawnTrack,
    Hedge,
    Piece,
    Shape,
)
from battles.drawing.squares import (
    badge,
    blades,
    centre,
    cover_sample,
    draw_shot,
    hedge_drawn,
    track,
)
from battles.drawing.svg import element, group, path


class KeyEntry(NamedTuple):
    """A sample as an SVG element, and its meaning."""

    sample: str
    words: str


class KeyPart(NamedTuple):
    """The entries of one heading of the key."""

    title: str
    entries: tuple[KeyEntry, ...]


SMALL, BROAD = "0 0 100 100", "0 0 200 100"
HERE, THERE = (0, 0), (1, 0)

COVERS = {
    Cover.HILL: "hill: the strokes run downhill",
    Cover.SCRUB: "scrub",
    Cover.GRASS: "long grass",
    Cover.ROCKS: "rocks",
    Cover.CROPS: "crops",
    Cover.TREES: "trees",
    Cover.HOUSES: "houses",
    Cover.WATER: "water",
}
BARRIERS = {
    Barrier.WALL: "wall",
    Barrier.FENCE: "fence",
    Barrier.TRENCH: "trench: the teeth point to the side it defends",
    Barrier.ZARIBA: "zariba, a hedge of thorns",
    Barrier.KHOR: "khor, a dry watercourse",
    Barrier.STREAM: "stream",
}
ARMS = {
    TroopKind.INFANTRY: "infantry with firearms",
    TroopKind.SPEARS: "spearmen",
    TroopKind.CAVALRY: "cavalry",
    TroopKind.CAMEL_CORPS: "camelry",
}
BRACKETS = "M6 30v-24h24M70 6h24v24M94 70v24h-24M30 94h-24v-24"


@cache
def field_key(*, on_table: bool, shaken: str) -> tuple[KeyPart, ...]:
    """Return the key to a field of squares or an open table.

    `shaken` is the book's word for a unit out of order. Ground is filled by the patterns of the
    field on the same page.
    """
    return (
        KeyPart("Units", tuple(_units(on_table=on_table, shaken=shaken))),
        KeyPart("Ground", tuple(_ground(on_table=on_table))),
        KeyPart("This turn", tuple(_turn())),
        KeyPart("Your turn", tuple(_targets())),
    )


def _sample(*drawn: str, box: str = SMALL) -> str:
    return element("svg", *drawn, class_="chart field sample", viewBox=box, aria_hidden="true")


BASE = Piece(0, Side.EGYPTIAN, Nation.BRITISH, TroopKind.INFANTRY, "", HERE, 0, Shape.COLUMN, 4, 4)
DERVISH = BASE._replace(
    side=Side.MAHDIST, nation=Nation.MAHDIST, kind=TroopKind.SPEARS, shape=Shape.MASS
)
GUN = BASE._replace(kind=TroopKind.GUN, shape=Shape.DEPLOYED, figures=2, full=2)


def _unit(piece: Piece) -> str:
    unit = element("g", unit_drawn(piece), transform="translate(50,50)")
    return _sample(group(f"piece {piece.nation}", unit))


def _units(*, on_table: bool, shaken: str) -> Iterator[KeyEntry]:
    for kind, words in ARMS.items():
        yield KeyEntry(_unit(BASE._replace(kind=kind)), words)
    yield KeyEntry(_unit(DERVISH), "round with a green edge: Mahdists; British red, Egyptian blue")
    yield KeyEntry(_unit(GUN), "gun and its crew, ready to fire")
    yield KeyEntry(_unit(GUN._replace(quick=True)), "machine gun")
    yield KeyEntry(_unit(GUN._replace(shape=Shape.LIMBERED)), "gun behind its team")
    yield KeyEntry(_unit(BASE._replace(kind=TroopKind.SUPPLY, shape=Shape.TRAIN)), "transport")
    staff = element("g", flag(), transform="translate(38,68)")
    yield KeyEntry(_sample(group("piece leader flag-egyptian", staff)), "leader")
    noun = "stands" if on_table else "figures"
    yield KeyEntry(
        _sample(tab(12, (0, 6), 4, 4), tab(12, (0, 36), 3, 4), box="-6 0 64 64"),
        f"number of the unit, and its {noun} left: red and underlined after losses",
    )
    if not on_table:
        yield KeyEntry(_unit(BASE._replace(figures=3)), "empty outline: a figure lost")
    else:
        wound = element("circle", class_="wound", cx=50, cy=50, r=10)
        yield KeyEntry(_sample(wound), "casualty marker")
        hidden = path("M20 30h60v40h-60z", "base")
        yield KeyEntry(
            _sample(group("piece british hidden", hidden)), "broken edge: the enemy has not seen it"
        )
    yield KeyEntry(_unit(BASE._replace(disorganised=True)), f"red triangle: {shaken}")
    wedge = path("M38 60h24l-12-18z", "wedge")
    yield KeyEntry(_sample(wedge), "wedge: where a unit looks; a square has none")


def _ground(*, on_table: bool) -> Iterator[KeyEntry]:
    for cover, words in COVERS.items():
        yield KeyEntry(_sample(cover_sample(cover)), words)
    for barrier, words in BARRIERS.items():
        yield KeyEntry(_sample(hedge_drawn(Hedge(HERE, 0, barrier)), box="-4 -50 108 100"), words)
    if on_table:
        road = path("M0 30h100", "along")
        yield KeyEntry(_sample(group("hedge road", road)), "road")
        rail = path("M0 30h100", "along") + path("M10 22v16M30 22v16M50 22v16M70 22v16", "teeth")
        yield KeyEntry(_sample(group("hedge rail", rail)), "railway")
        yield KeyEntry(_sample(path("M10 10h80v80h-80z", "rampart")), "rampart of a fort")
        yield KeyEntry(_sample(path("M10 10h80v80h-80z", "aim")), "ground to be taken")
    else:
        yield KeyEntry(_sample(group("goal", path(BRACKETS))), "red brackets: ground to be taken")


def _turn() -> Iterator[KeyEntry]:
    way = HERE, THERE
    yield KeyEntry(_sample(track(DrawnTrack(Side.EGYPTIAN, way)), box=BROAD), "a move")
    yield KeyEntry(
        _sample(track(DrawnTrack(Side.MAHDIST, way, back=True)), box=BROAD), "driven back"
    )
    yield KeyEntry(_sample(draw_shot(DrawnShot(Side.EGYPTIAN, *way, hit=False)), box=BROAD), "fire")
    yield KeyEntry(
        _sample(draw_shot(DrawnShot(Side.EGYPTIAN, *way, hit=True)), box=BROAD), "fire that hit"
    )
    yield KeyEntry(_sample(blades(centre(HERE))), "hand to hand")
    fallen = [(DrawnLoss(Side.MAHDIST, HERE, 2), (14, 50))]
    yield KeyEntry(_sample(*draw_losses(fallen)), "losses in one place; “gone”: the end of a unit")
    yield KeyEntry(_sample(badge(3, centre(HERE))), "number of a step, as in the last result")


def _targets() -> Iterator[KeyEntry]:
    point = centre(HERE)
    yield KeyEntry(_sample(draw_click_targets((), (point,))), "red ring: the units that act")
    for sort, ring, words in (
        ("look", True, "broken ring: a unit you can choose"),
        ("charge", True, "thick red ring: an enemy you can charge"),
        ("fire", True, "broken red ring: an enemy you can fire at"),
        ("go", False, "green disc: a place to go to"),
    ):
        mark = ClickTarget(point, sort, "", "", ring)
        yield KeyEntry(_sample(group("offers", _without_link(mark))), words)


def _without_link(mark: ClickTarget) -> str:
    size = 46 if mark.ring else 15
    shown = element("circle", class_="shape", cx=mark.at[0], cy=mark.at[1], r=size)
    return group(f"offer {mark.sort}{' ring' if mark.ring else ''}", shown)
