"""The facts of a month, counted from its events as far as the readers know of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any

import msgspec

from battles.contract.brief import UNCOUNTED, Side, TroopKind
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month
from campaign.rules.core.state import State, Unit, current_combat
from campaign.rules.map import HexId, PlaceClass, map_in_play
from campaign.rules.prose.phase_report import day_after, moment
from campaign.rules.prose.situation import sieges
from campaign.rules.sight import SideKnowledge, learn, learns_of

IN_BATTLE, IN_THE_FIELD = "in battle", "by hardship"
CAUSES = (IN_BATTLE, IN_THE_FIELD)
_BATTLE = frozenset({"combat", "no retreat"})
_NO_LOSS = frozenset({"used", "withdrawn", "dismounted", "gone home"})


class CombatFact(msgspec.Struct):
    """A combat: where, who attacked, who won (None: nobody), the day, and the units lost.

    Where the rules name no winner, a side that alone was destroyed has lost.
    """

    hex: HexId
    attacker: Side
    winner: Side | None = None
    fallen: list[Unit] = []
    day: int = 1

    @property
    def lost(self) -> Counter[Side]:
        """Return how many units each side lost in it."""
        return Counter(unit.side for unit in self.fallen)


class Facts(msgspec.Struct):
    """A month in figures. Losses are units eliminated, by side and cause."""

    month: Month
    fights: list[CombatFact] = []
    losses: dict[Side, Counter[str]] = {}
    men_lost: Counter[Side] = msgspec.field(default_factory=Counter)
    """Units of fighting men among the losses."""

    came: Counter[Side] = msgspec.field(default_factory=Counter)
    stacks_marched: Counter[Side] = msgspec.field(default_factory=Counter)
    taken: dict[HexId, list[Side]] = {}
    """The sides that took each place, in order."""

    wrecked: Counter[Side] = msgspec.field(default_factory=Counter)
    laid: int = 0
    lifted: int = 0
    begun: tuple[HexId, ...] = ()
    raised: tuple[HexId, ...] = ()

    @property
    def busy(self) -> bool:
        """Return whether there was a battle, or a siege began or ended."""
        return bool(self.fights or self.begun or self.raised)

    @property
    def small(self) -> bool:
        """Return whether one bloodless battle was all that happened."""
        towns = any(is_town(hex_id) for hex_id in self.taken)
        bloodless = len(self.fights) == 1 and not self.fights[0].fallen
        return bloodless and not (self.begun or self.raised or towns)

    def lost(self, side: Side) -> int:
        """Return the units that the side has lost, from all causes."""
        return self.losses.get(side, Counter()).total()

    def by_importance(self) -> dict[HexId, list[CombatFact]]:
        """Return the fights by place: towns that changed hands first, then by units lost."""
        places: dict[HexId, list[CombatFact]] = {}
        for fight in self.fights:
            places.setdefault(fight.hex, []).append(fight)

        def importance(hex_id: HexId) -> tuple[bool, int]:
            fell = hex_id in self.taken and is_town(hex_id)
            return fell, sum(len(fight.fallen) for fight in places[hex_id])

        return {hex_id: places[hex_id] for hex_id in sorted(places, key=importance, reverse=True)}


def is_town(hex_id: HexId) -> bool:
    """Return whether a town stands there."""
    name = map_in_play().hexes[hex_id].place
    return name is not None and map_in_play().places[name].kind is PlaceClass.TOWN


def gather_facts(
    state: State, played: Iterable[Sequence[e.AnyEvent]], readers: Sequence[SideKnowledge] = ()
) -> Facts:
    """Return the facts of the events played since `state`, given entry by entry.

    The events are applied to `state`. With `readers`, only what all of them know is counted.
    """
    counting = _Counting(state)
    for events in played:
        for event in events:
            if all(learns_of(reader, state, event) for reader in readers):
                counting.hear(event)
            evolve(state, event)
            for reader in readers:
                learn(reader, state, event)
    return counting.end()


class _Counting:
    """Counts events just before they are applied to the state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._facts = Facts(state.month, losses={side: Counter() for side in Side})
        self._before = sieges(state)
        self._phase: list[HexId] = []
        self._when = moment(state)
        self._ears: dict[type, Callable[[Any], None]] = {
            e.CombatBegan: self._fight,
            e.CombatEnded: self._decided,
            e.Removed: self._removed,
            e.Arrived: self._arrived,
            e.MarchBegan: self._marched,
            e.ControlChanged: self._taken,
            e.Wrecked: self._wrecked,
            e.RailBuilt: self._built,
            e.RailLost: self._lifted,
        }

    def hear(self, event: e.AnyEvent) -> None:
        if ear := self._ears.get(type(event)):
            ear(event)

    def end(self) -> Facts:
        """Return the facts, with the sieges that began or ended between the first and last state.

        These are sieges of Egyptian places, which both sides know.
        """
        self._facts.month = self._state.month
        after = sieges(self._state)
        shut_in = {hex_id for hex_id, side in after.items() if side is Side.EGYPTIAN}
        before = {hex_id for hex_id, side in self._before.items() if side is Side.EGYPTIAN}
        position = board(self._state)
        relieved = (hex_id for hex_id in before - shut_in if position.land(Side.EGYPTIAN, hex_id))
        self._facts.begun = tuple(sorted(shut_in - before))
        self._facts.raised = tuple(sorted(relieved))
        return self._facts

    def _fight(self, event: e.CombatBegan) -> None:
        now = moment(self._state)
        if now != self._when:
            self._when, self._phase = now, []
        self._phase.append(event.defender)
        day = day_after(now, self._phase)
        self._facts.fights.append(CombatFact(event.defender, event.side, day=day))

    def _decided(self, event: e.CombatEnded) -> None:
        if not self._facts.fights:
            return
        combat = current_combat(self._state)
        left = [
            force.side
            for force in (combat.attacker, combat.defender)
            if board(self._state).named(force.units) or not force.destroyed
        ]
        survivor = left[0] if len(left) == 1 else None
        self._facts.fights[-1].winner = event.winner or survivor

    def _removed(self, event: e.Removed) -> None:
        if event.cause in _NO_LOSS:
            return
        cause = IN_BATTLE if event.cause in _BATTLE else IN_THE_FIELD
        for unit in board(self._state).named(event.units):
            self._facts.losses[unit.side][cause] += 1
            self._facts.men_lost[unit.side] += unit.kind not in UNCOUNTED
            if cause == IN_BATTLE and self._facts.fights:
                self._facts.fights[-1].fallen.append(copy(unit))

    def _arrived(self, event: e.Arrived) -> None:
        for unit in event.units:
            self._facts.came[unit.side] += unit.kind is not TroopKind.LEADER

    def _marched(self, event: e.MarchBegan) -> None:
        for unit in board(self._state).named(event.march.units)[:1]:
            self._facts.stacks_marched[unit.side] += 1

    def _taken(self, event: e.ControlChanged) -> None:
        if not board(self._state).holds(event.side, event.place):
            self._facts.taken.setdefault(event.place, []).append(event.side)

    def _wrecked(self, event: e.Wrecked) -> None:
        for unit in board(self._state).named(event.units):
            self._facts.wrecked[unit.side] += 1

    def _built(self, event: e.RailBuilt) -> None:
        self._facts.laid += event.hexes

    def _lifted(self, event: e.RailLost) -> None:
        self._facts.lifted += event.hexes
