"""Railway lines and their construction (3.4, 3.41)."""

from collections.abc import Iterator
from functools import lru_cache

from battles.contract.brief import Side
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger, Step
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.questions import ToChooseHex
from campaign.rules.core.state import State
from campaign.rules.map import HexId, Relief
from campaign.rules.tables.scenario_data import Scenario

OPEN = "railway may begin"


def lines(state: State) -> dict[str, tuple[HexId, ...]]:
    """Return the hexes of every railway line of the scenario, from its start."""
    return _lines(scenario_of(state))


@lru_cache(maxsize=64)
def _lines(scenario: Scenario) -> dict[str, tuple[HexId, ...]]:
    return {line.id: line.hexes(scenario.chart) for line in scenario.line}


def railway_hexes(state: State) -> frozenset[HexId]:
    """Return the hexes with a working railway, whether enemy units stand there or not."""
    hexes = lines(state)
    return frozenset(
        hex_id for line, count in state.railheads.items() for hex_id in hexes[line][:count]
    )


def railway_phase(ledger: Ledger[State]) -> None:
    """Continue the railway, once the 2nd Souakim force has been called (3.41)."""
    state = ledger.state
    line = line_building(state)
    if line is not None:
        _build(ledger, line)
    elif OPEN in state.flags:
        choices = tuple(hexes[0] for hexes in _unbuilt(state).values())
        if choices:
            ledger.ask(ToChooseHex(Side.EGYPTIAN, "railhead placed", "3.41", choices))


def line_building(state: State) -> str | None:
    """Return the line being built, or None when no railhead has been placed."""
    started = [line for line in _unbuilt(state) if line in state.railheads]
    return started[0] if started else None


def _unbuilt(state: State) -> dict[str, tuple[HexId, ...]]:
    printed = {line.id for line in scenario_of(state).line if line.built}
    return {line: hexes for line, hexes in lines(state).items() if line not in printed}


def railhead_placed(ledger: Ledger[State], hex_id: HexId) -> None:
    """Place the railhead where the Egyptian player chose, and begin to build (3.41)."""
    line = next(line for line, hexes in _unbuilt(ledger.state).items() if hexes[0] == hex_id)
    ledger.emit(e.RailBuilt(line, 1))
    ledger.then(Step("railway"))


def _build(ledger: Ledger[State], line: str) -> None:
    state = ledger.state
    hexes, done = lines(state)[line], state.railheads[line]
    if done >= len(hexes) or _enemy_behind(state, line):
        return
    roll = ledger.roll(
        Roll(
            "Railway building",
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


def _enemy_behind(state: State, line: str) -> bool:
    """Return whether a Mahdist stands on the railhead or behind it, older lines included (3.4)."""
    hexes = lines(state)
    behind = set(hexes[line][: state.railheads[line]])
    for other, count in state.railheads.items():
        if hexes[other][count - 1] == hexes[line][0]:
            behind |= set(hexes[other][:count])
    return not behind.isdisjoint(board(state).hexes(Side.MAHDIST))


def _modifiers(state: State, railhead: HexId) -> Iterator[Modifier]:
    extension = chart(state).region("souakim_extension")
    osman = board(state).leader("Osman Digma")
    if osman is not None and osman.hex in extension and railhead in extension:
        yield laws(state).modifier("railway.osman")
    if chart(state).hexes[railhead].relief is Relief.HILL:
        yield laws(state).modifier("railway.hill")
