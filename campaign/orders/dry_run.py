"""Run a sheet on a copy of the position, by the code that carries it out.

March throws succeed as well as they can, throws on the water are average, and nothing is fought: a
stack that comes to an attack has come as far as can be known.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import msgspec

from battles.contract.brief import Brief, Side
from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from campaign.odds.assault import Wave, spend_nothing
from campaign.odds.combat import CombatOdds, combat_odds
from campaign.odds.march import MarchOdds, Start, march_odds
from campaign.odds.meeting import combat_setup, staff_plan
from campaign.odds.random_event import begin_event, enumerate_rolls, event_outcomes, event_to_come
from campaign.odds.voyage import VoyageOdds, voyage_odds
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters
from campaign.orders.march_execution import OrderedMarch, besieging_hexes
from campaign.orders.order_sheet import MarchOrder, MarchProgress, Progress, StandingInstructions
from campaign.orders.standing_instructions import falling_of, plan_of
from campaign.rules.combat.hand_off import brief_of
from campaign.rules.combat.retreat import WayBehind, way_behind
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, forget, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import play
from campaign.rules.core.state import (
    Combat,
    CombatForce,
    Phase,
    State,
    Unit,
    current_march,
    hands_over,
)
from campaign.rules.map import HexId
from campaign.rules.sight import STAND_IN
from campaign.rules.stacks import ids

MOST_ACTIONS = 5_000
GOOD, _MIDDLING = 6, 4
_PHASES: dict[Phase, type[q.ToSetUp | q.ToReinforce | q.ToMarch]] = {
    Phase.SET_UP: q.ToSetUp,
    Phase.REINFORCEMENT: q.ToReinforce,
    Phase.MARCH: q.ToMarch,
}


class ExpectedCombat(NamedTuple):
    """A combat that an order leads to, and its odds by the campaign's own table.

    `odds` is None where the enemy's strength is not known. `brief` is the combat for a book of
    battles, where battles are handed over; `wave` is the attacking stack, its route and plan.
    `behind` is its way back if it is beaten.
    """

    hex: HexId
    odds: CombatOdds | None = None
    brief: Brief | None = None
    wave: Wave | None = None
    behind: WayBehind | None = None


class DryRun(NamedTuple):
    """The result of a dry run: for every order of a seat its marches and combats.

    Keys are a seat and the number of its order. `voyages` are those by river, `absent` the units of
    an order that stand elsewhere when its turn comes, `halts` the progress of the order when its
    stack halted, with the reason.
    """

    progress: Progress
    marches: dict[tuple[int, int], MarchOdds]
    voyages: dict[tuple[int, int], VoyageOdds]
    fights: dict[tuple[int, int], list[ExpectedCombat]]
    absent: dict[tuple[int, int], tuple[UnitId, ...]]
    halts: dict[tuple[int, int], MarchProgress]
    state: State


class _Throws(NamedTuple):
    """The throws for a march that an order needs: the units, their leader, and each start."""

    units: list[Unit]
    leader: UnitId
    starts: list[Start]


class FixedDice:
    """Dice that always show the same face, or the highest they have."""

    def __init__(self, face: int) -> None:
        self._face = face

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Return `count` dice of that face, as `Dice.throw` does."""
        return (min(self._face, sides),) * count


class RunOptions(NamedTuple):
    """The progress of the sheets so far, and a function to call as the work goes on.

    `spend` may raise an exception to stop the work.
    """

    progress: Progress | None = None
    spend: Callable[[], None] = spend_nothing


AFRESH = RunOptions()
"""A run from the beginning, without a limit of work."""


class _Notes:
    """The copy of the state and the results collected while a sheet is run."""

    def __init__(self, state: State, options: RunOptions) -> None:
        self.state = decode(encode(state), State)
        self.spend = options.spend
        self.progress = decode(encode(options.progress or Progress()), Progress)
        self.throws: dict[tuple[int, int], _Throws] = {}
        self.voyages: dict[tuple[int, int], VoyageOdds] = {}
        self.halts: dict[tuple[int, int], MarchProgress] = {}
        self.fights: dict[tuple[int, int], list[ExpectedCombat]] = {}
        self.absent: dict[tuple[int, int], tuple[UnitId, ...]] = {}
        self.read: set[tuple[int, int]] = set()

    @property
    def order(self) -> tuple[int, int]:
        """Return seat and number of the order that is being carried out."""
        march_progress = self.progress.marching
        return (
            (march_progress.seat, march_progress.order) if march_progress is not None else (0, -1)
        )


