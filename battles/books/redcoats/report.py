"""What goes back to the campaign: losses of figures as fates of its units, and who has won."""

from collections.abc import Sequence
from fractions import Fraction

from battles import reporting
from battles.books.redcoats.muster import muster
from battles.books.redcoats.state import State, Unit
from battles.contract.brief import Brief, Party
from battles.contract.report import Fate
from battles.contract.troops import Side
from battles.muster import Aftermath, ahead, beaten


def fates(state: State, brief: Brief) -> dict[int, Fate]:
    """What has become of every unit of the brief, by number."""
    army = muster(brief)
    fallen = (
        number
        for leader in state.fallen
        if not leader.wounded
        for number in state.drawn_from[leader.id]
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


def _aftermath(state: State, began: Sequence[Unit]) -> Aftermath:
    """Craft are sunk or as good as new; others have lost figures, and half may be shaken."""
    here = state.units | {unit.id: unit for unit in state.left}
    left = [here[unit.id] for unit in began if unit.id in here]
    if began[0].is_craft:
        return Aftermath(Fraction(len(began) - len(left), len(began)))
    full = sum(unit.figures for unit in began)
    figures = sum(unit.figures for unit in left)
    shaken = sum(_shaken(state, unit) for unit in left)
    return Aftermath(Fraction(full - figures, full), 2 * shaken > len(left))


def _shaken(state: State, unit: Unit) -> bool:
    """Disorganised, driven off the field, or still withdrawing on it when the battle ends."""
    breaking_off = unit.side in state.breaking_off
    if unit.id in state.units:
        return unit.disorganised or breaking_off
    return unit.disorganised or not breaking_off


def _has_lost(state: State, party: Party, fates: dict[int, Fate]) -> bool:
    """Half its units disrupted or gone, broken off, or its place taken (9.8)."""
    result = state.result
    taken = result is not None and result.how == "objective" and result.winner is not party.side
    return party.side in state.breaking_off or taken or beaten(party, fates)
