"""Sample the campaign as it may really stand, from what one side knows of it alone.

Units that the side sees stand there. For a stack seen from afar the number is drawn by its size,
and the units from the kinds that the scenario gives the enemy, which is public. A stack last seen
in an earlier month may have moved: with even chances for each month, to a hex that is out of sight
now. Each stack of the enemy's set-up that was never seen is there with even chances, if its place
is still believed the enemy's.
"""

from collections.abc import Iterator, Sequence

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from battles.core.game import Step
from campaign.rules.core.board import board, chart, forget, is_land
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.sequence import MONTH
from campaign.rules.core.state import Phase, State, Unit
from campaign.rules.map import HexId
from campaign.rules.set_up import new_game
from campaign.rules.sight import Sighting, StackSize, View, watch
from campaign.rules.tables.editions import edition

_BANDS = {
    StackSize.HANDFUL: (1, 3),
    StackSize.BODY: (4, 9),
    StackSize.FORCE: (10, 19),
    StackSize.HOST: (20, 29),
}
FAR = 3
"""Hexes that a stack out of sight may have gone in a month."""


def sample_state(view: View, dice: Dice) -> State:
    """Return a playable state that agrees with everything the viewer knows.

    If nothing is hidden from the viewer it is the campaign itself.
    """
    state = decode(encode(view.state), State)
    if not view.fogged or not isinstance(view.viewer, Side):
        return state
    start = new_game(state.scenario, edition(state.book))
    if state.phase is Phase.SET_UP:
        return _as_set_up(state, start, view.viewer)
    _Guess(view, view.viewer, (state, start), dice).fill()
    state.agenda = _rest_of_month(state)
    forget(state)
    return state


def _as_set_up(state: State, start: State, side: Side) -> State:
    """Return the state before the first month, with the enemy's public set-up of the scenario."""
    enemies = {unit.id: unit for unit in start.units.values() if unit.side is not side}
    mine = {unit.id: unit for unit in state.units.values() if unit.side is side}
    return msgspec.structs.replace(start, units=enemies | mine)


class _Guess:
    """The state that is being sampled, and its dice."""

    def __init__(self, view: View, side: Side, states: tuple[State, State], dice: Dice) -> None:
        self.view, self.side, self.dice = view, side, dice
        self.state, self.start = states
        self.seeing = watch(view.state, side)
        self.kinds = [
            unit
            for unit in self.start.units.values()
            if unit.side is side.enemy and is_land(unit) and unit.kind is not TroopKind.CIVILIANS
        ]

    def fill(self) -> None:
        """Put the enemy where it may stand, and take the rest from the scenario."""
        state, start = self.state, self.start
        state.control = {**start.control, **state.control}
        state.pool, state.box = state.pool or start.pool, state.box or start.box
        state.next_unit = max(state.next_unit, start.next_unit)
        for seen in self.view.sightings:
            self._stand(seen.hex, self._told(seen))
        for seen in self.view.markers:
            self._stand(self._gone_to(seen), self._told(seen))
        for hex_id, units in self._unseen():
            if self._even():
                self._stand(hex_id, units)

    def _told(self, seen: Sighting) -> Sequence[Unit]:
        """Return the units that were counted, or as many of any kind as the size says."""
        if seen.units:
            return seen.units
        least, most = _BANDS[seen.size]
        number = least + self._number(most - least + 1) - 1
        return [self.kinds[self._number(len(self.kinds)) - 1] for _ in range(number)]

    def _gone_to(self, seen: Sighting) -> HexId:
        """Return the hex where a stack last seen some months ago may be."""
        age = self.state.month - seen.month + seen.passing
        if age <= 0 or (not seen.passing and all(self._even() for _ in range(age))):
            return seen.hex
        able = [hex_id for hex_id in chart(self.state).within(seen.hex, FAR) if self._hides(hex_id)]
        return sorted(able)[self._number(len(able)) - 1] if able else seen.hex

    def _hides(self, hex_id: HexId) -> bool:
        field = chart(self.state).hexes[hex_id]
        return not (field.sea or field.closed) and hex_id not in self.seeing.seen

    def _unseen(self) -> Iterator[tuple[HexId, Sequence[Unit]]]:
        """Yield the stacks of the scenario's set-up in hexes not seen since."""
        seen = {one.hex for one in (*self.view.sightings, *self.view.markers)} | self.seeing.seen
        enemy = self.side.enemy
        for hex_id in board(self.start).hexes(enemy):
            held = self.state.control.get(hex_id, enemy) is enemy
            if hex_id not in seen and held:
                yield hex_id, board(self.start).stack(enemy, hex_id)

    def _stand(self, hex_id: HexId, units: Sequence[Unit]) -> None:
        """Put counters like these in the hex; a leader only if not on the map elsewhere."""
        names = {unit.name for unit in self.state.units.values() if unit.kind is TroopKind.LEADER}
        if any(one.side is self.side and one.hex == hex_id for one in self.state.units.values()):
            return
        for unit in units:
            if unit.kind is TroopKind.LEADER and unit.name in names:
                continue
            known = unit.id in self.state.units or unit not in self.start.units.values()
            number = UnitId(self.state.next_unit) if known else unit.id
            self.state.next_unit = max(self.state.next_unit, number + 1)
            self.state.units[number] = msgspec.structs.replace(unit, id=number, hex=hex_id)

    def _even(self) -> bool:
        return self._number(2) == 1

    def _number(self, most: int) -> int:
        return self.dice.throw(1, most)[0]


def _rest_of_month(state: State) -> list[Step]:
    """Return the steps after the present phase until the month is over (5.1)."""
    steps = [(name, phase, side) for name, phase, side in MONTH]
    now = next(
        (
            place
            for place, (_, phase, side) in enumerate(steps)
            if (phase, side) == (state.phase, state.side)
        ),
        -1,
    )
    return [Step("phase", (name, phase or "", side)) for name, phase, side in steps[now + 1 :]]