def rehearse(
    state: State, headquarters: Headquarters, side: Side, options: RunOptions = AFRESH
) -> DryRun:
    """Return a dry run of the side's sheets from here; the state is left unchanged.

    Its units count as having marched only if it is in its march phase; `progress` says how far the
    sheets have been carried out. A random event that is still to come does not happen.
    """
    return _rehearse_phases(_Notes(state, options), state, headquarters, side)


def rehearse_events(
    state: State, headquarters: Headquarters, side: Side, spend: Callable[[], None] = spend_nothing
) -> tuple[tuple[Fraction, DryRun], ...]:
    """Return a dry run for every outcome of the side's random event, with its chance.

    There is one run with chance 1 where the event has been thrown for.
    """
    if not event_to_come(state, side):
        return ((Fraction(1), rehearse(state, headquarters, side, RunOptions(spend=spend))),)

    def rehearse_with(dice: Dice) -> DryRun:
        notes = _Notes(state, RunOptions(spend=spend))
        return _rehearse_phases(notes, state, headquarters, side, dice)

    return tuple(enumerate_rolls(rehearse_with, event_outcomes(state, side)))


def _rehearse_phases(
    notes: "_Notes", state: State, headquarters: Headquarters, side: Side, dice: Dice | None = None
) -> DryRun:
    """Return the dry run, phase by phase, unless the event ends the campaign.

    Without dice no random event happens.
    """
    for phase in _still_to_come(state, side):
        if phase is Phase.EVENT:
            if dice is not None:
                _event(notes, headquarters, side, dice)
        elif notes.state.result is None:
            open_phase(notes.state, state, side, phase)
            _go_through(notes, headquarters)
    marches = {
        key: march_odds(
            notes.state,
            throws.units,
            throws.leader,
            throws.starts,
            falling_of(_standing_instructions_of(headquarters, key)),
        )
        for key, throws in notes.throws.items()
    }
    return DryRun(
        notes.progress, marches, notes.voyages, notes.fights, notes.absent, notes.halts, notes.state
    )


def _standing_instructions_of(
    headquarters: Headquarters, key: tuple[int, int]
) -> StandingInstructions:
    commander = headquarters.seat(key[0])
    return commander.sheet.standing if commander is not None else StandingInstructions()


def _still_to_come(state: State, side: Side) -> tuple[Phase, ...]:
    """Return the event, and the phases of the side's turn that ask for its sheet."""
    if state.phase is Phase.SET_UP:
        return Phase.SET_UP, Phase.EVENT, Phase.MARCH
    if state.side is not side:
        return Phase.EVENT, Phase.REINFORCEMENT, Phase.MARCH
    if state.phase is Phase.MARCH:
        return (Phase.MARCH,)
    return Phase.REINFORCEMENT, Phase.MARCH


def has_marched(state: State, side: Side) -> bool:
    """Return whether the side's march phase of this month is over (5.1)."""
    if state.side is not side:
        return side is Side.EGYPTIAN and state.phase is not Phase.SET_UP
    return state.phase in (Phase.ATTRITION, Phase.RECOVERY)


def _event(notes: _Notes, headquarters: Headquarters, side: Side, dice: Dice) -> None:
    """Play the side's random event and answer its questions from the sheets."""
    begin_event(notes.state, side, dice)
    while notes.state.question is not None:
        action, notes.progress = answer(notes.state, headquarters, notes.progress)
        play(notes.state, action, dice)


def open_phase(copy: State, state: State, side: Side, phase: Phase) -> None:
    """Set `copy` to the beginning of that phase of the side's turn."""
    copy.side, copy.phase, copy.agenda = side, phase, []
    copy.march, copy.combat = None, None
    # Only within the side's own march phase do earlier marches of the month count.
    if phase is not Phase.MARCH or (state.side, state.phase) != (side, phase):
        copy.marched, copy.hulls_used = [], []
    copy.question = _PHASES[phase](side)
    forget(copy)


