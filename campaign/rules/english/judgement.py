"""What an umpire rules, in words: what each of its events does to the position as it stands."""

from collections.abc import Iterator

from battles.core.handlers import Handlers
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules.board import board, random_events
from campaign.rules.english.names import at, line_name, side_name, where
from campaign.rules.english.stacks import several, stack_in_words
from campaign.rules.english.standing import result_in_words
from campaign.rules.english.tale import toss_in_words
from campaign.rules.english.words import capital, times
from campaign.rules.evolve import evolve
from campaign.rules.pieces import Quality, UnitId
from campaign.rules.state import State, Unit

QUALITIES = {
    Quality.VETERAN: "of veteran quality",
    Quality.LINE: "of line quality",
    Quality.RABBLE: "of the quality of rabble",
    Quality.FANATIC: "of fanatic quality",
    Quality.NONE: "of no quality",
}


def ruling_in_words(state: State, ruling: a.Ruled) -> Iterator[str]:
    """What the ruling does, a sentence an event. Its events happen to `state` as they are told."""
    for event in ruling.events:
        yield f"{capital(_describe(state, event))}."
        evolve(state, event)
    if ruling.random_event is not None:
        yield _happening(state, ruling.random_event)
    if ruling.toss is not None:
        yield f"{capital(toss_in_words(ruling.toss))} for it."


def _happening(state: State, wanted: e.RandomEvent) -> str:
    title = random_events(state, wanted.side)[wanted.code].title
    return f"The random event of {side_name(wanted.side)} is “{title}” ({wanted.code})."


def _units(state: State, ids: tuple[UnitId, ...]) -> list[Unit]:
    return board(state).named(ids)


def _be(units: list[Unit]) -> str:
    return f"{stack_in_words(units)} {'are' if several(units) else 'is'}"


_describe = Handlers[State, [], str]("rulings in words")


@_describe.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} moved from {_from(units)} to {where(event.hex)}"


def _from(units: list[Unit]) -> str:
    found = dict.fromkeys(where(unit.hex) for unit in units)
    return next(iter(found)) if len(found) == 1 else "several hexes"


@_describe.on(e.Arrived)
def _arrived(state: State, event: e.Arrived) -> str:
    return f"{_be(list(event.units))} added {at(event.units[0].hex)}"


@_describe.on(e.Removed)
def _removed(state: State, event: e.Removed) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} removed from {_from(units)}"


@_describe.on(e.Disrupted)
def _disrupted(state: State, event: e.Disrupted) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} disrupted {_at(units)}"


@_describe.on(e.Recovered)
def _recovered(state: State, event: e.Recovered) -> str:
    units = _units(state, event.units)
    recover = "recover" if several(units) else "recovers"
    return f"{stack_in_words(units)} {recover} {_at(units)}"


def _at(units: list[Unit]) -> str:
    found = dict.fromkeys(at(unit.hex) for unit in units)
    return next(iter(found)) if len(found) == 1 else "in several hexes"


@_describe.on(e.Improved)
def _improved(state: State, event: e.Improved) -> str:
    units = _units(state, (event.unit,))
    return f"{_be(units)} {QUALITIES[event.quality]} from now on, {_at(units)}"


@_describe.on(e.ControlChanged)
def _control(state: State, event: e.ControlChanged) -> str:
    return f"{where(event.place)} is held by {side_name(event.side)}"


@_describe.on(e.RailBuilt)
def _built(state: State, event: e.RailBuilt) -> str:
    hexes = times(event.hexes, "hex", "hexes")
    return f"{line_name(state, event.track)} is built on by {hexes}"


@_describe.on(e.RailLost)
def _lost(state: State, event: e.RailLost) -> str:
    hexes = times(event.hexes, "hex", "hexes")
    return f"{line_name(state, event.track)} is torn up for {hexes}"


@_describe.on(e.Tallied)
def _tallied(state: State, event: e.Tallied) -> str:
    return f"{times(event.count, 'turn')} are counted as “{event.name}”"


@_describe.on(e.CampaignEnded)
def _ended(state: State, event: e.CampaignEnded) -> str:
    return result_in_words(event.result).rstrip(".")
