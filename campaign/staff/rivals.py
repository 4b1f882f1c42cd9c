"""Simple rivals for the staff: players with one idea each, to measure a plan by.

A rival decides where stacks march and whether they attack; the staff's usual answers serve for
everything else. A plan that loses to one of them is a bad plan.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from battles.contract.brief import Side, TroopKind
from battles.core.dice import ChainedDice, Dice
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.options import Options, options
from campaign.rules.core.state import State, Unit, current_march
from campaign.rules.map import HexId
from campaign.rules.march.reach import MarchReach, reach
from campaign.rules.stacks import allowance
from campaign.rules.tables.scenario_data import Scenario
from campaign.staff import answer
from campaign.staff.columns import guide
from campaign.staff.combat_estimate import estimate_attack
from campaign.staff.plans import plans_in
from campaign.staff.scene import FAR, StaffScene, coast, ids, is_fighter, marchers, scene

Player: TypeAlias = Callable[[State], a.AnyAction]
"""Anything that answers the questions of a side."""


class Rival(NamedTuple):
    """A rival of one side. `make` returns a player for a campaign, from the key of its chances."""

    name: str
    title: str
    side: Side
    make: Callable[[bytes], Player]


MOST_FACES = 256
"""The most faces that a die may have."""


class RandomPlayer:
    """Marches, attacks and places arrivals at random."""

    def __init__(self, key: bytes) -> None:
        self._dice: Dice = ChainedDice(key)

    def __call__(self, state: State) -> a.AnyAction:
        offered = options(state)
        if offered is None or type(state.question) not in _BY_CHANCE:
            return answer(state)
        return _BY_CHANCE[type(state.question)](self, state, offered)

    def _pick(self, count: int) -> int:
        if count <= MOST_FACES:
            return self._dice.throw(1, count)[0] - 1
        return self._pick(MOST_FACES) * count // MOST_FACES

    def _place(self, state: State, offered: Options) -> a.AnyAction:
        if not offered.arrivals:
            return a.Done()
        group = offered.arrivals[self._pick(len(offered.arrivals))]
        return a.Place(group.group, group.hexes[self._pick(len(group.hexes))])

    def _set_out(self, state: State, offered: Options) -> a.AnyAction:
        view = scene(state, offered.side)
        stacks = [units for stack in offered.stacks if (units := _on_foot(view, stack.units))]
        if not stacks or not self._pick(10):
            return a.Done()
        units = stacks[self._pick(len(stacks))]
        return a.March(ids(units), leader=guide(state, units))

    def _go_on(self, state: State, offered: Options) -> a.AnyAction:
        if offered.targets and self._pick(2):
            return a.Attack(offered.targets[self._pick(len(offered.targets))])
        ways = offered.reach
        if ways is None or len(ways.costs) < 2 or not self._pick(3):
            return a.Halt()
        steps = [hex_id for hex_id in sorted(ways.costs) if hex_id != ways.start]
        destination = steps[self._pick(len(steps))]
        # A step without a cost, as by rail or aboard the fleet, would never come to an end.
        return a.Move(ways.path(destination)) if ways.costs[destination] else a.Halt()


_BY_CHANCE: Mapping[type, Callable[[RandomPlayer, State, Options], a.AnyAction]] = {
    q.ToReinforce: RandomPlayer._place,
    q.ToMarch: RandomPlayer._set_out,
    q.OnMarch: RandomPlayer._go_on,
}


def sit_tight(state: State) -> a.AnyAction:
    """Answer as the staff does, but never march."""
    return a.Done() if isinstance(state.question, q.ToMarch) else answer(state)


class Goals(NamedTuple):
    """The goals of a marching rival: a place for the valley of the Nile, another for the coast.

    `beside`: its stacks stand round the place, rather than in it. `attack` is the least chance at
    which they attack; above 1 they never do. `led_by`: only the stack of this leader goes there,
    and the others do as the staff.
    """

    nile: str
    coast: str = ""
    beside: bool = False
    attack: float = 2.0
    led_by: str = ""


class MarchingPlayer:
    """Sends all its stacks to its goals by the shortest way."""

    def __init__(self, goals: Goals) -> None:
        self._goals = goals

    def __call__(self, state: State) -> a.AnyAction:
        offered = options(state)
        if offered is None:
            return answer(state)
        view = scene(state, offered.side)
        if isinstance(state.question, q.ToMarch):
            return self._set_out(view, offered)
        if isinstance(state.question, q.OnMarch):
            units = view.board.named(current_march(state).units)
            return self._go_on(view, offered, units) if self._is_mine(units) else answer(state)
        return answer(state)

    def _set_out(self, view: StaffScene, offered: Options) -> a.AnyAction:
        rest = False
        for stack in offered.stacks:
            units = _on_foot(view, stack.units)
            if not units or not self._is_mine(units):
                rest = True
            elif self._has_reason(view, stack.hex, units):
                return a.March(ids(units), leader=guide(view.state, units))
        proposed = answer(view.state) if self._goals.led_by and rest else a.Done()
        if isinstance(proposed, a.March) and self._is_mine(view.board.named(proposed.units)):
            return a.Done()
        return proposed

    def _is_mine(self, units: Sequence[Unit]) -> bool:
        leader = self._goals.led_by
        return not leader or any(unit.name == leader for unit in units)

    def _has_reason(self, view: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> bool:
        if any(
            self._would_attack(view, units, hex_id, near) for near in _enemies_beside(view, hex_id)
        ):
            return True
        ways = reach(view.state, view.side, hex_id, allowance(view.law, units))
        return self._nearest(view, ways) != hex_id

    def _go_on(self, view: StaffScene, offered: Options, units: Sequence[Unit]) -> a.AnyAction:
        position = current_march(view.state).route[-1]
        for target in offered.targets:
            if self._would_attack(view, units, position, target):
                return a.Attack(target)
        if offered.reach is not None:
            destination = self._nearest(view, offered.reach)
            if destination != position and offered.reach.costs[destination]:
                return a.Move(offered.reach.path(destination))
        ashore = marchers(units)
        if (
            offered.may_march
            and len(ashore) == len(units)
            and self._has_reason(view, position, units)
        ):
            return a.March(ids(units), leader=guide(view.state, units))
        return a.Halt()

    def _would_attack(
        self, view: StaffScene, units: Sequence[Unit], origin: HexId, target: HexId
    ) -> bool:
        if self._goals.attack > 1 or not any(map(is_fighter, units)):
            return False
        return estimate_attack(view.state, units, origin, target).win >= self._goals.attack

    def _nearest(self, view: StaffScene, ways: MarchReach) -> HexId:
        way = view.way_to(*self._hexes(view, ways.start))
        if way[ways.start] >= FAR:
            return ways.start
        return min(ways.costs, key=lambda hex_id: (way[hex_id], hex_id != ways.start, hex_id))

    def _hexes(self, view: StaffScene, start: HexId) -> tuple[HexId, ...]:
        on_coast = self._goals.coast and start in coast(view.ground)
        place = view.hex(self._goals.coast if on_coast else self._goals.nile)
        if not self._goals.beside:
            return (place,)
        near = view.ground.neighbours[place]
        return tuple(hex_id for hex_id in near if not view.ground.hexes[hex_id].sea)


def _on_foot(view: StaffScene, units: Sequence[int]) -> list[Unit]:
    """Return the units that march together by land, none of which would be lost by falling out."""
    stack = marchers(view.board.named(tuple(units)))  # type: ignore[arg-type]
    steady = [unit for unit in stack if not unit.disrupted]
    if all(unit.kind is TroopKind.LEADER for unit in steady):
        return []
    return steady


def _enemies_beside(view: StaffScene, hex_id: HexId) -> list[HexId]:
    enemy = view.board.occupied[view.side.enemy]
    sides = view.ground.sides
    return [
        near
        for near in view.ground.neighbours[hex_id]
        if near in enemy
        and ((hex_id, near) not in sides or view.board.is_sortie(view.side, hex_id, near))
    ]


def _marching_rival(goals: Goals) -> Callable[[bytes], Player]:
    return lambda key: MarchingPlayer(goals)


def _sitting_rival(key: bytes) -> Player:
    return sit_tight


M, E = Side.MAHDIST, Side.EGYPTIAN

_EVERYWHERE = (
    Rival("random", "Marches at random", M, RandomPlayer),
    Rival("random", "Marches at random", E, RandomPlayer),
    Rival("sit-tight", "Never marches", M, _sitting_rival),
    Rival("sit-tight", "Never marches", E, _sitting_rival),
)
_WITH_A_PLACE = (
    Rival(
        "besiege-khartoum",
        "Everybody round Khartoum; never attacks",
        M,
        _marching_rival(Goals("Khartoum", beside=True)),
    ),
    Rival(
        "storm-khartoum",
        "Everybody to Khartoum; always attacks",
        M,
        _marching_rival(Goals("Khartoum", attack=0.0)),
    ),
    Rival(
        "all-to-khartoum",
        "Everybody to Khartoum; attacks at 50%",
        M,
        _marching_rival(Goals("Khartoum", attack=0.5)),
    ),
    Rival(
        "all-to-khartoum",
        "Everybody to Khartoum; attacks at 50%",
        E,
        _marching_rival(Goals("Khartoum", attack=0.5)),
    ),
    Rival(
        "raid",
        "Raids Berber and Souakim; attacks at 50%",
        M,
        _marching_rival(Goals("Berber", "Souakim", attack=0.5)),
    ),
    Rival(
        "gordon-to-wady-halfa",
        "Gordon, garrison and townsfolk to Wady Halfa",
        E,
        _marching_rival(Goals("Wady Halfa", led_by="Gordon")),
    ),
    Rival(
        "gordon-to-souakim",
        "Gordon, garrison and townsfolk to Souakim",
        E,
        _marching_rival(Goals("Souakim", led_by="Gordon")),
    ),
    Rival(
        "all-to-el-obeid",
        "Everybody to El Obeid; attacks at 50%",
        E,
        _marching_rival(Goals("El Obeid", attack=0.5)),
    ),
    Rival(
        "mahdi-to-khartoum",
        "The Mahdi’s host round Khartoum, the others as the staff",
        M,
        _marching_rival(Goals("Khartoum", beside=True, led_by="Mahdi")),
    ),
)
"""The rivals who go somewhere; a scenario names those that make sense in it."""


def rivals_in(scenario: str | Scenario) -> tuple[Rival, ...]:
    """Return the rivals that play in a scenario: those without a place, and those it names."""
    names = plans_in(scenario).rivals
    return (*_EVERYWHERE, *(rival for rival in _WITH_A_PLACE if rival.name in names))
