"""Rulings of an umpire in words: the changes that each event makes to the position."""

from collections.abc import Iterator

from battles.contract.brief import Quality
from battles.core.handlers import Handlers
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, random_events
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.prose.names import (
    at_hex,
    describe_hex,
    describe_stack,
    is_plural,
    line_name,
    side_name,
)
from campaign.rules.prose.phase_report import describe_toss
from campaign.rules.prose.phrases import capitalise, count_noun
from campaign.rules.prose.situation import describe_result

QUALITIES = {
    Quality.VETERAN: "of veteran quality",
    Quality.LINE: "of line quality",
    Quality.RABBLE: "of the quality of rabble",
    Quality.FANATIC: "of fanatic quality",
    Quality.NONE: "of no quality",
}


def describe_ruling(state: State, ruling: a.Ruled) -> Iterator[str]:
    """Yield a sentence for each event of the ruling, and apply the events to `state`."""
    for event in ruling.events:
        yield f"{capitalise(_describe(state, event))}."
        evolve(state, event)
    if ruling.random_event is not None:
        yield _happening(state, ruling.random_event)
    if ruling.toss is not None:
        yield f"{capitalise(describe_toss(ruling.toss))} for it."


def _happening(state: State, wanted: e.RandomEvent) -> str:
    title = random_events(state, wanted.side)[wanted.code].title
    return f"The random event of {side_name(wanted.side)} is “{title}” ({wanted.code})."


def _units(state: State, ids: tuple[UnitId, ...]) -> list[Unit]:
    return board(state).named(ids)


def _be(units: list[Unit]) -> str:
    return f"{describe_stack(units)} {'are' if is_plural(units) else 'is'}"


_describe = Handlers[State, [], str]("rulings in words")


@_describe.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} moved from {_from(units)} to {describe_hex(event.hex)}"


def _from(units: list[Unit]) -> str:
    found = dict.fromkeys(describe_hex(unit.hex) for unit in units)
    return next(iter(found)) if len(found) == 1 else "several hexes"


@_describe.on(e.Arrived)
def _arrived(state: State, event: e.Arrived) -> str:
    return f"{_be(list(event.units))} added {at_hex(event.units[0].hex)}"


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
    recover = "recover" if is_plural(units) else "recovers"
    return f"{describe_stack(units)} {recover} {_at(units)}"


def _at(units: list[Unit]) -> str:
    found = dict.fromkeys(at_hex(unit.hex) for unit in units)
    return next(iter(found)) if len(found) == 1 else "in several hexes"


@_describe.on(e.Improved)
def _improved(state: State, event: e.Improved) -> str:
    units = _units(state, (event.unit,))
    return f"{_be(units)} {QUALITIES[event.quality]} from now on, {_at(units)}"


@_describe.on(e.ControlChanged)
def _control(state: State, event: e.ControlChanged) -> str:
    return f"{describe_hex(event.place)} is held by {side_name(event.side)}"


@_describe.on(e.RailBuilt)
def _built(state: State, event: e.RailBuilt) -> str:
    hexes = count_noun(event.hexes, "hex", "hexes")
    return f"{line_name(state, event.track)} is built on by {hexes}"


@_describe.on(e.RailLost)
def _lost(state: State, event: e.RailLost) -> str:
    hexes = count_noun(event.hexes, "hex", "hexes")
    return f"{line_name(state, event.track)} is torn up for {hexes}"


@_describe.on(e.Tallied)
def _tallied(state: State, event: e.Tallied) -> str:
    return f"{count_noun(event.count, 'turn')} are counted as “{event.name}”"


@_describe.on(e.CampaignEnded)
def _ended(state: State, event: e.CampaignEnded) -> str:
    return describe_result(event.result).rstrip(".")
