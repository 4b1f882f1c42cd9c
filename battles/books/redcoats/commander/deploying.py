"""Choose where the computer deploys its units, within the zone of its side.

The layout has drawn the side up. In line, horse goes to a wing; Dervish foot takes cover near its
place, or some of it goes round to a wing; batteries join the foot that sees most of the ground
before it. Brigade Squares, boxes and the holders of works or of the goal stay as they are.
"""

from collections.abc import Iterable, Iterator, Sequence

from battles.books.redcoats import actions as a
from battles.books.redcoats.board import is_water, on_field, sees
from battles.books.redcoats.book import book
from battles.books.redcoats.commander.scene import is_dervish, reach_of_fire
from battles.books.redcoats.field import VECTORS, Aspect, aspect, column, distance, row
from battles.books.redcoats.movement import may_share
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.set_up import SET_UP
from battles.books.redcoats.state import SquarePost, State, Unit
from battles.contract.brief import Side

NEAR_COVER = 2
"""The squares within which a rub goes to cover."""
ROUND = 3
"""In a plan for a wing one rub in this many goes round to it."""
A_LINE = 3
"""The battalions that make a line with wings; horse beside fewer is lost, and they with it."""
PLANS = 3
"""Hold the line, or send some round by one wing or by the other."""


def place(state: State, side: Side) -> a.AnyAction:
    """Return the next placing of the side's line-up; Done when all stand as planned."""
    for number, post in line_up(state, side).items():
        piece = state.units.get(number) or state.leaders[number]
        if piece.square != post.square and not SET_UP.refusal(state, number, post):
            return a.Deploy(number, post.square, post.facing, post.formation)
    return a.Done()


def line_up(state: State, side: Side) -> dict[int, SquarePost]:
    """Return the posts that differ from the layout's, in an order in which each can be taken.

    They follow from the layout, the ground and the enemy in sight, whatever has been placed so far.
    """
    line_ups: dict[Side, dict[int, SquarePost]] = state.__dict__.setdefault("line-ups", {})
    if side not in line_ups:
        line_ups[side] = _LineUp(state, side).planned() if state.set_up.get(side) else {}
    return line_ups[side]