def _go_through(notes: _Notes, headquarters: Headquarters) -> None:
    for _ in range(MOST_ACTIONS):
        notes.spend()
        if notes.state.question is None:
            return
        action, notes.progress = answer(notes.state, headquarters, notes.progress)
        _note_absent(notes, headquarters)
        if isinstance(action, a.Done):
            return
        if notes.progress.marching is not None:
            notes.halts[notes.order] = notes.progress.marching
        if isinstance(action, a.Attack):
            for target in _hexes_to_attack(notes, headquarters, action.hex):
                fight = _fight(notes, headquarters, target)
                notes.fights.setdefault(notes.order, []).append(fight)
            # The result of the combat is unknown, so nothing is supposed to follow it.
            action = a.Halt()
        if isinstance(action, a.March):
            _note_throw(notes, action)
        if isinstance(action, a.Sail):
            sailing = board(notes.state).named(action.units)
            notes.voyages[notes.order] = voyage_odds(notes.state, sailing, action.path)
        face = _MIDDLING if isinstance(action, a.Sail) else GOOD
        play(notes.state, action, FixedDice(face))


def _hexes_to_attack(notes: _Notes, headquarters: Headquarters, target: HexId) -> list[HexId]:
    """Return the hexes that the order means to attack now: every besieger it is to drive off."""
    order, march_progress = _order(headquarters, notes.order), notes.progress.marching
    if order is None or march_progress is None or not march_progress.driving:
        return [target]
    return besieging_hexes(OrderedMarch(notes.state, headquarters, order, march_progress))


def _note_absent(notes: _Notes, headquarters: Headquarters) -> None:
    """Note the units missing from orders that have just been read: begun, or found impossible."""
    accounts = notes.progress.seats.items()
    read = [(seat, number) for seat, account in accounts for number in account.orders]
    for key in {*read, notes.order} - notes.read:
        notes.read.add(key)
        order = _order(headquarters, key)
        if order is not None:
            units = board(notes.state).named(order.units)
            notes.absent[key] = ids(unit for unit in units if unit.hex != order.hex)


def _fight(notes: _Notes, headquarters: Headquarters, target: HexId) -> ExpectedCombat:
    """Return the combat with the enemies in `target`, as the order and instructions plan it."""
    state = notes.state
    march = current_march(state)
    units = board(state).named(march.units)
    enemies = board(state).stack(units[0].side.enemy, target)
    behind = way_behind(state)
    if any(unit.name == STAND_IN for unit in enemies):
        return ExpectedCombat(target, behind=behind)
    plans = (
        plan_of(
            state,
            units,
            _standing_instructions_of(headquarters, notes.order),
            _order(headquarters, notes.order),
        ),
        staff_plan(state, enemies, units),
    )
    met = combat_setup(state, units, march.route, target, plans)
    brief = _brief(state, target) if hands_over(state) else None
    attackers = tuple(map(msgspec.structs.replace, units))
    wave = Wave(attackers, tuple(march.route), plans[0])
    return ExpectedCombat(target, combat_odds(laws(state), met), brief, wave, behind)


def _order(headquarters: Headquarters, key: tuple[int, int]) -> MarchOrder | None:
    seat, number = key
    commander = headquarters.seat(seat)
    order = commander.sheet.orders[number] if commander is not None and number >= 0 else None
    return order if isinstance(order, MarchOrder) else None


def _brief(state: State, target: HexId) -> Brief:
    """Return the brief of an attack on that hex, as a book of battles would receive it."""
    march = current_march(state)
    position = march.route[-1]
    attacker = CombatForce(state.side, position, list(march.units))
    defender = CombatForce(
        state.side.enemy, target, list(ids(board(state).stack(state.side.enemy, target)))
    )
    sortie = len(march.route) == 1 and board(state).is_sortie(state.side, position, target)
    state.combat = Combat(attacker, defender, sortie=sortie)
    brief = brief_of(state)
    state.combat = None
    return brief


def _note_throw(notes: _Notes, action: a.March) -> None:
    units = board(notes.state).named(action.units)
    throws = notes.throws.setdefault(notes.order, _Throws(list(units), action.leader, []))
    throws.starts.append(Start(units[0].hex, frozenset(action.units)))
