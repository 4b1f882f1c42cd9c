"""Conditions of victory: how the campaign is won, lost or drawn (4.1, 4.2)."""

from collections.abc import Iterator
from typing import TypeVar

from battles.contract.brief import Nation, Side
from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, scenario_of
from campaign.rules.core.pieces import month_name
from campaign.rules.core.state import CampaignResult, State, fallen_flag
from campaign.rules.map import HexId
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables import scenario_data as v

MAHDI = "Mahdi"
C = TypeVar("C")


def place_taken(ledger: Ledger[State], hex_id: HexId, side: str) -> None:
    """Check victory and risings after a side has entered a place (2.2, 4.1)."""
    _call_leaders(ledger, hex_id, Side(side))
    for condition in conditions(ledger.state, v.PlaceCaptured):
        here = chart(ledger.state).place(condition.place).hex
        if condition.winner is Side(side) and here == hex_id:
            end(ledger, condition.winner, condition.text, condition.clause)


def _call_leaders(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Record the fall of a place whose leader is still to rise (2.2)."""
    state = ledger.state
    for rising in scenario_of(state).rising:
        here = chart(state).place(rising.place).hex
        if side is Side.MAHDIST and here == hex_id and fallen_flag(rising.place) not in state.flags:
            ledger.emit(e.Flagged(fallen_flag(rising.place)))


def leader_lost(ledger: Ledger[State], name: str) -> None:
    """Check victory after the loss of a leader; the Mahdi has a successor (4.1, 7.2)."""
    for condition in conditions(ledger.state, v.LeaderEliminated):
        if condition.leader == name:
            end(ledger, condition.winner, condition.text, condition.clause)
    if name == MAHDI and ledger.state.result is None:
        ledger.then(Step("khalifa"))


def stack_annihilated(ledger: Ledger[State], side: str) -> None:
    """Check victory after a British leader's stack was annihilated in combat (4.2)."""
    for condition in conditions(ledger.state, v.StackDestroyed):
        if condition.leader_nation is Nation.BRITISH and Side(side) is condition.winner.enemy:
            end(ledger, condition.winner, condition.text, condition.clause)


def egyptian_turn_judged(ledger: Ledger[State]) -> None:
    """Count the conditions of several turns at the end of an Egyptian player turn (4.1)."""
    for condition in counted_by_turns(ledger.state):
        turns = _count_on(ledger, condition)
        if turns >= condition.turns:
            end(ledger, condition.winner, condition.text, condition.clause)
            return


def counted_by_turns(state: State) -> list[v.Unbesieged | v.SiegeMaintained]:
    """Return the conditions that have to hold at the end of several Egyptian turns (4.1)."""
    return [*conditions(state, v.Unbesieged), *conditions(state, v.SiegeMaintained)]


def turns_counted(state: State, condition: v.Unbesieged | v.SiegeMaintained) -> int:
    """Return the number of successive Egyptian turns at whose end the condition has held."""
    return state.tallies.get(_tally(condition), 0)


def _tally(condition: v.Unbesieged | v.SiegeMaintained) -> str:
    return f"turns:{condition.winner}"


def _count_on(ledger: Ledger[State], condition: v.Unbesieged | v.SiegeMaintained) -> int:
    """Count this turn, and return the successive Egyptian turns for which the condition holds."""
    state = ledger.state
    turns = turns_counted(state, condition) + 1 if _holds(state, condition) else 0
    if turns != turns_counted(state, condition):
        ledger.emit(e.Tallied(_tally(condition), turns))
    return turns


def _holds(state: State, condition: v.Unbesieged | v.SiegeMaintained) -> bool:
    if isinstance(condition, v.SiegeMaintained):
        return _besieged(state, condition.place)
    return all(
        board(state).holds(Side.EGYPTIAN, chart(state).place(name).hex)
        and not _besieged(state, name)
        for name in condition.places
    )


def _besieged(state: State, name: str) -> bool:
    return board(state).besieged(Side.EGYPTIAN, chart(state).place(name).hex)


def mahdist_turn_judged(ledger: Ledger[State]) -> None:
    """Check arrivals and the last month at the end of a Mahdist player turn (4.1, 4.2)."""
    state = ledger.state
    for condition in conditions(state, v.UnitArrived):
        if _has_arrived(state, condition):
            end(ledger, condition.winner, condition.text, condition.clause)
            return
    if state.month >= scenario_of(state).last_month:
        end(ledger, None, f"{month_name(state.month)} is over and nobody has won.", "4")


def _has_arrived(state: State, condition: v.UnitArrived) -> bool:
    places = {chart(state).place(name).hex for name in condition.places}
    return any(
        unit.kind is condition.unit and unit.nation is condition.nation and unit.hex in places
        for unit in board(state).units
    )


def end(ledger: Ledger[State], winner: Side | None, reason: str, clause: str) -> None:
    """End the campaign; a side that can only draw does not win (4.2)."""
    if ledger.state.result is not None:
        return
    barred = [c.side for c in conditions(ledger.state, v.OnlyADraw)]
    if winner in barred and DRAW_ONLY in ledger.state.flags:
        winner, reason = None, f"{reason} A British unit was lost to attrition: a draw."
    # Nothing that is still on the agenda may happen or be asked after the end.
    ledger.state.agenda.clear()
    ledger.answered()
    ledger.emit(e.CampaignEnded(CampaignResult(winner, reason, clause)))


def conditions(state: State, kind: type[C]) -> Iterator[C]:
    """Return the scenario's conditions of victory of that kind."""
    return (one for one in scenario_of(state).victory if isinstance(one, kind))
