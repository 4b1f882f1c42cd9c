"""Forecast a campaign, from the true state or from states that one side's knowledge allows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.dice import ChainedDice, Dice, derive_key
from battles.core.game import Step
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.board import board, chart, forget, is_land
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import MONTH, play_trusted
from campaign.rules.core.state import CampaignResult, Phase, State, Unit, clone
from campaign.rules.map import HexId
from campaign.rules.set_up import new_game
from campaign.rules.sight import Sighting, StackSize, View, watch
from campaign.rules.tables.editions import Edition, edition
from campaign.staff import answer

# Sample the campaign as it may really stand, from what one side knows of it alone.
#
# Units that the side sees stand there. For a stack seen from afar the number is drawn by its
# size, and the units from the kinds that the scenario gives the enemy, which is public. A stack
# last seen in an earlier month may have moved: with even chances for each month, to a hex that is
# out of sight now. Each stack of the enemy's set-up that was never seen is there with even
# chances, if its place is still believed the enemy's.


_BANDS = {
    StackSize.HANDFUL: (1, 3),
    StackSize.BODY: (4, 9),
    StackSize.FORCE: (10, 19),
    StackSize.HOST: (20, 29),
}
FAR = 3
"""Hexes that a stack out of sight may have gone in a month."""


def sample_state(view: View, key: bytes) -> State:
    """Return a playable state that agrees with everything the viewer knows.

    The same key gives the same chances to the same stack or place, whatever else the viewer sees.
    If nothing is hidden from the viewer it is the campaign itself.
    """
    state = clone(view.state)
    if not view.fogged or not isinstance(view.viewer, Side):
        return state
    start = _set_up_state(state.scenario, edition(state.edition))
    if state.phase is Phase.SET_UP:
        return _as_set_up(state, clone(start), view.viewer)
    _StateSampler(view, view.viewer, (state, start), key).fill()
    state.agenda = rest_of_month(state)
    forget(state)
    return state


@lru_cache(maxsize=4)
def _set_up_state(scenario: str, played_by: Edition) -> State:
    """Return the scenario's set-up, for reading."""
    return new_game(scenario, played_by)


def _as_set_up(state: State, start: State, side: Side) -> State:
    """Return the state before the first month, with the enemy's public set-up of the scenario."""
    enemies = {unit.id: unit for unit in start.units.values() if unit.side is not side}
    own_units = {unit.id: unit for unit in state.units.values() if unit.side is side}
    return msgspec.structs.replace(start, units=enemies | own_units)


@lru_cache(maxsize=8)
def _kinds(scenario: str, played_by: Edition, side: Side) -> tuple[Unit, ...]:
    """Return the land units, without civilians, that the scenario gives the side at first."""
    return tuple(
        unit
        for unit in _set_up_state(scenario, played_by).units.values()
        if unit.side is side and is_land(unit) and unit.kind is not TroopKind.CIVILIANS
    )


class _StateSampler:
    """The state that is being sampled. Each stack and place has dice of its own."""

    def __init__(self, view: View, side: Side, states: tuple[State, State], key: bytes) -> None:
        self.view, self.side, self.key = view, side, key
        self.state, self.start = states
        self.seeing = watch(view.state, side)
        self.own = {unit.hex for unit in self.state.units.values() if unit.side is side}
        self.kinds = _kinds(view.state.scenario, edition(view.state.edition), side.enemy)

    def fill(self) -> None:
        """Put the enemy where it may stand, and take the rest from the scenario."""
        state, start = self.state, self.start
        state.control = {**start.control, **state.control}
        state.pool, state.box = state.pool or dict(start.pool), state.box or dict(start.box)
        state.next_unit = max(state.next_unit, start.next_unit)
        for seen in self.view.sightings:
            self._place_units(seen.hex, self._sighted_units(seen))
        for seen in self.view.markers:
            self._place_units(self._draw_hex(seen), self._sighted_units(seen))
        for hex_id, units in self._unseen():
            if _even(self._dice("unseen", hex_id)):
                self._place_units(hex_id, units)

    def _dice(self, about: str, hex_id: HexId) -> Dice:
        return ChainedDice(derive_key(self.key, about, hex_id))

    def _sighted_units(self, seen: Sighting) -> Sequence[Unit]:
        """Return the units that were counted, or as many of any kind as the size says."""
        if seen.units:
            return seen.units
        dice = self._dice("size", seen.hex)
        least, most = _BANDS[seen.size]
        number = least + _number(dice, most - least + 1) - 1
        return [self.kinds[_number(dice, len(self.kinds)) - 1] for _ in range(number)]

    def _draw_hex(self, seen: Sighting) -> HexId:
        """Return the hex where a stack last seen some months ago may be."""
        dice = self._dice("passing" if seen.passing else "remembered", seen.hex)
        age = self.state.month - seen.month + seen.passing
        if age <= 0 or (not seen.passing and all(_even(dice) for _ in range(age))):
            return seen.hex
        able = [hex_id for hex_id in chart(self.state).within(seen.hex, FAR) if self._hides(hex_id)]
        return sorted(able)[_number(dice, len(able)) - 1] if able else seen.hex

    def _hides(self, hex_id: HexId) -> bool:
        field = chart(self.state).hexes[hex_id]
        return not (field.sea or field.closed) and hex_id not in self.seeing.seen

    def _unseen(self) -> Iterator[tuple[HexId, Sequence[Unit]]]:
        """Yield the stacks of the scenario's set-up in hexes not seen since."""
        seen = {
            sighting.hex for sighting in (*self.view.sightings, *self.view.markers)
        } | self.seeing.seen
        enemy = self.side.enemy
        for hex_id in board(self.start).hexes(enemy):
            is_held = self.state.control.get(hex_id, enemy) is enemy
            if hex_id not in seen and is_held:
                yield hex_id, board(self.start).stack(enemy, hex_id)

    def _place_units(self, hex_id: HexId, units: Sequence[Unit]) -> None:
        """Put counters like these in the hex; a leader only if not on the map elsewhere."""
        if hex_id in self.own:
            return
        state, start = self.state, self.start.units
        names = {unit.name for unit in state.units.values() if unit.kind is TroopKind.LEADER}
        for unit in units:
            if unit.kind is TroopKind.LEADER and unit.name in names:
                continue
            needs_new_id = unit.id in state.units or start.get(unit.id) != unit
            number = UnitId(state.next_unit) if needs_new_id else unit.id
            state.next_unit = max(state.next_unit, number + 1)
            state.units[number] = msgspec.structs.replace(unit, id=number, hex=hex_id)


