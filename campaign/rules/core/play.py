"""The rules engine of the campaign: the sequence of play, and the actions that answer questions."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

from battles.contract.brief import Side
from battles.core.decoding import convert_to
from battles.core.game import IllegalAction, Ledger, Step
from battles.core.rules_engine import Answer, Answers, Play, Refusals, RulesEngine, do_nothing
from campaign.rules import (
    railways,
    random_events,
    reinforcements,
    set_up,
    supply,
    umpire_rulings,
    unit_losses,
    victory,
)
from campaign.rules.combat import hand_off, retreat
from campaign.rules.combat import procedure as combat
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import Phase, State, clone, open_question
from campaign.rules.march import arrival, land, river
from campaign.rules.march import land as march
from campaign.rules.march import phase as marching
from campaign.rules.unit_losses import khalifa_follows, khalifa_placed

# Sequence of play (5.0): the order of the phases, and the function of each named step.


PLAYER_TURN = (
    ("random event", Phase.EVENT),
    ("reinforcement", Phase.REINFORCEMENT),
    ("march", Phase.MARCH),
    ("attrition", Phase.ATTRITION),
    ("recovery", Phase.RECOVERY),
)
"""The phases of one player turn in order (5.2, 5.3)."""

MONTH = (
    *((name, phase, Side.EGYPTIAN) for name, phase in PLAYER_TURN),
    ("Egyptian turn ends", None, Side.EGYPTIAN),
    *((name, phase, Side.MAHDIST) for name, phase in PLAYER_TURN),
    ("Mahdist turn ends", None, Side.MAHDIST),
)
"""A month: the Egyptian player turn, then the Mahdist (5.1)."""


def begin_set_up(ledger: Ledger[State], *sides: str) -> None:
    """Ask each side to set up before the first month (2.1)."""
    if sides:
        ledger.then(Step("set up", sides[1:]))
        ledger.ask(ToSetUp(Side(sides[0])))
    else:
        ledger.then(*_month())


def _month() -> tuple[Step, ...]:
    return tuple(Step("phase", (name, phase or "", side)) for name, phase, side in MONTH)


def begin_phase(ledger: Ledger[State], name: str, phase: str, side: str) -> None:
    """Begin the next phase of the month."""
    if phase:
        ledger.emit(e.PhaseBegan(Side(side), Phase(phase)))
    ledger.then(Step(name, (side,)))


def egyptian_turn_ends(ledger: Ledger[State], side: str) -> None:
    """End the Egyptian player turn and judge victory (4.1)."""
    victory.judge_egyptian_turn(ledger)
    ledger.emit(e.TurnEnded(Side(side)))


def mahdist_turn_ends(ledger: Ledger[State], side: str) -> None:
    """End the Mahdist player turn and judge victory; then begin the next month (4.2)."""
    victory.judge_mahdist_turn(ledger)
    ledger.emit(e.TurnEnded(Side(side)))
    if ledger.state.result is None:
        ledger.emit(e.MonthBegan(Month(ledger.state.month + 1)))
        ledger.then(*_month())


STEPS: Mapping[str, Callable[..., Any]] = {
    "set up": begin_set_up,
    "phase": begin_phase,
    "random event": random_events.event_phase,
    "reinforcement": reinforcements.reinforcement_phase,
    "march": marching.march_phase,
    "attrition": supply.attrition_phase,
    "recovery": unit_losses.recovery_phase,
    "Egyptian turn ends": egyptian_turn_ends,
    "Mahdist turn ends": mahdist_turn_ends,
    "mahdist draw": reinforcements.mahdist_draw,
    "risings": reinforcements.risings,
    "units go home": reinforcements.units_go_home,
    "place arrivals": reinforcements.place_arrivals,
    "railway": railways.railway_phase,
    "railhead placed": railways.railhead_placed,
    "march goes on": marching.march_goes_on,
    "voyage": river.voyage,
    "left ashore": river.left_ashore,
    "come ashore": arrival.voyage_ends,
    "displace": arrival.displace,
    "craft displaced": arrival.craft_displaced,
    "place taken": victory.place_taken,
    "hand over": hand_off.hand_over,
    "settle battle": hand_off.settle,
    "lead": combat.ask_for_leader,
    "fire": combat.fire,
    "melee": combat.melee,
    "share losses": combat.share_losses,
    "decide combat": combat.decide_combat,
    "stack annihilated": victory.stack_annihilated,
    "marchers retreat": retreat.marchers_retreat,
    "defenders retreat": retreat.defenders_retreat,
    "khalifa": khalifa_follows,
    "khalifa placed": khalifa_placed,
    "leader lost": victory.leader_lost,
    "draw supply": supply.draw_supply,
    "supply stacks": supply.supply_stacks,
    "roll for attrition": supply.attrition_of_stack,
    "supply is used up": supply.supply_is_used_up,
    **random_events.STEPS,
}


# Rules engine of the campaign: the actions that answer each question, and their handlers.


class CampaignEngine(RulesEngine[State]):
    """Rules engine with the checks that are common to all actions of a campaign."""

    def copied(self, state: State) -> State:
        """Return a copy of the state, container by container."""
        return clone(state)

    def lawful(self, state: State, answer: Answer, action: a.AnyAction) -> None:
        """Raise IllegalAction when the action is against the rules or names a unit twice."""
        super().lawful(state, answer, action)
        units = getattr(action, "units", ())
        if len(set(units)) < len(units):
            raise IllegalAction("5.0", "A unit is named twice.", "Name each unit once.")

    def formed(self, action: a.AnyAction) -> a.AnyAction:
        """Return the action with typed fields. Raise IllegalAction when one has the wrong type."""
        try:
            return cast("a.AnyAction", convert_to(msgspec.to_builtins(action), type(action)))
        except (TypeError, ValueError) as error:
            message = f"{type(action).__name__} is not well formed: {error}."
            raise IllegalAction("5.0", message, "Name units and hexes by their numbers.") from error


def _check_choice(state: State, action: a.Choose) -> None:
    question = open_question(state, q.ToChooseHex)
    if action.hex not in question.choices:
        raise IllegalAction(
            question.clause, f"Hex {action.hex:04d} is not one of the choices.", "Choose another."
        )


def _choose_hex(ledger: Ledger[State], action: a.Choose) -> None:
    question = open_question(ledger.state, q.ToChooseHex)
    ledger.then(Step(question.purpose, (*question.args, action.hex)))


def _check_pick(state: State, action: a.Pick) -> None:
    question = open_question(state, q.ToChooseUnits)
    picked = set(action.units)
    if len(picked) != question.count or not picked <= set(question.units):
        raise IllegalAction(question.clause, f"Choose {question.count} of the units named.")


def _choose_units(ledger: Ledger[State], action: a.Pick) -> None:
    question = open_question(ledger.state, q.ToChooseUnits)
    ledger.then(Step(question.purpose, (*question.args, *action.units)))


def _check_placed_all(state: State, action: a.Done) -> None:
    reinforcements.check_placed_all(state)


def _answers() -> Answers[State]:
    """Return the table of answers, question by question in the order of the month."""
    answers = Answers[State]()
    on, always = answers.on, answers.always

    on(a.Deploy, q.ToSetUp, check=set_up.check_deploy)(set_up.deploy)
    on(a.Place, q.ToReinforce, check=reinforcements.check_place)(reinforcements.place)
    on(a.Withdraw, q.ToReinforce, check=reinforcements.check_withdraw)(reinforcements.withdraw)

    on(a.March, q.ToMarch, q.OnMarch, check=march.check_march)(march.march)
    on(a.Rail, q.ToMarch, q.OnMarch, check=land.check_rail)(land.rail)
    on(a.Sail, q.ToMarch, q.OnMarch, check=river.check_sail)(river.sail)
    on(a.Dismount, q.ToReinforce, q.ToMarch, check=reinforcements.check_dismount)(
        reinforcements.dismount
    )
    on(a.Move, q.OnMarch, check=march.check_move)(march.move)
    on(a.Attack, q.OnMarch, check=combat.check_attack)(combat.attack)
    on(a.DropOff, q.OnMarch, check=march.check_drop_off)(march.drop_off)
    on(a.Halt, q.OnMarch)(march.halt)
    on(a.Pick, q.ToDisrupt, check=march.check_fall_out)(march.fall_out)

    on(a.Done, q.ToSetUp, q.ToMarch)(do_nothing)
    on(a.Done, q.ToReinforce, check=_check_placed_all)(do_nothing)

    on(a.Share, q.ToShareLosses, check=combat.check_share)(combat.share)
    on(a.Lead, q.ToLead, check=combat.check_lead)(combat.lead)
    on(a.Fight, q.ToFight, check=hand_off.check_fight)(hand_off.fight)
    on(a.Reported, q.ToFight, check=hand_off.check_report)(hand_off.report)
    on(a.Retreat, q.ToRetreat, check=retreat.check_retreat)(retreat.retreat)

    on(a.Supply, q.ToSupply, check=supply.check_supply)(supply.supply)
    on(a.Pick, q.ToShareAttrition, check=supply.check_share_attrition)(supply.share_attrition)

    on(a.Choose, q.ToChooseHex, check=_check_choice)(_choose_hex)
    on(a.Pick, q.ToChooseUnits, check=_check_pick)(_choose_units)

    always(a.HandOver, check=hand_off.check_arrangement)(hand_off.arrange)
    always(a.Ruled, check=umpire_rulings.check_ruling)(umpire_rulings.rule)
    return answers


engine = CampaignEngine(
    _answers(),
    Play(evolve, STEPS, e.AgendaRecorded),
    Refusals(over="4", other="5.0", game="campaign"),
)
apply, play, check, fold = engine.apply, engine.play, engine.check, engine.fold
play_trusted = engine.play_trusted
answers_to = engine.answers.to
