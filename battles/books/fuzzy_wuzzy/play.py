"""'Eres to You Fuzzy Wuzzy on the shared engine: which action answers which question."""

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import actions as q
from battles.books.fuzzy_wuzzy import deploying, firing, phases
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.evolve import evolve
from battles.books.fuzzy_wuzzy.sequence import STEPS
from battles.books.fuzzy_wuzzy.state import State, asked, own
from battles.core.game import Ledger
from battles.core.rules_engine import Answers, Play, Refusals, RulesEngine, do_nothing


def _check_fire(state: State, action: a.Fire) -> None:
    firing.shot_at(state, own(state, action.unit), action.target)


def _fire(ledger: Ledger[State], action: a.Fire) -> None:
    question = asked(ledger.state, q.ToFire)
    firing.fire(ledger, action)
    if not _has_more(ledger.state, question.units):
        ledger.answered()


def _has_more(state: State, numbers: tuple[int, ...]) -> bool:
    """Return whether any of the units asked for their fire can still fire."""
    if any(number not in state.fired for number in numbers):
        return True
    units = (state.units[number] for number in numbers)
    return any(
        firing.is_to_fire(state, unit) and any(True for _ in firing.shots_of(state, unit))
        for unit in units
    )


def _answers() -> Answers[State]:
    """Return the table of answers, question by question."""
    answers = Answers[State]()
    on = answers.on

    on(a.Deploy, q.ToSetUp, check=deploying.check_deploy, closes=False)(deploying.deploy)
    on(a.Restore, q.ToSetUp, closes=False)(deploying.set_up.restore)
    on(a.Order, q.ToOrder, check=phases.check_order, closes=False)(phases.order)
    on(a.Move, q.ToMove, check=phases.check_move, closes=False)(phases.move)
    on(a.Close, q.ToMove, check=phases.check_close, closes=False)(phases.close)
    on(a.Fire, q.ToFire, check=_check_fire, closes=False)(_fire)
    on(a.Move, q.ToAdvance, check=phases.check_move)(phases.move)
    on(a.Close, q.ToAdvance, check=phases.check_close)(phases.close)
    on(a.Recover, q.ToRecover, check=phases.check_recover, closes=False)(phases.recover_casualties)
    on(a.Done, q.ToSetUp, q.ToOrder, q.ToMove, q.ToFire, q.ToAdvance, q.ToRecover)(do_nothing)
    return answers


engine: RulesEngine[State] = RulesEngine(
    _answers(),
    Play(evolve, STEPS, e.AgendaRecorded),
    Refusals(over="Sequence 1", other="Sequence 1"),
)
play, check, fold = engine.play, engine.check, engine.fold
play_chosen = engine.play_chosen
