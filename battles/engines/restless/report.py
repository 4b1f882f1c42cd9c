"""What goes back to the campaign: losses of stands as fates of its units, and who has won."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from battles.contract.brief import Brief, Party, Troop
from battles.contract.report import Fate, Report
from battles.contract.troops import UNCOUNTED, Side
from battles.contract.troops import Kind as Counter
from battles.engines.restless.board import is_afloat
from battles.engines.restless.goals import Hold
from battles.engines.restless.muster import Army, muster
from battles.engines.restless.state import State, Unit
from battles.muster import Aftermath, Body, beaten, can_fight, share_out

SLUG = "restless"


def report(state: State) -> Report:
    """How the battle ended, for every unit of the brief.

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
    """Of a scenario whom its goal says; of others who has not lost when his enemy has (9.8).

    Who is left alone on the field has won in any case; but nobody has of whom no man can fight.
    """
    brief = state.brief
    found = None if brief is None else _ahead(state, brief, fates)
    if brief is None or found is None or not can_fight(brief.party(found), fates):
        return None
    return found


def _ahead(state: State, brief: Brief, fates: dict[int, Fate]) -> Side | None:
    result = state.result
    if result is not None and (state.one_off or result.how == "destroyed"):
        return result.winner
    losers = [side for side in Side if _has_lost(state, brief.party(side), fates)]
    return losers[0].enemy if len(losers) == 1 else None


def _has_lost(state: State, party: Party, fates: dict[int, Fate]) -> bool:
    """Half its units disrupted or gone, or its place taken (9.8)."""
    return _lost_its_place(state, party.side) or beaten(party, fates)


def _lost_its_place(state: State, side: Side) -> bool:
    goal = state.goal
    return (
        isinstance(goal, Hold)
        and goal.side is not side
        and state.result is not None
        and state.result.winner is goal.side
    )


def _wiped_out(party: Party, fates: dict[int, Fate]) -> bool:
    """Whether no unit is left but leaders and craft; a party of nothing else is never."""
    counted = [troop.id for troop in party.troops if troop.kind not in UNCOUNTED]
    return bool(counted) and all(fates[number] is Fate.ELIMINATED for number in counted)


def _fates(state: State, brief: Brief) -> dict[int, Fate]:
    """The fates by number; of a fleet only launches come inshore, and it is out of reach (8.25)."""
    army = muster(brief)
    fates = {troop.id: _as_it_came(troop) for troop in brief.troops()}
    for side in Side:
        fates |= share_out(list(_ends(state, army, side)))
    fates |= {troop.id: Fate.GOOD for troop in brief.troops() if troop.kind is Counter.FLEET}
    for commander in army.commanders:
        if commander.unit in state.lost:
            fates |= dict.fromkeys(army.drawn_from[commander.unit], Fate.ELIMINATED)
    for side in Side:
        party = brief.party(side)
        if _wiped_out(party, fates):
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
    """Stands lost of those that came; shaken when more than half of its units have run away."""
    left = state.units | state.waiting | state.exited | state.away
    here = [left[unit.id] for unit in began if unit.id in left]
    if is_afloat(began[0]):
        return Aftermath(Fraction(len(began) - len(here), len(began)))
    came = sum(unit.stands for unit in began)
    stands = sum(unit.stands for unit in here)
    away = sum(unit.id in state.away for unit in here)
    return Aftermath(Fraction(came - stands, came), 2 * away > len(here))
