"""The front door: one action in, events out, and nothing changed when it is refused."""

from battles.core.door import DONE, Answer, Clauses, Door, Play, anything
from battles.core.game import Step
from battles.engines.restless import acting, commanding, deploying
from battles.engines.restless import actions as a
from battles.engines.restless import events as e
from battles.engines.restless import questions as q
from battles.engines.restless.evolve import evolve
from battles.engines.restless.sequence import STEPS
from battles.engines.restless.state import State

ACT = (Step("act"),)


_ANSWERS: dict[type, dict[type, Answer]] = {
    q.ToSetUp: {
        a.Allot: Answer(deploying.check_allot, deploying.allot, closes=False),
        a.Deploy: Answer(deploying.check_deploy, deploying.deploy, closes=False),
        a.Done: DONE,
    },
    q.ToCommand: {
        a.Activate: Answer(commanding.check_activate, commanding.activate),
        a.Rally: Answer(commanding.check_rally, commanding.rally),
        a.PassOn: Answer(commanding.check_pass_on, commanding.pass_on),
        a.Done: Answer(anything, commanding.nobody),
    },
    q.ToAct: {
        a.PlayCard: Answer(acting.check_card, acting.play_card, then=ACT),
        a.March: Answer(acting.check_march, acting.march),
        a.Fire: Answer(acting.check_fire, acting.fire, then=ACT),
        a.Form: Answer(acting.check_form, acting.form, then=ACT),
        a.Fight: Answer(acting.check_fight, acting.fight, then=ACT),
        a.Done: Answer(acting.check_done, acting.done),
    },
    q.ToMove: {
        a.Move: Answer(acting.check_move, acting.move, then=ACT),
        a.Charge: Answer(acting.check_charge, acting.charge, then=ACT),
        a.Leave: Answer(acting.check_leave, acting.leave, then=ACT),
        a.Done: Answer(anything, acting.stand_still, then=ACT),
    },
}

_DOOR: Door[State] = Door(
    _ANSWERS, Play(evolve, STEPS, e.Stands), Clauses("Turn sequence 7", "Turn sequence 2")
)
play, check, fold = _DOOR.play, _DOOR.check, _DOOR.fold
