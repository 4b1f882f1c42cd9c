"""Sequence of play (5.0): the order of the phases, and the function of each named step."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.contract.brief import Side
from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules import railways, random_events, recovery, reinforcements, supply, victory
from campaign.rules.combat import hand_off, retreat
from campaign.rules.combat import procedure as combat
from campaign.rules.core import events as e
from campaign.rules.core.pieces import Month
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import Phase, State
from campaign.rules.losses import khalifa_follows, khalifa_placed
from campaign.rules.march import arrival, river
from campaign.rules.march import phase as marching

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


def set_up(ledger: Ledger[State], *sides: str) -> None:
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
    "set up": set_up,
    "phase": begin_phase,
    "random event": random_events.event_phase,
    "reinforcement": reinforcements.reinforcement_phase,
    "march": marching.march_phase,
    "attrition": supply.attrition_phase,
    "recovery": recovery.recovery_phase,
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
