"""What goes back to the campaign: losses of figures as fates of its units, and who has won."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from battles.contract.brief import Brief, Party, Troop
from battles.contract.report import Fate, Report
from battles.contract.troops import Kind as Counter
from battles.contract.troops import Side
from battles.engines.redcoats.muster import Army, muster
from battles.engines.redcoats.state import State, Unit
from battles.muster import Aftermath, Body, ahead, beaten, share_out, wiped_out

SLUG = "redcoats"


def report(state: State) -> Report:
    """How the battle ended, for every unit of the brief, as 9.8 judges it.

    ValueError while the battle goes on, and for one that was not fought from a brief.
    """
    if state.result is None:
        raise ValueError("The battle is not over: there is nothing to report yet.")
    if state.brief is None:
        raise ValueError("This battle has no brief: nobody waits for a report of it.")
    brief = state.brief
    fates = _fates(state, brief)
    return Report(
        brief=brief.id,
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


def _fates(state: State, brief: Brief) -> dict[int, Fate]:
    """The fates by number; of a fleet only launches come inshore, and it is out of reach (8.25)."""
    army = muster(brief)
    fates = {troop.id: _as_it_came(troop) for troop in brief.troops()}
    for side in Side:
        fates |= share_out(list(_ends(state, army, side)))
    fates |= {troop.id: Fate.GOOD for troop in brief.troops() if troop.kind is Counter.FLEET}
    for leader in state.fallen:
        if not leader.wounded:
            fates |= dict.fromkeys(state.drawn_from[leader.id], Fate.ELIMINATED)
    for side in Side:
        party = brief.party(side)
        if wiped_out(party, fates):
            lost = (troop.id for troop in party.troops if troop.kind is Counter.LEADER)
            fates |= dict.fromkeys(lost, Fate.ELIMINATED)
    return {troop.id: fates[troop.id] for troop in brief.troops()}


def _as_it_came(troop: Troop) -> Fate:
    """Leaders, and what did not take the field."""
    return Fate.DISRUPTED if troop.disrupted else Fate.GOOD


def _ends(state: State, army: Army, side: Side) -> Iterator[tuple[Body, Aftermath]]:
    """How each body of campaign units has ended, as the units it fought as have."""
    began = {unit.id: unit for unit in army.units}
    for body, numbers in army.parts:
        if began[numbers[0]].side is side:
            yield body, _aftermath(state, [began[number] for number in numbers])


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
