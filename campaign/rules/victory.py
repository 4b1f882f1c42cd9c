"""Conditions of victory: how the campaign is won, lost or drawn (4.1, 4.2)."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.game import Ledger, Step
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_fighting, scenario_of
from campaign.rules.core.pieces import month_from_text, month_name
from campaign.rules.core.state import CampaignResult, Score, State, Unit, fallen_flag
from campaign.rules.map import HexId
from campaign.rules.set_up import starting_stacks
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables import scenario_blocks as b
from campaign.rules.tables import scenario_data as v
from campaign.rules.unit_losses import LOST

MAHDI = "Mahdi"
C = TypeVar("C")


def place_taken(ledger: Ledger[State], hex_id: HexId, side: str) -> None:
    """Check victory and risings after a side has entered a place (2.2, 4.1)."""
    _call_leaders(ledger, hex_id, Side(side))
    for condition in conditions(ledger.state, v.PlaceCaptured):
        target = chart(ledger.state).place(condition.place).hex
        if condition.winner is Side(side) and target == hex_id:
            end(ledger, condition.winner, condition.text, condition.clause)


def _call_leaders(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Record the fall of a place whose leader is still to rise (2.2)."""
    state = ledger.state
    for rising in scenario_of(state).rising:
        target = chart(state).place(rising.place).hex
        if (
            side is Side.MAHDIST
            and target == hex_id
            and fallen_flag(rising.place) not in state.flags
        ):
            ledger.emit(e.Flagged(fallen_flag(rising.place)))


def leader_lost(ledger: Ledger[State], name: str) -> None:
    """Check victory after the loss of a leader; the Mahdi has a successor (4.1, 7.2)."""
    for condition in conditions(ledger.state, v.LeaderEliminated):
        if condition.leader == name:
            end(ledger, condition.winner, condition.text, condition.clause)
    if name == MAHDI and ledger.state.result is None:
        ledger.then(Step("khalifa"))


def stack_annihilated(ledger: Ledger[State], side: str, *nations: str) -> None:
    """Check victory after a stack with leaders of these nations was annihilated (4.2)."""
    for condition in conditions(ledger.state, v.StackDestroyed):
        if condition.leader_nation in nations and Side(side) is condition.winner.enemy:
            end(ledger, condition.winner, condition.text, condition.clause)


def judge_egyptian_turn(ledger: Ledger[State]) -> None:
    """Count the conditions of several turns at the end of an Egyptian player turn (4.1)."""
    for condition in counted_by_turns(ledger.state):
        turns = _count_on(ledger, condition)
        if turns >= condition.turns:
            end(ledger, condition.winner, condition.text, condition.clause)
            return
    blocks_judged(ledger, Side.EGYPTIAN)


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
        is_held = not condition.held or board(state).holds(
            condition.winner, chart(state).place(condition.held).hex
        )
        return is_held and _is_besieged(state, condition.place)
    return all(
        board(state).holds(Side.EGYPTIAN, chart(state).place(name).hex)
        and not _is_besieged(state, name)
        for name in condition.places
    )


def _is_besieged(state: State, name: str) -> bool:
    return board(state).besieged(Side.EGYPTIAN, chart(state).place(name).hex)


def judge_mahdist_turn(ledger: Ledger[State]) -> None:
    """Check arrivals and the last month at the end of a Mahdist player turn (4.1, 4.2)."""
    state = ledger.state
    for condition in conditions(state, v.UnitArrived):
        if _has_arrived(state, condition):
            end(ledger, condition.winner, condition.text, condition.clause)
            return
    blocks_judged(ledger, Side.MAHDIST)
    if state.result is None and state.month >= scenario_of(state).last_month:
        _last_month_over(ledger)


def _has_arrived(state: State, condition: v.UnitArrived) -> bool:
    places = {chart(state).place(name).hex for name in condition.places}
    return any(
        unit.kind is condition.kind and unit.nation is condition.nation and unit.hex in places
        for unit in board(state).units
    )


def blocks_judged(ledger: Ledger[State], turn: Side) -> None:
    """Judge the building blocks at the end of that side's turn, in the order of the file (4).

    `reach` and `relieve` are judged at the end of the winner's turn, the others at the end of the
    month, which is that of the Mahdist turn.
    """
    for place, block in enumerate(scenario_of(ledger.state).victory):
        if isinstance(block, b.UnitsReached):
            won = block.winner is turn and _has_reached(ledger.state, block)
        elif isinstance(block, b.PlaceRelieved):
            won = block.winner is turn and _is_relieved(ledger.state, block)
        elif turn is Side.EGYPTIAN:
            won = False
        elif isinstance(block, b.PlacesHeld):
            won = _months_held(ledger, place, block) >= block.turns
        else:
            won = isinstance(block, b.SideDestroyed | b.SideSurvives) and _is_fulfilled(
                ledger.state, block
            )
        if won and not isinstance(block, v.OnlyADraw | b.PointsCounted):
            end(ledger, block.winner, block.text, block.clause)
            return


def _has_reached(
    state: State, condition: b.UnitsReached | b.UnitsAward, side: Side | None = None
) -> bool:
    """Return whether enough of the units, with their leader if one is named, are in a place."""
    side = side or condition.winner  # type: ignore[union-attr]
    for name in condition.places:
        stack = board(state).stack(side, chart(state).place(name).hex)
        leader = getattr(condition, "leader", "")
        led = not leader or any(unit.name == leader for unit in stack)
        if (
            led
            and sum(_matches(unit, condition.kind, condition.nation) for unit in stack)
            >= condition.least
        ):
            return True
    return False


