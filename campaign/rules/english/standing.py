"""How things stand: the result, the counts that victory looks at, the situation."""

from collections.abc import Iterable, Iterator

from campaign.rules import victory_data as v
from campaign.rules.board import board, chart, scenario_of
from campaign.rules.english.names import does, where
from campaign.rules.english.sieges import sieges
from campaign.rules.english.stacks import force_in_words, stack_in_words
from campaign.rules.english.words import capital, in_words, listed, times
from campaign.rules.map import PlaceClass
from campaign.rules.pieces import Side, month_name
from campaign.rules.state import Due, Result, State

_WAITING = ("repair", "replacement", "monthly supply")
_MOST = 4


def result_in_words(result: Result) -> str:
    """How the campaign ended, why, and by which clause."""
    return f"{ending_in_words(result)} {result.reason.rstrip('.')} ({result.clause})."


def ending_in_words(result: Result) -> str:
    """Return who has won the campaign."""
    if result.winner is None:
        return "The campaign is drawn."
    return f"{capital(does(result.winner, 'wins', 'win'))} the campaign."


def tally_in_words(state: State, name: str, count: int) -> str:
    """How long a condition of victory has held; empty when it holds no longer."""
    conditions = scenario_of(state).victory
    lasting = [one for one in conditions if isinstance(one, v.Unbesieged | v.SiegeMaintained)]
    meant = [one for one in lasting if name == f"turns:{one.winner}"]
    return _held_for(meant[0], count) if meant and 0 < count < meant[0].turns else ""


def _held_for(condition: v.Unbesieged | v.SiegeMaintained, count: int) -> str:
    turns = "an Egyptian turn" if count == 1 else f"{in_words(count)} Egyptian turns running"
    if isinstance(condition, v.SiegeMaintained):
        found = f"{condition.place} has been under siege at the end of {turns}"
    else:
        found = f"{listed(condition.places)} have been free of siege at the end of {turns}"
    wins = does(condition.winner, "wins", "win")
    return f"{found}; {in_words(condition.turns - count)} more, and {wins} the campaign."


def situation(state: State, counted: Iterable[Side] = tuple(Side)) -> tuple[str, ...]:
    """A few lines that say how things stand; `counted` are the sides whose units all stand there.

    Of the other side a state that somebody may see has only those he knows of.
    """
    strengths = list(_strengths(state, counted))
    if state.result is not None:
        return (result_in_words(state.result), *strengths)
    return (*_sieges(state), *_towns(state), *strengths, *_counts(state), *_due(state))


def _sieges(state: State) -> Iterator[str]:
    found = sieges(state)
    towns = [hex_id for hex_id, side in found.items() if side is Side.EGYPTIAN]
    for hex_id in towns:
        garrison = stack_in_words(board(state).stack(Side.EGYPTIAN, hex_id))
        yield f"{where(hex_id)} is under siege. Within: {garrison}."
    blockaded = [hex_id for hex_id, side in found.items() if side is Side.MAHDIST]
    if blockaded:
        places = listed([where(hex_id) for hex_id in blockaded])
        yield f"The Egyptian side stands before {places}."


def _towns(state: State) -> Iterator[str]:
    places = chart(state).places.values()
    towns = [place for place in places if place.kind is PlaceClass.TOWN and place.in_rules]
    for side in Side:
        held = [place.name for place in towns if state.control.get(place.hex) is side]
        if held:
            yield f"{capital(does(side, 'holds', 'hold'))} {listed(held)}."


def _strengths(state: State, counted: Iterable[Side]) -> Iterator[str]:
    for side in counted:
        units = [unit for unit in board(state).units if unit.side is side]
        hurt = sum(unit.disrupted for unit in units)
        on_map = f"{does(side, 'has', 'have')} {times(len(units), 'unit')} on the map"
        yield f"{capital(on_map)}, {in_words(hurt) if hurt else 'none'} of them disrupted."


def _counts(state: State) -> Iterator[str]:
    for name, count in state.tallies.items():
        text = tally_in_words(state, name, count)
        if text:
            yield text


def _due(state: State) -> Iterator[str]:
    waiting = sorted(state.due, key=lambda due: due.month)
    for due in waiting[:_MOST]:
        yield expected(state, due)
    if len(waiting) > _MOST:
        yield f"{capital(times(len(waiting) - _MOST, 'more group'))} will come later."


def expected(state: State, due: Due) -> str:
    """A group that is still to come: who, where and when."""
    places = "one of several places"
    if len(due.at) <= _MOST:
        places = " or ".join(where(hex_id) for hex_id in due.at)
    when = "this month" if due.month <= state.month else f"in {month_name(due.month)}"
    title = "" if due.reason in _WAITING else f"{due.reason}: "
    return f"{capital(title + force_in_words(due.units))}, expected at {places} {when}."
