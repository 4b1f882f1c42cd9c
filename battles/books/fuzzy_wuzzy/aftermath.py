"""The results phases: duties and choices of units after fire and close combat (11 and 14)."""

from battles.books.fuzzy_wuzzy import board, results, retreat
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToAdvance
from battles.books.fuzzy_wuzzy.book import style_of
from battles.books.fuzzy_wuzzy.pieces import (
    Combat,
    Compared,
    Does,
    Purpose,
    Rate,
    Side,
    Style,
)
from battles.books.fuzzy_wuzzy.recovery import overrun
from battles.books.fuzzy_wuzzy.results import Result
from battles.books.fuzzy_wuzzy.state import State, Unit, tally
from battles.core.dice import Roll
from battles.core.game import Step
from battles.core.ledger import Ledger
from battles.tabletop.geometry import TablePoint, distance

PURPOSES = {Combat.FIRE: Purpose.FIRE, Combat.CLOSE: Purpose.CLOSE_COMBAT}


def casualties(ledger: Ledger[State]) -> None:
    """Place the casualties of both sides, all those of one phase at once."""
    suffered: dict[int, int] = {}
    for volley in ledger.state.volleys:
        suffered[volley.target] = suffered.get(volley.target, 0) + volley.casualties
    for number, count in suffered.items():
        if count:
            retreat.take(ledger, ledger.state.units[number], count)


def fire_results(ledger: Ledger[State], side: str) -> None:
    """Judge each unit of the side that has fired or been fired at, by number."""
    ledger.then(*(Step("judge", (unit.id,)) for unit in _fought(ledger.state, Side(side))))


def close_results(ledger: Ledger[State], side: str, *winners: str) -> None:
    """Judge units of the side: with `winners` those that caused more casualties, else the rest."""
    state = ledger.state
    # Winners come last: whether they may advance depends on who has retreated.
    judged = [
        unit.id
        for unit in _fought(state, Side(side))
        if (compare_casualties(state, unit) is Compared.MORE) is bool(winners)
    ]
    ledger.then(*(Step("judge", (number,)) for number in judged))


def judge(ledger: Ledger[State], number: int) -> None:
    """Judge one unit, with a die where its row needs one; make an immediate retreat now."""
    state = ledger.state
    unit = state.units.get(number)
    if unit is None or state.combat is None:
        return
    if state.combat is Combat.CLOSE and _is_overrun(state, unit):
        ledger.emit(e.Lost(unit=number, cause="overrun"))
        return
    style = style_of(unit.troops, PURPOSES[state.combat])
    done = _result(ledger, unit, style)
    caused, suffered = tally(state, number)
    ledger.emit(
        e.Judged(
            unit=number,
            combat=state.combat,
            caused=caused,
            suffered=suffered,
            does=done.does,
            rate=done.rate,
            until_rallied=done.until_rallied,
            threat=_threat(state, unit) if done.rate and done.forced else None,
        )
    )
    _carry_out(ledger, unit, done)


def compare_casualties(state: State, unit: Unit) -> Compared:
    """Return a unit's casualties caused against those suffered in the current combat."""
    return results.compare(*tally(state, unit.id))


def enemy_retreats(state: State, unit: Unit) -> bool:
    """Return whether all enemies that the unit fought have retreated or are destroyed."""
    fought = {one.target for one in state.volleys if one.unit == unit.id}
    return bool(fought) and all(
        number not in state.units or number in state.retreated for number in fought
    )


def _fought(state: State, side: Side) -> list[Unit]:
    there = {one.unit for one in state.volleys} | {one.target for one in state.volleys}
    return [unit for unit in board.on_field(state, side) if unit.id in there]


def _result(ledger: Ledger[State], unit: Unit, style: Style) -> Result:
    state = ledger.state
    combat = state.combat or Combat.FIRE
    retreats = combat is Combat.CLOSE and enemy_retreats(state, unit)
    case = results.ResultCase(combat, compare_casualties(state, unit), style, unit.arm, retreats)
    if not results.needs_die(case):
        return results.result(case)
    clause = "Fire results 3" if combat is Combat.FIRE else "Close results 3"
    roll = ledger.roll(Roll(f"result of {combat}", clause, (0,), side=unit.side))
    done = results.result(case, roll.dice[0])
    ledger.amend(roll, result=done.does, clause=done.clause)
    return done


def _carry_out(ledger: Ledger[State], unit: Unit, done: Result) -> None:
    state = ledger.state
    if done.does is Does.RETREATS:
        _fall_back(ledger, unit, done.rate or Rate.CHARGE)
    elif done.does is Does.MAY_ADVANCE and done.rate is not None:
        cause = "impulse" if state.combat is Combat.FIRE else "pursuit"
        if not unit.retreating and not board.in_contact(state, unit):
            ledger.then(Step("advance", (unit.id, cause, done.rate)))


def advance(ledger: Ledger[State], number: int, cause: str, rate: str) -> None:
    """Roll for an immediate advance and ask for its end, unless the unit is spent."""
    unit = ledger.state.units[number]
    if board.is_spent(unit) or not any(True for _ in board.enemies(ledger.state, unit.side)):
        return
    length = retreat.throw_pace(ledger, unit, Rate(rate), cause)
    ledger.emit(e.Paced(units=(number,), lengths=(length,)))
    ledger.ask(ToAdvance(unit.side, number, cause))


def _fall_back(ledger: Ledger[State], unit: Unit, rate: Rate) -> None:
    """Make a unit retreat; from close combat it leaves its spent stands behind."""
    if ledger.state.combat is Combat.CLOSE and board.in_contact(ledger.state, unit):
        after = overrun(unit.markers, board.figures_of(unit))
        if not after.markers:
            ledger.emit(e.Lost(unit=unit.id, cause="overrun"))
            return
        if after.lost:
            ledger.emit(
                e.CasualtiesTaken(
                    unit=unit.id, markers=after.markers, casualties=0, lost=after.lost
                )
            )
    retreat.go_back(ledger, unit, rate)


def _is_overrun(state: State, unit: Unit) -> bool:
    """Return whether the unit is spent and an enemy in contact is not."""
    return board.is_spent(unit) and any(
        not board.is_spent(enemy) for enemy in board.in_contact(state, unit)
    )


def _threat(state: State, unit: Unit) -> TablePoint | None:
    """Return the place of the nearest unit that hurt it, or None."""
    hurt = [one.unit for one in state.volleys if one.target == unit.id and one.casualties]
    places = [state.units[number].at for number in hurt if number in state.units]
    return min(places, key=lambda at: (distance(at, unit.at), at), default=None)
