"""Deployment before a battle: the edges of the field, the zones of the sides, and the question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from battles.contract import Brief
from battles.contract.brief import Bearing, Side
from battles.core.game import Action, Event, IllegalAction, Ledger, Playable, Step

# The edges of a battlefield, north up: which belong to the attacker and which to the water.


NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270

_EDGES = {
    Bearing.NORTH: (NORTH,),
    Bearing.NORTH_EAST: (EAST, NORTH),
    Bearing.SOUTH_EAST: (EAST, SOUTH),
    Bearing.SOUTH: (SOUTH,),
    Bearing.SOUTH_WEST: (WEST, SOUTH),
    Bearing.NORTH_WEST: (WEST, NORTH),
}
"""The edges towards each hexside, the likeliest first."""

_MAIN_BODY = 2
"""When attackers come from several sides, one unit in this many goes round to each other edge."""

U = TypeVar("U")


def edge_of(bearing: Bearing) -> int:
    """Return the edge behind the attacker, who comes through that hexside."""
    return _EDGES[bearing][0]


def opposite(edge: int) -> int:
    """Return the opposite edge, which is also the direction from an edge into the field."""
    return (edge + 180) % 360


def water_edges(brief: Brief) -> tuple[int, ...]:
    """Return the edges along which river or sea run, never the attacker's own."""
    own_edge = edge_of(brief.comes_from)
    edges: list[int] = []
    for bearing in (*brief.ground.river, *brief.ground.sea):
        edges += [edge for edge in _EDGES[bearing] if edge != own_edge][:1]
    return tuple(dict.fromkeys(edges))


def sides_of(brief: Brief) -> tuple[int, ...]:
    """Return the edges from which the attackers come, the main body's first."""
    wet = water_edges(brief)
    edges = [edge_of(bearing) for bearing in (brief.comes_from, *brief.and_from)]
    return tuple(dict.fromkeys(edge for edge in edges if edge not in wet))


def share_flankers(flankers: Sequence[U], edges: int) -> list[list[U]]:
    """Return the units for each edge but the first; the main body keeps the larger share."""
    share = len(flankers) // (_MAIN_BODY + edges - 1)
    return [list(flankers[nth :: edges - 1][:share]) for nth in range(edges - 1)]


