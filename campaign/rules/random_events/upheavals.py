"""Effects on the railway, and on whether the campaign goes on."""

from battles.core.dice import Roll
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules import victory
from campaign.rules.board import board, scenario_of
from campaign.rules.effects import EndGame, Rails, quantity
from campaign.rules.pieces import Side
from campaign.rules.railways import lines
from campaign.rules.random_events.happening import Happening, how_many
from campaign.rules.state import State


def tear_up(ledger: Ledger[State], effect: Rails, now: Happening) -> bool:
    """The last hexes built of a stretch are destroyed, if nobody stands on it; its start stays."""
    state = ledger.state
    exposed = [line for line in effect.stretches if _is_exposed(state, line)]
    if not exposed:
        return False
    count = how_many(ledger, now, quantity(effect.count))
    ledger.emit(e.RailLost(exposed[0], min(count, state.railheads[exposed[0]] - 1)))
    return True


def _is_exposed(state: State, line: str) -> bool:
    """Whether something of the line has been built beyond its start, and nothing stands on it.

    Craft on their way by rail and leaders keep it too.
    """
    known = {one.id for one in scenario_of(state).line if not one.built}
    if line not in known:
        return False
    built = lines(state)[line][1 : state.railheads.get(line, 0)]
    manned = {hex_id for side in Side for hex_id in board(state).hexes(side)}
    return bool(built) and manned.isdisjoint(built)


def end_game(ledger: Ledger[State], effect: EndGame, now: Happening) -> bool:
    """One die; on some faces the campaign is over."""
    row = now.row(ledger.state)
    roll = ledger.roll(Roll(row.title, now.clause, (0,), side=now.side))
    over = roll.total in effect.faces
    ledger.amend(roll, result=effect.reason if over else "the campaign goes on")
    if over:
        reason = effect.reason[:1].upper() + effect.reason[1:]
        victory.end(ledger, effect.winner, f"{reason}.", now.clause)
    return True