def _matches(unit: Unit, kind: TroopKind | None, nation: Nation | None) -> bool:
    fits = is_fighting(unit) if kind is None else unit.kind is kind
    return fits and nation in (None, unit.nation)


def _is_relieved(state: State, condition: b.PlaceRelieved) -> bool:
    """Return whether the place is free of siege and units from elsewhere stand in or beside it."""
    target = chart(state).place(condition.place).hex
    if not board(state).holds(condition.winner, target) or board(state).besieged(
        condition.winner, target
    ):
        return False
    stacks = starting_stacks(scenario_of(state))
    near = (target, *chart(state).neighbours[target])
    relief = [
        unit
        for hex_id in near
        for unit in board(state).stack(condition.winner, hex_id)
        if is_fighting(unit)
        and (unit.id not in stacks or target not in stacks[unit.id].hexes(chart(state)))
    ]
    return len(relief) >= condition.least


def count_held(state: State, side: Side, places: Iterable[str]) -> int:
    """Return the number of these places that the side was the last to occupy (3.2)."""
    return sum(board(state).holds(side, chart(state).place(name).hex) for name in places)


def months_held(state: State, place: int) -> int:
    """Return the months running for which the condition of that number has held."""
    return state.tallies.get(f"hold:{place}", 0)


def _months_held(ledger: Ledger[State], place: int, condition: b.PlacesHeld) -> int:
    """Count this month, and return the months running for which the places have been held."""
    state = ledger.state
    holds = count_held(state, condition.winner, condition.places) >= condition.wanted
    months = months_held(state, place) + 1 if holds else 0
    if condition.turns > 1 and months != months_held(state, place):
        ledger.emit(e.Tallied(f"hold:{place}", months))
    return months


def _is_fulfilled(state: State, condition: b.SideDestroyed | b.SideSurvives) -> bool:
    if isinstance(condition, b.SideDestroyed):
        due = [unit for group in state.due for unit in group.units]
        enemy = [
            unit for unit in (*board(state).units, *due) if unit.side is condition.winner.enemy
        ]
        return _strength(enemy, condition.nation) <= condition.left
    if state.month < month_from_text(condition.until):
        return False
    own_units = [unit for unit in board(state).units if unit.side is condition.winner]
    alive = not condition.leader or any(unit.name == condition.leader for unit in own_units)
    keeps = count_held(state, condition.winner, condition.places) == len(condition.places)
    return alive and keeps and _strength(own_units, None) >= condition.left


def _strength(units: Iterable[Unit], nation: Nation | None) -> int:
    return sum(unit.strength for unit in units if _matches(unit, None, nation))


def points(state: State, condition: b.PointsCounted) -> Score:
    """Return the points of both sides as the position stands."""
    egyptian, mahdist = (
        sum(points_of(state, award) for award in condition.award if award.side is side)
        for side in Side
    )
    return Score(egyptian, mahdist)


def points_of(state: State, award: b.Award) -> int:
    """Return the points that an award gives as the position stands."""
    if isinstance(award, b.HandicapAward):
        return award.points
    if isinstance(award, b.PlaceAward):
        return award.points * count_held(state, award.side, (award.place,))
    if isinstance(award, b.UnitsAward):
        return award.points * _has_reached(state, award, award.side)
    if isinstance(award, b.LeaderAward):
        return award.points * ((board(state).leader(award.leader) is None) is award.lost)
    lost = sum(
        count
        for name, count in state.tallies.items()
        if name.startswith(LOST) and _counts(award, Nation(name.removeprefix(LOST)))
    )
    return award.points * (lost // award.every)


def _counts(award: b.LossesAward, nation: Nation) -> bool:
    return nation.side is award.side.enemy and award.nation in (None, nation)


def _last_month_over(ledger: Ledger[State]) -> None:
    """End the campaign after its last month: by points, if the scenario counts them (4)."""
    state = ledger.state
    for condition in conditions(state, b.PointsCounted):
        score = points(state, condition)
        ahead = score.egyptian - score.mahdist
        if abs(ahead) >= condition.margin:
            winner = Side.EGYPTIAN if ahead > 0 else Side.MAHDIST
            end(ledger, winner, condition.text, condition.clause, score)
            return
        end(ledger, None, "Neither side is far enough ahead in points.", condition.clause, score)
        return
    end(ledger, None, f"{month_name(state.month)} is over and nobody has won.", "4")


def end(
    ledger: Ledger[State], winner: Side | None, reason: str, clause: str, score: Score | None = None
) -> None:
    """End the campaign; a side that can only draw does not win (4.2).

    `score` are the points that have decided it.
    """
    if ledger.state.result is not None:
        return
    barred = [c.side for c in conditions(ledger.state, v.OnlyADraw)]
    if winner in barred and DRAW_ONLY in ledger.state.flags:
        winner, reason = None, f"{reason} A British unit was lost to attrition: a draw."
    # Nothing that is still on the agenda may happen or be asked after the end.
    ledger.state.agenda.clear()
    ledger.answered()
    ledger.emit(e.CampaignEnded(CampaignResult(winner, reason, clause), score))


def units_needed(state: State, condition: v.UnitArrived) -> list[Unit]:
    """Return the units of the condition, in play or still to come (4.2)."""
    waiting = (unit for due in state.due for unit in due.units)
    return [
        unit
        for unit in (*state.units.values(), *waiting)
        if unit.kind is condition.kind and unit.nation is condition.nation
    ]


def conditions(state: State, kind: type[C]) -> Iterator[C]:
    """Return the scenario's conditions of victory of that kind."""
    return (condition for condition in scenario_of(state).victory if isinstance(condition, kind))
