"""A sheet gone through on a copy of the position, by the code that carries it out.

Throws for a march fall as well as they can, throws on the water neither well nor badly, and nothing
is fought: a stack that comes to an attack has come as far as can be known.
"""

from typing import NamedTuple

from battles.core.document import decode, encode
from campaign.orders.carry_out import answer
from campaign.orders.commands import Headquarters
from campaign.orders.progress import Progress
from campaign.orders.prospects import look
from campaign.rules import actions as a
from campaign.rules import questions as q
from campaign.rules.board import board, forget
from campaign.rules.map import HexId
from campaign.rules.pieces import Side
from campaign.rules.play import play
from campaign.rules.state import Phase, State, on_march
from campaign.staff.odds import Odds, odds

MOST_ACTIONS = 5_000
_GOOD, _MIDDLING = 6, 4
_PHASES: dict[Phase, type[q.ToSetUp | q.ToReinforce | q.ToMarch]] = {
    Phase.SET_UP: q.ToSetUp,
    Phase.REINFORCEMENT: q.ToReinforce,
    Phase.MARCH: q.ToMarch,
}


class Throw(NamedTuple):
    """A throw for a march that an order needs: its chance to march at all, and in good order."""

    march: float
    whole: float


class Fight(NamedTuple):
    """A combat that an order leads to."""

    hex: HexId
    odds: Odds


class Rehearsed(NamedTuple):
    """What came of the sheets at best: for every order of a seat its throws and combats."""

    progress: Progress
    throws: dict[tuple[int, int], list[Throw]]
    fights: dict[tuple[int, int], list[Fight]]
    state: State


class FallingSo:
    """Dice that always show the same face, or the highest they have."""

    def __init__(self, face: int) -> None:
        self._face = face

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """As `Dice.throw`."""
        return (min(self._face, sides),) * count


class _Notes:
    """What is written down while a sheet is gone through."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.progress = Progress()
        self.throws: dict[tuple[int, int], list[Throw]] = {}
        self.fights: dict[tuple[int, int], list[Fight]] = {}

    @property
    def order(self) -> tuple[int, int]:
        """Seat and number of the order that is obeyed just now."""
        going = self.progress.marching
        return (going.seat, going.order) if going is not None else (0, -1)


def rehearse(state: State, headquarters: Headquarters, side: Side) -> Rehearsed:
    """The sheets of that side gone through from here; the state is left as it was.

    Its units are taken to have marched only if it is in the midst of its march phase.
    """
    notes = _Notes(decode(encode(state), State))
    for phase in _still_to_come(state, side):
        _open(notes.state, state, side, phase)
        _go_through(notes, headquarters, side)
    return Rehearsed(notes.progress, notes.throws, notes.fights, notes.state)


def _still_to_come(state: State, side: Side) -> tuple[Phase, ...]:
    """The phases of the side's turn in which its sheet is asked."""
    if state.phase is Phase.SET_UP:
        return Phase.SET_UP, Phase.MARCH
    if state.side is side and state.phase is Phase.MARCH:
        return (Phase.MARCH,)
    return Phase.REINFORCEMENT, Phase.MARCH


def _open(copy: State, state: State, side: Side, phase: Phase) -> None:
    """The copy stands at the beginning of that phase of the side's turn."""
    copy.side, copy.phase, copy.agenda = side, phase, []
    copy.march, copy.combat = None, None
    if phase is not Phase.MARCH or (state.side, state.phase) != (side, phase):
        copy.marched, copy.hulls_used = [], []
    copy.question = _PHASES[phase](side)
    forget(copy)


def _go_through(notes: _Notes, headquarters: Headquarters, side: Side) -> None:
    for _ in range(MOST_ACTIONS):
        if notes.state.question is None:
            return
        action, notes.progress = answer(notes.state, headquarters, notes.progress)
        if isinstance(action, a.Done):
            return
        if isinstance(action, a.Attack):
            _note_fight(notes, action.hex)
            action = a.Halt()
        if isinstance(action, a.March):
            _note_throw(notes, action)
        face = _MIDDLING if isinstance(action, a.Sail) else _GOOD
        play(notes.state, action, FallingSo(face))


def _note_fight(notes: _Notes, target: HexId) -> None:
    march = on_march(notes.state)
    units = board(notes.state).named(march.units)
    chances = odds(notes.state, units, march.route[-1], target)
    notes.fights.setdefault(notes.order, []).append(Fight(target, chances))


def _note_throw(notes: _Notes, action: a.March) -> None:
    units = board(notes.state).named(action.units)
    hoped = look(notes.state, units, action.leader).odds
    if hoped is not None:
        throw = Throw(float(hoped.march), float(hoped.whole))
        notes.throws.setdefault(notes.order, []).append(throw)