class _LineUp:
    """The side as the layout drew it up, and the changes made to that."""

    def __init__(self, state: State, side: Side) -> None:
        self.state, self.side = state, side
        self.zone = state.set_up[side]
        self.at = {number: post.square for number, post in state.line_up.items()}
        self.mine = [
            unit for unit in state.units.values() if unit.side is side and unit.id in self.at
        ]
        self.held = {unit.square for unit in on_field(state, side.enemy)}
        self.posts: dict[int, SquarePost] = {}
        self.ahead = VECTORS[0]

    def planned(self) -> dict[int, SquarePost]:
        """Return the posts of the units that are to stand elsewhere."""
        foot = [unit for unit in self.mine if unit.on_foot and self._is_free(unit)]
        bodies = {looks: self._facing(looks, foot) for looks in map(self._looks, foot)}
        if len(bodies) > 1 and not all(map(is_dervish, foot)):
            return {}
        for looks, body in sorted(bodies.items()):
            self.ahead = VECTORS[looks]
            others = self._facing(looks, filter(self._is_free, self.mine))
            if is_dervish(body[0]):
                self._take_cover(body)
                self._go_round(body)
            elif len(body) >= A_LINE:
                self._to_wings([unit for unit in others if unit.mounted], body)
            for battery in (unit for unit in others if unit.is_gun):
                self._join_best(battery, body)
        self._lead(foot)
        return self.posts

    def _looks(self, unit: Unit) -> int:
        return self.state.line_up[unit.id].facing

    def _facing(self, looks: int, units: Iterable[Unit]) -> list[Unit]:
        """Return those of the units that were drawn up with this facing."""
        return [unit for unit in units if self._looks(unit) == looks]

    def _depth(self, square: int) -> int:
        """Return how far forward a square lies."""
        return self.ahead[0] * column(square) + self.ahead[1] * row(square)

    def _across(self, square: int) -> int:
        """Return how far to the right of the side a square lies."""
        return self.ahead[0] * row(square) - self.ahead[1] * column(square)

    def _is_free(self, unit: Unit) -> bool:
        """Return whether a unit may leave its post: no Square, no works and no goal holds it."""
        square, field, goal = self.at[unit.id], self.state.field, self.state.objective
        if unit.brigade or (goal is not None and square in goal.squares):
            return False
        return all(field.between(square, way) is None for way in (0, 2, 4, 6))

    def _room(self) -> Iterator[int]:
        """Yield the free squares of the zone on land."""
        occupied = {self.at[unit.id] for unit in self.mine} | self.held
        field = self.state.field
        return (
            square for square in self.zone if square not in occupied and not is_water(field, square)
        )

    def _put(self, unit: Unit, square: int) -> None:
        self.at[unit.id] = square
        post = self.state.line_up[unit.id]
        self.posts[unit.id] = SquarePost(square, post.facing, post.formation)

    def _take_cover(self, rubs: Sequence[Unit]) -> None:
        """Move rubs that stand in the open into cover close by, no further back."""
        field = self.state.field
        for unit in rubs:
            origin = self.at[unit.id]
            if book().terrain(field.terrain(origin)).cover:
                continue
            squares = [
                square
                for square in self._room()
                if distance(square, origin) <= NEAR_COVER
                and self._depth(square) >= self._depth(origin)
                and book().terrain(field.terrain(square)).cover
            ]
            if squares:
                self._put(unit, min(squares, key=lambda square: (distance(square, origin), square)))

    def _go_round(self, rubs: Sequence[Unit]) -> None:
        """Send some rubs outside all others on the wing that the plan has chosen, if any."""
        plan = self._choice()
        if not plan:
            return
        wing = 1 if plan == 1 else -1
        still = [unit for unit in rubs if unit.id not in self.posts]
        still.sort(key=lambda unit: (-wing * self._across(self.at[unit.id]), unit.id))
        for unit in still[-(len(rubs) // ROUND) :] if len(rubs) >= ROUND else ():
            outer = max(wing * self._across(self.at[rub.id]) for rub in rubs)
            front = max(self._depth(self.at[rub.id]) for rub in rubs)
            squares = [square for square in self._room() if wing * self._across(square) > outer]
            if squares:
                self._put(
                    unit,
                    min(
                        squares,
                        key=lambda square: (
                            abs(front - self._depth(square)),
                            wing * self._across(square),
                        ),
                    ),
                )

    def _choice(self) -> int:
        """Return the plan, by the cards in hand, which the enemy does not see."""
        order = list(Heroic)
        return sum(map(order.index, self.state.hands.get(self.side, ()))) % PLANS

    def _to_wings(self, horse: Sequence[Unit], foot: Sequence[Unit]) -> None:
        """Put horse beside the ends of the line, a square behind its front, right and left."""
        front = max(self._depth(self.at[unit.id]) for unit in foot)
        ends = [self._across(self.at[unit.id]) for unit in foot]
        for nth, unit in enumerate(horse):
            wing = 1 if (nth + self._choice()) % 2 else -1
            end = max(wing * offset for offset in ends)
            squares = [
                square
                for square in self._room()
                if wing * self._across(square) > end and self._depth(square) in (front - 1, front)
            ]
            if squares:
                self._put(
                    unit,
                    min(
                        squares,
                        key=lambda square: (wing * self._across(square), self._depth(square)),
                    ),
                )

    def _join_best(self, battery: Unit, foot: Sequence[Unit]) -> None:
        """Move a battery to the foot of the front that sees more than where it stands."""
        front = max(self._depth(self.at[unit.id]) for unit in foot)
        best, most = self.at[battery.id], self._view(battery, self.at[battery.id])
        for host in foot:
            square = self.at[host.id]
            units = [
                unit for unit in self.mine if self.at[unit.id] == square and unit is not battery
            ]
            if self._depth(square) < front or not may_share(battery, units):
                continue
            seen = self._view(battery, square)
            if seen > most:
                best, most = square, seen
        if best != self.at[battery.id]:
            self._put(battery, best)

    def _view(self, battery: Unit, square: int) -> int:
        """Return the number of squares before a battery that it would see within its range."""
        field, looks = self.state.field, self.state.line_up[battery.id].facing
        return sum(
            1
            for target in field.squares
            if 0 < distance(square, target) <= reach_of_fire(battery)
            and aspect(square, looks, target) is Aspect.FRONT
            and sees(field, square, target)
        )

    def _lead(self, foot: Sequence[Unit]) -> None:
        """Let Leaders go with the foot whose square they share."""
        for unit in foot:
            if unit.id in self.posts:
                began = self.state.line_up[unit.id].square
                for leader in self.state.leaders.values():
                    if leader.side is self.side and self.at.get(leader.id) == began:
                        self.posts[leader.id] = SquarePost(self.at[unit.id], 0)
