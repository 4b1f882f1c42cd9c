"""What goes back to the campaign: losses of stands as fates of its units, and who has won."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from battles import reporting
from battles.books.fuzzy_wuzzy.muster import muster
from battles.books.fuzzy_wuzzy.pieces import Arm
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Brief, Party
from battles.contract.report import Fate
from battles.contract.troops import Side
from battles.muster import Aftermath, ahead, beaten

_FIGURES = 2


def fates(state: State, brief: Brief) -> dict[int, Fate]:
    """What has become of every unit of the brief, by number."""
    army = muster(brief)
    fallen = (
        number
        for unit in state.lost
        if unit.arm is Arm.COMMAND
        for number in army.drawn_from[unit.id]
    )
    ended = reporting.ends(army.units, army.parts, lambda began: _aftermath(state, began))
    return reporting.fates(brief, ended, fallen)


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
