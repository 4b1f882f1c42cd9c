"""Building railways (3.4, 3.41)."""

from collections.abc import Iterator
from functools import lru_cache

from battles.core.dice import Modifier, Roll
from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board, chart, laws
from campaign.rules.map import HexId, Relief
from campaign.rules.pieces import Side
from campaign.rules.questions import ToChooseHex
from campaign.rules.scenario import scenario
from campaign.rules.state import State

OPEN = "railway may begin"


@lru_cache(maxsize=16)
def lines(slug: str) -> dict[str, tuple[HexId, ...]]:
    """The hexes of every railway line of the scenario from where it begins."""
    return {line.id: line.hexes for line in scenario(slug).line}


def built(state: State) -> frozenset[HexId]:
    """The hexes with a railway that runs, whoever stands there."""
    hexes = lines(state.scenario)
    return frozenset(
        hex_id for line, count in state.railheads.items() for hex_id in hexes[line][:count]
    )


def railway_phase(ledger: Ledger[State]) -> None:
    """The Egyptian player builds on, once the 2nd Souakim force has been called (3.41)."""
    state = ledger.state
    line = line_building(state)
    if line is not None:
        _build(ledger, line)
    elif OPEN in state.flags:
        choices = tuple(hexes[0] for hexes in _unbuilt(state).values())
        if choices:
            ledger.ask(ToChooseHex(Side.EGYPTIAN, "railhead placed", "3.41", choices))


def line_building(state: State) -> str | None:
    """The line that is being built, if its railhead has been placed."""
    started = [line for line in _unbuilt(state) if line in state.railheads]
    return started[0] if started else None


def _unbuilt(state: State) -> dict[str, tuple[HexId, ...]]:
    printed = {line.id for line in scenario(state.scenario).line if line.built}
    return {line: hexes for line, hexes in lines(state.scenario).items() if line not in printed}


def railhead_placed(ledger: Ledger[State], hex_id: HexId) -> None:
    """The railhead stands where the Egyptian player chose; building begins (3.41)."""
    line = next(line for line, hexes in _unbuilt(ledger.state).items() if hexes[0] == hex_id)
    ledger.emit(e.RailBuilt(line, 1))
    ledger.then(Step("railway"))


def _build(ledger: Ledger[State], line: str) -> None:
    state = ledger.state
    hexes, done = lines(state.scenario)[line], state.railheads[line]
    if done >= len(hexes) or _enemy_on_line(state, hexes[:done]):
        return
    roll = ledger.roll(
        Roll(
            "railway building",
            "3.41",
            (0,),
            modifiers=tuple(_modifiers(state, hexes[done - 1])),
            table="railway",
            side=Side.EGYPTIAN,
        )
    )
    laid = min(laws(state).railway_hexes(roll.total), len(hexes) - done)
    ledger.amend(roll, result=f"{laid} hexes")
    if laid:
        ledger.emit(e.RailBuilt(line, laid))


def _enemy_on_line(state: State, hexes: tuple[HexId, ...]) -> bool:
    return not board(state).occupied[Side.MAHDIST].isdisjoint(hexes)


def _modifiers(state: State, railhead: HexId) -> Iterator[Modifier]:
    extension = chart(state).region("souakim_extension")
    osman = board(state).leader("Osman Digma")
    if osman is not None and osman.hex in extension and railhead in extension:
        yield laws(state).modifier("railway.osman")
    if chart(state).hexes[railhead].relief is Relief.HILL:
        yield laws(state).modifier("railway.hill")
