"""What goes back to the campaign: losses of stands as fates of its units, and who has won."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from battles.contract.brief import Brief, Party, Troop
from battles.contract.report import Fate, Report
from battles.contract.troops import Kind, Side
from battles.engines.fuzzy_wuzzy.muster import Army, muster
from battles.engines.fuzzy_wuzzy.pieces import Arm
from battles.engines.fuzzy_wuzzy.state import State, Unit
from battles.muster import Aftermath, Body, ahead, beaten, share_out, wiped_out

SLUG = "fuzzy-wuzzy"
_FIGURES = 2


def report(state: State) -> Report:
    """How the battle ended, for every unit of the brief, as 9.8 judges it.

    ValueError while the battle goes on, and for one that was not fought from a brief.
    """
    if state.result is None:
        raise ValueError("The battle is not over: there is nothing to report yet.")
    if state.brief is None:
        raise ValueError("This battle has no brief: nobody waits for a report of it.")
    fates = _fates(state, state.brief)
    return Report(
        brief=state.brief.id,
        book=SLUG,
        fates=fates,
        winner=winner(state, fates),
        ending=state.result.reason,
        turns=state.turn,
    )


def winner(state: State, fates: dict[int, Fate]) -> Side | None:
    """The side that has not lost when the other has (9.8); who destroys all has won in any case."""
    brief = state.brief
    if brief is None or state.result is None:
        return None
    losers = [side for side in Side if _has_lost(state, brief.party(side), fates)]
    return ahead(brief, fates, losers)


def _has_lost(state: State, party: Party, fates: dict[int, Fate]) -> bool:
    """Half its units disrupted or gone, or broken off before the enemy (9.8)."""
    broke = state.result is not None and state.result.winner is party.side.enemy
    return broke or beaten(party, fates)


def _fates(state: State, brief: Brief) -> dict[int, Fate]:
    """The fates by number; who did not take the field is as it came."""
    army = muster(brief)
    fates = {troop.id: _as_it_came(troop) for troop in brief.troops()}
    for side in Side:
        fates |= share_out(list(_ends(state, army, side)))
    for unit in state.lost:
        if unit.arm is Arm.COMMAND:
            fates |= dict.fromkeys(army.drawn_from[unit.id], Fate.ELIMINATED)
    for side in Side:
        party = brief.party(side)
        if wiped_out(party, fates):
            lost = (troop.id for troop in party.troops if troop.kind is Kind.LEADER)
            fates |= dict.fromkeys(lost, Fate.ELIMINATED)
    return {troop.id: fates[troop.id] for troop in brief.troops()}


def _as_it_came(troop: Troop) -> Fate:
    return Fate.DISRUPTED if troop.disrupted else Fate.GOOD


def _ends(state: State, army: Army, side: Side) -> Iterator[tuple[Body, Aftermath]]:
    """How each body of campaign units has ended, as the units it fought as have."""
    began = {unit.id: unit for unit in army.units}
    for body, numbers in army.parts:
        if began[numbers[0]].side is side:
            yield body, _aftermath(state, [began[number] for number in numbers])


def _aftermath(state: State, began: Sequence[Unit]) -> Aftermath:
    """Stands lost, and half the wounded; shaken when half the rest is in retreat or away."""
    here = [unit for one in began for unit in _parts(state, one)]
    came = sum(unit.stands for unit in began)
    stands = sum(unit.stands for unit in here)
    wounded = max(0, sum(unit.casualties for unit in here) - sum(one.casualties for one in began))
    lost = _FIGURES * (came - stands) + wounded // 2
    shaken = sum(unit.stands for unit in here if _is_shaken(state, unit))
    return Aftermath(Fraction(min(lost, _FIGURES * came), _FIGURES * came), 2 * shaken > stands)


def _parts(state: State, began: Unit) -> Iterator[Unit]:
    """What is left of a unit, on the field or off it, its wounded apart."""
    for unit in (*state.units.values(), *state.left):
        if began.id in (unit.id, unit.of):
            yield unit


def _is_shaken(state: State, unit: Unit) -> bool:
    return unit.retreating or unit.wounded or unit.id not in state.units