def interleave(rifles: Sequence[U], spears: Sequence[U]) -> list[U]:
    """Return rifles and spears mixed: each rifle before two spears, as far as both last."""
    units: list[U] = []
    for nth in range(max(len(rifles), -(-len(spears) // 2))):
        units += [*rifles[nth : nth + 1], *spears[2 * nth : 2 * nth + 2]]
    return units


# Deployment before a battle: the zones of the sides, and the question in which they use them.
#
# The layout draws both sides up. Then the defender, and after it the attacker, may place units
# elsewhere in the side's own zones, or fight as drawn up. Each book describes its posts in a
# `SetUp`.


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="type"):
    """A question to one side."""

    side: Side


class ToSetUp(Asked, frozen=True):
    """Place the side's units within its zones before the battle.

    Answers: Deploy and Restore, any number of times, then Done.
    """


class Restore(Action, frozen=True):
    """Put every unit of the side back where the layout drew it up."""


P = TypeVar("P")


class UnitPlaced(Protocol):
    """A book's action that places a unit."""

    @property
    def unit(self) -> int: ...


class Deployable(Playable, Protocol):
    """The fields of a state that deployment reads; `line_up` has the posts of the layout."""

    brief: Brief | None
    line_up: dict[int, Any]


S = TypeVar("S", bound=Deployable)


def as_given(state: Any, unit: int, post: P) -> Mapping[int, P]:
    """Return the post for the unit alone: nothing else moves with it."""
    return {unit: post}


@dataclass(frozen=True)
class SetUp(Generic[S, P]):
    """The deployment of a book, with posts `P` (a place, a facing and the like).

    `posts` are the units that a side may place, and where they stand; `post_given` is the post that
    an action of the book gives its unit. `refusal` is why a unit
    cannot take a post, "" when it can; it must not tell of anything that the side cannot see.
    `together` are the posts of all units that move with the unit. `has_choice` is whether the side
    has anything to decide.
    """

    clause: str
    posts: Callable[[S, Side], Mapping[int, P]]
    post_given: Callable[[S, Any], P]
    refusal: Callable[[S, int, P], str]
    deployed: Callable[[int, P], Event]
    has_choice: Callable[[S, Side], bool]
    together: Callable[[S, int, P], Mapping[int, P]] = as_given

    def step(self, state: S) -> Step:
        """Return the step that asks every side with a choice, the defender first."""
        first = state.brief.defender.side if state.brief else Side.EGYPTIAN
        sides = (first, first.enemy)
        return Step("set up", tuple(side for side in sides if self.has_choice(state, side)))

    @staticmethod
    def ask(ledger: Ledger[Any], *sides: str) -> None:
        """Ask the first of these sides, and put the others on the agenda."""
        if sides:
            ledger.then(Step("set up", sides[1:]))
            ledger.ask(ToSetUp(Side(sides[0])))

    def check(self, state: S, action: UnitPlaced) -> None:
        """Raise IllegalAction unless the unit is the asked side's and may take the post."""
        unit, post = action.unit, self.post_given(state, action)
        posts = self.posts(state, state.question.side)
        if unit not in posts:
            raise IllegalAction(
                self.clause,
                f"{unit} is no unit of yours on the field that can be placed.",
                "Choose one of your units.",
            )
        if post == posts[unit]:
            return  # it stands there, though an enemy whom the layout put beside it may stand close
        reason = self.refusal(state, unit, post)
        if reason:
            raise IllegalAction(self.clause, reason, "Choose another place.")

    def deploy(self, ledger: Ledger[S], action: UnitPlaced) -> None:
        """Place the unit, and all that moves with it."""
        post = self.post_given(ledger.state, action)
        for number, new_post in self.together(ledger.state, action.unit, post).items():
            ledger.emit(self.deployed(number, new_post))

    def moved(self, state: S, side: Side) -> tuple[int, ...]:
        """Return the units of the side that no longer stand as they were drawn up."""
        return tuple(
            number
            for number, post in self.posts(state, side).items()
            if number in state.line_up and post != state.line_up[number]
        )

    def restore(self, ledger: Ledger[S], action: Restore) -> None:
        """Put every unit of the side back to its post of the layout."""
        for number in self.moved(ledger.state, ledger.state.question.side):
            ledger.emit(self.deployed(number, ledger.state.line_up[number]))


class ZoneBox(NamedTuple):
    """A rectangle of a field, from its north-western corner to its south-eastern one."""

    west: int
    north: int
    east: int
    south: int

    @property
    def empty(self) -> bool:
        return self.west >= self.east or self.north >= self.south

    def holds(self, x: int, y: int) -> bool:
        """Return whether the square whose north-western corner is this point lies within."""
        return self.west <= x < self.east and self.north <= y < self.south

    def strip(self, edge: int, depth: int) -> "ZoneBox":
        """Return the part of the box within `depth` of an edge."""
        return {
            NORTH: self._replace(south=min(self.south, self.north + depth)),
            SOUTH: self._replace(north=max(self.north, self.south - depth)),
            WEST: self._replace(east=min(self.east, self.west + depth)),
            EAST: self._replace(west=max(self.west, self.east - depth)),
        }[edge]

    def without(self, edge: int, depth: int) -> "ZoneBox":
        """Return the box with so much cut off at an edge."""
        return {
            NORTH: self._replace(north=self.north + depth),
            SOUTH: self._replace(south=self.south - depth),
            WEST: self._replace(west=self.west + depth),
            EAST: self._replace(east=self.east - depth),
        }[edge]

    def depth(self, edge: int, box: "ZoneBox") -> int:
        """Return how far `box` reaches into this box from an edge."""
        return {
            NORTH: box.south - self.north,
            SOUTH: self.south - box.north,
            WEST: box.east - self.west,
            EAST: self.east - box.west,
        }[edge]


def zones_of(
    field: ZoneBox, attackers: Sequence[tuple[int, ZoneBox]], defenders: ZoneBox | None, clear: int
) -> tuple[tuple[ZoneBox, ...], tuple[ZoneBox, ...]]:
    """Return the zones of the attacker and those of the defender; they have no common ground.

    `attackers` are the edges from which bodies come, the main body's first, with the ground on
    which each is drawn up. A body's zone is the field from its edge to its foremost stand, and at
    most to half of `clear` before the enemy's zone. The defender's zone is the field behind its own
    foremost stand, and `clear` of any other body unless it is drawn up nearer.
    """
    bodies = [(edge, field.depth(edge, body)) for edge, body in attackers]
    if defenders is None:
        return tuple(field.strip(edge, depth) for edge, depth in bodies), ()
    rest = field
    for nth, (edge, depth) in enumerate(bodies):
        free = _free(field, edge, defenders)
        rest = rest.without(edge, min(depth + clear * bool(depth), free) if nth else free)
    strips = [
        field.strip(edge, min(depth, _free(field, edge, rest) - clear // 2))
        for edge, depth in bodies
    ]
    return tuple(strip for strip in strips if not strip.empty), (rest,)


def _free(field: ZoneBox, edge: int, box: ZoneBox) -> int:
    """Return the depth of the field between an edge and `box`."""
    return field.depth(edge, field) - field.depth((edge + 180) % 360, box)