def _even(dice: Dice) -> bool:
    return _number(dice, 2) == 1


def _number(dice: Dice, most: int) -> int:
    return dice.throw(1, most)[0]


def rest_of_month(state: State) -> list[Step]:
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


# Forecast a campaign: play it on from here with the computer's staff on both sides.
#
# Battles are decided by the campaign's own table. The same key and state give the same playout on
# every machine.


AHEAD = (1, 3, 6, 12)
"""Months ahead at which the positions of both sides are recorded."""
MOST_ANSWERS = 60_000
"""More answers than any campaign has: beyond it the staff must be in a loop."""

Standing = dict[str, list[HexId]]
"""The hexes that each side holds with land units."""


class NoEnd(Exception):
    """The computer's staff does not reach an end of the campaign."""


class Playout(msgspec.Struct, frozen=True):
    """One playout: how the campaign ended, and where both sides stood before.

    `months` counts those it still lasted; `stands` is keyed by months ahead, as far as it got.
    """

    months: int
    result: CampaignResult
    stands: dict[int, Standing]


class PlayoutEnding(NamedTuple):
    """A result of the campaign, and the number of playouts with it."""

    result: CampaignResult
    times: int


def playout(state: State, key: bytes, answering: Callable[[State], AnyAction] = answer) -> Playout:
    """Play the state to the campaign's end, changing it. Raises NoEnd when there is none.

    `answering` is the staff of both sides, on an open map unless another is given.
    """
    dice, first = ChainedDice(key), state.month
    hexes_by_month: dict[int, Standing] = {}
    for _ in range(MOST_ANSWERS):
        if state.question is None:
            break
        month = state.month
        play_trusted(state, answering(state), dice)
        if state.month > month and state.month - first in AHEAD:
            hexes_by_month[state.month - first] = occupied_hexes(state)
    if state.result is None:
        raise NoEnd("The staff comes to no end.")
    return Playout(state.month - first, state.result, hexes_by_month)


def occupied_hexes(state: State) -> Standing:
    """Return the hexes that each side holds with land units."""
    return {side.value: sorted(board(state).occupied[side]) for side in Side}


def endings(results: Iterable[CampaignResult]) -> tuple[PlayoutEnding, ...]:
    """Return the ways in which campaigns ended, the most frequent first."""
    counts = Counter(results).items()
    by_number = sorted(counts, key=lambda pair: (-pair[1], pair[0].clause, pair[0].reason))
    return tuple(PlayoutEnding(result, times) for result, times in by_number)


def presence(playouts: Sequence[Playout], ahead: int) -> dict[Side, dict[HexId, float]]:
    """Return each side's share of playouts in each hex, of those that saw that month."""
    seen = [playout.stands[ahead] for playout in playouts if ahead in playout.stands]
    return {
        side: {
            hex_id: count / len(seen)
            for hex_id, count in sorted(
                Counter(h for standing in seen for h in standing[side]).items()
            )
        }
        for side in Side
    }
