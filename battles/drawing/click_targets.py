"""Click targets on a field: rings about pieces, spots to go to, and the reach of a move."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battles.drawing.scene import Block, DrawnScene, TableScene
from battles.drawing.squares import centre
from battles.drawing.svg import DrawingPoint, element, group, path, text
from battles.drawing.table_field import TablePlan
from battles.tabletop.geometry import middle

RING, SPOT, FINGER = 46, 15, 26


class ClickTarget(NamedTuple):
    """A place to press: its sort, the address its link leads to, and its label.

    `ring`: about a piece, instead of a spot on the ground. `choice` is the number of the only
    choice there, if a touch gives it at once.
    """

    at: DrawingPoint
    sort: str
    link: str
    words: str
    ring: bool = False
    chosen: bool = False
    choice: int | None = None


def draw_click_targets(
    marks: Iterable[ClickTarget],
    acting: Sequence[DrawingPoint] = (),
    reach: int = 0,
    zone: str = "",
) -> str:
    """Return the click targets as markup.

    `acting` are the places of the units whose turn it is, `reach` the radius of the first's move,
    `zone` the ground on which units may be placed, as path data.
    """
    ground = path(zone, "zone") if zone else ""
    rings = [element("circle", class_="acting", cx=x, cy=y, r=RING) for x, y in acting]
    far = [element("circle", class_="reach", cx=x, cy=y, r=reach) for x, y in acting[:1] if reach]
    return group("offers", ground, *far, *rings, *map(_draw_link, marks))


def spots_of(scene: DrawnScene | TableScene) -> dict[int, DrawingPoint]:
    """Return every piece's place on the drawing, by its number."""
    if isinstance(scene, TableScene):
        plan = TablePlan(scene.ground.field)
        return {one.number: plan.at(_middle(one)) for one in scene.pieces}
    return {one.number: centre(one.square) for one in scene.pieces}


def _middle(block: Block) -> DrawingPoint:
    return middle(stand.at for stand in block.stands) if block.stands else block.at


def _draw_link(mark: ClickTarget) -> str:
    x, y = mark.at
    size = RING if mark.ring else SPOT
    shown = element("circle", class_="shape", cx=x, cy=y, r=size)
    finger = element("circle", class_="finger", cx=x, cy=y, r=max(size, FINGER))
    return element(
        "a",
        element("title", text(mark.words)),
        finger,
        shown,
        class_=f"offer {mark.sort}{' ring' if mark.ring else ''}{' chosen' if mark.chosen else ''}",
        href=mark.link,
        data_choice=mark.choice,
        aria_label=mark.words,
    )
