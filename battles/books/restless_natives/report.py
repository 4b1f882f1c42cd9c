"""What goes back to the campaign: losses of stands as fates of its units, and who has won."""

from collections.abc import Sequence
from fractions import Fraction

from battles import reporting
from battles.books.restless_natives.board import is_afloat
from battles.books.restless_natives.goals import Hold
from battles.books.restless_natives.muster import muster
from battles.books.restless_natives.state import State, Unit
from battles.contract.brief import Brief, Party
from battles.contract.report import Fate
from battles.contract.troops import Side
from battles.muster import Aftermath, beaten, can_fight


def fates(state: State, brief: Brief) -> dict[int, Fate]:
    """What has become of every unit of the brief, by number."""
    army = muster(brief)
    fallen = (
        number
        for commander in army.commanders
        if commander.unit in state.lost
        for number in army.drawn_from[commander.unit]
    )
    ended = reporting.ends(army.units, army.parts, lambda began: _aftermath(state, began))
    return reporting.fates(brief, ended, fallen)


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
