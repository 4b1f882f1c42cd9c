"""The front door: one action in, events out, and nothing changed when it is refused."""

from battles.core.door import DONE, Answer, Clauses, Door, Play
from battles.core.ledger import Ledger
from battles.engines.fuzzy_wuzzy import actions as a
from battles.engines.fuzzy_wuzzy import events as e
from battles.engines.fuzzy_wuzzy import firing, phases
from battles.engines.fuzzy_wuzzy import questions as q
from battles.engines.fuzzy_wuzzy.evolve import evolve
from battles.engines.fuzzy_wuzzy.sequence import STEPS
from battles.engines.fuzzy_wuzzy.state import State, asked, own


def _check_fire(state: State, action: a.Fire) -> None:
    firing.shot_at(state, own(state, action.unit), action.target)


def _fire(ledger: Ledger[State], action: a.Fire) -> None:
    question = asked(ledger.state, q.ToFire)
    firing.fire(ledger, action)
    if not _has_more(ledger.state, question.units):
        ledger.answered()


def _has_more(state: State, numbers: tuple[int, ...]) -> bool:
    """Whether any of those that could fire when the side was asked still can."""
    if any(number not in state.fired for number in numbers):
        return True
    units = (state.units[number] for number in numbers)
    return any(
        firing.is_to_fire(state, unit) and any(True for _ in firing.shots_of(state, unit))
        for unit in units
    )


_ANSWERS: dict[type, dict[type, Answer]] = {
    q.ToOrder: {a.Order: Answer(phases.check_order, phases.order, closes=False), a.Done: DONE},
    q.ToMove: {
        a.Move: Answer(phases.check_move, phases.move, closes=False),
        a.Close: Answer(phases.check_close, phases.close, closes=False),
        a.Done: DONE,
    },
    q.ToFire: {a.Fire: Answer(_check_fire, _fire, closes=False), a.Done: DONE},
    q.ToAdvance: {
        a.Move: Answer(phases.check_move, phases.move),
        a.Close: Answer(phases.check_close, phases.close),
        a.Done: DONE,
    },
    q.ToRecover: {
        a.Recover: Answer(phases.check_recover, phases.recovers, closes=False),
        a.Done: DONE,
    },
}

_DOOR: Door[State] = Door(
    _ANSWERS, Play(evolve, STEPS, e.Stands), Clauses("Sequence 1", "Sequence 1")
)
play, check, fold, advanced = _DOOR.play, _DOOR.check, _DOOR.fold, _DOOR.advanced
