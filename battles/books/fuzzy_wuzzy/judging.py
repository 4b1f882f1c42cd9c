"""When a battle is over, and who has won."""

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.pieces import Arm, Side
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.events import BattleResult
from battles.core.ledger import Ledger

_NAMES = {Side.EGYPTIAN: "Anglo-Egyptians", Side.MAHDIST: "Mahdists"}
UNCOUNTED = frozenset({Arm.COMMAND, Arm.TRANSPORT})


def turn_ends(ledger: Ledger[State]) -> None:
    """The move is over; the battle with it when a side is destroyed or breaks off, or at nightfall.

    A side breaks off that has half its stands or fewer in hand after two moves together.
    """
    state = ledger.state
    before = tuple(state.wavering)
    wavering = tuple(side for side in Side if wavers(state, side))
    ledger.emit(e.TurnEnded(wavering=wavering))
    beaten = [side for side in wavering if side in before or not standing(state, side)]
    if beaten:
        ledger.emit(e.BattleEnded(result=over(state, beaten)))
    elif state.turn >= state.turns:
        result = BattleResult(None, "nightfall", f"Night fell after {state.turn} moves.")
        ledger.emit(e.BattleEnded(result=result))


def wavers(state: State, side: Side) -> bool:
    """Whether half its stands or more are gone, in retreat, or have nobody unwounded."""
    return 2 * standing(state, side) <= state.strengths[side]


def standing(state: State, side: Side) -> int:
    """Stands that still obey orders; Commanders and transport are not counted."""
    return sum(
        fit_stands(unit) for unit in state.units.values() if unit.side is side and _counts(unit)
    )


def counted(unit: Unit) -> int:
    """The stands of a unit that are counted for its side."""
    return 0 if unit.arm in UNCOUNTED else unit.full


def fit_stands(unit: Unit) -> int:
    """Its stands that have somebody unwounded."""
    return sum(markers < 2 for markers in unit.markers)


def _counts(unit: Unit) -> bool:
    return unit.arm not in UNCOUNTED and not unit.retreating and not unit.wounded


def over(state: State, beaten: list[Side]) -> BattleResult:
    """The end of a battle in which these are beaten."""
    winner = beaten[0].enemy if len(beaten) == 1 else None
    gone = [side for side in beaten if not any(one.side is side for one in state.units.values())]
    if gone and winner is not None:
        return BattleResult(winner, "destroyed", f"The {_NAMES[gone[0]]} were destroyed.")
    if winner is None:
        return BattleResult(None, "broke off", "Both sides broke off.")
    return BattleResult(winner, "broke off", f"The {_NAMES[beaten[0]]} broke off.")
