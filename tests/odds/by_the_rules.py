"""Combats played by the rules themselves, with dice that are told or thrown: what odds have to be.

Every question is answered by the computer's staff, so the plans of both sides are the staff's.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from battles.core.game import Event
from campaign import rules
from campaign.odds.combat import CombatEnding, CombatOdds, combat_odds
from campaign.odds.meeting import CombatSetup, combat_setup, staff_plan
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, is_land, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import MarchUnderWay, State, Unit
from campaign.rules.map import HexId
from campaign.staff import answer

T = TypeVar("T")
PAIRS = {total: (max(1, total - 6), total - max(1, total - 6)) for total in range(2, 13)}
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}


class Fray(NamedTuple):
    """An attack about to be made: the position, the way the attackers came, and the target.

    `sailed`: they came by water.
    """

    state: State
    route: tuple[HexId, ...]
    target: HexId
    sailed: bool = False

    @property
    def side(self) -> Side:
        return self.state.side

    @property
    def attackers(self) -> list[Unit]:
        return board(self.state).stack(self.side, self.route[-1])

    @property
    def defenders(self) -> list[Unit]:
        return board(self.state).stack(self.side.enemy, self.target)


def met(fray: Fray) -> CombatSetup:
    """Return the combat as odds are asked for it, both sides led by the staff."""
    plans = (
        staff_plan(fray.state, fray.attackers, fray.defenders),
        staff_plan(fray.state, fray.defenders, fray.attackers),
    )
    return combat_setup(begun(fray), fray.attackers, fray.route, fray.target, plans)


def odds(fray: Fray) -> CombatOdds:
    return combat_odds(laws(fray.state), met(fray))


class Script:
    """Totals of two dice in their order; dice that are thrown for something else all show 3."""

    def __init__(self, totals: Sequence[int]) -> None:
        self._totals = list(totals)
        self.wanted = 0

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        if count != 2:
            return (min(3, sides),) * count
        self.wanted += 1
        return PAIRS[self._totals[self.wanted - 1] if self.wanted <= len(self._totals) else 7]


def begun(fray: Fray) -> State:
    """Return a copy of the position with the attackers on the march where they attack from."""
    state = decode(encode(fray.state), State)
    units = [unit.id for unit in board(state).stack(fray.side, fray.route[-1])]
    state.march = MarchUnderWay(units, list(fray.route), marches=1, points=0, sailed=fray.sailed)
    state.question = q.OnMarch(fray.side)
    return state


def fought_out(state: State, fray: Fray, dice: Dice) -> CombatEnding:
    """Return the attack played to its end in that state, which is changed; what it has cost."""
    before = {unit.id: msgspec.structs.replace(unit) for unit in state.units.values()}
    events = events_of(state, fray, dice)
    winner = next(one.winner for one in events if isinstance(one, e.CombatEnded))
    mine = _paid(before, state, fray.attackers)
    theirs = _paid(before, state, fray.defenders)
    return CombatEnding(None if winner is None else winner is fray.side, *mine, *theirs)


def events_of(state: State, fray: Fray, dice: Dice) -> list[Event]:
    """Play the attack to its end, and return its events."""
    events = list(rules.play(state, a.Attack(fray.target), dice).events)
    while isinstance(state.question, q.ToLead | q.ToShareLosses | q.ToRetreat):
        events += rules.play(state, answer(state), dice).events
    return events


def _paid(before: dict[UnitId, Unit], state: State, units: Sequence[Unit]) -> tuple[int, int]:
    men = [unit for unit in units if unit.kind is not TroopKind.LEADER]
    left = [state.units[unit.id] for unit in men if unit.id in state.units]
    shaken = sum(unit.disrupted and not before[unit.id].disrupted for unit in left)
    return len(men) - len(left), shaken


def enumerated(fray: Fray) -> dict[CombatEnding, float]:
    """Return the chance of every result, from a play of the rules for every script of totals there
    is.
    """
    return _by_every_script(fray, fought_out)


class Ruin(NamedTuple):
    """The fate of the attackers: at bay, gone from the land, or the campaign over by it (4.2)."""

    at_bay: bool
    wiped: bool
    over: bool


def ruins(fray: Fray) -> dict[Ruin, float]:
    """Return the chance of every ruin of the attackers, as `enumerated` has that of every
    result.
    """
    return _by_every_script(fray, _ruin)


def _ruin(state: State, fray: Fray, dice: Dice) -> Ruin:
    mine = {unit.id for unit in fray.attackers}
    events = events_of(state, fray, dice)
    bay = any(
        isinstance(one, e.Removed | e.Disrupted)
        and one.cause == "no retreat"
        and mine.issuperset(one.units)
        for one in events
    )
    left = any(is_land(state.units[one]) for one in mine if one in state.units)
    return Ruin(bay, not left, any(isinstance(one, e.CampaignEnded) for one in events))


def _by_every_script(fray: Fray, play: Callable[[State, Fray, Dice], T]) -> dict[T, float]:
    throws = _throws(fray)
    found: dict[T, float] = {}
    for totals in product(range(2, 13), repeat=throws):
        state, script = begun(fray), Script(totals)
        result = play(state, fray, script)
        chance = 1.0
        for total in totals:
            chance *= WAYS[total] / 36
        found[result] = found.get(result, 0.0) + chance
    return found


def _throws(fray: Fray) -> int:
    """Return how many tests the combat has at most: as many as when every one of them falls
    well.
    """
    script = Script([12] * 4)
    fought_out(begun(fray), fray, script)
    return script.wanted


def simulated(fray: Fray, number: int, dice: Dice) -> Iterator[CombatEnding]:
    """So many plays of the combat by the rules."""
    opening = encode(begun(fray))
    for _ in range(number):
        yield fought_out(decode(opening, State), fray, dice)
