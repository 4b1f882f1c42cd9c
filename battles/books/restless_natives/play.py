"""Restless Natives on the shared engine: which action answers which question."""

from battles.books.restless_natives import acting, activation, deploying
from battles.books.restless_natives import actions as a
from battles.books.restless_natives import actions as q
from battles.books.restless_natives import events as e
from battles.books.restless_natives.evolve import evolve
from battles.books.restless_natives.sequence import STEPS
from battles.books.restless_natives.state import State
from battles.core.game import Step
from battles.core.rules_engine import Answers, Play, Refusals, RulesEngine, do_nothing

ACT = (Step("act"),)


def _answers() -> Answers[State]:
    """Return the table of answers, question by question."""
    answers = Answers[State]()
    on = answers.on

    on(a.Allot, q.ToSetUp, check=deploying.check_allot, closes=False)(deploying.allot)
    on(a.Deploy, q.ToSetUp, check=deploying.check_deploy, closes=False)(deploying.deploy)
    on(a.Restore, q.ToSetUp, closes=False)(deploying.set_up.restore)
    on(a.Done, q.ToSetUp)(do_nothing)

    on(a.Activate, q.ToCommand, check=activation.check_activate)(activation.activate)
    on(a.Rally, q.ToCommand, check=activation.check_rally)(activation.rally)
    on(a.PassOn, q.ToCommand, check=activation.check_pass_on)(activation.pass_on)
    on(a.Done, q.ToCommand)(activation.nobody)

    on(a.PlayCard, q.ToAct, check=acting.check_card, then=ACT)(acting.play_card)
    on(a.March, q.ToAct, check=acting.check_march)(acting.march)
    on(a.Fire, q.ToAct, check=acting.check_fire, then=ACT)(acting.fire)
    on(a.Form, q.ToAct, check=acting.check_form, then=ACT)(acting.form)
    on(a.Fight, q.ToAct, check=acting.check_fight, then=ACT)(acting.fight)
    on(a.Done, q.ToAct, check=acting.check_done)(acting.done)

    on(a.Move, q.ToMove, check=acting.check_move, then=ACT)(acting.move)
    on(a.Charge, q.ToMove, check=acting.check_charge, then=ACT)(acting.charge)
    on(a.Leave, q.ToMove, check=acting.check_leave, then=ACT)(acting.leave)
    on(a.Done, q.ToMove, then=ACT)(acting.stand_still)
    return answers


engine: RulesEngine[State] = RulesEngine(
    _answers(),
    Play(evolve, STEPS, e.AgendaRecorded),
    Refusals(over="Turn sequence 7", other="Turn sequence 2"),
)
play, check, fold = engine.play, engine.check, engine.fold
play_chosen = engine.play_chosen
